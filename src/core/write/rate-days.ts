import type { DayCount, StoredCount } from "../lib/limiter"
import type { Database } from "../engine/engine"

/** The stored number of requests of a subject on a day. */
export function findDayCount(db: Database, subject: string, day: string): number {
  const row = db
    .query<{ count: number }, [string, string]>("SELECT count FROM rate_days WHERE subject = ? AND day = ?")
    .get(subject, day)
  return row?.count ?? 0
}

/** Adds requests to the stored numbers, and returns the sums. The number of another day is replaced. */
export function addDayCounts(db: Database, days: readonly DayCount[]): StoredCount[] {
  const add = db.query<{ total: number }, [string, string, number]>(
    `INSERT INTO rate_days (subject, day, count) VALUES (?, ?, ?)
     ON CONFLICT (subject) DO UPDATE SET day = excluded.day,
       count = excluded.count + CASE WHEN rate_days.day = excluded.day THEN rate_days.count ELSE 0 END
     RETURNING count AS total`,
  )
  return days.map((each) => ({
    ...each,
    total: add.get(each.subject, each.day, each.count)?.total ?? each.count,
  }))
}

export function deleteDaysBefore(db: Database, day: string): void {
  db.query("DELETE FROM rate_days WHERE day < ?").run(day)
}
