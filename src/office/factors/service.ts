import type { Database } from "../../core/engine/engine"
import type { Caller } from "../../core/caller"
import { real } from "../../core/lib/clock"
import { newId } from "../../core/lib/id"
import { fieldError, invalid, Refusal } from "../../core/lib/refusal"
import { digestOf } from "../../core/lib/secret"
import type { Tx } from "../../core/write/writer"
import { timestampOf, millisOf } from "../../shared/dates"
import {
  isTotpCode,
  newRecoveryCodes,
  newTotpSecret,
  plainCode,
  recoveryDigest,
  stepOf,
  totpUri,
} from "./codes"
import { type Factor, factorRefusals, type Factors, type NewTotp, type Session } from "./model"
import {
  type AddedPasskey,
  challengeIn,
  challengeLifetime,
  isChallenge,
  newChallenge,
  optionsToAdd,
  optionsToSignIn,
  type Purpose,
  relyingPartyOf,
  verifyAdded,
  verifyUsed,
} from "./passkeys"
import {
  confirmFactor,
  countRecoveryCodes,
  deleteChallengesBefore,
  deleteFactor,
  deleteFactorsOf,
  deleteUnconfirmed,
  type FactorRow,
  findFactor,
  findFactors,
  findPasskey,
  findSessions,
  hasFactor,
  insertFactor,
  isSessionOf,
  replaceRecoveryCodes,
  useChallenge,
  usePasskey,
  useRecoveryCode,
  useStep,
} from "./store"

type Deps = {
  db: Database
  /** Signs the challenges. */
  secret: string
  publicUrl: string | null
  sessions: {
    end(tx: Tx, id: string): void
    endAll(tx: Tx, user: string, exceptId: string | null): void
  }
  onChange: (tx: Tx) => void
}

/** Nobody has more devices, and a sign-in looks at each. */
const mostFactors = 10
const mostSessions = 200

/** The second factors of users: one-time codes, passkeys and recovery codes, and the list of their sessions. */
export function factorService(deps: Deps) {
  const { db, publicUrl } = deps
  const party = relyingPartyOf(publicUrl)
  const offeredParty = () => {
    if (party === null) throw notOffered()
    return party
  }
  return {
    /** True if browsers have passkeys for the URL of this server. */
    offersPasskeys: party !== null,

    list: (caller: Caller, isRequired: boolean): Factors => ({
      factors: findFactors(db, caller.userId).map(shown),
      recoveryCodesLeft: countRecoveryCodes(db, caller.userId),
      isRequired,
      offersPasskeys: party !== null,
    }),

    has: (user: string): boolean => hasFactor(db, user),

    addTotp: (tx: Tx, caller: Caller, name: string): NewTotp => addTotp(deps, tx, caller, name),
    confirm: (tx: Tx, caller: Caller, id: string, code: string) => confirm(deps, tx, caller, id, code),
    remove: (tx: Tx, caller: Caller, id: string): void => remove(deps, tx, caller, id),

    renewRecoveryCodes(tx: Tx, { userId }: Caller) {
      if (!hasFactor(db, userId))
        throw invalid("id", "RULE", "needs a second factor first", { rule: "NO_FACTOR" })
      tx.audit("auth.renew-recovery-codes", userId, {}, { kind: "users" })
      return newCodes(db, userId)
    },

    /** Deletes all factors of a user who has lost them. */
    resetAll(tx: Tx, user: string): number {
      const count = deleteFactorsOf(db, user)
      tx.audit("users.reset-factors", user)
      deps.sessions.endAll(tx, user, null)
      return count
    },

    /**
     * Checks the code of a sign-in whose password is right, and uses it up. A user without factors needs none. It throws
     * what `wrong` returns for a code that is wrong or was used before.
     */
    useCode(tx: Tx, user: string, code: string | null, wrong: () => Refusal): void {
      const factors = findFactors(db, user)
      if (factors.length === 0) return
      if (code === null) throw codeNeeded(factors)
      if (!isUsed(deps, tx, { user, factors }, code)) throw wrong()
    },

    optionsToAdd(caller: Caller) {
      const { userId: id, email, name, credentialId } = caller
      const challenge = newChallenge(deps.secret, `add ${credentialId}`)
      return optionsToAdd(offeredParty(), { id, email, name }, challenge, findFactors(db, id))
    },

    /** Verifies a passkey, which takes time. The returned function stores it. */
    async readPasskey(caller: Caller, name: string, response: Record<string, unknown>) {
      const purpose: Purpose = `add ${caller.credentialId}`
      const isExpected = (challenge: string) => isChallenge(deps.secret, purpose, challenge)
      const made = await verifyAdded({ party: offeredParty(), response, isExpected })
      return (tx: Tx) => addPasskey(deps, tx, { caller, name, made, challenge: challengeIn(response) })
    },

    optionsToSignIn: () => optionsToSignIn(offeredParty(), newChallenge(deps.secret, "sign-in")),

    /** Verifies a sign-in with a passkey. Returns its user and a function that uses the answer up; null if it is wrong. */
    verifySignIn: (response: Record<string, unknown>) => verifySignIn(deps, offeredParty(), response),

    sessions: ({ userId, credentialId }: Caller): Session[] =>
      findSessions(db, userId, mostSessions).map((each) => ({
        ...each,
        isCurrent: each.id === credentialId,
      })),

    endSession(tx: Tx, { userId }: Caller, id: string): void {
      if (!isSessionOf(db, userId, id)) throw notFound("session", id)
      tx.audit("auth.end-session", userId, {}, { kind: "users" })
      deps.sessions.end(tx, id)
    },

    /** Maintenance. */
    deleteExpired: (): void => deleteChallengesBefore(db, real.now()),
  }
}

