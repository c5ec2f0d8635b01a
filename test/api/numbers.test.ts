import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Answer, type Api } from "../support/api"
import { inFile, withoutReferences } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
const year = new Date().getFullYear()

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
/** Each test begins without numbers and with the default formats. */
beforeEach(() =>
  inFile(kontor, (db) => {
    withoutReferences(db)
    for (const table of ["invoice_lines", "invoices", "sales_order_lines", "sales_orders", "customers"])
      db.run(`DELETE FROM ${table}`)
    for (const table of ["number_series", "settings"]) db.run(`DELETE FROM ${table}`)
  }),
)
afterAll(cleanUp)

const put = (body: object) => api.put("/settings", body)
const format = (formats: object) => put({ numberFormats: formats })
const customer = async () => (await shop.customer()).customerNumber
const firstDetail = ({ status, body }: Answer) => ({ status, ...body?.error?.details?.[0] })
const seriesIn = () =>
  inFile(kontor, (db) => db.query("SELECT name, first, last FROM number_series ORDER BY name").all())

test("the series of each kind have the counter of the next number", async () => {
  await customer()
  await put({ numberStarts: { invoices: 500 } })
  const { status, body } = await api.get("/settings/number-series")
  expect(status).toBe(200)
  const of = Map.groupBy(
    body.data as { kind: string; series: string; start: number; next: number }[],
    ({ kind }) => kind,
  )
  expect(
    ["customers", "salesOrders", "invoices", "creditNotes"].flatMap((kind) => of.get(kind) ?? []),
  ).toEqual([
    { kind: "customers", series: `CUST-${year}`, start: 1, next: 1 },
    { kind: "customers", series: "CUST", start: 1, next: 2 },
    { kind: "salesOrders", series: `SO-${year}`, start: 1, next: 1 },
    { kind: "salesOrders", series: "SO", start: 1, next: 1 },
    { kind: "invoices", series: `INV-${year}`, start: 500, next: 500 },
    { kind: "invoices", series: "INV", start: 1, next: 1 },
    { kind: "creditNotes", series: `CN-${year}`, start: 1, next: 1 },
    { kind: "creditNotes", series: "CN", start: 1, next: 1 },
  ])
})

describe("a number format", () => {
  test("is used from the next record on, and continues the counter", async () => {
    expect(await customer()).toBe("CUST-00001")
    expect(await format({ customers: "k/{##}" })).toMatchObject({
      status: 200,
      body: {
        data: {
          numberFormats: {
            customers: "K/{##}",
            salesOrders: "SO-{YYYY}-{#####}",
            invoices: "INV-{YYYY}-{#####}",
          },
        },
      },
    })
    expect([await customer(), await customer()]).toEqual(["K/02", "K/03"])
    expect(await format({ customers: null })).toMatchObject({
      body: { data: { numberFormats: { customers: "CUST-{#####}" } } },
    })
    expect(await customer()).toBe("CUST-00004")
    const found = await api.get(`/customers/by/customerNumber/${encodeURIComponent("K/02")}`)
    expect(found).toMatchObject({ status: 200, body: { data: { customerNumber: "K/02" } } })
  })

  test("with the year has a counter of its own for each year, and the other one goes on later", async () => {
    await customer()
    await format({ customers: "{YYYY}-{###}" })
    expect([await customer(), await customer()]).toEqual([`${year}-001`, `${year}-002`])
    await format({ customers: "{YY}/{#}" })
    expect(await customer()).toBe(`${year % 100}/3`)
    await format({ customers: "C{#}" })
    expect(await customer()).toBe("C2")
    expect(seriesIn()).toEqual([
      { name: "CUST", first: 1, last: 2 },
      { name: `CUST-${year}`, first: 1, last: 3 },
    ])
  })

  test.each([
    ["no counter", "FORMAT"],
    ["{#}{#}", "FORMAT"],
    ["A{YYY}{#}", "FORMAT"],
    ["Ä{#}", "FORMAT"],
    ["{###########}", "FORMAT"],
    [`${"A".repeat(39)}{#}`, "TOO_LONG"],
    [5, "TYPE"],
  ])("%p is refused", async (value, code) => {
    expect(firstDetail(await format({ customers: value }))).toMatchObject({
      status: 422,
      field: "numberFormats.customers",
      code,
    })
  })

  test("of a kind that does not exist is refused", async () => {
    expect(refusalOf(await format({ items: "{#}" }))).toMatchObject({ fields: ["numberFormats.items"] })
  })

  test.each([
    [{ customers: "SO-{YYYY}-{##}" }, "numberFormats.customers"],
    [{ invoices: "cust-{#}" }, "numberFormats.invoices"],
    [{ customers: "{#}", salesOrders: "{YYYY}{####}" }, "numberFormats.salesOrders"],
  ])("%j is refused: two kinds could have the same number", async (formats, field) => {
    expect(firstDetail(await format(formats))).toMatchObject({
      status: 422,
      field,
      code: "RULE",
      params: { rule: "NUMBER_SHARED" },
    })
  })

  test("two kinds can exchange their formats in one request", async () => {
    expect(await format({ salesOrders: "INV-{YYYY}-{#####}", invoices: "SO-{YYYY}-{#####}" })).toMatchObject({
      status: 200,
    })
  })
})

