import { type Actor, system, type Tx, type Writer } from "../../core/write/writer"
import { networkOf } from "../../core/http/request/address"
import type { Caller } from "../../core/caller"
import { hashPassword, verifyNothing, verifyPassword } from "../../core/lib/password"
import { assertNoErrors, fieldError, type FieldError, invalid, Refusal } from "../../core/lib/refusal"
import type { BodyOf } from "../../core/kind/body"
import type { Input } from "../../core/kind/read"
import type { User } from "../users/model"
import { readUser, type UserService } from "../users/service"
import type { passkeySignInBody } from "../factors/model"
import type { FactorService } from "../factors/service"
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
  factors: Pick<FactorService, "useCode" | "verifySignIn">
  /** The only admin who may sign in with a password; null if everybody may. */
  passwordIsFor: () => string | null
  /** Asks the provider with which the user of a session has signed in, if there is one. */
  follow: (session: string, by: Actor) => Promise<void>
}

export function authService(deps: Deps) {
  const { sessions } = deps
  const check = passwordCheck(deps)
  return {
    login: (body: BodyOf<typeof loginBody>, by: Actor) => login(deps, check, body, by),
    signInByPasskey: (body: BodyOf<typeof passkeySignInBody>, by: Actor) => signInByPasskey(deps, body, by),
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
      changePassword(deps, check, body, caller, by),

    /** Checks the caller's password. The returned function refuses a wrong one, as part of a write. */
    confirmPassword: (password: string, caller: Caller, by: Actor) =>
      confirmPassword(deps, check, password, caller, by),

    /** Checks the present password of an admin for a change of the own user. Returns what is wrong with it. */
    async checkCurrent(password: unknown, caller: Caller): Promise<FieldError | null> {
      if (typeof password !== "string" || password === "")
        return fieldError("currentPassword", "REQUIRED", "is required to change your own password")
      const { isRight } = await confirmPassword(deps, check, password, caller, system)
      return isRight ? null : fieldError("currentPassword", "RULE", "is wrong", { rule: "WRONG_PASSWORD" })
    },

    setUp: (input: Input, by: Actor) => setUp(deps, input, by),
  }
}

export type AuthService = ReturnType<typeof authService>

async function login(
  deps: Deps,
  check: PasswordCheck,
  { email, password, code }: BodyOf<typeof loginBody>,
  by: Actor,
): Promise<SignedIn> {
  const { writer, users, factors } = deps
  const wrong = code === null ? wrongPassword : wrongPasswordOrCode
  const found = users.findSignIn(email)
  const session = await check({ email, password, share: shareOf(by) }, found, by, ({ id, hash }) => {
    const user = users.get(id)
    return writer(
      (tx) => {
        // The password may have been changed, or the user disabled, while it was being checked.
        if (users.findSignIn(email)?.hash !== hash) throw wrongPassword()
        assertOwnSignIn(deps, user)
        factors.useCode(tx, id, code, wrong)
        return enter(deps, tx, user, by)
      },
      asUser(user, by),
    )
  })
  if (!session) throw wrong()
  return signedIn(deps, users.get(session.user), session)
}

async function signInByPasskey(
  deps: Deps,
  { response }: BodyOf<typeof passkeySignInBody>,
  by: Actor,
): Promise<SignedIn> {
  const { writer, users, factors, failures } = deps
  const verified = await factors.verifySignIn(response)
  if (!verified) {
    failures.note(by)
    throw wrongPasskey()
  }
  const user = users.get(verified.user)
  const session = await writer(
    (tx) => {
      if (!users.get(user.id).isActive || !verified.use(tx)) throw wrongPasskey()
      assertOwnSignIn(deps, user)
      return enter(deps, tx, user, by)
    },
    asUser(user, by),
  )
  return signedIn(deps, user, session)
}

const asUser = ({ id, name }: User, by: Actor): Actor => ({ ...by, type: "user", id, name })

/** Opens the session of a user who has shown who it is. */
function enter(deps: Deps, tx: Tx, user: User, by: Actor): OpenSession {
  deps.places.note(user.id, by)
  return openSession(deps, tx, user)
}

