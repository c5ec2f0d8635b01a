import type { Database } from "../../core/engine/engine"
import { tryPart } from "../../core/write/write-parts"
import type { Tx } from "../../core/write/writer"
import { assertMay, type Caller } from "../../core/caller"
import {
  isWriteOnly,
  warningWithoutStoredValues,
  withoutStoredValues,
} from "../../core/http/request/write-only"
import { Refusal } from "../../core/lib/refusal"
import { restsBetween } from "../../core/lib/turns"
import { type JobFault, mostStoredFaults, mostWarnings } from "../jobs/model"
import { type JobHandler, type RunningJob, type Pace, pacer, savesBetween } from "../jobs/handler"
import { deleteFaults, eachFaults, insertFaults, insertWarnings } from "../jobs/store"
import { insertTargets, type JobTarget } from "../jobs/targets"
import type { SheetFormat, SheetHead, SheetReader, SheetRow } from "../sheets/model"
import { decimalOf } from "../sheets/read/numbers"
import { openSheet } from "../sheets/read/open-sheet"
import { SheetError } from "../sheets/read/sheet-error"
import { resemblance } from "./resemblance"
import { columnOf, faultsOf, fileRefused, type ImportErrorReason, invalidRows, warningsOf } from "./faults"
import { importKindOf, type ImportKinds, type ImportKind } from "./kind"
import { withForms } from "./forms"
import { assertMapped, knownForms, type Mapping, mappingOf } from "./mapping"
import {
  type Counts,
  type ImportInput,
  type ImportState,
  blankState,
  inputOf,
  type MappedColumn,
  noCounts,
  outputOf,
  type SkippedRow,
  stateOf,
} from "./model"
import { findPiece } from "./store"
import { writtenBy } from "./undo"

type Deps = {
  db: Database
  kinds: ImportKinds
  /** The currency of the company, and the date where it is. */
  company: () => { currency: string; today: string }
  /** Deletes the file of an import that has ended. */
  forget: (id: string) => void
}

/** The share of the progress that checking has, if rows are written after it: it takes about a fifth of the time. */
const checkShare = 20

/** Runs imports: the whole file is checked first, and written then. Both are done in slices. */
export const importJob = (deps: Deps): JobHandler => ({
  kind: "imports",
  lane: "data",
  run: (running) => runImport(deps, running),
  end(tx, job) {
    const { counts } = stateOf(job.state)
    const changes = Object.entries(counts).map(([name, to]) => [name, { from: null, to }])
    tx.audit("imports.end", job.id, {
      status: { from: null, to: job.status },
      ...Object.fromEntries(changes),
    })
    // A check has changed nothing that other programs need to know.
    if (job.status === "finished" && !inputOf(job.input).dryRun)
      tx.events.push({ kind: "imports", id: job.id, type: "finished", version: null, changed: [] })
    tx.afterCommit.push(() => deps.forget(job.id))
  },
})

/** An import that runs. */
type Work = {
  deps: Deps
  running: RunningJob
  input: ImportInput
  kind: ImportKind
  reader: SheetReader
  head: SheetHead
  mapping: Mapping
}

async function runImport(deps: Deps, running: RunningJob): Promise<void> {
  const { id } = running.job
  const input = inputOf(running.job.input)
  if (findPiece(deps.db, id, 0) === null)
    throw new Refusal(
      "NOT_FOUND",
      "The file of this import is not in the database, because backups do not contain it. Upload it again.",
      { params: { reason: "FILE_MISSING" satisfies ImportErrorReason } },
    )
  const kind = importKindOf(deps.kinds, input.kind)
  const whole = kind.fields.filter(({ type }) => type === "json").map(({ name }) => name)
  const reader = openSheet((index) => findPiece(deps.db, id, index), input.given, { whole })
  const close = () => reader.close()
  running.signal.addEventListener("abort", close)
  try {
    const { head, mapping } = await recognize(running, reader, kind, {
      input,
      company: deps.company(),
    })
    const work: Work = { deps, running, input, kind, reader, head, mapping }
    if (stateOf(running.job.state).stage === "checking") await check(work)
    if (!input.dryRun) await apply(work)
  } catch (error) {
    // A file that cannot be read today cannot be read later.
    throw error instanceof SheetError ? fileRefused(error.reason, error.message, error.params) : error
  } finally {
    running.signal.removeEventListener("abort", close)
    close()
  }
}

