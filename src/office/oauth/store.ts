import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import type { Scope } from "../../shared/rights"
import type { Code, Grant, ListedGrant } from "./model"

type GrantRow = Omit<Grant, "scopes" | "mcpScopes"> & { scopes: string; mcpScopes: string }
const grantColumns =
  "id, user, client, scopes, mcp_scopes AS mcpScopes, created_at AS createdAt, updated_at AS updatedAt"
const withScopes = <T extends { scopes: string }>(row: T | null) =>
  row && { ...row, scopes: JSON.parse(row.scopes) as Scope[] }
const asGrant = (row: GrantRow | null): Grant | null =>
  row && {
    ...row,
    scopes: JSON.parse(row.scopes) as Scope[],
    mcpScopes: JSON.parse(row.mcpScopes) as Scope[],
  }

export function findGrant(db: Database, user: string, client: string): Grant | null {
  return asGrant(
    db
      .query<GrantRow, [string, string]>(
        `SELECT ${grantColumns} FROM oauth_grants WHERE user = ? AND client = ?`,
      )
      .get(user, client),
  )
}

export function findGrantById(db: Database, id: string): Grant | null {
  return asGrant(
    db.query<GrantRow, [string]>(`SELECT ${grantColumns} FROM oauth_grants WHERE id = ?`).get(id),
  )
}

/** Finds a user's grants with the client's name and the last use of each, the newest first. */
export function findGrantsOf(db: Database, user: string): ListedGrant[] {
  return db
    .query<Omit<GrantRow, "user"> & { clientName: string; lastUsedAt: string | null }, [string]>(
      `SELECT oauth_grants.id, client, oauth_grants.scopes, mcp_scopes AS mcpScopes, oauth_grants.created_at AS createdAt,
         oauth_grants.updated_at AS updatedAt, oauth_clients.name AS clientName,
         (SELECT max(last_used_at) FROM sessions WHERE grant_id = oauth_grants.id) AS lastUsedAt
       FROM oauth_grants JOIN oauth_clients ON oauth_clients.id = client
       WHERE oauth_grants.user = ? ORDER BY oauth_grants.created_at DESC, oauth_grants.id DESC`,
    )
    .all(user)
    .map((row) => ({
      ...row,
      scopes: JSON.parse(row.scopes) as Scope[],
      mcpScopes: JSON.parse(row.mcpScopes) as Scope[],
    }))
}

export function writeGrant(db: Database, grant: Grant): void {
  db.query(
    `INSERT INTO oauth_grants (id, user, client, scopes, mcp_scopes, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (user, client) DO UPDATE
     SET scopes = excluded.scopes, mcp_scopes = excluded.mcp_scopes, updated_at = excluded.updated_at`,
  ).run(
    grant.id,
    grant.user,
    grant.client,
    JSON.stringify(grant.scopes),
    JSON.stringify(grant.mcpScopes),
    grant.createdAt,
    grant.updatedAt,
  )
}

export function insertCode(
  db: Database,
  code: Pick<Code, "grant" | "redirectUri" | "challenge" | "scopes" | "audience" | "createdAt"> & {
    digest: string
  },
): void {
  db.query(
    "INSERT INTO oauth_codes (digest, grant_id, redirect_uri, challenge, scopes, created_at, audience) VALUES (?, ?, ?, ?, ?, ?, ?)",
  ).run(
    code.digest,
    code.grant,
    code.redirectUri,
    code.challenge,
    JSON.stringify(code.scopes),
    code.createdAt,
    code.audience,
  )
}

export function findCode(db: Database, digest: string): Code | null {
  return withScopes(
    db
      .query<Omit<Code, "scopes"> & { scopes: string }, [string]>(
        `SELECT grant_id AS "grant", client, user, redirect_uri AS redirectUri, challenge, oauth_codes.scopes,
           oauth_codes.created_at AS createdAt, session, audience
         FROM oauth_codes JOIN oauth_grants ON oauth_grants.id = grant_id WHERE digest = ?`,
      )
      .get(digest),
  )
}

export function setCodeUsed(db: Database, digest: string, session: string): void {
  db.query("UPDATE oauth_codes SET session = ? WHERE digest = ?").run(session, digest)
}

export function deleteCodesBeyond(
  db: Database,
  { earliest, latest }: { earliest: string; latest: string },
): void {
  db.query("DELETE FROM oauth_codes WHERE created_at < ? OR created_at > ?").run(earliest, latest)
}

export function setClientDigest(db: Database, client: string, digest: string): void {
  db.query(
    "INSERT INTO oauth_client_digests (client, digest) VALUES (?, ?) ON CONFLICT (client) DO UPDATE SET digest = excluded.digest",
  ).run(client, digest)
}

export const findClientDigest = (db: Database, client: string): string | null =>
  valueOf(db, "SELECT digest FROM oauth_client_digests WHERE client = ?", client)

/** Finds the client whose id is the address of its document. */
export const findByUrl = (db: Database, url: string): string | null =>
  valueOf(db, "SELECT id FROM oauth_clients WHERE metadata_url = ?", url)

export function setUrl(db: Database, client: string, url: string): void {
  db.query("UPDATE oauth_clients SET metadata_url = ? WHERE id = ?").run(url, client)
}
