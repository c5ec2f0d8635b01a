import { steadyMillis } from "../../lib/clock"
import type { Answer } from "./answer"
import { PostgresError, type Outcome } from "./errors"
import { encoder } from "./parameters"
import type { Origin, Session } from "./session"

/** What identifies a transaction that has written something: its ID, and the end of the log after its first write. */
export type Proof = { xid: string; lsn: string }

/** Asks for the proof. The ID is NULL as long as nothing was written. */
export const proofQuery =
  "SELECT pg_current_xact_id_if_assigned()::text AS xid, pg_current_wal_insert_lsn()::text AS lsn"

export function proofIn(answer: Answer | undefined): Proof | null {
  const [found] = answer?.rows() ?? []
  return typeof found?.xid === "string" ? { xid: found.xid, lsn: String(found.lsn) } : null
}

/** A transaction whose COMMIT got no answer. */
export type Unanswered = Proof & { origin: Origin; pid: number }

/**
 * After a failover the ID may belong to another transaction, so nothing is known. After a crash too, if the log ends before
 * the first write: but then the transaction is not in the log, and was not stored. Recovery from a crash ends with a
 * checkpoint, whose position is the end of the log.
 */
const statusQuery = `SELECT CASE
    WHEN substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) <> $1 THEN 'unknown'
    WHEN pg_postmaster_start_time()::text <> $2 AND (SELECT redo_lsn FROM pg_control_checkpoint()) < $3::pg_lsn
      THEN 'aborted'
    ELSE coalesce(pg_xact_status($4::xid8), 'unknown') END AS status`

/** Ends the old connection, which waits for a COMMIT that will not arrive. */
const endQuery = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND backend_xid = ($2::xid8)::xid`

/**
 * Its commit waits for the standbys as every commit does. A commit whose wait was ended, by the loss of its connection or by
 * a restart, is stored here, but not yet there, and would be lost with this server.
 */
const replicatedQuery = "SELECT pg_logical_emit_message(true, 'kontor', '')"

/** PostgreSQL reports an ID that it has not assigned yet as invalid. After a crash, that is one that is not in the log. */
const inFuture = "22023"

/** In milliseconds. */
const pause = 50
const patience = 500

/**
 * Asks the server on new connections until it knows the outcome, for about `time` milliseconds. `open` gets how long the
 * connection may wait for an answer.
 */
export function outcomeOf(open: (time: number) => Session, lost: Unanswered, time: number): Outcome {
  const began = steadyMillis()
  for (;;) {
    const spent = steadyMillis() - began
    const status = statusOf(() => open(Math.max(time - spent, pause)), lost, spent > patience)
    if (status === "committed" || status === "aborted" || status === "unknown") return status
    if (steadyMillis() - began > time) return "unknown"
    Bun.sleepSync(pause)
  }
}

/** The server's answer; null if it cannot be asked now. */
function statusOf(open: () => Session, lost: Unanswered, isLate: boolean): string | null {
  let session: Session | null = null
  try {
    session = open()
    const { timeline, startedAt } = lost.origin
    const values = encoder()([timeline, startedAt, lost.lsn, lost.xid])
    const [row] = session.exchange([{ sql: statusQuery, values }])[0]?.rows() ?? []
    const status = String(row?.status)
    if (status === "in progress" && isLate)
      session.exchange([{ sql: endQuery, values: encoder()([lost.pid, lost.xid]) }])[0]?.clear()
    if (status === "committed") session.exchange([{ sql: replicatedQuery }])[0]?.clear()
    return status
  } catch (error) {
    return error instanceof PostgresError && error.code === inFuture ? "aborted" : null
  } finally {
    session?.close()
  }
}
