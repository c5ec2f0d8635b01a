import { Type } from "@sinclair/typebox"
import { actorOf, callerOf, type Call } from "../../core/http/request/call"
import { rightsOfCaller } from "../../core/caller"
import { ok, okSecret } from "../../core/http/answer/envelope"
import { subjectOf } from "../../core/http/request/rate-limit"
import { action, checked, get, handled, type Route } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import type { Limiter } from "../../core/lib/limiter"
import type { BodyOf } from "../../core/kind/body"
import { readParams } from "../../core/kind/query"
import { timestampOf } from "../../shared/dates"
import type { Plans } from "../../shared/plans"
import type { Right } from "../../shared/rights"
import type { SettingsService } from "../settings/service"
import type { ForgottenPasswords } from "./forgotten"
import {
  forgotBody,
  loginBody,
  Me,
  passwordBody,
  refreshBody,
  resetBody,
  setUpBody,
  SignedIn,
  SignedInUser,
} from "./model"
import type { AuthService } from "./service"

const anyone: Right = { area: "own", scope: "read", duringSetup: true }
const person: Right = { area: "own", scope: "write", personal: true, duringSetup: true }
const tag = "auth"
const signedIn = { status: 200, description: "Signed in.", schema: SignedIn }
const signOut = {
  may: person,
  tag,
  takesIfMatch: false,
  answer: { status: 204, description: "Signed out." },
}

type Deps = {
  auth: AuthService
  forgotten: ForgottenPasswords
  writes: Writes
  limits: Limiter
  plans: Plans
  company: SettingsService["about"]
  issuer: () => string
}

/** Signing in, staying signed in and signing out. */
export const authRoutes = (deps: Deps): Route[] => [...openRoutes(deps), ...personRoutes(deps), meRoute(deps)]

/** Routes without a credential, because a caller gets its credential from them. */
const openRoutes = ({ auth, forgotten }: Deps): Route[] => [
  ...forgottenRoutes(forgotten),
  handled(
    "POST",
    "/auth/login",
    {
      may: null,
      id: "login",
      tag,
      summary: "Sign in",
      description:
        "Returns an access token that is valid for one hour, and a refresh token. After five wrong passwords for one email from one address, further attempts return 429, and the waiting time becomes longer each time. A user with a second factor also sends `code`; without it the response is 401 `SECOND_FACTOR_REQUIRED`, which does not count as a failure.",
      body: checked(loginBody),
      answer: signedIn,
    },
    async ({ call, body }) => okSecret(call, await auth.login(body, actorOf(call))),
  ),
  handled(
    "POST",
    "/auth/refresh",
    {
      may: null,
      id: "refresh",
      tag,
      summary: "Get a new access token",
      description:
        "Each refresh token is valid once; the response contains a new one. A repeated request within 10 seconds returns the same new token. If an old token is used later, the session ends.",
      body: checked(refreshBody),
      answer: signedIn,
    },
    async ({ call, body }) => okSecret(call, await auth.refresh(body, actorOf(call))),
  ),
  handled(
    "POST",
    "/setup",
    {
      may: null,
      id: "setUp",
      tag,
      summary: "Create the first admin",
      description:
        "Requires the token of the setup link, which a server without an admin prints at startup, and `kontor setup-link` at any time. Returns 404 when an admin exists.",
      body: { ...setUpBody, read: (input) => input },
      answer: signedIn,
      refuses: [404],
    },
    async ({ call, body }) => okSecret(call, await auth.setUp(body, actorOf(call))),
  ),
]

/** A new password for those who have forgotten theirs. */
const forgottenRoutes = (forgotten: ForgottenPasswords): Route[] => [
  handled(
    "POST",
    "/auth/forgot",
    {
      may: null,
      id: "forgotPassword",
      tag,
      summary: "Ask for a link to set a new password",
      description:
        "Sends a link to the user with this email address, which is valid for 30 minutes and works once. The response is the same if there is no such user, and if there were too many requests. It needs a server that sends mail (422 `MAIL_NOT_SET_UP` otherwise) and `--public-url`, to which the link leads.",
      body: checked(forgotBody),
      answer: {
        status: 202,
        description: "If there is such a user, a message follows.",
        schema: Type.Object({}, { $id: "Nothing" }),
      },
      refuses: [422],
    },
    async ({ call, body, set }) => {
      await forgotten.forgot(body, actorOf(call))
      set.status = 202
      return ok({})
    },
  ),
  handled(
    "POST",
    "/auth/reset",
    {
      may: null,
      id: "resetPassword",
      tag,
      summary: "Set a new password with a link",
      description:
        "Takes the secret of the link from `POST /auth/forgot`. All sessions of the user end; sign in with the new password.",
      body: checked(resetBody),
      answer: { status: 204, description: "The password is set." },
      refuses: [422],
    },
    async ({ call, body, set }) => {
      await forgotten.reset(body, actorOf(call))
      set.status = 204
    },
  ),
]

/** Routes that only a signed-in person may use for their own account. */
const personRoutes = ({ auth, writes }: Deps): Route[] => [
  action("/auth/logout", { ...signOut, id: "logout", summary: "Sign out" }, (tx, { caller }) =>
    auth.logout(tx, caller),
  ),
  action(
    "/auth/logout-all",
    { ...signOut, id: "logoutAll", summary: "Sign out everywhere" },
    (tx, { caller }) => auth.logoutAll(tx, caller),
  ),
  handled(
    "PUT",
    "/auth/password",
    {
      may: person,
      id: "changePassword",
      tag,
      summary: "Change the caller's password",
      description: "Ends the caller's other sessions.",
      body: checked(passwordBody),
      answer: { status: 200, description: "The caller.", schema: SignedInUser },
    },
    ({ call, body }) => changePassword(call, body, { auth, writes }),
  ),
]

async function changePassword(
  call: Call,
  body: BodyOf<typeof passwordBody>,
  { auth, writes }: Pick<Deps, "auth" | "writes">,
) {
  // Reading the body takes time and hashing is expensive, so the right is checked before it and again in the write.
  writes.assertStillMay(call)
  const change = await auth.changePassword(body, callerOf(call), actorOf(call))
  const { id, email, name, role } = (await writes.runWrite(call, change)).value
  return ok({ id, email, name, role })
}

const meRoute = ({ limits, plans, company, issuer }: Deps): Route =>
  get(
    "/auth/me",
    {
      may: anyone,
      id: "me",
      tag,
      summary: "Get the caller with its rights and remaining requests",
      answer: { status: 200, description: "The caller.", schema: Me },
    },
    ({ call }) => {
      readParams(call.query)
      const caller = callerOf(call)
      const { subject, plan: numbers } = subjectOf(call, plans)
      const me: Me = {
        id: caller.userId,
        email: caller.email,
        name: caller.name,
        role: caller.role,
        scopes: [...caller.scopes],
        credential: { type: caller.kind, id: caller.credentialId, name: caller.credentialName },
        mustAddFactor: caller.mustSetUp !== undefined,
        expiresAt: Number.isFinite(caller.endsAt) ? timestampOf(caller.endsAt) : null,
        rights: rightsOfCaller(caller),
        plan: caller.plan,
        limits: limits.usage(subject, numbers),
        company: { ...company(), publicUrl: issuer() },
      }
      return ok(me)
    },
  )
