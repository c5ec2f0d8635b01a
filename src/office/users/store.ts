import type { Database } from "../../core/engine/engine"

export function setPasswordHash(db: Database, user: string, hash: string, now: string): void {
  db.query(
    `INSERT INTO passwords (user, hash, changed_at) VALUES (?, ?, ?)
     ON CONFLICT (user) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`,
  ).run(user, hash, now)
}

/** Finds the id and the password hash for a sign-in; null for a disabled user. */
export function findSignIn(db: Database, mailKey: string): { id: string; hash: string } | null {
  return db
    .query<{ id: string; hash: string }, [string]>(
      `SELECT users.id, passwords.hash FROM users JOIN passwords ON passwords.user = users.id
       WHERE users.email_key = ? AND users.is_active = 1`,
    )
    .get(mailKey)
}

export function findIdByEmail(db: Database, mailKey: string): string | null {
  return (
    db.query<{ id: string }, [string]>("SELECT id FROM users WHERE email_key = ?").get(mailKey)?.id ?? null
  )
}

export function countActiveAdmins(db: Database, exceptId: string): number {
  return (
    db
      .query<{ n: number }, [string]>(
        "SELECT count(*) AS n FROM users WHERE role = 'admin' AND is_active = 1 AND id <> ?",
      )
      .get(exceptId)?.n ?? 0
  )
}
