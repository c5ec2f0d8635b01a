import type { Database } from "../../core/engine/engine"
import type { Core } from "../../core/folder"
import type { Tx } from "../../core/write/writer"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import { tableCrud } from "../../core/store/crud"
import type { ListQuery } from "../../core/store/list"
import type { Draft, Input } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import type { Expected } from "../../core/kind/tag"
import { related } from "../../core/http/answer/expand"
import type { Settings } from "../../office/settings/model"
import type { TaxCodeService } from "../tax-codes/service"
import { items, type Item } from "./model"
import { addTo, findSoldItems, isUsed, type StockChange, type StockedItem } from "./store"
import { taxOfChange, taxOfDraft } from "./tax"

type Needs = Core & { taxCodes: TaxCodeService; settings: () => Settings }

/** An item and its selling price in 1/10000. */
export type ItemPrice = { id: string; price: number }

export function itemService({ db, storeOf, taxCodes, settings }: Needs) {
  const store = storeOf(items)
  const crud = tableCrud(items, store)

  /** Stores that the item names its tax code. */
  const named = <T extends Item>(tx: Tx, item: T): T => {
    if (item.taxCode !== null) taxCodes.markUsed(tx, [item.taxCode])
    return item
  }

  const codeOf = (id: unknown) => (typeof id === "string" ? (taxCodes.find(id)?.code ?? null) : null)

  const create = (tx: Tx, draft: Draft) =>
    named(tx, crud.create(tx, taxOfDraft(taxCodes, draft, settings().defaultTaxCode)))

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
    return named(tx, crud.revise(tx, id, taxOfChange(taxCodes, before, input, errors), expected, errors))
  }

  return {
    ...crud,
    create,
    update,
    /** Returns the id and the selling price in 1/10000 of all items of a list, in slices and in any order. */
    async *eachPrice(query: ListQuery, signal: AbortSignal | null): AsyncGenerator<ItemPrice[]> {
      for await (const some of store.positions({ ...query, sort: "sellingPrice" }, signal))
        yield some.map(({ id, value }) => ({ id, price: Number(value) }))
    },
    /** For `expand`. */
    asRelated: related(items, crud),
    /** Returns the item data that documents need. */
    forLines: (ids: readonly string[]) => findSoldItems(db, ids),
    inTable: (records: readonly Record<string, unknown>[]) =>
      records.map((item) => ({ ...item, taxCode: codeOf(item.taxCode) })),
    /** Adds to the current stock. Only the stock ledger calls it. */
    addStock: (tx: Tx, changes: readonly StockChange[]): void => addStock(db, tx, "current_stock", changes),
    addReserved: (tx: Tx, changes: readonly StockChange[]): void =>
      addStock(db, tx, "reserved_stock", changes),
  }
}

export type ItemService = ReturnType<typeof itemService>

/** Adds to the current or the reserved stock, and notes the items that have little stock left because of it. */
function addStock(
  db: Database,
  tx: Tx,
  column: "current_stock" | "reserved_stock",
  changes: readonly StockChange[],
): void {
  const field = column === "current_stock" ? "currentStock" : "reservedStock"
  const quantities = new Map(changes.map(({ item, quantity }) => [item, quantity]))
  for (const item of addTo(db, column, changes, tx.now)) {
    noteFigures(tx, items, item, [field])
    const before = { ...item, [field]: item[field] - (quantities.get(item.id) ?? 0) }
    const isReverse = isLowStock(before)
    if (isLowStock(item) !== isReverse)
      tx.events.push({
        kind: items.name,
        id: item.id,
        type: "low-stock",
        version: item.version,
        changed: [],
        isReverse,
      })
  }
}

/** The rule of the field `isLowStock`, for an item that has stock. */
const isLowStock = ({ currentStock, reservedStock, reorderLevel }: StockedItem): boolean =>
  currentStock < reservedStock || (reorderLevel > 0 && currentStock - reservedStock <= reorderLevel)
