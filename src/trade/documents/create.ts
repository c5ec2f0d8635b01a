import type { Changes, Tx } from "../../core/write/writer"
import type { Author } from "../../core/caller"
import { newId } from "../../core/lib/id"
import { assertNoErrors, fieldError, invalid, type FieldError } from "../../core/lib/refusal"
import type { Address } from "../../core/kind/address"
import { changesOf } from "../../core/kind/changes"
import { takenErrors } from "../../core/store/crud"
import type { Draft } from "../../core/kind/read"
import type { TaxTreatment } from "../../shared/documents/tax"
import type { DocumentCustomer } from "../needs"
import type { Counted, Head } from "./kind"
import { mayIncludeTax, type PriceSense, withReasons } from "../../shared/documents/line"
import { applyTax, totalsOf } from "../../shared/money"
import { spreadDiscount } from "../../shared/documents/discount"
import {
  type AskedDiscount,
  type DiscountChange,
  discountChange,
  type Discounted,
  documentDiscount,
  type HeadDiscount,
} from "./discount"
import { type LineTaxRules, readLines, totalErrors } from "./lines"
import type { GivenLine, Line } from "./model"
import { readCustomer } from "./customer"
import { type Held, heldDiscount } from "./revise/held"
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

/** What decides about the prices of a copy: whether those of its source include tax, how it was taxed, its discount. */
export type Source = Pick<Head, "pricesIncludeTax" | "taxTreatment"> &
  Discounted & {
    /** True when the copy may have a customer or items that are inactive, as the source may. It can only be a draft. */
    keepsInactive?: boolean
  }

/**
 * Looks up the customer and the items of a draft and computes its lines. `check` returns additional errors. All errors
 * are reported together. `source` is the document that the draft copies.
 */
export function readContents<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  tx: Tx,
  { values, errors }: Draft,
  check: () => FieldError[],
  source: Source | null = null,
): Contents<L> {
  const { kind, store, customers } = documents
  const keepsInactive = source?.keepsInactive ?? false
  const kept = keepsInactive ? (values.customer as string) : null
  const customer = readCustomer(customers, values.customer, kept, { errors, warnings: tx.warnings })
  const taxTreatment = customer?.taxTreatment ?? "domestic"
  const isRetaxed = source !== null && source.taxTreatment !== taxTreatment
  const asked = { given: values.pricesIncludeTax, stored: source?.pricesIncludeTax ?? null, isRetaxed }
  const sense = priceSense(documents, customer, asked, errors)
  const lines = newLines(documents, tx, (values.items ?? []) as GivenLine[], {
    customer,
    sense,
    errors,
    keepsInactive,
  })
  errors.push(...check(), ...takenErrors(kind.resource, store, values, null))
  const { includesTax: pricesIncludeTax } = sense
  const discount = newDiscount(documents, values, source, sense)
  const counted = count(documents, lines, { includesTax: pricesIncludeTax, customer, discount }, errors)
  assertNoErrors(errors, `The ${kind.resource.noun} has invalid values.`)
  if (!customer) throw invalid("customer", "REQUIRED", "is required")
  return { ...counted, customer, pricesIncludeTax, taxTreatment, own: ownFieldsOf(values, customer) }
}

/** The discount of a new document. A copy has that of its source. */
const newDiscount = <H extends Head, L extends Line, R>(
  { moneyContext }: Documents<H, L, R>,
  values: AskedDiscount,
  source: Source | null,
  sense: PriceSense,
): DiscountChange => discountChange(source, source ? {} : values, sense, moneyContext().digits)

function newLines<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  { now }: Tx,
  given: readonly GivenLine[],
  {
    customer,
    ...more
  }: {
    customer: DocumentCustomer | null
    sense: PriceSense
    errors: FieldError[]
    keepsInactive: boolean
  },
): L[] {
  const { kind, items, moneyContext } = documents
  const taxRules = taxRulesOf(documents, customer, false)
  const { digits, currency } = moneyContext(now)
  const reading = { before: [], idPrefix: kind.lineIdPrefix, now, digits, currency, taxRules, ...more }
  return readLines(items, given, reading).map((line) => kind.withOwnPart(line, undefined))
}

type Counting<L> = {
  includesTax: boolean
  customer: DocumentCustomer | null
  discount: DiscountChange
  /** The lines that keep their shares of the discount, if there are any. */
  held?: Held<L> | null
}

