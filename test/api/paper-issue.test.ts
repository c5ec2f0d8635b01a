// What an issue keeps, and e-invoices that would not be valid.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Answer } from "../support/api"
import { download, fillCompany, paperShop } from "../support/downloads"
import { inFile } from "../support/file"
import { cleanUp } from "../support/kontor"

const { kontor, api, shop, body, issue, formsOf, papersOf } = await paperShop()
let invoice: string
let draft: string

beforeAll(async () => {
  invoice = (await issue()).id
  draft = (await api.create("/invoices", body())).id
})
afterAll(cleanUp)

const get = (path: string) => download(kontor, api, path)

describe("an e-invoice that would not be valid", () => {
  const detailsOf = ({ body: { error } }: Answer) => error.details

  test("is refused with the list of the check, and nothing is stored at issue", async () => {
    await api.put("/settings", { vatId: null, taxNumber: null, address: { country: null } })
    const poor = await shop.customer({ name: "No address" })
    const { id } = await issue({ customer: poor.id, buyerReference: null })
    const credit = await api.create(`/invoices/${id}/credit-notes`, { reason: "Wrong" })
    await fillCompany(api)
    for (const document of [`/invoices/${id}`, `/credit-notes/${credit.id}`]) {
      const required = new Map<string, number>()
      for (const profile of ["en16931", "xrechnung"]) {
        const { valid, missing } = (await api.get(`${document}/e-invoice?profile=${profile}`)).body.data
        expect(valid).toBeFalse()
        expect(missing.length).toBeGreaterThan(0)
        required.set(profile, missing.length)
        for (const format of ["cii", "ubl"]) {
          const answer = await api.get(`${document}/xml?format=${format}&profile=${profile}`)
          expect([answer.status, answer.body.error.code]).toEqual([422, "E_INVOICE_INVALID"])
          expect(detailsOf(answer)).toEqual(missing.map((each: object) => ({ ...each, code: "RULE" })))
          for (const { rule, message } of detailsOf(answer)) {
            expect(rule).toMatch(/^[A-Z][A-Z0-9-]+$/)
            expect(message).not.toBe("")
          }
        }
      }
      expect(required.get("xrechnung")).toBeGreaterThanOrEqual(required.get("en16931") ?? 0)
      expect(await formsOf(document)).toEqual([])
      // The PDF exists all the same, without an e-invoice inside.
      expect((await get(`${document}/pdf`)).status).toBe(200)
      expect(await formsOf(document)).toEqual(["pdf-en"])
    }
  })

  test("stays invalid when the company is completed later, because the document keeps its seller", async () => {
    await api.put("/settings", { vatId: null, taxNumber: null })
    const { id } = await issue()
    await fillCompany(api)
    expect((await api.get(`/invoices/${id}/e-invoice`)).body.data.valid).toBeFalse()
    expect((await api.get(`/invoices/${id}/xml`)).status).toBe(422)
  })

  test("of XRechnung is told before the number is given, and how the company is reached can be filled in later", async () => {
    await api.put("/settings", { phone: null, email: null })
    const { id } = await api.create("/invoices", body({ buyerReference: "04011000-1" }))
    const path = `/invoices/${id}/status`
    const warningsOf = ({ body: { warnings = [] } }: Answer) =>
      warnings.filter(({ code }: { code: string }) => code === "XRECHNUNG_INCOMPLETE")
    const issuing = { status: "unpaid" }
    const tried = warningsOf(await api.put(`${path}?dryRun=true`, issuing))
    expect(tried).toMatchObject([{ params: { missing: ["seller.phone", "seller.email"] } }])
    expect(warningsOf(await api.put(path, issuing))).toEqual(tried)
    const xml = () => get(`/invoices/${id}/xml?profile=xrechnung`)
    const kept = await get(`/invoices/${id}/xml`)
    const refused = await api.get(`/invoices/${id}/xml?profile=xrechnung`)
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      "The e-invoice would not be valid. The details say what is missing.",
    ])
    await fillCompany(api)
    const first = await xml()
    expect([first.status, first.bytes.toString().includes("+49 40 1234567")]).toEqual([200, true])
    await api.put("/settings", { phone: "+49 40 999" })
    expect((await xml()).sha256).toBe(first.sha256)
    expect((await get(`/invoices/${id}/xml`)).sha256).toBe(kept.sha256)
    await fillCompany(api)
    const complete = await api.post(
      "/invoices?dryRun=true",
      body({ ...issuing, buyerReference: "04011000-1" }),
    )
    expect(warningsOf(complete)).toEqual([])
    expect(warningsOf(await api.post("/invoices?dryRun=true", body(issuing)))).toEqual([])
  })

  test("is checked for a draft as if it were issued now; its XML has no number and is refused", async () => {
    const check = async () => (await api.get(`/invoices/${draft}/e-invoice`)).body.data
    expect(await check()).toEqual({ valid: true, missing: [] })
    await api.put("/settings", { vatId: null, taxNumber: null })
    const { valid, missing } = await check()
    expect([valid, missing.length > 0]).toEqual([false, true])
    await fillCompany(api)
    expect((await check()).valid).toBeTrue()
    const answer = await api.get(`/invoices/${draft}/xml`)
    expect([answer.status, answer.body.error.code, detailsOf(answer).length]).toEqual([
      422,
      "E_INVOICE_INVALID",
      1,
    ])
    expect(detailsOf(answer)[0]).toMatchObject({ code: "RULE", rule: "BR-02" })
    expect(papersOf(draft)).toEqual([])
  })
})

