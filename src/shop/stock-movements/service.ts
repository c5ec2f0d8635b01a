import { tradeRefusals } from "../../trade/documents/model"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Core } from "../../core/folder"
import { assertNoErrors, fieldError, invalid, missingReference, Refusal } from "../../core/lib/refusal"
import { refuseMissing, takenErrors } from "../../core/store/crud"
import type { Reading } from "../../core/kind/body"
import type { ListQuery } from "../../core/store/list"
import type { Draft } from "../../core/kind/read"
import type { TableStore } from "../../core/store/table-store"
import type { Settings } from "../../office/settings/model"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import type { ItemService } from "../items/service"
import { countStock, stockCount, writeCount, type CountResult, type StockCount } from "./count"
import { stockMovements, type StockMovement } from "./model"
import { mostStock, movementOf } from "./movement"
import { movementErrors } from "./rules"

/** The stock that a document moves, in 1/10000; a negative quantity leaves the stock. */
export type StockMove = { item: string; quantity: number }
/** The same for a line, which may have no item. */
type LineMove = { item: string | null; quantity: number }
type Cause = { reason: StockMovement["reason"]; sourceType: string; sourceId: string; by: string | null }
type Needs = Pick<Core, "storeOf"> & { items: ItemService; settings: () => Settings }
type Deps = { store: TableStore<typeof stockMovements>; items: ItemService }

/** The stock ledger. All changes of an item's stock go through it. */
export function stockMovementService({ storeOf, items, settings }: Needs) {
  const store = storeOf(stockMovements)
  const deps: Deps = { store, items }
  const get = (id: string): StockMovement => store.find(id) ?? refuseMissing(stockMovements, id)
  return {
    list: (query: ListQuery) => store.list(query),
    values: store.values,
    get,
    findId: (name: string, value: string) => store.findId(name, value),
    findMany: store.findMany,
    related: { item: items.asRelated },
    inTable(records: readonly Record<string, unknown>[]) {
      const found = items.forLines(records.map(({ item }) => String(item)))
      return records.map((movement) => {
        const { itemCode = null, itemName = null } = found.get(String(movement.item)) ?? {}
        return { ...movement, itemCode, itemName }
      })
    },

    /** Creates a receipt, adjustment or return that a person enters. */
    create: (tx: Tx, draft: Draft, caller: Caller): StockMovement =>
      get(createMovement(deps, tx, draft, caller)),

    /** Sets the stock of items to what a person has counted. */
    count: (tx: Tx, reading: Reading<StockCount>, caller: Caller): CountResult =>
      countStock(deps, tx, reading, caller),

    /** Sets the stock of one item to what a row of an import has. Returns false if it had this stock already. */
    countOne(tx: Tx, line: { item: string; counted: unknown }, note: string | null, caller: Caller): boolean {
      const reading = stockCount.read({ lines: [line], note })
      return writeCount(deps, tx, reading, caller).movements.length > 0
    },

    /** Records the movements of a document. Services have no stock. */
    move: (tx: Tx, moves: readonly LineMove[], cause: Cause): void => moveAll(deps, tx, moves, cause),

    /** Takes what leaves with a document out of stock. Refuses more than there is, if the settings say so. */
    take(tx: Tx, leaving: readonly LineMove[], { doing, ...cause }: Cause & { doing: string }): void {
      if (!settings().allowNegativeStock) assertInStock(items, leaving, doing)
      const moves = leaving.map(({ item, quantity }) => ({ item, quantity: -quantity }))
      moveAll(deps, tx, moves, cause)
    },

    /** Changes the reserved stock by the difference between two states of an order. */
    reserve: (tx: Tx, before: readonly StockMove[], after: readonly StockMove[]): void =>
      reserve(items, tx, before, after),
  }
}

export type StockMovementService = ReturnType<typeof stockMovementService>

