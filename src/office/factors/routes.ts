import { Type } from "@sinclair/typebox"
import type { Caller } from "../../core/caller"
import { ok, okSecret } from "../../core/http/answer/envelope"
import { actorOf, type Call, callerOf } from "../../core/http/request/call"
import type { Writes } from "../../core/http/request/write"
import { action, checked, get, handled, remove, type Route } from "../../core/http/route/route"
import { readParams } from "../../core/kind/query"
import type { Tx } from "../../core/write/writer"
import type { Right } from "../../shared/rights"
import { SignedIn } from "../auth/model"
import type { AuthService } from "../auth/service"
import {
  confirmBody,
  Factors,
  NewPasskey,
  NewTotp,
  passkeyBody,
  PasskeyOptions,
  passkeySignInBody,
  passwordOnlyBody,
  RecoveryCodes,
  Session,
  totpBody,
} from "./model"
import type { FactorService } from "./service"

/** Only the person itself sees and changes its factors, also while it must add one first. */
const see: Right = { area: "own", scope: "read", personal: true, duringSetup: true }
const change: Right = { area: "own", scope: "write", personal: true, duringSetup: true }
const tag = "auth"

type Deps = {
  auth: AuthService
  factors: FactorService
  writes: Writes
  isRequired: (caller: Caller) => boolean
}

export const factorRoutes = (deps: Deps): Route[] => [
  ...ownRoutes(deps),
  ...passwordRoutes(deps),
  ...passkeyRoutes(deps),
  ...sessionRoutes(deps),
]

/** Runs a write of a caller who has also sent the present password. Checking it takes time. */
async function withPassword<T>(
  { auth, writes }: Deps,
  call: Call,
  password: string,
  work: (tx: Tx, caller: Caller) => T,
): Promise<T> {
  writes.assertStillMay(call)
  const { assertRight } = await auth.confirmPassword(password, callerOf(call), actorOf(call))
  const written = await writes.runWrite(call, (tx) => {
    assertRight()
    return work(tx, callerOf(call))
  })
  return written.value
}

const ownRoutes = ({ factors, isRequired }: Deps): Route[] => [
  get(
    "/auth/factors",
    {
      may: see,
      id: "listFactors",
      tag,
      summary: "List the caller's second factors",
      answer: { status: 200, description: "The factors.", schema: Factors },
    },
    ({ call }) => {
      readParams(call.query)
      const caller = callerOf(call)
      return ok(factors.list(caller, isRequired(caller)))
    },
  ),
  action(
    "/auth/factors/:id/confirm",
    {
      may: change,
      id: "confirmFactor",
      tag,
      summary: "Confirm one-time codes with a first code",
      description:
        "From now on the password alone does not sign the caller in. Ends the caller's other sessions. The recovery codes are shown only here; earlier ones stop working.",
      names: { id: "factor" },
      takesIfMatch: false,
      body: checked(confirmBody),
      answer: { status: 200, description: "The recovery codes.", schema: RecoveryCodes },
      refuses: [404],
    },
    (tx, { caller, params, body, call }) => {
      call.isSecret = true
      return factors.confirm(tx, caller, params["id"] ?? "", body.code)
    },
  ),
]

