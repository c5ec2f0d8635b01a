import { CString, FFIType, type Pointer, read } from "bun:ffi"
import { Answer, errorOf, isSuccess, resultStatus } from "./answer"
import { connectionLost, isOutdatedPlan, isUnknownStatement, noAnswer, PostgresError } from "./errors"
import { cText, type Handle, ignoreNotices, type Libpq } from "./libpq"
import type { Encoded } from "./parameters"
import { steadyMillis } from "../../../lib/clock"
import { libc } from "../../../lib/process/libc"
import { standStill } from "../../../lib/process/standstill"
import { nextTurn } from "../../../lib/turns"
import type { Field } from "./rows"

/** A statement that the server has prepared under a name, if it is known there. */
type Prepared = {
  sql: string
  id: string
  name: Buffer
  isKnown: boolean
  fields: Field[] | null
  usedAt: number
}

/** Prepared statements take memory on the server. */
const most = 500

/** The prepared statements of a connection, by their SQL. The least recently used one is closed when there are too many. */
function statementNames() {
  const known = new Map<string, Prepared>()
  let closed: string[] = []
  let lastId = 0
  let clock = 0

  function closeOldest(): void {
    let oldest: Prepared | null = null
    for (const each of known.values()) if (!oldest || each.usedAt < oldest.usedAt) oldest = each
    if (!oldest) return
    known.delete(oldest.sql)
    if (oldest.isKnown) closed.push(oldest.id)
  }

  return {
    of(sql: string): Prepared {
      let prepared = known.get(sql)
      if (!prepared) {
        if (known.size >= most) closeOldest()
        const id = `s${++lastId}`
        prepared = { sql, id, name: cText(id), isKnown: false, fields: null, usedAt: 0 }
        known.set(sql, prepared)
      }
      prepared.usedAt = ++clock
      return prepared
    },

    /** Prepares the statement again at its next use, under a new name. */
    forget(prepared: Prepared): void {
      if (known.get(prepared.sql) === prepared) known.delete(prepared.sql)
    },

    /** Prepares all statements again. Something else has told the server to forget them. */
    forgetAll(): void {
      known.clear()
      closed = []
    },

    /** The names that the server should forget. */
    takeClosed(): string[] {
      const names = closed
      closed = []
      return names
    },
  }
}

/** One statement of an exchange. */
export type Step = { sql: string; values?: Encoded }

/** A notification of a channel, and the connection that has sent it. */
export type Notification = { channel: string; payload: string; from: number }

/** Which run of which server a connection belongs to. */
export type Origin = { timeline: string; startedAt: string }

/** A statement that was sent, and what it is for. */
type Sent = { purpose: "close" | "prepare" | "run" | "end"; prepared: Prepared | null }

/** What is sent together, with one end. `isSent` is false if the connection is lost. */
type Exchange = { sent: Sent[]; isSent: boolean }

/** Values of PGTransactionStatusType. */
const transaction = { idle: 0, failed: 3 }

const noValues: Encoded = { count: 0, values: null, lengths: null, formats: null }

/** In milliseconds: how long the event loop waits in one turn for an answer that may take long, and for how long it does so. */
const [shortWait, shortWaits] = [1, 25]

/** In milliseconds: the pause before it looks again, and after how long the pause is longer. */
const [shortPause, longPause, shortPauses] = [1, 5, 250]

/** One connection to the server. It does not reconnect. */
export class Session {
  readonly pid: number
  origin: Origin = { timeline: "", startedAt: "" }
  /** The schema in which tables are created and looked for; null if there is none. */
  schema: string | null = null
  #names = statementNames()
  /** True after an exchange that was not finished. What would be received next is the rest of it. */
  #isBroken = false
  #isSilent = false
  #isClosed = false
  /** What was sent ahead, and is not answered yet. */
  #ahead: Exchange[] = []

  constructor(
    readonly pq: Libpq,
    readonly at: Handle,
    /** In milliseconds: how long an exchange waits for data; 0 for any time. */
    readonly answerTime: number,
  ) {
    this.pid = pq.PQbackendPID(at)
    ignoreNotices(pq, at)
    pq.PQenterPipelineMode(at)
  }

  get isAlive(): boolean {
    return !this.#isBroken && this.pq.PQstatus(this.at) === 0
  }

  get isInTransaction(): boolean {
    return this.isAlive && this.pq.PQtransactionStatus(this.at) !== transaction.idle
  }

  /** True if a statement has failed in the transaction, so that it can only be rolled back. */
  get isFailed(): boolean {
    return this.pq.PQtransactionStatus(this.at) === transaction.failed
  }

  /**
   * Sends statements together and waits once for all of them. After the first failure the server skips the rest. Outside a
   * transaction they are a transaction of their own.
   */
  exchange(steps: readonly Step[]): Answer[] {
    const all = this.#sendAll(steps)
    return this.#receiveAfter(this.settleAhead(), all)
  }

