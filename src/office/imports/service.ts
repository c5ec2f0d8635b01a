import type { Database } from "../../core/engine/engine"
import type { Tx, Writer } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { JobService, Viewer } from "../jobs/service"
import { type Job, type JobCaller, shownJob } from "../jobs/model"
import type { JobHandler } from "../jobs/handler"
import { importKindOf, type ImportKind } from "./kind"
import { importJob } from "./job"
import { type Import, type ImportInput, inputOf, outputOf, stateOf } from "./model"
import { business } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { firstIdOf, newId } from "../../core/lib/id"
import { invalid, Refusal } from "../../core/lib/refusal"
import { findJob, saveState } from "../jobs/store"
import { hasTargets } from "../jobs/targets"
import { receive, usualPatience } from "./receive"
import { deletePiece, findUnusedUploads, findUserName } from "./store"
import { assertMayUndo, firstUndoState, undoJob, undoKind } from "./undo"

export const importKind = "imports"

type Deps = Omit<Parameters<typeof importJob>[0], "forget"> & { writer: Writer }

const mostListed = 50

/** Imports of files. The file is stored first; a job checks and writes its rows. */
export function importService({ db, writer, kinds, company }: Deps) {
  const { forget, store, deleteUnused } = uploadStore({ db, writer })
  const handler: JobHandler = importJob({ db, kinds, company, forget })

  return {
    kinds,
    handler,
    undoHandler: undoJob({ db, kinds }),
    store,
    deleteUnused,

    /** Starts an import whose file is stored. */
    begin(
      tx: Tx,
      jobs: JobService,
      {
        id,
        caller,
        input,
        uniqueKey,
      }: { id: string; caller: JobCaller; input: ImportInput; uniqueKey: string | null },
    ): Job {
      const { kind, mode, dryRun, fileName } = input
      const given = { kind, mode, dryRun, fileName }
      tx.audit(
        "imports.create",
        id,
        Object.fromEntries(Object.entries(given).map(([name, to]) => [name, { from: null, to }])),
      )
      return jobs.begin(tx, { kind: importKind, idPrefix: importPrefix, id, uniqueKey, caller, input })
    },

    newest: (jobs: JobService, viewer: Caller, listed: Listed) => newest(db, jobs, viewer, listed),

    /** Starts a job that takes back what an import has written. */
    undo: (tx: Tx, jobs: JobService, undone: Undone): Job => undo({ db, kinds }, tx, jobs, undone),

    cancel: (tx: Tx, jobs: JobService, id: string, viewer: Viewer): Import =>
      shownIn(db, jobs.cancel(tx, importKind, id, viewer), noFindings),

    /** Returns an import without its faults, or null if it was deleted or is not shown to the viewer. */
    find(jobs: JobService, id: string, viewer: Viewer): Import | null {
      const job = jobs.find(importKind, id, viewer)
      return job && shownIn(db, job, noFindings)
    },

    get(jobs: JobService, id: string, viewer: Viewer): Import {
      const job = jobs.get(importKind, id, viewer)
      return shownIn(db, job, { faults: jobs.firstFaults(id), warnings: jobs.warnings(id) })
    },
  }
}

/**
 * The newest imports, without what was recognized in their files, which can be large. With `dryRun`, only dry runs, or only
 * the others.
 */
async function newest(
  db: Database,
  jobs: JobService,
  viewer: Caller,
  { dryRun, signal }: Listed,
): Promise<Import[]> {
  const found = await jobs.newest(importKind, viewer, { most: mostListed, dryRun, signal })
  return found.map((job) => shownIn(db, job, noFindings))
}

type Listed = { dryRun: boolean | undefined; signal: AbortSignal }

type Undone = { id: string; viewer: Caller; caller: JobCaller }

/** Refuses what cannot be taken back, and begins a job that takes back the rest. */
function undo(
  { db, kinds }: Pick<Deps, "db" | "kinds">,
  tx: Tx,
  jobs: JobService,
  { id, viewer, caller }: Undone,
): Job {
  const job = jobs.get(importKind, id, viewer)
  const kind = importKindOf(kinds, inputOf(job.input).kind)
  const state = stateOf(job.state)
  if (kind.undo) assertMayUndo(viewer, kind, kind.undo)
  if (job.finishedAt === null) throw notNow("cannot be undone before it has ended: cancel it first")
  if (state.undo !== undefined && jobs.find(undoKind, state.undo, null)?.finishedAt === null)
    throw notNow("is being undone already")
  if (!kind.undo || !hasTargets(db, id))
    throw invalid("id", "RULE", whyNothing(kind), { rule: "NOTHING_LEFT" })
  const begun = jobs.begin(tx, {
    kind: undoKind,
    idPrefix: "job",
    caller,
    input: { import: id },
    state: firstUndoState(db, id),
  })
  saveState(db, id, { ...job.state, undo: begun.id })
  tx.audit("imports.undo", id, { job: { from: null, to: begun.id } })
  return begun
}

