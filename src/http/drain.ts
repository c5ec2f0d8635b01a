import { Refusal } from "../lib/refusal"
import type { App } from "./app"

/** Once `isStopping` says so, requests that come in are told to try again later; those under way go on. */
export const drain = (isStopping: () => boolean) => (app: App) =>
  app.onRequest(function turnAway({ set }) {
    if (!isStopping()) return
    set.headers["connection"] = "close"
    throw new Refusal("SERVICE_UNAVAILABLE", "Kontor is stopping. Try again in a moment.", {
      headers: { "retry-after": "5" },
    })
  })
