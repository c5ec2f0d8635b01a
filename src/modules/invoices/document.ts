import type { DocumentKind } from "../documents/kind"
import { lineToApi } from "../documents/model"
import { invoices, type InvoiceHead, type InvoiceLine } from "./model"
import { allowedFrom, editable, nameOf, transitions } from "./rules"
import { invoiceLines } from "./store"

/** An invoice as a kind of document. */
export const invoiceDocument: DocumentKind<InvoiceHead, InvoiceLine> = {
  resource: invoices,
  lines: invoiceLines,
  lineIdPrefix: "inl",
  withOwnPart: (line, before) => ({ ...line, orderLine: before?.orderLine ?? null }),
  ownParts: ["orderLine"],
  lineToApi: (line, digits) => ({ ...lineToApi(line, digits), orderLine: line.orderLine }),
  transitions,
  editable,
  nameOf,
  allowed: allowedFrom,
}
