import type { Database } from "bun:sqlite"
import type { Tx, Writer } from "../../db/writer"
import { newId } from "../../lib/id"
import { verifyNothing, verifyPassword } from "../../lib/password"
import { assertNoFaults, Refusal, type Detail } from "../../lib/refusal"
import { digestOf, newSecret, sameSecret } from "../../lib/secret"
import type { Input } from "../../resource/read"
import type { User } from "../users/model"
import { readNewPassword, type UserService } from "../users/service"
import { insertSession } from "./store"
import { tokenLifetime, type AccessTokens } from "./tokens"

export type SignedIn = {
  token: string
  refreshToken: string
  expiresIn: number
  user: { id: string; email: string; name: string; role: string }
}

type Deps = {
  db: Database
  writer: Writer
  users: UserService
  tokens: AccessTokens
  /** The token of the set-up link that `serve` printed, or null when an admin was there already. */
  setupToken: string | null
}

export function authService({ db, writer, users, tokens, setupToken }: Deps) {
  const openSession = (tx: Tx, user: User) => {
    const session = { id: newId("ses", tx.now), refreshToken: newSecret() }
    insertSession(db, {
      id: session.id,
      user: user.id,
      refreshDigest: digestOf(session.refreshToken),
      now: tx.now,
    })
    return session
  }

  const answer = async (user: User, session: { id: string; refreshToken: string }): Promise<SignedIn> => ({
    token: await tokens.issue(user.id, session.id),
    refreshToken: session.refreshToken,
    expiresIn: tokenLifetime,
    user: { id: user.id, email: user.email, name: user.name, role: user.role },
  })

  return {
    async login(input: Input): Promise<SignedIn> {
      const { email, password } = readTexts(input, ["email", "password"])
      const found = users.findSignIn(email)
      const right = found ? await verifyPassword(found.hash, password) : await verifyNothing(password)
      if (!found || !right)
        throw new Refusal("INVALID_CREDENTIALS", "The e-mail address or the password is wrong.")
      const user = users.get(found.id)
      return answer(user, await writer((tx) => openSession(tx, user)))
    },

    /** Makes the first admin, once, for whoever holds the link that `serve` printed. */
    async setUp({ token, email, name, password, ...rest }: Input): Promise<SignedIn> {
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
        return { user, session: openSession(tx, user) }
      })
      return answer(user, session)
    },
  }
}

export type AuthService = ReturnType<typeof authService>

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
