import type { Database } from "../../core/engine/engine"
import type { Tx, Writer } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { JobService, Viewer } from "../jobs/service"
import { shownJob, type Job, type JobCaller } from "../jobs/model"
import type { JobHandler } from "../jobs/handler"
import type { ImportKind } from "./kind"
import { importJob } from "./job"
import { inputOf, outputOf, stateOf, type Import, type ImportInput, type ImportKindName } from "./model"
import { importPrefix, uploadStore } from "./uploads"

export const importKind = "imports"

type Deps = { db: Database; writer: Writer; kinds: Record<ImportKindName, ImportKind> }

/** The number of imports in the list. */
const mostListed = 50

/** Imports of files. The file is stored first; a job checks and writes its rows. */
export function importService({ db, writer, kinds }: Deps) {
  const { forget, store, deleteUnused } = uploadStore({ db, writer })
  const handler: JobHandler = importJob({ db, kinds, forget })

  return {
    kinds,
    handler,
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

    newest,

    /** Returns an import without its faults, or null if it was deleted or is not shown to the viewer. */
    find(jobs: JobService, id: string, viewer: Viewer): Import | null {
      const job = jobs.find(importKind, id, viewer)
      return job && shown(job, [])
    },

    get(jobs: JobService, id: string, viewer: Viewer): Import {
      const job = jobs.get(importKind, id, viewer)
      return shown(job, jobs.firstFaults(id))
    },
  }
}

/**
 * The newest imports, without what was recognized in their files, which can be large. With `dryRun`, only dry runs, or only
 * the others.
 */
async function newest(
  jobs: JobService,
  viewer: Caller,
  { dryRun, signal }: { dryRun: boolean | undefined; signal: AbortSignal },
): Promise<Import[]> {
  const found = await jobs.newest(importKind, viewer, { most: mostListed, dryRun, signal })
  return found.map((job) => shown(job, []))
}

export type ImportService = ReturnType<typeof importService>

/** An import in the form of a response: the job, what was asked for, and what was recognized. */
export function shown(job: Job, faults: Import["faults"]): Import {
  const { kind, mode, dryRun, skipInvalid, fileName } = inputOf(job.input)
  const { format = null, columns = [], firstRows = [] } = outputOf(job.output) ?? {}
  const asked = { kind, mode, dryRun, skipInvalid, fileName }
  const { counts } = stateOf(job.state)
  return { ...shownJob(job, faults), ...asked, counts, format, columns, firstRows }
}
