import type { Database } from "../../core/engine/engine"
import { isTrueIn, listOf, textIn, valueOf, valuesOf } from "../../core/engine/sql"
import type { Job, JobCaller, JobError, JobFault } from "./model"

type Row = {
  id: string
  kind: string
  status: Job["status"]
  caller: string
  input: string
  state: string
  output: string
  error: string | null
  progress: number
  attempts: number
  created_by: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}

const columns =
  "id, kind, status, caller, input, state, output, error, progress, attempts, created_by, created_at, started_at, finished_at"

const toJob = ({ created_by, created_at, started_at, finished_at, ...row }: Row): Job => ({
  ...row,
  caller: JSON.parse(row.caller) as Job["caller"],
  input: JSON.parse(row.input) as Job["input"],
  state: JSON.parse(row.state) as Job["state"],
  output: JSON.parse(row.output) as Job["output"],
  error: row.error === null ? null : (JSON.parse(row.error) as JobError),
  createdBy: created_by,
  createdAt: created_at,
  startedAt: started_at,
  finishedAt: finished_at,
})

export type NewJob = Pick<Job, "id" | "kind" | "caller" | "input" | "state"> & {
  uniqueKey: string | null
  /** The job does not run before this time. */
  runAt: string
  now: string
}

export function insertJob(db: Database, job: NewJob): void {
  const { id, kind, caller, input, state, uniqueKey, runAt, now } = job
  db.query<void, (string | null)[]>(
    `INSERT INTO jobs (id, kind, unique_key, status, caller, input, state, output, progress, attempts, run_at, created_by, created_at)
     VALUES (?, ?, ?, 'queued', ?, ?, ?, '{}', 0, 0, ?, ?, ?)`,
  ).run(
    id,
    kind,
    uniqueKey,
    JSON.stringify(caller),
    JSON.stringify(input),
    JSON.stringify(state),
    runAt,
    caller.actor.type === "system" ? null : caller.userId,
    now,
  )
}

export function findJob(db: Database, id: string): Job | null {
  const row = db.query<Row, [string]>(`SELECT ${columns} FROM jobs WHERE id = ?`).get(id)
  return row && toJob(row)
}

/** Returns the jobs that have not ended, and who they work for. There are few. */
export const findUnfinished = (db: Database): Pick<Job, "id" | "caller">[] =>
  db
    .query<Pick<Row, "id" | "caller">, []>(
      "SELECT id, caller FROM jobs WHERE finished_at IS NULL ORDER BY seq",
    )
    .all()
    .map(({ id, caller }) => ({ id, caller: JSON.parse(caller) as JobCaller }))

/** Returns the unfinished job of a kind whose input has this value; null if there is none. */
export const findUnfinishedOf = (db: Database, kind: string, name: string, value: string): string | null =>
  valueOf(
    db,
    `SELECT id FROM jobs WHERE finished_at IS NULL AND kind = ? AND ${textIn("input", name)} = ?`,
    kind,
    value,
  )

/** True if a job has ended, or was deleted. */
export const isEnded = (db: Database, id: string): boolean =>
  valueOf(db, "SELECT id FROM jobs WHERE id = ? AND finished_at IS NULL", id) === null

export function findByKey(db: Database, uniqueKey: string): Job | null {
  const row = db.query<Row, [string]>(`SELECT ${columns} FROM jobs WHERE unique_key = ?`).get(uniqueKey)
  return row && toJob(row)
}

/** Which jobs to list: those of a user, and those whose input has this value. */
type Wanted = { owner: string | null; dryRun: boolean | undefined }

/** The number of jobs that are looked at in one step. */
const lookedAt = 200

/**
 * Returns the numbers of the newest jobs, some at a time. They are filtered by columns before the output, because a row is
 * read up to the last column that is needed, and an output may have hundreds of pages.
 */
export function* eachNewest(
  db: Database,
  kind: string,
  { owner, dryRun }: Wanted,
): Generator<number[], undefined> {
  const next = db.query<{ seq: number; isWanted: number }, (string | number | null)[]>(
    `SELECT seq, CASE WHEN kind = ?2 AND (CAST(?3 AS TEXT) IS NULL OR ${textIn("caller", "userId")} = ?3)
       AND (CAST(?4 AS BIGINT) IS NULL OR ${isTrueIn("input", "dryRun")} = ?4) THEN 1 ELSE 0 END AS "isWanted"
     FROM jobs WHERE seq < ?1 ORDER BY seq DESC LIMIT ${lookedAt}`,
  )
  const dry = dryRun === undefined ? null : Number(dryRun)
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const found = next.all(before, kind, owner, dry)
    yield found.filter(({ isWanted }) => isWanted === 1).map(({ seq }) => seq)
    if (found.length < lookedAt) return undefined
    before = found.at(-1)?.seq ?? 0
  }
}

const listedColumns = columns.replace(" output,", " '{}' AS output,")

