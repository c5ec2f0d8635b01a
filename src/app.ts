import type { Database } from "bun:sqlite"
import { Elysia } from "elysia"
import { consolePages } from "./console/pages"
import { consoleSession } from "./console/session"
import type { BackgroundBackup } from "./db/background-backup"
import { cacheOf } from "./db/cache"
import { deleteAnswersBefore } from "./db/idempotency"
import { deleteDaysBefore, findDayCount, writeDayCounts } from "./db/rate-days"
import { secretOf } from "./db/secrets"
import type { Tx, Writer } from "./db/writer"
import { callers, strangers } from "./http/access"
import { actorOf, requestId, type AddressOf, type Call } from "./http/call"
import { cors } from "./http/cors"
import { docs } from "./http/docs"
import { drain } from "./http/drain"
import { health } from "./http/health"
import { hosts } from "./http/hosts"
import { methodsAt } from "./http/methods-at"
import { openApiDocument } from "./http/openapi"
import { rateLimit, showLimits } from "./http/rate-limit"
import { refusals } from "./http/refusals"
import { requestLog } from "./http/request-log"
import { transportSecurity } from "./http/transport-security"
import { commits } from "./http/write"
import { later, today, wallClock } from "./lib/clock"
import { limiter } from "./lib/limiter"
import type { Log } from "./lib/log"
import type { Plans } from "./lib/plans"
import { apiKeys } from "./modules/api-keys/model"
import { apiKeyRoutes } from "./modules/api-keys/routes"
import { apiKeyService } from "./modules/api-keys/service"
import { findHolder } from "./modules/api-keys/store"
import { keyUsage } from "./modules/api-keys/usage"
import { auditLogs } from "./modules/audit/model"
import { auditRoutes, historyEntries, historyRoute } from "./modules/audit/routes"
import { auditService } from "./modules/audit/service"
import { failedLogins } from "./modules/auth/failures"
import { identifyBy } from "./modules/auth/identify"
import { authRoutes } from "./modules/auth/routes"
import { authService } from "./modules/auth/service"
import { sessionBook } from "./modules/auth/sessions"
import { findSessionUser } from "./modules/auth/store"
import { loginThrottle } from "./modules/auth/throttle"
import { accessTokens } from "./modules/auth/tokens"
import { backupRoutes } from "./modules/backups/routes"
import { customers } from "./modules/customers/model"
import { customerRoutes } from "./modules/customers/routes"
import { customerService } from "./modules/customers/service"
import { invoices, payments } from "./modules/invoices/model"
import { paymentService } from "./modules/invoices/payments"
import { invoiceSheet } from "./modules/invoices/print"
import { invoiceRoutes } from "./modules/invoices/routes"
import { invoiceService } from "./modules/invoices/service"
import { items } from "./modules/items/model"
import { itemRoutes } from "./modules/items/routes"
import { itemService } from "./modules/items/service"
import { printRoute } from "./modules/print/routes"
import { reportRoutes } from "./modules/reports/routes"
import { reportService } from "./modules/reports/service"
import { authorizeRoutes } from "./modules/oauth/authorize"
import { clientService } from "./modules/oauth/clients"
import { oauthEndpoints } from "./modules/oauth/endpoints"
import { oauthClients } from "./modules/oauth/model"
import { clientRoutes, grantRoutes } from "./modules/oauth/routes"
import { oauthService } from "./modules/oauth/service"
import { salesOrders } from "./modules/sales-orders/model"
import { orderSheet } from "./modules/sales-orders/print"
import { salesOrderRoutes } from "./modules/sales-orders/routes"
import { salesOrderService } from "./modules/sales-orders/service"
import { searchRoutes } from "./modules/search/routes"
import { searchService } from "./modules/search/service"
import { vocabulary } from "./modules/search/vocabulary"
import { settings } from "./modules/settings/model"
import { settingsRoutes } from "./modules/settings/routes"
import { settingsService } from "./modules/settings/service"
import { stockMovements } from "./modules/stock-movements/model"
import { stockRoutes } from "./modules/stock-movements/routes"
import { stockService } from "./modules/stock-movements/service"
import { users } from "./modules/users/model"
import { userRoutes } from "./modules/users/routes"
import { userService } from "./modules/users/service"
import { signedCursors } from "./resource/cursor"
import { tableStore } from "./resource/table-store"
import { version } from "./version"

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

