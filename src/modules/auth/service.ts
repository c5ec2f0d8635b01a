import type { Actor, Tx, Writer } from "../../db/writer"
import type { Caller } from "../../http/rights"
import { verifyNothing, verifyPassword } from "../../lib/password"
import { assertNoFaults, invalid, Refusal, type Detail } from "../../lib/refusal"
import { sameSecret } from "../../lib/secret"
import type { Input } from "../../resource/read"
import type { User } from "../users/model"
import { readNewPassword, type UserService } from "../users/service"
import type { FailedLogins } from "./failures"
import type { OpenSession, SessionBook } from "./sessions"
import type { LoginThrottle } from "./throttle"
import { tokenLifetime, type AccessTokens } from "./tokens"

export type SignedIn = {
  token: string
  refreshToken: string
  expiresIn: number
  user: { id: string; email: string; name: string; role: string }
}

/** No password is longer, and a longer text is not worth the time to hash it. */
const longestPassword = 256

type Deps = {
  writer: Writer
  users: UserService
  tokens: AccessTokens
  sessions: SessionBook
  throttle: LoginThrottle
  failures: FailedLogins
  /** The token of the set-up link that `serve` printed. */
  setupToken: string | null
}

export function authService({ writer, users, tokens, sessions, throttle, failures, setupToken }: Deps) {
  const answer = async (user: User, session: OpenSession): Promise<SignedIn> => ({
    token: await tokens.issue(user.id, session.id),
    refreshToken: session.refreshToken,
    expiresIn: tokenLifetime,
    user: { id: user.id, email: user.email, name: user.name, role: user.role },
  })

  const openFor = (tx: Tx, user: User): OpenSession => {
    tx.auditEntries.push({ action: "auth.login", kind: "users", recordId: user.id })
    return sessions.open(tx, user.id)
  }

  /** Checks a password where guessing is slowed down; a failure is remembered. */
  const isRight = async (
    email: string,
    hash: string | null,
    password: string,
    by: Actor,
  ): Promise<boolean> => {
    const attempt = throttle.begin(email, by.ip ?? "")
    try {
      const isSane = hash !== null && password.length <= longestPassword
      const right = isSane
        ? await verifyPassword(hash, password)
        : await verifyNothing(password.slice(0, longestPassword))
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
      tx.auditEntries.push({ action: "auth.logout", kind: "users", recordId: owner.id })
      sessions.end(tx, id)
    }, by)

  return {
    async login(input: Input, by: Actor): Promise<SignedIn> {
      const { email, password } = readTexts(input, ["email", "password"])
      const found = users.findSignIn(email)
      if (!(await isRight(email, found?.hash ?? null, password, by)) || !found) throw wrongPassword()
      const user = users.get(found.id)
      const actor: Actor = { ...by, type: "user", id: user.id, name: user.name }
      const session = await writer((tx) => {
        assertSignInStands(email, found.hash)
        return openFor(tx, user)
      }, actor)
      return answer(user, session)
    },

    async refresh(input: Input, by: Actor): Promise<SignedIn> {
      const { refreshToken } = readTexts(input, ["refreshToken"])
      const session = await writer((tx) => sessions.refresh(tx, refreshToken), by)
      if (session instanceof Refusal) throw session
      const user = users.get(session.user)
      if (!user.isActive)
        throw new Refusal("INVALID_REFRESH_TOKEN", "The refresh token is not valid any more.")
      return answer(user, session)
    },

    /** Ends this sign-in. */
    logout(tx: Tx, caller: Caller): void {
      tx.auditEntries.push({ action: "auth.logout", kind: "users", recordId: caller.userId })
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
      tx.auditEntries.push({ action: "auth.logout-all", kind: "users", recordId: caller.userId })
      sessions.endAll(tx, caller.userId, null)
    },

    /** Changes the caller's password and ends its other sign-ins. */
    async changePassword(input: Input, caller: Caller, by: Actor): Promise<User> {
      const { currentPassword, newPassword } = readTexts(input, ["currentPassword", "newPassword"])
      const fresh = await readNewPassword(newPassword, "newPassword")
      assertNoFaults(fresh.faults)
      const hash = users.findSignIn(caller.email)?.hash ?? null
      if (!(await isRight(caller.email, hash, currentPassword, by)))
        throw invalid("currentPassword", "is wrong")
      return writer((tx) => {
        users.setPassword(tx, caller.userId, fresh, caller.credentialId)
        return users.get(caller.userId)
      }, by)
    },

    /** Makes the first admin, once, for whoever holds the link that `serve` printed. */
    async setUp({ token, email, name, password, ...rest }: Input, by: Actor): Promise<SignedIn> {
      if (setupToken === null || users.hasActiveAdmin()) throw alreadySetUp()
      if (typeof token !== "string" || !sameSecret(token, setupToken))
        throw new Refusal(
          "INVALID_TOKEN",
          "The set-up token is wrong. Use the link that the last start of Kontor printed.",
        )
      const { hash, faults } = await readNewPassword(password)
      faults.push(...unknownFields(rest, []))
      const { user, session } = await writer((tx) => {
        if (users.hasActiveAdmin()) throw alreadySetUp()
        const user = users.create(tx, { email, name, role: "admin" }, { hash, faults })
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

/** Reads a body that must hold just these texts. */
function readTexts<const K extends string>(input: Input, names: readonly K[]): Record<K, string> {
  const faults = unknownFields(input, names)
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? input[name] : null
    if (value === null || value === undefined) faults.push({ field: name, message: "is required" })
    else if (typeof value !== "string" || value === "")
      faults.push({ field: name, message: "must be a string that is not empty" })
  }
  assertNoFaults(faults)
  return input as Record<K, string>
}

const unknownFields = (input: Input, known: readonly string[]): Detail[] =>
  Object.keys(input)
    .filter((name) => !known.includes(name))
    .map((field) => ({ field, message: "is not a known field" }))