/** Returns a job without its output; null if it was deleted. */
export function findListed(db: Database, seq: number): Job | null {
  const row = db.query<Row, [number]>(`SELECT ${listedColumns} FROM jobs WHERE seq = ?`).get(seq)
  return row && toJob(row)
}

export type Lease = { token: string; until: string }

/** `except` are the jobs that this process runs. */
type Taken = { now: string; lease: Lease; except: readonly string[] }

/** Takes the lease of the next job of some kinds that is due, counts the attempt, and returns the job. */
export function takeDue(db: Database, kinds: readonly string[], { now, lease, except }: Taken): Job | null {
  const row = db
    .query<Row, string[]>(
      `UPDATE jobs SET lease = ?, leased_until = ?, attempts = attempts + 1, started_at = coalesce(started_at, ?)
       WHERE seq = (
         SELECT seq FROM jobs
         WHERE finished_at IS NULL AND run_at <= ? AND kind IN (${kinds.map(() => "?").join(", ")})
           AND (lease IS NULL OR lease = ? OR leased_until < ?) AND id NOT IN ${listOf("?")}
         ORDER BY run_at, seq LIMIT 1)
       RETURNING ${columns}`,
    )
    .get(lease.token, lease.until, now, now, ...kinds, lease.token, now, JSON.stringify(except))
  return row && toJob(row)
}

/** Returns the time when the next job of some kinds is due, or the lease of another server ends; null if there is none. */
export const findNextDue = (db: Database, kinds: readonly string[]): string | null =>
  valueOf(
    db,
    `SELECT min(CASE WHEN leased_until > run_at THEN leased_until ELSE run_at END)
     FROM jobs WHERE finished_at IS NULL AND kind IN (${kinds.map(() => "?").join(", ")})`,
    ...kinds,
  )

/** What a slice stores. The output is stored only if the slice changes it, because it can be large. */
export type Saved = Pick<Job, "status" | "state" | "progress"> & { output?: Job["output"] }

/** What is stored after a slice: progress never decreases, and attempts are counted again after progress. */
export type Stored = Pick<Job, "progress" | "attempts">

/**
 * Stores how far a job has come, and renews its lease. Returns null if the job has ended or another server has its
 * lease: then the slice must be undone. A job that begins a stage again makes no progress until it comes further than
 * before, so that one that always fails at the same place does not run forever.
 */
export const saveJob = (
  db: Database,
  id: string,
  { status, state, output, progress }: Saved,
  lease: Lease,
): Stored | null =>
  db
    .query<Stored, (string | number | null)[]>(
      `UPDATE jobs SET status = ?1, state = ?2, output = coalesce(?3, output), progress = CASE WHEN ?4 > progress THEN ?4 ELSE progress END,
         attempts = CASE WHEN ?4 > progress THEN 0 ELSE attempts END, leased_until = ?5
       WHERE id = ?6 AND lease = ?7 AND finished_at IS NULL RETURNING progress, attempts`,
    )
    .get(
      status,
      JSON.stringify(state),
      output ? JSON.stringify(output) : null,
      progress,
      lease.until,
      id,
      lease.token,
    )

/** Changes the state of a job that has ended. */
export function saveState(db: Database, id: string, state: Job["state"]): void {
  db.query("UPDATE jobs SET state = ? WHERE id = ? AND finished_at IS NOT NULL").run(
    JSON.stringify(state),
    id,
  )
}

/**
 * Ends a job. Returns false if it had ended before, or if another server has its lease. Without a token, the lease does
 * not matter.
 */
export const endJob = (
  db: Database,
  id: string,
  error: JobError | null,
  now: string,
  token: string | null = null,
): boolean =>
  db
    .query<{ id: string }, (string | null)[]>(
      `UPDATE jobs SET status = ?1, error = ?2, progress = CASE WHEN CAST(?2 AS TEXT) IS NULL THEN 100 ELSE progress END,
         finished_at = ?3, lease = NULL, leased_until = NULL
       WHERE id = ?4 AND finished_at IS NULL AND (CAST(?5 AS TEXT) IS NULL OR lease = ?5) RETURNING id`,
    )
    .get(error ? "failed" : "finished", error && JSON.stringify(error), now, id, token) !== null

/** Lets a job be tried again later, unless another server has its lease. */
export function postpone(db: Database, id: string, runAt: string, token: string): void {
  db.query(
    `UPDATE jobs SET run_at = ?, lease = NULL, leased_until = NULL
     WHERE id = ? AND lease = ? AND finished_at IS NULL`,
  ).run(runAt, id, token)
}

/**
 * Frees the jobs that another process has begun, and lets those that wait for another attempt run now. That process has
 * ended, or is not the leader any more; then it loses their leases.
 */
export function freeJobs(db: Database, now: string): void {
  db.query(
    "UPDATE jobs SET lease = NULL, leased_until = NULL WHERE finished_at IS NULL AND lease IS NOT NULL",
  ).run()
  bringForward(db, now, now)
}

