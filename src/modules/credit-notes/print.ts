import { otherAddress, type Sheet } from "../print/model"
import type { CreditNoteService } from "./service"

/** The printed page of a credit note. The company and the customer are those of its invoice. */
export function creditNoteSheet(creditNotes: CreditNoteService, id: string): Sheet {
  const note = creditNotes.get(id)
  return {
    title: "Credit note",
    number: note.creditNoteNumber,
    mark: null,
    seller: note.seller,
    customer: note.buyer,
    shippingAddress: otherAddress(note.shippingAddress, note.buyer.address),
    dates: [["Credit note date", note.creditNoteDate]],
    facts: [
      ["Invoice", note.invoiceNumber],
      ["Reason", note.reason],
      ["Buyer reference", note.buyerReference],
    ],
    currency: note.currency,
    pricesIncludeTax: note.pricesIncludeTax,
    lines: note.items,
    subtotal: note.subtotal,
    discountTotal: note.discountTotal,
    taxes: note.taxes,
    total: note.total,
    payment: null,
    notes: note.notes,
  }
}
