import { Refusal, type Detail } from "../../lib/refusal"
import { isLonger } from "../../lib/text"
import type { User } from "./model"

const shortest = 10
const longest = 256

/** What is wrong with a new password, if anything. */
export function passwordFaults(password: unknown, at = "password"): Detail[] {
  if (password === undefined || password === null) return [{ field: at, message: "is required" }]
  if (typeof password !== "string" || !password.isWellFormed())
    return [{ field: at, message: "must be a string" }]
  if (!isLonger(password, shortest - 1))
    return [{ field: at, message: `must have at least ${shortest} characters` }]
  if (isLonger(password, longest)) return [{ field: at, message: `must have at most ${longest} characters` }]
  return []
}

/** Someone must be left who can administer. */
export function assertAdminRemains(before: User, after: User, otherAdmins: number): void {
  const was = before.role === "admin" && before.isActive
  const stays = after.role === "admin" && after.isActive
  if (!was || stays || otherAdmins > 0) return
  const field = after.isActive ? "role" : "isActive"
  throw new Refusal("VALIDATION_ERROR", "This is the last active admin; make another one first.", {
    details: [{ field, message: "would leave no active admin" }],
  })
}
