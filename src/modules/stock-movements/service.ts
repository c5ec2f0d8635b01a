import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { newId } from "../../lib/id"
import { assertNoFaults, invalid, Refusal, type Detail } from "../../lib/refusal"
import type { ListQuery } from "../../resource/list"
import { readDraft, type Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import type { ItemService } from "../items/service"
import { stockMovements, type StockMovement } from "./model"
import { movementFaults } from "./rules"

/** A hundred thousand million, in 1/10000: plain numbers hold it with all four decimals. */
const mostStock = 1e15

/** Goods that a document moves, in 1/10000; below 0 they leave. */
export type Move = { item: string; quantity: number }
type Cause = { reason: StockMovement["reason"]; sourceType: string; sourceId: string; by: string | null }

/** The stock ledger: the only way in which an item's stock changes. */
export function stockService(store: TableStore<typeof stockMovements>, catalogue: ItemService) {
  /** Writes a row of the ledger; `balance` is the item's stock after it. The item's own figure is written beside it. */
  const write = (
    tx: Tx,
    movement: Omit<StockMovement, "id" | "createdAt" | "balanceAfter">,
    balance: number,
  ): StockMovement => {
    if (Math.abs(balance) > mostStock)
      throw invalid("quantity", "would bring the stock beyond what can be counted")
    const id = newId(stockMovements.idPrefix, tx.now)
    const row = { ...movement, id, balanceAfter: fromUnits(balance, priceDigits), createdAt: tx.now }
    store.insert(tx, row)
    return row
  }

  const get = (id: string): StockMovement => {
    const row = store.find(id)
    if (!row) throw new Refusal("NOT_FOUND", `There is no stock movement ${JSON.stringify(id)}.`)
    return row
  }

  return {
    list: (query: ListQuery) => store.list(query),
    get,

    /** A receipt, adjustment or return that a person enters. */
    create(tx: Tx, input: Input, caller: Caller): StockMovement {
      const faults: Detail[] = []
      const draft = readDraft(stockMovements, input, faults) as StockMovement
      faults.push(...movementFaults(draft.quantity, draft.reason))
      const item =
        typeof draft.item === "string" ? catalogue.forLines([draft.item]).get(draft.item) : undefined
      if (typeof draft.item === "string" && !item)
        faults.push({ field: "item", message: `${JSON.stringify(draft.item)} does not exist` })
      assertNoFaults(faults, "The stock movement has invalid values.")
      if (!item?.hasStock)
        throw new Refusal("NOT_A_STOCK_ITEM", "The item is a service, and services have no stock.", {
          details: [{ field: "item", message: "is a service" }],
        })
      const balance = catalogue.addStock(draft.item, toUnits(draft.quantity, priceDigits) ?? 0)
      const row = write(tx, { ...draft, sourceType: null, sourceId: null, createdBy: caller.userId }, balance)
      tx.auditEntries.push({
        action: "stock-movements.create",
        kind: "stock-movements",
        recordId: row.id,
        changes: { item: { from: null, to: row.item }, quantity: { from: null, to: row.quantity } },
      })
      return get(row.id)
    },

    /** What a document moves; services move nothing. */
    move(tx: Tx, moves: readonly Move[], { reason, sourceType, sourceId, by }: Cause): void {
      const sold = catalogue.forLines(moves.map(({ item }) => item))
      const balances = new Map<string, number>()
      for (const { item, quantity } of moves) {
        const found = sold.get(item)
        if (!found?.hasStock) continue
        const balance = (balances.get(item) ?? found.currentStock) + quantity
        balances.set(item, balance)
        const plain = fromUnits(quantity, priceDigits)
        write(tx, { item, quantity: plain, reason, note: null, sourceType, sourceId, createdBy: by }, balance)
      }
      // Once for each item, however many lines have it.
      for (const [item, balance] of balances)
        catalogue.addStock(item, balance - (sold.get(item)?.currentStock ?? 0))
    },

    /** The lines for which there is not enough on hand, each with what there is. */
    shortages(moves: readonly Move[]): { index: number; itemCode: string; left: number }[] {
      const sold = catalogue.forLines(moves.map(({ item }) => item))
      const left = new Map([...sold].map(([id, { currentStock }]) => [id, currentStock]))
      return moves.flatMap(({ item, quantity }, index) => {
        const found = sold.get(item)
        const before = left.get(item) ?? 0
        left.set(item, before - quantity)
        if (!found?.hasStock || before >= quantity) return []
        return [{ index, itemCode: found.itemCode, left: fromUnits(Math.max(0, before), priceDigits) }]
      })
    },

    /** Changes what is promised to orders, from what it was to what it is. */
    reserve(before: readonly Move[], after: readonly Move[]): void {
      const change = new Map<string, number>()
      for (const { item, quantity } of before) change.set(item, (change.get(item) ?? 0) - quantity)
      for (const { item, quantity } of after) change.set(item, (change.get(item) ?? 0) + quantity)
      const sold = catalogue.forLines([...change.keys()])
      for (const [item, quantity] of change)
        if (quantity !== 0 && sold.get(item)?.hasStock && catalogue.addReserved(item, quantity) > mostStock)
          throw invalid("items", "would reserve more than can be counted")
    },
  }
}

export type StockService = ReturnType<typeof stockService>
