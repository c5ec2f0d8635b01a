import type { Call } from "../../core/http/request/call"
import { page, type Route } from "../../core/http/route/route"
import { Refusal } from "../../core/lib/refusal"
import type { AuthService } from "../auth/service"
import type { SessionStore } from "../auth/sessions"
import { readAsk, Untrusted } from "./ask"
import { decide, grantorOf, proceed } from "./authorize-steps"
import { browserCookies, type Browser, type BrowserCookies } from "./browser"
import type { OAuthClientService } from "./client-service"
import { OAuthFailure } from "./failure"
import { readForm, type Params } from "./form"
import type { Ask } from "./model"
import { authorizeOperation } from "./operations"
import { expiredPage, pageResponse, untrustedPage } from "./pages"
import { refuse } from "./redirects"
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
  /** Records a request that was refused with 403. */
  noteRefused: (call: Call, code: string) => void
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
    const ask = readAsk(call.query, clients)
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
