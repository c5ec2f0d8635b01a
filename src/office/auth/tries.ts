import type { Database } from "../../core/engine/engine"
import type { Writer } from "../../core/write/writer"
import { clock, real, steadyMillis } from "../../core/lib/clock"
import { deleteExcessTries, deleteTries, deleteTriesBefore, findTries, writeTries } from "./store"

/** In milliseconds: how long failures count. */
export const window = 15 * 60_000
const mostRemembered = 20_000
const mostSkipped = 100

/** The failed attempts of a key. Times are in milliseconds of the clock that counts them. */
export type Tried = { failures: number; blockedUntil: number; waits: number; last: number }

/** Counters by key. Their number is limited: the oldest counter that does not block is deleted first. */
export type Tries = {
  now(): number
  find(key: string): Tried
  keep(key: string, tried: Tried): void
  forget(key: string): void
}

/**
 * Where the counters are. Anyone can use any number of email addresses and networks, so the counters of `near` must not
 * evict those of `wide`. `run` runs work on them, with no other work in between.
 */
export type TriesStore = { near: Tries; wide: Tries; run<T>(work: () => T): Promise<T> }

const never = (now: number): Tried => ({ failures: 0, blockedUntil: 0, waits: 0, last: now })

export const triesInMemory = (): TriesStore => ({
  near: inMemory(),
  wide: inMemory(),
  run: async (work) => work(),
})

function inMemory(): Tries {
  const tries = new Map<string, Tried>()

  const evictOne = (): void => {
    let skipped = 0
    for (const [key, { blockedUntil }] of tries) {
      if (blockedUntil > steadyMillis() && ++skipped < mostSkipped) continue
      tries.delete(key)
      return
    }
  }
  return {
    now: steadyMillis,
    find(key) {
      const found = tries.get(key)
      return found && steadyMillis() - found.last < window ? found : never(steadyMillis())
    },
    keep(key, tried) {
      tries.set(key, tried)
      if (tries.size > mostRemembered) evictOne()
    },
    forget: (key) => void tries.delete(key),
  }
}

/**
 * The counters of a server. Servers that share a database count together in it: their writes run one after the other,
 * whichever server they are of.
 */
export const triesOf = (db: Database, writer: Writer): TriesStore =>
  db.engine.isShared
    ? { near: inDatabase(db, "near"), wide: inDatabase(db, "wide"), run: (work) => writer(work) }
    : triesInMemory()

/** How many counters are written before those beyond the limit are deleted. */
const deletedEvery = 100

/** The clock is real time, because a steady clock means nothing to others. */
function inDatabase(db: Database, scope: "near" | "wide"): Tries {
  let written = 0
  return {
    now: clock.real,
    find(key) {
      const now = clock.real()
      const found = findTries(db, scope, key)
      // A time in the future was written while a clock was wrong, and would block for too long.
      const isValid = found && now - found.last < window && found.last <= real.latestMillis()
      return isValid ? found : never(now)
    },
    keep(key, tried) {
      writeTries(db, scope, key, tried)
      if (++written % deletedEvery === 0) deleteExcessTries(db, scope, mostRemembered, clock.real())
    },
    forget: (key) => deleteTries(db, scope, key),
  }
}

/** Deletes counters that no longer count. */
export const deleteOldTries = (db: Database): void => deleteTriesBefore(db, clock.real() - window)
