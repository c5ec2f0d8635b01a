import { lineTable } from "../../trade/documents/store"
import type { CreditNoteLine } from "./model"

export const creditNoteLines = lineTable<CreditNoteLine>("credit_note_lines", "credit_note", [
  "invoiceLine",
  "isAmount",
])
