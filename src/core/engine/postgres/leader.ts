import type { LeaderDeps, Leadership, LeaderWork } from "../engine"
import type { PostgresDatabase } from "./driver/database"
import { serversLock } from "./lock"

const leaderLock = 0x4b4e544c

/** In milliseconds: how often a server tries to become the leader, and the leader looks whether it still is. */
const [tryEvery, lookEvery] = [2_000, 250]

/**
 * How often in turn a server may find that nobody leads before it says so: for a minute. Another server takes over within
 * 25 seconds, also if a machine has disappeared.
 */
const standardMost = 30

/**
 * Runs work in one of the servers that share a PostgreSQL database: the one whose connection has a lock. The lock is lost
 * with the connection, which can be a moment before the leader notices. So the work must bear that another server has
 * begun with it: jobs have leases, and events can be sent twice.
 */
export function leadership(db: PostgresDatabase, work: LeaderWork, deps: LeaderDeps): Leadership {
  let isHeld: (() => boolean) | null = null
  let stopping: Promise<void> | null = null
  const watch = watchLeader(db, deps)
  const resign = (): Promise<void> => {
    if (!isHeld) return Promise.resolve()
    isHeld = null
    return (stopping = work.stop().finally(() => (stopping = null)))
  }
  const compete = (): void => {
    if (!isHeld && !stopping) {
      isHeld = attempt(() => db.lock(leaderLock))
      if (isHeld) work.start()
    }
    watch.look(isHeld !== null)
  }
  const look = (): void => {
    if (isHeld && !isHeld()) void resign()
  }
  compete()
  const timers = [setInterval(compete, tryEvery), setInterval(look, lookEvery)]
  return {
    problem: watch.problem,
    async stop() {
      timers.forEach(clearInterval)
      await (stopping ?? resign())
    },
  }
}

/** Who has the lock of the leader: a server of Kontor, or a program of another user or without the lock of servers. */
type Holder = { pid: number; role: string; isServer: number; activity: string | null }

const advisory = ({ space }: PostgresDatabase, lock: string, key: number) =>
  `${lock}.locktype = 'advisory' AND ${lock}.classid = ${space} AND ${lock}.objid::bigint = ${key} AND ${lock}.objsubid = 1
     AND ${lock}.granted AND ${lock}.database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** The activity of a connection is a text that changes with each statement. It is null if PostgreSQL does not track it. */
const holderQuery = (db: PostgresDatabase) => `SELECT held.pid, user_of.usename AS role,
    CASE WHEN user_of.usename = session_user AND EXISTS (
      SELECT 1 FROM pg_locks AS shared WHERE shared.pid = held.pid AND ${advisory(db, "shared", serversLock)}
    ) THEN 1 ELSE 0 END AS "isServer",
    CASE WHEN user_of.state = 'disabled' THEN NULL ELSE held.pid || ' ' || user_of.state_change END AS activity
  FROM pg_locks AS held JOIN pg_stat_activity AS user_of ON user_of.pid = held.pid
  WHERE ${advisory(db, "held", leaderLock)}`

const sentences = {
  nobody: "No server of this database runs its jobs and sends its webhooks.",
  foreign:
    "Another program has the lock of the leader in the database, so no server runs jobs and sends webhooks.",
}

/** Watches whether some server does the work of the leader. Every role that may connect can take its lock. */
function watchLeader(db: PostgresDatabase, { log, mostMissed = standardMost }: LeaderDeps) {
  let missed = 0
  let activity: string | null = null
  let holder: Holder | null = null
  let isReported = false

  /** True if some server leads, and has done something since the last look. */
  const isLed = (): boolean => {
    holder = db.query<Holder, []>(holderQuery(db)).get()
    if (holder?.isServer !== 1) return false
    const isActive = holder.activity === null || holder.activity !== activity
    activity = holder.activity
    return isActive
  }
  const problem = (): string | null => {
    if (missed <= mostMissed) return null
    return holder && holder.isServer !== 1 ? sentences.foreign : sentences.nobody
  }
  const report = (): void => {
    const found = problem()
    if (found !== null && !isReported) log.error(found, holder ? { role: holder.role, pid: holder.pid } : {})
    if (found === null && isReported) log.info("A server runs the jobs and sends the webhooks again.")
    isReported = found !== null
  }
  return {
    problem,
    /** Looks who leads. The leader runs a statement, by which the others see that it works. */
    look(isLeader: boolean): void {
      // While the database cannot be reached, that is the problem.
      const isFine = attempt(() => (isLeader ? db.query("SELECT 1").get() !== null : isLed())) ?? true
      missed = isFine ? 0 : missed + 1
      report()
    },
  }
}

/** Returns null while the database cannot be reached; it is tried again. */
function attempt<T>(work: () => T | null): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
