import { steadyMillis } from "../../../lib/clock"
import { standStill } from "../../../lib/process/standstill"
import { type Address, oneLine } from "./address"
import { cannotConnect, connectionLost, hasCode, noAnswer, PostgresError } from "./errors"
import { cText, type Libpq } from "./libpq"
import { type Notification, Session } from "./session"
import { ptr } from "bun:ffi"
import { Unusable } from "../../../lib/refusal"

/** In milliseconds. After a failed attempt to connect there is none for this time, or for as long as it took. */
const shortestPause = 500

/** In place of the connection that has sent a notification. */
const nobody = 0

/** The current connection to a database, and a new one after it was lost. */
export class Link {
  /** The schema in which tables are created and looked for; null if there is none. */
  readonly schema: string | null
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
    this.schema = this.#session.schema
  }

  get isAlive(): boolean {
    return this.#session?.isAlive ?? false
  }

  /** The number of the current connection on the server; null if there is none. */
  get pid(): number | null {
    return this.#session?.pid ?? null
  }

  /** Which run of which server the current connection belongs to; null if there is none. */
  get origin(): string | null {
    const session = this.#session
    return session && `${session.origin.timeline} ${session.origin.startedAt}`
  }

  get isInTransaction(): boolean {
    return this.#session?.isInTransaction ?? false
  }

  get isFailed(): boolean {
    return this.isAlive && (this.#session?.isFailed ?? false)
  }

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
  share(key: bigint): boolean {
    const taking = locking(key, "_shared")
    if (!this.#lock(taking)) return false
    this.#kept.add(taking)
    return true
  }

  /**
   * Takes a lock that no other connection has, not even as a shared one. Returns null if another one has it, or a function
   * that tells whether it is still held: a lost connection loses it.
   */
  lock(key: bigint): (() => boolean) | null {
    if (!this.#lock(locking(key))) return null
    const session = this.#session
    return () => session !== null && session === this.#session && this.look()
  }

  /** Releases a lock of `lock`. */
  unlock(key: bigint): void {
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
    const missed = Array.from(this.#missed, (channel) => ({ channel, payload: "", from: nobody }))
    this.#missed.clear()
    return [...missed, ...arrived]
  }

  /** Ends the connection. The next use opens another one. */
  drop(): void {
    this.#session?.close()
    this.#session = null
  }

  close(): void {
    this.#isClosed = true
    this.drop()
  }

  #lock(taking: string): boolean {
    const [row] = this.session().simple(taking).rows()
    return row?.held === 1
  }

  /** Notifications may have been missed in the meantime, so each channel gets one without a payload. */
  #reconnect(): Session {
    this.drop()
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

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`
const listening = (channel: string) => `LISTEN ${quotedName(channel)}`
const locking = (key: bigint, mode: "" | "_shared" = "") =>
  `SELECT pg_try_advisory_lock${mode}(${key}) AS held`

/**
 * Settings that the address can change. A call blocks the event loop, so a server that has disappeared must be noticed
 * soon: while it is silent by keepalives after 5 + 3 · 2 seconds, and while data is sent by tcp_user_timeout.
 */
const defaults = {
  connect_timeout: "5",
  target_session_attrs: "read-write",
  application_name: "kontor",
  keepalives: "1",
  keepalives_idle: "5",
  keepalives_interval: "2",
  keepalives_count: "3",
  tcp_user_timeout: "10000",
}

/**
 * Rows are read as text in these formats, so no setting of the server or the user may change them. The server notices
 * within 25 seconds that a machine has disappeared, and ends its locks, so that another Kontor becomes the leader. To
 * compile a statement of Kontor takes longer than to run it. Its statements find a few rows by an index, which the planner
 * avoids if it expects a slow disk.
 */
const settings = [
  "lock_timeout = 5000",
  "idle_in_transaction_session_timeout = 5000",
  "tcp_keepalives_idle = 10",
  "tcp_keepalives_interval = 5",
  "tcp_keepalives_count = 3",
  "TimeZone = 'UTC'",
  "DateStyle = 'ISO, YMD'",
  "IntervalStyle = 'postgres'",
  "extra_float_digits = 1",
  "bytea_output = 'hex'",
  "standard_conforming_strings = on",
  "client_min_messages = error",
  "jit = off",
  "random_page_cost = 1.1",
  "default_transaction_isolation = 'read committed'",
]

/** The timeline changes when a standby becomes the primary server. */
const greetingIn = (schema: string | null): string => `${[
  ...settings,
  ...(schema === null ? [] : [`search_path = ${quotedName(schema)}`]),
]
  .map((setting) => `SET ${setting}`)
  .join("; ")};
  SELECT CASE WHEN pg_is_in_recovery() THEN ''
              ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline,
    pg_postmaster_start_time()::text AS "startedAt", current_setting('server_encoding') AS encoding,
    pg_backend_pid() AS pid, current_schema()::text AS schema`

const oldestVersion = 15

const tlsHint =
  "Kontor connects to another machine only with TLS and a valid certificate, unless the address has sslmode."

/** Opens a connection. Throws a PostgresError if the server cannot be reached or does not accept it. */
export const connect = (pq: Libpq, address: Address, answerTime: number): Session =>
  greeted(connected(pq, address, answerTime), address, () => connected(pq, address, shortAnswerTime))

function connected(pq: Libpq, address: Address, answerTime: number): Session {
  const { name, protection } = address
  const isExpanded = 1
  const { keys, values } = parametersOf(address)
  const at = standStill(() => pq.PQconnectdbParams(addressesOf(keys), addressesOf(values), isExpanded))
  if (!at) throw new PostgresError(cannotConnect, "There is no memory for a connection.")
  if (pq.PQstatus(at) === 0) return new Session(pq, at, answerTime)
  const reason = oneLine(String(pq.PQerrorMessage(at)))
  pq.PQfinish(at)
  const hint = protection.isDefault && isOfTls(reason) ? ` ${tlsHint}` : ""
  throw new PostgresError(cannotConnect, `The database ${name} cannot be opened: ${reason}.${hint}`)
}

const isOfTls = (reason: string): boolean => /SSL|certificate/.test(reason)

/** Later options replace earlier ones, and those of the address, which is in the place of the name. */
function parametersOf({ conninfo, protection }: Address): { keys: Buffer[]; values: Buffer[] } {
  const options = { ...defaults, dbname: conninfo, client_encoding: "UTF8", ...protection.options }
  return { keys: Object.keys(options).map(cText), values: Object.values(options).map(cText) }
}

/** Values of PGPing: the server refuses connections, because it starts or stops, and nothing answers. */
const [rejects, isAbsent] = [1, 2]

/**
 * True if a server that could not be connected to may be reached later without a change: it does not run, it is starting, or
 * no server of the address can be written yet.
 */
export function mayComeUp(pq: Libpq, address: Address, { message }: Error): boolean {
  if (isOfTls(message)) return false
  if (/session is read-only|hot standby/.test(message)) return true
  const { keys, values } = parametersOf(address)
  const answer = pq.PQpingParams(addressesOf(keys), addressesOf(values), 1)
  return answer === rejects || answer === isAbsent
}

function greeted(session: Session, { name, schema }: Address, openAnother: () => Session): Session {
  try {
    const version = Math.floor(session.pq.PQserverVersion(session.at) / 10_000)
    if (version < oldestVersion)
      throw new Unusable(`${name} is PostgreSQL ${version}. Kontor needs version ${oldestVersion} or later.`)
    const [found] = session.simple(greetingIn(schema)).rows()
    if (found?.encoding !== "UTF8")
      throw new Unusable(`The database ${name} has the encoding ${found?.encoding}. Kontor needs UTF8.`)
    // Only a program in between has another number for the connection.
    if (found.pid !== session.pid && losesState(session, openAnother))
      throw new Unusable(
        `The database ${name} is behind a pooler that gives each transaction any of its connections, such as pgbouncer with pool_mode = transaction. ` +
          "Kontor needs a connection of its own for its locks and notifications: connect to PostgreSQL itself, or set pool_mode = session.",
      )
    session.origin = { timeline: String(found.timeline), startedAt: String(found.startedAt) }
    session.schema = schema ?? (typeof found.schema === "string" ? found.schema : null)
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

/** In milliseconds: a pooler may let another session wait until the first one has ended. */
const shortAnswerTime = 5_000
const tries = 3

/**
 * True if a session loses what it has set: a pooler gives its next transaction another connection, or has given its own
 * one to another session in between.
 */
function losesState(session: Session, openAnother: () => Session): boolean {
  const other = openAnother()
  try {
    for (let i = 0; i < tries; i++) {
      const mark = `${session.pid} ${i}`
      session.simple(`SELECT set_config('kontor.mark', '${mark}', false)`).clear()
      other.exchange([{ sql: "SELECT set_config('kontor.mark', 'other', false)" }])[0]?.clear()
      const [row] = session.simple("SELECT current_setting('kontor.mark', true) AS mark").rows()
      if (row?.mark !== mark) return true
    }
    return false
  } catch (error) {
    // Two sessions have prepared a statement of the same name on one connection.
    if (hasCode(error, ["42P05"])) return true
    if (hasCode(error, [noAnswer])) return false
    throw error
  } finally {
    other.close()
  }
}

/** An array of C texts, which ends with a null pointer. The caller keeps the texts in memory. */
const addressesOf = (texts: readonly Buffer[]): BigUint64Array =>
  new BigUint64Array([...texts.map((text) => BigInt(ptr(text))), 0n])
