import type { Actor, Tx, Writer } from "../../core/write/writer"
import { networkOf } from "../../core/http/request/address"
import type { Caller } from "../../core/caller"
import { hashPassword, verifyNothing, verifyPassword } from "../../core/lib/password"
import { assertNoErrors, invalid, Refusal } from "../../core/lib/refusal"
import type { BodyOf } from "../../core/kind/body"
import type { Input } from "../../core/kind/read"
import type { User } from "../users/model"
import { readUser, type UserService } from "../users/service"
import type { FailedLogins, LoginThrottle, SignInPlaces } from "./throttle"
import { type loginBody, type passwordBody, type refreshBody, setUpBody, type SignedIn } from "./model"
import type { OpenSession, SessionStore } from "./sessions"
import type { SetupLink } from "./store"
import { type AccessTokens, tokenLifetime } from "./tokens"

type Deps = {
  writer: Writer
  users: UserService
  tokens: AccessTokens
  sessions: SessionStore
  throttle: LoginThrottle
  /** The networks from which each user signed in recently. */
  places: SignInPlaces
  failures: FailedLogins
  setupLink: SetupLink
  /** The only admin who may sign in with a password; null if everybody may. */
  passwordIsFor: () => string | null
  /** Asks the provider with which the user of a session has signed in, if there is one. */
  follow: (session: string, by: Actor) => Promise<void>
}

export function authService(deps: Deps) {
  const { sessions } = deps
  const isRight = passwordCheck(deps)
  return {
    login: (body: BodyOf<typeof loginBody>, by: Actor) => login(deps, isRight, body, by),
    refresh: (body: BodyOf<typeof refreshBody>, by: Actor) => refresh(deps, body, by),

    logout(tx: Tx, caller: Caller): void {
      tx.audit("auth.logout", caller.userId, {}, { kind: "users" })
      sessions.end(tx, caller.credentialId)
    },

    /** Ends every session of the caller, including the current one. */
    logoutAll(tx: Tx, caller: Caller): void {
      tx.audit("auth.logout-all", caller.userId, {}, { kind: "users" })
      sessions.endAll(tx, caller.userId, null)
    },

    /** Ends the session of a refresh token. An unknown token is ignored: its session has already ended. */
    async logoutByToken(refreshToken: string, by: Actor): Promise<void> {
      const session = sessions.find(refreshToken)
      if (session && session.client === null) await leaveSession(deps, session.id, by)
    },

    leaveSession: (id: string, by: Actor) => leaveSession(deps, id, by),

    /** Opens a session for a user who has proved in another way who it is. It may have a fixed end. */
    enter(tx: Tx, user: User, endsAt: string | null) {
      const session = openSession(deps, tx, user, endsAt)
      return { session, signedIn: () => signedIn(deps, user, session) }
    },

    changePassword: (body: BodyOf<typeof passwordBody>, caller: Caller, by: Actor) =>
      changePassword(deps, isRight, body, caller, by),

    setUp: (input: Input, by: Actor) => setUp(deps, input, by),
  }
}

export type AuthService = ReturnType<typeof authService>

async function login(
  deps: Deps,
  isRight: PasswordCheck,
  { email, password }: BodyOf<typeof loginBody>,
  by: Actor,
): Promise<SignedIn> {
  const { writer, users, places } = deps
  const found = users.findSignIn(email)
  if (!(await isRight({ email, password, share: shareOf(by) }, found, by)) || !found) throw wrongPassword()
  const user = users.get(found.id)
  assertPassword(deps, user)
  const actor: Actor = { ...by, type: "user", id: user.id, name: user.name }
  const session = await writer((tx) => {
    // The password may have been changed, or the user disabled, while it was being checked.
    if (users.findSignIn(email)?.hash !== found.hash) throw wrongPassword()
    places.note(user.id, by)
    return openSession(deps, tx, user)
  }, actor)
  return signedIn(deps, user, session)
}

/** Refuses a right password of a user who has to use a provider. */
function assertPassword({ users, passwordIsFor }: Deps, user: User): void {
  const only = passwordIsFor()
  if (only === null || only === user.id) return
  const named = users.find(only)
  // Somebody must be able to set it right.
  if (user.role === "admin" && !(named?.isActive && named.role === "admin")) return
  throw new Refusal("FORBIDDEN", "You cannot sign in with a password here. Use the button of your provider.")
}

async function refresh(
  deps: Deps,
  { refreshToken }: BodyOf<typeof refreshBody>,
  by: Actor,
): Promise<SignedIn> {
  const { writer, users, sessions } = deps
  const held = sessions.find(refreshToken)
  if (held?.isValid) await deps.follow(held.id, by)
  const session = await writer((tx) => sessions.refresh(tx, refreshToken), by)
  if (session instanceof Refusal) throw session
  const user = users.get(session.user)
  if (!user.isActive) throw new Refusal("INVALID_REFRESH_TOKEN", "The refresh token is no longer valid.")
  return signedIn(deps, user, session)
}

