import { fromUnits, priceDigits } from "../../shared/decimal"
import type { DocumentKind } from "../../trade/documents/kind"
import { lineToApi } from "../../trade/documents/model"
import { invoices, type InvoiceHead, type InvoiceLine } from "./model"
import { allowedFrom, editable, nameOf, transitions } from "./rules"
import { invoiceLines } from "./store"

/** An invoice as a kind of document. */
export const invoiceDocument: DocumentKind<InvoiceHead, InvoiceLine> = {
  resource: invoices,
  lines: invoiceLines,
  lineIdPrefix: "inl",
  withOwnPart: (line, before) => ({
    ...line,
    orderLine: before?.orderLine ?? null,
    creditedQuantity: before?.creditedQuantity ?? 0,
    creditedAmount: before?.creditedAmount ?? 0,
  }),
  ownParts: ["orderLine", "creditedQuantity", "creditedAmount"],
  lineToApi: (line, digits) => ({
    ...lineToApi(line, digits),
    orderLine: line.orderLine,
    creditedQuantity: fromUnits(line.creditedQuantity, priceDigits),
    creditedAmount: fromUnits(line.creditedAmount, digits),
  }),
  transitions,
  editable,
  nameOf,
  allowed: allowedFrom,
}
