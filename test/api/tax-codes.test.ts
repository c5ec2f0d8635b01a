import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { presetCountries, taxPresetsOf } from "../../src/shared/documents/tax-presets"
import { cleanUp, serve } from "../support/kontor"

let api: Api
let codes = 0
const draft = (over: object = {}) => ({
  code: `T-${++codes}`,
  name: "19 % VAT",
  category: "S",
  rate: 19,
  ...over,
})

beforeAll(async () => {
  api = await signIn(await serve())
})
afterAll(cleanUp)

describe("POST /tax-codes", () => {
  test("returns 201 with the whole record and its defaults", async () => {
    const answer = await api.post("/tax-codes", {
      code: " VAT19 ",
      name: "19 % VAT",
      category: "S",
      rate: 19,
    })
    const { data } = answer.body
    expect(answer.status).toBe(201)
    expect(answer.headers.get("location")).toBe(`/api/v1/tax-codes/${data.id}`)
    expect(answer.headers.get("etag")).toBe('"1.0"')
    expect(data).toEqual({
      id: expect.stringMatching(/^tax_[0-9a-z]{26}$/),
      code: "VAT19",
      name: "19 % VAT",
      category: "S",
      rate: 19,
      reason: null,
      isActive: true,
      isUsed: false,
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: data.createdAt,
    })
    expect((await api.get(`/tax-codes/${data.id}`)).body.data).toEqual(data)
  })

  test.each(["Z", "E", "AE", "K", "G", "O"])("accepts the category %s without a rate", async (category) => {
    const reason = "No tax is charged."
    expect(await api.create("/tax-codes", draft({ category, rate: undefined, reason }))).toMatchObject({
      category,
      rate: 0,
      reason,
    })
  })

  const wrong: [string, object, string[]][] = [
    [
      "an empty body",
      { code: undefined, name: undefined, category: undefined },
      ["category", "code", "name"],
    ],
    ["the category S without a rate", { rate: undefined }, ["rate"]],
    ["the category S with a rate of 0", { rate: 0 }, ["rate"]],
    ["the category Z with a rate", { category: "Z" }, ["rate"]],
    ["the category AE with a rate", { category: "AE", rate: 0.0001 }, ["rate"]],
    ["the category E without a reason", { category: "E", rate: 0 }, ["reason"]],
    ["the category O with a rate and without a reason", { category: "O" }, ["rate", "reason"]],
    ["an unknown category", { category: "L" }, ["category"]],
    ["a rate over 100", { rate: 101 }, ["rate"]],
    ["a code over 20 characters", { code: "x".repeat(21) }, ["code"]],
    ["a field that only the server sets", { isUsed: true }, ["isUsed"]],
  ]
  test.each(wrong)("refuses %s and names the field", async (_, over, fields) => {
    const answer = await api.post("/tax-codes", draft(over))
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(fields)
  })
})

describe("PUT /tax-codes/{id}", () => {
  test("updates a code; one that nothing names yet may change its category and rate", async () => {
    const { id } = await api.create("/tax-codes", draft())
    const change = { name: "Exempt", category: "E", rate: 0, reason: "Small business" }
    expect(await api.put(`/tax-codes/${id}`, change)).toMatchObject({
      status: 200,
      body: { data: { ...change, version: 2 } },
    })
  })

  test("looks at category, rate and reason together with what is stored", async () => {
    const { id } = await api.create("/tax-codes", draft())
    const wrong: [object, string[]][] = [
      [{ category: "Z" }, ["rate"]],
      [{ category: "O", rate: 0 }, ["reason"]],
      [{ rate: null }, ["rate"]],
      [{ category: null }, ["category"]],
      [{ category: "E", rate: 5, reason: "" }, ["rate", "reason"]],
    ]
    for (const [change, fields] of wrong) {
      const refusal = refusalOf(await api.put(`/tax-codes/${id}`, change))
      expect([change, refusal.fields.toSorted()]).toEqual([change, fields])
    }
    const exempt = await api.create("/tax-codes", draft({ category: "E", rate: 0, reason: "Why" }))
    expect(refusalOf(await api.put(`/tax-codes/${exempt.id}`, { reason: null }))).toMatchObject({
      fields: ["reason"],
    })
  })
})