export type FactorService = ReturnType<typeof factorService>

const shown = ({ id, type, name, createdAt, lastUsedAt }: FactorRow): Factor => ({
  id,
  type,
  name,
  createdAt,
  lastUsedAt,
})

const noFactor = {
  secret: null,
  lastStep: null,
  credential: null,
  publicKey: null,
  uses: null,
  transports: null,
  confirmedAt: null,
  lastUsedAt: null,
}

function assertRoom(db: Database, user: string): void {
  if (findFactors(db, user).length >= mostFactors)
    throw invalid("type", "RULE", `would be one factor too many: the maximum is ${mostFactors}`, {
      rule: "TOO_MANY",
      max: mostFactors,
    })
}

/** Begins to add one-time codes. They count when a first code has shown that the app has the secret. */
function addTotp({ db }: Deps, tx: Tx, { userId, email }: Caller, name: string): NewTotp {
  assertRoom(db, userId)
  deleteUnconfirmed(db, userId)
  const [id, secret] = [newId("fac", tx.now), newTotpSecret()]
  insertFactor(db, {
    ...noFactor,
    id,
    user: userId,
    type: "totp",
    name,
    secret,
    lastStep: 0,
    createdAt: real.now(),
  })
  return { id, secret, uri: totpUri(secret, email) }
}

function confirm(deps: Deps, tx: Tx, { userId, credentialId }: Caller, id: string, code: string) {
  const { db } = deps
  const factor = findFactor(db, userId, id)
  if (!factor || factor.secret === null || factor.confirmedAt !== null)
    throw notFound("factor to confirm", id)
  const step = stepOf(factor.secret, plainCode(code), real.seconds())
  if (step === null)
    throw invalid("code", "RULE", "is wrong; check the clock of the device, and try the next code", {
      rule: "WRONG_CODE",
    })
  confirmFactor(db, id, step, real.now())
  return added(deps, tx, { user: userId, name: factor.name, session: credentialId })
}

/** After a factor was added: the other sessions were opened without it. */
function added(
  { db, sessions, onChange }: Deps,
  tx: Tx,
  given: { user: string; name: string; session: string },
) {
  const { user, name, session } = given
  tx.audit("auth.add-factor", user, { name: { from: null, to: name } }, { kind: "users" })
  sessions.endAll(tx, user, session)
  onChange(tx)
  return newCodes(db, user)
}

/** Replaces the recovery codes of a user. */
function newCodes(db: Database, user: string): { recoveryCodes: string[] } {
  const recoveryCodes = newRecoveryCodes()
  replaceRecoveryCodes(db, user, recoveryCodes.map(recoveryDigest))
  return { recoveryCodes }
}

