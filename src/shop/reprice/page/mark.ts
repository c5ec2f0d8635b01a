/** A change of prices as the API takes it: a percentage or an amount. */
export type Change = { percent: number } | { amount: number }

/** What a user should notice about a new price, because rounding or an ending has made it different from the change. */
type Mark = "unchanged" | "falls" | "rises" | "large"

/** Prices have at most four decimals. Smaller differences come from computing with binary numbers. */
const tolerance = 0.00001

/** Returns what is unusual about a new price, or null. A change of 0 only rounds prices, so any difference is expected. */
export function markOf(before: number, after: number, change: Change): Mark | null {
  const difference = after - before
  if (difference === 0) return "unchanged"
  const asked = "percent" in change ? (before * change.percent) / 100 : change.amount
  if (asked > 0 && difference < 0) return "falls"
  if (asked < 0 && difference > 0) return "rises"
  return asked !== 0 && Math.abs(difference) > 2 * Math.abs(asked) + tolerance ? "large" : null
}
