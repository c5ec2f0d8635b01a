import type { Actor, Tx, Writer } from "../../db/writer"
import { networkOf } from "../../http/address"
import type { Caller } from "../../http/caller"
import { hashPassword, verifyNothing, verifyPassword } from "../../lib/password"
import { assertNoErrors, invalid, Refusal } from "../../lib/refusal"
import { sameSecret } from "../../lib/secret"
import type { BodyOf } from "../../resource/body"
import type { Input } from "../../resource/read"
import type { User } from "../users/model"
import { readUser, type UserService } from "../users/service"
import type { FailedLogins } from "./failures"
import { setUpBody, type loginBody, type passwordBody, type refreshBody, type SignedIn } from "./model"
import type { SignInPlaces } from "./places"
import type { OpenSession, SessionStore } from "./sessions"
import type { LoginThrottle } from "./throttle"
import { tokenLifetime, type AccessTokens } from "./tokens"

/** No password is longer in UTF-16, and a longer text is not worth the time to hash it. */
const longestPassword = 2 * 256

type SignIn = { id: string; hash: string }

type Deps = {
  writer: Writer
  users: UserService
  tokens: AccessTokens
  sessions: SessionStore
  throttle: LoginThrottle
  /** Where each user has signed in lately. */
  places: SignInPlaces
  failures: FailedLogins
  /** The token of the set-up link that `serve` printed. */
  setupToken: string | null
}

export function authService(deps: Deps) {
  const { writer, users, tokens, sessions, throttle, places, failures, setupToken } = deps

  const answer = async (user: User, session: OpenSession): Promise<SignedIn> => ({
    token: await tokens.issue(user.id, session.id),
    refreshToken: session.refreshToken,
    expiresIn: tokenLifetime,
    user: { id: user.id, email: user.email, name: user.name, role: user.role },
  })

  const openFor = (tx: Tx, user: User): OpenSession => {
    tx.audit("auth.login", user.id, {}, { kind: "users" })
    return sessions.open(tx, user.id)
  }

  /** Checks a password where guessing is slowed down; a failure is remembered. `share` is whose turn it takes. */
  const isRight = async (
    { email, password, share }: { email: string; password: string; share: string },
    found: SignIn | null,
    by: Actor,
  ): Promise<boolean> => {
    const attempt = throttle.begin(email, by.ip ?? "", found !== null && places.knows(found.id, by))
    try {
      const isSane = found !== null && password.length <= longestPassword
      const right = isSane
        ? await verifyPassword(found.hash, password, share)
        : await verifyNothing(password.slice(0, longestPassword), share)
      if (right) attempt.succeed()
      else failures.note(by)
      return right
    } catch (error) {
      attempt.takeBack()
      throw error
    }
  }

  /** Refuses when the password was changed or the user disabled while it was being checked. */
  const assertSignInStands = (email: string, hash: string): void => {
    if (users.findSignIn(email)?.hash !== hash) throw wrongPassword()
  }

  /** Ends a sign-in of a person, if it has not ended already. */
  const leaveSession = (id: string, by: Actor): Promise<void> =>
    writer((tx) => {
      const owner = sessions.ownerOf(id)
      if (!owner) return
      tx.audit("auth.logout", owner.id, {}, { kind: "users" })
      sessions.end(tx, id)
    }, by)

  return {
    async login({ email, password }: BodyOf<typeof loginBody>, by: Actor): Promise<SignedIn> {
      const found = users.findSignIn(email)
      if (!(await isRight({ email, password, share: shareOf(by) }, found, by)) || !found)
        throw wrongPassword()
      const user = users.get(found.id)
      const actor: Actor = { ...by, type: "user", id: user.id, name: user.name }
      const session = await writer((tx) => {
        assertSignInStands(email, found.hash)
        places.note(user.id, by)
        return openFor(tx, user)
      }, actor)
      return answer(user, session)
    },

    async refresh({ refreshToken }: BodyOf<typeof refreshBody>, by: Actor): Promise<SignedIn> {
      const session = await writer((tx) => sessions.refresh(tx, refreshToken), by)
      if (session instanceof Refusal) throw session
      const user = users.get(session.user)
      if (!user.isActive)
        throw new Refusal("INVALID_REFRESH_TOKEN", "The refresh token is not valid any more.")
      return answer(user, session)
    },

    /** Ends this sign-in. */
    logout(tx: Tx, caller: Caller): void {
      tx.audit("auth.logout", caller.userId, {}, { kind: "users" })
      sessions.end(tx, caller.credentialId)
    },

    /** Ends the sign-in that a refresh token belongs to; one that is not known any more has ended already. */
    async leave(refreshToken: string, by: Actor): Promise<void> {
      const session = sessions.find(refreshToken)
      if (session && session.client === null) await leaveSession(session.id, by)
    },

    leaveSession,

    /** Ends every sign-in of the caller, this one included. */
    logoutAll(tx: Tx, caller: Caller): void {
      tx.audit("auth.logout-all", caller.userId, {}, { kind: "users" })
      sessions.endAll(tx, caller.userId, null)
    },

    /**
     * Checks the caller's present password and hashes the new one, both of which take their time. What is returned writes
     * the change and ends the caller's other sign-ins, unless the password is another by then.
     */
    async changePassword(
      { currentPassword, newPassword }: BodyOf<typeof passwordBody>,
      caller: Caller,
      by: Actor,
    ): Promise<(tx: Tx) => User> {
      const share = `user:${caller.userId}`
      const found = users.findSignIn(caller.email)
      const given = { email: caller.email, password: currentPassword, share }
      if (!(await isRight(given, found, by))) throw invalid("currentPassword", "is wrong")
      const hash = await hashPassword(newPassword, share)
      return (tx) => {
        if (users.findSignIn(caller.email)?.hash !== found?.hash) throw invalid("currentPassword", "is wrong")
        users.setPassword(tx, caller.userId, { hash, errors: [] }, caller.credentialId)
        return users.get(caller.userId)
      }
    },

    /** Makes the first admin, once, for whoever holds the link that `serve` printed. */
    async setUp(input: Input, by: Actor): Promise<SignedIn> {
      if (setupToken === null || users.hasActiveAdmin()) throw alreadySetUp()
      if (typeof input.token !== "string" || !sameSecret(input.token, setupToken))
        throw new Refusal(
          "INVALID_TOKEN",
          "The set-up token is wrong. Use the link that the last start of Kontor printed.",
        )
      const { values, errors } = setUpBody.read(input)
      assertNoErrors(errors, "The user has invalid values.")
      const { email, name, password } = values
      const draft = await readUser({ email, name, role: "admin", password }, shareOf(by))
      const { user, session } = await writer((tx) => {
        if (users.hasActiveAdmin()) throw alreadySetUp()
        const user = users.create(tx, draft)
        return { user, session: openFor(tx, user) }
      }, by)
      return answer(user, session)
    },
  }
}

export type AuthService = ReturnType<typeof authService>

const wrongPassword = () => new Refusal("INVALID_CREDENTIALS", "The e-mail address or the password is wrong.")

const alreadySetUp = () =>
  new Refusal("ENDPOINT_NOT_FOUND", "Kontor is set up already. Sign in at POST /api/v1/auth/login.")

/** Strangers share what their network may ask for. */
const shareOf = ({ ip }: Actor): string => `address:${networkOf(ip ?? "")}`
