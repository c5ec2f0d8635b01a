import type { Database } from "../../core/engine/engine"
import { listOf } from "../../core/engine/sql"
import { digestOf } from "../../core/lib/secret"
import { randomBytes } from "../../core/lib/random/random"
import type { QuotationLink } from "./model"

/** A new secret of 160 bits. It is stored as a digest only. */
const newToken = (): string => Buffer.from(randomBytes("secrets", 20)).toString("base64url")

/** True for what can be the secret of a link. */
const isToken = (text: string): boolean => /^[\w-]{27}$/.test(text)

type Row = QuotationLink & { quotation: string }

const columns = "quotation, created_at AS createdAt, expires_at AS expiresAt"

/** Opens the public page of a quotation, and closes the one before. Returns the secret of its link. */
export function openLink(db: Database, quotation: string, { createdAt, expiresAt }: QuotationLink): string {
  const token = newToken()
  db.query(
    `INSERT INTO quotation_links (quotation, digest, expires_at, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (quotation) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at,
       created_at = excluded.created_at`,
  ).run(quotation, digestOf(token), expiresAt, createdAt)
  return token
}

/** Closes the public page of a quotation. Returns true if there was one. */
export const closeLink = (db: Database, quotation: string): boolean =>
  db.query("DELETE FROM quotation_links WHERE quotation = ? RETURNING quotation").get(quotation) !== null

/** Returns the quotation of a link that works now, or null. */
export function quotationOf(db: Database, token: string, now: string): string | null {
  if (!isToken(token)) return null
  const row = db
    .query<{ quotation: string }, [string, string]>(
      "SELECT quotation FROM quotation_links WHERE digest = ? AND (expires_at IS NULL OR expires_at > ?)",
    )
    .get(digestOf(token), now)
  return row?.quotation ?? null
}

/** Finds the public pages of several quotations that are open now. */
export function findLinks(
  db: Database,
  quotations: readonly string[],
  now: string,
): Map<string, QuotationLink> {
  const rows = db
    .query<Row, [string, string]>(
      `SELECT ${columns} FROM quotation_links
       WHERE quotation IN ${listOf("?1")} AND (expires_at IS NULL OR expires_at > ?2)`,
    )
    .all(JSON.stringify(quotations), now)
  return new Map(rows.map(({ quotation, ...link }) => [quotation, link]))
}
