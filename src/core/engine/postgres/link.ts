import { steadyMillis } from "../../lib/clock"
import type { Address } from "./address"
import { connect } from "./connect"
import { connectionLost, PostgresError } from "./errors"
import type { Libpq } from "./libpq"
import type { Notification, Session } from "./session"

/** In milliseconds. After a failed attempt to connect there is none for this time, or for as long as it took. */
const shortestPause = 500

/** The current connection to a database, and a new one after it was lost. */
export class Link {
  #session: Session | null
  #channels = new Set<string>()
  /** Statements that a new connection runs first. */
  #kept = new Set<string>()
  /** The channels that nobody has listened to for a while. */
  #missed = new Set<string>()
  #failure: { error: unknown; until: number } | null = null
  #isClosed = false

  constructor(
    readonly pq: Libpq,
    readonly address: Address,
    readonly answerTime: number,
  ) {
    this.#session = this.open()
  }

  get isAlive(): boolean {
    return this.#session?.isAlive ?? false
  }

  get isInTransaction(): boolean {
    return this.#session?.isInTransaction ?? false
  }

  get isFailed(): boolean {
    return this.isAlive && (this.#session?.isFailed ?? false)
  }

  /** The connection whose transaction is open. */
  get openSession(): Session | null {
    return this.isInTransaction ? this.#session : null
  }

  /** True if this is still the current connection. */
  isCurrent(session: Session): boolean {
    return session === this.#session && session.isAlive
  }

  /** The connection as `session`. Notices first if the server has ended the current one. */
  checkedSession(): Session {
    this.look()
    return this.session()
  }

  /** The current connection, or a new one if it is lost. */
  session(): Session {
    if (this.#isClosed) throw new PostgresError(connectionLost, "The database was closed.")
    if (this.#session?.isAlive) return this.#session
    const began = steadyMillis()
    if (this.#failure && began < this.#failure.until) throw this.#failure.error
    try {
      return this.#reconnect()
    } catch (error) {
      const now = steadyMillis()
      this.#failure = { error, until: now + Math.max(shortestPause, now - began) }
      throw error
    }
  }

  /** A further connection, which the caller closes. */
  open(answerTime = this.answerTime): Session {
    return connect(this.pq, this.address, answerTime)
  }

  listen(channel: string): void {
    this.session().simple(listening(channel)).clear()
    this.#channels.add(channel)
  }

  /** Takes a shared lock, and again after the connection was lost. */
  share(key: number): boolean {
    const taking = locking(key, "_shared")
    if (!this.#lock(taking)) return false
    this.#kept.add(taking)
    return true
  }

  /**
   * Takes a lock that no other connection has, not even as a shared one. Returns null if another one has it, or a function
   * that tells whether it is still held: a lost connection loses it.
   */
  lock(key: number): (() => boolean) | null {
    if (!this.#lock(locking(key))) return null
    const session = this.#session
    return () => session !== null && session === this.#session && this.look()
  }

  /** Releases a lock of `lock`. */
  unlock(key: number): void {
    this.session().simple(`SELECT pg_advisory_unlock(${key})`).clear()
  }

  /** Reads what has arrived. Returns false if the connection is lost; it is not opened again. */
  look(): boolean {
    this.#session?.look()
    return this.isAlive
  }

  notifications(): Notification[] {
    const arrived = this.checkedSession().notifications()
    if (this.#missed.size === 0) return arrived
    const missed = Array.from(this.#missed, (channel) => ({ channel, payload: "", isOwn: false }))
    this.#missed.clear()
    return [...missed, ...arrived]
  }

  close(): void {
    this.#isClosed = true
    this.#session?.close()
    this.#session = null
  }

  #lock(taking: string): boolean {
    const [row] = this.session().simple(taking).rows()
    return row?.held === 1
  }

  /** Notifications may have been missed in the meantime, so each channel gets one without a payload. */
  #reconnect(): Session {
    this.#session?.close()
    this.#session = null
    const session = this.open()
    try {
      for (const channel of this.#channels) session.simple(listening(channel)).clear()
      for (const statement of this.#kept) session.simple(statement).clear()
    } catch (error) {
      session.close()
      throw error
    }
    this.#failure = null
    this.#session = session
    for (const channel of this.#channels) this.#missed.add(channel)
    return session
  }
}

const listening = (channel: string) => `LISTEN "${channel.replaceAll('"', '""')}"`
const locking = (key: number, mode: "" | "_shared" = "") =>
  `SELECT pg_try_advisory_lock${mode}(${key}) AS held`
