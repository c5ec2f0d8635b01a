import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import type { Role } from "../../shared/rights"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { hashPassword } from "../../core/lib/password"
import { assertNoErrors, fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import { mailKey } from "../../core/lib/text"
import { tableCrud } from "../../core/store/crud"
import type { ListQuery } from "../../core/store/list"
import { type Draft, type Input, readDraft } from "../../core/kind/read"
import type { TableStore } from "../../core/store/table-store"
import { newPassword } from "../../core/kind/text-field"
import type { Expected } from "../../core/kind/tag"
import { type User, users } from "./model"

/** A new password. It is hashed before the transaction begins, because hashing takes time. */
export type NewPassword = { hash: string | null; errors: FieldError[] }

/** `share` is the user or network that the hashing counts for; shares take turns. */
export async function readNewPassword(password: unknown, share: string): Promise<NewPassword> {
  const errors: FieldError[] = []
  const read = newPassword().read(password, "password", errors, "create")
  return { hash: read === undefined ? null : await hashPassword(read, share), errors }
}

export type UserDraft = Draft & { hash: string | null }
export type UserChange = {
  input: Input
  password: NewPassword | null
  /** Of a change over the API: by whom, and what is wrong with the present password that was given. */
  by?: { userId: string; current: FieldError | null }
}

type Deps = {
  db: Database
  store: TableStore<typeof users>
  /** Ends the sessions of a user, except `exceptId`. */
  endSessions: (tx: Tx, user: string, exceptId: string | null) => void
  onChange: (tx: Tx) => void
  /** Checks the present password of a caller. Returns what is wrong with it. */
  checkCurrent: (password: unknown, caller: Caller) => Promise<FieldError | null>
}

export function userService(deps: Deps) {
  const { db, store } = deps
  const crud = tableCrud(users, store)
  return {
    list: (query: ListQuery) => crud.list(query),
    get: (id: string) => crud.get(id),
    find: (id: string) => store.find(id) as User | null,
    findMany: crud.findMany,
    prepareDraft: (input: Input, { userId }: Pick<Caller, "userId">) => readUser(input, `user:${userId}`),
    create(tx: Tx, draft: UserDraft): User {
      const user = crud.make(tx, draft)
      if (draft.hash !== null) setPasswordHash(db, user.id, draft.hash, tx.now)
      return user
    },
    async prepareChange({ password, currentPassword, ...input }: Input, caller: Caller): Promise<UserChange> {
      if (password === undefined) return { input, password: null }
      const { userId } = caller
      const current = await deps.checkCurrent(currentPassword, caller)
      return { input, password: await readNewPassword(password, `user:${userId}`), by: { userId, current } }
    },
    update: (tx: Tx, id: string, change: UserChange, expected: Expected = null): User =>
      update(deps, crud, tx, id, change, expected),
    /** Sets a password and ends the user's sessions, except `stays`. */
    setPassword(tx: Tx, id: string, password: NewPassword, stays: string | null = null): void {
      crud.get(id)
      assertNoErrors(password.errors)
      setPassword(deps, tx, id, password, stays)
    },
    findByEmail: (email: string) => store.find(findIdByEmail(db, mailKey(email)) ?? ""),
    // No address has a NUL character, which some databases cannot even look up.
    findSignIn: (email: string) => (email.includes("\0") ? null : findSignIn(db, mailKey(email))),
    /** A user without a password, who signs in in another way. */
    draftOf: (input: { email: string; name: string; role: Role }): UserDraft => ({
      ...readDraft({ ...users, writeOnly: {} }, input),
      hash: null,
    }),
    isLastAdmin: (id: string) => crud.get(id).role === "admin" && countActiveAdmins(db, id) === 0,
    hasActiveAdmin: () => countActiveAdmins(db, "") > 0,
  }
}

export type UserService = ReturnType<typeof userService>

/** Parses a body that creates a user, and hashes its password. `share` is the user or network that it counts for. */
export async function readUser(input: Input, share: string): Promise<UserDraft> {
  const draft = readDraft(users, input)
  const { password } = draft.extras
  return { ...draft, hash: typeof password === "string" ? await hashPassword(password, share) : null }
}

type Crud = ReturnType<typeof tableCrud<typeof users>>

function update(
  deps: Deps,
  crud: Crud,
  tx: Tx,
  id: string,
  { input, password, by }: UserChange,
  expected: Expected,
): User {
  // Elsewhere null means the default. Here the default would enable a disabled user again.
  const unclear =
    input.isActive === null
      ? [fieldError("isActive", "TYPE", "must be true or false", { type: "boolean" })]
      : []
  const before = crud.get(id)
  // Whoever finds the browser of an admin open must not be able to take the account.
  const current = by?.userId === id && by.current ? [by.current] : []
  const after = crud.revise(tx, id, input, expected, [...unclear, ...current, ...(password?.errors ?? [])])
  assertAdminRemains(before, after, countActiveAdmins(deps.db, id))
  if (before.isActive && !after.isActive) deps.endSessions(tx, id, null)
  deps.onChange(tx)
  if (password) setPassword(deps, tx, id, password, null)
  return after
}

function setPassword(
  { db, endSessions }: Deps,
  tx: Tx,
  id: string,
  { hash }: NewPassword,
  stays: string | null,
): void {
  if (hash === null) return
  setPasswordHash(db, id, hash, tx.now)
  endSessions(tx, id, stays)
  tx.audit("users.set-password", id)
}

function setPasswordHash(db: Database, user: string, hash: string, now: string): void {
  db.query(
    `INSERT INTO passwords (user, hash, changed_at) VALUES (?, ?, ?)
     ON CONFLICT (user) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`,
  ).run(user, hash, now)
}

/** Finds the id and the password hash for a sign-in; null for a disabled user. */
function findSignIn(db: Database, mailKey: string): { id: string; hash: string } | null {
  return db
    .query<{ id: string; hash: string }, [string]>(
      `SELECT users.id, passwords.hash FROM users JOIN passwords ON passwords.user = users.id
       WHERE users.email_key = ? AND users.is_active = 1`,
    )
    .get(mailKey)
}

const findIdByEmail = (db: Database, mailKey: string): string | null =>
  valueOf(db, "SELECT id FROM users WHERE email_key = ?", mailKey)

const countActiveAdmins = (db: Database, exceptId: string): number =>
  valueOf(db, "SELECT count(*) FROM users WHERE role = 'admin' AND is_active = 1 AND id <> ?", exceptId) ?? 0

/** Refuses an update that would leave no active admin. */
export function assertAdminRemains(before: User, after: User, otherAdmins: number): void {
  const was = before.role === "admin" && before.isActive
  const stays = after.role === "admin" && after.isActive
  if (!was || stays || otherAdmins > 0) return
  const field = after.isActive ? "role" : "isActive"
  throw new Refusal("VALIDATION_ERROR", "This is the last active admin. Create another admin first.", {
    details: [fieldError(field, "RULE", "would leave no active admin", { rule: "LAST_ADMIN" })],
  })
}
