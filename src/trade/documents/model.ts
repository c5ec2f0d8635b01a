import { refusalsOf } from "../../core/lib/refusal"
import { fromUnits, priceDigits } from "../../shared/decimal"
import type { TaxSum } from "../../shared/money"
import { taxCategories, taxTreatments, type TaxCategory } from "../../shared/documents/tax"
import { address } from "../../core/kind/address"
import {
  amount,
  boolean,
  choice,
  date,
  withDefault,
  decimal,
  type Field,
  payable,
  positive,
  reference,
  required,
  readOnly,
  readOnlyNullable,
  serverDefault,
  structure,
} from "../../core/kind/field"
import { nullableSchema } from "../../core/kind/object"
import { code, text } from "../../core/kind/text-field"
import { Type } from "@sinclair/typebox"

/** The refusals of rules that several kinds share. */
export const tradeRefusals = refusalsOf({
  PERIOD_LOCKED: {
    about: "The date is in a period that is closed",
    de: "Der Zeitraum bis {{lockedUntil}} ist abgeschlossen.",
  },
  CREDIT_LIMIT_EXCEEDED: {
    about: "The customer's credit limit is exceeded",
    de: "Das Kreditlimit von {{customerName}} wird überschritten.",
  },
  INSUFFICIENT_STOCK: {
    about: "There is not enough stock, and the settings forbid negative stock",
    de: "Der Bestand reicht nicht aus.",
  },
  NOT_A_STOCK_ITEM: {
    about: "A service has no stock",
    de: "Eine Dienstleistung hat keinen Bestand.",
  },
  E_INVOICE_INVALID: {
    about:
      "The e-invoice of a document would not be valid. Each detail has the `rule` that requires its field",
    de: "Die E-Rechnung wäre nicht gültig.",
  },
})

/**
 * A stored line: quantity, rate, discount and tax rate in 1/10000, amounts in the minor unit. Its own discount and its
 * share of the document's discount are in the sense of the prices; the amounts are after both.
 */
export type Line = {
  id: string
  /** Null in a line without an item, which has a description instead. */
  item: string | null
  itemCode: string | null
  itemName: string | null
  description: string | null
  uom: string
  quantity: number
  rate: number
  discount: number
  amount: number
  discountAmount: number
  documentDiscount: number
  /** The amount with tax in a document whose prices include tax; else null. */
  grossAmount: number | null
  taxCode: string | null
  taxCategory: TaxCategory | null
  taxRate: number
  /** 1 when the discount was given as an amount, not as a percentage. */
  isDiscountAmount: number
  /** 1 when the line itself was given a tax code. */
  hasOwnTaxCode: number
}

/** A line as responses show it. */
export type ShownLine<L extends Line> = Omit<L, "isDiscountAmount" | "hasOwnTaxCode">

/** The tax of a document in one category at one rate. Stored: rate in 1/10000, base and tax in the minor unit. */
export type TaxRow = TaxSum & { reason: string | null }

/** A line from a request, in plain numbers. */
export type GivenLine = {
  id?: unknown
  item?: string | null
  description?: string | null
  uom?: string | null
  quantity?: number
  rate?: number | null
  discount?: number | null
  discountAmount?: number | null
  taxCode?: string | null
  /** The fields that the body sets to null. */
  cleared?: readonly string[]
  /** The line of another document that this one copies. */
  copied?: Line
  /** True when the copy has the price of its item now, and not that of the copied line. */
  isPricedAnew?: boolean
}

/** Requests to override the credit limit. The rules decide whether the caller may. */
export const override = withDefault(
  {
    ...boolean(),
    schema: Type.Boolean({ description: "Overrides the credit limit. For managers and admins." }),
  },
  false,
)

/** Asks to send a document when it is issued. */
export const sendOnIssue = withDefault(
  {
    ...boolean(),
    schema: Type.Boolean({
      description:
        "Sends the document by mail when this issues it, as `POST …/send` without a body does. If it cannot be sent, nothing is stored.",
    }),
  },
  false,
)

/** The fields that the lines of every document have. */
export const lineFields = (idPrefix: string) => ({
  id: readOnly(reference(idPrefix)),
  item: reference("itm"),
  itemCode: readOnlyNullable(code("DESK-120")),
  itemName: readOnlyNullable(text({ examples: ["Standing desk 120 cm"] })),
  description: text({ max: 1_000, multiline: true, description: "For a line without an item" }),
  uom: serverDefault(text({ max: 20, description: "Only in a line without an item can it be set" })),
  quantity: required(positive(decimal({ min: 0, example: 2 }))),
  rate: serverDefault(decimal({ min: 0, example: 449.9 })),
  discount: withDefault(decimal({ min: 0, max: 100, example: 5 }), 0),
  amount: readOnly(amount()),
  // Without an example, so that an example of a line has one discount.
  discountAmount: serverDefault({ ...payable({ orZero: true }), schema: Type.Number({ minimum: 0 }) }),
  documentDiscount: readOnly({
    ...amount(),
    schema: Type.Number({
      description: "Its share of the discount on the whole document, which its amounts do not contain",
    }),
  }),
  grossAmount: readOnlyNullable(amount()),
  taxCode: reference("tax"),
  taxCategory: readOnlyNullable(choice(taxCategories)),
  taxRate: readOnly(decimal()),
})

