import type { Database } from "../core/engine/engine"

/** The interval of the check, in milliseconds. */
export const checkEvery = 20_000
/** The CPU time in microseconds per interval below which the server is idle: a hundredth of a core. */
const idleCpu = checkEvery * 1000 * 0.01

/** Releases the page cache and unused heap when the server becomes idle. */
export function releaseMemoryWhenIdle(db: Database): () => void {
  let lastUsage = process.cpuUsage()
  let wasIdle = true
  return () => {
    const { user, system } = process.cpuUsage(lastUsage)
    lastUsage = process.cpuUsage()
    const isIdle = user + system < idleCpu
    if (isIdle && !wasIdle) {
      db.engine.shrinkCache()
      Bun.gc(true)
      Bun.shrink()
    }
    wasIdle = isIdle
  }
}