/** Stores how the file was understood, before anything is refused, so that the caller can correct it. */
async function recognize(
  running: RunningJob,
  reader: SheetReader,
  kind: ImportKind,
  { input, company }: { input: ImportInput; company: { currency: string; today: string } },
): Promise<{ head: SheetHead; mapping: Mapping }> {
  const isKnown = outputOf(running.job.output) !== null
  const head = await reader.head(knownForms(kind))
  const { columns, firstRows, beginning } = head
  const unmapped = columns.map(({ name, samples }) => ({ column: name, field: null, samples }))
  if (!isKnown)
    await running.write(() => ({
      status: "checking",
      output: { format: head.format, columns: unmapped, firstRows, beginning },
    }))
  const matched = mappingOf(kind, input, columns, head.format.type !== "ndjson")
  const format = formatBy(head, matched, input)
  const mapping = withForms(kind, matched, columns, { format, given: input.given, ...company })
  if (!isKnown)
    await running.write(() => ({ output: { format, columns: mapping.columns, firstRows, beginning } }))
  assertMapped(kind, input.mode, mapping)
  return { head: { ...head, format }, mapping }
}

/** Recognizes the decimal sign by the columns that are numbers: texts such as telephone numbers must not decide it. */
function formatBy(
  { format, columns }: SheetHead,
  { plan }: Mapping,
  { given }: Pick<ImportInput, "given">,
): SheetFormat {
  const numbers = plan.filter(({ type }) => type === "number").flatMap(({ index }) => columns[index] ?? [])
  return numbers.length === 0 ? format : { ...format, ...decimalOf(numbers, format.delimiter, given) }
}

/** Tries every row without an effect. Throws if nothing is to be written. */
async function check(work: Work): Promise<void> {
  const { deps, running, kind, input } = work
  // A check that was interrupted begins again, because it compares all rows of the file.
  let state: ImportState = { ...blankState, counts: { ...noCounts } }
  await running.write(() => {
    deleteFaults(deps.db, running.job.id)
    return { status: "checking", state }
  })
  const comparing = pacer(running.signal)
  const repeated = await findRepeated(rowsOf(work, 1), kind, (some, work) => {
    running.assertCaller()
    return comparing(some, work)
  })
  if (running.signal.aborted) return
  const pace = pacer(running.signal)
  const resemble = resemblance(kind)
  let waiting: JobFault[] = []
  let found: JobFault[] = []
  const store = savesBetween(async () => {
    const [faults, warnings] = [waiting, found]
    waiting = []
    found = []
    await running.write(() => {
      insertFaults(deps.db, running.job.id, faults)
      insertWarnings(deps.db, running.job.id, warnings)
      return { state, progress: checkProgress(work, state) }
    })
  })
  for await (const all of rowsOf(work, 1)) {
    const rows = all.filter(({ total }) => total === undefined)
    state = { ...state, skipped: [...(state.skipped ?? []), ...all.flatMap(skippedOf)] }
    await pace(rows, async (some) => {
      const compared = some.map((each) => withRepeated(work, each, repeated))
      const result = await running.rehearse((tx, caller) => runRows(work, tx, caller, compared))
      waiting.push(...result.faults.slice(0, Math.max(0, mostStoredFaults - state.faultCount)))
      const warnings = [...result.warnings, ...resemble(result.created, work.mapping.columns)]
      found.push(...warnings.slice(0, Math.max(0, mostWarnings - state.warningCount)))
      state = added(state, checkedCounts(compared, { ...result, warnings }, input.dryRun))
      await store()
    })
    if (running.signal.aborted) return
  }
  await store({ isLast: true })
  await decide(work, state)
}

/** The rows from a number on. Rows of sums at the end are marked, unless they are to be imported. */
const rowsOf = ({ reader, head, mapping, input }: Work, from: number): AsyncIterable<SheetRow[]> =>
  reader.rows(head.format, mapping.plan, from, input.skipTotals !== false)

const skippedOf = ({ row, total }: SheetRow): SkippedRow[] =>
  total === undefined ? [] : [{ row, text: total }]

