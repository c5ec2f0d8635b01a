import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import type { Tx } from "../../core/write/writer"
import { type Caller, isAdmin } from "../../core/caller"
import { business } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { invalid } from "../../core/lib/refusal"
import { digestOf } from "../../core/lib/secret"
import { whenDone } from "../../core/lib/turns"
import { refuseMissing, tableCrud } from "../../core/store/crud"
import { equals, type Term } from "../../core/store/filter"
import type { ListQuery } from "../../core/store/list"
import { type Draft, type Input, readDraft } from "../../core/kind/read"
import type { TableStore } from "../../core/store/table-store"
import { assertVersion, type Expected } from "../../core/kind/tag"
import type { PlanName } from "../../shared/plans"
import type { BusinessArea, Role, Scope } from "../../shared/rights"
import { type ApiKey, apiKeys, type KeyHolder } from "./model"
import { assertPlanAllowed, countErrors, expiryErrors, scopeErrors, newApiKey } from "./rules"

const defaultLifetime = 90 * 24 * 60 * 60 * 1000

export type Owner = { userId: string; role: Role; plan: PlanName }

/** A key with its text, which is shown only once. */
export type IssuedKey = { record: ApiKey; key: string }

type Deps = {
  db: Database
  store: TableStore<typeof apiKeys>
  /** The uses that are not written to the database yet. */
  uses: { latest(key: string): { at: string; ip: string } | null }
  onChange: (tx: Tx) => void
}

export function apiKeyService(deps: Deps) {
  const { store, uses, onChange } = deps
  const crud = tableCrud(apiKeys, store)
  const withUse = usedKey(uses)
  /** Returns a key of the caller, or any key for an admin. For other callers the key does not exist. */
  const get = (id: string, caller: Caller): ApiKey => {
    const key = crud.get(id)
    const isSeen = caller.areas ? id === caller.credentialId : key.user === caller.userId || isAdmin(caller)
    return isSeen ? withUse(key) : refuseMissing(apiKeys, id)
  }
  const revoke = (tx: Tx, id: string, expected: Expected = null): void => {
    crud.remove(tx, id, expected)
    onChange(tx)
  }
  return {
    all: crud.list,
    get,
    within,
    findMany: async (ids: readonly string[], signal: AbortSignal | null) =>
      (await crud.findMany(ids, signal)).map(withUse),
    create: (tx: Tx, draft: Draft, owner: Owner) => create(deps, crud, tx, draft, owner),
    rotate(tx: Tx, id: string, expected: Expected = null): IssuedKey {
      const key = rotate(deps, crud, tx, id, expected)
      return { record: withUse(crud.get(id)), key }
    },
    revoke,
    remove: (tx: Tx, id: string, expected: Expected, caller: Caller): void =>
      revoke(tx, get(id, caller).id, expected),

    list(query: ListQuery, caller: Caller) {
      const page = store.list(query, within(caller))
      return whenDone(page, (found) => ({ ...found, rows: found.rows.map(withUse) }))
    },

    update(tx: Tx, id: string, input: Input, expected: Expected, caller: Caller): ApiKey {
      const before = get(id, caller)
      const after = crud.update(tx, id, input, expected)
      if (after.plan !== before.plan)
        assertPlanAllowed(caller, before.plan ?? caller.plan, after.plan ?? caller.plan)
      onChange(tx)
      return withUse(after)
    },
  }
}

export type ApiKeyService = ReturnType<typeof apiKeyService>
/** Returns a function that adds the last use of a key, if it is not written to the database yet. */
const usedKey =
  (uses: Deps["uses"]) =>
  (key: ApiKey): ApiKey => {
    const use = uses.latest(key.id)
    return use ? { ...key, lastUsedAt: use.at, lastUsedIp: use.ip } : key
  }

/** Restricts a list to the keys of the caller; an admin sees all, and a key of some areas only itself. */
function within(caller: Caller): Term[] {
  if (caller.areas) return [equals("id", caller.credentialId)]
  return isAdmin(caller) ? [] : [equals("user", caller.userId)]
}

type Crud = ReturnType<typeof tableCrud<typeof apiKeys>>

