import type { Database } from "bun:sqlite"

/** How often to look, and how little work (a hundredth of a core) counts as rest. */
export const lookEvery = 20_000
const restingCpu = lookEvery * 1000 * 0.01

/** What a busy hour has filled, the pages of the file and the heap, is given back once there is nothing to do. */
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
