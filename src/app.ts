import { consolePages } from "./console/pages"
import { consoleSession } from "./console/session"
import type { BackgroundBackup } from "./db/background-backup"
import { secretOf } from "./db/secrets"
import { callers, strangers } from "./http/access"
import { newApp, type App } from "./http/app"
import { inAreas, type Route } from "./http/areas"
import { actorOf, requestId, type Call, type Connection } from "./http/call"
import { cors } from "./http/cors"
import { docs } from "./http/docs"
import { drain } from "./http/drain"
import { health } from "./http/health"
import { hosts } from "./http/hosts"
import { methodsAt } from "./http/methods-at"
import { openApiDocument, type OpenApiDocument } from "./http/openapi"
import { rateLimit, showLimits } from "./http/rate-limit"
import { refusals } from "./http/refusals"
import { requestLog } from "./http/request-log"
import { transportSecurity } from "./http/transport-security"
import type { Log } from "./lib/log"
import { once } from "./lib/once"
import type { Plans } from "./shared/plans"
import { apiKeys } from "./modules/api-keys/model"
import { apiKeyRoutes, keyReading } from "./modules/api-keys/routes"
import { auditLogs } from "./modules/audit/model"
import { auditRoutes, historyEntries, historyRoute } from "./modules/audit/routes"
import { authRoutes } from "./modules/auth/routes"
import { backupRoutes } from "./modules/backups/routes"
import { customers } from "./modules/customers/model"
import { customerRoutes } from "./modules/customers/routes"
import { invoices, payments } from "./modules/invoices/model"
import { invoiceSheet } from "./modules/invoices/print"
import { invoiceRoutes } from "./modules/invoices/routes"
import { items } from "./modules/items/model"
import { itemRoutes } from "./modules/items/routes"
import { printRoute } from "./modules/print/routes"
import { reportRoutes } from "./modules/reports/routes"
import { authorizeRoutes } from "./modules/oauth/authorize"
import { oauthEndpoints } from "./modules/oauth/endpoints"
import { oauthClients } from "./modules/oauth/model"
import { clientRoutes, grantRoutes } from "./modules/oauth/routes"
import { salesOrders } from "./modules/sales-orders/model"
import { orderSheet } from "./modules/sales-orders/print"
import { salesOrderRoutes } from "./modules/sales-orders/routes"
import { searchRoutes } from "./modules/search/routes"
import { settings } from "./modules/settings/model"
import { settingsRoutes } from "./modules/settings/routes"
import { stockMovements } from "./modules/stock-movements/model"
import { stockRoutes } from "./modules/stock-movements/routes"
import { users } from "./modules/users/model"
import { userRoutes } from "./modules/users/routes"
import { version } from "./version"
import { createServices, type Ground } from "./services"

/** Every kind of record there is, for the API document. */
const kinds = [
  users,
  apiKeys,
  oauthClients,
  settings,
  auditLogs,
  historyEntries,
  items,
  customers,
  stockMovements,
  salesOrders,
  invoices,
  payments,
]

export type Deps = Ground &
  Connection & {
    /** How many times so far what was to be written could not be. */
    failedWrites: () => number
    log: Log
    plans: Plans
    allowedHosts: readonly string[]
    corsOrigins: readonly string[]
    /** True when it answers https itself. */
    isSecure: boolean
    /** How others reach it, when that was said. */
    publicUrl: string | null
    isStopping: () => boolean
    copies: BackgroundBackup
    /** The database file. A copy that is to be downloaded is made in the same folder. */
    file: string
  }

