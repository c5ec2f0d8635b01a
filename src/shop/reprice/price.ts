import { largestPrice, nearestUnits, priceDigits } from "../../shared/decimal"
import type { PriceChange } from "./model"

const units = 10n ** BigInt(priceDigits)
const hundredPercent = 100n * units
const largest = BigInt(nearestUnits(largestPrice, priceDigits))

/** A price that cannot be stored: it would be negative, or larger than the largest price. */
export type NoPrice = "negative" | "too-large"

/**
 * Returns a new price in 1/10000. It is computed exactly and rounded once: to the nearest multiple of the step, or to the
 * nearest price with the ending; up, if two are equally near. The result is never negative: where the nearest price with
 * the ending is, it is the smallest one. A price of 0 stays 0 regardless of the ending, so that nothing that is free gets
 * a price by rounding.
 */
export function newPrice(price: number, change: PriceChange): number | NoPrice {
  const { dividend, divisor } = exactPrice(BigInt(price), change)
  if (dividend < 0n) return "negative"
  if (dividend === 0n) return 0
  const { ending } = change
  const rounded =
    ending === null
      ? nearest(dividend, divisor, BigInt(change.step), 0n)
      : nearest(dividend, divisor, units, BigInt(ending))
  return rounded > largest ? "too-large" : Number(rounded)
}

/** The new price before it is rounded, as a fraction. The divisor is positive. */
const exactPrice = (price: bigint, { by, value }: PriceChange): { dividend: bigint; divisor: bigint } =>
  by === "percent"
    ? { dividend: price * (hundredPercent + BigInt(value)), divisor: hundredPercent }
    : { dividend: price + BigInt(value), divisor: 1n }

/** Returns the number nearest to a fraction of those that are `first` plus a multiple of `step`; at least `first`. */
function nearest(dividend: bigint, divisor: bigint, step: bigint, first: bigint): bigint {
  const above = dividend - first * divisor
  if (above < 0n) return first
  return first + ((2n * above + divisor * step) / (2n * divisor * step)) * step
}
