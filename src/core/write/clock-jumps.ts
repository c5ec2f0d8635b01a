import { later } from "../../shared/dates"
import type { Database } from "../engine/engine"
import { valueOf } from "../engine/sql"
import { business } from "../lib/clock"
import { auditEntry, type AuditEntry } from "./writer"

/** A clock that is set back by more than this, in milliseconds, was wrong, and not only inexact. */
export const dayLength = 24 * 3_600_000

/** What the entry of a clock that was set back is about. */
const [kind, action] = ["clock", "clock.set-back"]

/** True if the time of an entry is so far ahead of another one that the clock was wrong at one of them. */
export const isAheadOf = (at: string | null, now: string): boolean =>
  at !== null && at > later(now, dayLength)

/** The entry that marks a place where the clock was set back. It names the newest event before it. */
export const setBack = (db: Database, from: string, to: string): AuditEntry =>
  auditEntry(action, kind, {
    clockAt: { from, to },
    lastEvent: { from: null, to: valueOf<number>(db, "SELECT max(seq) FROM events") ?? 0 },
  })

/**
 * Until when the clock was ahead: the time of the latest entry of the audit log, if that is more than a day in the
 * future; null if it is not.
 */
export function aheadUntil(db: Database): string | null {
  const latest = valueOf<string>(db, "SELECT max(created_at) FROM audit_logs")
  return isAheadOf(latest, business.now()) ? latest : null
}

/** What people should know while entries of the audit log are dated in the future. */
export const aheadSentence = (until: string): string =>
  `The audit log has entries of up to ${until}, but the clock says ${business.now()}. If the clock is wrong, set it right now: ` +
  `dates and numbers of documents follow it. If it was ahead before, "kontor check" lists the documents that were dated then. ` +
  `The entry ${action} of the audit log marks where it was set back.`

/** A place in the audit log where the clock was set back: the number of the entry, and the times before and after. */
export type Jump = { seq: number; from: string; to: string; event: number }

type Row = { seq: number; changes: string }
type Change = { clockAt: { from: string; to: string }; lastEvent: { to: number } }

/** All places where the clock was set back, in their order. There are few. */
export const findJumps = (db: Database): Jump[] =>
  db
    .query<Row, [string, string]>(
      "SELECT seq, changes FROM audit_logs WHERE record_id = ? AND action = ? ORDER BY seq",
    )
    .all(kind, action)
    .map(({ seq, changes }) => {
      const { clockAt, lastEvent } = JSON.parse(changes) as Change
      return { seq, ...clockAt, event: lastEvent.to }
    })
