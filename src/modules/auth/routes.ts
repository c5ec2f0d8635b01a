import type { App } from "../../http/app"
import { readBody } from "../../http/body"
import { actorOf, callerOf, type Call } from "../../http/call"
import { ok } from "../../http/envelope"
import { subjectOf } from "../../http/rate-limit"
import { rightsOf, type Right } from "../../http/caller"
import type { Commits } from "../../http/write"
import type { Limiter } from "../../lib/limiter"
import type { Plans } from "../../shared/plans"
import { readParams } from "../../resource/query"
import type { SettingsService } from "../settings/service"
import * as operations from "./operations"
import type { AuthService } from "./service"

const anyone: Right = { area: "own", scope: "read" }
const person: Right = { area: "own", scope: "write", personal: true }

type Outside = Pick<Commits, "commit" | "assertStillMay"> & {
  limiter: Limiter
  plans: Plans
  company: SettingsService["about"]
}

/** Signing in, staying signed in and signing out. The first three are open: they are how a credential is got. */
export const authRoutes =
  (auth: AuthService, { commit, assertStillMay, limiter, plans, company }: Outside) =>
  (app: App) =>
    app
      .post(
        "/api/v1/auth/login",
        async ({ call, request }) => ok(await auth.login(await bodyOf(call, request), actorOf(call))),
        {
          parse: "none",
          detail: operations.login,
        },
      )
      .post(
        "/api/v1/auth/refresh",
        async ({ call, request }) => ok(await auth.refresh(await bodyOf(call, request), actorOf(call))),
        {
          parse: "none",
          detail: operations.refresh,
        },
      )
      .post(
        "/api/v1/setup",
        async ({ call, request }) => ok(await auth.setUp(await bodyOf(call, request), actorOf(call))),
        {
          parse: "none",
          detail: operations.setUp,
        },
      )
      .post(
        "/api/v1/auth/logout",
        async ({ call, set }) => {
          await commit(call, (tx) => auth.logout(tx, callerOf(call)))
          set.status = 204
        },
        { may: person, parse: "none", detail: operations.logout },
      )
      .post(
        "/api/v1/auth/logout-all",
        async ({ call, set }) => {
          await commit(call, (tx) => auth.logoutAll(tx, callerOf(call)))
          set.status = 204
        },
        { may: person, parse: "none", detail: operations.logoutAll },
      )
      .put(
        "/api/v1/auth/password",
        async ({ call, request }) => {
          const input = await bodyOf(call, request)
          assertStillMay(call)
          const change = await auth.changePassword(input, callerOf(call), actorOf(call))
          const { id, email, name, role } = (await commit(call, change)).value
          return ok({ id, email, name, role })
        },
        { may: person, parse: "none", detail: operations.changePassword },
      )
      .get(
        "/api/v1/auth/me",
        ({ call }) => {
          readParams(call.query)
          const { kind, userId, email, name, role, scopes, plan, credentialId, credentialName } =
            callerOf(call)
          const { subject, plan: numbers } = subjectOf(call, plans)
          return ok({
            id: userId,
            email,
            name,
            role,
            scopes,
            credential: { type: kind, id: credentialId, name: credentialName },
            rights: rightsOf(callerOf(call)),
            plan,
            limits: limiter.usage(subject, numbers),
            company: company(),
          })
        },
        { may: anyone, detail: operations.me },
      )

function bodyOf(call: Call, request: Request) {
  readParams(call.query)
  return readBody(request)
}
