import { beforeAll, describe, expect, test } from "bun:test"
import { readXlsx } from "hucre/xlsx"
import { basename, join } from "node:path"
import {
  accessFaults,
  animationsEnd,
  browserPath,
  follow,
  overflow,
  startConsole,
  type Window,
} from "../support/browser"
import { emptyFolder } from "../support/kontor"

const { api, shop, open } = await startConsole()

/** Checks that an element is inside the window, and not only on the page. */
async function expectVisible(page: Window, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox()
  expect(box?.y).toBeWithin(0, 800 - 20)
}

/** Exports all records that match, and returns the path of the file. */
async function exportedFile(page: Window, format: string): Promise<string> {
  const saved = page.waitForEvent("download")
  await page.getByRole("button", { name: "Export this list" }).click()
  await page.getByRole("menuitem", { name: format }).click()
  const download = await saved
  const path = join(emptyFolder(), download.suggestedFilename())
  await download.saveAs(path)
  return path
}

const exported = async (page: Window, format = "CSV"): Promise<string> =>
  Bun.file(await exportedFile(page, format)).text()

describe.skipIf(browserPath === null)("a list of many records", () => {
  beforeAll(async () => {
    for (const name of ["Lamp", "Desk", "Chair"]) await shop.item({ itemName: `Nordic ${name}` })
  })

  test("keeps those records selected that a bulk action failed for, and names them", async () => {
    const used = await shop.item({ itemCode: "BULK-1", itemName: "Bulk bench" })
    await shop.order({ items: [{ item: used.id, quantity: 1 }] })
    await shop.item({ itemCode: "BULK-2", itemName: "Bulk board" })
    const page = await open("/items?search=bulk")
    await page.getByText("2 of 2").waitFor()
    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByText("1 deleted.").waitFor()
    await page.getByText(/^Bulk bench: .+/).waitFor()
    await page.getByText("1 could not be deleted").waitFor()
    await page.getByText("1 selected").waitFor()
    expect(await page.getByLabel("Select Bulk bench").isChecked()).toBeTrue()
    expect(await page.getByText("Bulk board").count()).toBe(0)
    // The message is about this page.
    await follow(page, "/customers", "Customers")
    await page.getByText("1 could not be deleted").waitFor({ state: "detached" })
    page.assertQuiet()
  })

  test("is filtered by the values that it has, with the number of records of each, in the words of the person", async () => {
    for (const [name, category] of [
      ["one", "Tables, large"],
      ["two", "Tables, large"],
      ["three", "Seats"],
    ])
      await shop.item({ itemName: `Counted ${name}`, category })
    const page = await open("/items?search=counted", { locale: "de-DE" })
    await page.getByPlaceholder("Kategorie").click()
    await page.getByRole("option", { name: "Seats 1" }).waitFor()
    await page.keyboard.type("tab")
    await page.getByRole("option", { name: "Tables, large 2" }).click()
    await page.getByText("2 von 2").waitFor()
    expect(new URL(page.url()).searchParams.get("category[in]")).toBe('"Tables, large"')
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Weitere Filter" }).click()
    await page.getByPlaceholder("Bestand niedrig").click()
    await page.getByRole("option", { name: "Nein 2" }).click()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: /^Bestand niedrig ist nein/ }).click()
    await page.reload()
    await page.getByText("2 von 2").waitFor()
    await page.goto(
      page.url().replace(/items.*/, "customers?taxTreatment[in]=intra-community&country[in]=AT"),
    )
    await page.getByText("Österreich").first().waitFor()
    await page.getByRole("button", { name: /^Besteuerung ist Anderes EU-Land/ }).waitFor()
    page.assertQuiet()
  })

  test("of invoices shows what is open of a part-paid invoice, as the customer and the dashboard do", async () => {
    const customer = await shop.customer({ name: "Late Ltd" })
    const item = await shop.item({ sellingPrice: 1000 })
    const { body } = await api.post("/invoices", {
      customer: customer.id,
      items: [{ item: item.id, quantity: 1 }],
      invoiceDate: "2026-01-05",
      dueDate: "2026-01-20",
      status: "unpaid",
    })
    expect((await shop.pay(body.data.id, 400, { paymentDate: "2026-01-25" })).status).toBe(201)
    const page = await open(`/invoices?customer=${customer.id}`)
    await page.getByRole("columnheader", { name: "Open" }).waitFor()
    await page
      .getByRole("row", { name: /Late Ltd/ })
      .getByText("600.00")
      .waitFor()
    await follow(page, `/customers/${customer.id}`, "Late Ltd")
    await page.getByText(/600\.00 open$/).waitFor()
    await follow(page, "/", "Dashboard")
    await page.getByText("Over 90 days overdue (1)").waitFor()
    await page.locator("main").getByText("600.00").first().waitFor()
  })

  test("cuts off no figure, neither at 1280 px in German nor on a phone, and reports do not either", async () => {
    const customer = await shop.customer({
      name: "Handwerksbetriebe und Söhne Nordwestdeutschland GmbH & Co. KG",
    })
    const items = [{ item: (await shop.item({ sellingPrice: 123_456 })).id, quantity: 1 }]
    const order = await shop.submitted({ customer: customer.id, items })
    const deposit = await api.create(`/sales-orders/${order.id}/deposit-invoices`, { amount: 10_000 })
    await shop.pay(deposit.id, 10_000)
    const { body } = await shop.bill(order.id)
    await shop.pay(body.data.id, 1_000)
    await api.put(`/invoices/${body.data.id}`, { dueDate: body.data.invoiceDate })
    const wide = { locale: "de-DE", width: 1280, height: 800 }
    const page = await open(`/invoices?customer=${customer.id}`, wide)
    await page.getByRole("columnheader", { name: "Offen" }).waitFor()
    await page.getByText("Schlussrechnung").waitFor()
    const hidden = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("main *")].flatMap(
          ({ scrollWidth, clientWidth, className, innerText }) =>
            scrollWidth > clientWidth + 1 && /list-scroll|viewport|right|figures/.test(className)
              ? [innerText.slice(0, 40)]
              : [],
        ),
      )
    expect(await hidden()).toEqual([])
    await open("/reports", { ...wide, width: 360 })
    await page.getByRole("rowheader", { name: "Zahlungen" }).first().waitFor()
    expect(await hidden()).toEqual([])
    expect(await overflow(page)).toBe(0)
  })

  test("has rows of 36 px, a header that stays, the sum of all that match, and periods to filter by", async () => {
    const name = `A ${"very ".repeat(20)}long name Ltd`
    const customer = await shop.customer({ name })
    const item = await shop.item({ sellingPrice: 10 })
    const { today } = (await api.get("/auth/me")).body.data.company
    const lines = [{ item: item.id, quantity: 1 }]
    const body = { customer: customer.id, items: lines, orderDate: today, status: "submitted" }
    const operations = Array.from({ length: 55 }, () => ({ op: "create", body }))
    await api.post("/sales-orders/batch", { mode: "each", operations })
    const page = await open(`/orders?customer=${customer.id}`)
    await page.getByText("50 of 55").waitFor()
    const rows = page.locator("main tbody tr")
    for (const row of [rows.first(), rows.last()]) expect((await row.boundingBox())?.height).toBe(36)
    await rows.last().scrollIntoViewIfNeeded()
    await expectVisible(page, "th:has-text('Customer')")
    await expectVisible(page, "tfoot td:has-text('Sum of 55')")
    await expectVisible(page, "tfoot td:has-text('550.00')")
    const cell = rows.last().getByRole("cell", { name })
    await cell.hover()
    expect(await cell.getAttribute("title")).toBe(name)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole("button", { name: "Order date" }).first().click()
    await page.getByRole("button", { name: "Last year", exact: true }).click()
    await page.getByText("No orders found").waitFor()
    await page.getByRole("button", { name: /^Order date: / }).click()
    await page.getByRole("button", { name: "This month", exact: true }).click()
    await page.getByText("50 of 55").waitFor()
    page.assertQuiet()
  })

  test("shows grey rows until it is loaded", async () => {
    const page = await open("/settings/account")
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/api\/v1\/items\?/, async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole("link", { name: "Items", exact: true }).click()
    await page.getByRole("status", { name: "Loading" }).waitFor()
    expect(await page.locator(".skeleton-row").count()).toBeGreaterThan(5)
    release()
    await page.getByText("Nordic Lamp").waitFor()
    expect(await page.locator(".skeleton-row").count()).toBe(0)
  })

  test("exports and updates all records that match, also those that are not loaded", async () => {
    const operations = Array.from({ length: 130 }, (_, i) => ({
      op: "create",
      body: { itemCode: `MASS-${i}`, itemName: `Mass ${i}`, sellingPrice: i },
    }))
    await api.post("/items/batch", { mode: "each", operations })
    const page = await open("/items?search=mass")
    await page.getByText("50 of 130").waitFor()
    const lines = (await exported(page)).trim().split("\r\n")
    expect(lines).toHaveLength(131)
    expect(new Set(lines)).toHaveLength(131)
    expect(lines[0]).toStartWith("Item code,Item name,")
    await page.getByText("Exporting…").waitFor({ state: "detached" })

    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByText("50 selected").waitFor()
    await page.getByRole("button", { name: "Select all 130 that match" }).click()
    await page.getByText("All 130 selected").waitFor()
    await page.getByRole("button", { name: "Deactivate" }).click()
    await page.getByRole("dialog").getByText("130 items selected.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click()
    await page.getByText("130 deactivated.").waitFor()
    expect((await api.get("/items?search=mass&isActive=false")).body.meta.total).toBe(130)
    page.assertQuiet()
  })

  test("of stock movements is exported with the names of the items", async () => {
    const item = await shop.item({ itemName: "Counted crate" })
    await shop.receive(item.id, 7)
    const page = await open("/stock/ledger")
    await page.getByText("Counted crate").waitFor()
    expect(await exported(page)).toMatch(/,Counted crate,7,receipt,/)
  })

  test("of stock is exported with its figures, without services, and with its filters", async () => {
    const item = await shop.item({
      itemCode: "PALLET",
      itemName: "Stocked pallet",
      category: "Transport",
    })
    await shop.item({ itemName: "Stocked chair", category: "Seats" })
    await shop.receive(item.id, 12.5)
    await shop.submitted({ items: [{ item: item.id, quantity: 2 }] })
    await shop.item({ itemName: "Stocked service", itemType: "Service" })
    const page = await open("/stock?search=stocked")
    await page.getByText("Stocked chair").waitFor()
    await page.getByPlaceholder("Category").click()
    await page.getByRole("option", { name: "Transport 1" }).click()
    await page.keyboard.press("Escape")
    await page.getByText("Stocked chair").waitFor({ state: "detached" })
    await page.getByText("Stocked pallet").waitFor()
    const path = await exportedFile(page, "CSV")
    expect(basename(path)).toBe("stock.csv")
    const lines = (await Bun.file(path).text()).replace("\ufeff", "").trimEnd().split("\r\n")
    expect(lines).toEqual([
      "Item code,Item name,Unit,Current stock,Reserved stock,Available stock",
      "PALLET,Stocked pallet,Nos,12.5,2,10.5",
    ])
    page.assertQuiet()
  })

  test("on a phone keeps its text in place when a row is selected, with space around it", async () => {
    const page = await open("/items?search=nordic", { width: 390, height: 844 })
    const row = page.getByRole("listitem").filter({ hasText: "Nordic Lamp" })
    const leftOf = async (of: ReturnType<Window["locator"]>) => (await of.boundingBox())?.x ?? 0
    const name = row.getByText("Nordic Lamp")
    const before = await leftOf(name)
    await row.getByRole("checkbox").check()
    expect(await leftOf(name)).toBe(before)
    expect((await leftOf(row.getByRole("checkbox"))) - (await leftOf(row))).toBeGreaterThanOrEqual(8)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })

  test("is exported as Excel and NDJSON too, with its filters and its order", async () => {
    const page = await open("/items?search=nordic&sort=itemName&order=asc")
    await page.getByText("3 of 3").waitFor()
    const lines = (await exported(page, "NDJSON")).trimEnd().split("\n")
    const names = lines.map((line) => JSON.parse(line).itemName)
    expect(names).toEqual(["Nordic Chair", "Nordic Desk", "Nordic Lamp"])
    const path = await exportedFile(page, "Excel")
    expect(basename(path)).toBe("items.xlsx")
    const { sheets } = await readXlsx(new Uint8Array(await Bun.file(path).arrayBuffer()))
    expect(sheets[0]?.rows.map((row) => row[1])).toEqual(["Item name", ...names])
    page.assertQuiet()
  })

  test("can be exported with the keyboard alone, and its menu has no fault", async () => {
    const page = await open("/items?search=nordic")
    await page.getByText("3 of 3").waitFor()
    await page.getByRole("button", { name: "Export this list" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("menuitem", { name: "CSV" }).waitFor()
    await animationsEnd(page)
    expect(await accessFaults(page)).toEqual([])
    const focused = page.locator("[role=menuitem]:focus")
    await focused.filter({ hasText: "CSV" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await focused.filter({ hasText: "Excel" }).waitFor()
    const saved = page.waitForEvent("download")
    await page.keyboard.press("Enter")
    expect((await saved).suggestedFilename()).toBe("items.xlsx")
    page.assertQuiet()
  })

  test("shows that an export runs, and can stop it", async () => {
    const page = await open("/items?search=nordic")
    await page.getByText("3 of 3").waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/items\/export/, async (route) => {
      await held
      await route.continue().catch(() => {})
    })
    await page.getByRole("button", { name: "Export this list" }).click()
    await page.getByRole("menuitem", { name: "CSV" }).click()
    await page.getByRole("status").filter({ hasText: "Exporting…" }).waitFor()
    expect(await page.getByRole("button", { name: "Export this list" }).isDisabled()).toBeTrue()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText("Exporting…").waitFor({ state: "detached" })
    release()
    await page.unroute(/\/items\/export/)
    expect(await exported(page)).toContain("Nordic Lamp")
  })

  test("exports the rows that are picked, up to a hundred", async () => {
    const page = await open("/items?search=nordic")
    await page.getByLabel("Select Nordic Desk").check()
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export", exact: true }).click()
    await page.getByRole("menuitem", { name: "CSV" }).click()
    const path = join(emptyFolder(), "picked.csv")
    await (await saved).saveAs(path)
    const text = await Bun.file(path).text()
    expect(text).toContain("Nordic Desk")
    expect(text).not.toContain("Nordic Lamp")
  })

  test("can be stopped between two slices of a bulk action, and keeps the rest selected", async () => {
    const page = await open("/items?search=mass")
    await page.getByText("50 of 130").waitFor()
    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByRole("button", { name: "Select all 130 that match" }).click()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/items\/batch/, async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole("button", { name: "Activate", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Activate" }).click()
    await page.getByText("Activate: 0 of 130").waitFor()
    await page.getByRole("button", { name: "Stop" }).click()
    release()
    await page.getByText("100 of 130 activated. The others stay as they were.").waitFor()
    await page.getByText("30 selected").waitFor()
    expect((await api.get("/items?search=mass&isActive=true")).body.meta.total).toBe(100)
  })

  test("keeps named views of its filters, sort order and columns, which can be shared with everybody", async () => {
    const page = await open("/items?search=nordic&sort=sellingPrice&order=desc")
    await page.getByText("3 of 3").waitFor()
    await page.getByRole("button", { name: "Choose columns" }).click()
    await page.getByRole("menuitemcheckbox", { name: "Tax rate" }).click()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Views" }).click()
    await page.getByRole("menuitem", { name: "Save this view…" }).click()
    // The dialog takes the focus when it is open.
    await page.waitForFunction(() => document.activeElement?.closest("[role=dialog]"))
    await page.keyboard.type("Northern")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Northern" }).waitFor()
    await page.getByRole("button", { name: "Clear filters", exact: true }).click()
    await page.getByRole("button", { name: "Choose columns" }).click()
    await page.getByRole("menuitemcheckbox", { name: "Tax rate" }).click()
    await page.keyboard.press("Escape")
    await page.reload()
    await page.getByRole("button", { name: "Views" }).click()
    await page.getByRole("menuitem", { name: "Northern", exact: true }).click()
    await page.waitForURL(/search=nordic/)
    expect((await api.get("/views")).body.data).toMatchObject([
      { name: "Northern", list: "items", isShared: false, query: expect.stringContaining("search=nordic") },
    ])
    await page.getByText("3 of 3").waitFor()
    await page.getByRole("columnheader", { name: "Tax rate" }).waitFor()
    await page.locator("th[aria-sort=descending]", { hasText: "Selling price" }).waitFor()

    await page.getByRole("button", { name: "Northern" }).click()
    await page.getByRole("menuitem", { name: "Rename Northern…" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("From the north")
    await animationsEnd(page)
    expect(await accessFaults(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "From the north" }).click()
    await page.getByRole("menuitem", { name: "Show From the north to everybody" }).click()
    await page.getByRole("button", { name: "From the north" }).click()
    await page.getByRole("menuitem", { name: "From the north for everybody" }).waitFor()
    await page.getByRole("menuitem", { name: "Delete From the north…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete view" }).click()
    await page.getByRole("button", { name: "Views" }).waitFor()
    page.assertQuiet()
  })

  test("on a phone has two lines per record, filters behind a button, large inputs, and its action at the bottom", async () => {
    const page = await open("/invoices?status[in]=partially_paid,unpaid&sort=total", {
      width: 390,
      height: 844,
    })
    const row = page
      .getByRole("list", { name: "Invoices" })
      .getByRole("listitem")
      .filter({ hasText: "Late Ltd" })
    await row.getByText("600.00 open").waitFor()
    expect((await row.boundingBox())?.height).toBeLessThan(70)
    await page.getByText("Sum: Open").waitFor()
    const action = await page.getByRole("link", { name: "New invoice" }).boundingBox()
    expect((action?.y ?? 0) + (action?.height ?? 0)).toBeWithin(800, 845)
    expect(await accessFaults(page)).toEqual([])
    expect(await page.getByLabel("Invoice date").count()).toBe(0)
    await page.getByRole("button", { name: "Filters (1)" }).click()
    const dialog = page.getByRole("dialog", { name: "Filters" })
    await dialog.getByRole("button", { name: "Due date" }).waitFor()
    await animationsEnd(page)
    expect(await accessFaults(page)).toEqual([])
    const sizes = await page
      .locator("input:visible, select:visible")
      .evaluateAll((inputs) =>
        inputs
          .filter((input) => (input as HTMLInputElement).type !== "checkbox")
          .map((input) => Number.parseFloat(getComputedStyle(input).fontSize)),
      )
    expect(sizes.filter((size) => size < 16)).toEqual([])
    await dialog.getByRole("button", { name: "Due date" }).click()
    await page.getByRole("button", { name: "Last year", exact: true }).click()
    await page.waitForURL(/dueDate/)
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Filters (2)" }).waitFor()
    expect(await overflow(page)).toBe(0)
    page.assertQuiet()
  })
})
