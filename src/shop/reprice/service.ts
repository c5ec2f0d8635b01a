import type { Database } from "../../core/engine/engine"
import type { Tx, Writer } from "../../core/write/writer"
import { isLongWork } from "../../core/lib/turns"
import type { MoneyContext } from "../../core/kind/field"
import { fromUnits, largestPrice, nearestUnits, priceDigits } from "../../shared/decimal"
import { type Item, items } from "../items/model"
import type { ItemPrice, ItemService } from "../items/service"
import { type Job, type JobCaller, type JobFault, mostStoredFaults } from "../../office/jobs/model"
import type { JobService } from "../../office/jobs/service"
import { readItemQuery } from "./filter"
import {
  type Counts,
  firstState,
  inputOf,
  type PreviewCounts,
  type PlacedTarget,
  type PriceChange,
  type Reprice,
  type RepriceInput,
  repriceKind,
  type RepricePreview,
  type RepriceState,
  stateOf,
  type Target,
  undoDays,
} from "./model"
import { newPrice, type NoPrice } from "./price"
import { tryPart } from "../../core/write/write-parts"
import { assertMay, type Caller } from "../../core/caller"
import { business } from "../../core/lib/clock"
import { invalid } from "../../core/lib/refusal"
import { later } from "../../shared/dates"
import { type JobHandler, type RunningJob, type Pace, pacer } from "../../office/jobs/handler"
import { deleteFaults, findJob, insertFaults } from "../../office/jobs/store"
import { integerIn, listOf, rowsOf, textIn } from "../../core/engine/sql"

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

    /** Starts a job that gives the items of a job that has ended the prices back that they had before. */
    undo(tx: Tx, jobs: JobService, { id, caller, viewer }: Undo): Job {
      const job = jobs.get(repriceKind, id, viewer)
      if (job.finishedAt === null)
        throw invalid("id", "RULE", "cannot be taken back, because the job has not ended", { rule: "STATUS" })
      const { position, counts } = stateOf(job.state)
      const uniqueKey = `undo ${id}`
      if (jobs.findByKey(uniqueKey) || findTargets(db, id, 0, 1).every((first) => first.position >= position))
        throw invalid(
          "id",
          "RULE",
          `has nothing left to take back: it changed no price, was taken back before, or ended more than ${undoDays} days ago`,
          { rule: "NOTHING_LEFT" },
        )
      const input: RepriceInput = { filter: "", change: unchanged, expected: counts.updated, undoes: id }
      const begun = jobs.begin(tx, {
        kind: repriceKind,
        idPrefix: "job",
        caller,
        input,
        state: firstState,
        uniqueKey,
      })
      tx.audit("reprice.undo", begun.id, { undoes: { from: null, to: id } })
      return begun
    },

    /** Returns the number of items, and the prices of the first ones by their code before and after the change. */
    async preview({ filter, change }: Reprice, signal: AbortSignal | null): Promise<RepricePreview> {
      const query = readItemQuery(filter, moneyContext())
      const found = items.list({ ...query, sort: [{ field: "itemCode", order: "asc" }], perPage: previewed })
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

    /** Deletes the targets of the jobs that can no longer be taken back. */
    async deleteUnused(): Promise<void> {
      const before = later(business.now(), -undoDays * dayMillis)
      for (const id of findEndedWithTargets(db, before)) await forget(id)
    },
  }
}

type Undo = { id: string; caller: JobCaller; viewer: Caller }

const dayMillis = 86_400_000

/** The change of a job that only takes another one back. */
const unchanged: PriceChange = { by: "percent", value: 0, step: 1, ending: null }

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

const impossible: Record<NoPrice, keyof PreviewCounts> = { negative: "belowZero", "too-large": "tooLarge" }

/** Counts what a change does to the prices of all items, which come in slices. */
async function countChanges(
  found: AsyncIterable<readonly ItemPrice[]>,
  change: PriceChange,
): Promise<PreviewCounts> {
  const counts: PreviewCounts = { matched: 0, updated: 0, unchanged: 0, belowZero: 0, tooLarge: 0 }
  for await (const some of found) {
    counts.matched += some.length
    for (const { price } of some) counts[outcomeOf(price, newPrice(price, change))]++
  }
  return counts
}

function outcomeOf(before: number, after: number | NoPrice): keyof PreviewCounts {
  if (typeof after === "string") return impossible[after]
  return after === before ? "unchanged" : "updated"
}

type TargetsAtOnceDeps = {
  db: Database
  items: ItemService
  moneyContext: () => MoneyContext
  /** Deletes the targets of a job that has ended. */
  forget: (id: string) => void
}

/** The progress when all new prices are known. */
const checkShare = 10
/** The number of items that are found before their new prices are stored. */
const foundAtOnce = 5_000
/** The number of targets that are read or deleted at once. */
const targetsAtOnce = 500

/**
 * Changes the prices of items. All new prices are computed and stored first, so that a job that is interrupted changes no
 * price twice. Then they are applied.
 */
