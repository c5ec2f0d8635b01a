import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Answer, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

const put = (body: object) => api.put("/settings", body)
const stored = async () => (await api.get("/settings")).body.data
const firstDetail = ({ status, body }: Answer) => ({ status, ...body?.error?.details?.[0] })

describe("the company", () => {
  const company = {
    legalName: "Hafen & Söhne Handels GmbH",
    address: { street: "Am Kai 1", city: "Hamburg", state: null, zipCode: "20457", country: "DE" },
    email: "office@example.com",
    phone: "+49 40 1234567",
    website: "www.example.com",
    vatId: "DE811569869",
    taxNumber: "22/815/08154",
    registrationId: "HRB 12345",
    iban: "DE89370400440532013000",
    bic: "COBADEFFXXX",
    bankName: "Commerzbank",
    documentFooter: "Managing director: Anna Petersen\nHamburg",
    defaultPaymentTerms: "Net 30",
    defaultLanguage: "de",
    defaultUnit: "Stk",
    pricesIncludeTax: true,
    setUpStep: "numbers",
  }

  test("is empty at first", async () => {
    expect(await stored()).toMatchObject({
      legalName: null,
      address: null,
      iban: null,
      documentFooter: null,
      defaultPaymentTerms: null,
      defaultLanguage: "en",
      defaultUnit: null,
      pricesIncludeTax: false,
      setUpStep: null,
      defaultTaxCode: null,
      lockedUntil: null,
      logo: null,
      numberFormats: {
        customers: "CUST-{#####}",
        salesOrders: "SO-{YYYY}-{#####}",
        invoices: "INV-{YYYY}-{#####}",
      },
      numberStarts: { customers: 1, salesOrders: 1, invoices: 1 },
    })
  })

  test("is stored, and can be sent back unchanged", async () => {
    expect(await put(company)).toMatchObject({ status: 200, body: { data: company } })
    const record = await stored()
    expect(record).toMatchObject(company)
    const again = await put(record)
    expect(again.body).toEqual({ success: true, data: record })
  })

  test("is in the audit log, field by field", async () => {
    await put({ bankName: "Sparkasse", address: { street: "Am Kai 2" } })
    const { changes } = (await api.get("/audit-logs?action=settings.update&perPage=1")).body.data[0]
    expect(changes).toEqual({
      bankName: { from: "Commerzbank", to: "Sparkasse" },
      address: { from: company.address, to: { ...company.address, street: "Am Kai 2" } },
    })
  })

  test("an IBAN and a BIC are stored in upper case without spaces", async () => {
    await put({ iban: "gb82 west 1234 5698 7654 32", bic: "nwbk gb2l" })
    expect(await stored()).toMatchObject({ iban: "GB82WEST12345698765432", bic: "NWBKGB2L" })
  })

  test.each([
    ["iban", "DE88 3704 0044 0532 0130 00", "iban"],
    ["iban", "ABC", "iban"],
    ["bic", "COBADEFFXX", "bic"],
    ["email", "nobody", "email"],
  ])("%s %s is refused", async (field, value, format) => {
    expect(firstDetail(await put({ [field]: value }))).toMatchObject({
      status: 422,
      field,
      code: "FORMAT",
      params: { format },
    })
  })

  test.each([
    [{ address: { country: "XX" } }, "address.country"],
    [{ documentFooter: "x".repeat(2_001) }, "documentFooter"],
    [{ defaultLanguage: "es" }, "defaultLanguage"],
    [{ pricesIncludeTax: "yes" }, "pricesIncludeTax"],
    [{ setUpStep: "money" }, "setUpStep"],
  ])("%j is refused", async (body, field) => {
    expect(refusalOf(await put(body))).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: [field] })
  })

  test("every caller learns what is needed to enter documents", async () => {
    await put({ pricesIncludeTax: false, lockedUntil: "2020-12-31" })
    const viewer = await api.create("/users", {
      email: "viewer@example.com",
      name: "Vera",
      role: "viewer",
      password: "correct horse battery",
    })
    const me = await (await signIn(kontor, viewer.email, "correct horse battery")).get("/auth/me")
    expect(me.body.data.company).toMatchObject({
      pricesIncludeTax: false,
      defaultTaxCode: null,
      defaultLanguage: "de",
      defaultPaymentTerms: "Net 30",
      defaultUnit: "Stk",
      lockedUntil: "2020-12-31",
    })
    await put({ lockedUntil: null })
  })
})

describe("the default tax code", () => {
  const insertCode = (id: string, code: string, isActive: number) =>
    inFile(kontor, (db) =>
      db.run(
        `INSERT INTO tax_codes (id, code, code_key, code_sort, name, name_sort, category, rate, is_active, is_used, version,
           created_at, updated_at) VALUES (?, ?, lower(?), lower(?), 'x', 'x', 'S', 190000, ?, 0, 1, '2026', '2026')`,
        [id, code, code, code, isActive],
      ),
    )
  const [active, inactive] = ["tax_00000000000000000000000001", "tax_00000000000000000000000002"]

  test("an invalid value and a value that names nothing are reported together", async () => {
    const answer = await put({ bic: "no BIC", defaultTaxCode: "tax_nothing" })
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["bic", "defaultTaxCode"] })
  })

  test("must exist and be active", async () => {
    insertCode(active, "DE19", 1)
    insertCode(inactive, "OLD", 0)
    expect(firstDetail(await put({ defaultTaxCode: "tax_nothing" }))).toMatchObject({
      status: 422,
      field: "defaultTaxCode",
      code: "NOT_FOUND",
      params: { value: "tax_nothing" },
    })
    expect(firstDetail(await put({ defaultTaxCode: inactive }))).toMatchObject({
      status: 422,
      field: "defaultTaxCode",
      code: "RULE",
      params: { rule: "INACTIVE", name: "OLD" },
    })
  })

  test("is marked as used, and stays valid when the code becomes inactive", async () => {
    expect(await put({ defaultTaxCode: active })).toMatchObject({ status: 200 })
    const used = () =>
      inFile(kontor, (db) =>
        db.query("SELECT id, is_used FROM tax_codes WHERE id IN (?, ?) ORDER BY id").all(active, inactive),
      )
    expect(used()).toEqual([
      { id: active, is_used: 1 },
      { id: inactive, is_used: 0 },
    ])
    inFile(kontor, (db) => db.run("UPDATE tax_codes SET is_active = 0 WHERE id = ?", [active]))
    expect(await put({ defaultTaxCode: active, bankName: "Sparkasse Hamburg" })).toMatchObject({
      status: 200,
      body: { data: { defaultTaxCode: active } },
    })
    expect(await put({ defaultTaxCode: null })).toMatchObject({ body: { data: { defaultTaxCode: null } } })
  })
})