/** Changes that ask for the present password, so that a browser that was left open is not enough. */
const passwordRoutes = (deps: Deps): Route[] => [
  handled(
    "POST",
    "/auth/factors",
    {
      may: change,
      id: "addFactor",
      tag,
      summary: "Begin to add one-time codes",
      description:
        "Returns a secret for an authenticator app. The factor counts after `POST /auth/factors/{id}/confirm`.",
      body: checked(totpBody),
      answer: { status: 201, description: "The secret.", schema: NewTotp },
    },
    async ({ call, body, set }) => {
      const made = await withPassword(deps, call, body.currentPassword, (tx, caller) =>
        deps.factors.addTotp(tx, caller, body.name),
      )
      set.status = 201
      return okSecret(call, made)
    },
  ),
  handled(
    "DELETE",
    "/auth/factors/:id",
    {
      may: change,
      id: "removeFactor",
      tag,
      summary: "Remove a second factor",
      description: "Without factors the password alone signs the caller in again.",
      names: { id: "factor" },
      body: checked(passwordOnlyBody),
      answer: { status: 204, description: "Removed." },
      refuses: [404],
    },
    async ({ call, params, body, set }) => {
      await withPassword(deps, call, body.currentPassword, (tx, caller) =>
        deps.factors.remove(tx, caller, params["id"] ?? ""),
      )
      set.status = 204
    },
  ),
  handled(
    "POST",
    "/auth/recovery-codes",
    {
      may: change,
      id: "renewRecoveryCodes",
      tag,
      summary: "Get new recovery codes",
      description: "The earlier ones stop working.",
      body: checked(passwordOnlyBody),
      answer: { status: 200, description: "The recovery codes.", schema: RecoveryCodes },
    },
    async ({ call, body }) =>
      okSecret(call, await withPassword(deps, call, body.currentPassword, deps.factors.renewRecoveryCodes)),
  ),
  handled(
    "POST",
    "/auth/passkeys/options",
    {
      may: change,
      id: "getPasskeyOptions",
      tag,
      summary: "Get the options for a new passkey",
      description:
        "They are for `navigator.credentials.create()`, and valid for 5 minutes in this session. Passkeys work under the host of `--public-url` with https, or under `localhost` (422 `PASSKEYS_NOT_AVAILABLE` otherwise).",
      body: checked(passwordOnlyBody),
      answer: { status: 200, description: "The options of WebAuthn.", schema: PasskeyOptions },
      refuses: [422],
    },
    async ({ call, body }) => {
      await withPassword(deps, call, body.currentPassword, () => undefined)
      return okSecret(call, await deps.factors.optionsToAdd(callerOf(call)))
    },
  ),
]

const passkeyRoutes = ({ auth, factors, writes }: Deps): Route[] => [
  handled(
    "POST",
    "/auth/passkeys",
    {
      may: change,
      id: "addPasskey",
      tag,
      summary: "Add a passkey",
      description:
        "Takes the result of `navigator.credentials.create()` as JSON. Ends the caller's other sessions. The recovery codes are shown only here; earlier ones stop working.",
      body: checked(passkeyBody),
      answer: { status: 201, description: "The passkey, and the recovery codes.", schema: NewPasskey },
    },
    async ({ call, body, set }) => {
      writes.assertStillMay(call)
      const store = await factors.readPasskey(callerOf(call), body.name, body.response)
      const made = (await writes.runWrite(call, store)).value
      set.status = 201
      return okSecret(call, made)
    },
  ),
  handled(
    "POST",
    "/auth/passkeys/sign-in/options",
    {
      may: null,
      id: "getSignInOptions",
      tag,
      summary: "Get the options for signing in with a passkey",
      description: "They are for `navigator.credentials.get()`, and valid for 5 minutes.",
      answer: { status: 200, description: "The options of WebAuthn.", schema: PasskeyOptions },
      refuses: [422],
    },
    async () => ok(await factors.optionsToSignIn()),
  ),
  handled(
    "POST",
    "/auth/passkeys/sign-in",
    {
      may: null,
      id: "signInWithPasskey",
      tag,
      summary: "Sign in with a passkey",
      description:
        "Takes the result of `navigator.credentials.get()` as JSON. A passkey replaces the password and the code.",
      body: checked(passkeySignInBody),
      answer: { status: 200, description: "Signed in.", schema: SignedIn },
      refuses: [422],
    },
    async ({ call, body }) => okSecret(call, await auth.signInByPasskey(body, actorOf(call))),
  ),
]

const sessionRoutes = ({ factors }: Deps): Route[] => [
  get(
    "/auth/sessions",
    {
      may: see,
      id: "listSessions",
      tag,
      summary: "List the caller's sessions",
      description: "Of people, not of connected apps; the last used first.",
      answer: { status: 200, description: "The sessions.", schema: Type.Array(Session) },
    },
    ({ call }) => {
      readParams(call.query)
      return ok(factors.sessions(callerOf(call)))
    },
  ),
  remove(
    "/auth/sessions/:id",
    {
      may: change,
      id: "endSession",
      tag,
      summary: "End a session",
      names: { id: "session" },
      takesIfMatch: false,
      answer: { status: 204, description: "Ended." },
      refuses: [404],
    },
    (tx, { caller, params }) => {
      factors.endSession(tx, caller, params["id"] ?? "")
      return {}
    },
  ),
]