const repriceJob = (deps: TargetsAtOnceDeps): JobHandler => ({
  kind: repriceKind,
  lane: "data",
  async run(running) {
    const work = { deps, running }
    if (stateOf(running.job.state).stage === "checking") await check(work)
    if (!running.signal.aborted) await apply(work)
  },
  end(tx, job) {
    const ended = Object.entries({ status: job.status, ...stateOf(job.state).counts })
    tx.audit("reprice.end", job.id, Object.fromEntries(ended.map(([name, to]) => [name, { from: null, to }])))
    // Those of a job that has changed prices are kept, so that it can be taken back.
    if (stateOf(job.state).counts.updated === 0) tx.afterCommit.push(() => deps.forget(job.id))
  },
})

/** A job that runs. */
type Work = { deps: TargetsAtOnceDeps; running: RunningJob }

/** Computes and stores all new prices. It begins again if it was interrupted: no price has changed yet. */
async function check(work: Work): Promise<void> {
  const { running } = work
  await restart(work)
  const { filter, undoes } = inputOf(running.job.input)
  if (undoes !== undefined) await copyBack(work, undoes)
  else await computeAll(work, filter)
  if (running.signal.aborted) return
  await running.write(() => ({
    status: "applying",
    state: { ...running.job.state, stage: "applying" },
    progress: checkShare,
  }))
}

/** Computes the new prices of all items that match, and stores those that differ. */
async function computeAll(work: Work, filter: string): Promise<void> {
  const { deps, running } = work
  const query = readItemQuery(filter, deps.moneyContext())
  const pace = pacer(running.signal)
  let found: ItemPrice[] = []
  for await (const some of deps.items.eachPrice(query, running.signal)) {
    found.push(...some)
    // Stored many at a time, because a scan takes smaller slices after its caller took long.
    if (found.length < foundAtOnce) continue
    await compute(work, pace, found)
    found = []
  }
  await compute(work, pace, found)
}

/** Stores the targets of another job the other way round, as far as it has applied them. */
async function copyBack({ deps, running }: Work, undone: string): Promise<void> {
  const pace = pacer(running.signal)
  const { position: end } = stateOf(findJob(deps.db, undone)?.state ?? firstState)
  const from = (position: number) =>
    findTargets(deps.db, undone, position, targetsAtOnce).filter(({ position }) => position < end)
  for (
    let some = from(0);
    some.length > 0 && !running.signal.aborted;
    some = from((some.at(-1)?.position ?? end) + 1)
  )
    await pace(some, (slice) =>
      running.write((_, caller) => {
        assertMay(caller, items.rights.write)
        const state = stateOf(running.job.state)
        const targets = slice.map(({ record, before, after }) => ({ record, before: after, after: before }))
        insertTargets(deps.db, running.job.id, state.targets, targets)
        const next = added(deps, running, { matched: slice.length }, [])
        return { state: { ...next, targets: state.targets + targets.length }, progress: 0 }
      }),
    )
}

/** Deletes what an interrupted check has stored. */
async function restart({ deps, running }: Work): Promise<void> {
  const { id } = running.job
  let isDone = false
  while (!isDone && !running.signal.aborted)
    await running.write(() => {
      deleteFaults(deps.db, id)
      isDone = deleteTargets(deps.db, id, targetsAtOnce) < targetsAtOnce
      return { status: "checking", state: firstState }
    })
}

const compute = ({ deps, running }: Work, pace: Pace, found: readonly ItemPrice[]): Promise<void> =>
  pace(found, (some) =>
    running.write((_, caller) => {
      assertMay(caller, items.rights.write)
      const state = stateOf(running.job.state)
      const { change, expected } = inputOf(running.job.input)
      const { targets, faults, unchanged } = targetsOf(some, change)
      insertTargets(deps.db, running.job.id, state.targets, targets)
      const next = added(deps, running, { matched: some.length, unchanged }, faults)
      const share = Math.min(1, next.counts.matched / Math.max(1, expected))
      return {
        state: { ...next, targets: state.targets + targets.length },
        progress: Math.floor(checkShare * share),
      }
    }),
  )

/** Sets the new prices, from the first one that was not set. */
async function apply({ deps, running }: Work): Promise<void> {
  const pace = pacer(running.signal)
  const { id } = running.job
  const next = () => findTargets(deps.db, id, stateOf(running.job.state).position, targetsAtOnce)
  for (let some = next(); some.length > 0 && !running.signal.aborted; some = next())
    await pace(some, (slice) =>
      running.write((tx, caller) => {
        assertMay(caller, items.rights.write)
        const faults = slice.flatMap((target) => applyOne(deps, tx, target) ?? [])
        const { position, targets } = stateOf(running.job.state)
        const done = position + slice.length
        deleteRecords(deps.db, id, { from: position, to: done }, faults)
        return {
          state: {
            ...added(deps, running, { updated: slice.length - faults.length }, faults),
            position: done,
          },
          progress: checkShare + Math.floor(((100 - checkShare) * done) / (targets + 1)),
        }
      }),
    )
}