describe("a number that exists", () => {
  test("is not given again: the settings are refused, and nothing is stored", async () => {
    await format({ customers: "A{#}" })
    expect([await customer(), await customer()]).toEqual(["A1", "A2"])
    await format({ customers: "{YYYY}-{#}" })
    await customer()
    // The second customer of this year would be A2.
    const before = (await api.get("/settings")).body.data
    expect(firstDetail(await format({ customers: "A{#}" }))).toMatchObject({ status: 200 })
    await format({ customers: "A{YY}{#}" })
    expect(await customer()).toBe(`A${year % 100}2`)
    inFile(kontor, (db) => db.run("UPDATE customers SET customer_number = 'B3' WHERE customer_number = 'A1'"))
    const refused = await format({ customers: "B{#}" })
    expect(firstDetail(refused)).toMatchObject({
      status: 422,
      field: "numberFormats.customers",
      code: "RULE",
      params: { rule: "NUMBER_TAKEN", value: "B3" },
    })
    expect((await api.get("/settings")).body.data.version).toBe(before.version + 2)
  })

  test("is refused when a later counter meets it, without a gap, until the format is changed", async () => {
    await customer()
    inFile(kontor, (db) => db.run("UPDATE customers SET customer_number = 'CUST-00003'"))
    expect(await customer()).toBe("CUST-00002")
    const refused = await api.post("/customers", { name: "Third" })
    expect(firstDetail(refused)).toMatchObject({
      status: 422,
      field: "customerNumber",
      code: "RULE",
      params: { rule: "NUMBER_TAKEN", value: "CUST-00003" },
    })
    expect(refused.body.error.message).toContain("change the number format")
    expect((await api.post("/customers", { name: "Third" })).status).toBe(422)
    expect(seriesIn()).toEqual([{ name: "CUST", first: 1, last: 2 }])
    await format({ customers: "C-{#####}" })
    expect(await customer()).toBe("C-00003")
  })
})

describe("the start of a series", () => {
  test("can be set while the series is empty", async () => {
    expect(await put({ numberStarts: { customers: 10_001 } })).toMatchObject({
      status: 200,
      body: { data: { numberStarts: { customers: 10_001, salesOrders: 1, invoices: 1 } } },
    })
    expect(await put({ numberStarts: { customers: 10_005 } })).toMatchObject({ status: 200 })
    expect([await customer(), await customer()]).toEqual(["CUST-10005", "CUST-10006"])
    expect(seriesIn()).toEqual([{ name: "CUST", first: 10_005, last: 10_006 }])
    expect((await api.get("/settings")).body.data.numberStarts.customers).toBe(10_005)
  })

  test("cannot be updated after a number is used, and can be sent back unchanged", async () => {
    await customer()
    expect(firstDetail(await put({ numberStarts: { customers: 500 } }))).toMatchObject({
      status: 422,
      field: "numberStarts.customers",
      code: "RULE",
      params: { rule: "IN_USE" },
    })
    const settings = (await api.get("/settings")).body.data
    expect(await put(settings)).toMatchObject({ status: 200, body: { data: { version: settings.version } } })
    expect(await put({ numberStarts: { customers: null } })).toMatchObject({ status: 200 })
  })

  test("belongs to the series of the format that the same request sets", async () => {
    await customer()
    await put({ numberFormats: { customers: "{YYYY}-{###}" }, numberStarts: { customers: 100 } })
    expect(await customer()).toBe(`${year}-100`)
  })

  test.each([0, -1, 1.5, 10_000_000_000])("%p is refused", async (start) => {
    expect(refusalOf(await put({ numberStarts: { customers: start } }))).toMatchObject({
      status: 422,
      fields: ["numberStarts.customers"],
    })
  })

  test("of a refused request is not stored", async () => {
    await put({ numberStarts: { customers: 7 }, numberFormats: { salesOrders: "CUST-{#}" } })
    expect(seriesIn()).toEqual([])
    expect(await customer()).toBe("CUST-00001")
  })

  test("is in the audit log", async () => {
    await put({ numberStarts: { customers: 7 }, numberFormats: { customers: "K{#}" } })
    const [{ changes }] = (await api.get("/audit-logs?action=settings.update&perPage=1")).body.data
    expect(changes).toMatchObject({
      numberStarts: { from: { customers: 1 }, to: { customers: 7 } },
      numberFormats: { from: { customers: "CUST-{#####}" }, to: { customers: "K{#}" } },
    })
  })
})

