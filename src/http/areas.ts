import type { App } from "./app"
import { pathStart } from "./call"

/** Some addresses, by their beginnings, and what adds the routes that are there. */
export type Area = { at: readonly string[]; routes: (app: App) => { routes: readonly Route[] } }
export type Route = { method: string; path: string; hooks?: { detail?: object } }

type Ground = {
  newApp: () => App
  /** Adds what every request goes through; told which routes there are beside. */
  hooks: (app: App, routes: () => readonly Route[]) => void
}

/**
 * The service in parts, each an app with the same hooks that is composed when it is first asked for: putting all routes
 * together takes longer than starting everything else, and a first answer needs few of them.
 */
export function inAreas(areas: readonly Area[], { newApp, hooks }: Ground) {
  const places = new Map(areas.flatMap((area) => area.at.map((place): [string, Area] => [place, area])))
  const nowhere: Area = { at: [], routes: (app) => app }
  const composed = new Map<Area, App>()

  const appOf = (area: Area): App => {
    const known = composed.get(area)
    if (known) return known
    const app = newApp()
    hooks(app, () => app.routes)
    area.routes(app)
    for (const { path } of app.routes)
      if (places.get(placeIn(path)) !== area) throw new Error(`${path} is not where its area is.`)
    composed.set(area, app)
    return app
  }

  return {
    fetch: (request: Request): Response | Promise<Response> =>
      appOf(places.get(placeIn(request.url)) ?? nowhere).fetch(request),
    routes: (): Route[] => areas.flatMap((area) => appOf(area).routes),
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