/** Ends the check: refuses to go on, or begins to write. */
async function decide({ running, input }: Work, checked: ImportState): Promise<void> {
  const { counts } = checked
  if (counts.rows === 0) throw fileRefused("NO_ROWS", "The file has no rows below its titles.")
  if (input.dryRun) return
  if (counts.invalid > 0 && !input.skipInvalid) throw invalidRows(counts)
  const state: ImportState = { ...checked, stage: "applying" }
  await running.write(() => ({ status: "applying", state, progress: checkShare }))
}

/** By the number of rows, which may be estimated. */
function checkProgress({ input, head }: Work, { counts }: ImportState): number {
  const share = input.dryRun ? 99 : checkShare
  return Math.min(share, Math.floor((share * counts.rows) / Math.max(1, head.rows)))
}

/** Writes the rows that were valid, from the last row that was written on. */
async function apply(work: Work): Promise<void> {
  const { deps, running } = work
  const pace = pacer(running.signal)
  let state = stateOf(running.job.state)
  const wrong = await wrongRows(deps.db, running)
  for await (const rows of rowsOf(work, state.row + 1)) {
    await pace(rows, (some) =>
      running.write((tx, caller) => {
        const valid = some.filter(({ row, total }) => total === undefined && !wrong.has(row))
        const { counts, faults, written } = runRows(work, tx, caller, valid)
        insertFaults(deps.db, running.job.id, faults)
        insertTargets(deps.db, running.job.id, written)
        const failed = valid.length - sumOf(counts)
        state = added(state, { counts: { ...counts, failed }, faults, written, warnings: [] })
        state = { ...state, row: some.at(-1)?.row ?? state.row }
        return { state, progress: applyProgress(state) }
      }),
    )
    if (running.signal.aborted) return
  }
}

/** Returns the rows that the check has found wrong. There may be 100,000, so other requests run in between. */
async function wrongRows(db: Database, { job, signal }: RunningJob): Promise<ReadonlySet<number | null>> {
  const rows = new Set<number | null>()
  const rest = restsBetween(longestRead, signal)
  for (const faults of eachFaults(db, job.id)) {
    for (const { row } of faults) rows.add(row)
    await rest()
  }
  return rows
}

/** In milliseconds. */
const longestRead = 3

function applyProgress({ counts }: ImportState): number {
  const done = counts.created + counts.updated + counts.unchanged + counts.failed
  const share = 100 - checkShare
  return Math.min(99, checkShare + Math.floor((share * done) / Math.max(1, counts.valid)))
}

/** A row and its faults, also those that were found by comparing it with other rows. */
type CheckedRow = Omit<SheetRow, "faults"> & { faults: JobFault[] }

/** The number of rows by their outcome, what they have written, what should be known of them, and the faults of the others. */
type Result = { counts: Partial<Counts>; faults: JobFault[]; warnings: JobFault[]; written: JobTarget[] }
/** `created` are the rows that create a record or would have created one, if the caller may know of others. */
type Ran = Result & { created: CheckedRow[] }

const withRepeated = ({ kind, mapping }: Work, row: SheetRow, repeated: RepeatedRows): CheckedRow => ({
  ...row,
  faults: [...row.faults, ...repeatedKeys(row, repeated, kind, mapping.columns)],
})

/** Writes rows one by one. A row that is refused is undone alone. */
function runRows(
  { deps, kind, input, mapping, running }: Work,
  tx: Tx,
  caller: Caller,
  rows: readonly CheckedRow[],
): Ran {
  assertMay(caller, kind.right)
  const { mode, fileName, duplicates = "create" } = input
  if (duplicates !== "create") assertMay(caller, { ...kind.right, scope: "read" })
  const begunAt = running.job.createdAt
  const context = { caller, mode, fileName, prices: mapping.prices, duplicates, begunAt }
  const isBlind = isWriteOnly(caller, kind.right)
  const counts: Partial<Counts> = {}
  const [faults, warnings]: [JobFault[], JobFault[]] = [[], []]
  const written: JobTarget[] = []
  const created: CheckedRow[] = []
  for (const each of rows) {
    const { row, input: given, faults: known } = each
    const entriesBefore = tx.auditEntries.length
    const outcome = tryPart(deps.db, tx, () => kind.write(tx, given, context))
    const told = tx.warnings.splice(0)
    const shown = (refusal: Refusal) => (isBlind ? withoutStoredValues(refusal) : refusal)
    const refused = "refusal" in outcome ? faultsOf(row, shown(outcome.refusal), mapping.columns) : []
    if (known.length > 0 || refused.length > 0) faults.push(...withoutRepeated([...known, ...refused]))
    else if ("value" in outcome) {
      counts[outcome.value] = (counts[outcome.value] ?? 0) + 1
      // A row to create that is left out or updates a record was found to be that record.
      if ((outcome.value === "created" || mode === "create") && !isBlind) created.push(each)
      const seen = isBlind ? told.flatMap(warningWithoutStoredValues) : told
      warnings.push(...warningsOf(row, seen, mapping.columns))
      written.push(
        ...writtenBy(kind.undo, row, tx, { entries: tx.auditEntries.slice(entriesBefore), caller }),
      )
    }
  }
  return { counts, faults, warnings, written, created }
}

