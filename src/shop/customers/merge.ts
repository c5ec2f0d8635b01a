import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Reading } from "../../core/kind/body"
import type { Resource } from "../../core/kind/define"
import { assertVersion, type Expected } from "../../core/kind/tag"
import {
  assertNoErrors,
  fieldError,
  missingReference,
  Refusal,
  type FieldError,
} from "../../core/lib/refusal"
import { refuseMissing } from "../../core/store/crud"
import type { TableStore } from "../../core/store/table-store"
import { mergeRoles } from "../../shared/rights"
import { type Customer, customerRefusals, customers, type Merge } from "./model"

type Deps = {
  db: Database
  store: TableStore<typeof customers>
  /** All kinds. The records of those with a field `customer` move. */
  kinds: readonly Resource[]
  get: (id: string) => Customer
  /** Adds to a figure of a customer. */
  add: (
    tx: Tx,
    figure: "outstanding_balance" | "open_orders_value" | "credit_balance",
    share: { customer: string; amount: number },
  ) => void
}

/** The documents that one merge moves at most, and the payments and customers merged earlier. */
const mostMoved = 2_000

type Given = { id: string; given: Reading<Merge>; expected: Expected; caller: Caller }

/**
 * Merges the customer `from` into another one: its records and balances become those of the survivor, and it stays as an
 * inactive customer that names the survivor. What was printed does not change.
 */
export function mergeCustomers(deps: Deps, tx: Tx, { id, given, expected, caller }: Given): Customer {
  const { store, get, add } = deps
  assertMayMerge(caller)
  assertNoErrors(given.errors)
  const { from: fromId } = given.values
  const survivor = store.load(id) ?? refuseMissing(customers, id)
  assertVersion(get(id), expected)
  const from = store.load(fromId)
  assertNoErrors(mergeErrors(survivor, from, fromId), "The customers cannot be merged.")
  if (!from) return refuseMissing(customers, fromId)
  assertFew(deps, from)
  const moved = kindsOf(deps).map(
    (kind) => [kind.name, move(deps, tx, kind, { from: from.id, to: id })] as const,
  )
  moveEarlierMerges(deps, tx, from, survivor)
  add(tx, "outstanding_balance", { customer: id, amount: from.outstandingBalance })
  add(tx, "open_orders_value", { customer: id, amount: from.openOrdersValue })
  add(tx, "credit_balance", { customer: id, amount: from.creditBalance })
  const none = { outstandingBalance: 0, openOrdersValue: 0, creditBalance: 0 }
  const after = { ...from, ...none, isActive: false, mergedInto: id }
  store.replace(tx, { ...after, version: from.version + 1, updatedAt: tx.now }, from)
  tx.audit("customers.merge", from.id, {
    mergedInto: { from: null, to: id },
    other: { from: null, to: nameOf(survivor) },
    ...(from.isActive ? { isActive: { from: true, to: false } } : {}),
  })
  tx.audit("customers.merge", id, {
    from: { from: null, to: from.id },
    other: { from: null, to: nameOf(from) },
    ...Object.fromEntries(
      moved.filter(([, count]) => count > 0).map(([name, to]) => [name, { from: 0, to }]),
    ),
  })
  return get(id)
}

/** A customer as an entry of the audit log names it. */
const nameOf = ({ customerNumber, name }: Customer): string => `${customerNumber} ${name}`

function assertMayMerge({ role }: Caller): void {
  if (mergeRoles.includes(role)) return
  throw new Refusal("FORBIDDEN", `The role ${role} may not merge customers.`, { params: { role } })
}

/** The errors of two customers that cannot be merged. */
function mergeErrors(survivor: Customer, from: Customer | null, fromId: string): FieldError[] {
  if (!from) return [missingReference("from", fromId.slice(0, 64))]
  if (from.id === survivor.id)
    return [
      fieldError("from", "RULE", "must be another customer than the one it is merged into", { rule: "SAME" }),
    ]
  const errors: FieldError[] = []
  if (survivor.mergedInto !== null) errors.push(alreadyMerged("id", survivor))
  else if (!survivor.isActive)
    errors.push(
      fieldError("id", "RULE", `${survivor.name} is inactive`, { rule: "INACTIVE", name: survivor.name }),
    )
  if (from.mergedInto !== null) errors.push(alreadyMerged("from", from))
  return errors
}