/** The whole service as one value. It listens to nothing; `serve` and the tests do that. */
export function createApp({ db, writer, log, plans, ...deps }: Deps) {
  const services = createServices({ db, writer, ...deps })
  const {
    settings: setup,
    limits,
    sessions,
    identify,
    door,
    audit,
    auth,
    oauth,
    applications,
    idleMinutes,
  } = services
  const { users: accounts, keys, catalogue, clients, stock, orders, bills, paid, finder, reports } = services

  const isReachedSecurely = deps.isSecure || (deps.publicUrl?.startsWith("https:") ?? false)
  const oauthSecret = secretOf(db, "oauth")
  const document = once((): OpenApiDocument => openApiDocument(routes(), kinds, version))

  /** What every request goes through, in this order. */
  const hooks = (app: App, routesHere: () => readonly Route[]) =>
    app
      .use(
        refusals({
          log,
          methodsAt: (path) => methodsAt(routesHere(), path),
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
      .use(callers(identify))
      .use(rateLimit(limits, plans))
      .use(strangers)

  const { fetch, routes } = inAreas(
    [
      { at: ["/health", "/ready"], routes: (app) => app.use(health(db, writer, deps.failedWrites)) },
      { at: ["/docs", "/openapi.json"], routes: (app) => app.use(docs(document)) },
      {
        at: ["/oauth", "/.well-known"],
        routes: (app) =>
          app.use(oauthEndpoints({ oauth, clients: applications, issuer: deps.issuer })).use(
            authorizeRoutes({
              oauth,
              clients: applications,
              auth,
              sessions,
              issuer: deps.issuer,
              secret: oauthSecret,
              isSecure: isReachedSecurely,
              publicUrl: deps.publicUrl,
              noteRefused,
            }),
          ),
      },
      {
        at: ["/", "/setup", "/console"],
        routes: (app) =>
          app
            .use(
              consoleSession({ auth, idleMinutes, publicUrl: deps.publicUrl, isSecure: isReachedSecurely }),
            )
            .use(consolePages()),
      },
      {
        at: ["/api/v1/auth", "/api/v1/setup"],
        routes: (app) =>
          app
            .use(authRoutes(auth, { ...door, limiter: limits, plans, company: setup.about }))
            .use(grantRoutes(oauth, door)),
      },
      {
        at: ["/api/v1/users"],
        routes: (app) =>
          app
            .use(userRoutes(accounts, door))
            .use(historyRoute(users, { area: "administration", scope: "admin" }, accounts, audit, door)),
      },
      {
        at: ["/api/v1/api-keys"],
        routes: (app) =>
          app.use(apiKeyRoutes(keys, door)).use(historyRoute(apiKeys, keyReading, keys, audit, door)),
      },
      {
        at: ["/api/v1/oauth-clients"],
        routes: (app) =>
          app
            .use(clientRoutes(applications, door))
            .use(
              historyRoute(
                oauthClients,
                { area: "administration", scope: "admin" },
                applications,
                audit,
                door,
              ),
            ),
      },
      { at: ["/api/v1/settings"], routes: (app) => app.use(settingsRoutes(setup, door)) },
      { at: ["/api/v1/audit-logs"], routes: (app) => app.use(auditRoutes(audit, door)) },
      { at: ["/api/v1/backups"], routes: (app) => app.use(backupRoutes(deps.copies, deps, door)) },
      {
        at: ["/api/v1/items"],
        routes: (app) =>
          app
            .use(itemRoutes(catalogue, door))
            .use(historyRoute(items, { area: "items", scope: "read" }, catalogue, audit, door)),
      },
      {
        at: ["/api/v1/customers"],
        routes: (app) =>
          app
            .use(customerRoutes(clients, door))
            .use(historyRoute(customers, { area: "customers", scope: "read" }, clients, audit, door)),
      },
      { at: ["/api/v1/stock-movements"], routes: (app) => app.use(stockRoutes(stock, door)) },
      {
        at: ["/api/v1/sales-orders"],
        routes: (app) =>
          app
            .use(salesOrderRoutes(orders, door))
            .use(historyRoute(salesOrders, { area: "sales-orders", scope: "read" }, orders, audit, door))
            .use(
              printRoute(
                salesOrders,
                { area: "sales-orders", scope: "read" },
                (id) => orderSheet(orders, clients, id),
                setup.get,
              ),
            ),
      },
      {
        at: ["/api/v1/invoices"],
        routes: (app) =>
          app
            .use(invoiceRoutes(bills, paid, door))
            .use(historyRoute(invoices, { area: "invoices", scope: "read" }, bills, audit, door))
            .use(
              printRoute(
                invoices,
                { area: "invoices", scope: "read" },
                (id) => invoiceSheet(bills, id),
                setup.get,
              ),
            ),
      },
      { at: ["/api/v1/search"], routes: (app) => app.use(searchRoutes(finder)) },
      { at: ["/api/v1/reports"], routes: (app) => app.use(reportRoutes(reports)) },
    ],
    { newApp: () => newApp(deps), hooks },
  )

  function noteRefused(call: Call, code: string): void {
    const request = `${call.method} ${call.path}`.slice(0, 200)
    const changes = { request: { from: null, to: request }, code: { from: null, to: code } }
    const entry = { action: "access.refused", kind: "access", outcome: "refused" as const, changes }
    // A caller without a valid right can repeat this without limit, so it is summed.
    if (!call.caller || call.caller.blocked) return services.sums.note(entry, actorOf(call))
    writer((tx) => void tx.auditEntries.push(entry), actorOf(call)).catch(() => {})
  }

  const { writeBehind, sweep } = services
  return { fetch, document, services, writeBehind, sweep, learnWords: finder.learn }
}
