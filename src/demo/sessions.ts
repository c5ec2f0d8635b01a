import type { Database } from "../core/engine/engine"

type Row = Record<string, string | null>

/** Copies the sessions of people to another state of a demo, so that nobody has to sign in again after a reset. */
export function keepSessions(from: Database, to: Database): void {
  const sessions = from.query<Row, []>("SELECT * FROM sessions WHERE grant_id IS NULL").all()
  const tokens = from.query<Row, []>("SELECT * FROM refresh_tokens").all()
  const isKnown = ({ user }: Row): boolean =>
    to.query("SELECT 1 FROM users WHERE id = ?").get(user ?? "") !== null
  const kept = sessions.filter(isKnown)
  const ids = new Set(kept.map(({ id }) => id))
  to.transaction(() => {
    for (const row of kept) insert(to, "sessions", row)
    for (const row of tokens) if (ids.has(row.session ?? "")) insert(to, "refresh_tokens", row)
  })()
}

function insert(db: Database, table: string, row: Row): void {
  const names = Object.keys(row)
  db.query(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
  ).run(...Object.values(row))
}
