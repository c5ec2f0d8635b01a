import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import type { Caller } from "../../core/caller"
import { fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import { refuseMissing, tableCrud } from "../../core/store/crud"
import type { Term } from "../../core/store/filter"
import type { ListQuery } from "../../core/store/list"
import type { Draft, Input } from "../../core/kind/read"
import type { Expected } from "../../core/kind/tag"
import type { TableStore } from "../../core/store/table-store"
import type { Tx } from "../../core/write/writer"
import type { Role } from "../../shared/rights"
import { type View, views } from "./model"

/** The roles that share views with everybody, and change shared ones. */
const sharingRoles: readonly Role[] = ["manager", "admin"]
/** The number of views that a user can have. */
const mostOfUser = 100

/** The saved views of lists. Everybody sees their own and the shared ones. */
export function viewService({ db, store }: { db: Database; store: TableStore<typeof views> }) {
  const crud = tableCrud(views, store)
  const get = (id: string, caller: Caller): View => {
    const view = crud.get(id)
    return view.owner === caller.userId || view.isShared ? view : refuseMissing(views, id)
  }
  return {
    within,
    get,
    findMany: crud.findMany,
    list: (query: ListQuery, caller: Caller) => store.list(query, within(caller)),

    create(tx: Tx, draft: Draft, caller: Caller): View {
      if (draft.values.isShared === true) assertMayShare(caller)
      const errors = [...countErrors(db, caller), ...draft.errors]
      return crud.make(tx, { ...draft, errors }, () => ({ owner: caller.userId }))
    },

    update(tx: Tx, id: string, input: Input, expected: Expected, caller: Caller): View {
      const before = get(id, caller)
      const isWithdrawn = before.owner === caller.userId && input.isShared === false
      if ((before.isShared && !isWithdrawn) || input.isShared === true) assertMayShare(caller)
      return crud.update(tx, id, input, expected)
    },

    remove(tx: Tx, id: string, expected: Expected, caller: Caller): void {
      const view = get(id, caller)
      if (view.owner !== caller.userId) assertMayShare(caller)
      crud.remove(tx, id, expected)
    },
  }
}

export type ViewService = ReturnType<typeof viewService>

const within = ({ userId }: Caller): Term[] => [{ sql: "(owner = ? OR is_shared = 1)", values: [userId] }]

function assertMayShare({ role }: Caller): void {
  if (sharingRoles.includes(role)) return
  throw new Refusal("FORBIDDEN", `The role ${role} may not change views for everybody.`, {
    params: { role },
    details: [
      fieldError("isShared", "RULE", `may be set by ${sharingRoles.join(" and ")}`, {
        rule: "ROLE",
        allowed: sharingRoles,
      }),
    ],
  })
}

function countErrors(db: Database, { userId }: Caller): FieldError[] {
  const own = valueOf<number>(db, "SELECT count(*) FROM saved_views WHERE owner = ?", userId) ?? 0
  if (own < mostOfUser) return []
  const message = `cannot have more than ${mostOfUser} views`
  return [fieldError("owner", "RULE", message, { rule: "TOO_MANY", max: mostOfUser })]
}
