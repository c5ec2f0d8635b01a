import { beforeAll, describe, expect, test } from "bun:test"
import { browserPath, follow, inspector, newPage, settle, signInAt, startConsole } from "../support/browser"
import { isLong } from "../support/long"

const { kontor, api, shop, open } = await startConsole()

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
    // The last step of the checklist, which is gone then.
    await api.put("/settings", { legalName: "Lamp shop" })
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

  test("has its figures in reports too, where each opens the list that it sums", async () => {
    const page = await open("/reports")
    const sales = page.getByRole("region", { name: "Sales of the last twelve months" })
    const thisMonth = sales.getByRole("row").nth(1)
    await thisMonth.filter({ hasText: "$3,000.00" }).waitFor()
    await sales.getByRole("link", { name: /^Invoices, Sum: \$5,000\.00$/ }).click()
    await page.getByText("2 of 2").waitFor()
    await page.goBack()
    await page
      .getByRole("region", { name: "Open invoices by age" })
      .getByRole("link", { name: /^Open, 1 to 30 days overdue: \$2,000\.00$/ })
      .click()
    await page.getByText("1 of 1").waitFor()
    page.assertQuiet()
  })

  test("records a payment for an invoice that is chosen by number or customer", async () => {
    const page = await open("/")
    await page.getByRole("button", { name: "Record payment" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.locator("input:focus").waitFor()
    const chosen = Promise.withResolvers<void>()
    await page.route(/search=acme/, (route) => chosen.promise.then(() => route.continue()))
    const searched = page.waitForRequest(/search=acme/)
    await page.keyboard.type("acme")
    await searched
    // The list stays while the server searches, so that a click on an invoice is not lost.
    await dialog.getByRole("button", { name: /Acme\s*\$2,000\.00 open/ }).click()
    await dialog.getByLabel("Amount").waitFor()
    chosen.resolve()
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await page.getByText("The payment of $2,000.00 was recorded.").waitFor()
    await page.getByRole("link", { name: /^Paid this month\s*\$2,000\.00/ }).waitFor()
  })

  test("has an accessible dialog to choose an invoice, which fits the screen", async () => {
    const page = await open("/")
    const { faults, inspect } = inspector(page)
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

describe.skipIf(browserPath === null)("every page", () => {
  let pages: [path: string, heading: string][]
  beforeAll(async () => {
    const item = await shop.item({
      itemName: "Standing desk",
      sellingPrice: 449.9,
      taxRate: 20,
      reorderLevel: 5,
    })
    const customer = await shop.customer({ name: "Café Øresund", creditLimit: 10_000 })
    const order = await shop.submitted({ customer: customer.id })
    const draft = (
      await api.post("/sales-orders", { customer: customer.id, items: [{ item: item.id, quantity: 2 }] })
    ).body.data
    const invoice = (await shop.bill(order.id)).body.data
    await api.post("/api-keys", { name: "Web shop", scopes: ["read"] })
    pages = [
      ["/", "Dashboard"],
      ["/items", "Items"],
      [`/items/${item.id}`, "Standing desk"],
      [`/customers/${customer.id}`, "Café Øresund"],
      [`/orders/${draft.id}`, draft.orderNumber],
      ["/orders/new", "New order"],
      ["/invoices", "Invoices"],
      [`/invoices/${invoice.id}`, invoice.invoiceNumber],
      ["/reports", "Reports"],
      ["/stock", "Stock"],
      ["/stock/count", "Count stock"],
      ["/import", "Import"],
      ["/settings/account", "My account"],
      ["/settings/limits", "Limits in use"],
      ["/settings/company", "Company"],
      ["/settings/set-up/taxes", "Set up your shop"],
      ["/settings/set-up/numbers", "Set up your shop"],
      ["/settings/users", "Users"],
      ["/settings/audit", "Audit log"],
      ["/settings/backups", "Backups"],
      ["/settings/mail", "Mail"],
      ["/messages", "Messages"],
      ["/nowhere", "Page not found"],
    ]
    // The same lists and forms with other fields.
    if (isLong)
      pages.push(
        ["/items/new", "New item"],
        ["/customers", "Customers"],
        ["/customers/new", "New customer"],
        ["/orders", "Orders"],
        [`/orders/${order.id}`, order.orderNumber],
        ["/invoices/new", "New invoice"],
        ["/settings/api-keys", "API keys"],
        ["/settings/connections", "Connected apps"],
        ["/settings/oauth-clients", "OAuth clients"],
        ["/settings/webhooks", "Webhooks"],
      )
  })
  test("has no serious accessibility violation and fits the screen", async () => {
    const page = await open("/settings/account")
    const { faults, inspect } = inspector(page, { staysChanged: true })
    for (const [path, heading] of pages) {
      await follow(page, path, heading)
      // The menu and the header are the same on all pages, so they are inspected on the first one only.
      await inspect(path, path === "/" ? "html" : "main")
      expect([path, await page.title()]).toEqual([path, expect.stringMatching(/\S/)])
    }
    expect(faults).toEqual({})
    page.assertQuiet()
  })
})

describe.skipIf(browserPath === null)("the first load", () => {
  test("takes at most 205 kB for signing in, with its font, and 450 kB with the dashboard, compressed with Brotli; the sign-in page has no serious accessibility violation and fits the screen", async () => {
    const page = await newPage(kontor)
    const { faults, inspect } = inspector(page)
    const loaded = new Set<string>()
    page.on("response", (response) => {
      if (response.url().includes("/console")) loaded.add(response.url())
    })
    const size = async () => {
      let bytes = 0
      for (const url of [...loaded].filter((each) => !each.includes("/session"))) {
        const answer = await fetch(url, { headers: { "accept-encoding": "br" }, decompress: false })
        bytes += (await answer.arrayBuffer()).byteLength
      }
      return bytes
    }
    await page.goto(`${kontor.url}/console/`)
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.waitForLoadState("networkidle")
    const signInSize = await size()
    const fonts = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family),
    )
    expect(fonts).toEqual(["Inter"])
    await inspect("sign-in")
    expect(faults).toEqual({})
    page.assertQuiet()
    await signInAt(page, kontor)
    await page.getByRole("heading", { name: "Dashboard" }).waitFor()
    await settle(page)
    const wholeSize = await size()
    expect(signInSize).toBeGreaterThan(50_000)
    expect(signInSize).toBeLessThanOrEqual(205_000)
    expect(wholeSize).toBeGreaterThan(signInSize)
    expect(wholeSize).toBeLessThanOrEqual(450_000)
  })
})