const sumOf = (counts: Partial<Counts>): number => Object.values(counts).reduce((sum, n) => sum + n, 0)

/** Counts valid and invalid rows. Only a dry run tells what would be done with them. */
function checkedCounts(rows: readonly CheckedRow[], { counts, ...found }: Result, isDry: boolean): Result {
  const valid = sumOf(counts)
  const checked = { rows: rows.length, valid, invalid: rows.length - valid }
  return { counts: isDry ? { ...counts, ...checked } : checked, ...found }
}

/**
 * A value that cannot be converted is also missing in the record, which is not a second fault. A line that is no object
 * has no values at all.
 */
function withoutRepeated(faults: readonly JobFault[]): JobFault[] {
  const unread = faults.find(({ code, field }) => code === "NOT_AN_OBJECT" && field === null)
  if (unread) return [unread]
  const fields = new Set<string | null>()
  return faults.filter(({ field }) => {
    const isFirst = field === null || !fields.has(field)
    fields.add(field)
    return isFirst
  })
}

function added(state: ImportState, { counts, faults, warnings }: Result): ImportState {
  const sums = { ...state.counts }
  for (const [name, n] of Object.entries(counts)) sums[name as keyof Counts] += n
  return {
    ...state,
    counts: sums,
    faultCount: state.faultCount + faults.length,
    warningCount: state.warningCount + warnings.length,
  }
}

/** The first two rows of each key that a file has more than once. */
type RepeatedRows = Map<string, { first: number; second: number }>

type Keyed = Pick<ImportKind, "keys" | "recordOf">

/**
 * Reads a whole file and returns the keys that it has more than once. The check needs them from its first row on: which
 * of several rows with the same key is right, nobody knows, so all of them are faults.
 */
async function findRepeated(
  batches: AsyncIterable<readonly SheetRow[]>,
  kind: Keyed,
  pace: Pace,
): Promise<RepeatedRows> {
  const firstRows = new Map<string, number>()
  const repeated: RepeatedRows = new Map()
  for await (const rows of batches)
    await pace(rows, async (some) => {
      for (const { row, input, total } of some)
        for (const { key } of total === undefined ? keysIn(input, kind) : []) {
          const first = firstRows.get(key)
          if (first === undefined) firstRows.set(key, row)
          else if (!repeated.has(key)) repeated.set(key, { first, second: row })
        }
    })
  return repeated
}

/** Returns the faults of a row whose keys other rows have too. */
function repeatedKeys(
  { row, input }: Pick<SheetRow, "row" | "input">,
  repeated: RepeatedRows,
  kind: Keyed,
  columns: readonly MappedColumn[],
): JobFault[] {
  return keysIn(input, kind).flatMap(({ name, value, key }) => {
    const rows = repeated.get(key)
    if (!rows) return []
    const other = row === rows.first ? rows.second : rows.first
    return {
      row,
      column: columnOf(name, columns),
      field: name,
      code: "IN_FILE_TWICE",
      params: { value, row: other },
      message: `${name} ${JSON.stringify(value)} is in row ${other} too.`,
    }
  })
}

type Key = { name: string; value: string; key: string }

/** Returns the keys of a row. Where a kind finds records in several ways, the record itself is the only key. */
function keysIn(input: SheetRow["input"], { keys, recordOf }: Keyed): Key[] {
  const given = keys.flatMap(({ name, form }) => {
    const text = input[name]
    if (typeof text !== "string") return []
    const value = text.trim()
    return { name, value: value.slice(0, 64), key: `${name}:${form(value)}` }
  })
  const record = recordOf?.(input) ?? null
  return record === null ? given : given.slice(0, 1).map((first) => ({ ...first, key: record }))
}