/** Spreads the discount over the lines, computes taxes and totals, and adds an error when they are too large. */
export function count<H extends Head, L extends Line, R>(
  { taxCodes, settings, moneyContext }: Documents<H, L, R>,
  lines: readonly L[],
  { includesTax, customer, discount: change, held = null }: Counting<L>,
  errors: FieldError[],
): Counted<L> {
  const { digits, currency } = moneyContext()
  const { discount, lines: discounted } = held
    ? heldDiscount(lines, change, { held, digits, currency, errors })
    : spreadOver(lines, documentDiscount(lines, change, { digits, currency, errors }))
  const { lines: taxed, taxes } = applyTax(discounted, includesTax)
  const totals = totalsOf(taxed, taxes)
  errors.push(...totalErrors(totals, digits))
  const language = customer?.language ?? settings().defaultLanguage
  const reasons = { findCode: taxCodes.find, taxReason: customer?.taxReason ?? null, language }
  return { lines: [...taxed], discount, taxes: withReasons(taxes, taxed, reasons), totals }
}

const spreadOver = <L extends Line>(lines: readonly L[], discount: HeadDiscount) => ({
  discount,
  lines: spreadDiscount(lines, discount.discountAmount),
})

/** How the lines of a document are taxed, by its customer. */
export const taxRulesOf = <H extends Head, L extends Line, R>(
  { taxCodes, settings }: Documents<H, L, R>,
  customer: DocumentCustomer | null,
  isRetaxed: boolean,
): LineTaxRules => ({
  findCode: taxCodes.find,
  choiceErrors: taxCodes.choiceErrors,
  treatment: customer?.taxTreatment ?? "domestic",
  defaultTaxCode: settings().defaultTaxCode,
  isRetaxed,
})

type Asked = {
  /** The value of the body. */
  given: unknown
  /** The value of the document that is updated or copied; null without one. */
  stored: boolean | null
  /** True when its lines are taxed again, because its customer has another treatment. */
  isRetaxed: boolean
}

/**
 * Returns whether the prices of a document include tax. Only domestic sales have tax that prices can include: another
 * value is reported, and a document whose customer gets another treatment no longer includes tax.
 */
export function priceSense<H extends Head, L extends Line, R>(
  { settings }: Documents<H, L, R>,
  customer: DocumentCustomer | null,
  { given, stored, isRetaxed }: Asked,
  errors: FieldError[],
): PriceSense {
  const sellingPricesIncludeTax = settings().pricesIncludeTax
  const isPossible = mayIncludeTax(customer?.taxTreatment ?? "domestic")
  const asked = typeof given === "boolean" && given !== stored ? given : null
  if (asked === true && !isPossible)
    errors.push(
      fieldError("pricesIncludeTax", "RULE", "must be false: only domestic sales have tax in their prices", {
        rule: "TREATMENT",
      }),
    )
  const usual = customer?.pricesIncludeTax ?? sellingPricesIncludeTax
  const kept = stored === null ? usual && isPossible : stored && (isPossible || !isRetaxed)
  const includesTax = asked ?? kept
  const isTaxRemoved = asked === null && stored === true && !includesTax
  return { includesTax, sellingPricesIncludeTax, isTaxRemoved }
}

/** The fields of a body that a document stores unchanged. */
type OwnFields = {
  buyerReference: string | null
  shippingAddress: Address | null
  notes: string | null
  externalId: string | null
  metadata: Record<string, string>
}

/** Without a buyer reference or a shipping address of its own, a document has those of its customer. */
export const ownFieldsOf = (values: Record<string, unknown>, customer: DocumentCustomer): OwnFields => ({
  buyerReference: (values.buyerReference as string | null) ?? customer.buyerReference,
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
  { customer, pricesIncludeTax, taxTreatment, discount, taxes, totals, own }: Omit<Contents<L>, "lines">,
  { userId }: Pick<Author, "userId">,
) => ({
  ...own,
  id: newId(kind.resource.idPrefix, tx.now),
  status: "draft" as const,
  customer: customer.id,
  currency: moneyContext(tx.now).currency,
  pricesIncludeTax,
  taxTreatment,
  ...discount,
  taxes,
  ...totals,
  lastSentAt: null,
  createdBy: userId,
  version: 1,
  createdAt: tx.now,
  updatedAt: tx.now,
})
