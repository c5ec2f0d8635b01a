import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"

let api: Api
let codes = 0
const draft = (over: object = {}) => ({ itemCode: `C-${++codes}`, itemName: "Claw hammer", ...over })

beforeAll(async () => {
  api = await signIn(await serve())
})
afterAll(cleanUp)

describe("POST /items", () => {
  test("returns 201 with the whole record, its defaults, its Location and its ETag", async () => {
    const answer = await api.post("/items", { itemCode: " H-1 ", itemName: "Hammer" })
    const { data } = answer.body
    expect(answer.status).toBe(201)
    expect(answer.headers.get("location")).toBe(`/api/v1/items/${data.id}`)
    expect(answer.headers.get("etag")).toBe('"1.0"')
    expect(data).toEqual({
      id: expect.stringMatching(/^itm_[0-9a-z]{26}$/),
      itemCode: "H-1",
      itemName: "Hammer",
      barcode: null,
      category: null,
      itemType: "Product",
      uom: "Nos",
      sellingPrice: 0,
      costPrice: 0,
      taxCode: null,
      taxRate: 0,
      currentStock: 0,
      reservedStock: 0,
      availableStock: 0,
      reorderLevel: 0,
      reorderQty: 0,
      isLowStock: false,
      description: null,
      images: [],
      externalId: null,
      metadata: {},
      isActive: true,
      status: "active",
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: data.createdAt,
    })
    expect((await api.get(`/items/${data.id}`)).body.data).toEqual(data)
  })

  test("accepts every field of the specification", async () => {
    const given = {
      itemCode: "FULL-1",
      itemName: "Full",
      barcode: "4006381333931",
      category: "Tools",
      itemType: "Consumable",
      uom: "Box",
      sellingPrice: 12.3456,
      costPrice: 999_999_999.9999,
      reorderLevel: 5,
      reorderQty: 10.5,
      description: "Line one\nline\ttwo",
      images: ["https://example.com/a.png", "http://example.com/b.png?x=1"],
      taxRate: 19,
      isActive: false,
    }
    const data = await api.create("/items", given)
    expect(data).toMatchObject({ ...given, status: "inactive", isLowStock: true })
  })

  test("null means that a field is not set", async () => {
    const data = await api.create(
      "/items",
      draft({ category: null, sellingPrice: null, images: null, id: null }),
    )
    expect(data).toMatchObject({ category: null, sellingPrice: 0, images: [] })
  })

  const wrong: [string, object, string[]][] = [
    ["an empty body", { itemCode: undefined, itemName: undefined }, ["itemCode", "itemName"]],
    ["an unknown field", { colour: "red" }, ["colour"]],
    [
      "a field that only the server sets",
      { id: "itm_1", currentStock: 5, version: 2 },
      ["id", "currentStock", "version"],
    ],
    ["an empty name", { itemName: "  " }, ["itemName"]],
    ["a number for a name", { itemName: 5 }, ["itemName"]],
    ["a code over 64 characters", { itemCode: "x".repeat(65) }, ["itemCode"]],
    ["a newline in a name", { itemName: "a\nb" }, ["itemName"]],
    ["a NUL in a description", { description: "a\0b" }, ["description"]],
    ["a lone surrogate", { itemName: "a\ud800b" }, ["itemName"]],
    ["another type of item", { itemType: "product" }, ["itemType"]],
    ["a negative price", { sellingPrice: -0.01 }, ["sellingPrice"]],
    ["a price as text", { sellingPrice: "5" }, ["sellingPrice"]],
    ["a price with five decimals", { sellingPrice: 1.23456 }, ["sellingPrice"]],
    ["a price above the maximum", { sellingPrice: 1_000_000_000 }, ["sellingPrice"]],
    ["a very small price in scientific notation", { sellingPrice: 1e-7 }, ["sellingPrice"]],
    ["a tax rate over 100", { taxRate: 100.5 }, ["taxRate"]],
    ["images that are not a list", { images: "https://example.com" }, ["images"]],
    ["21 images", { images: Array(21).fill("https://example.com/a") }, ["images"]],
    ["an image that is a script", { images: ["https://ok.example", "javascript:alert(1)"] }, ["images[1]"]],
    ["a boolean as a number", { isActive: 1 }, ["isActive"]],
  ]
  test.each(wrong)("refuses %s and names the field", async (_, over, fields) => {
    const answer = await api.post("/items", draft(over))
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(fields.toSorted())
  })

  test("reports all errors together, including a code that is taken", async () => {
    await api.create("/items", draft({ itemCode: "Taken-É" }))
    const answer = await api.post("/items", draft({ itemCode: "tAKEN-é", sellingPrice: -1, uom: "" }))
    expect(refusalOf(answer).fields.toSorted()).toEqual(["itemCode", "sellingPrice", "uom"])
  })

  test("a code is unique ignoring case, but not ignoring accents", async () => {
    await api.create("/items", draft({ itemCode: "Cafe" }))
    expect(refusalOf(await api.post("/items", draft({ itemCode: "CAFE" })))).toMatchObject({
      fields: ["itemCode"],
    })
    await api.create("/items", draft({ itemCode: "Café" }))
  })

  test("a barcode is unique ignoring case, has no spaces between digits, and a wrong check digit is a warning", async () => {
    const { id } = await api.create("/items", draft({ barcode: "4 006381 333962" }))
    expect((await api.get("/items/by/barcode/4006381333962")).body.data).toMatchObject({ id })
    const detailOf = async (barcode: string) =>
      (await api.post("/items", draft({ barcode }))).body.error.details[0]
    expect(await detailOf("4006381333962")).toMatchObject({
      field: "barcode",
      code: "DUPLICATE",
      existing: id,
    })
    await api.create("/items", draft({ barcode: "Shelf 4/x" }))
    expect(await detailOf("SHELF 4/X")).toMatchObject({ field: "barcode", code: "DUPLICATE" })
    const warning = {
      code: "BARCODE_CHECK_DIGIT",
      field: "barcode",
      message: "The check digit of the barcode 4006381333990 is wrong: it should end with 3.",
      params: { barcode: "4006381333990", expected: 3 },
    }
    const changed = await api.put(`/items/${id}`, { barcode: "4006381333990" })
    expect([changed.status, changed.body.data.barcode]).toEqual([200, "4006381333990"])
    expect(changed.body.warnings).toEqual([warning])
    expect((await api.post("/items?dryRun=true", draft({ barcode: "96385079" }))).body.warnings).toHaveLength(
      1,
    )
    expect((await api.put(`/items/${id}`, { barcode: null })).body.warnings).toBeUndefined()
    // Any number of items have none.
    await api.create("/items", draft({ barcode: null }))
  })

  test("a barcode that a spreadsheet has shortened is refused, because its last digits are lost", async () => {
    const answer = await api.post("/items", draft({ barcode: "4,00638E+12" }))
    expect(refusalOf(answer)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["barcode"] })
    expect(answer.body.error.details[0].params).toEqual({ format: "barcode" })
  })

  test("text is stored in composed form, so that two spellings of é are equal", async () => {
    const data = await api.create("/items", draft({ itemName: "Cafe\u0301" }))
    expect(data.itemName).toBe("Café")
  })

  test("Windows line ends are stored as line feeds", async () => {
    const data = await api.create("/items", draft({ description: "one\r\ntwo" }))
    expect(data.description).toBe("one\ntwo")
  })

  test("ids sort in the order in which records were created", async () => {
    const made = await Promise.all(Array.from({ length: 40 }, () => api.create("/items", draft())))
    expect(new Set(made.map(({ id }) => id)).size).toBe(40)
    const first = await api.create("/items", draft())
    const second = await api.create("/items", draft())
    expect(second.id > first.id && second.createdAt >= first.createdAt).toBeTrue()
  })

  test("fifty concurrent requests with one code create exactly one item", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post("/items", { itemCode: "RACE", itemName: "Race" })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49)
  })
})

