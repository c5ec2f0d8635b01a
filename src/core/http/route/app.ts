import { Elysia } from "elysia"
import type { Call } from "../request/call"
import { Refusal } from "../../lib/refusal"

/**
 * Creates the one Elysia instance that gets all hooks and routes. Nested instances are avoided: Elysia copies their
 * routes one by one at every level, which took most of the start time.
 */
export const newApp = ({ isSecure }: { isSecure: boolean }) =>
  new Elysia({
    normalize: false,
    strictPath: true,
    systemRouter: false,
    // The offset at which Elysia looks for the path: correct for every host name over http, and for host names of at
    // least three characters over https.
    handler: { standardHostname: isSecure },
  })
    // Set for each request by the first hook.
    .decorate("call", {} as Call)

export type App = ReturnType<typeof newApp>

type Route = { method: string; path: string }

/** The methods of a path, for the Allow header of a 405. GET includes HEAD. */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const parts = path.split("/")
  return ["GET", "POST", "PUT", "PATCH", "DELETE"]
    .filter((method) =>
      routes.some((route) => route.method === method && matches(route.path.split("/"), parts)),
    )
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
}

const matches = (template: readonly string[], parts: readonly string[]): boolean =>
  template.length === parts.length &&
  template.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i]))

/** While the server stops, refuses new requests with 503. Requests in progress continue. */
export const drain = (isStopping: () => boolean) => (app: App) =>
  app.onRequest(function refuseWhileStopping({ set }) {
    if (!isStopping()) return
    set.headers["connection"] = "close"
    throw new Refusal("SERVICE_UNAVAILABLE", "Kontor is stopping. Try again in a moment.", {
      headers: { "retry-after": "5" },
    })
  })
