import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Answer, type Api } from "../support/api"
import { png } from "../support/images"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let invoice: { id: string; invoiceNumber: string; orderNumber: string }
let order: { id: string; orderNumber: string; customer: string }

const company = {
  companyName: "Hafen & Söhne",
  companyAddress: "Am Kai 1\n20457 Hamburg",
  companyTaxId: "DE811569869",
  currency: "EUR",
}

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  await api.put("/settings", company)
  const customer = await shop.customer({
    name: "Nordlicht GmbH",
    taxId: "AT100174218",
    paymentTerms: "Net 30",
    address: { street: "Lindenweg 10", zipCode: "1010", city: "Wien", country: "AT" },
  })
  const desk = await shop.item({
    itemCode: "DESK-9",
    itemName: "Standing desk",
    sellingPrice: 449.9,
    taxRate: 19,
  })
  const sheet = await shop.item({
    itemCode: "PAPER",
    itemName: "Paper",
    sellingPrice: 0.0125,
    taxRate: 7,
    uom: "Sheet",
  })
  order = await shop.submitted({
    customer: customer.id,
    orderDate: "2026-03-01",
    deliveryDate: "2026-04-05",
    notes: "Thank you.\nCome again.",
    items: [
      { item: desk.id, quantity: 3, discount: 10 },
      { item: sheet.id, quantity: 1250.5 },
    ],
  })
  invoice = (await shop.bill(order.id, { invoiceDate: "2026-03-02", notes: "Thank you.\nCome again." })).body
    .data
  await shop.pay(invoice.id, 1000)
})
afterAll(cleanUp)

const print = (kind: string, id: string, language?: string, by = api) =>
  by.get(`/${kind}/${id}/print`, language === undefined ? {} : { "accept-language": language })

/** The text that a reader sees: words in the order of the page, separated by one space. */
const wordsOf = ({ status, text }: Answer) => {
  expect(status).toBe(200)
  return text
    .replace(/<(style|title)>.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "")
    .replace(/\s+/g, " ")
    .trim()
}
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }
const mark = ({ text }: Answer) => /<p class="mark \w+">(\w+)<\/p>/.exec(text)?.[1] ?? null