/** Refuses a right password or passkey of a user who has to use a provider. */
function assertOwnSignIn({ users, passwordIsFor }: Deps, user: User): void {
  const only = passwordIsFor()
  if (only === null || only === user.id) return
  const named = users.find(only)
  // Somebody must be able to set it right.
  if (user.role === "admin" && !(named?.isActive && named.role === "admin")) return
  throw new Refusal(
    "FORBIDDEN",
    "You cannot sign in with a password or a passkey here. Use the button of your provider.",
  )
}

async function refresh(
  deps: Deps,
  { refreshToken }: BodyOf<typeof refreshBody>,
  by: Actor,
): Promise<SignedIn> {
  const { writer, users, sessions } = deps
  const held = sessions.find(refreshToken)
  if (held?.isValid) await deps.follow(held.id, by)
  const session = await writer((tx) => renew(deps, tx, refreshToken), by)
  if (session instanceof Refusal) throw session
  const user = users.get(session.user)
  if (!user.isActive) throw new Refusal("INVALID_REFRESH_TOKEN", "The refresh token is no longer valid.")
  return signedIn(deps, user, session)
}

/** A refusal is returned and not thrown, because its effect must be committed. */
function renew(deps: Deps, tx: Tx, refreshToken: string): OpenSession | Refusal {
  const { users, sessions } = deps
  const session = sessions.refresh(tx, refreshToken)
  if (session instanceof Refusal || sessions.ownerOf(session.id)?.isProved) return session
  try {
    // Passwords may have been switched off since the session began.
    assertOwnSignIn(deps, users.get(session.user))
    return session
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    sessions.end(tx, session.id)
    return new Refusal("INVALID_REFRESH_TOKEN", error.message)
  }
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
  deps: Deps,
  check: PasswordCheck,
  { currentPassword, newPassword }: BodyOf<typeof passwordBody>,
  caller: Caller,
  by: Actor,
): Promise<(tx: Tx) => User> {
  const { users } = deps
  const { isRight, assertRight } = await confirmPassword(deps, check, currentPassword, caller, by)
  const hash = isRight ? await hashPassword(newPassword, `user:${caller.userId}`) : null
  return (tx) => {
    assertRight()
    users.setPassword(tx, caller.userId, { hash, errors: [] }, caller.credentialId)
    return users.get(caller.userId)
  }
}

/**
 * The refusal is part of the write, which first checks that the caller may still call: a user who was disabled meanwhile
 * was not found, and is told that and not that the password is wrong.
 */
async function confirmPassword(
  { users }: Deps,
  check: PasswordCheck,
  password: string,
  { email, userId }: Caller,
  by: Actor,
): Promise<{ isRight: boolean; assertRight: () => void }> {
  const found = users.findSignIn(email)
  const entered = { email, password, share: `user:${userId}` }
  const isRight = (await check(entered, found, by, () => Promise.resolve(true))) ?? false
  return {
    isRight,
    assertRight() {
      if (!isRight || users.findSignIn(email)?.hash !== found?.hash) throw wrongCurrentPassword()
    },
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

const wrongPasswordOrCode = () =>
  new Refusal("INVALID_CREDENTIALS", "The email address, the password or the code is wrong.")

const wrongPasskey = () =>
  new Refusal("INVALID_CREDENTIALS", "The passkey is not known here, or its answer is not valid any more.")

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

type Found = { id: string; hash: string }

/**
 * Checks a password, and does what only its owner may do; null if it is wrong. Repeated failures are slowed down, and each
 * failure is recorded in the audit log. A wrong second factor counts like a wrong password, and one that is missing
 * counts as nothing.
 */
const passwordCheck =
  ({ throttle, places, failures }: PasswordCheckDeps) =>
  async <T>(
    { email, password, share }: Entered,
    found: Found | null,
    by: Actor,
    go: (found: Found) => Promise<T>,
  ): Promise<T | null> => {
    const attempt = await throttle.begin(email, by.ip ?? "", found !== null && places.knows(found.id, by))
    try {
      if (found !== null && password.length <= longestPassword) {
        if (await verifyPassword(found.hash, password, share)) {
          const result = await go(found)
          await attempt.succeed()
          return result
        }
      } else await verifyNothing(password.slice(0, longestPassword), share)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "INVALID_CREDENTIALS") {
        await attempt.cancel().catch(() => {})
        throw error
      }
    }
    failures.note(by)
    return null
  }

type PasswordCheck = ReturnType<typeof passwordCheck>
