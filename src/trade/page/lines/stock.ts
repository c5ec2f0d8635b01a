import { priceDigits, roundedTo } from "../../../shared/decimal"
import type { Item, OrderLine } from "../../../console/api/types"

/** The available stock for a line, below 0 if more is promised than there is; null for services and for items that are not loaded yet. */
export type StockHint = { available: number; uom: string; isShort: boolean } | null

type RequestedLine = { item: string; quantity: number | string }
type Stocked = Pick<Item, "itemType" | "availableStock" | "uom">

type ReservedLine = Pick<OrderLine, "id" | "item" | "quantity" | "invoicedQuantity" | "deliveredQuantity">

/** The same for the lines of a submitted order while it is edited: it has reserved stock, and some of it has left. */
export function revisedHints(
  lines: readonly (RequestedLine & { id: string | null })[],
  find: (id: string) => Stocked | undefined,
  stored: readonly ReservedLine[],
): StockHint[] {
  const goneOf = (line: ReservedLine) => Math.max(line.invoicedQuantity, line.deliveredQuantity)
  const gone = new Map(stored.map((line) => [line.id, goneOf(line)]))
  const reserved = new Map<string, number>()
  for (const line of stored)
    reserved.set(line.item ?? "", (reserved.get(line.item ?? "") ?? 0) + line.quantity - goneOf(line))
  const needed = lines.map(({ id, item, quantity }) => ({
    item,
    quantity: (Number(quantity) || 0) - (gone.get(id ?? "") ?? 0),
  }))
  return stockHints(needed, (id) => {
    const item = find(id)
    return item && { ...item, availableStock: item.availableStock + (reserved.get(id) ?? 0) }
  })
}

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
