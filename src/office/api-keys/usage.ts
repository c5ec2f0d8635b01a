import type { Database } from "../../core/engine/engine"
import type { Writer } from "../../core/write/writer"
import { business } from "../../core/lib/clock"
import { daysLater } from "../../shared/dates"

/** The uses of one route on one day. */
export type Use = { day: string; route: string; count: number }

/** In days. */
export const usesKept = 90

type Last = { at: string; ip: string }
/** The uses per route that are not written yet, by the day, of one key. */
type Counts = Map<string, Map<string, number>>

/**
 * Remembers when and from where each key was used, and how often each route. It is written periodically and not on each
 * request.
 */
export function keyUsage(db: Database, writer: Writer) {
  let lasts = new Map<string, Last>()
  let counts = new Map<string, Counts>()

  const countOf = (key: string): Counts => {
    const found = counts.get(key) ?? new Map<string, Map<string, number>>()
    counts.set(key, found)
    return found
  }
  const add = (key: string, { day, route, count }: Use): void => {
    const days = countOf(key)
    const routes = days.get(day) ?? new Map<string, number>()
    days.set(day, routes.set(route, (routes.get(route) ?? 0) + count))
  }

  return {
    /** Records a use. Only the first use in a millisecond is recorded, because finding the address takes time. */
    note(key: string, at: string, ip: () => string): void {
      if (lasts.get(key)?.at !== at) lasts.set(key, { at, ip: ip() })
    },
    latest: (key: string) => lasts.get(key) ?? null,

    /** Counts a request of a key. */
    count: (key: string, route: string): void =>
      add(key, { day: business.now().slice(0, 10), route, count: 1 }),

    /** The uses of a key per day and route, the newest day first. */
    uses(key: string): Use[] {
      const found = new Map(findUses(db, key).map((use) => [`${use.day} ${use.route}`, use]))
      for (const use of unwritten(counts.get(key))) {
        const name = `${use.day} ${use.route}`
        found.set(name, { ...use, count: use.count + (found.get(name)?.count ?? 0) })
      }
      return [...found.values()].toSorted((a, b) => order(b.day, a.day) || order(a.route, b.route))
    },

    async flush(): Promise<void> {
      if (lasts.size === 0 && counts.size === 0) return
      const [waiting, counted] = [lasts, counts]
      lasts = new Map()
      counts = new Map()
      try {
        await writer(() => {
          for (const [key, { at, ip }] of waiting) setLastUse(db, key, at, ip)
          for (const [key, days] of counted) for (const use of unwritten(days)) addUses(db, key, use)
        })
      } catch (error) {
        lasts = new Map([...waiting, ...lasts])
        for (const [key, days] of counted) for (const use of unwritten(days)) add(key, use)
        throw error
      }
    },

    /** Maintenance. */
    deleteOld: (): void => deleteUsesBefore(db, daysLater(business.now().slice(0, 10), -usesKept)),
  }
}

export type KeyUsage = ReturnType<typeof keyUsage>

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const unwritten = (days: Counts | undefined): Use[] =>
  [...(days ?? [])].flatMap(([day, routes]) => [...routes].map(([route, count]) => ({ day, route, count })))

function setLastUse(db: Database, key: string, at: string, ip: string): void {
  db.query("UPDATE api_keys SET last_used_at = ?, last_used_ip = ? WHERE id = ?").run(at, ip, key)
}

const findUses = (db: Database, key: string): Use[] =>
  db.query<Use, [string]>("SELECT day, route, count FROM api_key_uses WHERE key = ?").all(key)

/** A key may have been revoked meanwhile. */
function addUses(db: Database, key: string, { day, route, count }: Use): void {
  db.query(
    `INSERT INTO api_key_uses (key, day, route, count) SELECT id, ?2, ?3, ?4 FROM api_keys WHERE id = ?1
     ON CONFLICT (key, day, route) DO UPDATE SET count = api_key_uses.count + excluded.count`,
  ).run(key, day, route, count)
}

function deleteUsesBefore(db: Database, day: string): void {
  db.query("DELETE FROM api_key_uses WHERE day < ?").run(day)
}
