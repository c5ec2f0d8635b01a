import { steadyMillis } from "../../lib/clock"
import type { Log } from "../../lib/process/log"
import type { App } from "../route/app"
import { loggedPath } from "./call"

/** Logs one line per response when the log level is debug. Otherwise it adds no hooks. */
export const requestLog = (log: Log) => (app: App) => {
  if (!log.shows("debug")) return app
  const started = new WeakMap<Request, number>()
  return app
    .onRequest(function noteStart({ request }) {
      started.set(request, steadyMillis())
    })
    .onAfterResponse(function logAnswer({ request, call, set, responseValue }) {
      const { requestId, method, caller } = call
      const path = loggedPath(call)
      const ms = Math.round((steadyMillis() - (started.get(request) ?? steadyMillis())) * 10) / 10
      const status = responseValue instanceof Response ? responseValue.status : set.status
      log.debug("Request completed.", { requestId, method, path, status, ms, actor: caller?.userId })
    })
}
