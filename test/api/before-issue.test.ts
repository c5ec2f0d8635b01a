import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Answer, type Api, signIn } from "../support/api"
import { importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let api: Api
let shop: Trade
beforeAll(async () => {
  api = await signIn(await serve())
  shop = trade(api)
  await api.put("/settings", { address: { country: "DE" } })
})
afterAll(cleanUp)

type Warned = { code: string; field: string; message: string; params: Record<string, unknown> }
const warningsOf = ({ body }: Answer): Warned[] => body.warnings ?? []
const codesOf = (answer: Answer) => warningsOf(answer).map(({ code }) => code)

const vatId = "FR40303265045"
const paris = { street: "Rue 1", zipCode: "75001", city: "Paris", country: "FR" }
const home = { street: "Kai 1", zipCode: "20457", city: "Hamburg", country: "DE" }

describe("A customer", () => {
  test.each([
    ["a wrong check digit", "DE123456789", { problem: "CHECK_DIGIT", country: "DE" }],
    ["a digit too few", "ATU1358562", { problem: "FORMAT", country: "AT", example: "ATU13585627" }],
  ])("whose VAT ID has %s is stored with a warning, also on an update", async (_, taxId, params) => {
    const warning = { code: "VAT_ID_UNLIKELY", field: "taxId", params: { taxId, ...params } }
    const made = await api.post("/customers", { name: "Typo", taxId, taxTreatment: "reverse-charge" })
    expect([made.status, made.body.data.taxId, warningsOf(made)]).toMatchObject([201, taxId, [warning]])
    const path = `/customers/${made.body.data.id}`
    expect(codesOf(await api.put(path, { notes: "Hello" }))).toEqual([])
    expect(codesOf(await api.put(path, { taxId: vatId, taxTreatment: "intra-community" }))).toEqual([])
    const again = await api.put(path, { taxId, taxTreatment: "reverse-charge" })
    expect(warningsOf(again)).toMatchObject([warning])
  })

  test("whose Leitweg-ID was mistyped is stored with a warning, and so is an invoice with it", async () => {
    const [wrong, right] = ["04011000-1234512345-99", "04011000-1234512345-06"]
    const warning = {
      code: "LEITWEG_CHECK_DIGITS",
      field: "buyerReference",
      params: { buyerReference: wrong, expected: "06" },
    }
    const made = await api.post("/customers", { name: "Amt", address: home, buyerReference: wrong })
    expect([made.status, warningsOf(made)]).toMatchObject([201, [warning]])
    const { id } = made.body.data
    expect(codesOf(await api.put(`/customers/${id}`, { notes: "Hello" }))).toEqual([])
    const draft = { customer: id, items: [{ description: "Work", quantity: 1, rate: 10 }] }
    const issued = await api.post("/invoices?dryRun=true", { ...draft, status: "unpaid" })
    expect(codesOf(issued)).toContain("LEITWEG_CHECK_DIGITS")
    expect(codesOf(await api.put(`/customers/${id}`, { buyerReference: right }))).toEqual([])
    expect(codesOf(await api.put(`/customers/${id}`, { buyerReference: "PO 4711" }))).toEqual([])
  })

  test("may have any other tax number, and one without the code of its country abroad is told with it", async () => {
    const at = { name: "Wien", address: { country: "AT" } }
    expect(codesOf(await api.post("/customers", { ...at, taxId: "12 345/6789" }))).toEqual([])
    const [found] = warningsOf(
      await api.post("/customers", { ...at, taxId: "U13585627", taxTreatment: "reverse-charge" }),
    )
    expect(found?.params).toMatchObject({ problem: "PREFIX", example: "ATU13585627" })
    const atHome = { name: "Köln", address: { country: "DE" }, taxId: "136695976" }
    expect(codesOf(await api.post("/customers", atHome))).toEqual([])
  })

  test("abroad with a VAT ID is told the treatment that fits, and why; what is stored stays", async () => {
    const made = await api.post("/customers", { name: "Lumière", address: paris, taxId: vatId })
    expect([made.body.data.taxTreatment, warningsOf(made)]).toEqual([
      "domestic",
      [
        {
          code: "TREATMENT_UNLIKELY",
          field: "taxTreatment",
          message:
            "The treatment of Lumière is domestic, and intra-community would fit. France is another country of the EU, and the customer has a VAT ID: goods go there without VAT, as an intra-Community supply.",
          params: {
            customerName: "Lumière",
            taxTreatment: "domestic",
            proposed: "intra-community",
            country: "FR",
            reason: "OTHER_EU_COUNTRY",
          },
        },
      ],
    ])
    const fixed = await api.put(`/customers/${made.body.data.id}`, { taxTreatment: "intra-community" })
    expect(codesOf(fixed)).toEqual([])
  })

  test("in an imported file keeps what the row says, and the import has the warnings beside the row", async () => {
    const file = `Name,Land,USt-IdNr.,Zahlungsziel\nGut,DE,DE136695976,14 Tage\nAlpen,Schweiz,CHE-107.787.577,\nTippfehler,DE,DE123456789,\n`
    for (const dryRun of ["true", "false"]) {
      const ended = await importer(api).run(`kind=customers&mode=create&dryRun=${dryRun}`, file)
      expect(ended).toMatchObject({
        status: "finished",
        counts: { rows: 3, valid: 3, invalid: 0, created: 3 },
        faultCount: 0,
        faults: [],
      })
      // Other tests have customers with the same tax IDs.
      const warnings = ended.warnings.filter(({ code }: Warned) => code !== "POSSIBLE_DUPLICATE")
      expect(warnings).toMatchObject([
        {
          row: 3,
          column: null,
          field: "taxTreatment",
          code: "TREATMENT_UNLIKELY",
          params: { proposed: "export" },
        },
        { row: 4, column: "USt-IdNr.", field: "taxId", code: "VAT_ID_UNLIKELY" },
      ])
      const faults = await api.get(`/imports/${ended.id}/faults?format=ndjson`)
      expect(faults.text).toBe("")
    }
    const [alpen] = (await api.get("/customers?name=Alpen")).body.data
    expect(alpen.taxTreatment).toBe("domestic")
  })
})

describe("Before an invoice gets its number", () => {
  const lines = () => [{ description: "Work", quantity: 1, rate: 10 }]
  /** The warnings of each way to issue an invoice: first of the dry run, then of the issue itself. */
  async function issued(customer: Record<string, unknown>, document: Record<string, unknown> = {}) {
    const { id } = await shop.customer(customer)
    const body = { customer: id, items: lines(), ...document }
    const draft = await api.create("/invoices", body)
    const order = await shop.submitted(body)
    const ways = [
      (query: string) => api.post(`/invoices${query}`, { ...body, status: "unpaid" }),
      (query: string) => api.put(`/invoices/${draft.id}/status${query}`, { status: "unpaid" }),
      (query: string) => api.post(`/invoices/from-order${query}`, { salesOrder: order.id }),
    ]
    const found: Warned[][] = []
    for (const way of ways) {
      const dry = await way("?dryRun=true")
      const real = await way("")
      expect([dry.status, real.status]).toEqual([real.status, dry.status])
      expect(warningsOf(dry)).toEqual(warningsOf(real))
      found.push(warningsOf(real))
    }
    expect(found[1]).toEqual(found[0] ?? [])
    expect(found[2]).toEqual(found[0] ?? [])
    return found[0] ?? []
  }

  test("nothing is said of a customer with address, treatment and terms", async () => {
    expect(await issued({ address: home, paymentTerms: "14 Tage, 2 % Skonto 7 Tage" })).toEqual([])
    expect(await issued({ address: paris, taxId: vatId, taxTreatment: "intra-community" })).toEqual([])
    expect(await issued({ address: { ...home, country: "HK", zipCode: null } })).toEqual([])
  })

  test.each<[string, object | null, string[]]>([
    ["no address", null, ["street", "zipCode", "city", "country"]],
    ["an address with gaps", { city: "Kiel", country: "DE" }, ["street", "zipCode"]],
  ])("BUYER_ADDRESS_MISSING says what is missing in %s", async (_, address, missing) => {
    expect(await issued({ name: "Lücke", address })).toMatchObject([
      { code: "BUYER_ADDRESS_MISSING", field: "billingAddress", params: { customerName: "Lücke", missing } },
    ])
  })

  test.each<[string, Record<string, unknown>, Record<string, unknown>, string | null]>([
    ["abroad with a VAT ID, taxed as at home", { address: paris, taxId: vatId }, {}, "intra-community"],
    ["at home, taxed as an export", { address: home, taxTreatment: "export" }, {}, "domestic"],
    ["outside the EU, with a tax ID", { address: { ...paris, country: "NO" }, taxId: "1" }, {}, "export"],
    ["abroad without a VAT ID", { address: paris }, {}, null],
    [
      "abroad, where the goods stay at home",
      { address: paris, taxId: vatId },
      { shippingAddress: home },
      null,
    ],
  ])("TREATMENT_UNLIKELY is about a customer %s", async (_, customer, document, proposed) => {
    const found = await issued(customer, document)
    expect(found.map(({ code, params }) => [code, params.proposed])).toEqual(
      proposed === null ? [] : [["TREATMENT_UNLIKELY", proposed]],
    )
  })

  test("lines that all have a tax code of a sale abroad are no domestic ones", async () => {
    const code = await api.create("/tax-codes", { code: "EU", name: "EU", category: "K", rate: 0 })
    const items = [{ description: "Box", quantity: 1, rate: 10, taxCode: code.id }]
    expect(await issued({ address: paris, taxId: vatId }, { items })).toEqual([])
  })

  test("TERMS_NOT_UNDERSTOOD comes again when a draft is issued, unless it has a due date of its own", async () => {
    const customer = { address: home, paymentTerms: "Bar" }
    expect((await issued(customer)).map(({ code }) => code)).toEqual(["TERMS_NOT_UNDERSTOOD"])
    const { id } = await shop.customer(customer)
    const draft = await api.create("/invoices", { customer: id, items: lines(), dueDate: "2999-01-01" })
    expect(codesOf(await api.put(`/invoices/${draft.id}/status`, { status: "unpaid" }))).toEqual([])
  })
})

test("The company says by whose law it is taxed, to everybody who signs in", async () => {
  expect((await api.get("/auth/me")).body.data.company.taxCountry).toBe("DE")
})
