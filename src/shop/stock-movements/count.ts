import { Type } from "@sinclair/typebox"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { ref } from "../../core/http/openapi/kind-schemas"
import { assertNoErrors, fieldError, missingReference, type FieldError } from "../../core/lib/refusal"
import { body, type BodyOf, type Reading } from "../../core/kind/body"
import { decimal, reference, required } from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import type { TableStore } from "../../core/store/table-store"
import { fromUnits, largestPrice, priceDigits, toUnits } from "../../shared/decimal"
import { countSource } from "../../shared/suggestions"
import type { ItemService } from "../items/service"
import { stockMovements, type StockMovement } from "./model"
import { movementOf } from "./movement"

const mostLines = 1_000

type CountLine = { item: string; counted: number }

/** A body with the counted stock of some items. */
export const stockCount = body(
  {
    lines: required(
      lines<CountLine>(
        {
          item: required(reference("itm")),
          counted: required(decimal({ min: 0, example: 12 })),
        },
        { name: "CountLine", min: 1, max: mostLines },
      ),
    ),
    note: stockMovements.fields.note,
  },
  {
    example: {
      lines: [{ item: "itm_01kb2qk3dvb6r8h5m9x4w7z2nc", counted: 12 }],
      note: "Yearly stock count",
    },
  },
)
export type StockCount = BodyOf<typeof stockCount>

/** The response to a count: the movements that it has written. */
export type CountResult = {
  /** The number of lines whose count equals the stock, so that they need no movement. */
  unchanged: number
  movements: StockMovement[]
}

export const countResultSchema = Type.Object(
  {
    unchanged: Type.Integer({ description: "The number of lines whose count equals the stock." }),
    movements: Type.Array(ref(stockMovements.title), {
      description:
        "An adjustment for each line whose count differs from the stock, in the order of the lines. Its `sourceType` is `stock-count`.",
    }),
  },
  { $id: "StockCountResult" },
)

/** The difference of a count to the stock of an item, in 1/10000, and the stock after the count. */
export type Difference = { item: string; quantity: number; balance: number }

/** Compares counts with the stock of their items. Refuses all of them if one is invalid. */
export function differencesOf(items: ItemService, { values, errors }: Reading<StockCount>): Difference[] {
  // `lines` is no array if it is invalid, and a line may have only its valid values.
  const given: readonly Partial<CountLine>[] = Array.isArray(values.lines) ? values.lines : []
  const found = items.forLines(given.flatMap(({ item }) => item ?? []))
  const seen = new Set<string>()
  const differences = given.flatMap(({ item, counted }, i) => {
    if (item === undefined || item === null) return []
    const sold = found.get(item)
    const error = itemError(`lines[${i}].item`, item, { sold, isRepeated: seen.has(item) })
    seen.add(item)
    if (error) errors.push(error)
    if (!sold || counted === undefined || counted === null) return []
    const balance = toUnits(counted, priceDigits) ?? 0
    const quantity = balance - sold.currentStock
    if (Math.abs(fromUnits(quantity, priceDigits)) > largestPrice)
      errors.push(tooLarge(`lines[${i}].counted`))
    return [{ item, quantity, balance }]
  })
  assertNoErrors(errors, "The stock count has invalid values.")
  return differences
}

/** A movement can have at most this quantity, and a count is one movement. */
const tooLarge = (field: string): FieldError =>
  fieldError(field, "RULE", `must differ from the stock by at most ${largestPrice}`, {
    rule: "TOO_LARGE_TO_COUNT",
  })

type Found = { sold: { hasStock: boolean } | undefined; isRepeated: boolean }

function itemError(field: string, item: string, { sold, isRepeated }: Found): FieldError | null {
  if (!sold) return missingReference(field, item.slice(0, 64))
  if (isRepeated) return fieldError(field, "RULE", "is given more than once", { rule: "REPEATED" })
  return sold.hasStock ? null : fieldError(field, "RULE", "is a service", { rule: "SERVICE" })
}

type Deps = { items: ItemService; store: TableStore<typeof stockMovements> }

/** Sets the stock of items to their counts, with an adjustment for each difference. */
export function countStock(deps: Deps, tx: Tx, reading: Reading<StockCount>, caller: Caller): CountResult {
  const { counted, movements } = writeCount(deps, tx, reading, caller)
  // One entry for the whole count. The ledger has its lines, with the same user and time.
  tx.audit("stock-movements.count", null, {
    counted: { from: null, to: counted },
    adjusted: { from: null, to: movements.length },
  })
  return { unchanged: counted - movements.length, movements }
}

/** The same without an audit entry, for one row of an import, whose job has one. */
export function writeCount(
  { items, store }: Deps,
  tx: Tx,
  reading: Reading<StockCount>,
  caller: Caller,
): { counted: number; movements: StockMovement[] } {
  const differences = differencesOf(items, reading)
  const { note } = reading.values
  const changes = differences.filter(({ quantity }) => quantity !== 0)
  const given = {
    reason: "adjustment",
    note,
    sourceType: countSource,
    sourceId: null,
    createdBy: caller.userId,
  } as const
  const movements = changes.map(({ item, quantity, balance }) =>
    movementOf(tx, { ...given, item, quantity: fromUnits(quantity, priceDigits) }, balance),
  )
  store.insertAll(tx, movements)
  items.addStock(tx, changes)
  return { counted: differences.length, movements }
}
