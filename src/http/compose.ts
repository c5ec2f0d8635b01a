import type { App } from "./app"
import { pathStart } from "./call"
import { register } from "./register"
import type { Route } from "./route"
import type { Writes } from "./write"

type Deps = {
  newApp: () => App
  /** Adds what every request goes through; told which routes there are beside. */
  hooks: (app: App, routes: readonly Route[]) => void
  writes: Writes
}

/**
 * The service in parts, by the beginnings of its paths, each an app with the same hooks that is composed when it is first
 * asked for: putting all routes together takes longer than starting everything else, and a first answer needs few of them.
 */
export function compose(routes: readonly Route[], { newApp, hooks, writes }: Deps) {
  const parts = Map.groupBy(routes, ({ path }) => placeIn(path))
  const composed = new Map<string, App>()

  const appAt = (place: string): App => {
    const known = composed.get(place)
    if (known) return known
    const part = parts.get(place) ?? []
    const app = newApp()
    hooks(app, part)
    register(app, part, writes)
    composed.set(place, app)
    return app
  }

  return (request: Request): Response | Promise<Response> => {
    const place = placeIn(request.url)
    return appAt(parts.has(place) ? place : "").fetch(request)
  }
}

const api = "/api/v1/"

/** `/api/v1/items` of http://localhost/api/v1/items/itm_1/history?page=2, `/oauth` of /oauth/token. */
function placeIn(url: string): string {
  const start = pathStart(url)
  let end = start + (url.startsWith(api, start) ? api.length : 1)
  while (end < url.length && url[end] !== "/" && url[end] !== "?") end++
  return url.slice(start, end)
}
