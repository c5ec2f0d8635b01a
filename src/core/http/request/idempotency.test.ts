import { expect, test } from "bun:test"
import { signatureOf } from "../../lib/secret"
import type { Call } from "./call"
import { fingerprintOf } from "./idempotency"

const call = { method: "POST", path: "/api/v1/items/batch", query: "a=1" } as Call
const entry = { body: { itemName: 'Über \ud800 "x"', metadata: { a: null, b: 1 }, price: 1.5 }, op: "create" }
const reordered = {
  op: "create",
  body: { price: 1.5, metadata: { b: 1, a: null }, itemName: 'Über \ud800 "x"' },
}

test.each([
  ["no fields", {}],
  ["an empty list", { mode: "each", operations: [] }],
  ["some entries", { mode: "each", more: { a: [1] }, operations: [entry, "text", null, [1, 2]] }],
  ["many entries", { mode: "all", operations: Array.from({ length: 5_000 }, () => entry) }],
])(
  "The fingerprint of a body with %s is the signature of its JSON text, also in steps.",
  async (_, input) => {
    const { method, path, query } = call
    const whole = JSON.stringify([method, path, query, Object.fromEntries(Object.entries(input).sort())])
    expect(await fingerprintOf("secret", call, input)).toBe(signatureOf("secret", whole))
  },
)

test("The order in which a client writes the fields of a body does not matter, that of entries does.", async () => {
  const of = (input: Record<string, unknown>) => fingerprintOf("secret", call, input)
  expect(await of({ operations: [reordered], mode: "all" })).toBe(
    await of({ mode: "all", operations: [entry] }),
  )
  expect(await of({ operations: [1, 2] })).not.toBe(await of({ operations: [2, 1] }))
})
