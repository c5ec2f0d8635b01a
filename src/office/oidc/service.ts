import type { Database } from "../../core/engine/engine"
import { real } from "../../core/lib/clock"
import { Refusal } from "../../core/lib/refusal"
import type { Actor, Tx, Writer } from "../../core/write/writer"
import { later } from "../../shared/dates"
import type { AuthService } from "../auth/service"
import type { SignedIn } from "../auth/model"
import type { SessionStore } from "../auth/sessions"
import type { FailedLogins } from "../auth/throttle"
import type { FactorService } from "../factors/service"
import type { SignInProvider } from "../settings/sign-in-with"
import type { SettingsService } from "../settings/service"
import type { User } from "../users/model"
import type { UserService } from "../users/service"
import { NoProvider, NotProved, type Proofs, type Providers, type Told } from "./provider"
import { isOfDomain, nameOf, roleOf, verifiedEmail } from "./rules"
import { findFollowed, findIdentity, hasIdentity, saveFollowed, saveIdentity } from "./store"

/** How long somebody stays signed in whom the provider cannot be asked about again. */
const hour = 3_600_000
/** A provider is asked about somebody at most this often, in milliseconds. Tabs refresh their tokens together. */
const pause = 5 * 60_000

type Deps = {
  db: Database
  writer: Writer
  users: UserService
  sessions: SessionStore
  settings: SettingsService
  providers: Providers
  failures: FailedLogins
  factors: Pick<FactorService, "has">
}

/** A provider with its secret, and its name in paths. */
type Found = { provider: SignInProvider; key: string; secret: string }

/** Signing in with an OpenID provider. It proves who somebody is; what a user may do is decided here. */
export function oidcService(deps: Deps) {
  const { settings, providers } = deps
  const asking = new Map<string, Promise<void>>()

  const find = (key: string): Found => {
    const found = settings.signInProviders().find((each) => each.key === key)
    if (!found || found.secret === null) throw new Refusal("NOT_FOUND", "There is no such way to sign in.")
    return { ...found, secret: found.secret }
  }

  return {
    /** The providers with which somebody can sign in now. */
    offered: (): { name: string; key: string }[] =>
      settings
        .signInProviders()
        .flatMap(({ provider: { name }, key, secret }) => (secret === null ? [] : [{ name, key }])),

    /** Where the browser goes first. */
    async begin(key: string, redirectUri: string, proofs: Proofs): Promise<URL> {
      const { provider, secret } = find(key)
      return providers.begin(provider, secret, redirectUri, proofs).catch(refuse)
    },

    /** Signs in the person who has come back. */
    async finish(
      auth: Pick<AuthService, "enter">,
      key: string,
      { url, proofs, by }: { url: URL; proofs: Proofs; by: Actor },
    ): Promise<SignedIn & { sessionId: string }> {
      const found = find(key)
      const told = await providers.finish(found.provider, found.secret, url, proofs).catch(refuse)
      // The settings may have changed while the provider was asked.
      const entered = await deps.writer(
        (tx) => enter(deps, auth, tx, find(key), told),
        actor(found.provider, by),
      )
      if (entered instanceof Refusal) throw entered
      return entered()
    },

    /**
     * Asks the provider whether the person of a session still may come in, before the session goes on. Sessions of others
     * go on without that.
     */
    async follow(session: string, by: Actor): Promise<void> {
      const running = asking.get(session)
      if (running) return running
      const work = follow(deps, find, session, by).finally(() => asking.delete(session))
      asking.set(session, work)
      return work
    },
  }
}

export type OidcService = ReturnType<typeof oidcService>

/** The role and the user are changed by the provider, and not by the person. */
const actor = ({ name }: SignInProvider, by: Actor): Actor => ({
  ...by,
  type: "system",
  id: null,
  name: `sign-in with ${name}`,
})

function refuse(error: unknown): never {
  if (error instanceof NotProved)
    throw new Refusal("INVALID_CREDENTIALS", `You could not sign in. ${error.message}`)
  if (error instanceof NoProvider)
    throw new Refusal("SERVICE_UNAVAILABLE", `${error.message} Try again in a moment.`, {
      headers: { "retry-after": "30" },
    })
  throw error
}

type Entered = () => Promise<SignedIn & { sessionId: string }>