export type Deps = {
  db: Database
  writer: Writer
  /** How many times so far what was to be written could not be. */
  failedWrites: () => number
  log: Log
  plans: Plans
  addressOf: AddressOf
  allowedHosts: readonly string[]
  corsOrigins: readonly string[]
  /** True when it answers https itself. */
  isSecure: boolean
  /** How others reach it, when that was said. */
  publicUrl: string | null
  /** The name it goes by to applications: how others reach it, or where it listens; never what a request says. */
  issuer: () => string
  isStopping: () => boolean
  copies: BackgroundBackup
  /** The database file, beside which a copy is made for whoever asks for one. */
  file: string
  /** Keeps the connection of a request open, though nothing is sent on it for a while. */
  keepOpen: (request: Request) => void
  setupToken: string | null
}

/** The whole service as one value. It listens to nothing; `serve` and the tests do that. */
export function createApp({ db, writer, log, plans, setupToken, ...deps }: Deps) {
  const setup = settingsService(db)
  const words = vocabulary()
  const stores = {
    cursors: signedCursors(secretOf(db, "cursors")),
    basis: setup.basis,
    onWords: (tx: Tx, text: string) => void tx.afterCommit.push(() => words.add(text)),
  }
  const limits = limiter({ find: (subject, day) => findDayCount(db, subject, day) })

  const signIns = cacheOf(db, (id) => findSessionUser(db, id))
  const keyHolders = cacheOf(db, (digest) => findHolder(db, { digest }))
  const forgetCallers = () => {
    signIns.clear()
    keyHolders.clear()
  }
  const tokens = accessTokens(secretOf(db, "tokens"))
  const idleMinutes = () => setup.get().sessionIdleMinutes
  const sessions = sessionBook({
    db,
    secret: secretOf(db, "refresh"),
    idleMinutes,
    onEnd: forgetCallers,
  })
  const failures = failedLogins(writer)
  const uses = keyUsage(db, writer)

  const identify = identifyBy({
    tokens,
    sessions: signIns,
    keys: keyHolders,
    fresh: { session: (id) => findSessionUser(db, id), key: (id) => findHolder(db, { id }) },
    noteUse: uses.note,
    defaultPlan: () => setup.get().defaultPlan,
  })

  const door = { ...commits({ db, writer, identify, secret: secretOf(db, "cursors") }), basis: setup.basis }

  const audit = auditService(db, tableStore(db, auditLogs, stores))
  const accounts = userService({
    db,
    store: tableStore(db, users, stores),
    endSessions: sessions.endAll,
    onChange: forgetCallers,
  })
  const keys = apiKeyService({ db, store: tableStore(db, apiKeys, stores), uses, onChange: forgetCallers })
  const auth = authService({
    writer,
    users: accounts,
    tokens,
    sessions,
    throttle: loginThrottle(),
    failures,
    setupToken,
  })
  const applications = clientService({
    db,
    store: tableStore(db, oauthClients, stores),
    onChange: forgetCallers,
  })
  const oauth = oauthService({ db, writer, users: accounts, sessions, tokens, issuer: deps.issuer })
  const catalogue = itemService(db, tableStore(db, items, stores))
  const clients = customerService(db, tableStore(db, customers, stores))
  const stock = stockService(tableStore(db, stockMovements, stores), catalogue)
  const trade = { db, catalogue, clients, stock, settings: setup.get, basis: setup.basis }
  const orders = salesOrderService({ ...trade, store: tableStore(db, salesOrders, stores) })
  const bills = invoiceService({ ...trade, store: tableStore(db, invoices, stores), orders })
  const finder = searchService(db, words, nextTurn)
  const reports = reportService(db, setup.basis, nextTurn)
  const paid = paymentService(tableStore(db, payments, stores), bills, setup.basis)

  const api = new Elysia({ prefix: "/api/v1" })
    .use(authRoutes(auth, { ...door, limiter: limits, plans, company: setup.about }))
    .use(userRoutes(accounts, door))
    .use(historyRoute(users, { area: "administration", scope: "admin" }, accounts, audit, door))
    .use(apiKeyRoutes(keys, door))
    .use(historyRoute(apiKeys, { area: "own", scope: "read" }, keys, audit, door))
    .use(clientRoutes(applications, door))
    .use(historyRoute(oauthClients, { area: "administration", scope: "admin" }, applications, audit, door))
    .use(grantRoutes(oauth, door))
    .use(settingsRoutes(setup, door))
    .use(auditRoutes(audit, door))
    .use(backupRoutes(deps.copies, deps, door))
    .use(itemRoutes(catalogue, door))
    .use(historyRoute(items, { area: "items", scope: "read" }, catalogue, audit, door))
    .use(customerRoutes(clients, door))
    .use(historyRoute(customers, { area: "customers", scope: "read" }, clients, audit, door))
    .use(stockRoutes(stock, door))
    .use(salesOrderRoutes(orders, door))
    .use(historyRoute(salesOrders, { area: "sales-orders", scope: "read" }, orders, audit, door))
    .use(
      printRoute(
        salesOrders,
        { area: "sales-orders", scope: "read" },
        (id) => orderSheet(orders, clients, id),
        setup.get,
      ),
    )
    .use(invoiceRoutes(bills, paid, door))
    .use(historyRoute(invoices, { area: "invoices", scope: "read" }, bills, audit, door))
    .use(
      printRoute(invoices, { area: "invoices", scope: "read" }, (id) => invoiceSheet(bills, id), setup.get),
    )
    .use(searchRoutes(finder))
    .use(reportRoutes(reports))

  const document = openApiDocument(api.routes, kinds, version)

  const app = new Elysia({
    normalize: false,
    strictPath: true,
    systemRouter: false,
    // Where Elysia looks for the path: right for every host name over http, and over https for three letters and more.
    handler: { standardHostname: deps.isSecure },
  })
    .use(
      refusals({
        log,
        methodsAt: (path): string[] => methodsAt(app.routes, path),
        showLimits: showLimits(limits, plans),
        noteRefused,
      }),
    )
    .use(requestId(deps.addressOf))
    .use(transportSecurity(deps.isSecure))
    .use(requestLog(log))
    .use(drain(deps.isStopping))
    .use(hosts(deps.allowedHosts))
    .use(cors(deps.corsOrigins, showLimits(limits, plans)))
    .use(callers(identify))
    .use(rateLimit(limits, plans))
    .use(strangers)
    .use(health(db, writer, deps.failedWrites))
    .use(docs(document))
    .use(oauthEndpoints({ oauth, clients: applications, issuer: deps.issuer }))
    .use(
      authorizeRoutes({
        oauth,
        clients: applications,
        auth,
        sessions,
        issuer: deps.issuer,
        secret: secretOf(db, "oauth"),
        isSecure: isReachedSecurely(deps),
        noteRefused,
      }),
    )
    .use(consoleSession({ auth, idleMinutes, publicUrl: deps.publicUrl, isSecure: isReachedSecurely(deps) }))
    .use(consolePages())
    .use(api)

  function noteRefused(call: Call, code: string): void {
    const request = `${call.method} ${call.path}`.slice(0, 200)
    const changes = { request: { from: null, to: request }, code: { from: null, to: code } }
    const entry = { action: "access.refused", kind: "access", outcome: "refused" as const, changes }
    writer((tx) => void tx.auditEntries.push(entry), actorOf(call)).catch(() => {})
  }

  /** Writes behind what is counted in memory. Every few seconds, and once more at the end. */
  async function writeBehind({ all = false } = {}): Promise<void> {
    await uses.flush()
    await failures.flush({ all })
    const days = limits.unwrittenDays()
    if (days.length > 0) await writer(() => writeDayCounts(db, days))
    limits.markWritten(days)
  }

  /** Forgets what has had its day. At the start, and every hour. */
  const sweep = (): Promise<void> =>
    writer((tx) => {
      sessions.sweep(tx)
      oauth.sweep()
      deleteAnswersBefore(db, later(wallClock(), -24 * 60 * 60_000))
      deleteDaysBefore(db, today())
    })

  const services = { users: accounts, keys, settings: setup, catalogue, clients, stock, orders, bills, paid }
  return { app, document, services, writeBehind, sweep, learnWords: finder.learn }
}

const isReachedSecurely = ({ isSecure, publicUrl }: Pick<Deps, "isSecure" | "publicUrl">) =>
  isSecure || (publicUrl?.startsWith("https:") ?? false)

/** Lets whatever is waiting have its turn. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
