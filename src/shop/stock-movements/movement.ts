import type { Tx } from "../../core/write/writer"
import type { externalFields } from "../../core/kind/tag"
import { newId } from "../../core/lib/id"
import { invalid } from "../../core/lib/refusal"
import { fromUnits, priceDigits } from "../../shared/decimal"
import { stockMovements, type StockMovement } from "./model"

/** 100,000,000,000 in 1/10000. Up to this, JavaScript numbers are exact with four decimals. */
export const mostStock = 1e15

/** What the server sets of every movement. */
type Made = "id" | "createdAt" | "balanceAfter"

/** The fields that tie a movement to one of another system. Only a movement that a caller creates has values in them. */
type Foreign = keyof typeof externalFields

/** Returns a movement to store. `balance` is the item's stock after it, in 1/10000. */
export function movementOf(
  { now }: Tx,
  movement: Omit<StockMovement, Made | Foreign> & Partial<Pick<StockMovement, Foreign>>,
  balance: number,
): StockMovement {
  if (Math.abs(balance) > mostStock)
    throw invalid("quantity", "RULE", "would make the stock too large to count", {
      rule: "TOO_LARGE_TO_COUNT",
    })
  const id = newId(stockMovements.idPrefix, now)
  const made = { id, balanceAfter: fromUnits(balance, priceDigits), createdAt: now }
  return { externalId: null, metadata: {}, ...movement, ...made }
}
