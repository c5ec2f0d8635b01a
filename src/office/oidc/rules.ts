import { type Role, roles as ranked } from "../../shared/rights"
import type { SignInProvider } from "../settings/sign-in-with"
import { claimAt, type Claims } from "./provider"

/** The address of somebody, if the provider has verified it. */
export function verifiedEmail({ email, email_verified: isVerified }: Claims): string | null {
  return typeof email === "string" && isVerified === true && email.includes("@") ? email : null
}

/** True if somebody with this address may come in. Without a list of domains, everybody whom the provider knows may. */
export const isOfDomain = ({ domains }: Pick<SignInProvider, "domains">, email: string | null): boolean =>
  domains.length === 0 || (email !== null && domains.includes(email.split("@").at(-1)?.toLowerCase() ?? ""))

/** The role that the provider gives: the highest, if there are several; null for none. Undefined if it gives no roles. */
export function roleOf(
  { roleClaim, roles }: Pick<SignInProvider, "roleClaim" | "roles">,
  claims: Claims,
): Role | null | undefined {
  if (roleClaim === null) return undefined
  const value = claimAt(claims, roleClaim)
  const names = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string")
  const given = names.flatMap((name) => (Object.hasOwn(roles, name) ? [roles[name]] : []))
  return ranked.findLast((role) => given.includes(role)) ?? null
}

/** What people call somebody. */
export function nameOf({ name, preferred_username: short }: Claims, email: string): string {
  const found = [name, short].find((each) => typeof each === "string" && each.trim() !== "")
  return typeof found === "string" ? found.slice(0, 100) : (email.split("@")[0] ?? email)
}
