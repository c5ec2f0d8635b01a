import { isWithin, networks } from "../../core/http/request/address"
import { type Caller, hasEnded } from "../../core/caller"
import { Refusal } from "../../core/lib/refusal"
import { millisOf } from "../../shared/dates"
import { smallerPlan, type PlanName } from "../../shared/plans"
import { type Role, scopesOf } from "../../shared/rights"
import type { KeyHolder } from "../api-keys/model"
import type { SessionUser } from "./store"
import { type JobCaller, jobEnded } from "../jobs/model"

/** What is needed to create a caller, in addition to its session or key. */
export type CallerDeps = {
  /** Changes whenever the data behind a caller changes. */
  generation: () => number
  defaultPlan: () => PlanName
  /** Whose sessions can only add a second factor while they have none. */
  requireSecondFactor: () => "nobody" | "admins" | "everybody"
}

/** What an access token adds to its session. */
type TokenLimits = {
  /** The scopes of the token; null for a user who signed in. */
  scopes: readonly string[] | null
  endsAt: number
}

/**
 * The caller of a session: a user who signed in, or a connected app with the scopes that are in both grant and token.
 */
export function sessionCaller(
  deps: CallerDeps,
  sessionId: string,
  user: SessionUser,
  { scopes, endsAt }: TokenLimits,
): Caller {
  const { generation, defaultPlan } = deps
  const { id, email, name, role, plan, client, endsAt: sessionEnd } = user
  const shared = {
    userId: id,
    email,
    name,
    role,
    plan: plan ?? defaultPlan(),
    credentialId: sessionId,
    endsAt: sessionEnd === null ? endsAt : Math.min(endsAt, millisOf(sessionEnd)),
    generation: generation(),
    blocked: null,
  }
  if (!client) {
    const mustSetUp = isFactorMissing(deps, user) ? { mustSetUp: factorMissing() } : {}
    const own = {
      kind: "user" as const,
      scopes: scopesOf(role),
      subject: `user:${id}`,
      credentialName: email,
    }
    return { ...shared, ...own, ...mustSetUp }
  }
  return {
    ...shared,
    kind: "oauthClient",
    scopes: client.scopes.filter((scope) => scopes?.includes(scope)),
    subject: `grant:${id}:${client.id}`,
    credentialName: client.name,
    clientId: client.id,
  }
}

/** True for a user of whom the settings ask for a second factor, and who has none. A provider asks for one itself. */
export const isFactorMissing = (
  { requireSecondFactor }: Pick<CallerDeps, "requireSecondFactor">,
  { role, hasFactor, isProved }: Pick<SessionUser, "role" | "hasFactor" | "isProved">,
): boolean => !hasFactor && !isProved && isFactorRequired(requireSecondFactor(), role)

export const isFactorRequired = (of: "nobody" | "admins" | "everybody", role: Role): boolean =>
  of === "everybody" || (of === "admins" && role === "admin")

const factorMissing = () =>
  new Refusal(
    "SECOND_FACTOR_SETUP_REQUIRED",
    "Add a second factor first, at POST /api/v1/auth/factors or in the console: the settings ask for one.",
  )

/** The caller of an API key. It is blocked when the key may not be used from this address. */
export function keyCaller(deps: CallerDeps, key: KeyHolder, address: () => string): Caller {
  return {
    kind: "apiKey",
    userId: key.user.id,
    email: key.user.email,
    name: key.user.name,
    role: key.user.role,
    scopes: key.scopes,
    areas: key.areas,
    plan: planOf(deps, key),
    subject: `key:${key.id}`,
    credentialId: key.id,
    credentialName: key.name,
    secretTag: key.secretTag,
    endsAt: key.expiresAt === null ? Infinity : millisOf(key.expiresAt),
    generation: deps.generation(),
    blocked: blockOf(key, address),
  }
}

/** A key has its own plan, but never a larger one than its owner currently has. */
function planOf({ defaultPlan }: CallerDeps, { plan, user }: KeyHolder): PlanName {
  const ownersPlan = user.plan ?? defaultPlan()
  return plan === null ? ownersPlan : smallerPlan(plan, ownersPlan)
}

/** Why a key may not be used from an address; null when it may. */
const blockOf = ({ allowedIps }: KeyHolder, address: () => string): Refusal | null =>
  allowedIps.length === 0 || isAllowed(allowedIps, address())
    ? null
    : new Refusal("IP_NOT_ALLOWED", `The API key may not be used from ${address()}.`, {
        params: { address: address() },
      })

function isAllowed(entries: string[], address: string): boolean {
  const list = networks(entries)
  return list !== null && isWithin(list, address)
}

type Deps = CallerDeps & {
  /** An active user by the id; null for a disabled one. */
  user(id: string): SessionUser | null
  session(id: string): SessionUser | null
  key(id: string): KeyHolder | null
}

/**
 * Loads the caller of a job with its current rights, or returns why the job must end. A job of a user goes on after the
 * user has signed out, because that is no reason to interrupt it. A job of an app ends with the session of the app. A job
 * of an API key ends when the key could not be used any more for a request from the address that started the job.
 */
export const jobCallers =
  (deps: Deps) =>
  ({ kind, userId, credentialId, secretTag, scopes, actor }: JobCaller): Caller | Refusal => {
    if (kind === "apiKey") {
      const key = deps.key(credentialId)
      const caller = key && keyCaller(deps, key, () => actor.ip ?? "")
      // A job of an earlier version does not know which secret started it.
      if (!caller || (secretTag !== undefined && secretTag !== caller.secretTag))
        return jobEnded("KEY_REVOKED")
      return caller.blocked ?? (hasEnded(caller) ? jobEnded("KEY_EXPIRED") : caller)
    }
    const user = kind === "user" ? deps.user(userId) : deps.session(credentialId)
    if (!user) return jobEnded(kind === "user" ? "USER_INACTIVE" : "APP_DISCONNECTED")
    return inBackground(sessionCaller(deps, credentialId, user, { scopes, endsAt: Infinity }))
  }

/** What goes on without a person is not held up: the factor was asked for, or not, when it began. */
export const inBackground = (caller: Caller): Caller => ({ ...caller, mustSetUp: undefined })
