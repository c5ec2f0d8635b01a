import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api
let made = 0
let vat19: string
let vat7: string
let zero: string
let old: string
const draft = (over: object = {}) => ({ itemCode: `I-${++made}`, itemName: "Thing", ...over })
const code = (name: string, category: string, rate: number) =>
  api.create("/tax-codes", { code: name, name, category, rate }).then(({ id }) => id)

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  vat19 = await code("VAT19", "S", 19)
  vat7 = await code("VAT7", "S", 7)
  zero = await code("ZERO", "Z", 0)
  old = await code("OLD", "S", 16)
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

describe("a new item", () => {
  test("shows the rate of its tax code", async () => {
    expect(await api.create("/items", draft({ taxCode: vat19 }))).toMatchObject({
      taxCode: vat19,
      taxRate: 19,
    })
    expect(await api.create("/items", draft({ taxCode: vat7, taxRate: 7 }))).toMatchObject({ taxRate: 7 })
    expect(await api.create("/items", draft({ taxCode: zero, taxRate: null }))).toMatchObject({ taxRate: 0 })
  })

  test("has a rate without a code, or neither", async () => {
    expect(await api.create("/items", draft({ taxRate: 5.5 }))).toMatchObject({ taxCode: null, taxRate: 5.5 })
    expect(await api.create("/items", draft())).toMatchObject({ taxCode: null, taxRate: 0 })
  })

  test.each([7, 0, 19.0001])("refuses a rate of %d with a code of 19 %", async (taxRate) => {
    const answer = await api.post("/items", draft({ taxCode: vat19, taxRate }))
    expect(answer.body.error.details).toMatchObject([
      { field: "taxRate", code: "RULE", params: { rule: "MISMATCH", value: 19 } },
    ])
  })

  test("refuses a code that does not exist, or is of a wrong type", async () => {
    for (const taxCode of ["tax_never", 5, ""])
      expect(refusalOf(await api.post("/items", draft({ taxCode, taxRate: 3 })))).toMatchObject({
        status: 422,
        fields: ["taxCode"],
      })
  })
})

