import type { Changes, Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { newId } from "../../lib/id"
import { assertNoErrors, invalid, type FieldError } from "../../lib/refusal"
import { changesOf } from "../../resource/changes"
import { takenErrors } from "../../resource/crud"
import type { Draft } from "../../resource/read"
import { taxesOf, totalsOf, type Totals } from "../../shared/money"
import type { Buyer } from "../customers/store"
import type { Contents, Head } from "./kind"
import { readLines, totalErrors } from "./lines"
import type { GivenLine, Line } from "./model"
import { customerIdOf, readCustomer } from "./customer"
import type { Documents } from "./documents"

/** A new document, and additional changes for its audit log entry. */
export type NewDocument<H, L> = {
  head: H
  lines: L[]
  taxes: ReadonlyMap<number, number>
  changes?: Changes
  /** Runs effects on other records, before the audit log entry of the new document. */
  afterSave?: () => void
}

/** Stores a new document. */
export function createDocument<H extends Head, L extends Line, R extends object>(
  { kind, save, get }: Documents<H, L, R>,
  tx: Tx,
  { head, lines, taxes, changes = {}, afterSave }: NewDocument<H, L>,
): R {
  save(tx, null, { head, lines }, taxes)
  afterSave?.()
  const made = get(head.id)
  tx.audit(`${kind.resource.name}.create`, head.id, {
    ...changesOf(kind.resource, null, made as Record<string, unknown>),
    ...changes,
  })
  return made
}

/**
 * Looks up the customer and the items of a draft and computes its lines. `check` returns additional errors. All errors
 * are reported together.
 */
export function readContents<H extends Head, L extends Line, R>(
  { kind, store, items, customers, moneyContext }: Documents<H, L, R>,
  tx: Tx,
  { values, extras, errors }: Draft,
  check: () => FieldError[],
): Contents<L> & { customer: Buyer; own: OwnFields } {
  const { digits } = moneyContext(tx.now)
  const customer = readCustomer(
    customers,
    customerIdOf(customers, { ...values, ...extras }, errors),
    null,
    errors,
  )
  const given = (values.items ?? []) as GivenLine[]
  const reading = { before: [], idPrefix: kind.lineIdPrefix, now: tx.now, digits, errors }
  const lines = readLines(items, given, reading).map((line) => kind.withOwnPart(line, undefined))
  errors.push(...check(), ...takenErrors(kind.resource, store, values, null))
  const taxes = taxesOf(lines)
  const totals = totalsOf(lines, taxes)
  errors.push(...totalErrors(totals, digits))
  assertNoErrors(errors, `The ${kind.resource.noun} has invalid values.`)
  if (!customer) throw invalid("customer", "REQUIRED", "is required")
  return { customer, lines, taxes, totals, own: ownFieldsOf(values) }
}

/** The fields of a body that a document stores unchanged. */
export type OwnFields = { notes: string | null; externalId: string | null; metadata: Record<string, string> }

export const ownFieldsOf = (values: Record<string, unknown>): OwnFields => ({
  notes: (values.notes ?? null) as string | null,
  externalId: (values.externalId ?? null) as string | null,
  metadata: (values.metadata ?? {}) as Record<string, string>,
})

/** Returns the fields that every new document has. */
export const newHead = <H extends Head, L extends Line, R>(
  { kind, moneyContext }: Documents<H, L, R>,
  tx: Tx,
  { customer, totals, own }: { customer: Buyer; totals: Totals; own: OwnFields },
  caller: Caller,
) => ({
  ...own,
  id: newId(kind.resource.idPrefix, tx.now),
  status: "draft" as const,
  customer: customer.id,
  currency: moneyContext(tx.now).currency,
  ...totals,
  cancelledAt: null,
  cancelReason: null,
  createdBy: caller.userId,
  version: 1,
  createdAt: tx.now,
  updatedAt: tx.now,
})