describe.each(["PUT", "PATCH"])("%s /items/{id}", (method) => {
  test("merges: a missing field keeps its value, null clears it, arrays are replaced", async () => {
    const made = await api.create(
      "/items",
      draft({ category: "Tools", images: ["https://a.example/1"], sellingPrice: 5 }),
    )
    const answer = await api.call(method, `/items/${made.id}`, {
      category: null,
      images: ["https://a.example/2"],
      sellingPrice: null,
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get("etag")).toBe('"2.0"')
    expect(answer.body.data).toEqual({
      ...made,
      category: null,
      images: ["https://a.example/2"],
      sellingPrice: 0,
      version: 2,
      updatedAt: expect.any(String),
    })
  })

  test("accepts what GET returned, and warns about read-only values that differ", async () => {
    const made = await api.create("/items", draft())
    const same = await api.call(method, `/items/${made.id}`, { ...made, itemName: "New name" })
    expect([same.status, same.body.data.itemName, same.body.warnings]).toEqual([200, "New name", undefined])
    const differing = await api.call(method, `/items/${made.id}`, {
      ...made,
      itemName: "Newer",
      currentStock: 99,
      updatedAt: "2026-01-01T00:00:00.000Z",
    })
    expect(differing.body.data).toMatchObject({ itemName: "Newer", currentStock: 0 })
    expect(differing.body.warnings.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      "currentStock",
      "updatedAt",
      "version",
    ])
  })

  test.each([
    ["another id", { id: "itm_other" }, ["id"]],
    ["no name", { itemName: null }, ["itemName"]],
    ["an unknown field", { colour: 1 }, ["colour"]],
    ["several wrong values", { itemName: 1, sellingPrice: "x" }, ["itemName", "sellingPrice"]],
  ])("refuses %s and changes nothing", async (_, change, fields) => {
    const made = await api.create("/items", draft())
    expect(refusalOf(await api.call(method, `/items/${made.id}`, change))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields,
    })
    expect((await api.get(`/items/${made.id}`)).body.data).toEqual(made)
  })

  test("may keep its own code in another case, but not take the code of another item", async () => {
    const mine = await api.create("/items", draft())
    const other = await api.create("/items", draft())
    const answer = await api.call(method, `/items/${mine.id}`, { itemCode: mine.itemCode.toLowerCase() })
    expect(answer.status).toBe(200)
    expect(
      refusalOf(await api.call(method, `/items/${mine.id}`, { itemCode: other.itemCode })),
    ).toMatchObject({
      fields: ["itemCode"],
    })
  })

  test("an update without changes keeps the version", async () => {
    const made = await api.create("/items", draft())
    expect((await api.call(method, `/items/${made.id}`, { itemName: made.itemName })).body.data).toEqual(made)
  })

  test("a record that does not exist is 404", async () => {
    expect(refusalOf(await api.call(method, "/items/itm_0", { itemName: "x" }))).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
    })
  })
})