describe("a printed invoice", () => {
  test("contains all data of the invoice, in reading order", async () => {
    // 3 × 449.90 × 0.9 = 1214.73; 1250.5 × 0.0125 = 15.63125. Tax: 230.7987 and 1.0941.
    expect(wordsOf(await print("invoices", invoice.id))).toBe(
      [
        "Hafen & Söhne Am Kai 1 20457 Hamburg VAT ID DE811569869",
        `Invoice ${invoice.invoiceNumber}`,
        "Customer Nordlicht GmbH Lindenweg 10 1010 Wien Austria",
        "Invoice date Mar 2, 2026 Supply date Apr 5, 2026 Due date Apr 1, 2026 Payment terms Net 30",
        `Order number ${order.orderNumber} Customer number CUST-00001 Your tax ID AT100174218`,
        "Code Item Quantity Price Discount Tax Amount EUR",
        "DESK-9 Standing desk 3 Nos 449.90 10% 19% 1,214.73",
        "PAPER Paper 1,250.5 Sheet 0.0125 7% 15.63",
        "Before discount €1,365.33 Discount -€134.97 Subtotal €1,230.36",
        "Tax 19% on €1,214.73 €230.80 Tax 7% on €15.63 €1.09",
        "Total €1,462.25 Paid €1,000.00 Balance due €462.25",
        "Notes Thank you. Come again.",
      ].join(" "),
    )
  })

  test("is one HTML page that loads nothing and runs no script", async () => {
    const { headers, text } = await print("invoices", invoice.id)
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    )
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("x-ratelimit-remaining")).not.toBeNull()
    expect(text).toStartWith("<!doctype html>")
    expect(text).toContain('<html lang="en">')
    expect(text).toContain(`<title>Invoice ${invoice.invoiceNumber} · Hafen &amp; Söhne</title>`)
    expect(text).not.toMatch(/\b(src|href|action|on\w+)\s*=|<(script|link|img|iframe|form)|url\(|@import/i)
  })

  test("is made for paper: A4, headings on every page, no line split across pages", async () => {
    const { text } = await print("invoices", invoice.id)
    expect(text).toMatch(/@page\s*{\s*size: A4/)
    expect(text).toMatch(/thead {\s*display: table-header-group/)
    expect(text).toMatch(/tr,\s*\.totals {\s*break-inside: avoid/)
    expect(text).toMatch(/@media screen and \(max-width: 640px\)/)
  })

  test("keeps the line breaks of an address and of notes", async () => {
    const { text } = await print("invoices", invoice.id)
    for (const lines of [
      "Am Kai 1\n20457 Hamburg",
      "Lindenweg 10\n1010 Wien\nAustria",
      "Thank you.\nCome again.",
    ])
      expect(text).toContain(`>${lines}</p>`)
    expect(text).toMatch(/\.address,\s*\.notes p,[^{]*{\s*white-space: pre-line/)
  })

  test("leaves out empty columns and rows", async () => {
    const item = await shop.item({ itemCode: "PLAIN", itemName: "Plain" })
    const plain = await shop.invoice({ items: [{ item: item.id, quantity: 1 }] })
    const words = wordsOf(await print("invoices", plain.id))
    expect(words).toContain(
      "Code Item Quantity Price Amount EUR PLAIN Plain 1 Nos 10.00 10.00 Subtotal €10.00",
    )
    expect(words).toEndWith("Tax €0.00 Total €10.00 Paid €0.00 Balance due €10.00")
  })

  test("shows the customer's data from when the invoice was issued", async () => {
    const customer = await shop.customer({ name: "Old Name", address: { city: "Oldtown" } })
    const { id } = await shop.invoice({ customer: customer.id })
    await api.put(`/customers/${customer.id}`, { name: "New Name", address: { city: "Newtown" } })
    const words = wordsOf(await print("invoices", id))
    expect(words).toContain("Old Name Oldtown")
    expect(words).not.toContain("New")
  })

  test("of a part of an order has the tax of that part, so that the parts add up", async () => {
    const item = await shop.item({ sellingPrice: 0.33, taxRate: 10 })
    const whole = await shop.submitted({ items: [{ item: item.id, quantity: 3 }] })
    const pages = []
    for (let part = 0; part < 3; part++) {
      const billed = await shop.bill(whole.id, { items: [{ orderLine: whole.items[0].id, quantity: 1 }] })
      pages.push(wordsOf(await print("invoices", billed.body.data.id)))
    }
    // 10 % of 0.99 is 0.10; three times 10 % of 0.33 would be 0.09.
    expect(pages.map((page) => /Tax 10% on €0\.33 (\S+)/.exec(page)?.[1])).toEqual([
      "€0.03",
      "€0.04",
      "€0.03",
    ])
  })
})

describe("a printed order", () => {
  test("shows the customer's current address, and no balance", async () => {
    expect(wordsOf(await print("sales-orders", order.id))).toBe(
      [
        "Hafen & Söhne Am Kai 1 20457 Hamburg VAT ID DE811569869",
        `Sales order ${order.orderNumber}`,
        "Customer Nordlicht GmbH Lindenweg 10 1010 Wien Austria",
        "Order date Mar 1, 2026 Delivery date Apr 5, 2026 Payment terms Net 30",
        "Customer number CUST-00001 Your tax ID AT100174218",
        "Code Item Quantity Price Discount Tax Amount EUR",
        "DESK-9 Standing desk 3 Nos 449.90 10% 19% 1,214.73",
        "PAPER Paper 1,250.5 Sheet 0.0125 7% 15.63",
        "Before discount €1,365.33 Discount -€134.97 Subtotal €1,230.36",
        "Tax 19% on €1,214.73 €230.80 Tax 7% on €15.63 €1.09",
        "Total €1,462.25",
        "Notes Thank you. Come again.",
      ].join(" "),
    )
    const customer = await shop.customer({ name: "Moving", address: { city: "Oldtown" } })
    const { id } = await shop.order({ customer: customer.id })
    await api.put(`/customers/${customer.id}`, { address: { city: "Newtown" } })
    expect(wordsOf(await print("sales-orders", id))).toContain("Moving Newtown")
  })
})

describe("the company", () => {
  const full = {
    legalName: "Hafen & Söhne Handels GmbH",
    address: { street: "Neuer Kai 2", zipCode: "20459", city: "Hamburg", country: "DE" },
    vatId: "DE999999999",
    taxNumber: "22/815/08154",
    registrationId: "HRB 12345",
    phone: "+49 40 1",
    email: "office@example.com",
    website: "www.example.com",
    bankName: "Commerzbank",
    iban: "DE89370400440532013000",
    bic: "COBADEFFXXX",
    documentFooter: "Managing director: Anna\nThank you.",
  }
  const none = Object.fromEntries(Object.keys(full).map((name) => [name, null]))
  const head =
    "Hafen & Söhne Handels GmbH Neuer Kai 2 20459 Hamburg Germany VAT ID DE999999999 Tax number 22/815/08154"
  const foot =
    "+49 40 1 office@example.com www.example.com HRB 12345 Commerzbank IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX Managing director: Anna Thank you."
  const logo = png()
  const image = `<img class="logo" alt="Hafen &amp; Söhne Handels GmbH" src="data:image/png;base64,${logo.toString("base64")}" />`

  test("is on the page of an invoice as it was at issue, with its logo, bank and footer", async () => {
    await api.put("/settings", full)
    await api.put("/settings/logo", logo, { "content-type": "image/png" })
    const issued = await shop.invoice()
    const draft = await api.create("/invoices", {
      customer: issued.customer,
      items: [{ item: issued.items[0].item, quantity: 1 }],
    })
    const before = await print("invoices", issued.id)
    expect(wordsOf(before)).toStartWith(head)
    expect(wordsOf(before)).toEndWith(foot)
    expect(before.text).toContain(image)
    expect((await print("invoices", draft.id)).text).toContain(image)
    await api.put("/settings", { ...none, companyName: "Other" })
    await api.put("/settings/logo", png(8, 8, [200, 0, 0]), { "content-type": "image/png" })
    await api.delete("/settings/logo")
    await api.put(`/customers/${issued.customer}`, { name: "Renamed", address: { city: "Elsewhere" } })
    expect((await print("invoices", issued.id)).text).toBe(before.text)
    const after = await print("invoices", draft.id)
    expect(wordsOf(after)).toStartWith("Draft Other Am Kai 1")
    expect(wordsOf(after)).toContain("Customer Renamed Elsewhere")
    expect(after.text).not.toContain("<img")
    await api.put("/settings", { ...none, ...company })
  })

  test("is on the page of an order as it is now", async () => {
    const { id } = await shop.submitted()
    await api.put("/settings", full)
    const words = wordsOf(await print("sales-orders", id))
    expect([words.startsWith(head), words.endsWith(foot)]).toEqual([true, true])
    await api.put("/settings", none)
    expect(wordsOf(await print("sales-orders", id))).toStartWith(
      "Hafen & Söhne Am Kai 1 20457 Hamburg VAT ID DE811569869",
    )
  })
})

describe("tax on the page", () => {
  const items = async (over: object = {}) => [
    { item: (await shop.item({ sellingPrice: 100, ...over })).id, quantity: 1 },
  ]
  const issue = async (over: object = {}) =>
    api.create("/invoices", { customer: (await shop.customer()).id, status: "unpaid", ...over })

  test("is below the total when prices include it, and the lines add up to the total", async () => {
    const item = await shop.item({ sellingPrice: 19.99, taxRate: 19 })
    const { id } = await issue({
      pricesIncludeTax: true,
      items: [{ item: item.id, quantity: 3, rate: 19.99, discountAmount: 10 }],
    })
    expect(wordsOf(await print("invoices", id))).toEndWith(
      [
        `3 Nos 19.99 10.00 19% 49.97`,
        "Before discount €59.97 Discount -€10.00 Total €49.97",
        "Total without tax €41.99 Includes tax 19% on €41.99 €7.98",
        "Paid €0.00 Balance due €49.97 Prices include tax.",
      ].join(" "),
    )
  })

  test("is given per category and rate, with the reason why there is none", async () => {
    const customer = await shop.customer({ taxTreatment: "reverse-charge", taxId: "ATU1" })
    const standard = await api.create("/tax-codes", { code: "P19", name: "19 %", category: "S", rate: 19 })
    const exempt = await api.create("/tax-codes", {
      code: "PE",
      name: "Exempt",
      category: "E",
      reason: "Exempt under § 4 UStG",
    })
    const [line] = await items()
    const { id } = await issue({
      customer: customer.id,
      items: [line, { ...line, taxCode: standard.id }, { ...line, taxCode: exempt.id }],
    })
    const words = wordsOf(await print("invoices", id))
    for (const part of [
      "Tax 19% on €100.00 €19.00",
      "Reverse charge 0% on €100.00 €0.00",
      "Exempt from tax 0% on €100.00 €0.00",
      "Total €319.00",
      "Reverse charge: VAT is payable by the customer",
      "Exempt under § 4 UStG",
    ])
      expect(words).toContain(part)
  })
})

test("lines without an item, the buyer's reference, the contact and another shipping address are printed", async () => {
  const home = { street: "Kai 1", city: "Hamburg", state: null, zipCode: "20457", country: "DE" }
  const customer = await shop.customer({ name: "Nordlicht", contactName: "Anna Petersen", address: home })
  const body = { customer: customer.id, buyerReference: "04011000-1", supplyDate: "2026-03-01" }
  const free = { description: "Assembly\nand delivery", quantity: 2, rate: 40, uom: "h" }
  const elsewhere = { ...home, street: "Lager 7" }
  const there = await api.create("/invoices", {
    ...body,
    items: [free],
    shippingAddress: elsewhere,
    invoiceDate: "2026-03-02",
  })
  const page = await print("invoices", there.id)
  const words = wordsOf(page)
  expect(words).toContain(
    "Customer Nordlicht Anna Petersen Kai 1 20457 Hamburg Germany Delivery address Lager 7 20457 Hamburg Germany Invoice date Mar 2, 2026 Supply date Mar 1, 2026",
  )
  expect(words).toContain("Item Quantity Price Amount EUR Assembly and delivery 2 h 40.00 80.00")
  expect(words).toContain("Your reference 04011000-1")
  expect(page.text).toContain(">Assembly\nand delivery</td>")
  const here = await api.create("/invoices", { ...body, items: [free], shippingAddress: home })
  expect(wordsOf(await print("invoices", here.id))).not.toContain("Delivery address")
})

describe("an address", () => {
  test.each([
    [
      { street: "1 Main St", city: "Springfield", state: "IL", zipCode: "62701", country: "US" },
      "1 Main St Springfield, IL 62701 United States",
    ],
    [{ city: "Hamburg", state: "Hamburg", zipCode: "20457", country: "DE" }, "20457 Hamburg Germany"],
    [{ city: "Zürich", state: "ZH", zipCode: "8001", country: "CH" }, "8001 Zürich ZH Switzerland"],
    [{ state: "TX", country: "US" }, "TX United States"],
    [null, ""],
  ])("%j is written as %p", async (address, written) => {
    const customer = await shop.customer({ name: "Somebody", address })
    const { id } = await shop.order({ customer: customer.id })
    expect(wordsOf(await print("sales-orders", id))).toContain(
      `Customer Somebody ${written} Order date`.replace("  ", " "),
    )
  })
})

describe("prominent marks", () => {
  test("a draft invoice has no number and no balance", async () => {
    const [item, customer] = [await shop.item(), await shop.customer()]
    const draft = await api.create("/invoices", {
      customer: customer.id,
      items: [{ item: item.id, quantity: 1 }],
    })
    const page = await print("invoices", draft.id)
    expect(mark(page)).toBe("Draft")
    expect(page.text).toContain('<div class="watermark" aria-hidden="true">Draft</div>')
    const words = wordsOf(page)
    expect(words).toContain("Invoice No number yet Draft")
    expect(words).not.toMatch(/Balance due|Paid/)
  })

  test("an invoice is marked when it is paid or cancelled, and not while it is open", async () => {
    const { id, total } = await shop.invoice()
    expect(mark(await print("invoices", id))).toBeNull()
    const payment = await shop.pay(id, total)
    const paid = await print("invoices", id)
    expect([mark(paid), wordsOf(paid).includes("Paid €20.00 Balance due €0.00")]).toEqual(["Paid", true])
    expect(paid.text).not.toContain('class="watermark"')
    await api.delete(`/invoices/${id}/payments/${payment.body.data.id}`)
    await shop.status("invoices", id, "cancelled")
    const cancelled = await print("invoices", id)
    expect(mark(cancelled)).toBe("Cancelled")
    expect(cancelled.text).toContain('class="watermark"')
    expect(wordsOf(cancelled)).not.toContain("Balance due")
  })

  test("an order is marked when it is a draft or cancelled", async () => {
    const { id } = await shop.order()
    expect(mark(await print("sales-orders", id))).toBe("Draft")
    await shop.status("sales-orders", id, "submitted")
    expect(mark(await print("sales-orders", id))).toBeNull()
    await shop.status("sales-orders", id, "cancelled")
    expect(mark(await print("sales-orders", id))).toBe("Cancelled")
  })
})

describe("words, numbers and dates are chosen by Accept-Language", () => {
  const english = ["Invoice date Mar 2, 2026", "1,214.73", "Balance due €462.25", "Austria"]
  const german = ["Rechnungsdatum 02.03.2026", "1.214,73", "Offener Betrag 462,25 €", "Österreich"]
  const cases: [why: string, header: string | undefined, seen: string[]][] = [
    ["no header", undefined, english],
    ["one language", "de", german],
    ["the header of a browser", "de-DE,de;q=0.9,en;q=0.8", german],
    ["Britain", "en-GB", ["Invoice date 2 Mar 2026", "1,214.73", "€1,462.25", "Austria"]],
    ["France", "fr-FR", ["Date de facture 2 mars 2026", "1 214,73", "1 462,25 €", "Autriche"]],
    ["Japan", "ja-JP", ["Invoice date 2026/03/02", "1,214.73", "€1,462.25", "オーストリア"]],
    ["the highest weight first, in any order", "en;q=0.3, de;q=0.7", german],
    ["no language with weight 0", "de;q=0", english],
    ["the first known language", "tlh, xx-YY, de", german],
    ["the first valid language", "??, -, *, de_DE, de", german],
    ["no usable language", "*", english],
    ["an empty header", "", english],
    ["markup", "<script>", english],
    ["a very long header", "x,".repeat(3_000), english],
  ]
  test.each(cases)("%s", async (_, header, seen) => {
    const page = await print("invoices", invoice.id, header)
    const words = wordsOf(page).replaceAll(/[\u00a0\u202f]/g, " ")
    for (const each of seen) expect(words).toContain(each)
    const language = seen === german ? "de" : header === "fr-FR" ? "fr" : "en"
    expect(page.text).toContain(`<html lang="${language}">`)
  })

  test("a currency without decimals has none", async () => {
    const other = await serve()
    const owner = await signIn(other)
    await owner.put("/settings", { currency: "JPY" })
    const stall = trade(owner)
    const item = await stall.item({ sellingPrice: 1_234.5, taxRate: 10 })
    const { id } = await stall.invoice({ items: [{ item: item.id, quantity: 2 }] })
    const words = wordsOf(await print("invoices", id, "en", owner))
    expect(words).toStartWith("Invoice INV-")
    expect(words).toContain("2 Nos 1,234.5 10% 2,469 Subtotal ¥2,469 Tax 10% on ¥2,469 ¥247 Total ¥2,716")
  })
})

test("any text that a person enters is shown as text, never as markup", async () => {
  const evil = `"><script>alert('x')</script><img src=x onerror=alert(1)>&lt;`
  await api.put("/settings", {
    companyName: evil,
    companyAddress: `${evil}\n${evil}`,
    companyTaxId: evil.slice(0, 60),
    bankName: evil,
    website: evil,
    documentFooter: evil,
  })
  try {
    const customer = await shop.customer({
      name: evil,
      contactName: evil,
      taxId: evil.slice(0, 60),
      paymentTerms: evil.slice(0, 60),
      address: { street: evil, city: evil, state: evil, zipCode: `"><b>`, country: "DE" },
    })
    const item = await shop.item({ itemCode: evil.slice(0, 60), itemName: evil, uom: `"><b>'` })
    const order = await shop.submitted({
      customer: customer.id,
      items: [
        { item: item.id, quantity: 1 },
        { description: evil, quantity: 1, rate: 1 },
      ],
      buyerReference: evil,
      shippingAddress: { street: evil },
      notes: evil,
    })
    const { data } = (await shop.bill(order.id, { notes: evil })).body
    for (const page of [await print("sales-orders", order.id), await print("invoices", data.id)]) {
      const body = page.text.replace(/<style>.*?<\/style>/s, "")
      expect(body).not.toMatch(/<(script|img|b)\b/i)
      expect(body.match(/&lt;script&gt;alert\(&#39;x&#39;\)/g)?.length).toBeGreaterThan(15)
      expect(wordsOf(page).split(evil).length - 1).toBe(15)
    }
  } finally {
    await api.put("/settings", { ...company, bankName: null, website: null, documentFooter: null })
  }
})

describe("who may print", () => {
  const password = "a fine password"
  const pages = () => [`/invoices/${invoice.id}/print`, `/sales-orders/${order.id}/print`]

  test.each(["viewer", "sales", "shop", "accountant", "manager", "admin"])("%s", async (role) => {
    const email = `${role}.print@example.com`
    await api.create("/users", { email, name: role, role, password })
    const person = await signIn(kontor, email, password)
    for (const page of pages()) expect((await person.get(page)).status).toBe(200)
  })

  test("a key with read, but not a key without", async () => {
    const keyed = async (scopes: string[]) =>
      apiWith(kontor, { "x-api-key": (await api.create("/api-keys", { name: "K", scopes })).key })
    const [reader, writer] = [await keyed(["read"]), await keyed(["write", "delete", "admin"])]
    for (const page of pages()) {
      expect((await reader.get(page)).status).toBe(200)
      expect(refusalOf(await writer.get(page))).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" })
    }
  })

  test("nobody without a credential", async () => {
    for (const page of pages()) expect((await send(`${kontor.url}/api/v1${page}`)).status).toBe(401)
  })
})

describe("a refusal is JSON, as on other routes", () => {
  test.each(["invoices", "sales-orders"])("for an unknown id under /%s", async (kind) => {
    const answer = await print(kind, "none")
    expect(refusalOf(answer)).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect(answer.headers.get("content-type")).toStartWith("application/json")
  })

  test("for a document of the other kind", async () => {
    expect((await print("invoices", order.id)).status).toBe(404)
    expect((await print("sales-orders", invoice.id)).status).toBe(404)
  })

  test("for a parameter that does not exist", async () => {
    expect(refusalOf(await api.get(`/invoices/${invoice.id}/print?format=pdf`))).toEqual({
      status: 400,
      code: "INVALID_QUERY",
      fields: ["format"],
    })
  })
})

test("HEAD responds like GET, without the page", async () => {
  const answer = await api.call("HEAD", `/invoices/${invoice.id}/print`)
  expect([answer.status, answer.headers.get("content-type"), answer.text]).toEqual([
    200,
    "text/html; charset=utf-8",
    "",
  ])
})

test("the API document describes it as a page", async () => {
  const { paths } = (await send(`${kontor.url}/openapi.json`)).body
  for (const kind of ["invoices", "sales-orders"])
    expect(Object.keys(paths[`/api/v1/${kind}/{id}/print`].get.responses["200"].content)).toEqual([
      "text/html",
    ])
})