/** Ends a session of a person, if it has not already ended. */
function leaveSession({ writer, sessions }: Deps, id: string, by: Actor): Promise<void> {
  return writer((tx) => {
    const owner = sessions.ownerOf(id)
    if (!owner) return
    tx.audit("auth.logout", owner.id, {}, { kind: "users" })
    sessions.end(tx, id)
  }, by)
}

/**
 * Checks the caller's current password and hashes the new one, which both take time. The returned function writes the
 * change and ends the caller's other sessions. It refuses when the password has been changed in the meantime.
 */
async function changePassword(
  { users }: Deps,
  isRight: PasswordCheck,
  { currentPassword, newPassword }: BodyOf<typeof passwordBody>,
  caller: Caller,
  by: Actor,
): Promise<(tx: Tx) => User> {
  const share = `user:${caller.userId}`
  const found = users.findSignIn(caller.email)
  const entered = { email: caller.email, password: currentPassword, share }
  // The refusal is part of the write, which first checks that the caller may still call: a user who was disabled
  // meanwhile was not found, and is told that and not that the password is wrong.
  if (!(await isRight(entered, found, by)))
    return () => {
      throw wrongCurrentPassword()
    }
  const hash = await hashPassword(newPassword, share)
  return (tx) => {
    if (users.findSignIn(caller.email)?.hash !== found?.hash) throw wrongCurrentPassword()
    users.setPassword(tx, caller.userId, { hash, errors: [] }, caller.credentialId)
    return users.get(caller.userId)
  }
}

/** Creates the first admin, once, for the person who has the setup link. */
async function setUp(deps: Deps, input: Input, by: Actor): Promise<SignedIn> {
  const { writer, users, setupLink } = deps
  if (users.hasActiveAdmin()) throw alreadySetUp()
  if (!setupLink.isToken(input.token)) throw wrongSetupToken()
  const { values, errors } = setUpBody.read(input)
  assertNoErrors(errors, "The user has invalid values.")
  const { email, name, password } = values
  const draft = await readUser({ email, name, role: "admin", password }, shareOf(by))
  const { user, session } = await writer((tx) => {
    if (users.hasActiveAdmin()) throw alreadySetUp()
    // The link may have been replaced while the password was hashed.
    if (!setupLink.isToken(input.token)) throw wrongSetupToken()
    const user = users.create(tx, draft)
    setupLink.remove(tx)
    return { user, session: openSession(deps, tx, user) }
  }, by)
  return signedIn(deps, user, session)
}

function openSession({ sessions }: Deps, tx: Tx, user: User, endsAt: string | null = null): OpenSession {
  tx.audit("auth.login", user.id, {}, { kind: "users" })
  return sessions.open(tx, user.id, null, endsAt)
}

const signedIn = async ({ tokens }: Deps, user: User, session: OpenSession): Promise<SignedIn> => ({
  token: await tokens.issue(user.id, session.id),
  refreshToken: session.refreshToken,
  expiresIn: tokenLifetime,
  user: { id: user.id, email: user.email, name: user.name, role: user.role },
})

const wrongCurrentPassword = () => invalid("currentPassword", "RULE", "is wrong", { rule: "WRONG_PASSWORD" })

const wrongPassword = () => new Refusal("INVALID_CREDENTIALS", "The email address or the password is wrong.")

const wrongSetupToken = () =>
  new Refusal(
    "INVALID_TOKEN",
    'The setup token is wrong. Use the last setup link that Kontor printed; "kontor setup-link" prints a new one.',
  )

const alreadySetUp = () =>
  new Refusal("ENDPOINT_NOT_FOUND", "Kontor is already set up. Sign in at POST /api/v1/auth/login.")

/** Callers who have not signed in share the hashing turns of their network. */
const shareOf = ({ ip }: Actor): string => `address:${networkOf(ip ?? "")}`

/** No valid password has more UTF-16 units. A longer text is wrong; it is cut, so that its hash takes no more time. */
const longestPassword = 2 * 256

type PasswordCheckDeps = { throttle: LoginThrottle; places: SignInPlaces; failures: FailedLogins }

/**
 * The entered credentials. `share` is the user or network that the request counts for; shares take turns at hashing.
 */
type Entered = { email: string; password: string; share: string }

/** Checks a password. Repeated failures are slowed down, and each failure is recorded in the audit log. */
const passwordCheck =
  ({ throttle, places, failures }: PasswordCheckDeps) =>
  async (
    { email, password, share }: Entered,
    found: { id: string; hash: string } | null,
    by: Actor,
  ): Promise<boolean> => {
    const attempt = await throttle.begin(email, by.ip ?? "", found !== null && places.knows(found.id, by))
    try {
      const canMatch = found !== null && password.length <= longestPassword
      const isRight = canMatch
        ? await verifyPassword(found.hash, password, share)
        : await verifyNothing(password.slice(0, longestPassword), share)
      if (isRight) await attempt.succeed()
      else failures.note(by)
      return isRight
    } catch (error) {
      await attempt.cancel().catch(() => {})
      throw error
    }
  }

type PasswordCheck = ReturnType<typeof passwordCheck>