describe("If-Match", () => {
  test("accepts the first of two editors and refuses the second", async () => {
    const { id } = await api.create("/items", draft())
    expect((await api.put(`/items/${id}`, { itemName: "First" }, { "if-match": '"1"' })).status).toBe(200)
    const late = await api.put(`/items/${id}`, { itemName: "Second" }, { "if-match": '"1"' })
    expect(refusalOf(late)).toMatchObject({ status: 412, code: "PRECONDITION_FAILED" })
    expect((await api.get(`/items/${id}`)).body.data.itemName).toBe("First")
  })

  test.each([
    ["the current version among several", '"7", "1"', 200],
    ["any version", "*", 200],
    ["another spelling of the version", '"01"', 412],
    ["a tag with a comma in it", '"1,2"', 412],
    ["a weak tag, which never matches", 'W/"1"', 412],
    ["a value that is not a tag", "1", 400],
  ])("%s", async (_, tag, status) => {
    const { id } = await api.create("/items", draft())
    expect((await api.patch(`/items/${id}`, { itemName: "Edited" }, { "if-match": tag })).status).toBe(status)
  })

  test("applies to DELETE too", async () => {
    const { id } = await api.create("/items", draft())
    expect((await api.delete(`/items/${id}`, { "if-match": '"2"' })).status).toBe(412)
    expect((await api.delete(`/items/${id}`, { "if-match": '"1"' })).status).toBe(204)
  })
})

describe("DELETE /items/{id}", () => {
  test("returns 204 without a body, and 404 the second time", async () => {
    const { id, itemCode } = await api.create("/items", draft())
    const gone = await api.delete(`/items/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ""])
    expect((await api.delete(`/items/${id}`)).status).toBe(404)
    expect((await api.get(`/items/${id}`)).status).toBe(404)
    await api.create("/items", draft({ itemCode }))
  })
})

describe("GET /items/{id}", () => {
  test("with fields= returns only those", async () => {
    const { id, itemName } = await api.create("/items", draft())
    expect((await api.get(`/items/${id}?fields=itemName,id`)).body.data).toEqual({ itemName, id })
    expect(refusalOf(await api.get(`/items/${id}?fields=itemName,password`))).toMatchObject({
      status: 400,
      fields: ["fields"],
    })
    expect(refusalOf(await api.get(`/items/${id}?fields=`))).toMatchObject({
      status: 422,
      fields: ["fields"],
    })
  })

  test.each(["..%2Fusers", "itm_%00", "a'b", "%F0%9F%92%A9", "x".repeat(2_000)])(
    "an invalid id %# is 404",
    async (id) => {
      expect((await api.get(`/items/${id}`)).status).toBe(404)
    },
  )
})