test("a dry run uses no number and shows none", async () => {
  await put({ numberFormats: { customers: "{#}" } })
  const dry = await api.post("/customers?dryRun=true", { name: "Nobody" })
  expect(dry).toMatchObject({ status: 201, body: { data: { customerNumber: null } } })
  expect(await customer()).toBe("1")
})

describe("documents", () => {
  /** An issued invoice. */
  const issue = async (over: object = {}) => {
    const [made, item] = [await shop.customer(), await shop.item()]
    const items = [{ item: item.id, quantity: 1 }]
    return api.create("/invoices", { customer: made.id, items, status: "unpaid", ...over })
  }
  const numberOf = ({ invoiceNumber, numberSeries, numberCounter }: Record<string, unknown>) => [
    invoiceNumber,
    numberSeries,
    numberCounter,
  ]

  test("have the number of their own date, with its series and counter", async () => {
    await format({ invoices: "RE{YY}{MM}-{###}", salesOrders: "{YYYY}/{####}" })
    expect(numberOf(await issue({ invoiceDate: "2025-03-31" }))).toEqual(["RE2503-001", "INV-2025", 1])
    expect(numberOf(await issue({ invoiceDate: "2026-01-02" }))).toEqual(["RE2601-001", "INV-2026", 1])
    expect(numberOf(await issue({ invoiceDate: "2025-04-01" }))).toEqual(["RE2504-002", "INV-2025", 2])
    expect(await shop.order({ orderDate: "2025-03-31" })).toMatchObject({
      orderNumber: "2025/0001",
      numberSeries: "SO-2025",
      numberCounter: 1,
    })
  })

  test("keep their number when the format changes, and the counter goes on in mid-year", async () => {
    const first = await issue({ invoiceDate: "2026-02-01" })
    await format({ invoices: "R/{YY}/{#}" })
    const second = await issue({ invoiceDate: "2026-02-01" })
    expect([first, second].map(numberOf)).toEqual([
      ["INV-2026-00001", "INV-2026", 1],
      ["R/26/2", "INV-2026", 2],
    ])
    expect(numberOf(await shop.get("invoices", first.id))).toEqual(["INV-2026-00001", "INV-2026", 1])
  })

  test("are not issued with a number that exists, and nothing is stored", async () => {
    // The two centuries have the same numbers in this format.
    await format({ invoices: "R{YY}-{#}" })
    await issue({ invoiceDate: "2026-02-01" })
    const refused = await api.post("/invoices", {
      customer: (await shop.customer()).id,
      items: [{ item: (await shop.item()).id, quantity: 1 }],
      status: "unpaid",
      invoiceDate: "1926-02-01",
    })
    expect(firstDetail(refused)).toMatchObject({
      status: 422,
      field: "invoiceNumber",
      params: { rule: "NUMBER_TAKEN", value: "R26-1" },
    })
    expect(seriesIn()).not.toContainEqual(expect.objectContaining({ name: "INV-1926" }))
    expect((await api.get("/invoices")).body.meta.total).toBe(1)
  })

  test("have no number in a dry run", async () => {
    const body = {
      customer: (await shop.customer()).id,
      items: [{ item: (await shop.item()).id, quantity: 1 }],
    }
    const order = await api.post("/sales-orders?dryRun=true", body)
    expect(order.body.data).toMatchObject({ orderNumber: null, numberCounter: null })
    const invoice = await api.post("/invoices?dryRun=true", { ...body, status: "unpaid" })
    expect(invoice.body.data).toMatchObject({ invoiceNumber: null, numberCounter: null, status: "unpaid" })
  })

  test("are found by a short number in any format, also in those of before", async () => {
    const old = await issue({ invoiceDate: "2026-02-01" })
    await format({ invoices: "RE/{YY}{MM}/{##}" })
    const found = async (q: string) =>
      (await api.get(`/search?q=${encodeURIComponent(q)}`)).body.data.invoices
        .filter(({ score }: { score: number }) => score === 1)
        .map(({ id }: { id: string }) => id)
    const { id } = await issue({ invoiceDate: "2026-02-01" })
    for (const q of ["2", "#2", "RE 2", "re2", "re 2026 2", "RE/2602/02", "re/2602/02"])
      expect([q, await found(q)]).toEqual([q, [id]])
    for (const q of ["1", "INV-1", "inv 2026 1", "INV-2026-00001"])
      expect([q, await found(q)]).toEqual([q, [old.id]])
    expect(await found("INV-2")).toEqual([])
  })
})
