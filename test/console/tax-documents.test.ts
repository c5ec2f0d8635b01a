import { beforeAll, describe, expect, test } from "bun:test"
import { browserPath, inspector, settle, startConsole, type Window } from "../support/browser"

const { api, shop, open } = await startConsole()

/** The text of the totals, with plain spaces. */
const totalsOf = async (page: Window) => {
  await settle(page)
  const text = await page.getByRole("group", { name: /^(Totals|Summen)$/ }).innerText()
  return text.replaceAll("\u00a0", " ").split("\n").filter(Boolean)
}

/** Replaces the value of an input with the keyboard. */
async function type(page: Window, label: string, value: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click()
  await page.keyboard.press("Control+a")
  await page.keyboard.type(value)
}

/** Picks a record with the keyboard: types its name and presses Enter when it is found. */
async function pick(page: Window, label: string, name: string): Promise<void> {
  await page.getByLabel(label).first().click()
  await page.keyboard.press("Control+a")
  await page.keyboard.type(name)
  await page.locator("[role=option][data-combobox-selected]", { hasText: name }).waitFor()
  await page.keyboard.press("Enter")
  await settle(page)
}

async function save(page: Window): Promise<void> {
  const saved = page.waitForResponse((answer) => ["POST", "PUT"].includes(answer.request().method()))
  await page.getByRole("button", { name: /^(Save draft|Entwurf speichern)$/ }).click()
  expect((await saved).status()).toBeLessThan(300)
  await settle(page)
}

const storedOrder = async (page: Window) => {
  await page.waitForURL(/orders\/so_/)
  return shop.get("sales-orders", page.url().split("/").at(-1) ?? "")
}

