import { beforeAll, describe, expect, test } from "bun:test"
import { apiWith } from "../support/api"
import { browserPath, startConsole, type Window } from "../support/browser"
import { isLong } from "../support/long"

const { kontor, api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("unsaved input", () => {
  beforeAll(async () => {
    await api.create("/items", { itemCode: "DESK", itemName: "Standing desk" })
  })
  /** Opens the page of an item, with one history entry before it and one after it. */
  const openBetween = async (): Promise<Window> => {
    const page = await open("/")
    await page.getByRole("link", { name: "Items" }).click()
    await page.getByRole("link", { name: "DESK" }).click()
    await heading(page, "Standing desk")
    await page.getByRole("link", { name: "Customers" }).click()
    await heading(page, "Customers")
    await page.goBack()
    await heading(page, "Standing desk")
    return page
  }
  const heading = (page: Window, name: string) => page.getByRole("heading", { level: 1, name }).waitFor()
  const question = (page: Window) => page.getByRole("dialog", { name: "Unsaved changes" })
  const answer = async (page: Window, name: string) => {
    await question(page).getByRole("button", { name }).click()
    await question(page).waitFor({ state: "detached" })
  }

  test("is not lost by going back, forward or back by two entries without a confirmation", async () => {
    const page = await openBetween()
    const address = page.url()
    const category = page.getByLabel("Category").first()
    for (const [steps, there] of [
      [-1, "Items"],
      [1, "Customers"],
      [-2, "Dashboard"],
    ] as const) {
      await category.fill("Furniture")
      for (const _again of isLong || steps === -1 ? [1, 2] : [1]) {
        await page.evaluate((by) => history.go(by), steps)
        await answer(page, "Keep editing")
        expect(page.url()).toBe(address)
        expect(await category.inputValue()).toBe("Furniture")
      }
      await page.evaluate((by) => history.go(by), steps)
      await answer(page, "Discard changes")
      await heading(page, there)
      expect(page.url()).not.toBe(address)
      // The history entries have not changed.
      await page.evaluate((by) => history.go(by), -steps)
      await heading(page, "Standing desk")
      expect(await category.inputValue()).toBe("")
    }
    page.assertQuiet()
  })

  test("is saved after Stay, and then the page can be left without a confirmation", async () => {
    const page = await openBetween()
    await page.getByLabel("Unit").fill("Pieces")
    await page.goBack()
    await answer(page, "Keep editing")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Standing desk was saved.").waitFor()
    expect((await api.get("/items?itemCode=DESK")).body.data[0].uom).toBe("Pieces")
    await page.goBack()
    await heading(page, "Items")
    expect(await question(page).count()).toBe(0)
  })

  describe("in a dialog", () => {
    const openPayment = async () => {
      const { id } = await shop.invoice()
      const page = await open("/invoices")
      await page.getByRole("row").nth(1).getByRole("link").first().click()
      await page.getByRole("button", { name: "Record payment" }).click()
      return { id, page, reference: page.getByRole("dialog").getByLabel("Reference") }
    }
    /** Returns whether the browser asks before it reloads the page, and answers no. */
    const asksAtReload = async (page: Window): Promise<boolean> => {
      const asked = Promise.race([
        page.waitForEvent("dialog").then(async (dialog) => {
          await dialog.dismiss()
          return dialog.type() === "beforeunload"
        }),
        page.waitForEvent("load").then(() => false),
      ])
      await page.evaluate(() => void setTimeout(() => location.reload()))
      return asked
    }

    test("is not lost by a reload without the browser's confirmation, which is not needed if nothing was typed", async () => {
      const { page, reference } = await openPayment()
      await reference.click()
      await page.keyboard.type("RF18 5390")
      expect(await asksAtReload(page)).toBeTrue()
      expect(await reference.inputValue()).toBe("RF18 5390")
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Record payment" }).click()
      await reference.click()
      expect(await reference.inputValue()).toBe("")
      expect(await asksAtReload(page)).toBeFalse()
    })

    test("is not lost by going back, and needs no confirmation after it is saved", async () => {
      const { page, reference } = await openPayment()
      await reference.fill("RF18 5390")
      await page.goBack()
      await answer(page, "Keep editing")
      expect(await reference.inputValue()).toBe("RF18 5390")
      await page.getByRole("dialog").getByRole("button", { name: "Record payment" }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.goBack()
      await heading(page, "Invoices")
    })
  })
})

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

  if (isLong)
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

  test("on the heading of the list after its first record is created and the button below it disappears: an API key, which is shown once and works", async () => {
    const page = await open("/settings/api-keys")
    await page.getByText("No API keys yet").waitFor()
    await page.getByRole("button", { name: "New API key" }).last().focus()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").getByLabel("Name").fill("Web shop")
    await page.getByRole("dialog").getByLabel(/^Read/).check()
    await page.getByRole("dialog").getByRole("button", { name: "Create API key" }).focus()
    await page.keyboard.press("Enter")
    const key = await page.getByLabel("API key", { exact: true }).inputValue()
    expect((await apiWith(kontor, { "x-api-key": key }).get("/items?perPage=1")).status).toBe(200)
    await answer(page, "I have stored the key")
    await focused(page, "H1", "API keys")
    await page.getByText("Web shop").first().waitFor()
    expect(await page.content()).not.toContain(key)
  })

  test("on the menu that opened it when nothing was done", async () => {
    const { id } = await shop.submitted()
    const page = await open(`/orders/${id}`)
    await choose(page, "Cancel order")
    await answer(page, "Keep order")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "More actions")
  })
})
