import { isStorageFailure, isUnstorableText, unavailable, unreadable } from "../../engine/failures"
import { html, toText } from "../../lib/html"
import type { Log } from "../../lib/process/log"
import { Refusal } from "../../lib/refusal"
import type { App } from "../route/app"
import { assistantChallenge, assistantFailure, assistantPath, assistantScopes } from "../assistants/door"
import { omittedIn } from "../request/body"
import { loggedPath, type Call } from "../request/call"
import { failure } from "./envelope"
import type { RouteCall } from "../route/route"
import { packed } from "./transfer"

/** The methods of a path, for the Allow header of a 405. */
export type MethodsAt = (path: string) => string[]

type Deps = {
  log: Log
  methodsAt: MethodsAt
  /** Adds the rate-limit headers when the request was refused before it was counted. */
  showLimits: (call: Call, headers: Record<string, string | number>) => void
  /** Records a caller who got a 403. */
  noteRefused: (call: Call, code: string) => void
  issuer: () => string
}

/**
 * The only place where an error becomes a response. Registered before the routes; otherwise it would not get their
 * errors.
 */
export const refusals = (deps: Deps) => {
  const answer = answering(deps)
  return (app: App) =>
    // The hook is short, because Elysia parses its source to find which parts of the context it uses.
    app.onError(function refuse({ code, error, call, request, set }) {
      return answer(toRefusal(code, error, call, deps.methodsAt), error, { call, request, set })
    })
}

type Refused = Pick<RouteCall, "call" | "request" | "set">

/** Logs the error and responds in the format that clients of this path expect. */
const answering =
  ({ log, showLimits, noteRefused, issuer }: Deps) =>
  (refusal: Refusal, error: unknown, { call, request, set }: Refused) => {
    if (refusal.code === "INTERNAL_ERROR")
      log.error("A request failed.", {
        requestId: call.requestId,
        path: loggedPath(call),
        error: describe(error),
      })
    if (refusal.status === 401 || refusal.status === 403)
      log.info("Access was refused.", {
        requestId: call.requestId,
        method: call.method,
        path: loggedPath(call),
        code: refusal.code,
        address: call.address(),
        actor: call.caller?.userId,
      })
    if (refusal.status === 403) noteRefused(call, refusal.code)
    if (refusal.status === 401) set.headers["www-authenticate"] = challengeOf(call, refusal, issuer())
    if (refusal.code === "INSUFFICIENT_SCOPE" && call.right)
      set.headers["www-authenticate"] =
        `Bearer realm="kontor", error="insufficient_scope", scope="${call.right.scope}"`
    Object.assign(set.headers, refusal.headers)
    showLimits(call, set.headers)
    set.status = refusal.status
    if (call.path === "/oauth/authorize") return pageOf(refusal)
    return packed(failureAt(call.path, refusal, request), { call, request, set })
  }

/** The error in the format that the clients of a path expect: the RFCs of OAuth and JSON-RPC have their own. */
function failureAt(path: string, refusal: Refusal, request: Request): object {
  if (path.startsWith("/oauth/")) return oauthFailure(refusal)
  return path === assistantPath ? assistantFailure(refusal) : failure(refusal, omittedIn(request))
}

function challengeOf(call: Call, { code }: Refusal, issuer: string): string {
  const error = call.refusal && code !== "UNAUTHORIZED" ? "invalid_token" : null
  if (call.path === assistantPath) return assistantChallenge(issuer, error, assistantScopes.join(" "))
  return `Bearer realm="kontor"${error ? `, error="${error}"` : ""}`
}

function toRefusal(code: unknown, error: unknown, call: Call, methodsAt: MethodsAt): Refusal {
  // Checks the class, not `code`: Elysia reads an error's own `code` property first.
  if (error instanceof Refusal) return error
  if (isStorageFailure(error)) return isRead(call) ? unreadable(error) : unavailable(error)
  if (isUnstorableText(error)) return unstorable(call)
  if (code === "NOT_FOUND") return notFound(call, methodsAt(call.path))
  return new Refusal(
    "INTERNAL_ERROR",
    "An internal error occurred. Find it in the server log by the X-Request-Id.",
  )
}

const isRead = ({ method }: Call): boolean => method === "GET" || method === "HEAD"

/** No record has a NUL character in its id or in another key. */
const unstorable = ({ path }: Call): Refusal =>
  path.includes("%00")
    ? new Refusal("NOT_FOUND", "There is no record with a NUL character in its id.")
    : new Refusal("BAD_REQUEST", "The request contains a NUL character, which no record has.")

function notFound({ method, path }: Call, methods: string[]): Refusal {
  if (methods.length === 0)
    return new Refusal("ENDPOINT_NOT_FOUND", `${path.slice(0, 200)} does not exist.`, {
      params: { path: path.slice(0, 200) },
    })
  return new Refusal("METHOD_NOT_ALLOWED", `${method} is not allowed here. Use ${methods.join(", ")}.`, {
    params: { method, allowed: methods },
    headers: { allow: methods.join(", ") },
  })
}

/** An HTML page, for the one path whose responses people read. */
const pageOf = ({ status, message }: Refusal) =>
  new Response(
    toText(
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>Kontor</title>
          </head>
          <body>
            <h1>Something went wrong</h1>
            <p>${message}</p>
          </body>
        </html>`,
    ),
    {
      status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy":
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      },
    },
  )

const oauthFailure = ({ status, message }: Refusal) => ({
  error:
    status === 429 || status === 503
      ? "temporarily_unavailable"
      : status >= 500
        ? "server_error"
        : "invalid_request",
  error_description: message,
})

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
