import { describe, test } from "bun:test"
import { browserPath, startConsole, type Window } from "../support/browser"

const { shop, open } = await startConsole()

describe.skipIf(browserPath === null)("after a dialog closes, the focus is", () => {
  const press = async (page: Window, name: string | RegExp) => {
    await page.getByRole("button", { name }).first().focus()
    await page.keyboard.press("Enter")
  }
  /** Chooses an action in the menu of the page, by keyboard. */
  const choose = async (page: Window, name: string) => {
    await press(page, "More actions")
    await page.getByRole("menuitem", { name }).focus()
    await page.keyboard.press("Enter")
  }
  const answer = async (page: Window, name: string) => {
    await page.getByRole("dialog").getByRole("button", { name, exact: true }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
  }
  const focused = (page: Window, tag: string, text: string) =>
    page.waitForFunction(
      ([wanted, words]) =>
        document.activeElement?.tagName === wanted && document.activeElement.textContent?.includes(words),
      [tag, text] as const,
    )

  test("on the heading after a payment that settles the invoice", async () => {
    const { id, invoiceNumber } = await shop.invoice()
    const page = await open(`/invoices/${id}`)
    await press(page, "Record payment")
    await answer(page, "Record payment")
    await focused(page, "H1", invoiceNumber)
  })

  test("on the button that opened it after a partial payment", async () => {
    const { id } = await shop.invoice()
    const page = await open(`/invoices/${id}`)
    await press(page, "Record payment")
    await page.getByRole("dialog").getByLabel("Amount").fill("1")
    await answer(page, "Record payment")
    await focused(page, "BUTTON", "Record payment")
  })

  test("on the heading after a payment is deleted", async () => {
    const { id, invoiceNumber } = await shop.invoice()
    await shop.pay(id, 1)
    const page = await open(`/invoices/${id}`)
    await press(page, /^Delete the payment/)
    await answer(page, "Delete")
    await page.getByText("No payments yet").waitFor()
    await focused(page, "H1", invoiceNumber)
  })

  test("on the heading after an order is cancelled", async () => {
    const { id, orderNumber } = await shop.submitted()
    const page = await open(`/orders/${id}`)
    await choose(page, "Cancel order")
    await answer(page, "Cancel order")
    await page.getByText(`${orderNumber} was cancelled.`).waitFor()
    await focused(page, "H1", orderNumber)
  })

  test("on the heading after an order over the credit limit is submitted", async () => {
    const customer = await shop.customer({ creditLimit: 1 })
    const { id, orderNumber } = await shop.order({ customer: customer.id })
    const page = await open(`/orders/${id}`)
    await press(page, "Save and submit")
    await answer(page, "Submit anyway")
    await page.getByText(`${orderNumber} was submitted.`).waitFor()
    await focused(page, "H1", orderNumber)
  })

  test("on the heading of the list after its first record is created and the button below it disappears", async () => {
    const page = await open("/settings/api-keys")
    await page.getByText("No API keys yet").waitFor()
    await page.getByRole("button", { name: "New API key" }).last().focus()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").getByLabel("Name").fill("Web shop")
    await page.getByRole("dialog").getByLabel(/^Read/).check()
    await page.getByRole("dialog").getByRole("button", { name: "Create API key" }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("API key", { exact: true }).waitFor()
    await answer(page, "I have stored the key")
    await focused(page, "H1", "API keys")
  })

  test("on the menu that opened it when nothing was done", async () => {
    const { id } = await shop.submitted()
    const page = await open(`/orders/${id}`)
    await choose(page, "Cancel order")
    await answer(page, "Keep order")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "More actions")
  })
})
