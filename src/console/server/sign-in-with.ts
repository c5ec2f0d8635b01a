import { actorOf } from "../../core/http/request/call"
import { cookieAt } from "../../core/http/request/cookie"
import { page, type Route, type RouteCall } from "../../core/http/route/route"
import { real } from "../../core/lib/clock"
import { html } from "../../core/lib/html"
import { Refusal } from "../../core/lib/refusal"
import { newRandomSecret, sameSecret, signatureOf } from "../../core/lib/secret"
import type { AuthService } from "../../office/auth/service"
import type { BrowserCookies } from "../../office/oauth/consent/browser"
import { noticePage, pageResponse } from "../../office/oauth/consent/pages"
import type { OidcService } from "../../office/oidc/service"
import type { Proofs } from "../../office/oidc/provider"
import { sessionCookie } from "./session-cookie"

const path = "/console/session/with"
/** Somebody may have to find a password or a second factor, in seconds. */
const lifetime = 15 * 60
/** A query of `/oauth/authorize` that is longer is refused, because the state must fit into a URL. */
const longestReturn = 4_000

type Deps = {
  auth: AuthService
  oidc: OidcService
  issuer: () => string
  secret: string
  idleMinutes: () => number
  oauthCookies: BrowserCookies
}

/**
 * Signing in with a provider, in a browser. What was begun is in a cookie, so that nobody can end in one browser what was
 * begun in another one: the state, the nonce and the verifier are derived from its random mark, and never stored.
 */
export function signInWith(deps: Deps): Route[] {
  return [
    page("GET", `${path}/:provider`, (context) => shown(() => begin(deps, context))),
    page("GET", `${path}/:provider/callback`, (context) => shown(() => finish(deps, context))),
  ]
}

/** Errors are shown to people, and not as JSON. */
async function shown(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const link = html`<a href="/console/">Back to the sign-in page</a>`
    return pageResponse(noticePage("You are not signed in", error.message, link), {
      status: error.status,
      headers: error.headers,
    })
  }
}

async function begin(
  { oidc, issuer, secret }: Deps,
  { call, params, request }: RouteCall,
): Promise<Response> {
  assertGet(request)
  const key = params["provider"] ?? ""
  const back = new URLSearchParams(call.query).get("for") ?? ""
  if (back.length > longestReturn) throw new Refusal("BAD_REQUEST", "The address to return to is too long.")
  const mark = newRandomSecret()
  const url = await oidc.begin(key, redirectUri(issuer(), key), proofsOf(secret, { mark, key, back }))
  const until = real.seconds() + lifetime
  const text = `${key}.${until}.${mark}`
  return redirect(url.href, [
    cookieOf(issuer()).write(`${text}.${signatureOf(secret, `with ${text}`)}`, lifetime),
  ])
}

async function finish(deps: Deps, { call, params, request }: RouteCall): Promise<Response> {
  assertGet(request)
  const { oidc, auth, issuer, secret, idleMinutes, oauthCookies } = deps
  const key = params["provider"] ?? ""
  const query = new URLSearchParams(call.query)
  const [, encoded = ""] = (query.get("state") ?? "").split(".")
  const back = Buffer.from(encoded, "base64url").toString()
  const mark = readMark(deps, request, key)
  const proofs = mark === null ? null : proofsOf(secret, { mark, key, back })
  if (!proofs || !sameText(proofs.state, query.get("state") ?? ""))
    throw new Refusal("FORBIDDEN", "Begin again: this sign-in was begun in another browser, or too long ago.")
  const url = new URL(`${redirectUri(issuer(), key)}?${call.query}`)
  const entered = await oidc.finish(auth, key, { url, proofs, by: actorOf(call) })
  const gone = cookieOf(issuer()).write("", 0)
  if (back !== "")
    return redirect(`/oauth/authorize?${new URLSearchParams(back)}`, [
      gone,
      oauthCookies.make(request, entered.sessionId).cookie,
    ])
  const cookie = sessionCookie(new URL(issuer())).write(entered.refreshToken, idleMinutes() * 60)
  return redirect("/console/#signed-in", [gone, cookie])
}

/** HEAD would begin or end a sign-in, too. */
function assertGet({ method }: Request): void {
  if (method !== "GET")
    throw new Refusal("METHOD_NOT_ALLOWED", "Only GET is allowed here.", { headers: { allow: "GET" } })
}

/** The mark of what was begun in this browser with this provider; null if nothing was, or too long ago. */
function readMark({ issuer, secret }: Deps, request: Request, key: string): string | null {
  const text = cookieOf(issuer()).read(request) ?? ""
  const [begun, until, mark, signature = ""] = text.split(".")
  if (begun !== key || !until || !mark) return null
  if (!sameSecret(signature, signatureOf(secret, `with ${begun}.${until}.${mark}`))) return null
  const isNow = Number(until) >= real.seconds() && (Number(until) - lifetime) * 1000 <= real.latestMillis()
  return isNow ? mark : null
}

type Begun = { mark: string; key: string; back: string }

/** What only the browser with the mark can bring back. The state also says where the person goes on. */
function proofsOf(secret: string, { mark, key, back }: Begun): Proofs {
  const derived = (name: string) => signatureOf(secret, `${name} ${key} ${mark} ${back}`)
  const target = back === "" ? "" : `.${Buffer.from(back).toString("base64url")}`
  return { state: `${derived("state")}${target}`, nonce: derived("nonce"), verifier: derived("verifier") }
}

/** The texts can be longer than a secret. */
const sameText = (a: string, b: string): boolean =>
  sameSecret(Bun.SHA256.hash(a, "hex"), Bun.SHA256.hash(b, "hex"))

/** A page of another site sends people back here, so that the cookie is not `Strict`. */
function cookieOf(issuer: string) {
  const { port, protocol } = new URL(issuer)
  return cookieAt({ name: "kontor_with", path, sameSite: "Lax", port, isHttps: protocol === "https:" })
}

/** Each provider has an address of its own, so that the answer of one cannot pass for that of another. */
const redirectUri = (issuer: string, key: string): string => `${issuer}${path}/${key}/callback`

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, "referrer-policy": "no-referrer" })
  for (const cookie of cookies) headers.append("set-cookie", cookie)
  return new Response(null, { status: 303, headers })
}
