import { fromUnits } from "../../shared/decimal"
import type { Allocation, Application, Refund, WriteOff } from "./model"
import type { ShownSettlement } from "./store"
import type { Caller } from "../../core/caller"
import { fieldError, Refusal } from "../../core/lib/refusal"
import { correctionRoles } from "../../shared/rights"

const made = ({ createdBy, createdAt }: ShownSettlement) => ({ createdBy, createdAt })

/** An allocation in the form of a response. */
export const toAllocation = (row: ShownSettlement, digits: number): Allocation => ({
  id: row.id,
  invoice: row.invoice ?? "",
  invoiceNumber: row.invoiceNumber ?? "",
  amount: fromUnits(row.amount, digits),
  allocationDate: row.date,
  ...made(row),
})

/** An application in the form of a response. */
export const toApplication = (row: ShownSettlement, digits: number): Application => ({
  id: row.id,
  creditNote: row.creditNote ?? "",
  creditNoteNumber: row.creditNoteNumber ?? "",
  invoice: row.invoice ?? "",
  invoiceNumber: row.invoiceNumber ?? "",
  amount: fromUnits(row.amount, digits),
  applicationDate: row.date,
  ...made(row),
})

/** A refund in the form of a response. */
export const toRefund = (row: ShownSettlement, digits: number): Refund => ({
  id: row.id,
  amount: fromUnits(row.amount, digits),
  refundDate: row.date,
  method: row.method,
  reference: row.reference,
  ...made(row),
})

/** A write-off in the form of a response. */
export const toWriteOff = (row: WriteOff, digits: number): WriteOff => ({
  ...row,
  amount: fromUnits(row.amount, digits),
})

/** The refunds among the parts of a payment or of a credit note. */
export const refundsIn = (parts: readonly ShownSettlement[], digits: number): Refund[] =>
  parts.filter(({ kind }) => kind === "refund").map((row) => toRefund(row, digits))

export const applicationsIn = (parts: readonly ShownSettlement[], digits: number): Application[] =>
  parts.filter(({ kind }) => kind === "application").map((row) => toApplication(row, digits))

export const allocationsIn = (parts: readonly ShownSettlement[], digits: number): Allocation[] =>
  parts.filter(({ kind }) => kind === "allocation").map((row) => toAllocation(row, digits))

/** Refuses a caller who may write invoices but not undo them. `verb` says what is refused. */
export function assertMayCorrect(
  { role }: Caller,
  verb: "cancel" | "credit" | "refund" | "write off",
  field: string,
): void {
  if (correctionRoles.includes(role)) return
  throw new Refusal("FORBIDDEN", `The role ${role} is not allowed to ${verb} invoices.`, {
    params: { role },
    details: [
      fieldError(
        field,
        "RULE",
        verb === "cancel"
          ? `may be set to cancelled by ${correctionRoles.join(", ")}`
          : `may be set by ${correctionRoles.join(", ")}`,
        { rule: "ROLE", allowed: correctionRoles },
      ),
    ],
  })
}
