import type { Database } from "./engine"

/** The stored number of requests of a subject on a day. */
export function findDayCount(db: Database, subject: string, day: string): number {
  const row = db
    .query<{ count: number }, [string, string]>("SELECT count FROM rate_days WHERE subject = ? AND day = ?")
    .get(subject, day)
  return row?.count ?? 0
}

export function writeDayCounts(db: Database, days: { subject: string; day: string; count: number }[]): void {
  const write = db.query(
    `INSERT INTO rate_days (subject, day, count) VALUES (?, ?, ?)
     ON CONFLICT (subject) DO UPDATE SET day = excluded.day, count = excluded.count`,
  )
  for (const { subject, day, count } of days) write.run(subject, day, count)
}

export function deleteDaysBefore(db: Database, day: string): void {
  db.query("DELETE FROM rate_days WHERE day < ?").run(day)
}
