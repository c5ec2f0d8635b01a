import { beforeAll, describe, expect, test } from "bun:test"
import {
  accessFaults,
  browserPath,
  chooseAction,
  follow,
  inspector,
  overflow,
  settle,
  startConsole,
} from "../support/browser"
import { isLong } from "../support/long"

const { api, shop, open } = await startConsole()

// First, because it counts all items.
describe.skipIf(browserPath === null)("the stock page", () => {
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    for (const name of ["Bench", "Chair", "Lamp"]) {
      const { id } = await shop.item({ itemCode: name.toUpperCase(), itemName: name })
      await shop.receive(id, 10)
      ids[name] = id
    }
    await shop.item({ itemName: "Assembly", itemType: "Service" })
  })
  const stockOf = async (name: string) => (await shop.get("items", ids[name] ?? "")).currentStock

  test("shows what is on hand, and saves the counts of several items together", async () => {
    const page = await open("/stock")
    await page.getByText("3 of 3").waitFor()
    expect(await page.getByRole("row", { name: /Assembly/ }).count()).toBe(0)
    const counted = (name: string) => page.getByLabel(`Counted: ${name}`)
    await counted("Bench").focus()
    await page.keyboard.type("7")
    await page.keyboard.press("Enter")
    // Enter goes to the next item.
    await page.keyboard.type("10")
    await page.getByRole("row", { name: /Bench/ }).getByText("−3").waitFor()
    await page.getByLabel("Search stock").fill("nothing like this")
    await page.getByRole("button", { name: "Show all" }).click()
    await page.getByText("3 of 3").waitFor()
    expect(await page.getByLabel("Search stock").inputValue()).toBe("")
    await page.getByLabel("Search stock").fill("lamp")
    await page.getByText("1 of 1").waitFor()
    await counted("Lamp").fill("12.5")
    await page.getByText("3 items counted").waitFor()
    await page.getByLabel("Note on the count").fill("Count in March")
    await page.getByRole("button", { name: "Save count" }).click()
    await page.getByText("3 counted. 2 corrected in the ledger.").waitFor()
    expect([await stockOf("Bench"), await stockOf("Chair"), await stockOf("Lamp")]).toEqual([7, 10, 12.5])
    await page.getByRole("cell", { name: "12.5 Nos" }).waitFor()
    expect(await page.getByRole("button", { name: "Save count" }).count()).toBe(0)
    await page.getByRole("link", { name: "12.5 Nos" }).click()
    await page.getByRole("heading", { level: 1, name: "Stock ledger" }).waitFor()
    await page.getByText("Count in March").waitFor()
    page.assertQuiet()
  })

  test("names the count that is not valid, saves none, and keeps all of them", async () => {
    const page = await open("/stock")
    await page.getByLabel("Counted: Bench").fill("1")
    await page.getByLabel("Counted: Lamp").fill("-5")
    await page.getByRole("button", { name: "Save count" }).click()
    await page.getByText("Nothing was saved.").waitFor()
    expect(await page.getByLabel("Counted: Lamp").getAttribute("aria-invalid")).toBe("true")
    expect(await page.getByLabel("Counted: Bench").inputValue()).toBe("1")
    expect(await stockOf("Bench")).toBe(7)
    // Unsaved counts are not lost by accident.
    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Items" }).click()
    await page.getByRole("dialog", { name: "Unsaved changes" }).waitFor()
    await page.getByRole("button", { name: "Discard changes" }).click()
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
  })

  test("receives many items in one dialog, and goes on after a line that is refused", async () => {
    const before = await stockOf("Bench")
    const page = await open("/stock")
    await page.getByRole("button", { name: "Receive stock" }).click()
    const dialog = page.getByRole("dialog")
    const pick = async (label: string | RegExp, name: string) => {
      await dialog.getByLabel(label).fill(name)
      await page.getByRole("option", { name: new RegExp(name) }).click()
    }
    await pick(/^Item/, "Bench")
    await dialog.getByRole("textbox", { name: "Quantity" }).fill("5")
    await page.keyboard.press("Enter")
    await pick("Item, line 2", "Chair")
    await dialog.getByLabel("Quantity, line 2").fill("-2")
    await dialog.getByLabel("Note").fill("Delivery 7")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("1 of the lines was saved.").waitFor()
    expect([await stockOf("Bench"), await stockOf("Chair")]).toEqual([before + 5, 10])
    await dialog.getByLabel("Quantity").fill("2")
    await dialog.getByText("1 of the lines was saved.").waitFor({ state: "detached" })
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    expect([await stockOf("Bench"), await stockOf("Chair")]).toEqual([before + 5, 12])
    const { data } = (await api.get(`/stock-movements?item=${ids["Chair"]}&perPage=1`)).body
    expect(data).toMatchObject([{ reason: "receipt", quantity: 2, note: "Delivery 7" }])
    page.assertQuiet()
  })

  test("is accessible and fits the screen while counting", async () => {
    const page = await open("/stock")
    const { faults, inspect } = inspector(page)
    await page.getByLabel("Counted: Bench").fill("1")
    await page.getByRole("button", { name: "Save count" }).waitFor()
    await inspect("counting", "main")
    await page.getByRole("button", { name: "Discard" }).click()
    await page.getByRole("button", { name: "Receive stock" }).click()
    await page.getByRole("button", { name: "Add line" }).click()
    await inspect("receipt", "[role=dialog]")
    expect(faults).toEqual({})
  })
})

