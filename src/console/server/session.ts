import { actorOf } from "../../core/http/request/call"
import { ok, okSecret } from "../../core/http/answer/envelope"
import { checked, page, type RouteCall, type Route } from "../../core/http/route/route"
import { assertOwnPage } from "../../core/http/request/hosts"
import { Refusal } from "../../core/lib/refusal"
import { loginBody, type SignedIn } from "../../office/auth/model"
import type { AuthService } from "../../office/auth/service"
import { passkeySignInBody } from "../../office/factors/model"
import { readParams } from "../../core/kind/query"
import { sessionCookie, sessionPath } from "./session-cookie"

const path = sessionPath

type Deps = {
  auth: AuthService
  /** True if browsers connect over https. */
  isSecure: boolean
  /** The URL under which browsers connect; null if it is not configured. */
  publicUrl: string | null
  idleMinutes: () => number
  /** True while there is no admin, and the setup link creates the first one. */
  needsAdmin: () => boolean
  /** True if the server is a demo, whose clock and data can be set in the console. */
  isDemo: boolean
  /** True if a person who has forgotten the password can get a link by mail. */
  sendsLinks: () => boolean
  /** True if browsers have passkeys for the URL of this server. */
  offersPasskeys: boolean
  /** The providers with which people can sign in, by what their buttons say, and where they lead. */
  signInWith: () => { name: string; url: string }[]
  /** False if all but one admin sign in with a provider. */
  hasPasswords: () => boolean
}

/**
 * The routes of the console's session. The refresh token is in a cookie that scripts cannot read and other sites cannot
 * send. The page gets only the access token, and stores it in memory only.
 */
export function consoleSession({ auth, isSecure, publicUrl, idleMinutes, ...asked }: Deps): Route[] {
  const gone = (request: Request) => cookieFor(request).write("", 0)
  const guard = ({ request, call }: RouteCall): void => {
    readParams(call.query)
    assertOwnPage(request, { publicUrl, isSecure }, "Only the console can send this request.")
  }

  const answer = ({ token, refreshToken, expiresIn, user }: SignedIn, { call, request, set }: RouteCall) => {
    set.headers["set-cookie"] = cookieFor(request).write(refreshToken, idleMinutes() * 60)
    const demo = asked.isDemo ? { isDemo: true } : {}
    return okSecret(call, { token, expiresIn, user, idleMinutes: idleMinutes(), ...demo })
  }

  const refresh = async (input: RouteCall) => {
    const refreshToken = cookieFor(input.request).read(input.request)
    if (!refreshToken) throw new Refusal("INVALID_REFRESH_TOKEN", "You are not signed in.")
    try {
      return answer(await auth.refresh({ refreshToken }, actorOf(input.call)), input)
    } catch (error) {
      if (error instanceof Refusal && error.status === 401)
        input.set.headers["set-cookie"] = gone(input.request)
      throw error
    }
  }

  const signOut = async ({ request, call, set }: RouteCall) => {
    const refreshToken = cookieFor(request).read(request)
    if (refreshToken) await auth.logoutByToken(refreshToken, actorOf(call))
    set.headers["set-cookie"] = gone(request)
    set.status = 204
  }

  return [
    page("POST", path, async (input) => answer(await auth.login(input.body, actorOf(input.call)), input), {
      body: checked(loginBody),
      guard,
    }),
    page(
      "POST",
      `${path}/passkey`,
      async (input) => answer(await auth.signInByPasskey(input.body, actorOf(input.call)), input),
      { body: checked(passkeySignInBody), guard },
    ),
    page("POST", `${path}/refresh`, refresh, { guard }),
    page("DELETE", path, signOut, { guard }),
    // Browsers send no origin with a GET request of the page itself.
    page(
      "GET",
      `${path}/setup`,
      () =>
        ok({
          needsAdmin: asked.needsAdmin(),
          sendsLinks: asked.sendsLinks(),
          offersPasskeys: asked.offersPasskeys,
          signInWith: asked.signInWith(),
          hasPasswords: asked.hasPasswords(),
        }),
      { guard: ({ call }) => void readParams(call.query) },
    ),
  ]
}

/**
 * Returns the session cookie for the port and protocol of the page's origin. The guard has already checked the origin.
 */
const cookieFor = (request: Request) => sessionCookie(new URL(request.headers.get("origin") ?? ""))
