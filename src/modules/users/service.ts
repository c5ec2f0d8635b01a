import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { hashPassword } from "../../lib/password"
import { assertNoFaults, type Detail } from "../../lib/refusal"
import { mailKey } from "../../lib/text"
import { tableCrud, type Expected } from "../../resource/crud"
import type { ListQuery } from "../../resource/list"
import type { Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import { users, type User } from "./model"
import { assertAdminRemains, passwordFaults } from "./rules"
import { countActiveAdmins, findIdByEmail, findSignIn, setPasswordHash } from "./store"

export { passwordFaults }

/** A new password, hashed before the transaction begins because hashing takes its time. */
export type NewPassword = { hash: string | null; faults: Detail[] }

/** `share` names the user or network that asks; shares take turns. */
export async function readNewPassword(password: unknown, share: string): Promise<NewPassword> {
  const faults = passwordFaults(password)
  return { hash: faults.length > 0 ? null : await hashPassword(String(password), share), faults }
}

type Deps = {
  db: Database
  store: TableStore<typeof users>
  /** Ends the sign-ins of someone, all but one when that is named. */
  endSessions?: (tx: Tx, user: string, exceptId: string | null) => void
  onChange?: (tx: Tx) => void
}

export function userService({ db, store, endSessions = () => {}, onChange = () => {} }: Deps) {
  const crud = tableCrud(users, store)

  const create = (tx: Tx, input: Input, { hash, faults }: NewPassword): User => {
    const user = crud.make(tx, input, { faults })
    if (hash !== null) setPasswordHash(db, user.id, hash, tx.now)
    return user
  }

  const update = (
    tx: Tx,
    id: string,
    input: Input,
    expected: Expected = null,
    faults: Detail[] = [],
  ): User => {
    const before = crud.get(id)
    const after = crud.revise(tx, id, input, expected, faults)
    assertAdminRemains(before, after, countActiveAdmins(db, id))
    if (before.isActive && !after.isActive) endSessions(tx, id, null)
    onChange(tx)
    return after
  }

  /** Sets a password and ends the sign-ins that the old one made, but for one that may stay. */
  const setPassword = (
    tx: Tx,
    id: string,
    { hash, faults }: NewPassword,
    stays: string | null = null,
  ): void => {
    crud.get(id)
    assertNoFaults(faults)
    if (hash === null) return
    setPasswordHash(db, id, hash, tx.now)
    endSessions(tx, id, stays)
    tx.auditEntries.push({ action: "users.set-password", kind: "users", recordId: id })
  }

  return {
    list: (query: ListQuery) => crud.list(query),
    get: (id: string) => crud.get(id),
    create,
    update,
    setPassword,
    findByEmail: (email: string) => store.find(findIdByEmail(db, mailKey(email)) ?? ""),
    findSignIn: (email: string) => findSignIn(db, mailKey(email)),
    hasActiveAdmin: () => countActiveAdmins(db, "") > 0,

    /** The same for bodies that may hold a password beside the fields. */
    overHttp: {
      prepare: async (input: Input, { userId }: Caller): Promise<Input> =>
        Object.hasOwn(input, "password")
          ? { ...input, password: await readNewPassword(input.password, `user:${userId}`) }
          : input,

      create(tx: Tx, input: Input): User {
        const { password, ...fields } = input as Prepared
        return create(tx, fields, password ?? { hash: null, faults: passwordFaults(undefined) })
      },

      update(tx: Tx, id: string, input: Input, expected: Expected): User {
        const { password, ...fields } = input as Prepared
        // Elsewhere null means the default, which here would let somebody back in.
        const unclear =
          fields.isActive === null ? [{ field: "isActive", message: "must be true or false" }] : []
        const after = update(tx, id, fields, expected, [...unclear, ...(password?.faults ?? [])])
        if (password) setPassword(tx, id, password)
        return after
      },
    },
  }
}

type Prepared = Input & { password?: NewPassword }

export type UserService = ReturnType<typeof userService>
