import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { fuzzPlans } from "../../scripts/faults/fuzz-plans"
import { fuzz } from "../../scripts/faults/fuzz-run"
import { signIn, type Api } from "../support/api"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { seedOf } from "../support/same-choices"
import { isLong } from "../support/long"

let kontor: Kontor
let api: Api
/** With the same seed, `bun scripts/faults/fuzz.ts --seed N` sends the same requests. */
const seed = seedOf("fuzz")

const requests = isLong ? 1_000 : 300

beforeAll(async () => {
  kontor = await serve({
    env: { ...fuzzPlans, KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword },
  })
  api = await signIn(kontor)
})
afterAll(cleanUp)

test(`${requests} requests generated from the API document get documented responses (seed ${seed})`, async () => {
  const settings = { url: kontor.url, email: adminEmail, password: adminPassword, seed, requests }
  const { problems, operations, ...sent } = await fuzz(settings)
  expect({ seed, problems }).toEqual({ seed, problems: [] })
  expect(operations).toBeGreaterThan(80)
  expect(sent.requests).toBeGreaterThanOrEqual(requests)
})

test("a selling price is returned unchanged, with all four decimals", async () => {
  const { id } = await api.create("/items", { itemCode: "PRICE", itemName: "Price" })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 9_999_999_999_999 }), async (units) => {
      const sellingPrice = Number(`${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, "0")}`)
      const answer = await api.put(`/items/${id}`, { sellingPrice })
      expect(answer.body.data.sellingPrice).toBe(sellingPrice)
      const found = await api.get(`/items?sellingPrice=${sellingPrice}&fields=id`)
      expect(found.body.data).toEqual(expect.arrayContaining([{ id }]))
    }),
    { numRuns: isLong ? 200 : 25, seed },
  )
})

test("the server logged no error", () => {
  expect(kontor.output.stderr).not.toContain('"level":"error"')
})
