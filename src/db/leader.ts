import { postgresOf, type Database } from "./engine"

/** The key of the lock of the leader. */
const leaderLock = 0x4b4e544c

/** In milliseconds: how often a server tries to become the leader, and the leader looks whether it still is. */
const [tryEvery, lookEvery] = [2_000, 250]

/** The work of the leader. `start` may be called again after `stop`. */
export type LeaderWork = { start(): void; stop(): Promise<void> }

/**
 * Runs work in one of the servers that share a PostgreSQL database: the one whose connection has a lock. The lock is lost
 * with the connection, which can be a moment before the leader notices. So the work must bear that another server has
 * begun with it: jobs have leases, and events can be sent twice. The server of a file is always the leader.
 */
export function leadership(db: Database, work: LeaderWork): { stop(): Promise<void> } {
  const postgres = postgresOf(db)
  if (!postgres) {
    work.start()
    return { stop: work.stop }
  }
  let isHeld: (() => boolean) | null = null
  let stopping: Promise<void> | null = null
  const resign = (): Promise<void> => {
    if (!isHeld) return Promise.resolve()
    isHeld = null
    return (stopping = work.stop().finally(() => (stopping = null)))
  }
  const compete = (): void => {
    if (isHeld || stopping) return
    isHeld = attempt(() => postgres.lock(leaderLock))
    if (isHeld) work.start()
  }
  const look = (): void => {
    if (isHeld && !isHeld()) void resign()
  }
  compete()
  const timers = [setInterval(compete, tryEvery), setInterval(look, lookEvery)]
  return {
    async stop() {
      timers.forEach(clearInterval)
      await (stopping ?? resign())
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
