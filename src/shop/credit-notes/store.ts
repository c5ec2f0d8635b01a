import { lineTable } from "../../trade/documents/store"
import { type CreditNoteLine, creditNotes } from "./model"

export const creditNoteLines = lineTable<CreditNoteLine>(creditNotes, ["invoiceLine", "isAmount"])
