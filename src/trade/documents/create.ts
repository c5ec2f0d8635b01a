import type { Changes, Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { newId } from "../../core/lib/id"
import { assertNoErrors, invalid, type FieldError } from "../../core/lib/refusal"
import type { Address } from "../../core/kind/address"
import { changesOf } from "../../core/kind/changes"
import { takenErrors } from "../../core/store/crud"
import type { Draft } from "../../core/kind/read"
import type { TaxTreatment } from "../../shared/tax"
import type { DocumentCustomer } from "../needs"
import { count, priceSense, taxRulesOf } from "./contents"
import type { Counted, Head } from "./kind"
import type { PriceSense } from "../../shared/line"
import { readLines } from "./lines"
import type { GivenLine, Line } from "./model"
import { customerIdOf, readCustomer } from "./customer"
import type { Documents } from "./documents"

/** A new document, and additional changes for its audit log entry. */
export type NewDocument<H, L> = {
  head: H
  lines: L[]
  changes?: Changes
  /** Runs effects on other records, before the audit log entry of the new document. */
  afterSave?: () => void
}

/** Stores a new document. */
export function createDocument<H extends Head, L extends Line, R extends object>(
  { kind, insert }: Documents<H, L, R>,
  tx: Tx,
  { head, lines, changes = {}, afterSave }: NewDocument<H, L>,
): R {
  const show = insert(tx, { head, lines })
  afterSave?.()
  const made = show()
  tx.audit(`${kind.resource.name}.create`, head.id, {
    ...changesOf(kind.resource, null, made as Record<string, unknown>),
    ...changes,
  })
  return made
}

/** The contents of a new document: its customer, its lines with their sums, and the fields it stores unchanged. */
export type Contents<L> = Counted<L> & {
  customer: DocumentCustomer
  pricesIncludeTax: boolean
  taxTreatment: TaxTreatment
  own: OwnFields
}

/** What decides about the prices of a copy: whether those of its source include tax, and how it was taxed. */
export type Source = Pick<Head, "pricesIncludeTax" | "taxTreatment">

/**
 * Looks up the customer and the items of a draft and computes its lines. `check` returns additional errors. All errors
 * are reported together. `source` is the document that the draft copies.
 */
export function readContents<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  tx: Tx,
  { values, extras, errors }: Draft,
  check: () => FieldError[],
  source: Source | null = null,
): Contents<L> {
  const { kind, store, customers } = documents
  const customerId = customerIdOf(customers, { ...values, ...extras }, errors)
  const customer = readCustomer(customers, customerId, null, errors)
  const taxTreatment = customer?.taxTreatment ?? "domestic"
  const isRetaxed = source !== null && source.taxTreatment !== taxTreatment
  const asked = { given: values.pricesIncludeTax, stored: source?.pricesIncludeTax ?? null, isRetaxed }
  const sense = priceSense(documents, customer, asked, errors)
  const lines = newLines(documents, tx, (values.items ?? []) as GivenLine[], { customer, sense, errors })
  errors.push(...check(), ...takenErrors(kind.resource, store, values, null))
  const { includesTax: pricesIncludeTax } = sense
  const counted = count(documents, lines, { includesTax: pricesIncludeTax, customer }, errors)
  assertNoErrors(errors, `The ${kind.resource.noun} has invalid values.`)
  if (!customer) throw invalid("customer", "REQUIRED", "is required")
  return { ...counted, customer, pricesIncludeTax, taxTreatment, own: ownFieldsOf(values, customer) }
}

function newLines<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  { now }: Tx,
  given: readonly GivenLine[],
  { customer, sense, errors }: { customer: DocumentCustomer | null; sense: PriceSense; errors: FieldError[] },
): L[] {
  const { kind, items, moneyContext } = documents
  const taxRules = taxRulesOf(documents, customer, false)
  const { digits } = moneyContext(now)
  const reading = { before: [], idPrefix: kind.lineIdPrefix, now, digits, sense, taxRules, errors }
  return readLines(items, given, reading).map((line) => kind.withOwnPart(line, undefined))
}

/** The fields of a body that a document stores unchanged. */
export type OwnFields = {
  buyerReference: string | null
  shippingAddress: Address | null
  notes: string | null
  externalId: string | null
  metadata: Record<string, string>
}

/** Without a shipping address of its own, a document has that of its customer. */
export const ownFieldsOf = (values: Record<string, unknown>, customer: DocumentCustomer): OwnFields => ({
  buyerReference: (values.buyerReference ?? null) as string | null,
  shippingAddress: (values.shippingAddress as Address | null) ?? shippingAddressOf(customer),
  notes: (values.notes ?? null) as string | null,
  externalId: (values.externalId ?? null) as string | null,
  metadata: (values.metadata ?? {}) as Record<string, string>,
})

export const shippingAddressOf = ({ shippingAddress }: DocumentCustomer): Address | null =>
  shippingAddress === null ? null : (JSON.parse(shippingAddress) as Address)

/** Returns the fields that every new document has. */
export const newHead = <H extends Head, L extends Line, R>(
  { kind, moneyContext }: Documents<H, L, R>,
  tx: Tx,
  { customer, pricesIncludeTax, taxTreatment, taxes, totals, own }: Omit<Contents<L>, "lines">,
  caller: Caller,
) => ({
  ...own,
  id: newId(kind.resource.idPrefix, tx.now),
  status: "draft" as const,
  customer: customer.id,
  currency: moneyContext(tx.now).currency,
  pricesIncludeTax,
  taxTreatment,
  taxes,
  ...totals,
  cancelledAt: null,
  cancelReason: null,
  createdBy: caller.userId,
  version: 1,
  createdAt: tx.now,
  updatedAt: tx.now,
})
