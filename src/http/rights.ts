import { once } from "../lib/once"
import type { PlanName } from "../lib/plans"
import { Refusal } from "../lib/refusal"

export const scopes = ["read", "write", "delete", "admin"] as const
export type Scope = (typeof scopes)[number]

export const roles = ["viewer", "sales", "accountant", "manager", "admin"] as const
export type Role = (typeof roles)[number]

/** What a right is about. `own` is the caller's own account: its sessions, password, keys and grants. */
export const areas = [
  "items",
  "customers",
  "sales-orders",
  "invoices",
  "search",
  "own",
  "administration",
] as const
export type Area = (typeof areas)[number]

const letters: Record<Scope, string> = { read: "R", write: "W", delete: "D", admin: "A" }

/** The one table of who may do what: R reads, W writes, D deletes, A administers. Guard and console read it. */
export const rights: Record<Role, Record<Area, string>> = {
  viewer: row("R", "R", "R", "R", "R", "RWD", ""),
  sales: row("R", "RW", "RWD", "R", "R", "RWD", ""),
  accountant: row("R", "RW", "R", "RWD", "R", "RWD", ""),
  manager: row("RWD", "RWD", "RWD", "RWD", "R", "RWD", ""),
  admin: row("RWD", "RWD", "RWD", "RWD", "R", "RWD", "A"),
}

function row(...cells: string[]): Record<Area, string> {
  return Object.fromEntries(areas.map((area, i) => [area, cells[i] ?? ""])) as Record<Area, string>
}

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
  /** How old the knowledge of callers was when this one was found; while it is as old, nothing about them has changed. */
  asOf: number
  /** The application, where one acts for the user. */
  clientId?: string
  /** Set when the credential is good but may not be used like this, as from another address. */
  blocked: Refusal | null
}

/**
 * What a route needs. `personal` routes are for people who signed in, whatever a key's scopes say. `notForApplications`
 * is what nobody is told about when they let an application act for them: their keys, and other applications.
 */
export type Right = { area: Area; scope: Scope; personal?: boolean; notForApplications?: boolean }

export const mayRole = (role: Role, { area, scope }: Right): boolean =>
  rights[role][area].includes(letters[scope])

const roleScopes = once(
  () =>
    new Map(
      roles.map((role): [Role, readonly Scope[]] => [
        role,
        scopes.filter((scope) => areas.some((area) => area !== "own" && mayRole(role, { area, scope }))),
      ]),
    ),
)

/** The scopes a sign-in has: each that its role may use somewhere beyond its own account. */
export const scopesOf = (role: Role): readonly Scope[] => roleScopes().get(role) ?? []

/** What the caller may do, by area: its role and the scopes of its credential together. */
export const rightsOf = ({ role, scopes: held, kind }: Caller): Record<Area, Scope[]> =>
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
