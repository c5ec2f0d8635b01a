import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { isAdmin, type Caller } from "../../core/caller"
import { newApiKey } from "../../core/lib/api-key"
import { business } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { invalid } from "../../core/lib/refusal"
import { digestOf } from "../../core/lib/secret"
import { whenDone } from "../../core/lib/turns"
import { refuseMissing, tableCrud } from "../../core/store/crud"
import { equals, type Term } from "../../core/store/filter"
import type { ListQuery } from "../../core/store/list"
import { readDraft, type Draft, type Input } from "../../core/kind/read"
import type { TableStore } from "../../core/store/table-store"
import { assertVersion, type Expected } from "../../core/kind/tag"
import type { PlanName } from "../../shared/plans"
import type { Role } from "../../shared/rights"
import { apiKeys, type ApiKey } from "./model"
import { assertPlanAllowed, countErrors, expiryErrors, scopeErrors } from "./rules"
import { countLive, setDigest, setPrefix } from "./store"

const defaultLifetime = 90 * 24 * 60 * 60 * 1000

/** The owner of a new key. */
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
    return key.user === caller.userId || isAdmin(caller) ? withUse(key) : refuseMissing(apiKeys, id)
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

/** Restricts a list to the keys of the caller; an admin sees all. */
const within = (caller: Caller): Term[] => (isAdmin(caller) ? [] : [equals("user", caller.userId)])

type Crud = ReturnType<typeof tableCrud<typeof apiKeys>>

/** Parses a body that creates a key. If the expiry is left out, the key expires in 90 days; null means never. */
export function readKey(input: Input): Draft {
  const scopes = Array.isArray(input.scopes) ? [...new Set(input.scopes)] : input.scopes
  const draft = readDraft(apiKeys, { ...input, scopes })
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