describe.skipIf(browserPath === null)("the tax of a document in the console", () => {
  let full: { id: string }
  let reduced: { id: string }
  beforeAll(async () => {
    await api.put("/settings", {
      currency: "EUR",
      legalName: "Nordlicht GmbH",
      vatId: "DE123456789",
      address: { street: "Hafenstraße 12", zipCode: "20457", city: "Hamburg", country: "DE" },
    })
    const code = (body: object) => api.create("/tax-codes", body)
    full = await code({ code: "DE19", name: "19 %", category: "S", rate: 19 })
    reduced = await code({ code: "DE7", name: "7 %", category: "S", rate: 7 })
    await code({ code: "SMALL", name: "Small business", category: "E", reason: "Kleinunternehmer" })
    await shop.item({ itemCode: "MUG", itemName: "Mug", sellingPrice: 19.99, taxCode: full.id })
    await shop.item({ itemCode: "BOOK", itemName: "Book", sellingPrice: 10, taxCode: reduced.id })
    await shop.customer({ name: "Adele Private" })
    await shop.customer({
      name: "Rotterdam Trading",
      taxTreatment: "reverse-charge",
      taxId: "NL123456789B01",
      shippingAddress: { street: "Kade 1", city: "Rotterdam", country: "NL" },
    })
  })

  test("is in the total that the user types if prices include tax, and the server stores that total", async () => {
    await api.put("/settings", { pricesIncludeTax: true })
    const page = await open("/orders/new")
    await pick(page, "Customer", "Adele Private")
    await pick(page, "Item, line 1", "Mug")
    await page.keyboard.type("3")
    expect(await page.getByLabel("Prices include tax").isChecked()).toBeTrue()
    const totals = ["Total", "€59.97", "includes tax 19 %: €9.58 on €50.39"]
    expect(await totalsOf(page)).toEqual(totals)
    await page
      .getByRole("row", { name: /Mug|MUG/ })
      .getByText("€59.97")
      .waitFor()
    await save(page)
    expect(await storedOrder(page)).toMatchObject({
      pricesIncludeTax: true,
      total: 59.97,
      taxTotal: 9.58,
      subtotal: 50.39,
      items: [{ rate: 19.99, grossAmount: 59.97, amount: 50.39 }],
    })
    expect(await totalsOf(page)).toEqual(totals)

    // Two rates, and a discount as an amount.
    await page.getByRole("button", { name: "Add line", exact: true }).click()
    await pick(page, "Item, line 2", "Book")
    await page.getByRole("button", { name: "Enter the discount of line 1 as an amount" }).click()
    await page.getByLabel("Discount amount, line 1").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("9.97")
    const more = [
      "Before discount",
      "€69.97",
      "Discount",
      "-€9.97",
      "Total",
      "€60.00",
      "includes tax 19 %: €7.98 on €42.02",
      "includes tax 7 %: €0.65 on €9.35",
    ]
    expect(await totalsOf(page)).toEqual(more)
    await save(page)
    expect(await storedOrder(page)).toMatchObject({
      total: 60,
      items: [{ discountAmount: 9.97, grossAmount: 50 }, { grossAmount: 10 }],
    })
    expect(await totalsOf(page)).toEqual(more)
    expect(await page.getByLabel("Discount amount, line 1").inputValue()).toBe("9.97")
    await api.put("/settings", { pricesIncludeTax: false })
    page.assertQuiet()
  })

  test("is of what a discount on everything leaves, typed in percent or as an amount", async () => {
    const page = await open("/orders/new")
    await pick(page, "Customer", "Adele Private")
    await pick(page, "Item, line 1", "Book")
    await page.keyboard.type("9")
    await page.keyboard.press("Enter")
    await pick(page, "Item, line 2", "Mug")
    await type(page, "Rate, line 2", "10")
    await type(page, "Discount on everything (%)", "5")
    const totals = [
      "Sum of the lines",
      "€100.00",
      "Discount 5 %",
      "-€5.00",
      "Subtotal",
      "€95.00",
      "Tax 19 % on €9.50",
      "€1.81",
      "Tax 7 % on €85.50",
      "€5.99",
      "Total",
      "€102.80",
    ]
    expect(await totalsOf(page)).toEqual(totals)
    await save(page)
    expect(await storedOrder(page)).toMatchObject({ discount: 5, discountAmount: 5, total: 102.8 })
    expect(await totalsOf(page)).toEqual(totals)

    // As an amount, which gets the tax of each line when prices include it, and loses it again.
    await page.getByRole("button", { name: "Enter the discount on everything as an amount" }).click()
    expect(await page.getByLabel("Discount on everything (amount)").inputValue()).toBe("5.00")
    await type(page, "Discount on everything (amount)", "20")
    await page.getByLabel("Prices include tax").press("Space")
    expect(await page.getByLabel("Discount on everything (amount)").inputValue()).toBe("21.64")
    expect((await totalsOf(page)).slice(0, 6)).toEqual([
      "Sum of the lines",
      "€108.20",
      "Discount",
      "-€21.64",
      "Total",
      "€86.56",
    ])
    await page.getByLabel("Prices include tax").press("Space")
    expect(await page.getByLabel("Discount on everything (amount)").inputValue()).toBe("20.00")
    await save(page)
    const stored = await storedOrder(page)
    expect(stored).toMatchObject({ discountAmount: 20, isDiscountAmount: true, subtotal: 80 })

    // More than the lines is refused at the field.
    await type(page, "Discount on everything (amount)", "101")
    await page.getByRole("button", { name: "Save draft" }).click()
    await page.getByText("Enter at most €100.00").waitFor()
    await type(page, "Discount on everything (amount)", "100")
    await page.getByRole("button", { name: "Save and submit" }).click()
    await page.getByText("Submitted").first().waitFor()
    expect((await totalsOf(page)).slice(0, 4)).toEqual([
      "Sum of the lines",
      "€100.00",
      "Discount",
      "-€100.00",
    ])
    page.assertQuiet()
  })

  test("is added to every price if the user turns the switch on, and taken out again if it is turned off", async () => {
    const { id } = await api.create("/customers", { name: "Gross Adele", pricesIncludeTax: true })
    const page = await open("/orders/new")
    await pick(page, "Customer", "Adele Private")
    await pick(page, "Item, line 1", "Mug")
    await page.keyboard.press("Enter")
    await pick(page, "Item, line 2", "Book")
    await type(page, "Rate, line 2", "12.34")
    await page.getByRole("button", { name: "Enter the discount of line 2 as an amount" }).click()
    await type(page, "Discount amount, line 2", "1.05")
    const prices = () =>
      Promise.all(
        ["Rate, line 1", "Rate, line 2", "Discount amount, line 2"].map((label) =>
          page.getByLabel(label).inputValue(),
        ),
      )
    const typed = ["19.99", "12.34", "1.05"]
    const gross = ["23.7881", "13.2038", "1.12"]
    await page.getByLabel("Prices include tax").press("Space")
    expect(await prices()).toEqual(gross)
    const totals = await totalsOf(page)
    expect(totals.slice(4)).toEqual([
      "Total",
      "€35.87",
      "includes tax 19 %: €3.80 on €19.99",
      "includes tax 7 %: €0.79 on €11.29",
    ])
    await page.getByLabel("Prices include tax").press("Space")
    expect(await prices()).toEqual(typed)
    // What was saved is converted as well.
    await save(page)
    await page.getByLabel("Prices include tax").press("Space")
    expect(await prices()).toEqual(gross)
    await save(page)
    expect(await storedOrder(page)).toMatchObject({
      pricesIncludeTax: true,
      total: 35.87,
      items: [{ rate: 23.7881 }, { rate: 13.2038, discountAmount: 1.12 }],
    })
    await page.getByLabel("Prices include tax").press("Space")
    expect(await prices()).toEqual(typed)
    await save(page)
    expect(await storedOrder(page)).toMatchObject({ pricesIncludeTax: false, items: [{}, { rate: 12.34 }] })

    // A new document has the prices of its customer, also the one that it gets later.
    const isOn = () => page.getByLabel("Prices include tax").isChecked()
    await page.goto(page.url().replace(/orders.*/, `orders/new?customer=${id}`))
    await page.getByLabel("Item, line 1").waitFor()
    expect(await isOn()).toBeTrue()
    await pick(page, "Item, line 1", "Mug")
    expect(await page.getByLabel("Rate, line 1").inputValue()).toBe("23.7881")
    await pick(page, "Customer", "Adele Private")
    expect(await isOn()).toBeFalse()
    expect(await page.getByLabel("Rate, line 1").inputValue()).toBe("19.99")
    await pick(page, "Customer", "Gross Adele")
    expect(await isOn()).toBeTrue()
  })

  test("can be chosen for a line, also for one without an item", async () => {
    const page = await open("/orders/new")
    await pick(page, "Customer", "Adele Private")
    await pick(page, "Item, line 1", "Mug")
    await page.getByLabel("Tax, line 1").selectOption({ label: "0 % · SMALL" })
    await page.getByRole("button", { name: "Add free line" }).press("Enter")
    await page.getByLabel("Description, line 2").waitFor()
    await settle(page)
    await page.keyboard.type("Engraving")
    await page.keyboard.press("Tab")
    await page.keyboard.type("h")
    await type(page, "Quantity, line 2", "1.5")
    await type(page, "Rate, line 2", "40")
    await page.getByLabel("Tax, line 2").selectOption({ label: "7 % · DE7" })
    const totals = [
      "Subtotal",
      "€79.99",
      "Tax 7 % on €60.00",
      "€4.20",
      "Tax 0 % (Exempt) on €19.99",
      "€0.00",
      "Total",
      "€84.19",
      "Kleinunternehmer",
    ]
    expect(await totalsOf(page)).toEqual(totals)
    await save(page)
    expect(await storedOrder(page)).toMatchObject({
      total: 84.19,
      taxes: [
        { category: "S", rate: 7, base: 60, tax: 4.2, reason: null },
        { category: "E", rate: 0, base: 19.99, tax: 0, reason: "Kleinunternehmer" },
      ],
      items: [
        { taxCategory: "E" },
        { item: null, description: "Engraving", uom: "h", quantity: 1.5, rate: 40, taxCode: reduced.id },
      ],
    })
    expect(await totalsOf(page)).toEqual(totals)
    // A missing description is an error of that input. An empty line at the end is left out.
    await page.getByRole("button", { name: "Add free line" }).click()
    await type(page, "Rate, line 3", "5")
    await page.getByRole("button", { name: "Save draft" }).click()
    await page.getByLabel("Description, line 3").and(page.locator("[aria-invalid=true]:focus")).waitFor()
    await type(page, "Rate, line 3", " ")
    await page.getByLabel("Notes").fill("Saved")
    await save(page)
    expect((await storedOrder(page)).items).toHaveLength(2)
  })

  test("is 0 % without tax in the prices for a customer with reverse charge, with the reason", async () => {
    await api.put("/settings", { pricesIncludeTax: true })
    const page = await open("/orders/new")
    await pick(page, "Customer", "Adele Private")
    await pick(page, "Item, line 1", "Mug")
    await pick(page, "Customer", "Rotterdam")
    await page.getByText("Prices are without tax").waitFor()
    expect(await page.getByLabel("Prices include tax").isDisabled()).toBeTrue()
    expect(await page.getByLabel("Rate, line 1").inputValue()).toBe("16.7983")
    const totals = [
      "Subtotal",
      "€16.80",
      "Tax 0 % (Reverse charge)",
      "€0.00",
      "Total",
      "€16.80",
      "Reverse charge: VAT is payable by the customer",
    ]
    expect(await totalsOf(page)).toEqual(totals)
    await save(page)
    expect(await storedOrder(page)).toMatchObject({
      pricesIncludeTax: false,
      total: 16.8,
      shippingAddress: { street: "Kade 1", city: "Rotterdam", country: "NL" },
      items: [{ taxCategory: "AE", taxRate: 0, rate: 16.7983 }],
    })
    expect(await totalsOf(page)).toEqual(totals)
    await api.put("/settings", { pricesIncludeTax: false })
  })

  test("follows the customer of a stored draft, as the server stores it", async () => {
    const [mug, book] = await Promise.all(
      ["MUG", "BOOK"].map(async (code) => (await api.get(`/items/by/itemCode/${code}`)).body.data.id),
    )
    const order = await shop.order({
      customer: (await api.get("/customers?name=Adele Private")).body.data[0].id,
      pricesIncludeTax: true,
      items: [
        { item: mug, quantity: 3, rate: 19.99, discountAmount: 9.97 },
        { item: book, quantity: 1, rate: 10 },
        // A code of its own stays, although it is that of the item: only the server knows the difference.
        { item: mug, quantity: 1, rate: 119, taxCode: full.id },
      ],
    })
    const page = await open(`/orders/${order.id}`)
    const before = await totalsOf(page)
    await pick(page, "Customer", "Rotterdam")
    const rates = () => Promise.all([1, 2].map((line) => page.getByLabel(`Rate, line ${line}`).inputValue()))
    expect(await rates()).toEqual(["16.7983", "9.3458"])
    const net = await totalsOf(page)
    expect(net).toContain("Tax 19 % on €100.00")
    await pick(page, "Customer", "Adele Private")
    expect(await rates()).toEqual(["19.99", "10.00"])
    expect(await totalsOf(page)).toEqual(before)
    await pick(page, "Customer", "Rotterdam")
    await save(page)
    expect(await totalsOf(page)).toEqual(net)
    const stored = await storedOrder(page)
    expect(stored).toMatchObject({ pricesIncludeTax: false, taxTotal: 19 })
    expect(net).toContain(`€${stored.total.toFixed(2)}`)
  })

  test("follows the customer that got another treatment after the draft was saved, and says so", async () => {
    const mug = (await api.get("/items/by/itemCode/MUG")).body.data.id
    const { id: customer } = await shop.customer({ name: "Gatwick Imports" })
    const items = [{ item: mug, quantity: 2, rate: 119, discountAmount: 11.9 }]
    const order = await shop.order({ customer, pricesIncludeTax: true, items })
    await api.put(`/customers/${customer}`, { taxTreatment: "export" })
    const page = await open(`/orders/${order.id}`)
    await page.getByText("The tax treatment of the customer is now “Export”.").waitFor()
    expect(await page.getByLabel("Rate, line 1").inputValue()).toBe("100.00")
    expect(await page.getByLabel("Prices include tax").isChecked()).toBeFalse()
    const totals = await totalsOf(page)
    expect(totals).toContain("€190.00")
    await save(page)
    expect(await storedOrder(page)).toMatchObject({
      taxTreatment: "export",
      total: 190,
      taxes: [{ category: "G", base: 190 }],
    })
    expect(await totalsOf(page)).toEqual(totals)
    expect(await page.getByText("The tax treatment of the customer").count()).toBe(0)
    page.assertQuiet()
  })

  test("is the same in a copy of an order, with the tax codes of its lines", async () => {
    const mug = (await api.get("/items/by/itemCode/MUG")).body.data.id
    const order = await shop.submitted({
      pricesIncludeTax: true,
      items: [
        { item: mug, quantity: 3, rate: 19.99, discountAmount: 9.97 },
        { item: mug, quantity: 1, rate: 10, taxCode: reduced.id },
        { description: "Gift wrap", quantity: 1, rate: 2, taxCode: full.id },
      ],
    })
    const page = await open(`/orders/new?copy=${order.id}`)
    await page.getByLabel("Description, line 3").waitFor()
    const totals = await totalsOf(page)
    expect(totals.slice(-2)).toEqual([
      "includes tax 19 %: €8.30 on €43.70",
      "includes tax 7 %: €0.65 on €9.35",
    ])
    await save(page)
    const copy = await storedOrder(page)
    const { total, taxes } = order
    expect(copy).toMatchObject({ total, taxes, pricesIncludeTax: true })
    expect(copy.id).not.toBe(order.id)
    expect(await totalsOf(page)).toEqual(totals)
  })

  test("and both parties are shown on an issued invoice as they were at issue", async () => {
    const customer = await shop.customer({
      name: "Kiel Reederei",
      contactName: "Ina Boje",
      address: { street: "Kai 3", zipCode: "24103", city: "Kiel", country: "DE" },
      shippingAddress: { street: "Dock 9", zipCode: "24149", city: "Kiel", country: "DE" },
      taxId: "DE999999999",
    })
    const mug = (await api.get("/items/by/itemCode/MUG")).body.data
    const order = await shop.submitted({
      customer: customer.id,
      pricesIncludeTax: true,
      deliveryDate: "2027-01-15",
      items: [
        { item: mug.id, quantity: 3, rate: 19.99 },
        { description: "Gift wrap", quantity: 1, rate: 2, taxCode: reduced.id },
      ],
    })
    const page = await open(`/orders/${order.id}`)
    await page.getByText("Prices include tax").waitFor()
    await page
      .getByRole("row", { name: /Gift wrap/ })
      .getByText("7 %")
      .waitFor()
    await page.getByRole("row", { name: /Mug/ }).getByText("€59.97").waitFor()
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    const dialog = page.getByRole("dialog")
    expect(await dialog.getByRole("textbox", { name: "Supply date" }).inputValue()).toBe("Jan 15, 2027")
    await dialog.getByLabel("Customer's reference").fill("PO-77")
    await dialog.getByLabel("Quantity of Gift wrap to invoice now").waitFor()
    await dialog.getByRole("button", { name: "Create invoice" }).click()
    await page.getByRole("heading", { level: 1, name: /INV-/ }).waitFor()
    await api.put(`/customers/${customer.id}`, { name: "Renamed", contactName: null })
    await api.put("/settings", { legalName: "Renamed too" })
    await page.reload()
    const main = page.getByRole("main")
    await main.getByText("Kiel Reederei").nth(1).waitFor()
    for (const text of ["Attn: Ina Boje", "24103 Kiel", "Nordlicht GmbH", "20457 Hamburg", "DE123456789"])
      expect([text, await main.getByText(text).count()]).not.toEqual([text, 0])
    for (const text of ["Supply date: Jan 15, 2027", "Customer's reference: PO-77", "Dock 9, 24149 Kiel"])
      await main.getByText(text).waitFor()
    expect(await totalsOf(page)).toEqual([
      "Total",
      "€61.97",
      "includes tax 19 %: €9.58 on €50.39",
      "includes tax 7 %: €0.13 on €1.87",
      "Paid",
      "€0.00",
      "Balance",
      "€61.97",
    ])
    await api.put("/settings", { legalName: "Nordlicht GmbH" })
    page.assertQuiet()
  })

  test("can be edited in German, and the details are there on request", async () => {
    const page = await open("/invoices/new", { locale: "de-DE", timezoneId: "Europe/Berlin" })
    await pick(page, "Kunde", "Rotterdam")
    await page.getByText("Preise ohne Steuer").waitFor()
    await page.getByText("Kade 1, Rotterdam, Niederlande").waitFor()
    await pick(page, "Kunde", "Adele")
    await pick(page, "Artikel, Position 1", "Mug")
    await page.keyboard.type("3")
    await page.getByLabel("Preise enthalten Steuer").press("Space")
    await type(page, "Einzelpreis, Position 1", "19,99")
    const totals = ["Gesamtbetrag", "59,97 €", "darin Steuer 19 %: 9,58 € auf 50,39 €"]
    expect(await totalsOf(page)).toEqual(totals)
    await page.getByRole("button", { name: "Weitere Angaben" }).press("Enter")
    await page.getByRole("textbox", { name: "Leistungsdatum" }).fill("05.01.2026")
    await page.getByLabel("Referenz des Kunden").fill("B-12")
    await page.getByRole("group", { name: "Lieferadresse" }).getByLabel("Straße").fill("Hof 2")
    await save(page)
    await page.waitForURL(/invoices\/inv_/)
    expect(await totalsOf(page)).toEqual(totals)
    expect(await shop.get("invoices", page.url().split("/").at(-1) ?? "")).toMatchObject({
      pricesIncludeTax: true,
      total: 59.97,
      supplyDate: "2026-01-05",
      buyerReference: "B-12",
      shippingAddress: { street: "Hof 2" },
    })
  })

  test("has no accessibility violations and fits the screen", async () => {
    const mug = (await api.get("/items/by/itemCode/MUG")).body.data
    const items = [
      { item: mug.id, quantity: 3, rate: 19.99, discountAmount: 9.97 },
      {
        description: "A word of forty letters: Donaudampfschifffahrtsgesellschaftskapitaen",
        quantity: 1,
        rate: 2,
      },
    ]
    const draft = await shop.order({ pricesIncludeTax: true, items })
    const invoice = await shop.invoice({ pricesIncludeTax: true, items })
    const page = await open(`/orders/${draft.id}`)
    const { faults, inspect } = inspector(page)
    await page.getByRole("button", { name: "More details" }).click()
    await page.getByLabel("Street").waitFor()
    await settle(page)
    await inspect("the draft")
    await page.goto(page.url().replace(/orders.*/, `invoices/${invoice.id}`))
    await page.getByRole("heading", { level: 1, name: invoice.invoiceNumber }).waitFor()
    await settle(page)
    await inspect("the invoice")
    expect(faults).toEqual({})
  })
})
