import { expect, test } from "bun:test"
import { signatureOf } from "../../lib/secret"
import type { Call } from "./call"
import { fingerprintOf } from "./idempotency"

const call = { method: "POST", path: "/api/v1/items/batch", query: "a=1" } as Call
const entry = { op: "create", body: { itemName: 'Über \ud800 "x"', price: 1.5, metadata: { a: null } } }

test.each([
  ["no fields", {}],
  ["an empty list", { mode: "each", operations: [] }],
  ["some entries", { mode: "each", operations: [entry, "text", null, [1, 2]], more: { a: [1] } }],
  ["many entries", { operations: Array.from({ length: 5_000 }, () => entry), mode: "all" }],
])(
  "The fingerprint of a body with %s is the signature of its JSON text, also in steps.",
  async (_, input) => {
    const { method, path, query } = call
    const whole = JSON.stringify([method, path, query, input])
    expect(await fingerprintOf("secret", call, input)).toBe(signatureOf("secret", whole))
  },
)
