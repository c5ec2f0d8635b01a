import type { Database } from "../../core/engine/engine"
import { integerIn, rowsOf, textIn } from "../../core/engine/sql"
import { repriceKind, type Target } from "./model"

/** Stores targets from a position on, with one statement. */
export function insertTargets(db: Database, job: string, from: number, targets: readonly Target[]): void {
  db.query<void, [string, number, string]>(
    `INSERT INTO job_targets (job, position, record, change)
     SELECT ?1, ?2 + CAST(key AS BIGINT), ${textIn("value", "record")}, ${textIn("value", "change")} FROM ${rowsOf("?3")}`,
  ).run(job, from, JSON.stringify(targets.map(toRow)))
}

const toRow = ({ record, before, after }: Target) => ({ record, change: JSON.stringify({ before, after }) })

/** Returns the targets from a position on. */
export const findTargets = (db: Database, job: string, from: number, most: number): Target[] =>
  db
    .query<Target, [string, number, number]>(
      `SELECT record, ${integerIn("change", "before")} AS before, ${integerIn("change", "after")} AS after
       FROM job_targets WHERE job = ? AND position >= ? ORDER BY position LIMIT ?`,
    )
    .all(job, from, most)

/**
 * Deletes some targets of a job, and returns their number. They are a range of positions, because PostgreSQL may compare
 * each target with each position of a list.
 */
export const deleteTargets = (db: Database, job: string, most: number): number =>
  db
    .query(
      `DELETE FROM job_targets
       WHERE job = ?1 AND position < (SELECT min(position) FROM job_targets WHERE job = ?1) + ?2`,
    )
    .run(job, most).changes

/** Returns the ended jobs that still have targets. */
export const findEndedWithTargets = (db: Database): string[] =>
  db
    .query<{ id: string }, [string]>(
      `SELECT id FROM jobs
       WHERE kind = ? AND finished_at IS NOT NULL
         AND EXISTS (SELECT 1 FROM job_targets WHERE job_targets.job = jobs.id)`,
    )
    .all(repriceKind)
    .map(({ id }) => id)
