import { auditEntry, type Actor } from "../../core/write/writer"
import type { AuditSums } from "../audit/sums"

/** Failed sign-ins for the audit log. They are summed, so that many guesses do not fill the file. */
export const failedLogins = (sums: AuditSums) => ({
  note: (by: Actor): void => sums.note(auditEntry("auth.login", null, {}, { outcome: "failure" }), by),
})

export type FailedLogins = ReturnType<typeof failedLogins>
