import { describe, expect, test } from "bun:test"
import { browserPath, follow, startConsole } from "../support/browser"

const { api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("the amounts and quantities that people decide by", () => {
  test("a list adds up what is listed without the cancelled documents, and says so", async () => {
    const customer = (await shop.customer({ name: "Sum Ltd" })).id
    const items = [{ item: (await shop.item({ sellingPrice: 100 })).id, quantity: 1 }]
    const order = () => shop.submitted({ customer, items })
    await order()
    await order()
    await shop.status("sales-orders", (await order()).id, "cancelled")
    const page = await open(`/orders?customer=${customer}`)
    const sums = page.locator("tfoot")
    await sums.getByText("Sum of 2, without 1 cancelled").waitFor()
    await sums.getByText("200.00").waitFor()
    await follow(page, `/orders?customer=${customer}&status[in]=cancelled`, "Orders")
    await sums.getByText("Sum of 1", { exact: true }).waitFor()
    await sums.getByText("100.00").waitFor()
    const billed = (await shop.invoice({ customer, items })).id
    await shop.status("invoices", billed, "cancelled")
    await shop.invoice({ customer, items })
    await page.setViewportSize({ width: 390, height: 844 })
    await follow(page, `/invoices?customer=${customer}`, "Invoices")
    await page.getByText("Sum of 1, without 1 cancelled").waitFor()
    await page.getByText("Sum: Total").locator("..").getByText("100.00").waitFor()
    page.assertQuiet()
  })

  test("the dialog that invoices an order warns where the stock is not enough, and shows the total", async () => {
    const item = await shop.item({ itemName: "Bench", sellingPrice: 12.35, taxRate: 20 })
    await shop.receive(item.id, 2)
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 5 }] })
    const page = await open(`/orders/${order.id}`)
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Stock: 2 Nos").waitFor()
    await dialog.getByText("74.10").waitFor()
    await page.keyboard.type("2")
    await dialog.getByText("29.64").waitFor()
    expect(await dialog.getByText("Stock:").count()).toBe(0)
    await dialog.getByRole("button", { name: "Create invoice" }).click()
    await page.getByRole("heading", { level: 1, name: /^INV-/ }).waitFor()
    expect((await api.get(`/invoices?salesOrder=${order.id}`)).body.data[0].total).toBe(29.64)
    page.assertQuiet()
  })

  test("an item of which more is promised than there is, is low on stock, and an order says what is missing", async () => {
    const item = await shop.item({ itemCode: "BELOW", itemName: "Below zero" })
    await shop.submitted({ items: [{ item: item.id, quantity: 3 }] })
    const page = await open("/orders/new")
    await page.getByLabel("Item, line 1").fill("BELOW")
    await page.getByRole("option", { name: /Below zero/ }).click()
    await page.getByText("Nothing available, 3 Nos short already").waitFor()
  })
})
