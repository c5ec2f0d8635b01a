import type { Database } from "bun:sqlite"

/** How often to check, and the CPU time below which the server is idle: a hundredth of a core. */
export const lookEvery = 20_000
const restingCpu = lookEvery * 1000 * 0.01

/** Releases the page cache and unused heap once the server is idle after it was busy. */
export function releaseMemoryWhenIdle(db: Database): () => void {
  let spent = process.cpuUsage()
  let wasResting = true
  return () => {
    const { user, system } = process.cpuUsage(spent)
    spent = process.cpuUsage()
    const isResting = user + system < restingCpu
    if (isResting && !wasResting) {
      db.run("PRAGMA shrink_memory")
      Bun.gc(true)
      Bun.shrink()
    }
    wasResting = isResting
  }
}