describe("an issue keeps the e-invoice once", () => {
  test("with a repeated Idempotency-Key", async () => {
    const key = { "idempotency-key": crypto.randomUUID() }
    const given = body({ status: "unpaid" })
    const [first, again] = [await api.post("/invoices", given, key), await api.post("/invoices", given, key)]
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect(await formsOf(`/invoices/${first.body.data.id}`)).toEqual(["cii-en16931"])
  })

  test.each(["each", "all"])("in a batch with mode %s", async (mode) => {
    const operations = [1, 2, 3].map(() => ({ op: "create", body: body({ status: "unpaid" }) }))
    const headers = { "idempotency-key": crypto.randomUUID() }
    const answers = [
      await api.post("/invoices/batch", { mode, operations }, headers),
      await api.post("/invoices/batch", { mode, operations }, headers),
    ]
    const ids = answers.map(({ body: { data } }) =>
      data.results.map((result: { data: { id: string } }) => result.data.id),
    )
    expect(ids[1]).toEqual(ids[0])
    for (const id of ids[0]) expect(await formsOf(`/invoices/${id}`)).toEqual(["cii-en16931"])
  })

  test("and a credit note has the codes of units that its invoice was issued with", async () => {
    await api.put("/settings", { unitCodes: { Fass: "XBA" } })
    const items = [{ description: "Wine", quantity: 2, rate: 40, uom: "Fass" }]
    const { id } = await issue({ items })
    await api.put("/settings", { unitCodes: { Fass: null } })
    const { id: note } = await api.create(`/invoices/${id}/credit-notes`, { reason: "Corked" })
    const { status, bytes } = await get(`/credit-notes/${note}/xml`)
    expect([status, bytes.toString().includes('unitCode="XBA"')]).toEqual([200, true])
  })

  test("and a dry run none", async () => {
    const count = () =>
      inFile(kontor, (db) =>
        db.query("SELECT count(*) FROM papers UNION ALL SELECT count(*) FROM paper_values").values(),
      )
    const before = count()
    const order = await shop.submitted(body())
    for (const answer of [
      await api.post("/invoices?dryRun=true", body({ status: "unpaid" })),
      await api.put(`/invoices/${draft}/status?dryRun=true`, { status: "unpaid" }),
      await api.post("/invoices/from-order?dryRun=true", { salesOrder: order.id }),
      await api.post(`/invoices/${invoice}/credit-notes?dryRun=true`, { reason: "Wrong" }),
    ])
      expect([answer.status < 300, answer.headers.get("dry-run")]).toEqual([true, "true"])
    expect(count()).toEqual(before)
  })
})
