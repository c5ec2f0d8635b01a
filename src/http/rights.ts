import { Refusal } from "../lib/refusal"

export const scopes = ["read", "write", "delete", "admin"] as const
export type Scope = (typeof scopes)[number]

export const roles = ["viewer", "sales", "accountant", "manager", "admin"] as const
export type Role = (typeof roles)[number]

/** What a right is about. `own` is the caller's own account: its session, password, keys and grants. */
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

/** The one table of who may do what: R reads, W writes, D deletes, A administers. Guard, console and tests read it. */
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
  kind: "user"
  userId: string
  email: string
  name: string
  role: Role
  scopes: readonly Scope[]
  sessionId: string
}

export type Right = { area: Area; scope: Scope }

export const mayRole = (role: Role, { area, scope }: Right): boolean =>
  rights[role][area].includes(letters[scope])

/** The scopes a sign-in has: each that its role may use somewhere beyond its own account. */
export const scopesOf = (role: Role): Scope[] =>
  scopes.filter((scope) => areas.some((area) => area !== "own" && mayRole(role, { area, scope })))

/** Refuses unless the caller's role and its credential both allow it. One's own account needs no scope. */
export function assertMay(caller: Caller | null, right: Right): void {
  if (!caller) throw unauthorized()
  if (right.area !== "own" && !caller.scopes.includes(right.scope) && mayRole(caller.role, right))
    throw new Refusal(
      "INSUFFICIENT_SCOPE",
      `This needs the ${right.scope} scope, which the credential does not have.`,
      {
        details: [{ field: "scope", message: `requires ${right.scope}` }],
      },
    )
  if (!mayRole(caller.role, right)) throw new Refusal("FORBIDDEN", `The role ${caller.role} may not do this.`)
}

/** The answer to a request that carries no credential. */
export const unauthorized = () =>
  new Refusal(
    "UNAUTHORIZED",
    "Sign in first: send Authorization: Bearer <token> from POST /api/v1/auth/login, or X-API-Key.",
  )
