import type { Database } from "../../core/engine/engine"
import type { Core } from "../../core/folder"
import type { Tx } from "../../core/write/writer"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import { tableCrud } from "../../core/store/crud"
import type { ListQuery } from "../../core/store/list"
import { type Draft, type Input, readChange } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import type { Expected } from "../../core/kind/tag"
import { related } from "../../core/http/answer/expand"
import type { Settings } from "../../office/settings/model"
import type { TaxCodeService } from "../tax-codes/service"
import { type Item, items } from "./model"
import type { Shared } from "../../core/kind/define"
import { missedCheckDigit, plainBarcode } from "../../shared/barcode"
import { fromUnits, priceDigits } from "../../shared/decimal"
import { listOf } from "../../core/engine/sql"
import type { SoldItem } from "../../trade/needs"

type Needs = Core & {
  taxCodes: TaxCodeService
  settings: () => Settings
  /** The tables of the lines of all kinds of documents. */
  lineTables: readonly string[]
}

/** An item and its selling price in 1/10000. */
export type ItemPrice = { id: string; price: number }

export function itemService({ db, storeOf, taxCodes, settings, lineTables }: Needs) {
  const store = storeOf(items)
  const crud = tableCrud(items, store)

  /** Stores that the item names its tax code. */
  const named = <T extends Item>(tx: Tx, item: T): T => {
    if (item.taxCode !== null) taxCodes.markUsed(tx, [item.taxCode])
    return item
  }

  const codeOf = (id: unknown) => (typeof id === "string" ? (taxCodes.find(id)?.code ?? null) : null)

  const create = (tx: Tx, draft: Draft) => {
    warnOfBarcode(tx, draft.values.barcode)
    return named(tx, crud.create(tx, taxOfDraft(taxCodes, draft, settings().defaultTaxCode)))
  }

  /** An item with documents or stock movements cannot change between having stock and being a service. */
  const update = (tx: Tx, id: string, input: Input, expected: Expected) => {
    const before = crud.get(id)
    const turns = "itemType" in input && (before.itemType === "Service") !== (input.itemType === "Service")
    const errors: FieldError[] =
      turns && isUsed(db, lineTables, id)
        ? [
            fieldError(
              "itemType",
              "RULE",
              "cannot change between Service and another type, because the item is used",
              { rule: "IN_USE" },
            ),
          ]
        : []
    warnOfBarcode(tx, input.barcode)
    return named(tx, crud.revise(tx, id, taxOfChange(taxCodes, before, input, errors), expected, errors))
  }

  return {
    ...crud,
    related: { taxCode: taxCodes.asRelated },
    readsOfDraft: () => [],
    create,
    update,
    /** Returns the id and the selling price in 1/10000 of all items of a list, in slices and in any order. */
    async *eachPrice(query: ListQuery, signal: AbortSignal | null): AsyncGenerator<ItemPrice[]> {
      for await (const some of store.positions(
        { ...query, sort: [{ field: "sellingPrice", order: "asc" }] },
        signal,
      ))
        yield some.map(({ id, value }) => ({ id, price: Number(value) }))
    },
    /** For `expand`. */
    asRelated: related(items, crud),
    /** Returns the item data that documents need. */
    forLines: (ids: readonly string[]) => findSoldItems(db, ids),
    readOf: soldItemsRead,
    inTable: (records: readonly Record<string, unknown>[]) =>
      records.map((item) => ({ ...item, taxCode: codeOf(item.taxCode) })),
    /** Adds to the current stock. Only the stock ledger calls it. */
    addStock: (tx: Tx, changes: readonly StockChange[]): void => addStock(db, tx, "current_stock", changes),
    addReserved: (tx: Tx, changes: readonly StockChange[]): void =>
      addStock(db, tx, "reserved_stock", changes),
  }
}

export type ItemService = ReturnType<typeof itemService>

/** Warns of a wrong check digit, also if the barcode is stored already: a warning must not tell that it is. */
function warnOfBarcode(tx: Tx, given: unknown): void {
  if (typeof given !== "string") return
  const barcode = plainBarcode(given)
  const expected = missedCheckDigit(barcode)
  if (expected === null) return
  tx.warnings.push({
    code: "BARCODE_CHECK_DIGIT",
    field: "barcode",
    message: `The check digit of the barcode ${barcode} is wrong: it should end with ${expected}.`,
    params: { barcode, expected },
  })
}

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

type Codes = Pick<TaxCodeService, "find" | "choiceErrors">

/**
 * Returns the draft of an item whose tax rate is that of its tax code. A body that names neither a code nor a rate takes
 * the default code.
 */
