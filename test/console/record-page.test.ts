import { beforeAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { browserPath, chooseAction, follow, startConsole, type Window } from "../support/browser"
import { adminPassword } from "../support/kontor"
import { trade } from "../support/trade"

const { kontor, api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("the page of a record", () => {
  let anna: ReturnType<typeof trade>
  beforeAll(async () => {
    const email = "anna@shop.example"
    await api.create("/users", { email, name: "Anna", role: "accountant", password: adminPassword })
    anna = trade(await signIn(kontor, email))
  })

  /** The facts in the header, as "Label: value". */
  const factsOf = (page: Window) =>
    page
      .locator("dl")
      .first()
      .evaluate((list) =>
        [...list.children].map((fact) => [...fact.children].map((part) => part.textContent).join(": ")),
      )
  /** The labels of the buttons that are filled with the main colour. */
  const mainActions = (page: Window) =>
    page
      .getByRole("main")
      .locator(".mantine-Button-root:is(:not([data-variant]), [data-variant=filled])")
      .allTextContents()
  const timeline = (page: Window) => page.getByRole("region", { name: "Timeline" })

  test("of an invoice shows what is open and overdue, one main action, and what happened in sentences", async () => {
    const customer = await shop.customer({ name: "Café Øresund" })
    const { id, invoiceNumber } = await shop.invoice({ customer: customer.id })
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
    // The invoice is dated back, so that it can be overdue.
    const old = (
      await shop.bill((await shop.submitted({ customer: customer.id })).id, {
        invoiceDate: day,
        dueDate: day,
      })
    ).body.data
    await anna.pay(old.id, 5)
    const page = await open(`/invoices/${old.id}`)
    await timeline(page).getByText("Anna added a payment of $5.00").waitFor()
    const shown = await factsOf(page)
    expect(shown.slice(0, 3)).toEqual(["Customer: Café Øresund", "Total: $20.00", "Open: $15.00"])
    expect(shown[3]).toMatch(/^Due date: .* 3 days overdue$/)
    expect(await mainActions(page)).toEqual(["Record payment"])
    await timeline(page).getByText(`issued the invoice as ${old.invoiceNumber} for order`).waitFor()
    // A payment forbids cancelling. The menu says why.
    await page.getByRole("button", { name: "More actions" }).click()
    const cancel = page.getByRole("menuitem", { name: "Cancel invoice" })
    expect(await cancel.getAttribute("aria-disabled")).toBe("true")
    await cancel.getByText("Delete them first.").waitFor()
    await page.keyboard.press("Escape")

    await follow(page, `/invoices/${id}`, invoiceNumber)
    await api.put(`/invoices/${id}`, { dueDate: "2030-01-31", notes: "Thank you" })
    await page.reload()
    await timeline(page)
      .getByText(/changed the due date from .* to Jan 31, 2030/)
      .waitFor()
    await timeline(page).getByText("set the notes to Thank you").waitFor()
    await timeline(page)
      .getByText(/^now · |seconds? ago · /)
      .first()
      .waitFor()
    await chooseAction(page, "Cancel invoice")
    const question = page.getByRole("dialog")
    await question.getByLabel("Reason").fill("Sent twice")
    await question.getByRole("button", { name: "Cancel invoice" }).click()
    await timeline(page).getByText("cancelled the invoice (reason: Sent twice)").waitFor()
    expect(await mainActions(page)).toEqual([])
    page.assertQuiet()
  })

  test("of an order, a customer and an item has one main action for its state", async () => {
    const item = await shop.item({ itemName: "Desk", itemCode: "DESK" })
    const customer = await shop.customer({ name: "Acme" })
    const lines = { customer: customer.id, items: [{ item: item.id, quantity: 2 }] }
    const [draft, order] = [await shop.order(lines), await shop.submitted(lines)]
    const page = await open(`/orders/${draft.id}`)
    await timeline(page).getByText("created the order").waitFor()
    expect(await mainActions(page)).toEqual(["Save and submit"])
    await follow(page, `/orders/${order.id}`, order.orderNumber)
    await timeline(page).getByText("submitted the order").waitFor()
    expect(await mainActions(page)).toEqual(["Invoice"])
    expect((await factsOf(page)).slice(0, 2)).toEqual(["Customer: Acme", "Total: $20.00"])
    await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("menuitem", { name: "Cancel order" }).waitFor()
    expect(await page.getByRole("menuitem").allTextContents()).toEqual([
      "Edit",
      "Request a deposit",
      "Duplicate",
      "Complete order",
      "Cancel order",
    ])
    await page.keyboard.press("Escape")
    await page.getByRole("link", { name: "Acme" }).click()
    await page.getByRole("heading", { level: 1, name: "Acme" }).waitFor()
    await timeline(page).getByText("created the customer").waitFor()
    expect(await mainActions(page)).toEqual(["New order"])
    expect(await factsOf(page)).toContain("Open orders: $20.00")
    await api.put(`/items/${item.id}`, { sellingPrice: 12.5, isActive: false })
    await follow(page, `/items/${item.id}`, "Desk")
    await timeline(page).getByText("changed the selling price from $10.00 to $12.50").waitFor()
    await timeline(page).getByText("deactivated the item").waitFor()
    expect(await factsOf(page)).toContain("Reserved: 2 Nos")
    page.assertQuiet()
  })

  test("has the timeline beside its content, and below it on a phone", async () => {
    const { id } = await shop.invoice()
    const place = async (width: number) => {
      const page = await open(`/invoices/${id}`, { width, height: 844 })
      const [aside, content] = [timeline(page), page.getByLabel("Notes")]
      await aside.waitFor()
      return { aside: await aside.boundingBox(), content: await content.boundingBox() }
    }
    const wide = await place(1280)
    expect(wide.aside?.x ?? 0).toBeGreaterThan((wide.content?.x ?? 0) + (wide.content?.width ?? 0))
    const phone = await place(390)
    expect(phone.aside?.y ?? 0).toBeGreaterThan(phone.content?.y ?? 0)
  })
})
