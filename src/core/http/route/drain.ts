import { Refusal } from "../../lib/refusal"
import type { App } from "./app"

/** While the server stops, refuses new requests with 503. Requests in progress continue. */
export const drain = (isStopping: () => boolean) => (app: App) =>
  app.onRequest(function refuseWhileStopping({ set }) {
    if (!isStopping()) return
    set.headers["connection"] = "close"
    throw new Refusal("SERVICE_UNAVAILABLE", "Kontor is stopping. Try again in a moment.", {
      headers: { "retry-after": "5" },
    })
  })
