import type { Changes, Tx } from "../../core/write/writer"
import type { Warning } from "../../core/lib/warning"
import type { Caller } from "../../core/caller"
import type { FieldError } from "../../core/lib/refusal"
import type { Address } from "../../core/kind/address"
import type { Resource } from "../../core/kind/define"
import type { MoneyContext } from "../../core/kind/field"
import type { Totals } from "../../shared/money"
import type { TaxTreatment } from "../../shared/documents/tax"
import type { DocumentCustomer } from "../needs"
import type { HeadDiscount } from "./discount"
import type { Line, TaxRow } from "./model"
import type { LineTable } from "./store"
import type { Held } from "./revise/held"

/** The stored fields that every document has: amounts in the minor unit, without the lines. */
export type Head = {
  id: string
  status: string
  customer: string
  customerName: string
  pricesIncludeTax: boolean
  /** The treatment of the customer by which the lines were taxed. */
  taxTreatment: TaxTreatment
  /** The discount on the whole document in percent, and its amount. */
  discount: number
  discountAmount: number
  isDiscountAmount: boolean
  shippingAddress: Address | null
  taxes: TaxRow[]
  total: number
  version: number
  createdAt: string
  updatedAt: string
}

/** A document with its lines, both in stored form. */
export type Doc<H, L> = { head: H; lines: L[] }

/** Values by field name. */
export type Values = Record<string, unknown>

/**
 * A kind of document as data: its lines, its transitions, and its editable fields per status. Orders and invoices are
 * such kinds. Their effects are separate.
 */
export type DocumentKind<H extends Head, L extends Line> = {
  resource: Resource
  lines: LineTable<L>
  lineIdPrefix: string
  /** Adds the fields that only lines of this kind have; `before` is the stored line. */
  withOwnPart(line: Line, before: L | undefined): L
  /** The names of these fields. Only the server sets them. */
  ownParts: readonly string[]
  /** Converts a line to the form of a response, in plain numbers. */
  lineToApi(line: L, digits: number): object
  /** The transitions that a caller can request. A status without transitions is final. */
  transitions: Readonly<Record<H["status"], readonly H["status"][]>>
  /** The fields that can still be updated in each status. */
  editable: Readonly<Record<H["status"], readonly string[] | "all">>
  /** Returns the name of a document for use in messages. */
  nameOf(head: H): string
  /** Returns the statuses that this document can change to, if that depends on more than its status. */
  allowed?(head: H): readonly H["status"][]
}

/** The lines of a document with its discount, its taxes and its totals. */
export type Counted<L> = { lines: L[]; discount: HeadDiscount; taxes: TaxRow[]; totals: Totals }

/** An update of a document, while it is being validated. */
export type Revision<H> = {
  before: H
  input: Values
  /** The new values from the body; effects may add values. */
  change: Values
  /** The names of the fields that differ; effects may add names. */
  differing: string[]
  /** The new customer, if the update changes the customer. */
  moved: DocumentCustomer | null
  /** The warnings of the response; effects may add warnings. */
  warnings: Warning[]
}

/** A request to change the status of a document. */
export type StatusRequest<S> = {
  status: S
  reason: string | null
  override: boolean
  /** Sends the document by mail if this issues it. */
  send?: boolean
  /** The whole body, with the fields that only its kind has, and what its route has prepared. */
  given?: Values
  prepared?: unknown
  caller: Caller
}

/** The result of a transition: the new head, additional changes for the audit log, and effects after the save. */
export type Became<H> = { head: H; changes?: Changes; afterSave?: () => void }

/** The audit log changes when the credit limit was overridden. */
export const creditOverride: Changes = { creditOverride: { from: false, to: true } }

/** Who updates a document, which fields differ, and whether the credit limit may be overridden. */
export type Revising = { differing: readonly string[]; override: boolean; caller: Caller }

/** What is specific to a kind of document. A kind without effects on other records needs few of them. */
export type Effects<H extends Head, L extends Line> = {
  /** Returns the data from other tables that a response contains, if there are any. */
  beside?(heads: readonly H[]): (head: H) => object
  /** What it returns for a new document, if that is always the same. */
  ofNew?: object
  /** Counts the rows that `beside` reads for each document, if they can be many. */
  countBeside?(heads: readonly H[]): ReadonlyMap<string, number>
  /** Sets the values that an update leaves to the server, before it is compared with the stored values. */
  fill?(change: Values, money: MoneyContext): void
  /** Sets the fields that depend on the updated fields, and returns the errors of the update. */
  settle?(revision: Revision<H>): FieldError[]
  /** True for a document that keeps its tax in an update, as long as it keeps its customer. */
  keepsTax?(head: H): boolean
  /** Returns what an update must keep, because other documents name lines of this one. */
  held?(tx: Tx, document: Doc<H, L>): Held<L> | null
  /** Checks an update before it is saved, and returns what else changes with it. */
  revised?(tx: Tx, before: Doc<H, L>, after: Doc<H, L>, revising: Revising): Became<H>
  /** Returns the customer data that a document stores. */
  partyOf?(customer: DocumentCustomer): Partial<H>
  /** Returns the fields that depend on the lines, in addition to the totals, if there are any. */
  retotal?(totals: Totals): Partial<H>
  /** Updates other records after a document is saved, by the difference between `before` and `after`. */
  book?(tx: Tx, before: Doc<H, L> | null, after: Doc<H, L>): void
  /** The checks and effects of the transition to each status. */
  become: Readonly<
    Partial<
      Record<H["status"], (tx: Tx, document: Doc<H, L>, request: StatusRequest<H["status"]>) => Became<H>>
    >
  >
  /** Refuses a transition that the table allows, with a specific error. */
  assertMayLeave?(head: H, to: H["status"]): void
  /** Refuses to delete a document that must not be deleted. */
  assertDeletable(head: H): void
  /** Updates other records before a document is deleted. */
  unbook?(tx: Tx, head: H): void
}
