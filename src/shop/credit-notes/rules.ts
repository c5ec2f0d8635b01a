import { foreignFields } from "../../trade/documents/rules"
import type { CreditNoteHead } from "./model"

type CreditNoteStatus = CreditNoteHead["status"]

/** A credit note is issued at once: nobody changes its status. What is left of it decides about it. */
export const transitions = { open: [], settled: [] } as const satisfies Record<
  CreditNoteStatus,
  readonly never[]
>

const own = ["notes", ...foreignFields]

/** The fields that can be updated. Everything else of an issued document stays. */
export const editable: Record<CreditNoteStatus, readonly string[]> = { open: own, settled: own }

export const nameOf = ({ creditNoteNumber }: CreditNoteHead): string => `Credit note ${creditNoteNumber}`