  /** The same, but other work can run before the answers arrive, if that takes longer than a moment. */
  async exchangeLater(steps: readonly Step[]): Promise<Answer[]> {
    const all = this.#sendAll(steps)
    let failure: unknown = null
    for (let next = this.#ahead[0]; next; next = this.#ahead[0]) {
      if (next.isSent) await this.#arrival()
      failure = this.settleAhead(1) ?? failure
    }
    if (all.isSent) await this.#arrival()
    return this.#receiveAfter(failure, all)
  }

  /** Sends statements that are answered with the next exchange, so that the server works on them meanwhile. */
  sendAhead(steps: readonly Step[]): void {
    this.#ahead.push(this.#sendAll(steps))
  }

  get hasAhead(): boolean {
    return this.#ahead.length > 0
  }

  /** Waits for the first exchanges that were sent ahead. Returns why they have failed. */
  settleAhead(most = Infinity): unknown {
    let failure: unknown = null
    for (const sent of this.#ahead.splice(0, most))
      try {
        for (const answer of this.#receiveAll(sent)) answer.clear()
      } catch (error) {
        if (error instanceof PostgresError) error.isAhead = true
        failure ??= error
      }
    return failure
  }

  /** Runs one or more statements without parameters. */
  simple(sql: string): Answer {
    const { pq, at } = this
    const text = cText(sql)
    const failure = this.settleAhead()
    if (failure) throw failure
    pq.PQexitPipelineMode(at)
    const result = pq.PQsendQuery(at, text) === 1 ? this.#lastResult() : null
    const status = pq.PQresultStatus(result)
    if (result && isSuccess(status)) {
      pq.PQenterPipelineMode(at)
      return new Answer(pq, result)
    }
    const error = errorOf(pq, at, result)
    pq.PQclear(result)
    pq.PQenterPipelineMode(at)
    throw error
  }

  /** Reads what has arrived. Afterwards, `isAlive` is false if the server has ended the connection. */
  look(): void {
    // The first call may find the server's last message, and only the second one the end of the connection.
    this.pq.PQconsumeInput(this.at)
    this.pq.PQconsumeInput(this.at)
  }

  /** The notifications that have arrived. Does not wait for the server. */
  notifications(): Notification[] {
    const { pq, at } = this
    const found: Notification[] = []
    for (let note = pq.PQnotifies(at); note; note = pq.PQnotifies(at)) {
      const text = (offset: number) => new CString(read.ptr(note as Pointer, offset) as Pointer).toString()
      found.push({ channel: text(0), payload: text(16), from: read.i32(note, 8) })
      pq.PQfreemem(note)
    }
    return found
  }

  close(): void {
    this.#isClosed = true
    this.pq.PQfinish(this.at)
  }

  #sendAll(steps: readonly Step[]): Exchange {
    const sent: Sent[] = []
    const isSent = this.#sendClosing(sent) && steps.every((step) => this.#send(step, sent))
    return { sent, isSent: isSent && this.pq.PQpipelineSync(this.at) === 1 }
  }

  /** After a failure of what was sent ahead, the server has refused the rest. */
  #receiveAfter(failure: unknown, all: Exchange): Answer[] {
    if (!failure) return this.#receiveAll(all)
    try {
      for (const answer of this.#receiveAll(all)) answer.clear()
    } catch {
      // The first failure tells why.
    }
    throw failure
  }

  #receiveAll({ sent, isSent }: Exchange): Answer[] {
    const results = isSent ? this.#receive(sent.length) : []
    const last = results.length === sent.length ? this.#receiveEnd() : null
    this.#isBroken ||= last === null
    return this.#answersOf(sent, [...results, ...(last ? [last] : [])])
  }

