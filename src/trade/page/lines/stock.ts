import { priceDigits, roundedTo } from "../../../shared/decimal"
import type { Item } from "../../../console/api/types"

/** The available stock for a line, below 0 if more is promised than there is; null for services and for items that are not loaded yet. */
export type StockHint = { available: number; uom: string; isShort: boolean } | null

type RequestedLine = { item: string; quantity: number | string }
type Stocked = Pick<Item, "itemType" | "availableStock" | "uom">

/** Returns the available stock for each line, after the quantities of the lines above it. */
export function stockHints(
  lines: readonly RequestedLine[],
  find: (id: string) => Stocked | undefined,
): StockHint[] {
  const taken = new Map<string, number>()
  return lines.map(({ item, quantity }) => {
    const known = find(item)
    if (!known || known.itemType === "Service") return null
    const before = taken.get(item) ?? 0
    const wanted = Number(quantity) || 0
    taken.set(item, before + wanted)
    const available = roundedTo(known.availableStock - before, priceDigits)
    return { available, uom: known.uom, isShort: wanted > available }
  })
}