const alreadyMerged = (field: string, { customerNumber, mergedInto }: Customer): FieldError =>
  fieldError(field, "RULE", `names ${customerNumber}, which was merged into ${mergedInto} already`, {
    rule: "MERGED",
    mergedInto,
  })

const kindsOf = ({ kinds }: Deps): Resource[] =>
  kinds.filter(({ name, fields }) => name !== customers.name && fields["customer"]?.kind === "reference")

const sourceOf = ({ table, view = table }: Resource): string => view

/** Refuses a merge that would hold up other requests. Documents are counted together, and so is the rest. */
function assertFew({ db, ...deps }: Deps, { id, customerNumber }: Customer): void {
  const countIn = (table: string, column: string): number =>
    db
      .query<{ n: number }, [string]>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT ${mostMoved + 1}) AS few`,
      )
      .get(id)?.n ?? 0
  const kinds = kindsOf({ db, ...deps }).map((kind) => ({ kind, count: countIn(sourceOf(kind), "customer") }))
  const documents = kinds
    .filter(({ kind }) => "items" in kind.fields)
    .reduce((sum, { count }) => sum + count, 0)
  const others = kinds
    .filter(({ kind }) => !("items" in kind.fields))
    .reduce((sum, { count }) => sum + count, countIn("customers", "merged_into"))
  const most = Math.max(documents, others)
  if (most <= mostMoved) return
  throw new Refusal(
    customerRefusals.MERGE_TOO_LARGE,
    `Customer ${customerNumber} has more than ${mostMoved} documents, or payments and customers merged into it, which is too much to merge. Merge the other way round, or keep both.`,
    {
      params: { number: customerNumber, max: mostMoved },
      details: [
        fieldError("from", "RULE", `has more than ${mostMoved} documents`, {
          rule: "TOO_MANY",
          count: mostMoved,
        }),
      ],
    },
  )
}

type Way = { from: string; to: string }

/** Moves the records of a kind, and returns their number. Each is changed, so that other programs and forms notice it. */
function move({ db }: Deps, tx: Tx, kind: Resource, { from, to }: Way): number {
  // Voided payments, which no response contains, stay where they are.
  const live = kind.view ? ` AND id IN (SELECT id FROM ${kind.view} WHERE customer = ?)` : ""
  const moved = db
    .query<{ id: string; version: number }, string[]>(
      `UPDATE ${kind.table} SET customer = ?, version = version + 1, updated_at = ? WHERE customer = ?${live}
       RETURNING id, version`,
    )
    .all(to, tx.now, from, ...(kind.view ? [from] : []))
  for (const { id, version } of moved) {
    tx.events.push({ kind: kind.name, id, type: "updated", version, changed: ["customer"] })
    tx.audit(`${kind.name}.update`, id, { customer: { from, to } })
  }
  return moved.length
}

/** Those that were merged into `from` earlier name the survivor from now on, so that it is found in one step. */
function moveEarlierMerges({ db }: Deps, tx: Tx, from: Customer, survivor: Customer): void {
  const { id: to } = survivor
  const merged = db
    .query<{ id: string; version: number }, string[]>(
      "UPDATE customers SET merged_into = ?, version = version + 1, updated_at = ? WHERE merged_into = ? RETURNING id, version",
    )
    .all(to, tx.now, from.id)
  for (const { id, version } of merged) {
    tx.events.push({ kind: customers.name, id, type: "updated", version, changed: ["mergedInto"] })
    tx.audit("customers.merge", id, {
      mergedInto: { from: from.id, to },
      other: { from: nameOf(from), to: nameOf(survivor) },
    })
  }
}