/** Parses a body that creates a key. If the expiry is left out, the key expires in 90 days; null means never. */
export function readKey(input: Input): Draft {
  const [scopes, areas] = [input.scopes, input.areas].map((given) =>
    Array.isArray(given) ? [...new Set(given)] : given,
  )
  const draft = readDraft(apiKeys, { ...input, scopes, ...(areas === undefined ? {} : { areas }) })
  const isGiven = Object.hasOwn(input, "expiresAt")
  const expiresAt = isGiven ? draft.values.expiresAt : later(business.now(), defaultLifetime)
  // The scopes as requested, so that unknown scopes and scopes that the owner lacks are reported together.
  return { ...draft, values: { ...draft.values, expiresAt }, extras: { scopes } }
}

function create({ db, onChange }: Deps, crud: Crud, tx: Tx, draft: Draft, owner: Owner): IssuedKey {
  const { key, prefix } = newApiKey()
  const errors = [
    ...countErrors(countLive(db, owner.userId, business.now())),
    ...scopeErrors(draft.extras.scopes, owner.role),
    ...expiryErrors(draft.values.expiresAt, business.now()),
    ...draft.errors,
  ]
  const record = crud.make(tx, { ...draft, errors }, () => ({ user: owner.userId, prefix }))
  setDigest(db, record.id, digestOf(key))
  onChange(tx)
  return { record, key }
}

/** Replaces the text of a key. */
function rotate({ db, onChange }: Deps, crud: Crud, tx: Tx, id: string, expected: Expected): string {
  const before = crud.get(id)
  assertVersion(before, expected)
  if (before.expiresAt !== null && before.expiresAt <= business.now())
    throw invalid("expiresAt", "RULE", "has passed; create a new key instead", { rule: "EXPIRED" })
  const { key, prefix } = newApiKey()
  setPrefix(db, id, prefix, tx.now)
  setDigest(db, id, digestOf(key))
  tx.audit("api-keys.rotate", id)
  onChange(tx)
  return key
}

type Row = {
  id: string
  name: string
  scopes: string
  areas: string | null
  expiresAt: string | null
  allowedIps: string
  plan: PlanName | null
  secretTag: string
  userId: string
  email: string
  userName: string
  role: Role
  userPlan: PlanName | null
}

/** Finds the key with this digest or id, if its owner is active. */
export function findHolder(db: Database, by: { digest: string } | { id: string }): KeyHolder | null {
  const row = db
    .query<Row, [string]>(
      `SELECT api_keys.id, api_keys.name, scopes, areas, expires_at AS expiresAt, allowed_ips AS allowedIps, api_keys.plan,
         substr(api_key_digests.digest, 1, 16) AS secretTag,
         users.id AS userId, users.email, users.name AS userName, users.role, users.plan AS userPlan
       FROM api_key_digests JOIN api_keys ON api_keys.id = api_key_digests.key JOIN users ON users.id = api_keys.user
       WHERE ${"id" in by ? "api_keys.id" : "api_key_digests.digest"} = ? AND users.is_active = 1`,
    )
    .get("id" in by ? by.id : by.digest)
  if (!row) return null
  const { userId, email, userName, role, userPlan, scopes, areas, allowedIps, ...key } = row
  return {
    ...key,
    scopes: JSON.parse(scopes) as Scope[],
    areas: areas === null ? null : (JSON.parse(areas) as BusinessArea[]),
    allowedIps: JSON.parse(allowedIps) as string[],
    user: { id: userId, email, name: userName, role, plan: userPlan },
  }
}

/** The user whom a key belongs to, also if the user or the key can no longer be used; null if the key was deleted. */
export const findOwner = (db: Database, key: string): { id: string; name: string } | null =>
  db
    .query<{ id: string; name: string }, [string]>(
      "SELECT users.id, users.name FROM api_keys JOIN users ON users.id = api_keys.user WHERE api_keys.id = ?",
    )
    .get(key)

/** Counts the keys of a user that have not expired. */
const countLive = (db: Database, user: string, now: string): number =>
  valueOf(
    db,
    "SELECT count(*) FROM api_keys WHERE user = ? AND (expires_at IS NULL OR expires_at > ?)",
    user,
    now,
  ) ?? 0

function setDigest(db: Database, key: string, digest: string): void {
  db.query(
    "INSERT INTO api_key_digests (digest, key) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET digest = excluded.digest",
  ).run(digest, key)
}

function setPrefix(db: Database, key: string, prefix: string, now: string): void {
  db.query("UPDATE api_keys SET prefix = ?, version = version + 1, updated_at = ? WHERE id = ?").run(
    prefix,
    now,
    key,
  )
}
