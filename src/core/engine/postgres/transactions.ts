import type { Answer } from "./answer"
import {
  cannotConnect,
  connectionLost,
  hasCode,
  isOutdatedPlan,
  noAnswer,
  noTransaction,
  outcomeUnknown,
  PostgresError,
  transactionFailed,
  transactionOpen,
} from "./errors"
import type { Link } from "./link"
import { outcomeOf, proofIn, proofQuery, type Proof } from "./outcome"
import type { Session, Step } from "./session"
import type { Effect, Translation } from "./translate"

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
  #waiting: Translation[] = []
  /** The connection that has the transaction, if the server knows of it. */
  #openIn: Session | null = null
  /** Why the connection was lost in the current transaction. */
  #lost: PostgresError | null = null
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
    return this.#openIn !== null || this.#lost !== null || this.#hasBegin
  }

  /** Sends a statement of the transaction with the next one. */
  defer(statement: Translation): void {
    this.#refuseOutside()
    this.#refuseLost()
    this.#waiting.push(statement)
    if (statement.effect === "write") this.#needsProof = true
  }

  begin(statement: Translation): void {
    if (this.isOpen && this.#lost === null)
      throw new PostgresError(transactionOpen, "A transaction cannot begin inside a transaction.")
    this.end()
    this.#waiting = [{ ...statement, sql: statement.sql.replace(/\s+(IMMEDIATE|EXCLUSIVE|DEFERRED)\b/i, "") }]
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

  /** Statements without parameters, as one text. */
  simple(sql: string, effect: Effect): Answer {
    if (this.isOpen && effect === "write") this.#needsProof = true
    return this.#attempt(
      (session, waiting) => session.simple([...waiting.map((each) => each.sql), sql].join("; ")),
      effect === "read",
    )
  }

  /** Sent with the next statement, unless the state of a failed transaction must be known before it. */
  rollbackTo(statement: Translation): void {
    this.#refuseOutside()
    this.undone++
    if (this.#link.isFailed) this.#exchange([{ sql: statement.sql }], false)[0]?.clear()
    else this.defer(statement)
  }

  /** A transaction is also rolled back when its connection ends, so a failure to send ROLLBACK is none. */
  rollback(): void {
    this.#refuseOutside()
    this.#waiting = []
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
    this.#refuseOutside()
    // If the connection has ended before, nothing was stored. After COMMIT is sent, that may not be known.
    this.#openIn?.look()
    this.#refuseFailed()
    if (this.#hasBegin && this.#waiting.every(({ effect }) => isMark(effect))) return this.end()
    // The proof must arrive before COMMIT is sent. Usually it arrived with the first write.
    if (this.#needsProof && !this.#proof) this.#keepProof(this.#exchange([{ sql: proofQuery }], false)[0])
    const { origin, pid } = this.#link.session()
    const proof = this.#proof
    try {
      const tag = this.#exchange([{ sql: "COMMIT" }], false)[0]?.tag()
      if (tag !== "COMMIT") throw failed()
      this.end()
    } catch (error) {
      this.undone++
      if (this.#link.isAlive || !(error instanceof PostgresError)) throw error
      this.end()
      const open = (time: number) => this.#link.open(time)
      const outcome = proof ? outcomeOf(open, { ...proof, origin, pid }, this.outcomeTime) : "aborted"
      if (outcome === "aborted") throw new PostgresError(error.code, error.message, { outcome })
      if (outcome === "unknown") throw unanswered(error)
    }
  }

  /** Forgets the transaction. */
  end(): void {
    this.#waiting = []
    this.#lost = null
    this.#proof = null
    this.#needsProof = false
    this.#openIn = this.#link.openSession
  }

  get #hasBegin(): boolean {
    return this.#waiting[0]?.effect === "begin"
  }

  #keepProof(answer: Answer | undefined): void {
    this.#proof = proofIn(answer)
    this.#needsProof = false
  }

  #exchange(steps: readonly Step[], isRepeatable: boolean): Answer[] {
    return this.#attempt((session, waiting) => {
      const answers = session.exchange([...waiting.map(({ sql }) => ({ sql })), ...steps])
      for (const answer of answers.splice(0, waiting.length)) answer.clear()
      return answers
    }, isRepeatable)
  }

  /**
   * Sends something after the statements that wait. If the connection turns out to be lost, a new one is used, unless a
   * transaction was open or something could be written twice. Nothing is stored twice if BEGIN is sent too. A server that
   * does not answer is not asked again, because that has taken long already.
   */
  #attempt<T>(send: (session: Session, waiting: Translation[]) => T, isRepeatable: boolean): T {
    this.#refuseLost()
    const waiting = this.#waiting
    const [wasOpen, begins] = [this.#openIn !== null, this.#hasBegin]
    this.#waiting = []
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

const marks: readonly Effect[] = ["begin", "savepoint", "release", "rollbackTo"]
const isMark = (effect: Effect) => marks.includes(effect)

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