describe.skipIf(browserPath === null)("the amounts and quantities that people decide by", () => {
  test("a list adds up what is listed without drafts and cancelled documents, and says so", async () => {
    const customer = (await shop.customer({ name: "Sum Ltd" })).id
    const items = [{ item: (await shop.item({ sellingPrice: 100 })).id, quantity: 1 }]
    const order = () => shop.submitted({ customer, items })
    await order()
    await order()
    await shop.status("sales-orders", (await order()).id, "cancelled")
    const page = await open(`/orders?customer=${customer}`)
    const sums = page.locator("tfoot")
    await sums.getByText("Sum of 2, without 1 draft or cancelled one · incl. tax").waitFor()
    await sums.getByText("200.00").waitFor()
    await follow(page, `/orders?customer=${customer}&status[in]=cancelled`, "Orders")
    await sums.getByText("Sum of 1 · incl. tax", { exact: true }).waitFor()
    await sums.getByText("100.00").waitFor()
    const billed = (await shop.invoice({ customer, items })).id
    await shop.status("invoices", billed, "cancelled")
    await shop.invoice({ customer, items })
    await api.create("/invoices", { customer, items })
    await page.setViewportSize({ width: 390, height: 844 })
    await follow(page, `/invoices?customer=${customer}`, "Invoices")
    await page.getByText("Sum of 1, without 2 drafts or cancelled ones · incl. tax").waitFor()
    await page.getByText("Sum: Total").locator("..").getByText("100.00").waitFor()
    page.assertQuiet()
  })

  test("each figure of the dashboard opens the list that adds up to it", async () => {
    const customer = (await shop.customer({ name: "Figures Ltd" })).id
    const items = [{ description: "Work", quantity: 1, rate: 250 }]
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    const late = { customer, items, invoiceDate: day(-40), dueDate: day(-35), status: "unpaid" }
    await shop.pay((await api.create("/invoices", late)).id, 50)
    await api.create("/invoices", { ...late, status: "draft" })
    const page = await open("/")
    await page.getByText("All amounts include tax.").waitFor()
    await page.getByText("Figures of the months").click()
    const links = page.getByRole("main").locator("a.card-link, details a:not(:text('$0.00'))")
    const ofAge = page.getByRole("link", { name: "31 to 60 days overdue: $200.00" })
    await ofAge.waitFor()
    const figures = await links.or(ofAge).evaluateAll((all) =>
      all.map((link) => ({
        href: link.getAttribute("href") ?? "",
        amount: /\$[\d,.]+\.\d\d/.exec(link.textContent ?? "")?.[0] ?? "",
      })),
    )
    expect(figures.length).toBeGreaterThan(7)
    for (const { href, amount } of figures) {
      await page.goto(new URL(href, page.url()).href)
      await page.locator("tfoot, .empty-list").getByText(amount, { exact: true }).first().waitFor()
    }
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

  test("an order is delivered in part by keys, is revised as far as it is open, and its invoice proposes what is delivered", async () => {
    const [shelf, hook] = [
      await shop.item({ itemCode: "SHELF", itemName: "Shelf", sellingPrice: 10 }),
      await shop.item({ itemName: "Hook", sellingPrice: 1 }),
    ]
    for (const { id } of [shelf, hook]) await shop.receive(id, 20)
    const items = [
      { item: shelf.id, quantity: 5 },
      { item: hook.id, quantity: 4 },
    ]
    const order = await shop.submitted({ items })
    const page = await open(`/orders/${order.id}`)
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: "Deliver", exact: true }).click()
    // The focus is on the first quantity, which is selected.
    await dialog.getByLabel("Quantity of Shelf to deliver now").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("3")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Delete")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: /^DN-/ }).waitFor()
    const [delivery] = (await api.get(`/deliveries?salesOrder=${order.id}`)).body.data
    expect(delivery.items).toMatchObject([{ itemName: "Shelf", quantity: 3 }])
    await open(`/orders/${order.id}`)
    await chooseAction(page, "Edit")
    await page.getByText("Lines on invoices or delivery notes stay").waitFor()
    expect(await accessFaults(page)).toEqual([])
    expect([
      await page.getByLabel("Rate, line 1").isDisabled(),
      await page.getByLabel("Rate, line 2").isDisabled(),
      await page.getByLabel("Customer").isDisabled(),
      await page.getByRole("button", { name: /^Remove line/ }).count(),
    ]).toEqual([true, false, true, 1])
    await page.getByLabel("Quantity, line 1").fill("2")
    await page.getByRole("button", { name: "Save the new revision" }).click()
    await page.getByText("0 invoiced, 3 delivered").waitFor()
    await page.getByLabel("Quantity, line 1").fill("4")
    await page.getByRole("button", { name: "Remove line 2" }).click()
    await page.getByRole("button", { name: "Save the new revision" }).click()
    await page.getByText(`${order.orderNumber} was revised.`).waitFor()
    expect(await shop.get("sales-orders", order.id)).toMatchObject({ revision: 2, total: 40 })
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    await dialog.getByRole("columnheader", { name: "Delivered" }).waitFor()
    await dialog.getByText("$30.00").first().waitFor()
    await dialog.getByRole("button", { name: "Create invoice", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: /^INV-/ }).waitFor()
    expect((await shop.get("sales-orders", order.id)).invoicedTotal).toBe(30)
    // All that is delivered is invoiced now, so nothing is proposed.
    await open(`/orders/${order.id}`)
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    expect(await dialog.getByLabel("Quantity of Shelf to invoice now").inputValue()).toBe("")
    await page.keyboard.press("Escape")
    // The page of the customer has the delivery too.
    await api.create("/quotations", { customer: order.customer, items, status: "sent" })
    await open(`/customers/${order.customer}`)
    await page.getByRole("link", { name: /^QUO-/ }).waitFor()
    await page.getByRole("link", { name: delivery.deliveryNumber }).waitFor()
    await page.getByRole("link", { name: "View all: latest deliveries" }).click()
    await page.getByRole("row", { name: new RegExp(delivery.deliveryNumber) }).waitFor()
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

/** The number of lines of a long order. */
const lines = isLong ? 300 : 60

describe.skipIf(browserPath === null)("in the console", () => {
  describe("a date", () => {
    // The German test types one as well, and src/console/forms/day.test.ts reads those of many languages.
    if (isLong)
      test("can be typed in the viewer's language, in the format in which it is shown", async () => {
        const { id } = await shop.order({ orderDate: "2026-01-15" })
        const page = await open(`/orders/${id}`, { locale: "fr-FR" })
        const field = page.getByRole("textbox", { name: "Order date" })
        expect(await field.inputValue()).toBe("15 janv. 2026")
        await field.fill("5 févr. 2026")
        await page.getByLabel("Notes").click()
        expect(await field.inputValue()).toBe("5 févr. 2026")
        await page.getByRole("button", { name: "Save draft" }).click()
        await page.getByText("was saved as a draft").waitFor()
        expect((await shop.get("sales-orders", id)).orderDate).toBe("2026-02-05")
      })

    test("that cannot be parsed shows an error, stays as typed, and is not stored", async () => {
      const { id } = await shop.order({ orderDate: "2026-01-15" })
      const page = await open(`/orders/${id}`)
      const field = page.getByRole("textbox", { name: "Order date" })
      await field.fill("the day after")
      await page.getByLabel("Notes").fill("Changed as well")
      await page.getByText("Enter a valid date").waitFor()
      expect(await field.inputValue()).toBe("the day after")
      const refused = page.waitForResponse((response) => response.request().method() === "PUT")
      await page.getByRole("button", { name: "Save draft" }).click()
      expect((await refused).status()).toBe(422)
      expect(await shop.get("sales-orders", id)).toMatchObject({ orderDate: "2026-01-15", notes: null })
      await field.fill("Mar 5, 2026")
      await page.getByLabel("Notes").click()
      expect(await page.getByText("Enter a valid date").count()).toBe(0)
      await page.getByRole("button", { name: "Save draft" }).click()
      await page.getByText("was saved as a draft").waitFor()
      expect(await shop.get("sales-orders", id)).toMatchObject({ orderDate: "2026-03-05" })
      page.assertQuiet()
    })

    test("of a payment, of an invoice and of its due date can be typed as well", async () => {
      const order = await shop.submitted({ orderDate: "2026-01-15" })
      const page = await open(`/orders/${order.id}`)
      await page.getByRole("button", { name: "Invoice", exact: true }).click()
      await page.getByRole("dialog").getByRole("textbox", { name: "Invoice date" }).fill("Feb 1, 2026")
      await page.keyboard.press("Tab")
      await page.getByRole("button", { name: "Create invoice" }).click()
      await page.getByRole("button", { name: "Record payment" }).click()
      await page.getByRole("dialog").getByRole("textbox", { name: "Date" }).fill("2/20/2026")
      await page.getByRole("dialog").getByLabel("Reference").fill("Statement 7")
      await page.getByRole("dialog").getByRole("button", { name: "Record payment" }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.getByRole("textbox", { name: "Due date" }).fill("May 5, 2026")
      await page.keyboard.press("Tab")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("was saved.").waitFor()
      const invoice = await shop.get("invoices", page.url().split("/").at(-1) ?? "")
      expect(invoice).toMatchObject({ invoiceDate: "2026-02-01", dueDate: "2026-05-05" })
      expect(invoice.payments[0].paymentDate).toBe("2026-02-20")
      page.assertQuiet()
    })
  })

  describe("the timeline of a record", () => {
    test("can be loaded back to its first entry", async () => {
      const { id } = await shop.item({ itemName: "Often changed" })
      // One after another: the test needs the order of the entries.
      for (let i = 1; i <= 24; i++) await api.put(`/items/${id}`, { category: `Category ${i}` })
      const page = await open(`/items/${id}`)
      await page.getByText("changed the category from Category 23 to Category 24").waitFor()
      expect(await page.getByText("created the item").count()).toBe(0)
      await page.getByRole("button", { name: "Show more of the timeline" }).click()
      await page.getByText("created the item").waitFor()
      expect(await page.getByRole("button", { name: "Show more of the timeline" }).count()).toBe(0)
      page.assertQuiet()
    })

    test("describes the lines of a draft invoice in words", async () => {
      const item = await shop.item({ itemCode: "WORDY", sellingPrice: 10 })
      const { id } = await api.create("/invoices", {
        customer: (await shop.customer()).id,
        items: [{ item: item.id, quantity: 1 }],
      })
      await api.put(`/invoices/${id}`, { items: [{ item: item.id, quantity: 4 }] })
      const page = await open(`/invoices/${id}`)
      await page.getByText("changed the lines from 1 × WORDY at $10.00 to 4 × WORDY at $10.00").waitFor()
    })
  })

  describe("on a phone", () => {
    const phone = { width: 390, height: 844 }

    test("a name of 120 letters without a space makes no page wider than the screen", async () => {
      const long = "W".repeat(120)
      const customer = await shop.customer({ name: long })
      const item = await shop.item({ itemName: long, itemCode: "W".repeat(40) })
      const content = { customer: customer.id, items: [{ item: item.id, quantity: 1 }] }
      const draft = await api.create("/sales-orders", content)
      const order = await shop.submitted(content)
      const invoice = (await shop.bill(order.id)).body.data
      const written = await api.create("/invoices", content)
      const page = await open("/", phone)
      const wide: Record<string, number> = {}
      for (const [path, heading] of [
        [`/customers/${customer.id}`, long],
        [`/items/${item.id}`, long],
        [`/orders/${draft.id}`, draft.orderNumber],
        [`/orders/${order.id}`, order.orderNumber],
        [`/invoices/${invoice.id}`, invoice.invoiceNumber],
        [`/invoices/${written.id}`, `Draft for ${long}`],
        ["/customers?search=WWWW", "Customers"],
        ["/items?search=WWWW", "Items"],
        ["/orders", "Orders"],
        ["/invoices", "Invoices"],
        [`/stock/ledger?item=${item.id}`, "Stock ledger"],
      ] as const) {
        await follow(page, path, heading)
        const much = await overflow(page)
        if (much > 0) wide[path.replace(/[a-z]+_\w{26}/, "…")] = much
      }
      expect(wide).toEqual({})
    })

    test("a long company name does not cover the buttons of the header", async () => {
      await api.put("/settings", {
        companyName: "Möbelwerkstätten Hinterhuber & Söhne Verwaltungsgesellschaft mbH",
      })
      const page = await open("/", phone)
      for (const width of [390, 800]) {
        await page.setViewportSize({ width, height: 844 })
        await settle(page)
        const name = await page.getByText("Möbelwerkstätten").first().boundingBox()
        const search = await page.getByRole("banner").getByRole("button", { name: "Search" }).boundingBox()
        expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(search?.x ?? 0)
      }
      await api.put("/settings", { companyName: null })
    })

    test("the lines of an issued invoice are a list instead of a table", async () => {
      const item = await shop.item({ itemName: "Carried home", sellingPrice: 12.5, taxRate: 20 })
      const { id } = await shop.invoice({ items: [{ item: item.id, quantity: 2 }] })
      const page = await open(`/invoices/${id}`, phone)
      await page.getByText("Carried home").waitFor()
      expect(await page.getByRole("table").count()).toBe(0)
      const amount = await page.getByText("$25.00").first().boundingBox()
      expect((amount?.x ?? 0) + (amount?.width ?? 999)).toBeLessThanOrEqual(390)
      await page.getByRole("group", { name: "Totals" }).getByText("Balance").waitFor()
    })
  })

  test(`an order of ${lines} lines of one item accepts typing and computes its total`, async () => {
    const item = await shop.item({ sellingPrice: 1 })
    await shop.receive(item.id, 100_000)
    const { id } = await shop.order({
      items: Array.from({ length: lines }, () => ({ item: item.id, quantity: 1 })),
    })
    const page = await open(`/orders/${id}`)
    const shown = (quantity: number) => quantity.toLocaleString("en-US")
    const available = (quantity: number) =>
      page
        .locator("tbody tr")
        .last()
        .getByText(`${shown(quantity)} Nos available`)
    await available(100_000 - (lines - 1)).waitFor()
    const field = page.getByLabel("Quantity, line 1", { exact: true })
    await field.focus()
    await page.waitForFunction(() => getSelection()?.toString() === "1")
    for (const key of "5432") await page.keyboard.press(key)
    expect(await field.inputValue()).toBe("5432")
    await available(100_000 - 5432 - (lines - 2)).waitFor()
    const total = `$${shown(5432 + lines - 1)}.00`
    await page.getByRole("group", { name: "Totals" }).getByText(total).first().waitFor()
    await page.keyboard.press("Tab")
    expect(await field.inputValue()).toBe("5,432")
    page.assertQuiet()
  })
})
