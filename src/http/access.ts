import { Refusal } from "../lib/refusal"
import type { App } from "./app"
import type { Caller } from "./caller"

/** Tells who is calling, or why the credential is no good. Must not wait: see `ready`. */
export type Authenticator = {
  (request: Request, address: () => string): Caller | Refusal
  /** The same caller, at the same address, as things stand now: for a write that is about to happen. */
  again(caller: Caller, address: () => string): Caller | Refusal
  /** What must be waited for before it can judge this request, if anything. */
  ready(request: Request): Promise<void> | null
}

const prefix = "/api/v1"
/**
 * Finds out who is calling. A token that is new is verified before the hooks run, because that takes a turn; from then on
 * it is known by its text. Paths that are open need no credential.
 */
export const authenticate = (authenticator: Authenticator, isOpen: (path: string) => boolean) => (app: App) =>
  app
    .wrap(
      (handle) => (request: Request) =>
        authenticator.ready(request)?.then(() => handle(request)) ?? handle(request),
    )
    .onRequest(function settleCaller({ request, call }) {
      if (!isGuarded(call.path) || isOpen(call.path)) return
      const found = authenticator(request, call.address)
      if (found instanceof Refusal) call.refusal = found
      else call.caller = found
    })

/** Refuses a caller without a valid credential, after the request was counted, whether or not there is such a route. */
export const requireCaller = (app: App) =>
  app.onRequest(function turnAway({ call }) {
    const refusal = call.refusal ?? call.caller?.blocked
    if (refusal) throw refusal
    if (call.path.includes("%") && !isDecodable(call.path))
      throw new Refusal("BAD_REQUEST", "The path has a percent escape that cannot be read.")
  })

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const isGuarded = (path: string) => path === prefix || path.startsWith(`${prefix}/`)