const discountAbout = {
  discount:
    "The discount on the whole document in percent. Of `discount` and `discountAmount`, the one that differs from the stored value counts",
  discountAmount:
    "The discount on the whole document as an amount, with tax if prices include it, at most the sum of the lines",
  isDiscountAmount:
    "True if the discount on the whole document was given as an amount. It then stays when lines change; a percentage is calculated again",
}
const percent = decimal({ min: 0, max: 100 })
const described = <F extends Field>(f: F, description: string): F => ({
  ...f,
  schema: { ...f.schema, description, examples: undefined },
})
const discountFields = {
  discount: described(percent, discountAbout.discount),
  discountAmount: described(payable({ orZero: true }), discountAbout.discountAmount),
  isDiscountAmount: described(boolean(), discountAbout.isDiscountAmount),
}

/** The discount of documents that are made from others. */
export const copiedDiscount = {
  discount: readOnly(discountFields.discount, 0),
  discountAmount: readOnly(discountFields.discountAmount, 0),
  isDiscountAmount: readOnly(discountFields.isDiscountAmount, false),
}

/** The fields that orders and invoices have. */
/** The day until which something is paused. */
export const pausedUntil = (description: string) => ({
  ...date(),
  schema: Type.String({ format: "date", examples: ["2026-03-01"], description }),
})

export const documentFields = {
  pricesIncludeTax: serverDefault(boolean()),
  buyerReference: text({ max: 100, examples: ["04011000-12345-03"] }),
  shippingAddress: address(),
  taxTreatment: readOnly(choice(taxTreatments), "domestic"),
  discount: withDefault(discountFields.discount, 0),
  discountAmount: serverDefault(discountFields.discountAmount),
  isDiscountAmount: copiedDiscount.isDiscountAmount,
}

const taxRow = Type.Object(
  {
    category: nullableSchema({ schema: choice(taxCategories).schema, nullable: true }),
    rate: Type.Number({ examples: [19] }),
    base: amount().schema,
    tax: amount().schema,
    reason: Type.Unsafe({ type: ["string", "null"] }),
  },
  { $id: "DocumentTax" },
)

/** The amounts that every document has. */
export const totalFields = {
  currency: readOnly(code("USD")),
  subtotal: readOnly(amount(), 0),
  discountTotal: readOnly(amount(), 0),
  taxTotal: readOnly(amount(), 0),
  taxes: readOnly(structure<TaxRow[]>(Type.Array(taxRow)), []),
  total: readOnly(amount(), 0),
}

/** The number of lines of a document. */
export const lineOptions = { min: 1, max: 500 }

/** What every kind of document declares. */
export const documentOptions = {
  fixesCurrency: true,
  hasHistory: true,
  bulky: { fields: ["notes", "metadata"], from: 26 },
  expands: ["customer", "items.item"],
} as const

const parts = Object.entries(lineFields(""))

/** The fields that lines of every kind have, and those that no response contains. Each has a column. */
export const linePartNames: readonly string[] = [
  ...parts.map(([name]) => name),
  "isDiscountAmount",
  "hasOwnTaxCode",
]

/** The read-only fields among them, without the id, which may be sent back. */
export const readOnlyParts: readonly string[] = parts.flatMap(([name, { access }]) =>
  access === "readOnly" && name !== "id" ? [name] : [],
)

/** Converts a line to the form of a response, in plain numbers. */
export const lineToApi = (line: Line, digits: number) => ({
  id: line.id,
  item: line.item,
  itemCode: line.itemCode,
  itemName: line.itemName,
  description: line.description,
  uom: line.uom,
  quantity: fromUnits(line.quantity, priceDigits),
  rate: fromUnits(line.rate, priceDigits),
  discount: fromUnits(line.discount, priceDigits),
  amount: fromUnits(line.amount, digits),
  discountAmount: fromUnits(line.discountAmount, digits),
  documentDiscount: fromUnits(line.documentDiscount, digits),
  grossAmount: line.grossAmount === null ? null : fromUnits(line.grossAmount, digits),
  taxCode: line.taxCode,
  taxCategory: line.taxCategory,
  taxRate: fromUnits(line.taxRate, priceDigits),
})

/** Converts the taxes of a document to the form of a response, in plain numbers. */
export const taxesToApi = (taxes: readonly TaxRow[], digits: number): TaxRow[] =>
  taxes.map(({ category, rate, base, tax, reason }) => ({
    category,
    rate: fromUnits(rate, priceDigits),
    base: fromUnits(base, digits),
    tax: fromUnits(tax, digits),
    reason,
  }))
