import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import { isAdmin, type Caller } from "../../http/caller"
import type { Role } from "../../shared/rights"
import { newApiKey } from "../../lib/api-key"
import { later, wallClock } from "../../lib/clock"
import type { PlanName } from "../../shared/plans"
import { invalid, Refusal, type Detail } from "../../lib/refusal"
import { digestOf } from "../../lib/secret"
import { whenDone } from "../../lib/turns"
import { assertVersion, tableCrud, type Expected } from "../../resource/crud"
import { equals } from "../../resource/filter"
import type { ListQuery } from "../../resource/list"
import type { Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import { apiKeys, type ApiKey } from "./model"
import { assertPlanAllowed, countFaults, expiryFaults, scopeFaults } from "./rules"
import { countLive, setDigest, setPrefix } from "./store"

const defaultLifetime = 90 * 24 * 60 * 60 * 1000

/** Whose key it is to be. */
export type Owner = { userId: string; role: Role; plan: PlanName }

type Uses = { latest(key: string): { at: string; ip: string } | null }

type Deps = {
  db: Database
  store: TableStore<typeof apiKeys>
  /** The uses that are not written down yet. */
  uses: Uses
  onChange?: (tx: Tx) => void
}

export function apiKeyService({ db, store, uses, onChange = () => {} }: Deps) {
  const crud = tableCrud(apiKeys, store)

  const withUse = (key: ApiKey): ApiKey => {
    const use = uses.latest(key.id)
    return use ? { ...key, lastUsedAt: use.at, lastUsedIp: use.ip } : key
  }

  /** One's own keys; an admin's are all of them. Another's key is not there at all. */
  const get = (id: string, caller: Caller): ApiKey => {
    const key = crud.get(id)
    if (key.user === caller.userId || isAdmin(caller)) return withUse(key)
    throw new Refusal("NOT_FOUND", `There is no API key ${JSON.stringify(id)}.`)
  }

  const create = (tx: Tx, input: Input, owner: Owner): { record: ApiKey; key: string } => {
    const { key, prefix } = newApiKey()
    const faults: Detail[] = [
      ...countFaults(countLive(db, owner.userId, wallClock())),
      ...scopeFaults(input.scopes, owner.role),
      ...expiryFaults(input.expiresAt, wallClock()),
    ]
    const scopes = Array.isArray(input.scopes) ? [...new Set(input.scopes)] : input.scopes
    const record = crud.make(
      tx,
      { ...input, scopes },
      {
        faults,
        served: () => ({
          user: owner.userId,
          prefix,
          // Left out it is 90 days; null says never, which elsewhere would be the same as left out.
          ...(Object.hasOwn(input, "expiresAt") ? {} : { expiresAt: later(wallClock(), defaultLifetime) }),
        }),
      },
    )
    setDigest(db, record.id, digestOf(key))
    onChange(tx)
    return { record, key }
  }

  const rotate = (tx: Tx, id: string, expected: Expected = null): { record: ApiKey; key: string } => {
    const before = crud.get(id)
    assertVersion(before, expected)
    if (before.expiresAt !== null && before.expiresAt <= wallClock())
      throw invalid("expiresAt", "has passed: make a new key instead")
    const { key, prefix } = newApiKey()
    setPrefix(db, id, prefix, tx.now)
    setDigest(db, id, digestOf(key))
    tx.auditEntries.push({ action: "api-keys.rotate", kind: "api-keys", recordId: id })
    onChange(tx)
    return { record: withUse(crud.get(id)), key }
  }

  const revoke = (tx: Tx, id: string, expected: Expected = null): void => {
    crud.remove(tx, id, expected)
    onChange(tx)
  }

  const remove = (tx: Tx, id: string, expected: Expected, caller: Caller): void =>
    revoke(tx, get(id, caller).id, expected)

  return {
    all: crud.list,
    create,
    rotate,
    revoke,
    remove,
    get,
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