describe("an update of an item", () => {
  const update = async (change: object, before: object = { taxCode: vat19 }) => {
    const { id } = await api.create("/items", draft(before))
    const { status, body } = await api.put(`/items/${id}`, change)
    return status === 200
      ? [body.data.taxCode, body.data.taxRate]
      : body.error.details.map((e: any) => e.field)
  }

  test("another rate clears the code, the same rate does not", async () => {
    expect(await update({ taxRate: 7 })).toEqual([null, 7])
    expect(await update({ taxRate: null })).toEqual([null, 0])
    expect(await update({ taxRate: 19 })).toEqual([vat19, 19])
    expect(await update({ taxRate: null }, { taxCode: zero })).toEqual([zero, 0])
  })

  test("another code sets the rate, and no code keeps it", async () => {
    expect(await update({ taxCode: vat7 })).toEqual([vat7, 7])
    expect(await update({ taxCode: zero })).toEqual([zero, 0])
    expect(await update({ taxCode: vat7 }, { taxRate: 19 })).toEqual([vat7, 7])
    expect(await update({ taxCode: null })).toEqual([null, 19])
    expect(await update({ taxCode: null, taxRate: 3 })).toEqual([null, 3])
  })

  test("a record can be read, edited and sent back: of code and rate the one that differs counts", async () => {
    expect(await update({ taxCode: vat7, taxRate: 19 })).toEqual([vat7, 7])
    expect(await update({ taxCode: vat19, taxRate: 7 })).toEqual([null, 7])
    expect(await update({ taxCode: vat7, taxRate: 7 })).toEqual([vat7, 7])
  })

  test("a code and a rate that both differ must agree", async () => {
    expect(await update({ taxCode: vat7, taxRate: 8 })).toEqual(["taxRate"])
    expect(await update({ taxCode: "tax_never", taxRate: 8 })).toEqual(["taxCode"])
    expect(await update({ taxCode: 5, taxRate: 8 })).toEqual(["taxCode"])
    expect(await update({ taxRate: 101 })).toEqual(["taxRate"])
    expect(await update({ taxCode: vat7, taxRate: 101 })).toEqual(["taxRate"])
    expect(await update({ taxCode: vat7, taxRate: [[]] })).toEqual(["taxRate"])
  })

  test("the same holds by key, in a batch and in a dry run", async () => {
    const { id, itemCode } = await api.create("/items", draft({ taxCode: vat19 }))
    const dry = await api.put(`/items/${id}?dryRun=true`, { taxRate: 7 })
    expect(dry.body.data).toMatchObject({ taxCode: null, taxRate: 7 })
    const byKey = await api.put(`/items/by/itemCode/${itemCode}`, { taxCode: vat7 })
    expect(byKey.body.data).toMatchObject({ taxCode: vat7, taxRate: 7 })
    const operations = [
      { op: "update", id, body: { taxCode: vat19, taxRate: 8 } },
      { op: "upsert", by: { field: "itemCode", value: itemCode }, body: { taxRate: 8 } },
      { op: "create", body: draft({ taxCode: vat19, taxRate: 8 }) },
    ]
    const { results } = (await api.post("/items/batch", { mode: "each", operations })).body.data
    expect(results[0].error.details).toMatchObject([{ field: "taxRate" }])
    expect(results[1].data).toMatchObject({ taxCode: null, taxRate: 8 })
    expect(results[2].error.details).toMatchObject([{ field: "taxRate" }])
  })

  test("an inactive code stays where it is, and cannot be chosen", async () => {
    const { id } = await api.create("/items", draft({ taxCode: old }))
    expect((await api.put(`/tax-codes/${old}`, { isActive: false })).status).toBe(200)
    const stays = await api.put(`/items/${id}`, { itemName: "Renamed", taxCode: old, taxRate: 16 })
    expect(stays.body.data).toMatchObject({ itemName: "Renamed", taxCode: old, taxRate: 16 })
    for (const answer of [
      await api.post("/items", draft({ taxCode: old })),
      await api.put(`/items/by/itemCode/${(await api.create("/items", draft())).itemCode}`, { taxCode: old }),
    ])
      expect(answer.body.error.details).toMatchObject([
        { field: "taxCode", code: "RULE", params: { rule: "INACTIVE", name: "OLD" } },
      ])
  })
})

test("items are filtered by their tax code", async () => {
  const { id } = await api.create("/items", draft({ taxCode: await code("FILTER", "S", 1) }))
  const { taxCode } = (await api.get(`/items/${id}`)).body.data
  expect((await api.get(`/items?taxCode=${taxCode}`)).body.data).toMatchObject([{ id }])
})

test("a new item that says nothing takes the default tax code of the settings", async () => {
  const taxCode = await code("DEFAULT", "S", 21)
  expect((await api.put("/settings", { defaultTaxCode: taxCode })).status).toBe(200)
  const taxOf = async (over: object) => {
    const item = await api.create("/items", draft(over))
    return [item.taxCode, item.taxRate]
  }
  expect(await taxOf({})).toEqual([taxCode, 21])
  expect(await taxOf({ taxRate: null })).toEqual([taxCode, 21])
  expect(await taxOf({ taxCode: null })).toEqual([null, 0])
  expect(await taxOf({ taxRate: 0 })).toEqual([null, 0])
  expect(await taxOf({ taxRate: 21 })).toEqual([null, 21])
  expect(await taxOf({ taxCode: vat7 })).toEqual([vat7, 7])
  const byKey = await api.put("/items/by/externalId/default-1", draft())
  expect(byKey.body.data).toMatchObject({ taxCode, taxRate: 21 })
  const operations = [{ op: "create", body: draft() }]
  const batch = await api.post("/items/batch", { mode: "all", operations })
  expect(batch.body.data.results[0].data).toMatchObject({ taxCode, taxRate: 21 })

  // The default stays active, because new items would be refused otherwise.
  expect((await api.put(`/tax-codes/${taxCode}`, { isActive: false })).status).toBe(422)
  expect(await taxOf({ taxCode: null })).toEqual([null, 0])
  await api.put("/settings", { defaultTaxCode: null })
  expect(await taxOf({})).toEqual([null, 0])
})
