import { once } from "../lib/once"
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
 * `probes` are asked for while it starts; the list of all others is made when the first of them is.
 */
export function compose(probes: readonly Route[], others: () => readonly Route[], deps: Deps) {
  const byPlace = (routes: readonly Route[]) => Map.groupBy(routes, ({ path }) => placeIn(path))
  const [probesBy, othersBy] = [byPlace(probes), once(() => byPlace(others()))]
  const composed = new Map<string, App>()

  const composeAt = (place: string): App => {
    const routes = probesBy.get(place) ?? othersBy().get(place)
    if (!routes && place !== "") return composed.get("") ?? composeAt("")
    const app = deps.newApp()
    deps.hooks(app, routes ?? [])
    register(app, routes ?? [], deps.writes)
    composed.set(place, app)
    return app
  }

  return (request: Request): Response | Promise<Response> => {
    const place = placeIn(request.url)
    return (composed.get(place) ?? composeAt(place)).fetch(request)
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
