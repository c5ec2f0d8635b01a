import { beforeAll, describe, expect, test } from "bun:test"
import { browserPath, follow, inspector, newPage, settle, signInAt, startConsole } from "../support/browser"
import { isLong } from "../support/long"

const { kontor, api, shop, open } = await startConsole()

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
      ["/stock", "Stock"],
      ["/stock/count", "Count stock"],
      ["/import", "Import"],
      ["/settings/account", "My account"],
      ["/settings/limits", "Limits in use"],
      ["/settings/company", "Company"],
      ["/settings/users", "Users"],
      ["/settings/audit", "Audit log"],
      ["/settings/backups", "Backups"],
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
  test("takes at most 180 kB for signing in and 450 kB with the dashboard, compressed with Brotli; the sign-in page has no serious accessibility violation and fits the screen", async () => {
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
    await inspect("sign-in")
    expect(faults).toEqual({})
    page.assertQuiet()
    await signInAt(page, kontor)
    await page.getByRole("heading", { name: "Dashboard" }).waitFor()
    await settle(page)
    const wholeSize = await size()
    expect(signInSize).toBeGreaterThan(50_000)
    expect(signInSize).toBeLessThanOrEqual(180_000)
    expect(wholeSize).toBeGreaterThan(signInSize)
    expect(wholeSize).toBeLessThanOrEqual(450_000)
  })
})
