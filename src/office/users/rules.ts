import { fieldError, Refusal } from "../../core/lib/refusal"
import type { User } from "./model"

/** Refuses an update that would leave no active admin. */
export function assertAdminRemains(before: User, after: User, otherAdmins: number): void {
  const was = before.role === "admin" && before.isActive
  const stays = after.role === "admin" && after.isActive
  if (!was || stays || otherAdmins > 0) return
  const field = after.isActive ? "role" : "isActive"
  throw new Refusal("VALIDATION_ERROR", "This is the last active admin. Create another admin first.", {
    details: [fieldError(field, "RULE", "would leave no active admin", { rule: "LAST_ADMIN" })],
  })
}
