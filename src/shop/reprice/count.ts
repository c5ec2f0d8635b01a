import type { ItemPrice } from "../items/service"
import type { PriceChange, PreviewCounts } from "./model"
import { newPrice, type NoPrice } from "./price"

const impossible: Record<NoPrice, keyof PreviewCounts> = { negative: "belowZero", "too-large": "tooLarge" }

/** Counts what a change does to the prices of all items, which come in slices. */
export async function countChanges(
  found: AsyncIterable<readonly ItemPrice[]>,
  change: PriceChange,
): Promise<PreviewCounts> {
  const counts: PreviewCounts = { matched: 0, updated: 0, unchanged: 0, belowZero: 0, tooLarge: 0 }
  for await (const some of found) {
    counts.matched += some.length
    for (const { price } of some) counts[outcomeOf(price, newPrice(price, change))]++
  }
  return counts
}

function outcomeOf(before: number, after: number | NoPrice): keyof PreviewCounts {
  if (typeof after === "string") return impossible[after]
  return after === before ? "unchanged" : "updated"
}
