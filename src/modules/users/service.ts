import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import { hashPassword } from "../../lib/password"
import { assertNoFaults, type Detail } from "../../lib/refusal"
import { tidy } from "../../lib/text"
import { tableCrud, type Expected } from "../../resource/crud"
import type { Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import { users, type User } from "./model"
import { assertAdminRemains, passwordFaults } from "./rules"
import { countActiveAdmins, findIdByEmail, findSignIn, setPasswordHash } from "./store"

/** A new password, hashed before the transaction begins because hashing takes its time. */
export type NewPassword = { hash: string | null; faults: Detail[] }

export async function readNewPassword(password: unknown, at = "password"): Promise<NewPassword> {
  const faults = passwordFaults(password, at)
  return { hash: faults.length > 0 ? null : await hashPassword(String(password)), faults }
}

export function userService(db: Database, store: TableStore<typeof users>, onChange: () => void = () => {}) {
  const crud = tableCrud(users, store)

  const create = (tx: Tx, input: Input, { hash, faults }: NewPassword): User => {
    const user = crud.create(tx, input, { faults })
    if (hash !== null) setPasswordHash(db, user.id, hash, tx.now)
    tx.afterCommit.push(onChange)
    return user
  }

  const update = (tx: Tx, id: string, input: Input, expected: Expected = null): User => {
    const before = crud.get(id)
    const after = crud.update(tx, id, input, expected)
    assertAdminRemains(before, after, countActiveAdmins(db, id))
    tx.afterCommit.push(onChange)
    return after
  }

  const setPassword = (tx: Tx, id: string, { hash, faults }: NewPassword): void => {
    crud.get(id)
    assertNoFaults(faults)
    if (hash !== null) setPasswordHash(db, id, hash, tx.now)
    tx.afterCommit.push(onChange)
  }

  return {
    list: crud.list,
    get: crud.get,
    create,
    update,
    setPassword,
    findByEmail: (email: string) => store.find(findIdByEmail(db, tidy(email)) ?? ""),
    findSignIn: (email: string) => findSignIn(db, tidy(email)),
    hasActiveAdmin: () => countActiveAdmins(db, "") > 0,
  }
}

export type UserService = ReturnType<typeof userService>
