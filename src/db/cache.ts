import type { Database } from "bun:sqlite"
import { foreignVersion } from "./changes"

/** Remembers what `load` found until another process writes to the file, or `clear` is called after a write here. */
export function cacheOf<V>(db: Database, load: (key: string) => V | null, limit = 10_000) {
  const known = new Map<string, V>()
  let seen = 0
  return {
    get(key: string): V | null {
      const version = foreignVersion(db)
      if (version !== seen) known.clear()
      seen = version
      const kept = known.get(key)
      if (kept !== undefined) return kept
      const found = load(key)
      if (found === null) return null
      if (known.size >= limit) known.clear()
      known.set(key, found)
      return found
    },
    clear: () => known.clear(),
  }
}
