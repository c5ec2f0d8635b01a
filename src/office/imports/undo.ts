import type { Database } from "../../core/engine/engine"
import { tryPart } from "../../core/write/write-parts"
import type { AuditEntry, Changes, Tx } from "../../core/write/writer"
import { assertMay, type Caller } from "../../core/caller"
import { isWriteOnly, withoutStoredValues } from "../../core/http/request/write-only"
import { isObject } from "../../core/kind/object"
import type { Input } from "../../core/kind/read"
import { Refusal } from "../../core/lib/refusal"
import { type Job, type JobData, type JobFault, mostStoredFaults } from "../jobs/model"
import { type JobHandler, type RunningJob, pacer } from "../jobs/handler"
import { findJob, insertFaults } from "../jobs/store"
import { countTargets, deleteTargetsAt, findTargetsBefore, type JobTarget } from "../jobs/targets"
import { importKindOf, type ImportKind, type ImportKinds, type RowUndo } from "./kind"
import { inputOf } from "./model"

export const undoKind = "import-undos"

type Deps = { db: Database; kinds: ImportKinds }

/** What an import has done to a record: the version that it left, and for an update the time of its audit entry. */
type Written = { version: number; updatedAt?: string }

const outcomes = ["matched", "deleted", "restored", "unchanged", "failed"] as const
type Counts = Record<(typeof outcomes)[number], number>

/** How far an undo has come: the row of the file that was undone last. */
type UndoState = { counts: Counts; faultCount: number; before: number }

const stateOf = (state: JobData): UndoState => state as UndoState

export const firstUndoState = (db: Database, id: string): UndoState => ({
  counts: { matched: countTargets(db, id), deleted: 0, restored: 0, unchanged: 0, failed: 0 },
  faultCount: 0,
  before: Number.MAX_SAFE_INTEGER,
})

/** Returns what a row has written, from the audit entries that it has added, so that it can be taken back. */
export function writtenBy(
  undo: RowUndo | undefined,
  row: number,
  { now }: Tx,
  { entries, caller }: { entries: readonly AuditEntry[]; caller: Caller },
): JobTarget[] {
  const entry = entries.findLast(({ kind }) => kind === undo?.records)
  if (!undo || !entry?.recordId) return []
  const record = entry.recordId
  const isUpdate = entry.action === `${undo.records}.update`
  const change: Written = isUpdate
    ? { version: undo.versionOf(record, caller) ?? 0, updatedAt: now }
    : { version: 1 }
  return [{ position: row, record, change: JSON.stringify(change) }]
}

/** The number of records that are read at once. */
const readAtOnce = 500

/** Takes back what an import has written, from its last row on, unless it was changed or used since. */
export const undoJob = (deps: Deps): JobHandler => ({
  kind: undoKind,
  lane: "data",
  async run(running) {
    const id = importOf(running.job)
    const input = findJob(deps.db, id)?.input
    const kind = input && importKindOf(deps.kinds, inputOf(input).kind)
    const pace = pacer(running.signal)
    const next = () => findTargetsBefore(deps.db, id, stateOf(running.job.state).before, readAtOnce)
    if (!kind?.undo) return
    const undone: Undone = { kind, undo: kind.undo, id, restored: new Map() }
    for (let some = next(); some.length > 0 && !running.signal.aborted; some = next())
      await pace(some, (slice) => undoSlice(deps, running, undone, slice))
  },
  end(tx, job) {
    const ended = Object.entries({ status: job.status, ...stateOf(job.state).counts })
    tx.audit(
      "imports.undone",
      importOf(job),
      Object.fromEntries(ended.map(([name, to]) => [name, { from: null, to }])),
    )
  },
})

const importOf = ({ input }: Pick<Job, "input">): string => String(input.import)

type Undone = {
  kind: ImportKind
  undo: RowUndo
  id: string
  /** The records that got old values again, because another row of the file may have updated them before. */
  restored: Map<string, Restored>
}

/** The version that a record has now, and the one that it had before the row that was undone. */
type Restored = { version: number; before: number; at: string; /** Undone rows of that time. */ rows: number }

