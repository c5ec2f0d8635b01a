import type { PlanName } from "../shared/plans"
import { areas, mayRole, scopes, type Area, type Right, type Role, type Scope } from "../shared/rights"
import { Refusal } from "../lib/refusal"

/** Who is calling, and with what. */
export type Caller = {
  /** A person who signed in, a program with a key, or an application that acts for a person. */
  kind: "user" | "apiKey" | "oauthClient"
  userId: string
  email: string
  name: string
  role: Role
  scopes: readonly Scope[]
  plan: PlanName
  /** Whose requests are counted together, and whose idempotency keys are one space. */
  subject: string
  /** The session or the key. */
  credentialId: string
  credentialName: string
  /** When the credential itself ends, in milliseconds since 1970. */
  endsAt: number
  /** The generation of the caches when this caller was found; while it is the same, nothing about callers has changed. */
  generation: number
  /** The application, where one acts for the user. */
  clientId?: string
  /** Set when the credential is good but may not be used like this, as from another address. */
  blocked: Refusal | null
}

/** What the caller may do, by area: its role and the scopes of its credential together. */
export const rightsOfCaller = ({ role, scopes: held, kind }: Caller): Record<Area, Scope[]> =>
  Object.fromEntries(
    areas.map((area) => [
      area,
      scopes.filter(
        (scope) =>
          mayRole(role, { area, scope }) && (held.includes(scope) || (area === "own" && kind === "user")),
      ),
    ]),
  ) as Record<Area, Scope[]>

/** True when the caller may administer: by its role, and by the scopes of its credential. */
export const isAdmin = (caller: Caller): boolean => caller.role === "admin" && caller.scopes.includes("admin")

/** Refuses unless the caller's role and its credential both allow it. A person's own account needs no scope. */
export function assertMay(caller: Caller | null, right: Right): asserts caller is Caller {
  if (!caller) throw unauthorized()
  if (right.personal && caller.kind !== "user")
    throw new Refusal(
      "FORBIDDEN",
      "An API key or an application may not do this, whatever its scopes. Sign in with e-mail and password.",
    )
  if (right.notForApplications && caller.kind === "oauthClient")
    throw new Refusal("FORBIDDEN", "An application may not do this, whatever its scopes.")
  if (!mayRole(caller.role, right)) throw new Refusal("FORBIDDEN", `The role ${caller.role} may not do this.`)
  const needsScope = right.area !== "own" || caller.kind !== "user"
  if (needsScope && !caller.scopes.includes(right.scope))
    throw new Refusal(
      "INSUFFICIENT_SCOPE",
      `This needs the scope ${right.scope}, which the credential does not have.`,
      {
        details: [{ field: "scope", message: `requires ${right.scope}` }],
      },
    )
}

/** The answer to a request that carries no credential. */
export const unauthorized = () =>
  new Refusal(
    "UNAUTHORIZED",
    "Sign in first: send Authorization: Bearer <token> from POST /api/v1/auth/login, or X-API-Key.",
  )