  /**
   * Resolves when the first answer has arrived, the connection is lost, or the server is silent. What another server does in
   * a write usually takes less time than a timer, so the wait begins with short ones.
   */
  async #arrival(): Promise<void> {
    const { pq, at, answerTime } = this
    const began = steadyMillis()
    while (pq.PQisBusy(at) === 1) {
      const waited = steadyMillis() - began
      this.#isSilent ||= answerTime > 0 && waited > answerTime
      if (this.#isSilent) return
      if (waited > shortWaits) await Bun.sleep(waited > shortPauses ? longPause : shortPause)
      else if (!waitForData(pq.PQsocket(at), shortWait)) await nextTurn()
      if (this.#isClosed) throw new PostgresError(connectionLost, "The database was closed.")
      if (pq.PQconsumeInput(at) === 0) return
    }
  }

  /** In a failed transaction the server refuses to forget a statement, so that waits. */
  #sendClosing(sent: Sent[]): boolean {
    if (this.hasAhead || this.isFailed) return true
    return this.#names.takeClosed().every((name) => {
      const sql = cText(`DEALLOCATE ${name}`)
      sent.push({ purpose: "close", prepared: null }, { purpose: "close", prepared: null })
      const unnamed = cText("")
      return (
        this.pq.PQsendPrepare(this.at, unnamed, sql, 0, null) === 1 &&
        this.pq.PQsendQueryPrepared(this.at, unnamed, 0, null, null, null, 0) === 1
      )
    })
  }

  #send({ sql, values = noValues }: Step, sent: Sent[]): boolean {
    const { pq, at } = this
    const prepared = this.#names.of(sql)
    if (!prepared.isKnown) {
      prepared.isKnown = true
      sent.push({ purpose: "prepare", prepared })
      if (pq.PQsendPrepare(at, prepared.name, cText(sql), 0, null) !== 1) return false
    }
    sent.push({ purpose: "run", prepared })
    const { count, values: texts, lengths, formats } = values
    return pq.PQsendQueryPrepared(at, prepared.name, count, texts, lengths, formats, 0) === 1
  }

  /** Waits for the results, in the order of the statements. There are fewer if the connection is lost. */
  #receive(count: number): Handle[] {
    const results: Handle[] = []
    while (results.length < count) {
      const result = this.#next()
      if (!result) break
      results.push(result)
      for (let more = this.#next(); more; more = this.#next()) this.pq.PQclear(more)
    }
    return results
  }

  /**
   * Waits for the end of the exchange: a result that is a success, or the error of what the server did at the end, such
   * as checking deferred constraints. Returns null if the connection is lost.
   */
  #receiveEnd(): Handle | null {
    const { pq } = this
    let failure: Handle | null = null
    // A failure is followed by a null before the end.
    for (let nulls = 0; nulls < 2;) {
      const result = this.#next()
      if (!result) nulls++
      else if (pq.PQresultStatus(result) !== resultStatus.sync) failure = result
      else if (!failure) return result
      else {
        pq.PQclear(result)
        return failure
      }
    }
    pq.PQclear(failure)
    return null
  }

  /** Waits for any time for all results of what was sent outside of a pipeline. */
  #lastResult(): Handle | null {
    const { pq, at } = this
    let last: Handle | null = null
    for (;;) {
      while (pq.PQisBusy(at) === 1) {
        waitForData(pq.PQsocket(at), anyTime)
        if (pq.PQconsumeInput(at) === 0) break
      }
      const result = pq.PQgetResult(at)
      if (!result) return last
      pq.PQclear(last)
      last = result
    }
  }

  /** The next result; null after the last one of a statement, and if nothing arrives for too long. */
  #next(): Handle | null {
    const { pq, at, answerTime } = this
    while (answerTime > 0 && !this.#isSilent && pq.PQisBusy(at) === 1) {
      this.#isSilent = !waitForData(pq.PQsocket(at), answerTime)
      if (this.#isSilent || pq.PQconsumeInput(at) === 0) break
    }
    return this.#isSilent ? null : pq.PQgetResult(at)
  }

  /** `results` has one more than was sent: the end. It has fewer if the connection is lost. */
  #answersOf(sent: readonly Sent[], results: readonly Handle[]): Answer[] {
    const { pq } = this
    const answers: Answer[] = []
    let error: PostgresError | null = null
    const all: Sent[] = [...sent, { purpose: "end", prepared: null }]
    all.forEach(({ purpose, prepared }, i) => {
      const result = results[i] ?? null
      const isDone = result !== null && isSuccess(pq.PQresultStatus(result))
      if (!isDone) error ??= this.#isSilent ? silence() : errorOf(pq, this.at, result)
      if (!isDone && prepared && (purpose === "prepare" || isOutdatedPlan(error)))
        this.#names.forget(prepared)
      if (isDone && purpose === "run" && prepared) answers.push(this.#answer(result, prepared))
      else if (result) pq.PQclear(result)
    })
    if (!error) return answers
    ;(error as PostgresError).place = answers.length
    if (isUnknownStatement(error)) this.#names.forgetAll()
    answers.forEach((answer) => answer.clear())
    throw error
  }

  #answer(result: Handle, prepared: Prepared): Answer {
    const answer = new Answer(this.pq, result, prepared.fields ?? undefined)
    prepared.fields = answer.fields
    return answer
  }
}

const silence = () => new PostgresError(noAnswer, "The server does not answer.")

const { ptr, i32, u64 } = FFIType

/** The value of POLLIN, what poll() returns when the time is over, and the time that does not end. */
const [readable, timedOut, anyTime] = [1, 0, -1]

/** In milliseconds: how long the event loop waits for an answer before others are told that it stands still. */
const unnoticed = 20

let system: ReturnType<typeof load> | undefined
const load = () => libc({ poll: { args: [ptr, u64, i32], returns: i32 } })

/**
 * Waits until a socket has data or is closed. Returns false if that takes longer than `time` milliseconds. On a system
 * without poll() it returns immediately.
 */
function waitForData(socket: number, time: number): boolean {
  if (system === undefined) system = load()
  if (!system) return true
  // A struct pollfd: the socket, and the events as 16 bits in the lower half.
  const watched = new Int32Array([socket, readable])
  const { poll } = system
  const waits = (most: number): boolean => poll(watched, 1, most) !== timedOut
  if (time !== anyTime && time <= unnoticed) return waits(time)
  return waits(unnoticed) || standStill(() => waits(time === anyTime ? time : time - unnoticed))
}
