import { ptr } from "bun:ffi"
import { Unusable } from "../../lib/unusable"
import { oneLine, type Address } from "./address"
import { cannotConnect, PostgresError } from "./errors"
import { cText, type Libpq } from "./libpq"
import { Session } from "./session"

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
const greeting = `${settings.map((setting) => `SET ${setting}`).join("; ")};
  SELECT CASE WHEN pg_is_in_recovery() THEN ''
              ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline,
    pg_postmaster_start_time()::text AS "startedAt", current_setting('server_encoding') AS encoding`

const oldestVersion = 15

const tlsHint =
  "Kontor connects to another machine only with TLS and a valid certificate, unless the address has sslmode."

/** Opens a connection. Throws a PostgresError if the server cannot be reached or does not accept it. */
export function connect(pq: Libpq, { conninfo, name, protection }: Address, answerTime: number): Session {
  // Later options replace earlier ones, and those of the address, which is in the place of the name.
  const options = { ...defaults, dbname: conninfo, client_encoding: "UTF8", ...protection.options }
  const texts = Object.entries(options).map(([key, value]) => [cText(key), cText(value)] as const)
  const keys = addressesOf(texts.map(([key]) => key))
  const values = addressesOf(texts.map(([, value]) => value))
  const isExpanded = 1
  const at = pq.PQconnectdbParams(keys, values, isExpanded)
  if (!at) throw new PostgresError(cannotConnect, "There is no memory for a connection.")
  if (pq.PQstatus(at) !== 0) {
    const reason = oneLine(String(pq.PQerrorMessage(at)))
    pq.PQfinish(at)
    const hint = protection.isDefault && /SSL|certificate/.test(reason) ? ` ${tlsHint}` : ""
    throw new PostgresError(cannotConnect, `The database ${name} cannot be opened: ${reason}.${hint}`)
  }
  return greeted(new Session(pq, at, answerTime), name)
}

function greeted(session: Session, name: string): Session {
  try {
    const version = Math.floor(session.pq.PQserverVersion(session.at) / 10_000)
    if (version < oldestVersion)
      throw new Unusable(`${name} is PostgreSQL ${version}. Kontor needs version ${oldestVersion} or later.`)
    const [found] = session.simple(greeting).rows()
    if (found?.encoding !== "UTF8")
      throw new Unusable(`The database ${name} has the encoding ${found?.encoding}. Kontor needs UTF8.`)
    session.origin = { timeline: String(found.timeline), startedAt: String(found.startedAt) }
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

/** An array of C texts, which ends with a null pointer. The caller keeps the texts in memory. */
const addressesOf = (texts: readonly Buffer[]): BigUint64Array =>
  new BigUint64Array([...texts.map((text) => BigInt(ptr(text))), 0n])
