import { actorOf, type Call } from "../../../core/http/request/call"
import { page, type Route } from "../../../core/http/route/route"
import { assertNoErrors, Refusal } from "../../../core/lib/refusal"
import type { AuthService } from "../../auth/service"
import type { SessionStore } from "../../auth/sessions"
import type { SessionUser } from "../../auth/store"
import { type Browser, browserCookies, type BrowserCookies } from "./browser"
import type { OAuthClientService } from "../client-service"
import { givenTwice, type OAuthCode, OAuthFailure, type Params, readForm } from "../form"
import type { Ask, OAuthClient } from "../model"
import { authorizeOperation } from "../operations"
import { consentPage, expiredPage, factorPage, pageResponse, signInPage, untrustedPage } from "./pages"
import { audienceOf, scopesFor } from "../audience"
import { isChallenge, readScopes, scopesWithin } from "../rules"
import type { OAuthService } from "../service"
import type { Html } from "../../../core/lib/html"
import { loginBody } from "../../auth/model"
import { isRegistered } from "../redirect-uri"

type Deps = {
  oauth: OAuthService
  clients: OAuthClientService
  auth: AuthService
  sessions: SessionStore
  issuer: () => string
  secret: string
  isSecure: boolean
  publicUrl: string | null
  mustAddFactor: (user: SessionUser) => boolean
  /** Records a request that was refused with 403. */
  noteRefused: (call: Call, code: string) => void
  /** The providers with which people can sign in, and where that begins. */
  signInWith: () => { name: string; url: string }[]
}

/** The pages where a client sends people: they sign in, read what the client requests, and allow or deny it. */
export function authorizeRoutes(deps: Deps): Route[] {
  const cookies = browserCookies(deps)
  const steps = { ...deps, cookies }
  return [
    page(
      "GET",
      "/oauth/authorize",
      ({ request, call }) =>
        withAsk(deps, call, (ask) => {
          // This GET creates a code, so HEAD must not do the same.
          if (request.method === "HEAD") throw onlyGet()
          const known = cookies.read(request)
          const { browser, cookie } = known ? { browser: known, cookie: null } : cookies.make(request, null)
          return proceed(steps, ask, browser, call, cookie)
        }),
      { operation: authorizeOperation },
    ),
    page("POST", "/oauth/authorize", ({ request, call }) =>
      withAsk(deps, call, async (ask) => {
        const browser = cookies.read(request)
        const form = browser && (await formOf(request))
        if (!browser || !form || !isOurs(steps, form, ask, browser, call)) {
          deps.noteRefused(call, "FORBIDDEN")
          return pageResponse(expiredPage(ask, call.query), { status: 403 })
        }
        return decide(steps, ask, form, { browser, call, request })
      }),
    ),
  ]
}

/** Parses the authorization request before `go`, because some of its errors must not be reported by a redirect. */
async function withAsk(
  { clients, issuer }: Deps,
  call: Call,
  go: (ask: Ask) => Promise<Response>,
): Promise<Response> {
  try {
    await clients.prepare(new URLSearchParams(call.query).get("client_id") ?? "")
    const ask = readAsk(call.query, clients, issuer())
    return "code" in ask ? refuse(issuer(), ask) : await go(ask)
  } catch (error) {
    if (error instanceof Untrusted) return pageResponse(untrustedPage(error.message), { status: 400 })
    throw error
  }
}

const formOf = (request: Request): Promise<Params | null> =>
  readForm(request).catch((error: unknown) => {
    if (error instanceof OAuthFailure) return null
    throw error
  })

/** True when a form came from our page in this browser. For `allow`, the page must have shown the current scopes. */
function isOurs(
  { cookies, sessions }: { cookies: BrowserCookies; sessions: SessionStore },
  form: Params,
  ask: Ask,
  browser: Browser,
  call: Call,
): boolean {
  const given = form.get("form_token") ?? ""
  const grantor = grantorOf({ sessions }, browser)
  if (form.get("action") !== "allow" || !grantor) return cookies.isFormToken(given, browser, call.query)
  return cookies.isFormToken(given, browser, call.query, scopesWithin(ask.scopes, grantor.role).join(" "))
}

const onlyGet = () =>
  new Refusal("METHOD_NOT_ALLOWED", "HEAD is not allowed here. Allowed: GET, POST.", {
    headers: { allow: "GET, POST" },
  })

type GrantorOfDeps = {
  oauth: OAuthService
  auth: AuthService
  sessions: SessionStore
  issuer: () => string
  cookies: BrowserCookies
  /** True for a user who must add a second factor before anything else. */
  mustAddFactor: (user: SessionUser) => boolean
  signInWith: Deps["signInWith"]
}

/** A submitted form, and the browser it came from. */
type Visit = { browser: Browser; call: Call; request: Request }

/** Returns the user who is signed in with this browser. */
function grantorOf({ sessions }: Pick<GrantorOfDeps, "sessions">, { sessionId }: Browser) {
  const owner = sessionId === null ? null : sessions.ownerOf(sessionId)
  return sessionId !== null && owner?.client === null ? { ...owner, session: sessionId } : null
}