describe("a tax code that a record names", () => {
  const used = async (over: object = {}) => {
    const code = await api.create("/tax-codes", draft(over))
    await api.create("/items", { itemCode: `I-${code.code}`, itemName: "Thing", taxCode: code.id })
    return code
  }

  test("is marked as used: its ETag and updatedAt move, its version does not", async () => {
    const code = await api.create("/tax-codes", draft())
    const etagOf = async () => (await api.get(`/tax-codes/${code.id}`)).headers.get("etag")
    expect(await etagOf()).toBe('"1.0"')
    await api.post("/items?dryRun=true", { itemCode: "DRY", itemName: "Dry", taxCode: code.id })
    expect(await etagOf()).toBe('"1.0"')
    for (const itemCode of ["FIRST", "SECOND"])
      await api.create("/items", { itemCode, itemName: "Thing", taxCode: code.id })
    const { data } = (await api.get(`/tax-codes/${code.id}`)).body
    expect(await etagOf()).toBe('"1.1"')
    expect(data).toMatchObject({ isUsed: true, version: 1 })
    expect(data.updatedAt > code.updatedAt).toBeTrue()
  })

  test("keeps its category and rate on every way in, and may change the rest", async () => {
    const { id, code } = await used()
    const refusals = [
      await api.put(`/tax-codes/${id}`, { rate: 20 }),
      await api.put(`/tax-codes/by/code/${code}`, { rate: 20 }),
      await api.put(`/tax-codes/${id}?dryRun=true`, { rate: 20 }),
    ]
    for (const answer of refusals)
      expect(answer).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: "rate", code: "RULE", params: { rule: "IN_USE" } }] } },
      })
    const operations = [
      { op: "update", id, body: { rate: 20 } },
      { op: "upsert", by: { field: "code", value: code }, body: { category: "Z", rate: 0 } },
    ]
    const batch = await api.post("/tax-codes/batch", { mode: "each", operations })
    expect(
      batch.body.data.results.map(({ error }: any) => error.details.map((each: any) => each.field)),
    ).toEqual([["rate"], ["category", "rate"]])
    const rest = { name: "Renamed", reason: "A text", isActive: false, category: "S", rate: 19 }
    expect(await api.put(`/tax-codes/${id}`, rest)).toMatchObject({ status: 200, body: { data: rest } })
  })

  test("cannot be deleted, also when the item does not name it any more", async () => {
    const { id, code } = await used()
    await api.put(`/items/by/itemCode/I-${code}`, { taxCode: null })
    expect(refusalOf(await api.delete(`/tax-codes/${id}`))).toMatchObject({
      status: 422,
      code: "RECORD_IN_USE",
    })
    expect((await api.delete(`/tax-codes/${id}`, { "if-match": '"9.0"' })).status).toBe(412)
  })
})

test("a code that nothing names can be deleted", async () => {
  const { id } = await api.create("/tax-codes", draft())
  expect((await api.delete(`/tax-codes/${id}`)).status).toBe(204)
  expect((await api.get(`/tax-codes/${id}`)).status).toBe(404)
  expect(
    refusalOf(await api.post("/items", { itemCode: "GONE", itemName: "Thing", taxCode: id })),
  ).toMatchObject({ fields: ["taxCode"] })
})

test("PUT by code creates and updates, and GET by code finds it in any case", async () => {
  const path = "/tax-codes/by/code/X20"
  const body = { name: "TVA 20 %", category: "S", rate: 20 }
  expect(await api.put(path, body)).toMatchObject({ status: 201, body: { data: { ...body, code: "X20" } } })
  expect(await api.put(path, { name: "TVA" })).toMatchObject({ status: 200, body: { data: { name: "TVA" } } })
  expect((await api.get("/tax-codes/by/code/x20")).body.data).toMatchObject({ name: "TVA", rate: 20 })
  expect(refusalOf(await api.put("/tax-codes/by/code/X0", { name: "Zero", category: "S" }))).toMatchObject({
    fields: ["rate"],
  })
})

test("lists search codes and names, and filter by category", async () => {
  await api.create("/tax-codes", draft({ code: "SEARCHED", name: "Lookup words" }))
  for (const query of ["search=searched", "search=lookup%20wor", "code=SEARCHED&category=S"])
    expect((await api.get(`/tax-codes?${query}`)).body.data).toMatchObject([{ code: "SEARCHED" }])
})

test("the history shows what changed", async () => {
  const { id } = await api.create("/tax-codes", draft())
  await api.put(`/tax-codes/${id}`, { rate: 20 })
  const { data } = (await api.get(`/tax-codes/${id}/history`)).body
  expect(data.map(({ changes }: any) => changes.rate)).toEqual([
    { from: 19, to: 20 },
    { from: null, to: 19 },
  ])
})

test("every preset of every country is accepted", async () => {
  const presets = presetCountries.flatMap((country) => taxPresetsOf(country, "en"))
  const operations = presets.map((body) => ({ op: "create", body }))
  const { results } = (await api.post("/tax-codes/batch", { mode: "each", operations })).body.data
  expect(results.map(({ data, error }: any) => data ?? error)).toMatchObject(presets)
})

test("the default tax code of the settings stays active", async () => {
  const { id } = await api.create("/tax-codes", draft())
  await api.put("/settings", { defaultTaxCode: id })
  expect(refusalOf(await api.put(`/tax-codes/${id}`, { isActive: false }))).toMatchObject({
    status: 422,
    fields: ["isActive"],
  })
  await api.put("/settings", { defaultTaxCode: null })
  expect((await api.put(`/tax-codes/${id}`, { isActive: false })).status).toBe(200)
})
