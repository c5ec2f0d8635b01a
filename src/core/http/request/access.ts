import { Refusal } from "../../lib/refusal"
import type { App } from "../route/app"
import type { Audience, Caller } from "../../caller"
import { assistantPath } from "../assistants/door"
import { outerOf } from "../assistants/inner"

/** Identifies the caller of a request, or returns why the credential is invalid. It is synchronous: see `ready`. */
export type Authenticator = {
  (request: Request, address: () => string, audience: Audience): Caller | Refusal
  /** Loads the caller again, at the same address, immediately before a write. */
  again(caller: Caller, address: () => string): Caller | Refusal
  /** Resolves when the request can be authenticated; null when it can be now. */
  ready(request: Request): Promise<void> | null
}

const prefix = "/api/v1"
/**
 * Identifies the caller. A new token is verified before the hooks run, because verification is asynchronous; afterwards
 * it is cached by its text. Open paths need no credential.
 */
export const authenticate = (authenticator: Authenticator, isOpen: (path: string) => boolean) => (app: App) =>
  app
    .wrap(
      (handle) => (request: Request) =>
        authenticator.ready(request)?.then(() => handle(request)) ?? handle(request),
    )
    .onRequest(function settleCaller({ request, call }) {
      const audience = audienceOf(call.path)
      if (audience === null || (audience === "api" && isOpen(call.path)) || outerOf(request)) return
      const found = authenticator(request, call.address, audience)
      if (found instanceof Refusal) call.refusal = found
      else call.caller = found
    })

/** Refuses a caller without a valid credential, after the request was counted, even if the route does not exist. */
export const requireCaller = (app: App) =>
  app.onRequest(function refuseCaller({ call }) {
    const refusal = call.refusal ?? call.caller?.blocked
    if (refusal) throw refusal
    if (call.path.includes("%") && !isDecodable(call.path))
      throw new Refusal("BAD_REQUEST", "The path has an invalid percent escape.")
  })

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** For whom the credential of a request must be; null for a path that needs none. */
function audienceOf(path: string): Audience | null {
  if (path === assistantPath) return "mcp"
  return path === prefix || path.startsWith(`${prefix}/`) ? "api" : null
}
