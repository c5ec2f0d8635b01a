import { consolePages } from "./console/pages"
import { consoleSession } from "./console/session"
import type { BackgroundBackup } from "./db/background-backup"
import type { Connection } from "./http/call"
import { crudRoutes } from "./http/kind-routes"
import type { Route } from "./http/route"
import { kinds } from "./kinds"
import { apiKeyRoutes } from "./modules/api-keys/routes"
import { auditRoutes, historyRoute } from "./modules/audit/routes"
import { authRoutes } from "./modules/auth/routes"
import { backupRoutes } from "./modules/backups/routes"
import { paymentRoutes } from "./modules/invoices/payment-routes"
import { invoiceSheet } from "./modules/invoices/print"
import { invoiceRoutes } from "./modules/invoices/routes"
import { authorizeRoutes } from "./modules/oauth/authorize"
import { oauthEndpoints } from "./modules/oauth/endpoints"
import { grantRoutes, oauthClientRoutes } from "./modules/oauth/routes"
import { printRoute } from "./modules/print/routes"
import { reportRoutes } from "./modules/reports/routes"
import { orderSheet } from "./modules/sales-orders/print"
import { salesOrderRoutes } from "./modules/sales-orders/routes"
import { searchRoutes } from "./modules/search/routes"
import { settingsRoutes } from "./modules/settings/routes"
import { stockMovementRoutes } from "./modules/stock-movements/routes"
import { userRoutes } from "./modules/users/routes"
import type { Services } from "./services"
import type { Call } from "./http/call"
import type { Plans } from "./shared/plans"

export type Deps = {
  plans: Plans
  /** True when browsers reach us by https. */
  isReachedSecurely: boolean
  publicUrl: string | null
  issuer: () => string
  oauthSecret: string
  backups: BackgroundBackup
  file: string
  keepOpen: Connection["keepOpen"]
  /** Keeps a note of a caller who was told 403. */
  noteRefused: (call: Call, code: string) => void
}

/** The whole API, in the order in which it is documented. docs/routes.md shows what this comes to. */
export function apiRoutes(services: Services, deps: Deps): Route[] {
  const { settings, audit, users, apiKeys, oauthClients, oauth, writes, limits, auth } = services
  const { items, customers, stockMovements, salesOrders, invoices, payments } = services
  const money = settings.moneyContext
  const history = (kind: Parameters<typeof historyRoute>[0], records: Parameters<typeof historyRoute>[1]) =>
    historyRoute(kind, records, audit, money)
  return [
    ...authRoutes({ auth, writes, limits, plans: deps.plans, company: settings.about }),
    ...grantRoutes(oauth),

    ...crudRoutes(kinds.items, items, money),
    history(kinds.items, items),
    ...stockMovementRoutes(stockMovements, money),
    ...crudRoutes(kinds.customers, customers, money),
    history(kinds.customers, customers),

    ...salesOrderRoutes(salesOrders, money),
    history(kinds.salesOrders, salesOrders),
    printRoute(kinds.salesOrders, (id) => orderSheet(salesOrders, customers, id), settings.get),
    ...invoiceRoutes(invoices, money),
    ...paymentRoutes(payments, money),
    history(kinds.invoices, invoices),
    printRoute(kinds.invoices, (id) => invoiceSheet(invoices, id), settings.get),

    ...searchRoutes(services.search),
    ...reportRoutes(services.reports),

    ...userRoutes(users, money),
    history(kinds.users, users),
    ...apiKeyRoutes(apiKeys, money),
    history(kinds.apiKeys, apiKeys),
    ...oauthClientRoutes(oauthClients, money),
    history(kinds.oauthClients, oauthClients),
    ...settingsRoutes(settings),
    ...auditRoutes(audit, money),
    ...backupRoutes({ ...deps, writes }),
  ]
}

/** What is no part of the API: the console, and what the OAuth RFCs define. */
export function pageRoutes(services: Services, deps: Deps): Route[] {
  const { auth, oauth, oauthClients: clients, sessions, idleMinutes } = services
  const { issuer, publicUrl, isReachedSecurely: isSecure, oauthSecret: secret, noteRefused } = deps
  return [
    ...oauthEndpoints({ oauth, clients, issuer }),
    ...authorizeRoutes({ oauth, clients, auth, sessions, issuer, secret, isSecure, publicUrl, noteRefused }),
    ...consoleSession({ auth, idleMinutes, publicUrl, isSecure }),
    ...consolePages(),
  ]
}
