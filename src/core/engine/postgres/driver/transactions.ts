import type { Answer } from "./answer"
import {
  cannotConnect,
  connectionLost,
  hasCode,
  isOutdatedPlan,
  LateFailure,
  noAnswer,
  noTransaction,
  type Outcome,
  outcomeUnknown,
  PostgresError,
  postgresFailureOf,
  transactionFailed,
  transactionOpen,
} from "./errors"
import type { Link } from "./link"
import type { Origin, Session, Step } from "./session"
import { type Effect, translate, type Translation } from "./translate"
import { type Sent, WaitingStatements } from "./planned/waiting"
import { steadyMillis } from "../../../lib/clock"
import { standStill } from "../../../lib/process/standstill"
import { encoder } from "./parameters"

/** The rows that are sent ahead together. Fewer rows in a statement take the server longer. */
const rowsAhead = 40

/**
 * The transaction of a connection. BEGIN, SAVEPOINT and RELEASE wait until the next statement and are sent with it. A lost
 * connection is opened again for the next statement. A transaction that was open then stays lost until COMMIT or
 * ROLLBACK, so that none of its statements runs outside of it.
 */
export class Transactions {
  /** Changes when a transaction is rolled back or the connection is lost. */
  undone = 0
  readonly #link: Link
  /** The statements of the transaction that are sent with the next one. */
  readonly #waiting = new WaitingStatements()
  /** The connection that has the transaction, if the server knows of it. */
  #openIn: Session | null = null
  /** Why the connection was lost in the current transaction. */
  #lost: PostgresError | null = null
  /** Why the transaction can only be rolled back. */
  #late: LateFailure | null = null
  #proof: Proof | null = null
  /** True if a statement was sent that may have written something, and the proof was not asked for since. */
  #needsProof = false

  /** `outcomeTime`: how long a COMMIT without an answer may block until the server says what became of it. */
  constructor(
    link: Link,
    readonly outcomeTime: number,
  ) {
    this.#link = link
  }

  get isOpen(): boolean {
    return this.#openIn !== null || this.#lost !== null || this.#waiting.hasBegin
  }

  /** Sends a statement of the transaction with the next one. */
  defer(statement: Translation): void {
    this.#refuseOutside()
    this.#refuseLost()
    this.#waiting.add(statement)
    if (statement.effect === "write") this.#needsProof = true
  }

  /** The same for a statement that writes once for each list of values. If it fails, it is not known which of them did. */
  deferEach(statement: Translation, lists: readonly (readonly unknown[])[]): void {
    this.#refuseOutside()
    this.#refuseLost()
    this.#waiting.addEach(statement, lists)
    this.#needsProof = true
  }

  /** Sends what waits, if it is much, so that the server works on it while the next write is computed. */
  sendAhead(): void {
    if (this.#waiting.rows < rowsAhead || !this.#openIn || !this.#link.isCurrent(this.#openIn)) return
    this.#openIn.sendAhead(this.#waiting.take())
  }

  begin(statement: Translation): void {
    if (this.isOpen && this.#lost === null)
      throw new PostgresError(transactionOpen, "A transaction cannot begin inside a transaction.")
    this.end()
    this.#waiting.add({
      ...statement,
      sql: statement.sql.replace(/\s+(IMMEDIATE|EXCLUSIVE|DEFERRED)\b/i, ""),
    })
  }

