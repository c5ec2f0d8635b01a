import type { Changes, Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import type { FieldError } from "../../lib/refusal"
import type { Resource } from "../../resource/define"
import type { MoneyContext } from "../../resource/field"
import type { Totals } from "../../shared/money"
import type { Buyer } from "../customers/store"
import type { Line } from "./model"
import type { LineTable } from "./store"

/** What every document has, as it is kept: amounts in the minor unit, lines apart. */
export type Head = {
  id: string
  status: string
  customer: string
  customerName: string
  paymentTerms: string | null
  total: number
  version: number
  createdAt: string
  updatedAt: string
}

/** A document with its lines, both as they are kept. */
export type Doc<H, L> = { head: H; lines: L[] }

/** Values by the names of fields. */
export type Values = Record<string, unknown>

/**
 * A kind of document as data: its lines, where it may go from each status, and what stays editable. Orders and invoices
 * are such tables, each with effects of its own.
 */
export type DocumentKind<H extends Head, L extends Line> = {
  resource: Resource
  lines: LineTable<L>
  lineIdPrefix: string
  /** Adds to a line what only lines of this kind have; `before` is the line it was. */
  withOwnPart(line: Line, before: L | undefined): L
  /** The names of these parts, which only the service sets. */
  ownParts: readonly string[]
  /** A line as it is answered, in plain numbers. */
  lineToApi(line: L, digits: number): L
  /** Where a document may go when a caller asks for it. A status with no way out is final. */
  transitions: Readonly<Record<H["status"], readonly H["status"][]>>
  /** What may still be changed in each status. */
  editable: Readonly<Record<H["status"], readonly string[] | "all">>
  /** What sentences call a document. */
  nameOf(head: H): string
  /** Where this one may go now, where that depends on more than its status. */
  allowed?(head: H): readonly H["status"][]
}

/** What a body says of customer and lines, looked up and counted. */
export type Contents<L> = {
  customer: Buyer | null
  lines: L[]
  taxes: ReadonlyMap<number, number>
  totals: Totals
}

/** A change of a document that is being read. */
export type Revision<H> = {
  before: H
  input: Values
  /** What the body says of the fields; effects may add to it. */
  change: Values
  /** The names of the fields that differ; effects may add to it. */
  differing: string[]
  /** The customer, where it is another than before. */
  moved: Buyer | null
}

/** A request to move a document to another status. */
export type StatusRequest<S> = { status: S; reason: string | null; override: boolean; caller: Caller }

/** What a document became: its head, what the audit log says of that beside the status, and what follows the save. */
export type Became<H> = { head: H; changes?: Changes; afterSave?: () => void }

/** What the audit log says where a manager passed the credit limit. */
export const creditOverride: Changes = { creditOverride: { from: false, to: true } }

/** What documents of a kind do beside what all do. */
export type Effects<H extends Head, L extends Line> = {
  /** What is shown of documents beside their heads and lines, from other tables. */
  beside(heads: readonly H[]): (head: H) => object
  /** Fills in what a change leaves to the service, before it is compared with what is stored. */
  fill(change: Values, money: MoneyContext): void
  /** Works out what follows from a change, and tells what is wrong with it. */
  settle(revision: Revision<H>): FieldError[]
  /** What a document keeps of its customer. */
  partyOf(customer: Buyer): Partial<H>
  /** What follows from other lines, beside the totals. */
  retotal(totals: Totals): Partial<H>
  /**
   * Writes what a saved document changes elsewhere, from what it was to what it is: where both come to the same, nothing
   * changes. `taxes` is given when its lines have changed.
   */
  book(before: Doc<H, L> | null, after: Doc<H, L>, taxes: ReadonlyMap<number, number> | null): void
  /** What has to hold and to happen on the way to each status. */
  become: Readonly<
    Partial<
      Record<H["status"], (tx: Tx, document: Doc<H, L>, asked: StatusRequest<H["status"]>) => Became<H>>
    >
  >
  /** Refuses a way that the table allows, with a reason of its own. */
  assertMayLeave?(head: H, to: H["status"]): void
  /** Refuses unless the document may be deleted. */
  assertDeletable(head: H): void
}
