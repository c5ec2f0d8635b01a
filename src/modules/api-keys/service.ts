import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import { isAdmin, type Caller } from "../../http/caller"
import { newApiKey } from "../../lib/api-key"
import { later, wallClock } from "../../lib/clock"
import { invalid } from "../../lib/refusal"
import { digestOf } from "../../lib/secret"
import { whenDone } from "../../lib/turns"
import { assertVersion, refuseMissing, tableCrud, type Expected } from "../../resource/crud"
import { equals } from "../../resource/filter"
import type { ListQuery } from "../../resource/list"
import { readDraft, type Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import type { PlanName } from "../../shared/plans"
import type { Role } from "../../shared/rights"
import { apiKeys, type ApiKey } from "./model"
import { assertPlanAllowed, countErrors, expiryErrors, scopeErrors } from "./rules"
import { countLive, setDigest, setPrefix } from "./store"

const defaultLifetime = 90 * 24 * 60 * 60 * 1000

/** Whose key it is to be. */
export type Owner = { userId: string; role: Role; plan: PlanName }

/** A key with its text, which is shown this once. */
export type IssuedKey = { record: ApiKey; key: string }

type Deps = {
  db: Database
  store: TableStore<typeof apiKeys>
  /** The uses that are not written down yet. */
  uses: { latest(key: string): { at: string; ip: string } | null }
  onChange: (tx: Tx) => void
}

export function apiKeyService(deps: Deps) {
  const { store, uses, onChange } = deps
  const crud = tableCrud(apiKeys, store)

  const withUse = (key: ApiKey): ApiKey => {
    const use = uses.latest(key.id)
    return use ? { ...key, lastUsedAt: use.at, lastUsedIp: use.ip } : key
  }
  /** One's own keys; an admin's are all of them. Another's key is not there at all. */
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
    create: (tx: Tx, input: Input, owner: Owner) => create(deps, crud, tx, input, owner),
    rotate: (tx: Tx, id: string, expected: Expected = null) => rotate(deps, crud, tx, id, expected),
    revoke,
    remove: (tx: Tx, id: string, expected: Expected, caller: Caller): void =>
      revoke(tx, get(id, caller).id, expected),

    list(query: ListQuery, caller: Caller) {
      const page = store.list(query, isAdmin(caller) ? [] : [equals("user", caller.userId)])
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
type Crud = ReturnType<typeof tableCrud<typeof apiKeys>>

function create({ db, onChange }: Deps, crud: Crud, tx: Tx, input: Input, owner: Owner): IssuedKey {
  const { key, prefix } = newApiKey()
  const scopes = Array.isArray(input.scopes) ? [...new Set(input.scopes)] : input.scopes
  const draft = readDraft(apiKeys, { ...input, scopes })
  draft.errors.unshift(
    ...countErrors(countLive(db, owner.userId, wallClock())),
    ...scopeErrors(input.scopes, owner.role),
    ...expiryErrors(input.expiresAt, wallClock()),
  )
  const record = crud.make(tx, draft, () => ({
    user: owner.userId,
    prefix,
    // Left out it is 90 days; null says never, which elsewhere would be the same as left out.
    ...(Object.hasOwn(input, "expiresAt") ? {} : { expiresAt: later(wallClock(), defaultLifetime) }),
  }))
  setDigest(db, record.id, digestOf(key))
  onChange(tx)
  return { record, key }
}

function rotate({ db, uses, onChange }: Deps, crud: Crud, tx: Tx, id: string, expected: Expected): IssuedKey {
  const before = crud.get(id)
  assertVersion(before, expected)
  if (before.expiresAt !== null && before.expiresAt <= wallClock())
    throw invalid("expiresAt", "has passed: make a new key instead")
  const { key, prefix } = newApiKey()
  setPrefix(db, id, prefix, tx.now)
  setDigest(db, id, digestOf(key))
  tx.audit("api-keys.rotate", id)
  onChange(tx)
  const use = uses.latest(id)
  const after = crud.get(id)
  return { record: use ? { ...after, lastUsedAt: use.at, lastUsedIp: use.ip } : after, key }
}
