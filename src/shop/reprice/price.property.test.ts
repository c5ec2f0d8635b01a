import { test } from "bun:test"
import fc from "fast-check"
import type { PriceChange } from "./model"
import { newPrice } from "./price"

const prices = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 9_999_999_999_999 }))
const changes = fc.oneof(
  fc.record({ by: fc.constant("percent" as const), value: fc.integer({ min: -1_000_000, max: 10_000_000 }) }),
  fc.record({
    by: fc.constant("amount" as const),
    value: fc.oneof(
      fc.integer({ min: -50_000, max: 50_000 }),
      fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 }),
    ),
  }),
)
const roundings = fc.record({
  step: fc.constantFrom(1, 10, 100, 500, 1_000, 10_000),
  ending: fc.option(fc.integer({ min: 0, max: 9_999 })),
})

/** The exact new price times 1,000,000, in 1/10000. */
const exact = (price: number, { by, value }: PriceChange): bigint =>
  by === "percent"
    ? BigInt(price) * (1_000_000n + BigInt(value))
    : (BigInt(price) + BigInt(value)) * 1_000_000n

test("a new price has the ending or is a multiple, and no such price is nearer", () => {
  fc.assert(
    fc.property(prices, changes, roundings, (price, by, rounding) => {
      const whole = { ...by, ...rounding }
      const result = newPrice(price, whole)
      const wanted = exact(price, whole)
      if (wanted < 0n) return result === "negative"
      if (wanted === 0n) return result === 0
      if (result === "negative") return false
      const [step, first] = rounding.ending === null ? [rounding.step, 0] : [10_000, rounding.ending]
      if (result === "too-large") return wanted + BigInt(step) * 500_000n > 9_999_999_999_999n * 1_000_000n
      const error = BigInt(result) * 1_000_000n - wanted
      const half = BigInt(step) * 500_000n
      // Below the smallest price with the ending, the distance is larger.
      const isNear = result === first ? error >= -half : error > -half && error <= half
      return (
        result >= 0 &&
        result % step === first &&
        isNear &&
        (result > first || wanted < BigInt(first) * 1_000_000n + half)
      )
    }),
    { numRuns: 5_000 },
  )
})

test("a higher price never becomes lower than a lower one", () => {
  fc.assert(
    fc.property(prices, prices, changes, roundings, (a, b, by, rounding) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map((price) =>
        newPrice(price, { ...by, ...rounding }),
      )
      return typeof low !== "number" || typeof high !== "number" || low <= high
    }),
    { numRuns: 5_000 },
  )
})
