import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"

/** A record that a job changes or has changed. `change` is a JSON object that belongs to the job. */
export type JobTarget = { position: number; record: string; change: string }

export function insertTargets(db: Database, job: string, targets: readonly JobTarget[]): void {
  db.engine.runEach(
    "INSERT INTO job_targets (job, position, record, change) VALUES (?, ?, ?, ?)",
    targets.map(({ position, record, change }) => [job, position, record, change]),
  )
}

/** Returns the last targets before a position, the last one first. */
export const findTargetsBefore = (db: Database, job: string, before: number, most: number): JobTarget[] =>
  db
    .query<JobTarget, [string, number, number]>(
      `SELECT position, record, change FROM job_targets
       WHERE job = ? AND position < ? ORDER BY position DESC LIMIT ?`,
    )
    .all(job, before, most)

export const hasTargets = (db: Database, job: string): boolean =>
  valueOf(db, "SELECT 1 FROM job_targets WHERE job = ? LIMIT 1", job) !== null

export const countTargets = (db: Database, job: string): number =>
  valueOf(db, "SELECT count(*) FROM job_targets WHERE job = ?", job) ?? 0

export function deleteTargetsAt(db: Database, job: string, positions: readonly number[]): void {
  db.engine.runEach(
    "DELETE FROM job_targets WHERE job = ? AND position = ?",
    positions.map((position) => [job, position]),
  )
}

/**
 * Deletes some targets of a job, and returns their number. They are a range of positions, because PostgreSQL may compare
 * each target with each position of a list.
 */
export const deleteSomeTargets = (db: Database, job: string, most: number): number =>
  db
    .query(
      `DELETE FROM job_targets
       WHERE job = ?1 AND position IN (SELECT position FROM job_targets WHERE job = ?1 ORDER BY position LIMIT ?2)`,
    )
    .run(job, most).changes

/** Returns a job with targets that ended before a time; null if there is none. */
export const findEndedWithTargets = (db: Database, before: string): string | null =>
  valueOf(
    db,
    `SELECT id FROM jobs
     WHERE finished_at < ? AND EXISTS (SELECT 1 FROM job_targets WHERE job_targets.job = jobs.id) LIMIT 1`,
    before,
  )
