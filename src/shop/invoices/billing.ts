import { body, type BodyOf } from "../../core/kind/body"
import { externalFields } from "../../core/kind/tag"
import { date, decimal, positive, reference, required } from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import { text } from "../../core/kind/text-field"
import { documentFields } from "../../trade/documents/model"

/** A body that invoices an order: all that is not invoiced yet, or parts of some lines. */
export const billing = body(
  {
    salesOrder: required(reference("so")),
    invoiceDate: date(),
    supplyDate: date(),
    dueDate: date(),
    buyerReference: documentFields.buyerReference,
    shippingAddress: documentFields.shippingAddress,
    notes: text({ max: 10_000, multiline: true }),
    ...externalFields,
    items: lines<{ orderLine: string; quantity: number }>(
      {
        orderLine: required(reference("sol")),
        quantity: required(positive(decimal({ min: 0, example: 1 }))),
      },
      { name: "InvoicedLine", min: 1, max: 500 },
    ),
  },
  { example: { salesOrder: "so_01kb2qk3dvb6r8h5m9x4w7z2nc", invoiceDate: "2026-03-01" } },
)
export type Billing = BodyOf<typeof billing>
