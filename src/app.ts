import { auditEntry } from "./core/write/writer"
import { assistantOrigins } from "./core/http/assistants/door"
import { authenticate, requireCaller } from "./core/http/request/access"
import { type App, drain, methodsAt, newApp } from "./core/http/route/app"
import { actorOf, loggedPath, type Call, type Connection } from "./core/http/request/call"
import { requestId } from "./core/http/request/request-id"
import { cors, hosts, transportSecurity } from "./core/http/request/hosts"
import { docsRoutes } from "./core/http/openapi/docs"
import { type FailedWrites, healthRoutes } from "./core/http/route/health"
import { requestMeter, type RequestMeter } from "./core/http/route/meter"
import { openApiDocument, type OpenApiDocument } from "./core/http/openapi/openapi"
import { describedEvents, ReceivedEvent } from "./office/events/model"
import { metricsRoutes } from "./office/metrics/routes"
import { metricsService, type Watched } from "./office/metrics/service"
import { rateLimit, showLimits } from "./core/http/request/rate-limit"
import { refusals } from "./core/http/answer/refusals"
import { register } from "./core/http/route/register"
import { requestLog } from "./core/http/request/request-log"
import type { Route } from "./core/http/route/route"
import { mcpRoutes } from "./office/mcp/routes"
import { describedKinds, kindList, ownRefusals } from "./kinds"
import type { Log } from "./core/lib/process/log"
import type { ServerWarning } from "./core/lib/warning"
import { once } from "./core/lib/shared-runs"
import { apiRoutes, pageRoutes, type Deps as RouteDeps } from "./routes"
import { createServices, type Deps as ServiceDeps, type Services } from "./services"
import { version } from "./version"

export type Deps = ServiceDeps &
  Connection &
  Pick<
    RouteDeps,
    "plans" | "publicUrl" | "backups" | "exporter" | "file" | "latestBackup" | "uploadState"
  > & {
    /** The writes that have failed so far. */
    failedWrites: () => FailedWrites
    /** Why no server does the work in the background, as a sentence; null if one does. */
    leaderProblem: () => string | null
    /** What admins should know about the server while it works. */
    warnings: () => ServerWarning[]
    log: Log
    watched: Watched
    metricsToken: string | null
    peerOf: (request: Request) => string
    allowedHosts: readonly string[]
    corsOrigins: readonly string[]
    /** True when this process serves https itself. */
    isSecure: boolean
    isStopping: () => boolean
    /** Routes that only some servers have: the controls of a demo. */
    moreRoutes?: readonly Route[]
  }

/** Creates the API as one Elysia app. It does not listen; `src/server` does that. */
export function createApp(deps: Deps) {
  const services = createServices(deps)
  const routeDeps = {
    ...deps,
    isReachedSecurely: deps.isSecure || (deps.publicUrl?.startsWith("https:") ?? false),
    oauthSecret: deps.secretOf("oauth"),
    importSecret: deps.secretOf("cursors"),
    isDemo: deps.moreRoutes !== undefined,
    noteRefused: refusalNotes(deps, services),
  }
  const api = apiRoutes(services, routeDeps)
  const pages = pageRoutes(services, routeDeps)
  // Built at the first request, because most servers never serve their API document.
  const document = once((): OpenApiDocument =>
    openApiDocument([...api, ...pages], {
      kinds: describedKinds,
      refusals: ownRefusals,
      version,
      url: deps.issuer(),
      filled: describedEvents(services.events.kinds, describedKinds),
      event: ReceivedEvent,
    }),
  )
  const metrics = metricsService({
    ...services,
    ...deps,
    ...deps.watched,
    requests: () => meter.families(),
  })
  const app = newApp(deps)
  const routes = [
    ...healthRoutes(deps),
    ...metricsRoutes({ ...deps, families: metrics.families }),
    ...docsRoutes(document, deps.issuer, describedKinds),
    ...pages,
    ...mcpRoutes({
      api,
      kinds: kindList,
      issuer: deps.issuer,
      version,
      fetch: (request) => app.fetch(request),
    }),
    ...api,
    ...(deps.moreRoutes ?? []),
  ]
  const meter = requestMeter(routes, services.uses.count)
  addHooks(app, routes, { ...routeDeps, services, meter })
  register(app, routes, services.writes)
  return { fetch: (request: Request) => app.fetch(request), document, services, routes }
}

type HookDeps = Deps & Pick<RouteDeps, "noteRefused"> & { services: Services; meter: RequestMeter }

/** The hooks that every request passes, in this order. */
function addHooks(app: App, routes: readonly Route[], deps: HookDeps): void {
  const { log, plans, noteRefused, meter } = deps
  const { limits, authenticator } = deps.services
  const openPaths = new Set(routes.flatMap(({ may, path }) => (may === null ? [path] : [])))
  app
    .use(
      refusals({
        log,
        methodsAt: (path) => methodsAt(routes, path),
        showLimits: showLimits(limits, plans),
        noteRefused,
        issuer: deps.issuer,
      }),
    )
    // The first function around the hooks, so that it is called when they have run.
    .wrap(meter.measured)
    .use(requestId(deps, meter.latest))
    .use(transportSecurity(deps.isSecure))
    .use(requestLog(log))
    .use(drain(deps.isStopping))
    .use(hosts(deps.allowedHosts))
    .use(assistantOrigins(deps.corsOrigins))
    .use(cors(deps.corsOrigins, showLimits(limits, plans)))
    .use(authenticate(authenticator, (path) => openPaths.has(path)))
    .use(rateLimit(limits, plans))
    .use(requireCaller)
}

/** Records in the audit log that a caller got a 403. */
const refusalNotes =
  ({ writer }: ServiceDeps, { sums }: Services) =>
  (call: Call, code: string): void => {
    const request = `${call.method} ${loggedPath(call)}`.slice(0, 200)
    const changes = { request: { from: null, to: request }, code: { from: null, to: code } }
    const entry = auditEntry("access.refused", null, changes, { outcome: "refused" })
    // The caller has no credential, or may not use it from here, and can repeat this at will. So these entries are summed.
    if (!call.caller || call.caller.blocked) return sums.note(entry, actorOf(call))
    writer((tx) => void tx.auditEntries.push(entry), actorOf(call)).catch(() => {})
  }
