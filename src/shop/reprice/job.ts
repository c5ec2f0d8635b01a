import type { Database } from "../../core/engine/engine"
import { tryPart } from "../../core/write/write-parts"
import type { Tx } from "../../core/write/writer"
import { assertMay } from "../../core/caller"
import type { MoneyContext } from "../../core/kind/field"
import { fromUnits, nearestUnits, priceDigits } from "../../shared/decimal"
import { items } from "../items/model"
import type { ItemPrice, ItemService } from "../items/service"
import { mostStoredFaults, type JobFault } from "../../office/jobs/model"
import { pacer, type Pace } from "../../office/jobs/pace"
import type { JobHandler, RunningJob } from "../../office/jobs/handler"
import { deleteFaults, insertFaults } from "../../office/jobs/store"
import { readItemQuery } from "./filter"
import {
  firstState,
  inputOf,
  repriceKind,
  stateOf,
  type Counts,
  type RepriceState,
  type Target,
} from "./model"
import { deleteTargets, findTargets, insertTargets } from "./store"
import { changedMeanwhile, faultOf, targetsOf } from "./targets"

type Deps = {
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
export const targetsAtOnce = 500

/**
 * Changes the prices of items. All new prices are computed and stored first, so that a job that is interrupted changes no
 * price twice. Then they are applied.
 */
export const repriceJob = (deps: Deps): JobHandler => ({
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
    tx.afterCommit.push(() => deps.forget(job.id))
  },
})

/** A job that runs. */
type Work = { deps: Deps; running: RunningJob }

/** Computes and stores all new prices. It begins again if it was interrupted: no price has changed yet. */
async function check(work: Work): Promise<void> {
  const { deps, running } = work
  await restart(work)
  const query = readItemQuery(inputOf(running.job.input).filter, deps.moneyContext())
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
  if (running.signal.aborted) return
  await running.write(() => ({
    status: "applying",
    state: { ...running.job.state, stage: "applying" },
    progress: checkShare,
  }))
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
function applyOne({ db, items: service }: Deps, tx: Tx, target: Target): JobFault | null {
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
  { db }: Deps,
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