/** The next step of a valid request: the sign-in page, the consent page, or a redirect back to the client. */
async function proceed(
  deps: GrantorOfDeps,
  ask: Ask,
  browser: Browser,
  call: Call,
  cookie: string | null,
): Promise<Response> {
  const { oauth, cookies, issuer } = deps
  const grantor = grantorOf(deps, browser)
  const token = cookies.formToken(browser, call.query)
  const show = (page: Html) => pageResponse(page, { status: 200, cookie, redirectUri: ask.redirectUri })
  if (!grantor) return show(signInPage(ask, { token, query: call.query, others: deps.signInWith() }))
  if (deps.mustAddFactor(grantor)) return show(factorPage())
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
async function decide(deps: GrantorOfDeps, ask: Ask, form: Params, visit: Visit): Promise<Response> {
  const { oauth, auth, cookies, issuer } = deps
  const { browser, call, request } = visit
  const action = form.get("action")
  if (action === "sign-in") return signIn(deps, ask, form, visit)
  const grantor = grantorOf(deps, browser)
  if (!grantor || deps.mustAddFactor(grantor)) return proceed(deps, ask, browser, call, null)
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
  deps: GrantorOfDeps,
  ask: Ask,
  form: Params,
  { browser, call, request }: Visit,
): Promise<Response> {
  const { auth, sessions, cookies } = deps
  const email = form.get("email") ?? ""
  try {
    const { values, errors } = loginBody.read({
      email,
      password: form.get("password") ?? "",
      code: form.get("code") || null,
    })
    assertNoErrors(errors)
    const { refreshToken } = await auth.login(values, actorOf(call))
    const made = cookies.make(request, sessions.find(refreshToken)?.id ?? null)
    return await proceed(deps, ask, made.browser, call, made.cookie)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    const token = cookies.formToken(browser, call.query)
    const problem = error.status === 422 ? "Enter your email address and your password." : error.message
    const page = signInPage(ask, { token, query: call.query, email, problem, others: deps.signInWith() })
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

type Answer = Record<string, string | null>

/** Redirects the browser back to the client, with a 303 so that the browser does not send our form to it. */
const goBack = (issuer: string, uri: string, answer: Answer, cookie: string | null = null): Response =>
  redirect(withParams(uri, { ...answer, iss: issuer }), cookie, { "referrer-policy": "no-referrer" })

/** Reports to the client why it gets no code. */
const refuse = (
  issuer: string,
  { redirectUri, state, code, message }: Refused,
  cookie: string | null = null,
): Response => goBack(issuer, redirectUri, { error: code, error_description: message, state }, cookie)

/** Redirects the browser to the first page, because the last page is out of date. */
const startAgain = ({ query }: Call, cookie: string | null = null): Response =>
  redirect(`/oauth/authorize?${query}`, cookie)

const redirect = (location: string, cookie: string | null, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location, ...headers, ...(cookie ? { "set-cookie": cookie } : {}) },
  })

/** An error that is not reported to the client, because its identity or its redirect URI is not verified. */
class Untrusted extends Error {}

/** An error that is reported to the client by a redirect, because the client and its redirect URI are known. */
type Refused = { redirectUri: string; state: string | null; code: OAuthCode; message: string }

/** Parses an authorization request. An invalid client or redirect URI is never reported by a redirect. */
function readAsk(query: string, clients: OAuthClientService, issuer: string): Ask | Refused {
  const params = new URLSearchParams(query)
  const only = (name: string): string | null => {
    const values = params.getAll(name)
    if (values.length > 1) throw givenTwice(name)
    return values[0] || null
  }
  const { client, redirectUri } = readPlace(params, clients)
  const state = params.get("state")
  const refuse = (code: OAuthCode, message: string): Refused => ({ redirectUri, state, code, message })
  try {
    only("state")
    const responseType = only("response_type")
    if (responseType === null) return refuse("invalid_request", "response_type is missing.")
    if (responseType !== "code") return refuse("unsupported_response_type", "response_type must be code.")
    const challenge = only("code_challenge")
    const method = only("code_challenge_method")
    if (challenge === null) return refuse("invalid_request", "code_challenge is missing: PKCE is required.")
    if (method !== "S256") return refuse("invalid_request", "code_challenge_method must be S256.")
    if (!isChallenge(challenge))
      return refuse("invalid_request", "code_challenge must be a SHA-256 in base64url.")
    const audience = audienceOf(only("resource"), issuer)
    if (audience === null) return refuse("invalid_target", "This server issues no tokens for the resource.")
    if (client.metadataUrl !== null && audience !== "mcp")
      return refuse(
        "invalid_target",
        "An app that is not registered here may only ask for the tools of assistants.",
      )
    const scopes = scopesFor(audience, readScopes(only("scope"), client.scopes) ?? [])
    if (scopes.length === 0)
      return refuse(
        "invalid_scope",
        `This client may request ${scopesFor(audience, client.scopes).join(", ") || "nothing for this resource"}.`,
      )
    for (const name of new Set(params.keys())) only(name)
    return { client, redirectUri, state, challenge, scopes, audience }
  } catch (error) {
    if (error instanceof OAuthFailure) return refuse(error.code, error.message)
    throw error
  }
}

function readPlace(
  params: URLSearchParams,
  clients: OAuthClientService,
): { client: OAuthClient; redirectUri: string } {
  const [ids, addresses] = [params.getAll("client_id"), params.getAll("redirect_uri")]
  const [id, redirectUri] = [ids[0], addresses[0]]
  if (ids.length > 1 || addresses.length > 1)
    throw new Untrusted(
      "The request of the app contains a parameter more than once. Nothing was sent to the app.",
    )
  const client = id ? clients.findAsking(id) : null
  if (!client) throw new Untrusted("The app that sent you here is not registered.")
  if (!redirectUri || !isRegistered(redirectUri, client.redirectUris))
    throw new Untrusted(
      "The app asked for a redirect to an address that is not registered for it. Nothing was sent there.",
    )
  return { client, redirectUri }
}

/** Adds parameters to a URI. It keeps its existing parameters. */
function withParams(uri: string, more: Record<string, string | null>): string {
  const given = Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`
}
