import type { DocumentKind } from "../../trade/documents/kind"
import { lineToApi } from "../../trade/documents/model"
import { creditNotes, type CreditNoteHead, type CreditNoteLine } from "./model"
import { editable, nameOf, transitions } from "./rules"
import { creditNoteLines } from "./store"

/** A credit note as a kind of document. Its lines are computed from those of its invoice, never read from a body. */
export const creditNoteDocument: DocumentKind<CreditNoteHead, CreditNoteLine> = {
  resource: creditNotes,
  lines: creditNoteLines,
  lineIdPrefix: "cnl",
  withOwnPart: (line, before) => ({
    ...line,
    invoiceLine: before?.invoiceLine ?? "",
    isAmount: before?.isAmount ?? 0,
  }),
  ownParts: ["invoiceLine", "isAmount"],
  lineToApi: (line, digits) => ({
    ...lineToApi(line, digits),
    invoiceLine: line.invoiceLine,
    isAmount: line.isAmount === 1,
  }),
  transitions,
  editable,
  nameOf,
}
