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
  /** The writes that have changed a value, and are not stored or undone yet. */
  let changing = 0

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
      // While it is committed, a write may have left what nobody else can see yet.
      if (changing > 0 && db.engine.changes.areUncertain()) return load(key)
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
      const end = () => {
        changing--
        clear()
      }
      changing++
      clear()
      tx.afterCommit.push(end)
      tx.afterUndo.push(end)
    },
  }
}
