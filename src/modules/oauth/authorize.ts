import { actorOf, type Call } from "../../http/call"
import { page, type Route } from "../../http/route"
import type { Html } from "../../lib/html"
import { assertNoErrors, Refusal } from "../../lib/refusal"
import type { AuthService } from "../auth/service"
import { loginBody } from "../auth/model"
import type { SessionStore } from "../auth/sessions"
import { readAsk, Untrusted, withParams, type Refused } from "./ask"
import { browserCookies, type Browser } from "./browser"
import type { OAuthClientService } from "./client-service"
import { OAuthFailure } from "./failure"
import { readForm, type Params } from "./form"
import type { Ask } from "./model"
import { consentPage, expiredPage, pageResponse, signInPage, untrustedPage } from "./pages"
import { scopesWithin } from "./rules"
import type { OAuthService } from "./service"

type Deps = {
  oauth: OAuthService
  clients: OAuthClientService
  auth: AuthService
  sessions: SessionStore
  issuer: () => string
  secret: string
  isSecure: boolean
  publicUrl: string | null
  /** Keeps a note of somebody who was told 403. */
  noteRefused: (call: Call, code: string) => void
}

/** A form that was sent, and the browser it came from. */
type Visit = { browser: Browser; call: Call; request: Request }

/** Where an application sends people: they sign in, read what it wants, and allow or deny it. */
export function authorizeRoutes({
  oauth,
  clients,
  auth,
  sessions,
  issuer,
  secret,
  isSecure,
  publicUrl,
  noteRefused,
}: Deps): Route[] {
  const cookies = browserCookies({ secret, isSecure, publicUrl })

  const giverOf = ({ sessionId }: Browser) => {
    const owner = sessionId === null ? null : sessions.ownerOf(sessionId)
    return sessionId !== null && owner?.client === null ? { ...owner, session: sessionId } : null
  }

  /** Back to the application, with a 303 so that no form is sent on to it. */
  const goBack = (
    uri: string,
    answer: Record<string, string | null>,
    cookie: string | null = null,
  ): Response =>
    new Response(null, {
      status: 303,
      headers: {
        location: withParams(uri, { ...answer, iss: issuer() }),
        "referrer-policy": "no-referrer",
        ...(cookie ? { "set-cookie": cookie } : {}),
      },
    })

  const refuse = ({ redirectUri, state, code, message }: Refused, cookie: string | null = null): Response =>
    goBack(redirectUri, { error: code, error_description: message, state }, cookie)

  /** What comes next for a request that is in order: sign in, agree, or go straight back. */
  const proceed = async (
    ask: Ask,
    browser: Browser,
    call: Call,
    cookie: string | null,
  ): Promise<Response> => {
    const giver = giverOf(browser)
    const token = cookies.formToken(browser, call.query)
    const show = (page: Html, status = 200) =>
      pageResponse(page, { status, cookie, redirectUri: ask.redirectUri })
    if (!giver) return show(signInPage(ask, { token, query: call.query }))
    const scopes = scopesWithin(ask.scopes, giver.role)
    if (scopes.length === 0)
      return refuse(
        { ...ask, code: "access_denied", message: "This user may do nothing of what was asked for." },
        cookie,
      )
    if (!oauth.isAllowed(ask, giver)) {
      const allowToken = cookies.formToken(browser, call.query, scopes.join(" "))
      return show(consentPage(ask, { token, allowToken, query: call.query, giver, scopes }))
    }
    const code = await oauth.allowAgain(ask, giver, asGiver(call, giver))
    return code === null
      ? startAgain(call, cookie)
      : goBack(ask.redirectUri, { code, state: ask.state }, cookie)
  }

  const signIn = async (ask: Ask, form: Params, { browser, call, request }: Visit): Promise<Response> => {
    const email = form.get("email") ?? ""
    try {
      const { values, errors } = loginBody.read({ email, password: form.get("password") ?? "" })
      assertNoErrors(errors)
      const entered = await auth.login(values, actorOf(call))
      const made = cookies.make(request, sessions.find(entered.refreshToken)?.id ?? null)
      return await proceed(ask, made.browser, call, made.cookie)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      const token = cookies.formToken(browser, call.query)
      const fault = error.status === 422 ? "Enter your e-mail address and your password." : error.message
      const page = signInPage(ask, { token, query: call.query, email, fault })
      return pageResponse(page, {
        status: error.status,
        cookie: null,
        redirectUri: ask.redirectUri,
        headers: error.headers,
      })
    }
  }

  const decide = async (ask: Ask, form: Params, visit: Visit): Promise<Response> => {
    const { browser, call, request } = visit
    if (form.get("action") === "sign-in") return signIn(ask, form, visit)
    const giver = giverOf(browser)
    if (!giver) return proceed(ask, browser, call, null)
    if (form.get("action") === "switch") {
      if (browser.sessionId) await auth.leaveSession(browser.sessionId, asGiver(call, giver))
      const made = cookies.make(request, null)
      return proceed(ask, made.browser, call, made.cookie)
    }
    if (form.get("action") !== "allow") {
      await oauth.deny(ask, asGiver(call, giver))
      return refuse({ ...ask, code: "access_denied", message: "The user has denied it." })
    }
    const code = await oauth.allow(ask, giver, asGiver(call, giver))
    return code === null ? startAgain(call) : goBack(ask.redirectUri, { code, state: ask.state })
  }

  /** Whether a form came from our own page, in this browser; and to allow, from one that showed what is allowed now. */
  const isOurs = (form: Params, ask: Ask, browser: Browser, call: Call): boolean => {
    const given = form.get("form_token") ?? ""
    const giver = giverOf(browser)
    if (form.get("action") !== "allow" || !giver) return cookies.isFormToken(given, browser, call.query)
    return cookies.isFormToken(given, browser, call.query, scopesWithin(ask.scopes, giver.role).join(" "))
  }

  /** Settles what no redirect may tell before anything else. */
  const withAsk = async (call: Call, go: (ask: Ask) => Promise<Response>): Promise<Response> => {
    try {
      const ask = readAsk(call.query, clients)
      return "code" in ask ? refuse(ask) : await go(ask)
    } catch (error) {
      if (error instanceof Untrusted) return pageResponse(untrustedPage(error.message), { status: 400 })
      throw error
    }
  }

  return [
    page("GET", "/oauth/authorize", ({ request, call }) =>
      withAsk(call, (ask) => {
        // It is the one GET that makes something; HEAD must not.
        if (request.method === "HEAD") throw onlyGet()
        const known = cookies.read(request)
        const { browser, cookie } = known ? { browser: known, cookie: null } : cookies.make(request, null)
        return proceed(ask, browser, call, cookie)
      }),
    ),
    page("POST", "/oauth/authorize", ({ request, call }) =>
      withAsk(call, async (ask) => {
        const browser = cookies.read(request)
        const form =
          browser &&
          (await readForm(request).catch((error: unknown) => {
            if (error instanceof OAuthFailure) return null
            throw error
          }))
        if (!browser || !form || !isOurs(form, ask, browser, call)) {
          noteRefused(call, "FORBIDDEN")
          return pageResponse(expiredPage(ask, call.query), { status: 403 })
        }
        return decide(ask, form, { browser, call, request })
      }),
    ),
  ]
}

/** Back to the first page: what was on the last one does not hold any more, and the first knows what does. */
const startAgain = ({ query }: Call, cookie: string | null = null): Response =>
  new Response(null, {
    status: 303,
    headers: { location: `/oauth/authorize?${query}`, ...(cookie ? { "set-cookie": cookie } : {}) },
  })

const onlyGet = () =>
  new Refusal("METHOD_NOT_ALLOWED", "HEAD is not possible here; GET, POST is.", {
    headers: { allow: "GET, POST" },
  })

const asGiver = (call: Call, giver: { id: string; name: string }) => ({
  ...actorOf(call),
  type: "user" as const,
  id: giver.id,
  name: giver.name,
})
