import { steadyMillis } from "../../lib/clock"
import { type Counted, histograms } from "../../lib/metrics/histogram"
import type { Family, Labels } from "../../lib/metrics/text"
import type { Call } from "../request/call"
import type { Route } from "./route"

/** Statuses are counted by their first digit. */
const classes = 6

/** The call of the request that was handled last. The first hook sets it. */
type Latest = { call: Call | null }

/**
 * Counts the requests of each route, and their durations until the head of the response. Number 0 stands for requests that
 * were refused before they had a route: so the number of series depends on the routes, and not on the paths that clients
 * send. Those of API keys are also counted by key.
 */
export function requestMeter(routes: readonly Route[], countKey: (key: string, route: string) => void) {
  const numbers = new Map<Call["route"], number>(routes.map((route, at) => [route, at + 1]))
  const statuses = new Float64Array((routes.length + 1) * classes)
  const durations = histograms(routes.length + 1)
  const latest: Latest = { call: null }
  const names = ["other", ...routes.map(nameOf)]

  function count(call: Latest["call"], response: Response, began: number): Response {
    const route = numbers.get(call?.route ?? null) ?? 0
    statuses[route * classes + Math.trunc(response.status / 100)]!++
    durations.count(route, steadyMillis() - began)
    if (call?.caller?.kind === "apiKey") countKey(call.caller.credentialId, names[route] ?? "")
    return response
  }

  return {
    latest,

    /** Wraps the function that runs the hooks and the handler. The hooks set `latest` before it returns. */
    measured:
      (handle: (request: Request) => unknown) =>
      (request: Request): Response | Promise<Response> => {
        const began = steadyMillis()
        const answer = handle(request) as Response | Promise<Response>
        const { call } = latest
        return answer instanceof Promise
          ? answer.then((response) => count(call, response, began))
          : count(call, answer, began)
      },

    families: (): Family[] => familiesOf([noRoute, ...routes.map(labelsOf)], statuses, durations),
  }
}

export type RequestMeter = ReturnType<typeof requestMeter>

const noRoute: Labels = { method: "any", route: "none" }

/** As clients know a route: `GET /items/{id}`. */
const nameOf = ({ method, path }: Route): string =>
  `${method} ${path.replace("/api/v1", "").replaceAll(/:(\w+)/g, "{$1}")}`

const labelsOf = ({ method, path }: Route): Labels => ({
  method,
  route: path.replaceAll(/:(\w+)/g, "{$1}"),
})

function familiesOf(
  labels: readonly Labels[],
  statuses: Float64Array,
  durations: ReturnType<typeof histograms>,
): Family[] {
  const requests: { labels: Labels; value: number }[] = []
  const times: { labels: Labels; value: Counted }[] = []
  for (const [at, route] of labels.entries()) {
    const before = requests.length
    for (let status = 0; status < classes; status++) {
      const value = statuses[at * classes + status] ?? 0
      if (value > 0) requests.push({ labels: { ...route, status: `${status}xx` }, value })
    }
    if (requests.length > before) times.push({ labels: route, value: durations.read(at) })
  }
  return [
    {
      name: "kontor_http_requests",
      help: "Requests by route and by the class of their status.",
      type: "counter",
      values: requests,
    },
    {
      name: "kontor_http_request_duration_seconds",
      help: "The time from a request to the head of its response.",
      type: "histogram",
      values: times,
    },
  ]
}
