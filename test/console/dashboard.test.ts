import { describe, expect, test } from "bun:test"
import { browserPath, inspector, settle, startConsole } from "../support/browser"

const { api, shop, open } = await startConsole()

// In the order of a new shop's work: each test starts where the last one ended.
describe.skipIf(browserPath === null)("the dashboard", () => {
  test("of an empty shop is a checklist that ticks itself", async () => {
    const page = await open("/")
    await page.getByText("0 of 5 done").waitFor()
    expect(await page.getByRole("heading", { name: "Sales by month" }).count()).toBe(0)
    await page.getByRole("link", { name: "Add your first customer" }).click()
    await page.getByLabel("Name").first().fill("Café Øresund")
    await page.getByRole("button", { name: "Create customer" }).click()
    await page.getByRole("heading", { level: 1, name: "Café Øresund" }).waitFor()
    await page.getByRole("link", { name: "Dashboard" }).click()
    await page.getByText("1 of 5 done").waitFor()
    await page.getByText("Done: Add your first customer").waitFor()
    expect(await page.getByRole("link", { name: "Add your first customer" }).count()).toBe(0)
    await api.put("/settings", { companyName: "Nordlicht GmbH" })
    await shop.item({ itemName: "Desk" })
    await page.reload()
    await page.getByText("3 of 5 done").waitFor()
    page.assertQuiet()
  })

  test("shows figures with the change on last month, and each card leads to the records behind it", async () => {
    const { today } = (await api.get("/reports/summary")).body.data
    const lastMonth = new Date(Date.parse(`${today.slice(0, 7)}-01`) - 86_400_000).toISOString().slice(0, 10)
    const customer = (await shop.customer({ name: "Acme" })).id
    const item = (await shop.item({ itemName: "Lamp", sellingPrice: 1_000, reorderLevel: 3 })).id
    const sell = async (quantity: number, invoiceDate: string) => {
      const order = await shop.submitted({ customer, orderDate: invoiceDate, items: [{ item, quantity }] })
      return (await shop.bill(order.id, { invoiceDate, dueDate: invoiceDate })).body.data
    }
    await sell(2, lastMonth)
    const invoice = await sell(3, today)
    await shop.submitted({ customer })
    await shop.order({ customer })
    const page = await open("/")
    await page
      .getByRole("link", { name: /^Invoiced this month\s*\$3,000\.00\s*\+50 % on last month/ })
      .waitFor()
    await page.getByRole("link", { name: /^Overdue\s*\$2,000\.00\s*1 overdue invoice/ }).waitFor()
    expect(await page.getByText("Get started").count()).toBe(0)
    const toDo = page.getByRole("region", { name: "What needs you today" })
    for (const hasText of ["Overdue invoices1 · $2,000.00", "Draft orders to submit1", "Orders to invoice1"])
      await toDo.filter({ hasText }).waitFor()
    await page.getByText("Items low on stock").waitFor()
    // The axis of the chart has short labels.
    await page
      .locator("svg")
      .getByText(/^\$[\d.]+K$/)
      .first()
      .waitFor()
    const chart = page.getByRole("img", { name: "Sales by month" })
    const shown = page.locator(".chart-values")
    // Without the pointer: the last month first, and others by the arrow keys.
    await chart.focus()
    await shown.filter({ hasText: "Invoiced$3,000.00" }).waitFor()
    await page.keyboard.press("ArrowLeft")
    await shown.filter({ hasText: "Invoiced$2,000.00" }).waitFor()
    await page.keyboard.press("Escape")
    await shown.waitFor({ state: "detached" })
    const { width, height } = (await chart.boundingBox())!
    await chart.hover({ position: { x: width - 5, y: height / 2 } })
    await shown.filter({ hasText: "Invoiced$3,000.00" }).waitFor()
    await page.getByText("Invoiced this month").click()
    await page.getByText("1 of 1").waitFor()
    await page.getByText(invoice.invoiceNumber).first().waitFor()
    page.assertQuiet()
  })

  test("records a payment for an invoice that is chosen by number or customer", async () => {
    const page = await open("/")
    await page.getByRole("button", { name: "Record payment" }).click()
    const dialog = page.getByRole("dialog")
    await page.keyboard.type("acme")
    await dialog.getByRole("button", { name: /Acme\s*\$2,000\.00 open/ }).click()
    await dialog.getByLabel("Amount").waitFor()
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await page.getByText("The payment of $2,000.00 was recorded.").waitFor()
    await page.getByRole("link", { name: /^Paid this month\s*\$2,000\.00/ }).waitFor()
  })

  test("is accessible and fits the screen", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "What needs you today" }).waitFor()
    const { faults, inspect } = inspector(page)
    await settle(page)
    await inspect("dashboard", "main")
    await page.getByRole("button", { name: "Record payment" }).click()
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /open, due/ })
      .first()
      .waitFor()
    await inspect("choosing an invoice", "[role=dialog]")
    expect(faults).toEqual({})
  })
})
