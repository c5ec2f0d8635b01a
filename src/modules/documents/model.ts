import { fromUnits, priceDigits } from "../../shared/decimal"
import { amountsByRate } from "../../shared/money"
import { externalFields } from "../../resource/external"
import {
  amount,
  boolean,
  withDefault,
  decimal,
  positive,
  reference,
  required,
  readOnly,
  serverDefault,
} from "../../resource/field"
import { code, text } from "../../resource/text-field"
import { Type } from "@sinclair/typebox"

/** A stored line: quantity, rate, discount and tax rate in 1/10000, amounts in the minor unit. */
export type Line = {
  id: string
  item: string
  itemCode: string
  itemName: string
  uom: string
  quantity: number
  rate: number
  discount: number
  amount: number
  discountAmount: number
  taxRate: number
}

/** The tax of a document at one tax rate, and the amount it applies to, in plain numbers. */
export type TaxRow = { rate: number; base: number; amount: number }

/** A line from a request, in plain numbers. */
export type GivenLine = {
  id?: unknown
  item?: string | null
  itemCode?: string | null
  itemExternalId?: string | null
  quantity?: number
  rate?: number | null
  discount?: number | null
}

/** Requests to override the credit limit. The rules decide whether the caller may. */
export const override = withDefault(
  {
    ...boolean(),
    schema: Type.Boolean({ description: "Overrides the credit limit. For managers and admins." }),
  },
  false,
)

/** The fields that the lines of every document have. */
export const lineFields = (idPrefix: string) => ({
  id: readOnly(reference(idPrefix)),
  item: serverDefault(reference("itm")),
  // Without an example, so that an example of a line names the item only once.
  itemCode: serverDefault({ ...code("DESK-120"), schema: text({ max: 64 }).schema }),
  itemName: readOnly(text({ examples: ["Standing desk 120 cm"] })),
  uom: readOnly(text({ examples: ["Nos"] })),
  quantity: required(positive(decimal({ min: 0, example: 2 }))),
  rate: serverDefault(decimal({ min: 0, example: 449.9 })),
  discount: withDefault(decimal({ min: 0, max: 100, example: 5 }), 0),
  amount: readOnly(amount()),
  discountAmount: readOnly(amount()),
  taxRate: readOnly(decimal()),
})

/** The number of lines of a document, and the field that names an item by the id of another system. */
export const lineOptions = { min: 1, max: 500, lookups: { itemExternalId: externalFields.externalId } }

/** A document can name its customer by the id of another system. */
export const documentLookups = {
  customerExternalId: { of: "customer", field: externalFields.externalId },
} as const

const parts = Object.entries(lineFields(""))

/** The fields that lines of every kind have. Each has a column. */
export const linePartNames: readonly string[] = parts.map(([name]) => name)

/** The read-only fields among them, without the id, which may be sent back. */
export const readOnlyParts: readonly string[] = parts.flatMap(([name, { access }]) =>
  access === "readOnly" && name !== "id" ? [name] : [],
)

/** Converts a line to the form of a response, in plain numbers. */
export const lineToApi = <L extends Line>(line: L, digits: number): L => ({
  ...line,
  quantity: fromUnits(line.quantity, priceDigits),
  rate: fromUnits(line.rate, priceDigits),
  discount: fromUnits(line.discount, priceDigits),
  amount: fromUnits(line.amount, digits),
  discountAmount: fromUnits(line.discountAmount, digits),
  taxRate: fromUnits(line.taxRate, priceDigits),
})

/** Returns the taxes of a document in plain numbers, the highest tax rate first. */
export const taxesToApi = (
  lines: readonly Line[],
  taxes: ReadonlyMap<number, number>,
  digits: number,
): TaxRow[] =>
  [...amountsByRate(lines)]
    .toSorted(([a], [b]) => b - a)
    .map(([rate, base]) => ({
      rate: fromUnits(rate, priceDigits),
      base: fromUnits(base, digits),
      amount: fromUnits(taxes.get(rate) ?? 0, digits),
    }))