  /**
   * Begins a transaction with a query that locks a row, asks for its proof, and reads. Other work can run while it waits for
   * the lock, but not with this connection. Returns the answers of the query and of the reads. If one of them fails, there is
   * no transaction.
   */
  async beginWith(query: string, reads: readonly Step[]): Promise<Answer[]> {
    this.begin(translate("BEGIN"))
    for (let isFirst = true; ; isFirst = false) {
      try {
        const steps = [{ sql: "BEGIN" }, { sql: query }, { sql: proofQuery }, ...reads]
        const [begun, answer, proof, ...rest] = await this.#link.session().exchangeLater(steps)
        if (!answer) throw new Error("A statement has no result.")
        begun?.clear()
        this.#waiting.clear()
        this.#keepProof(proof)
        return [answer, ...rest]
      } catch (error) {
        if (isFirst && this.#mayRepeat(error, true)) continue
        if (!this.#link.isAlive) this.undone++
        else if (this.#link.isInTransaction) this.#link.session().simple("ROLLBACK").clear()
        this.end()
        throw error
      } finally {
        this.#openIn = this.#link.openSession
      }
    }
  }

  query(statement: Translation, values: Step["values"]): Answer {
    const [answer] = this.queryEach(statement, [values])
    if (!answer) throw new Error("A statement has no result.")
    return answer
  }

  /**
   * Sends a statement once for each list of parameters. The first one that writes also asks for the proof of its
   * transaction.
   */
  queryEach({ sql, effect }: Translation, lists: readonly Step["values"][]): Answer[] {
    const wantsProof = this.isOpen && this.#proof === null && (effect === "write" || this.#needsProof)
    if (wantsProof) this.#needsProof = true
    const steps = [...lists.map((values) => ({ sql, values })), ...(wantsProof ? [{ sql: proofQuery }] : [])]
    const answers = this.#exchange(steps, effect === "read")
    if (wantsProof) this.#keepProof(answers.pop())
    return answers
  }

  /** Sends different queries together. */
  readAll(steps: readonly Step[]): Answer[] {
    return this.#exchange(steps, true)
  }

  /** Statements without parameters, as one text. */
  simple(sql: string, effect: Effect): Answer {
    if (this.isOpen && effect === "write") this.#needsProof = true
    // Values cannot be sent with it, and a failure of what was sent ahead is not its own.
    if (this.#waiting.hasValues || this.#openIn?.hasAhead)
      for (const answer of this.#exchange([], false)) answer.clear()
    return this.#attempt(
      (session, waiting) => session.simple([...waiting.map((each) => each.sql), sql].join("; ")),
      effect === "read",
    )
  }

  /** Sent with the next statement, unless the state of a failed transaction must be known before it. */
  rollbackTo(statement: Translation): void {
    this.#refuseOutside()
    if (this.#late) throw this.#late
    this.undone++
    if (this.#link.isFailed) this.#exchange([{ sql: statement.sql }], false)[0]?.clear()
    else this.defer(statement)
  }

  /** A transaction is also rolled back when its connection ends, so a failure to send ROLLBACK is none. */
  rollback(): void {
    this.#refuseOutside()
    this.#waiting.clear()
    this.#late = null
    // Why it has failed does not matter any more.
    this.#openIn?.settleAhead()
    try {
      if (this.#openIn && this.#link.isCurrent(this.#openIn))
        this.#exchange([{ sql: "ROLLBACK" }], false)[0]?.clear()
    } catch (error) {
      if (this.#link.isAlive) throw error
    } finally {
      this.undone++
      this.end()
    }
  }

  commit(): void {
    if (!this.#mayCommit()) return
    const lost = this.#unanswered()
    try {
      const [answer] = this.#exchange([{ sql: "COMMIT" }], false)
      this.#endCommitted(answer)
    } catch (error) {
      this.#explainCommit(error, lost)
    }
  }

  /** The same, but other work can run before the answer arrives, though not with this connection. It ends the transaction. */
  async commitLater(): Promise<void> {
    if (!this.#mayCommit()) return
    const lost = this.#unanswered()
    const waiting = this.#waiting.take()
    try {
      const answers = await this.#link.session().exchangeLater([...waiting, { sql: "COMMIT" }])
      for (const answer of answers.splice(0, waiting.length)) answer.clear()
      this.#endCommitted(answers[0])
    } catch (error) {
      if (this.#link.isAlive) this.rollback()
      this.#explainCommit(this.#lateOf(error, waiting), lost)
    }
  }

  /** False if there is nothing to commit. Everything that COMMIT needs has arrived then. */
  #mayCommit(): boolean {
    this.#refuseOutside()
    // If the connection has ended before, nothing was stored. After COMMIT is sent, that may not be known.
    this.#openIn?.look()
    if (this.#late) throw this.#late
    this.#refuseFailed()
    if (this.#waiting.hasBegin && this.#waiting.hasOnlyMarks) {
      this.end()
      return false
    }
    // The proof must arrive before COMMIT is sent. Usually it arrived with the first write.
    if (this.#needsProof && !this.#proof) this.#keepProof(this.#exchange([{ sql: proofQuery }], false)[0])
    return true
  }

  /** What tells whether the transaction was stored, if COMMIT gets no answer; null if it has written nothing. */
  #unanswered(): Unanswered | null {
    const { origin, pid } = this.#link.session()
    return this.#proof && { ...this.#proof, origin, pid }
  }

  #endCommitted(answer: Answer | undefined): void {
    if (answer?.tag() !== "COMMIT") throw failed()
    this.end()
  }

  /** Throws why COMMIT has failed. Without an answer, the server is asked whether the transaction was stored. */
  #explainCommit(error: unknown, lost: Unanswered | null): void {
    this.undone++
    if (this.#link.isAlive || !(error instanceof PostgresError)) throw error
    this.end()
    const open = (time: number) => this.#link.open(time)
    const outcome = lost ? standStill(() => outcomeOf(open, lost, this.outcomeTime)) : "aborted"
    if (outcome === "aborted") throw new PostgresError(error.code, error.message, { outcome })
    if (outcome === "unknown") throw unanswered(error)
  }

  /** Forgets the transaction. */
  end(): void {
    this.#waiting.clear()
    this.#lost = null
    this.#late = null
    this.#proof = null
    this.#needsProof = false
    this.#openIn = this.#link.openSession
  }

  #keepProof(answer: Answer | undefined): void {
    this.#proof = proofIn(answer)
    this.#needsProof = false
  }

  #exchange(steps: readonly Step[], isRepeatable: boolean): Answer[] {
    return this.#attempt((session, waiting) => {
      try {
        const answers = session.exchange([...waiting, ...steps])
        for (const answer of answers.splice(0, waiting.length)) answer.clear()
        return answers
      } catch (error) {
        throw this.#lateOf(error, waiting)
      }
    }, isRepeatable)
  }

  /** The error of a statement that waited is not one of the statement that it was sent with. */
  #lateOf(error: unknown, waiting: readonly Sent[]): unknown {
    if (!(error instanceof PostgresError) || postgresFailureOf(error) === "unavailable") return error
    if (!error.isAhead && (error.place === null || !waiting[error.place]?.isLate)) return error
    return (this.#late = new LateFailure(error))
  }

  /**
   * Sends something after the statements that wait. If the connection turns out to be lost, a new one is used, unless a
   * transaction was open or something could be written twice. Nothing is stored twice if BEGIN is sent too. A server that
   * does not answer is not asked again, because that has taken long already.
   */
  #attempt<T>(send: (session: Session, waiting: Sent[]) => T, isRepeatable: boolean): T {
    this.#refuseLost()
    const [wasOpen, begins] = [this.#openIn !== null, this.#waiting.hasBegin]
    const waiting = this.#waiting.take()
    const canRepeat = begins || isRepeatable
    try {
      try {
        return send(!wasOpen && !canRepeat ? this.#link.checkedSession() : this.#link.session(), waiting)
      } catch (error) {
        if (wasOpen || !this.#mayRepeat(error, canRepeat)) throw error
        return send(this.#link.session(), waiting)
      }
    } catch (error) {
      throw this.#link.isAlive ? error : this.#afterLoss(error, wasOpen || begins, canRepeat)
    } finally {
      this.#openIn = this.#link.openSession
    }
  }

  #mayRepeat(error: unknown, isRepeatable: boolean): boolean {
    if (!this.#link.isAlive) return isRepeatable && !hasCode(error, [cannotConnect, noAnswer])
    if (!isOutdatedPlan(error)) return false
    if (this.#link.isInTransaction) this.#link.session().simple("ROLLBACK").clear()
    return true
  }

  #afterLoss(error: unknown, hadTransaction: boolean, isRepeatable: boolean): unknown {
    this.undone++
    if (!(error instanceof PostgresError)) return error
    if (hadTransaction) this.#lost = error
    else if (!isRepeatable && !hasCode(error, [cannotConnect])) return unanswered(error)
    return error
  }

  #refuseLost(): void {
    this.#noticeLoss()
    if (this.#lost) throw this.#lost
    if (this.#late) throw this.#late
  }

  #noticeLoss(): void {
    if (this.#openIn && !this.#link.isCurrent(this.#openIn))
      this.#lost ??= new PostgresError(connectionLost, "The connection to the server was lost.")
  }

  #refuseOutside(): void {
    if (!this.isOpen) throw new PostgresError(noTransaction, "There is no transaction.")
  }

  /** PostgreSQL answers COMMIT with ROLLBACK, without an error, if a statement of the transaction has failed. */
  #refuseFailed(): void {
    this.#noticeLoss()
    if (this.#lost) {
      const { code, message } = this.#lost
      this.end()
      throw new PostgresError(code, message, { outcome: "aborted" })
    }
    if (!this.#link.isFailed) return
    this.rollback()
    throw failed()
  }
}

const failed = () =>
  new PostgresError(
    transactionFailed,
    "The transaction was rolled back, because one of its statements has failed.",
    {
      outcome: "aborted",
    },
  )

const unanswered = ({ message }: PostgresError) =>
  new PostgresError(outcomeUnknown, `It is not known whether the write was stored: ${message}`, {
    outcome: "unknown",
  })

/** What identifies a transaction that has written something: its ID, and the end of the log after its first write. */
export type Proof = { xid: string; lsn: string }

/** Asks for the proof. The ID is NULL as long as nothing was written. */
export const proofQuery =
  "SELECT pg_current_xact_id_if_assigned()::text AS xid, pg_current_wal_insert_lsn()::text AS lsn"

function proofIn(answer: Answer | undefined): Proof | null {
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