/** A refusal is returned and not thrown, because what led to it is stored: a role that was taken away, and an entry. */
function enter(
  deps: Deps,
  auth: Pick<AuthService, "enter">,
  tx: Tx,
  { provider, key }: Found,
  told: Told,
): Entered | Refusal {
  const { db, users } = deps
  const { issuer, claims, refreshToken } = told
  const found = userOf(deps, tx, provider, told)
  if (found instanceof Refusal) {
    // Anybody whom a public provider knows can repeat this.
    deps.failures.note(tx.by)
    return found
  }
  const allowed = apply(deps, tx, provider, told, found)
  if (allowed instanceof Refusal) return noted(tx, found.id, allowed)
  saveIdentity(db, { issuer, subject: claims.sub, user: found.id, now: tx.now })
  const endsAt = refreshToken === null ? later(real.now(), hour) : null
  const { session, signedIn } = auth.enter(tx, users.get(found.id), endsAt)
  if (refreshToken !== null) {
    const followed = { provider: key, subject: claims.sub, refreshToken, checkedAt: real.now() }
    saveFollowed(db, session.id, followed)
  }
  return async () => ({ ...(await signedIn()), sessionId: session.id })
}

function noted(tx: Tx, user: string, refusal: Refusal): Refusal {
  const changes = { reason: { from: null, to: refusal.message } }
  tx.audit("auth.sign-in-refused", user, changes, { kind: "users", outcome: "refused" })
  return refusal
}

/** The user that a person is: the one of before, the one with the address, or a new one. */
function userOf({ db, users, factors }: Deps, tx: Tx, provider: SignInProvider, told: Told): User | Refusal {
  const { issuer, claims } = told
  const known = findIdentity(db, issuer, claims.sub)
  if (known !== null) return users.get(known)
  const email = verifiedEmail(claims)
  if (email === null)
    return closed("The provider has not verified your email address, and there is no user for you yet.")
  if (!isOfDomain(provider, email)) return otherDomain()
  const same = users.findByEmail(email)
  if (same) {
    const mayJoin = provider.joinByEmail && same.role !== "admin" && isSameAddress(email, same.email)
    // An address proves less than the factor that the user has.
    if (!mayJoin || factors.has(same.id) || hasIdentity(db, same.id, issuer))
      return closed("There is a user with your email address, who cannot sign in this way.")
    return same
  }
  const role = roleOf(provider, claims)
  if (!provider.create || role === null) return closed("There is no user for you. Ask an admin.")
  return users.create(tx, users.draftOf({ email, name: nameOf(claims, email), role: role ?? "viewer" }))
}

/** The search for users takes some letters of other alphabets for those that look alike. */
const isSameAddress = (a: string, b: string): boolean =>
  a === b || (/^[!-~]+$/.test(a) && a.toLowerCase() === b.toLowerCase())

/** Gives a user the role of the provider, and refuses one who may not come in any more. */
function apply(
  { users, sessions }: Deps,
  tx: Tx,
  provider: SignInProvider,
  { claims }: Told,
  user: User,
): Refusal | null {
  if (!user.isActive) return closed("Your user is disabled.")
  // Not every answer of a provider has an address.
  if (claims["email"] !== undefined && !isOfDomain(provider, verifiedEmail(claims))) return otherDomain()
  const role = roleOf(provider, claims)
  if (role === undefined || role === user.role) return null
  // Without an admin nobody could set anything right.
  const isKept = users.isLastAdmin(user.id)
  if (!isKept) users.update(tx, user.id, { input: { role: role ?? "viewer" }, password: null })
  if (role !== null) return null
  sessions.endAll(tx, user.id, null)
  return closed("The provider gives you no role any more.")
}

const closed = (message: string): Refusal => new Refusal("FORBIDDEN", message)

const otherDomain = (): Refusal => closed("Addresses of your domain may not sign in.")

async function follow(deps: Deps, find: (key: string) => Found, session: string, by: Actor): Promise<void> {
  const { db, writer, users, sessions } = deps
  const held = findFollowed(db, session)
  if (!held || (held.checkedAt > later(real.now(), -pause) && held.checkedAt <= real.latest())) return
  const found = attempt(() => find(held.provider))
  const told = found && (await renewed(deps, found, held))
  const ended = await writer(
    (tx) => {
      const now = attempt(() => find(held.provider))
      const refusal = now && told ? apply(deps, tx, now.provider, told, users.get(held.user)) : gone()
      if (refusal) {
        noted(tx, held.user, refusal)
        sessions.end(tx, session)
      } else if (findFollowed(db, session))
        saveFollowed(db, session, {
          ...held,
          refreshToken: told?.refreshToken ?? held.refreshToken,
          checkedAt: real.now(),
        })
      return refusal
    },
    found ? actor(found.provider, by) : by,
  )
  if (ended) throw new Refusal("INVALID_REFRESH_TOKEN", `${ended.message} Sign in again.`)
}

const gone = (): Refusal => closed("The provider does not know your sign-in any more.")

/** What the provider says now; null if it does not know the sign-in any more. */
async function renewed(
  { providers }: Deps,
  { provider, secret }: Found,
  { refreshToken, subject }: { refreshToken: string; subject: string },
): Promise<Told | null> {
  try {
    return await providers.renew(provider, secret, refreshToken, subject)
  } catch (error) {
    if (error instanceof NotProved) return null
    return refuse(error)
  }
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
