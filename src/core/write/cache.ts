import type { Database } from "../engine/engine"
import { otherProcessVersion } from "../engine/change-token"
import type { Tx } from "./writer"

/**
 * Caches the results of `load` until another process writes to the file or a write in this process invalidates them.
 */
export function cacheOf<V>(db: Database, load: (key: string) => V | null, limit = 10_000) {
  const known = new Map<string, V>()
  let seen = 0
  let count = 0

  const clear = (): void => {
    known.clear()
    count++
  }
  const clearIfOthersWrote = (): void => {
    const version = otherProcessVersion(db)
    if (version !== seen) clear()
    seen = version
  }

  return {
    get(key: string): V | null {
      clearIfOthersWrote()
      const cached = known.get(key)
      if (cached !== undefined) return cached
      const found = load(key)
      if (found === null) return null
      if (known.size >= limit) known.clear()
      known.set(key, found)
      return found
    },

    /** Returns a number that changes when any cached value may have changed. */
    generation(): number {
      clearIfOthersWrote()
      return count
    },

    /**
     * Clears the cache immediately, because later writes of the same commit must see the change, and again after the
     * commit or rollback.
     */
    forget(tx: Tx): void {
      clear()
      tx.afterCommit.push(clear)
      tx.afterUndo.push(clear)
    },
  }
}