function remove({ db, onChange }: Deps, tx: Tx, { userId }: Caller, id: string): void {
  const factor = findFactor(db, userId, id)
  if (!factor) throw notFound("factor", id)
  deleteFactor(db, id)
  // Codes that nobody needs any more must not become valid again with the next factor.
  if (!hasFactor(db, userId)) deleteFactorsOf(db, userId)
  tx.audit("auth.remove-factor", userId, { name: { from: factor.name, to: null } }, { kind: "users" })
  onChange(tx)
}

type Holder = { user: string; factors: readonly FactorRow[] }

/** Uses up a code, each once. Returns false if it is none of the user's. */
function isUsed({ db }: Deps, tx: Tx, { user, factors }: Holder, code: string): boolean {
  if (isTotpCode(code))
    return factors.some(({ id, secret, lastStep }) => {
      const step = secret === null ? null : stepOf(secret, plainCode(code), real.seconds())
      if (step === null || step <= (lastStep ?? 0)) return false
      useStep(db, id, step, real.now())
      return true
    })
  if (!useRecoveryCode(db, user, recoveryDigest(code))) return false
  tx.audit("auth.use-recovery-code", user, {}, { kind: "users" })
  return true
}

type NewPasskey = { caller: Caller; name: string; made: AddedPasskey | null; challenge: string | null }

function addPasskey(deps: Deps, tx: Tx, { caller, name, made, challenge }: NewPasskey) {
  const { db } = deps
  const { userId, credentialId } = caller
  if (!made || !isFirstAnswer(db, challenge))
    throw invalid("response", "RULE", "is not valid for this page, user and request; ask for new options", {
      rule: "WRONG_PASSKEY",
    })
  assertRoom(db, userId)
  if (findPasskey(db, made.credential ?? "") !== null)
    throw invalid("response", "RULE", "is a passkey that is stored already", { rule: "WRONG_PASSKEY" })
  const now = real.now()
  const factor: FactorRow = {
    ...noFactor,
    ...made,
    id: newId("fac", tx.now),
    user: userId,
    type: "passkey",
    name,
    confirmedAt: now,
    createdAt: now,
  }
  insertFactor(db, factor)
  return { ...shown(factor), ...added(deps, tx, { user: userId, name, session: credentialId }) }
}

/** Uses a challenge up. Returns false if it was answered before. */
const isFirstAnswer = (db: Database, challenge: string | null): boolean =>
  challenge !== null &&
  useChallenge(db, digestOf(challenge), timestampOf(millisOf(real.now()) + challengeLifetime))

async function verifySignIn(
  { db, secret }: Deps,
  party: Parameters<typeof verifyUsed>[0]["party"],
  response: Record<string, unknown>,
): Promise<{ user: string; use: (tx: Tx) => boolean } | null> {
  const { id } = response
  const factor = typeof id === "string" ? findPasskey(db, id) : null
  if (!factor) return null
  const isExpected = (challenge: string) => isChallenge(secret, "sign-in", challenge)
  const uses = await verifyUsed({ party, response, isExpected }, factor)
  if (uses === null) return null
  return {
    user: factor.user,
    /** Runs in the write that opens the session. The passkey may have been removed meanwhile. */
    use(): boolean {
      const now = findPasskey(db, factor.credential ?? "")
      if (now?.id !== factor.id || !isFirstAnswer(db, challengeIn(response))) return false
      usePasskey(db, factor.id, uses, real.now())
      return true
    },
  }
}

function codeNeeded(factors: readonly FactorRow[]): Refusal {
  const types = [...new Set(factors.map(({ type }) => type))]
  const message = types.includes("totp")
    ? "Send the code of your second factor as `code`: six digits of the authenticator app, or a recovery code."
    : "Sign in with your passkey, or send a recovery code as `code`."
  return new Refusal("SECOND_FACTOR_REQUIRED", message, {
    details: [fieldError("code", "REQUIRED", "is required", { allowed: types })],
  })
}

const notFound = (noun: string, id: string): Refusal =>
  new Refusal("NOT_FOUND", `There is no ${noun} with the id ${id.slice(0, 100)}.`)

const notOffered = (): Refusal =>
  new Refusal(
    factorRefusals.PASSKEYS_NOT_AVAILABLE,
    "Passkeys need a name and https: set --public-url to https://…, or open http://localhost.",
  )
