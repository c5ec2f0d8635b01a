import { Elysia } from "elysia"
import { steadyMillis } from "../lib/clock"
import type { Log } from "../lib/log"
import { callContext } from "./call"

/** A line for each answer, when the log level is debug; otherwise it costs nothing. */
export function requestLog(log: Log) {
  const plugin = new Elysia({ name: "request-log" }).use(callContext)
  if (!log.shows("debug")) return plugin
  const started = new WeakMap<Request, number>()
  return plugin
    .onRequest(function noteStart({ request }) {
      started.set(request, steadyMillis())
    })
    .onAfterResponse({ as: "global" }, function logAnswer({ request, call, set, responseValue }) {
      const { requestId, method, path, caller } = call
      const ms = Math.round((steadyMillis() - (started.get(request) ?? steadyMillis())) * 10) / 10
      const status = responseValue instanceof Response ? responseValue.status : set.status
      log.debug("Answered.", { requestId, method, path, status, ms, actor: caller?.userId })
    })
}