function taxOfDraft(codes: Codes, draft: Draft, defaultCode: string | null): Draft {
  const { input, values } = draft
  const isRateGiven = (input.taxRate ?? null) !== null
  const taxCode = isRateGiven || "taxCode" in input ? values.taxCode : defaultCode
  if (typeof taxCode !== "string") return draft
  const taxRate = rateOf(codes, taxCode)
  const errors = [
    ...draft.errors,
    ...codes.choiceErrors("taxCode", taxCode),
    ...(isRateGiven ? rateErrors(values.taxRate, taxRate) : []),
  ]
  return { ...draft, errors, values: { ...values, taxCode, taxRate } }
}

/**
 * Returns a change of an item in which its tax code and its tax rate agree. A code or rate that is sent back as it is
 * counts as not given. Another rate clears the code, and another code sets the rate.
 */
function taxOfChange(codes: Codes, before: Item & Shared, input: Input, errors: FieldError[]): Input {
  if (!("taxCode" in input) && !("taxRate" in input)) return input
  const invalid: FieldError[] = []
  const { taxCode = before.taxCode, taxRate = before.taxRate } = readChange(items, before, input, invalid, [])
  // The caller reports these. An invalid rate must not be replaced with that of the code.
  if (invalid.some(({ field }) => field === "taxRate")) return input
  const isOtherRate = taxRate !== before.taxRate
  if (taxCode === before.taxCode)
    return isOtherRate && (input.taxCode ?? taxCode) === taxCode ? { ...input, taxCode: null } : input
  if (typeof taxCode !== "string") return input
  const rate = rateOf(codes, taxCode)
  errors.push(...codes.choiceErrors("taxCode", taxCode), ...(isOtherRate ? rateErrors(taxRate, rate) : []))
  return rate === undefined ? input : { ...input, taxRate: rate }
}

/** Returns the rate of a code as a plain number, or undefined if there is no such code. */
function rateOf(codes: Codes, id: string): number | undefined {
  const found = codes.find(id)
  return found ? fromUnits(found.rate, priceDigits) : undefined
}

const rateErrors = (given: unknown, rate: number | undefined): FieldError[] =>
  given === undefined || rate === undefined || given === rate
    ? []
    : [
        fieldError("taxRate", "RULE", `must be ${rate}, the rate of the tax code, or be left out`, {
          rule: "MISMATCH",
          value: rate,
        }),
      ]

type Row = Omit<SoldItem, "isActive" | "hasStock"> & { isActive: number; hasStock: number }

const soldItems = `SELECT id, item_code AS itemCode, item_name AS itemName, uom, selling_price AS sellingPrice, tax_rate AS taxRate,
    tax_code AS taxCode, is_active AS isActive, item_type <> 'Service' AS hasStock, current_stock AS currentStock,
    reserved_stock AS reservedStock
  FROM items WHERE id IN ${listOf("?")}`

const soldItemsRead = (ids: readonly string[]) => ({
  sql: soldItems,
  values: [JSON.stringify([...new Set(ids)])] as [string],
})

function findSoldItems(db: Database, ids: readonly string[]): Map<string, SoldItem> {
  const { sql, values } = soldItemsRead(ids)
  const rows = db.query<Row, [string]>(sql).all(...values)
  return new Map(
    rows.map((row) => [row.id, { ...row, isActive: row.isActive === 1, hasStock: row.hasStock === 1 }]),
  )
}

/** What to add to the stock of an item, in 1/10000. */
type StockChange = { item: string; quantity: number }

/** The stock of an item after a change, in 1/10000. */
type StockedItem = {
  id: string
  version: number
  currentStock: number
  reservedStock: number
  reorderLevel: number
}

/** Adds to the current or the reserved stock of items, of which each is given once. */
function addTo(
  db: Database,
  column: "current_stock" | "reserved_stock",
  changes: readonly StockChange[],
  now: string,
): StockedItem[] {
  const set = `${column} = ${column} + ?, change_count = change_count + 1, updated_at = ?`
  const columns = `id, version, current_stock AS currentStock, reserved_stock AS reservedStock,
    reorder_level AS reorderLevel`
  return db.engine.updateEach<StockedItem>(
    { table: "items", set, key: "id", columns },
    changes.map(({ item, quantity }) => [quantity, now, item]),
  )
}

/** True when a document line or a stock movement refers to the item. */
function isUsed(db: Database, lineTables: readonly string[], id: string): boolean {
  const uses = [...lineTables, "stock_movements"].map(
    (table) => `EXISTS (SELECT 1 FROM ${table} WHERE item = ?1)`,
  )
  return db.query<{ used: number }, [string]>(`SELECT ${uses.join(" OR ")} AS used`).get(id)?.used === 1
}
