import type { Database } from "../../core/engine/engine"
import type { Tx, Writer } from "../../core/write/writer"
import { isLongWork } from "../../core/lib/turns"
import type { MoneyContext } from "../../core/kind/field"
import { fromUnits, nearestUnits, priceDigits } from "../../shared/decimal"
import type { Item } from "../items/model"
import type { ItemService } from "../items/service"
import type { Job, JobCaller } from "../../office/jobs/model"
import type { JobService } from "../../office/jobs/service"
import { countChanges } from "./count"
import { readItemQuery } from "./filter"
import { repriceJob, targetsAtOnce } from "./job"
import {
  firstState,
  repriceKind,
  type PreviewCounts,
  type PriceChange,
  type Reprice,
  type RepriceInput,
  type RepricePreview,
} from "./model"
import { newPrice } from "./price"
import { deleteTargets, findEndedWithTargets } from "./store"

type Deps = { db: Database; writer: Writer; items: ItemService; moneyContext: () => MoneyContext }

/** The number of items in a preview. */
const previewed = 10

/** Changes the prices of many items, as jobs. */
export function repriceService({ db, writer, items, moneyContext }: Deps) {
  /** Deletes the targets of a job a few at a time, with other writes in between. */
  const forget = async (id: string): Promise<void> => {
    while ((await writer(() => deleteTargets(db, id, targetsAtOnce))) === targetsAtOnce) continue
  }
  return {
    moneyContext,
    handler: repriceJob({ db, items, moneyContext, forget: (id) => void forget(id).catch(() => {}) }),

    /** Returns the number of items, and the prices of the first ones by their code before and after the change. */
    async preview({ filter, change }: Reprice, signal: AbortSignal | null): Promise<RepricePreview> {
      const query = readItemQuery(filter, moneyContext())
      const found = items.list({ ...query, sort: "itemCode", order: "asc", perPage: previewed })
      const { rows, total } = isLongWork(found) ? await found(signal) : found
      return { matched: total ?? 0, preview: rows.map((item) => previewOf(item, change)) }
    },

    /** Counts what the change would do to all items. */
    count: ({ filter, change }: Reprice, signal: AbortSignal | null): Promise<PreviewCounts> =>
      countChanges(items.eachPrice(readItemQuery(filter, moneyContext()), signal), change),

    begin(tx: Tx, jobs: JobService, caller: JobCaller, input: RepriceInput): Job {
      const job = jobs.begin(tx, { kind: repriceKind, idPrefix: "job", caller, input, state: firstState })
      tx.audit("reprice.create", job.id, auditedOf(input))
      return job
    },

    /** Deletes what ended jobs have left after a crash. */
    async deleteUnused(): Promise<void> {
      for (const id of findEndedWithTargets(db)) await forget(id)
    },
  }
}

export type RepriceService = ReturnType<typeof repriceService>

/** The parameters of a job in its audit entry. */
function auditedOf({ filter, change }: Reprice) {
  const value = fromUnits(change.value, priceDigits)
  const given = Object.entries({ filter, [change.by]: value, ...roundingOf(change) })
  return Object.fromEntries(given.map(([name, to]) => [name, { from: null, to }]))
}

const previewOf = ({ id, itemCode, itemName, sellingPrice }: Item, change: PriceChange) => ({
  id,
  itemCode,
  itemName,
  before: sellingPrice,
  after: priceAfter(sellingPrice, change),
})

function priceAfter(price: number, change: PriceChange): number | null {
  const after = newPrice(nearestUnits(price, priceDigits), change)
  return typeof after === "number" ? fromUnits(after, priceDigits) : null
}

const roundingOf = ({ step, ending }: PriceChange): Record<string, number> =>
  ending === null ? { round: fromUnits(step, priceDigits) } : { ending: fromUnits(ending, priceDigits) }