function createMovement(deps: Deps, tx: Tx, { values, errors }: Draft, caller: Caller): string {
  const draft = values as StockMovement
  errors.push(...movementErrors(draft.quantity, draft.reason))
  const isNamed = typeof draft.item === "string"
  const item = isNamed ? deps.items.forLines([draft.item]).get(draft.item) : undefined
  if (isNamed && !item) errors.push(missingReference("item", draft.item))
  errors.push(...takenErrors(stockMovements, deps.store, values, null))
  assertNoErrors(errors, "The stock movement has invalid values.")
  if (!item?.hasStock)
    throw new Refusal(tradeRefusals.NOT_A_STOCK_ITEM, "The item is a service, and services have no stock.", {
      details: [fieldError("item", "RULE", "is a service", { rule: "SERVICE" })],
    })
  const quantity = toUnits(draft.quantity, priceDigits) ?? 0
  const given = { ...draft, sourceType: null, sourceId: null, createdBy: caller.userId }
  const row = movementOf(tx, given, item.currentStock + quantity)
  deps.store.insert(tx, row)
  deps.items.addStock(tx, [{ item: draft.item, quantity }])
  tx.audit("stock-movements.create", row.id, {
    item: { from: null, to: row.item },
    quantity: { from: null, to: row.quantity },
  })
  return row.id
}

/** Refuses to take more of an item than there is, and names each line. `doing` is what the goods are taken for. */
function assertInStock(items: ItemService, leaving: readonly LineMove[], doing: string): void {
  const sold = items.forLines(leaving.flatMap(({ item }) => item ?? []))
  const left = new Map([...sold].map(([id, { currentStock }]) => [id, currentStock]))
  const short = leaving.flatMap(({ item, quantity }, index) => {
    if (item === null) return []
    const found = sold.get(item)
    const before = left.get(item) ?? 0
    left.set(item, before - quantity)
    if (!found?.hasStock || quantity <= 0 || before >= quantity) return []
    return [{ index, itemCode: found.itemCode, max: fromUnits(Math.max(0, before), priceDigits) }]
  })
  if (short.length === 0) return
  throw new Refusal(tradeRefusals.INSUFFICIENT_STOCK, `There is not enough stock to ${doing} this.`, {
    details: short.map(({ index, itemCode, max }) =>
      fieldError(`items[${index}].quantity`, "TOO_LARGE", `${itemCode}: only ${max} in stock`, {
        max,
        itemCode,
      }),
    ),
  })
}

function moveAll({ store, items }: Deps, tx: Tx, moves: readonly LineMove[], cause: Cause): void {
  const { by, ...source } = cause
  const sold = items.forLines(moves.flatMap(({ item }) => item ?? []))
  const balances = new Map<string, number>()
  const rows = moves.flatMap(({ item, quantity }) => {
    const found = item === null ? undefined : sold.get(item)
    if (item === null || quantity === 0 || !found?.hasStock) return []
    const balance = (balances.get(item) ?? found.currentStock) + quantity
    balances.set(item, balance)
    const plain = fromUnits(quantity, priceDigits)
    return [movementOf(tx, { item, quantity: plain, ...source, note: null, createdBy: by }, balance)]
  })
  store.insertAll(tx, rows)
  // Each item is updated once, even if several lines have it.
  const changes = [...balances].map(([item, balance]) => ({
    item,
    quantity: balance - (sold.get(item)?.currentStock ?? 0),
  }))
  items.addStock(tx, changes.filter(isChange))
}

function reserve(
  items: ItemService,
  tx: Tx,
  before: readonly StockMove[],
  after: readonly StockMove[],
): void {
  if (before.length === 0 && after.length === 0) return
  const change = new Map<string, number>()
  for (const { item, quantity } of before) change.set(item, (change.get(item) ?? 0) - quantity)
  for (const { item, quantity } of after) change.set(item, (change.get(item) ?? 0) + quantity)
  const sold = items.forLines([...change.keys()])
  const changes = [...change]
    .map(([item, quantity]) => ({ item, quantity }))
    .filter((each) => isChange(each) && sold.get(each.item)?.hasStock)
  if (changes.some(({ item, quantity }) => (sold.get(item)?.reservedStock ?? 0) + quantity > mostStock))
    throw invalid("items", "RULE", "would reserve more stock than can be counted", {
      rule: "TOO_LARGE_TO_COUNT",
    })
  items.addReserved(tx, changes)
}

const isChange = ({ quantity }: StockMove): boolean => quantity !== 0
