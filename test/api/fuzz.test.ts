import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { send, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api
const runs = { numRuns: 400 }

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  for (let i = 0; i < 5; i++) await api.create("/items", { itemCode: `F-${i}`, itemName: `Fuzz ${i} %_*[é` })
})
afterAll(cleanUp)

const names = [
  "itemCode",
  "itemName",
  "category",
  "sellingPrice",
  "createdAt",
  "isActive",
  "status",
  "images",
  "id",
  "x",
]
const operator = fc.constantFrom(
  "",
  "[eq]",
  "[ne]",
  "[gt]",
  "[gte]",
  "[lt]",
  "[lte]",
  "[in]",
  "[like]",
  "[x]",
)
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "'",
    '"',
    "%",
    "_",
    "\\",
    "*",
    "[",
    "]",
    "^",
    "-",
    "NULL",
    "1 OR 1=1",
    "../..",
    "\u202e",
    "🔩",
    "NEAR(",
    "a*",
    "true",
  ),
)
const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
const field = fc.constantFrom(
  ...names,
  "address",
  "name",
  "email",
  "creditLimit",
  "version",
  "__proto__",
  "constructor",
)
const body = fc.dictionary(
  field,
  fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), fc.dictionary(field, scalar)),
)

test("whatever stands in a query, a list answers 200, 400 or 422", async () => {
  const pair = fc.tuple(
    fc.constantFrom("search", "sort", "order", "page", "perPage", "cursor", "fields", ...names),
    operator,
    text,
  )
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { maxLength: 4 }), async (pairs) => {
      const query = pairs
        .map(([name, op, value]) => `${name}${op}=${encodeURIComponent(value.toWellFormed())}`)
        .join("&")
      const answer = await api.get(`/items?${query}`)
      expect([200, 400, 422]).toContain(answer.status)
      if (answer.status === 422) expect(answer.body.error.details.length).toBeGreaterThan(0)
    }),
    runs,
  )
})

test("whatever stands in a body, a record is made and can be read back, or every fault has its field", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/items", "/customers"), body, async (path, draft) => {
      const answer = await api.post(path, draft)
      expect([201, 422]).toContain(answer.status)
      if (answer.status === 201)
        expect((await api.get(`${path}/${answer.body.data.id}`)).body.data).toEqual(answer.body.data)
      else for (const { field } of answer.body.error.details) expect(field).not.toBe("")
    }),
    runs,
  )
})

test("whatever bytes come as a body, the answer is an envelope", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const headers = { ...api.credential, "content-type": "application/json" }
      const answer = await send(`${kontor.url}/api/v1/items`, { method: "POST", headers, body: bytes })
      expect([400, 422]).toContain(answer.status)
      expect(answer.body.success).toBeFalse()
    }),
    runs,
  )
})

test("a price comes back as it was given, to the last of four decimals", async () => {
  const { id } = await api.create("/items", { itemCode: "PRICE", itemName: "Price" })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 9_999_999_999_999 }), async (units) => {
      const sellingPrice = Number(`${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, "0")}`)
      const answer = await api.put(`/items/${id}`, { sellingPrice })
      expect(answer.body.data.sellingPrice).toBe(sellingPrice)
      const found = await api.get(`/items?sellingPrice=${sellingPrice}&fields=id`)
      expect(found.body.data).toEqual(expect.arrayContaining([{ id }]))
    }),
    runs,
  )
})

test("nothing above was an error of ours", () => {
  expect(kontor.output.stderr).not.toContain('"level":"error"')
})