/** Sets one price, like any update of an item. Returns a fault if the item was deleted or its price changed meanwhile. */
function applyOne({ db, items: service }: TargetsAtOnceDeps, tx: Tx, target: Target): JobFault | null {
  const outcome = tryPart(db, tx, () => {
    const price = nearestUnits(service.get(target.record).sellingPrice, priceDigits)
    if (price !== target.before) return changedMeanwhile(target, price)
    service.update(tx, target.record, { sellingPrice: fromUnits(target.after, priceDigits) }, null)
    return null
  })
  if (!("refusal" in outcome)) return outcome.value
  const { code, message } = outcome.refusal
  return faultOf(target.record, code, message)
}

/** Stores faults, and returns the state with them and with other records counted. */
function added(
  { db }: TargetsAtOnceDeps,
  { job }: RunningJob,
  more: Partial<Counts>,
  faults: readonly JobFault[],
): RepriceState {
  const state = stateOf(job.state)
  insertFaults(db, job.id, faults.slice(0, Math.max(0, mostStoredFaults - state.faultCount)))
  const counts = { ...state.counts }
  for (const [name, n] of Object.entries({ ...more, failed: faults.length }))
    counts[name as keyof Counts] += n
  return { ...state, counts, faultCount: state.faultCount + faults.length }
}

/** Computes the new prices of items: those that differ, and those that are impossible. */
function targetsOf(some: readonly ItemPrice[], change: PriceChange) {
  const targets: Target[] = []
  const faults: JobFault[] = []
  for (const { id, price } of some) {
    const after = newPrice(price, change)
    if (typeof after === "string")
      faults.push(faultOf(id, codes[after], `The price stays ${shown(price)}, because ${why[after]}.`))
    else if (after !== price) targets.push({ record: id, before: price, after })
  }
  return { targets, faults, unchanged: some.length - targets.length - faults.length }
}

const codes: Record<NoPrice, string> = { negative: "NEGATIVE", "too-large": "TOO_LARGE" }

const why: Record<NoPrice, string> = {
  negative: "it would be below 0",
  "too-large": `it would be above ${largestPrice}`,
}

const shown = (price: number): number => fromUnits(price, priceDigits)

const faultOf = (record: string, code: string, message: string): JobFault => ({
  row: null,
  column: null,
  field: "sellingPrice",
  record,
  code,
  message,
})

/** The fault of an item whose price is no longer the one that its new price was computed from. */
const changedMeanwhile = ({ record, before }: Target, price: number): JobFault =>
  faultOf(
    record,
    "CHANGED",
    `The price stays ${shown(price)}, because it was changed from ${shown(before)} meanwhile.`,
  )

/** Stores targets from a position on, with one statement. */
function insertTargets(db: Database, job: string, from: number, targets: readonly Target[]): void {
  db.query<void, [string, number, string]>(
    `INSERT INTO job_targets (job, position, record, change)
     SELECT ?1, ?2 + CAST(key AS BIGINT), ${textIn("value", "record")}, ${textIn("value", "change")} FROM ${rowsOf("?3")}`,
  ).run(job, from, JSON.stringify(targets.map(toRow)))
}

const toRow = ({ record, before, after }: Target) => ({ record, change: JSON.stringify({ before, after }) })

/** Returns the targets from a position on. */
const findTargets = (db: Database, job: string, from: number, most: number): PlacedTarget[] =>
  db
    .query<PlacedTarget, [string, number, number]>(
      `SELECT position, record, ${integerIn("change", "before")} AS before, ${integerIn("change", "after")} AS after
       FROM job_targets WHERE job = ? AND position >= ? ORDER BY position LIMIT ?`,
    )
    .all(job, from, most)

/** Deletes the targets that a job could not apply, so that they are not taken back either. */
function deleteRecords(
  db: Database,
  job: string,
  { from, to }: { from: number; to: number },
  faults: readonly JobFault[],
): void {
  if (faults.length === 0) return
  const records = JSON.stringify(faults.map(({ record }) => record))
  db.query(
    `DELETE FROM job_targets WHERE job = ? AND position >= ? AND position < ? AND record IN ${listOf("?")}`,
  ).run(job, from, to, records)
}

/**
 * Deletes some targets of a job, and returns their number. They are a range of positions, because PostgreSQL may compare
 * each target with each position of a list.
 */
const deleteTargets = (db: Database, job: string, most: number): number =>
  db
    .query(
      `DELETE FROM job_targets
       WHERE job = ?1 AND position < (SELECT min(position) FROM job_targets WHERE job = ?1) + ?2`,
    )
    .run(job, most).changes

/** Returns the jobs that ended before a time and still have targets. */
const findEndedWithTargets = (db: Database, before: string): string[] =>
  db
    .query<{ id: string }, [string, string]>(
      `SELECT id FROM jobs
       WHERE kind = ? AND finished_at < ?
         AND EXISTS (SELECT 1 FROM job_targets WHERE job_targets.job = jobs.id)`,
    )
    .all(repriceKind, before)
    .map(({ id }) => id)