const undoSlice = (
  { db }: Deps,
  running: RunningJob,
  undone: Undone,
  slice: readonly JobTarget[],
): Promise<void> =>
  running.write((tx, caller) => {
    const { kind, undo, id } = undone
    assertMayUndo(caller, kind, undo)
    const state = stateOf(running.job.state)
    const counts = { ...state.counts }
    const shown = isWriteOnly(caller, kind.right) ? withoutStoredValues : (refusal: Refusal) => refusal
    const [done, faults]: [number[], JobFault[]] = [[], []]
    for (const target of slice) {
      const outcome = tryPart(db, tx, () => undoOne(db, tx, undone, target, caller))
      if ("value" in outcome && outcome.value !== "changed") {
        counts[outcome.value]++
        done.push(target.position)
      } else {
        counts.failed++
        faults.push("value" in outcome ? changedFault(target) : faultOf(target, shown(outcome.refusal)))
      }
    }
    deleteTargetsAt(db, id, done)
    insertFaults(db, running.job.id, faults.slice(0, Math.max(0, mostStoredFaults - state.faultCount)))
    const passed = counts.deleted + counts.restored + counts.unchanged + counts.failed
    return {
      status: "applying",
      state: {
        counts,
        faultCount: state.faultCount + faults.length,
        before: slice.at(-1)?.position ?? state.before,
      },
      progress: Math.min(99, Math.floor((100 * passed) / Math.max(1, counts.matched))),
    }
  })

/** To take back an import needs the right to write its records, and the right to delete them. */
export function assertMayUndo(caller: Caller, kind: ImportKind, undo: RowUndo): void {
  assertMay(caller, kind.right)
  assertMay(caller, undo.right)
}

function undoOne(
  db: Database,
  tx: Tx,
  { undo, restored }: Undone,
  { record, change }: JobTarget,
  caller: Caller,
): "deleted" | "restored" | "unchanged" | "changed" {
  const { version, updatedAt } = JSON.parse(change) as Written
  const now = undo.versionOf(record, caller)
  if (now === null) return "unchanged"
  const later = restored.get(record)
  // A later row of the file had updated it too, by another key, and was undone just now.
  const isAsLeft = now === version || (now === later?.version && version === later.before)
  if (!isAsLeft) return "changed"
  if (updatedAt === undefined) {
    undo.remove(tx, record, caller)
    return "deleted"
  }
  const rows = later?.at === updatedAt ? later.rows : 0
  const changes = findChanges(db, undo, { record, at: updatedAt, rows })
  if (changes === null) return "changed"
  undo.restore(tx, record, valuesBefore(changes), caller)
  const left = undo.versionOf(record, caller) ?? now
  restored.set(record, { version: left, before: version - 1, at: updatedAt, rows: rows + 1 })
  return "restored"
}

/** The values that an update has replaced, as a body that sets them again. Parts that an object did not have become null. */
const valuesBefore = (changes: Changes): Input =>
  Object.fromEntries(
    Object.entries(changes).map(([name, { from, to }]) => [
      name,
      isObject(from) && isObject(to)
        ? { ...Object.fromEntries(Object.keys(to).map((part) => [part, null])), ...from }
        : from,
    ]),
  )

/** Returns what an update has changed, by its entry in the audit log: the last one of that time but `rows`. */
function findChanges(
  db: Database,
  { records }: RowUndo,
  { record, at, rows }: { record: string; at: string; rows: number },
): Changes | null {
  const row = db
    .query<{ changes: string }, [string, string, string, number]>(
      `SELECT changes FROM audit_logs WHERE record_id = ? AND created_at = ? AND action = ?
       ORDER BY seq DESC LIMIT 1 OFFSET ?`,
    )
    .get(record, at, `${records}.update`, rows)
  return row && (JSON.parse(row.changes) as Changes)
}

const changedFault = (target: JobTarget): JobFault => ({
  ...kept(target),
  code: "CHANGED",
  message: "It was changed after the import, so it stays as it is.",
})

const kept = ({ position, record }: JobTarget) => ({ row: position, column: null, field: null, record })

const faultOf = (target: JobTarget, { code, message, details }: Refusal): JobFault => ({
  ...kept(target),
  code,
  message:
    details.length === 0
      ? message
      : `${message} ${details.map(({ field, message: why }) => `${field} ${why}.`).join(" ")}`,
})
