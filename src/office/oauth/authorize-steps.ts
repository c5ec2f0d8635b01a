import { actorOf, type Call } from "../../core/http/request/call"
import type { Html } from "../../core/lib/html"
import { assertNoErrors, Refusal } from "../../core/lib/refusal"
import { loginBody } from "../auth/model"
import type { AuthService } from "../auth/service"
import type { SessionStore } from "../auth/sessions"
import type { Browser, BrowserCookies } from "./browser"
import type { Params } from "./form"
import type { Ask } from "./model"
import { consentPage, pageResponse, signInPage } from "./pages"
import { goBack, refuse, startAgain } from "./redirects"
import { scopesWithin } from "./rules"
import type { OAuthService } from "./service"

type Deps = {
  oauth: OAuthService
  auth: AuthService
  sessions: SessionStore
  issuer: () => string
  cookies: BrowserCookies
}

/** A submitted form, and the browser it came from. */
type Visit = { browser: Browser; call: Call; request: Request }

/** Returns the user who is signed in with this browser. */
export function grantorOf({ sessions }: Pick<Deps, "sessions">, { sessionId }: Browser) {
  const owner = sessionId === null ? null : sessions.ownerOf(sessionId)
  return sessionId !== null && owner?.client === null ? { ...owner, session: sessionId } : null
}

/** The next step of a valid request: the sign-in page, the consent page, or a redirect back to the client. */
export async function proceed(
  deps: Deps,
  ask: Ask,
  browser: Browser,
  call: Call,
  cookie: string | null,
): Promise<Response> {
  const { oauth, cookies, issuer } = deps
  const grantor = grantorOf(deps, browser)
  const token = cookies.formToken(browser, call.query)
  const show = (page: Html) => pageResponse(page, { status: 200, cookie, redirectUri: ask.redirectUri })
  if (!grantor) return show(signInPage(ask, { token, query: call.query }))
  const scopes = scopesWithin(ask.scopes, grantor.role)
  if (scopes.length === 0)
    return refuse(
      issuer(),
      { ...ask, code: "access_denied", message: "The user has none of the requested scopes." },
      cookie,
    )
  if (!oauth.isAllowed(ask, grantor)) {
    const allowToken = cookies.formToken(browser, call.query, scopes.join(" "))
    return show(consentPage(ask, { token, allowToken, query: call.query, grantor, scopes }))
  }
  const code = await oauth.allowAgain(ask, grantor, asGrantor(call, grantor))
  return code === null
    ? startAgain(call, cookie)
    : goBack(issuer(), ask.redirectUri, { code, state: ask.state }, cookie)
}

/** Performs the user's choice in the form. */
export async function decide(deps: Deps, ask: Ask, form: Params, visit: Visit): Promise<Response> {
  const { oauth, auth, cookies, issuer } = deps
  const { browser, call, request } = visit
  const action = form.get("action")
  if (action === "sign-in") return signIn(deps, ask, form, visit)
  const grantor = grantorOf(deps, browser)
  if (!grantor) return proceed(deps, ask, browser, call, null)
  if (action === "switch") {
    if (browser.sessionId) await auth.leaveSession(browser.sessionId, asGrantor(call, grantor))
    const made = cookies.make(request, null)
    return proceed(deps, ask, made.browser, call, made.cookie)
  }
  if (action !== "allow") {
    await oauth.deny(ask, asGrantor(call, grantor))
    return refuse(issuer(), { ...ask, code: "access_denied", message: "The user denied the request." })
  }
  const code = await oauth.allow(ask, grantor, asGrantor(call, grantor))
  return code === null ? startAgain(call) : goBack(issuer(), ask.redirectUri, { code, state: ask.state })
}

async function signIn(
  deps: Deps,
  ask: Ask,
  form: Params,
  { browser, call, request }: Visit,
): Promise<Response> {
  const { auth, sessions, cookies } = deps
  const email = form.get("email") ?? ""
  try {
    const { values, errors } = loginBody.read({ email, password: form.get("password") ?? "" })
    assertNoErrors(errors)
    const { refreshToken } = await auth.login(values, actorOf(call))
    const made = cookies.make(request, sessions.find(refreshToken)?.id ?? null)
    return await proceed(deps, ask, made.browser, call, made.cookie)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    const token = cookies.formToken(browser, call.query)
    const problem = error.status === 422 ? "Enter your email address and your password." : error.message
    const page = signInPage(ask, { token, query: call.query, email, problem })
    return pageResponse(page, {
      status: error.status,
      cookie: null,
      redirectUri: ask.redirectUri,
      headers: error.headers,
    })
  }
}

const asGrantor = (call: Call, { id, name }: { id: string; name: string }) => ({
  ...actorOf(call),
  type: "user" as const,
  id,
  name,
})
