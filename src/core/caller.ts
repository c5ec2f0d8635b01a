import { clock } from "./lib/clock"
import type { PlanName } from "../shared/plans"
import {
  areas,
  type BusinessArea,
  isInTable,
  isWithinAreas,
  mayRole,
  scopes,
  type Area,
  type Right,
  type Role,
  type Scope,
} from "../shared/rights"
import { fieldError, Refusal } from "./lib/refusal"

/** What an access token is for: the API, or the tools of assistants. A token for one is not accepted by the other. */
export const audiences = ["api", "mcp"] as const
export type Audience = (typeof audiences)[number]

/** The authenticated user and the credential of a request. */
export type Caller = {
  /** A user who signed in, a program with an API key, or an app that acts for a user. */
  kind: "user" | "apiKey" | "oauthClient"
  userId: string
  email: string
  name: string
  role: Role
  scopes: readonly Scope[]
  plan: PlanName
  /** The requests and the idempotency keys of one subject are counted together. */
  subject: string
  /** The ID of the session or the API key. */
  credentialId: string
  credentialName: string
  /** Of an API key that is limited to some areas: these. */
  areas?: readonly BusinessArea[] | null
  /** Of an API key: what tells its current secret from earlier ones. */
  secretTag?: string
  /** When the credential expires, in milliseconds since 1970. */
  endsAt: number
  /**
   * The generation of the caches when this caller was loaded. While it is the same, nothing about callers has changed.
   */
  generation: number
  /** The OAuth client, when an app acts for the user. */
  clientId?: string
  /** Set when the credential is valid but may not be used here, for example from this address. */
  blocked: Refusal | null
  /** Set for a user who must add a second factor first. */
  mustSetUp?: Refusal | undefined
}

/** Who makes a document: the author that it names, and the role that decides what is allowed. */
export type Author = Pick<Caller, "kind" | "role"> & { userId: string | null }

/** True when the credential has expired: an API key in business time, the token of a session in real time. */
export const hasEnded = ({ kind, endsAt }: Caller): boolean =>
  endsAt <= (kind === "apiKey" ? clock.business() : clock.real())

/** What the caller may do in each area: what both its role and the scopes of its credential allow. */
export const rightsOfCaller = ({ role, scopes: held, kind, areas: limits }: Caller): Record<Area, Scope[]> =>
  Object.fromEntries(
    areas.map((area) => [
      area,
      scopes.filter(
        (scope) =>
          (!limits || isWithinAreas(limits, area)) &&
          mayRole(role, { area, scope }) &&
          (held.includes(scope) || (area === "own" && kind === "user")),
      ),
    ]),
  ) as Record<Area, Scope[]>

export const isAdmin = (caller: Caller): boolean =>
  caller.role === "admin" && caller.scopes.includes("admin") && !caller.areas

/** True for an admin who signed in, and not for an API key or an app of an admin. */
export const isAdminInPerson = (caller: Caller): boolean => caller.kind === "user" && isAdmin(caller)

/** True when both the caller's role and its credential allow something. */
export function mayCaller(caller: Caller, right: Right): boolean {
  try {
    assertMay(caller, right)
    return true
  } catch {
    return false
  }
}

/**
 * Refuses the request unless both the caller's role and its credential allow it. A user's own account needs no scope.
 */
export function assertMay(caller: Caller | null, right: Right): asserts caller is Caller {
  if (!caller) throw unauthorized()
  if (caller.mustSetUp && !right.duringSetup) throw caller.mustSetUp
  if (right.personal && caller.kind !== "user")
    throw new Refusal("FORBIDDEN", "API keys and apps cannot do this. Sign in with email and password.")
  if (right.notForApplications && caller.kind === "oauthClient")
    throw new Refusal("FORBIDDEN", "Apps cannot do this.")
  if (!isInTable(caller.role, right)) throw notForRole(caller)
  const { areas: limits } = caller
  if (limits && ![right.area, ...(right.alsoAreas ?? [])].every((area) => isWithinAreas(limits, area)))
    throw new Refusal("FORBIDDEN", `This API key is limited to the areas ${limits.join(", ")}.`, {
      params: { areas: [...limits] },
    })
  const needsScope = right.area !== "own" || caller.kind !== "user"
  if (needsScope && !caller.scopes.includes(right.scope))
    throw new Refusal(
      "INSUFFICIENT_SCOPE",
      `The credential does not have the required scope ${right.scope}.`,
      {
        params: { scope: right.scope },
        details: [
          fieldError("scope", "RULE", `requires ${right.scope}`, { rule: "SCOPE", allowed: [right.scope] }),
        ],
      },
    )
  if (right.roles && !right.roles.includes(caller.role)) throw notForRole(caller)
}

const notForRole = ({ role }: Caller): Refusal =>
  new Refusal("FORBIDDEN", `The role ${role} is not allowed to do this.`, { params: { role } })

/** The response to a request without a credential. */
export const unauthorized = () =>
  new Refusal(
    "UNAUTHORIZED",
    "Sign in first: send Authorization: Bearer <token> from POST /api/v1/auth/login, or X-API-Key.",
  )
