import type { Caller } from "../../core/caller"
import { fieldError, Refusal } from "../../core/lib/refusal"
import { correctionRoles } from "../../shared/rights"

/** Refuses a caller who may write invoices but not undo them. `verb` says what is refused. */
export function assertMayCorrect(
  { role }: Caller,
  verb: "cancel" | "credit" | "refund",
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