/** Lets the jobs that would run after a time run now: they wait for another attempt, or the clock was ahead. */
export function bringForward(db: Database, now: string, after: string): void {
  db.query("UPDATE jobs SET run_at = ? WHERE finished_at IS NULL AND run_at > ?").run(now, after)
}

/**
 * Frees the jobs that this process has begun, so that they run after the next start. An attempt that was interrupted on
 * purpose does not count.
 */
export function releaseLeases(db: Database, token: string): void {
  db.query(
    `UPDATE jobs SET lease = NULL, leased_until = NULL, attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END
     WHERE lease = ? AND finished_at IS NULL`,
  ).run(token)
}

/** Counts the jobs of a kind that have not ended: all of them, and those of one user. */
export const countUnfinished = (db: Database, kind: string, user: string): { all: number; own: number } =>
  db
    .query<{ all: number; own: number }, [string, string]>(
      `SELECT count(*) AS "all", count(CASE WHEN created_by = ? THEN 1 END) AS own
       FROM jobs WHERE finished_at IS NULL AND kind = ?`,
    )
    .get(user, kind) ?? { all: 0, own: 0 }

/** The number of ended jobs that are counted at most, because counting blocks other requests. */
const mostCounted = 10_000

/** Counts the jobs by status: those that have not ended, and those that ended after a time. */
export const countByStatus = (db: Database, after: string): { status: Job["status"]; jobs: number }[] =>
  db
    .query<{ status: Job["status"]; jobs: number }, [string]>(
      `SELECT status, count(*) AS jobs FROM jobs WHERE finished_at IS NULL GROUP BY status
       UNION ALL SELECT status, count(*) AS jobs FROM (
         SELECT status FROM jobs WHERE finished_at > ? ORDER BY finished_at DESC LIMIT ${mostCounted}
       ) AS ended GROUP BY status`,
    )
    .all(after)

/** Deletes jobs that ended before a time, and returns their number. */
export const deleteEndedBefore = (db: Database, before: string, most: number): number =>
  db
    .query(
      "DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs WHERE finished_at < ? ORDER BY finished_at LIMIT ?)",
    )
    .run(before, most).changes

export function insertFaults(db: Database, job: string, faults: readonly JobFault[]): void {
  if (faults.length > 0)
    db.query("INSERT INTO job_faults (job, faults) VALUES (?, ?)").run(job, packedFaults(faults))
}

/**
 * The faults of a slice repeat titles and messages, and become a hundredth in gzip: a file of 98 kB can have faults of 29
 * MB. The text is a JSON string with Base64.
 */
const packedFaults = (faults: readonly JobFault[]): string => JSON.stringify(packed(faults))

const packed = (faults: readonly JobFault[]): string =>
  Buffer.from(Bun.gzipSync(JSON.stringify(faults))).toString("base64")

const unpacked = (text: string): JobFault[] =>
  JSON.parse(Buffer.from(Bun.gunzipSync(Buffer.from(text, "base64"))).toString()) as JobFault[]

/** Slices of warnings are objects, so that they are not read as faults. */
type StoredWarnings = { warnings: string }

function unpackedFaults(text: string): JobFault[] {
  const stored = JSON.parse(text) as string | JobFault[]
  // Earlier versions stored the faults themselves.
  return typeof stored === "string" ? unpacked(stored) : stored
}

/** Stores what people should know of rows that are not wrong. */
export function insertWarnings(db: Database, job: string, warnings: readonly JobFault[]): void {
  if (warnings.length === 0) return
  const stored: StoredWarnings = { warnings: packed(warnings) }
  db.query("INSERT INTO job_faults (job, faults) VALUES (?, ?)").run(job, JSON.stringify(stored))
}

/** Returns all stored warnings of a job, in the order in which they were found. */
export const findWarnings = (db: Database, job: string): JobFault[] =>
  valuesOf<string>(
    db,
    "SELECT faults FROM job_faults WHERE job = ? AND substr(faults, 1, 1) = '{' ORDER BY seq",
    job,
  ).flatMap((text) => unpacked((JSON.parse(text) as StoredWarnings).warnings))

/** Returns the faults of a job in the order in which they were found, some at a time. */
export function* eachFaults(db: Database, job: string): Generator<JobFault[], undefined> {
  const next = db.query<{ seq: number; faults: string }, [string, number]>(
    "SELECT seq, faults FROM job_faults WHERE job = ? AND seq > ? AND substr(faults, 1, 1) <> '{' ORDER BY seq LIMIT 1",
  )
  for (let row = next.get(job, 0); row; row = next.get(job, row.seq)) yield unpackedFaults(row.faults)
  return undefined
}

export function deleteFaults(db: Database, job: string): void {
  db.query("DELETE FROM job_faults WHERE job = ?").run(job)
}