const notNow = (message: string): Refusal => invalid("status", "RULE", message, { rule: "STATUS" })

const whyNothing = ({ noun, undo: canUndo }: ImportKind): string =>
  canUndo
    ? "names an import that has written nothing that can be taken back"
    : `names an import of ${noun}, which cannot be undone`

/** An import in the form of a response, with whether it can be undone. */
const shownIn = (db: Database, job: Job, findings: Findings): Import => ({
  ...shown(job, findings),
  ...undoneIn(db, job),
  canUndo: job.finishedAt !== null && hasTargets(db, job.id),
})

/** When an import was undone, and by whom, while its last undo is known. */
function undoneIn(db: Database, { state }: Job): Pick<Import, "undoneAt" | "undoneBy"> {
  const { undo: id } = stateOf(state)
  const job = id === undefined ? null : findJob(db, id)
  if (!job?.finishedAt) return notUndone
  const by = job.createdBy === null ? null : findUserName(db, job.createdBy)
  return { undoneAt: job.finishedAt, undoneBy: by }
}

const notUndone = { undoneAt: null, undoneBy: null }

export type ImportService = ReturnType<typeof importService>

/** An import in the form of a response: the job, what was asked for, and what was recognized. */
export function shown(job: Job, { faults, warnings }: Findings): Import {
  const { kind, mode, dryRun, skipInvalid, fileName } = inputOf(job.input)
  const { format = null, columns = [], firstRows = [], beginning = [] } = outputOf(job.output) ?? {}
  const asked = { kind, mode, dryRun, skipInvalid, fileName }
  const { counts, warningCount, skipped: skippedRows = [], undo: undoJob = null } = stateOf(job.state)
  const found = { format: format && { ...format, headingRow: format.headingRow ?? 1 }, columns, firstRows }
  const more = { beginning, skippedRows, canUndo: false, undoJob, ...notUndone, warnings, warningCount }
  return { ...shownJob(job, faults), ...asked, counts, ...found, ...more }
}

/** The faults and the warnings that a response contains. */
type Findings = Pick<Import, "faults" | "warnings">
export const noFindings: Findings = { faults: [], warnings: [] }

const importPrefix = "imp"
/** In milliseconds. An upload that began before has ended, also if its last write had to wait. */
const longestUpload = 2 * usualPatience.whole
/** The number of files that a server receives from one user at a time. */
const mostOfUser = 4
/** In seconds. */
const retryAfter = 10

/** An upload: the user who sends it, and how its pieces are written. */
type Sent = { request: Request; user: string; write: (work: (tx: Tx) => void) => Promise<void> }

/** The files of imports, in the database until the imports have ended. */
function uploadStore({ db, writer }: { db: Database; writer: Writer }) {
  /** The files that are being received, which have no job yet, and their users. */
  const receiving = new Map<string, string>()

  /** Deletes a file piece by piece, with other writes in between. */
  const remove = async (id: string): Promise<void> => {
    while (await writer(() => deletePiece(db, id))) continue
  }
  /** The same without waiting. What is left after a failure is deleted later. */
  const forget = (id: string): void => void remove(id).catch(() => {})

  return {
    forget,

    /**
     * Stores a file, and calls `begin` with its id when it is complete. The file is deleted unless that starts a job with
     * this id. It counts for its user until then, so that nobody can fill the disk with files that are never complete.
     */
    async store(
      { request, user, write }: Sent,
      begin: (id: string, sha256: string) => Promise<Job>,
    ): Promise<Job> {
      assertFew(receiving, user)
      const id = newId(importPrefix, business.now())
      receiving.set(id, user)
      let begun: Job | null = null
      try {
        begun = await begin(id, await receive({ db, write }, request, id))
        return begun
      } finally {
        const isUsed = begun?.id === id
        void (isUsed ? Promise.resolve() : remove(id)).catch(() => {}).finally(() => receiving.delete(id))
      }
    },

    /**
     * Deletes files that no import needs, after a crash or a failed upload. Another server that shares the database may
     * still be receiving a new one. One that starts now cannot have begun with those that were found.
     */
    async deleteUnused(): Promise<void> {
      const found = findUnusedUploads(db).filter((id) => !receiving.has(id))
      if (found.length === 0) return
      const ended = firstIdOf(importPrefix, later(business.now(), -longestUpload))
      // An upload of the future began when the clock was wrong.
      const begun = firstIdOf(importPrefix, business.latest())
      const isAlone = db.engine.lock.isOnlyServer()
      for (const id of found) if (isAlone || id < ended || id > begun) await remove(id)
    },
  }
}

/** Refuses another upload of a user who sends several. */
function assertFew(receiving: ReadonlyMap<string, string>, user: string): void {
  const mine = receiving.values().filter((each) => each === user)
  if ([...mine].length >= mostOfUser)
    throw new Refusal(
      "RATE_LIMIT_EXCEEDED",
      `You are sending ${mostOfUser} files already. Send the next one when one of them has arrived.`,
      { params: { retryAfter }, headers: { "retry-after": String(retryAfter) } },
    )
}
