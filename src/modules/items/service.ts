import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import { fieldError, type FieldError } from "../../lib/refusal"
import { tableCrud } from "../../resource/crud"
import type { Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import type { Expected } from "../../resource/tag"
import { items } from "./model"
import { addStocks, addTo, findSoldItems, isUsed } from "./store"

export function itemService(db: Database, store: TableStore<typeof items>) {
  const crud = tableCrud(items, store)

  /** An item with documents or stock movements cannot change between having stock and being a service. */
  const update = (tx: Tx, id: string, input: Input, expected: Expected) => {
    const before = crud.get(id)
    const turns = "itemType" in input && (before.itemType === "Service") !== (input.itemType === "Service")
    const errors: FieldError[] =
      turns && isUsed(db, id)
        ? [
            fieldError(
              "itemType",
              "RULE",
              "cannot change between Service and another type, because the item is used",
              { rule: "IN_USE" },
            ),
          ]
        : []
    return crud.revise(tx, id, input, expected, errors)
  }

  return {
    ...crud,
    update,
    /** Returns the item data that documents need. */
    forLines: (ids: readonly string[]) => findSoldItems(db, ids),
    /** Adds to the current stock. Only the stock ledger calls it. */
    addStock: ({ now }: Tx, id: string, quantity: number) =>
      addTo(db, "current_stock", { id, quantity, now }),
    /** Adds to the current stock of many items, each at most once. Only the stock ledger calls it. */
    addStocks: ({ now }: Tx, changes: readonly { item: string; quantity: number }[]) =>
      addStocks(db, changes, now),
    addReserved: ({ now }: Tx, id: string, quantity: number) =>
      addTo(db, "reserved_stock", { id, quantity, now }),
  }
}

export type ItemService = ReturnType<typeof itemService>
