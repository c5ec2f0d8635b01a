import { auditEntry } from "./db/writer"
import { authenticate, requireCaller } from "./http/access"
import { newApp, type App } from "./http/app"
import { actorOf, type Call, type Connection } from "./http/call"
import { requestId } from "./http/request-id"
import { compose } from "./http/compose"
import { cors } from "./http/cors"
import { docsRoutes } from "./http/docs"
import { drain } from "./http/drain"
import { healthRoutes } from "./http/health"
import { hosts } from "./http/hosts"
import { methodsAt } from "./http/methods-at"
import { openApiDocument, type OpenApiDocument } from "./http/openapi"
import { rateLimit, showLimits } from "./http/rate-limit"
import { refusals } from "./http/refusals"
import { requestLog } from "./http/request-log"
import type { Route } from "./http/route"
import { transportSecurity } from "./http/transport-security"
import { describedKinds } from "./kinds"
import type { Log } from "./lib/log"
import { once } from "./lib/once"
import { apiRoutes, pageRoutes, type Deps as RouteDeps } from "./routes"
import { createServices, type Deps as ServiceDeps, type Services } from "./services"
import { version } from "./version"

export type Deps = ServiceDeps &
  Connection &
  Pick<RouteDeps, "plans" | "publicUrl" | "backups" | "file"> & {
    /** How many times so far what was to be written could not be. */
    failedWrites: () => number
    log: Log
    allowedHosts: readonly string[]
    corsOrigins: readonly string[]
    /** True when it answers https itself. */
    isSecure: boolean
    isStopping: () => boolean
  }

/** The whole service as one value. It listens to nothing; `serve` and the tests do that. */
export function createApp(deps: Deps) {
  const services = createServices(deps)
  const routeDeps = {
    ...deps,
    isReachedSecurely: deps.isSecure || (deps.publicUrl?.startsWith("https:") ?? false),
    oauthSecret: deps.secretOf("oauth"),
    noteRefused: refusalNotes(deps, services),
  }
  const probes = healthRoutes(deps.db, deps.writer, deps.failedWrites)
  const api = once(() => apiRoutes(services, routeDeps))
  const document = once((): OpenApiDocument => openApiDocument(api(), { kinds: describedKinds, version }))
  const others = once(() => [
    ...docsRoutes(document, deps.issuer),
    ...pageRoutes(services, routeDeps),
    ...api(),
  ])
  const openPaths = once(() => new Set(api().flatMap(({ may, path }) => (may === null ? [path] : []))))
  const isOpen = (path: string) => openPaths().has(path)
  const fetch = compose(probes, others, {
    newApp: () => newApp(deps),
    hooks: (app, part) => addHooks(app, part, { ...routeDeps, services, isOpen }),
    writes: services.writes,
  })
  return { fetch, document, services, routes: () => [...probes, ...others()] }
}

type HookDeps = Deps &
  Pick<RouteDeps, "noteRefused"> & { services: Services; isOpen: (path: string) => boolean }

/** What every request goes through, in this order. */
function addHooks(app: App, routes: readonly Route[], deps: HookDeps): void {
  const { log, plans, noteRefused, isOpen } = deps
  const { limits, authenticator } = deps.services
  app
    .use(
      refusals({
        log,
        methodsAt: (path) => methodsAt(routes, path),
        showLimits: showLimits(limits, plans),
        noteRefused,
      }),
    )
    .use(requestId(deps))
    .use(transportSecurity(deps.isSecure))
    .use(requestLog(log))
    .use(drain(deps.isStopping))
    .use(hosts(deps.allowedHosts))
    .use(cors(deps.corsOrigins, showLimits(limits, plans)))
    .use(authenticate(authenticator, isOpen))
    .use(rateLimit(limits, plans))
    .use(requireCaller)
}

/** Writes into the audit log that a caller was told 403. */
const refusalNotes =
  ({ writer }: ServiceDeps, { sums }: Services) =>
  (call: Call, code: string): void => {
    const request = `${call.method} ${call.path}`.slice(0, 200)
    const changes = { request: { from: null, to: request }, code: { from: null, to: code } }
    const entry = auditEntry("access.refused", null, changes, { outcome: "refused" })
    // Without a valid credential anybody can cause this, so it is summed.
    if (!call.caller || call.caller.blocked) return sums.note(entry, actorOf(call))
    writer((tx) => void tx.auditEntries.push(entry), actorOf(call)).catch(() => {})
  }
