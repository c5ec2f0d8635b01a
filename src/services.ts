import type { Database } from "bun:sqlite"
import { cacheOf } from "./db/cache"
import { deleteOldAnswers } from "./db/idempotency"
import { deleteDaysBefore, findDayCount, writeDayCounts } from "./db/rate-days"
import { secretOf } from "./db/secrets"
import type { Tx, Writer } from "./db/writer"
import { commits } from "./http/write"
import { today } from "./lib/clock"
import { isApiKey } from "./lib/api-key"
import { limiter } from "./lib/limiter"
import { digestOf } from "./lib/secret"
import { apiKeys } from "./modules/api-keys/model"
import { apiKeyService } from "./modules/api-keys/service"
import { findHolder } from "./modules/api-keys/store"
import { keyUsage } from "./modules/api-keys/usage"
import { auditLogs } from "./modules/audit/model"
import { auditService } from "./modules/audit/service"
import { auditSums } from "./modules/audit/sums"
import { failedLogins } from "./modules/auth/failures"
import { identifyBy } from "./modules/auth/identify"
import { authService } from "./modules/auth/service"
import { sessionBook } from "./modules/auth/sessions"
import { findSessionUser } from "./modules/auth/store"
import { signInPlaces } from "./modules/auth/places"
import { loginThrottle } from "./modules/auth/throttle"
import { accessTokens } from "./modules/auth/tokens"
import { customers } from "./modules/customers/model"
import { customerService } from "./modules/customers/service"
import { invoices, payments } from "./modules/invoices/model"
import { paymentService } from "./modules/invoices/payments"
import { invoiceService } from "./modules/invoices/service"
import { items } from "./modules/items/model"
import { itemService } from "./modules/items/service"
import { reportService } from "./modules/reports/service"
import { clientService } from "./modules/oauth/clients"
import { oauthClients } from "./modules/oauth/model"
import { oauthService } from "./modules/oauth/service"
import { salesOrders } from "./modules/sales-orders/model"
import { salesOrderService } from "./modules/sales-orders/service"
import { searchService } from "./modules/search/service"
import { vocabulary } from "./modules/search/vocabulary"
import { settingsService } from "./modules/settings/service"
import { stockMovements } from "./modules/stock-movements/model"
import { stockService } from "./modules/stock-movements/service"
import { users } from "./modules/users/model"
import { userService } from "./modules/users/service"
import { signedCursors } from "./resource/cursor"
import { tableStore, type WordChange } from "./resource/table-store"

/** What the services are made from. */
export type Ground = {
  db: Database
  writer: Writer
  /** The name it goes by to applications: how others reach it, or where it listens; never what a request says. */
  issuer: () => string
  setupToken: string | null
}

/** Every service there is, each with what it needs of the others. */
export function createServices({ db, writer, issuer, setupToken }: Ground) {
  const setup = settingsService(db)
  const words = vocabulary()
  const stores = {
    cursors: signedCursors(secretOf(db, "cursors")),
    basis: setup.basis,
    onWords: (tx: Tx, { table, row, before, after }: WordChange) =>
      void tx.afterCommit.push(() => words.change(table, row, before, after)),
  }
  const limits = limiter({ find: (subject, day) => findDayCount(db, subject, day) })

  const signIns = cacheOf(db, (id) => findSessionUser(db, id))
  // By its whole text, like an access token, so that its digest is made once and not at every request.
  const keyHolders = cacheOf(db, (key) => (isApiKey(key) ? findHolder(db, { digest: digestOf(key) }) : null))
  const forgetCallers = (tx: Tx) => {
    signIns.forget(tx)
    keyHolders.forget(tx)
  }
  const tokens = accessTokens(secretOf(db, "tokens"))
  const idleMinutes = () => setup.get().sessionIdleMinutes
  const sessions = sessionBook({
    db,
    secret: secretOf(db, "refresh"),
    idleMinutes,
    onEnd: forgetCallers,
  })
  const places = signInPlaces(db)
  const sums = auditSums(writer)
  const failures = failedLogins(sums)
  const uses = keyUsage(db, writer)

  const identify = identifyBy({
    tokens,
    sessions: signIns,
    keys: keyHolders,
    age: () => signIns.age() + keyHolders.age() + setup.age(),
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
    places,
    failures,
    setupToken,
  })
  const applications = clientService({
    db,
    store: tableStore(db, oauthClients, stores),
    onChange: forgetCallers,
  })
  const oauth = oauthService({ db, writer, users: accounts, clients: applications, sessions, tokens, issuer })
  const catalogue = itemService(db, tableStore(db, items, stores))
  const clients = customerService(db, tableStore(db, customers, stores))
  const stock = stockService(tableStore(db, stockMovements, stores), catalogue)
  const trade = { db, catalogue, clients, stock, settings: setup.get, basis: setup.basis }
  const orders = salesOrderService({ ...trade, store: tableStore(db, salesOrders, stores) })
  const bills = invoiceService({ ...trade, store: tableStore(db, invoices, stores), orders })
  const finder = searchService(db, words)
  const reports = reportService(db, setup.basis)
  const paid = paymentService(db, tableStore(db, payments, stores), bills, setup.basis)

  /** Writes behind what is counted in memory. Every few seconds, and once more at the end. */
  async function writeBehind({ all = false } = {}): Promise<void> {
    await uses.flush()
    await sums.flush({ all })
    const days = limits.unwrittenDays()
    if (days.length > 0) await writer(() => writeDayCounts(db, days))
    limits.markWritten(days)
  }

  /** Forgets what has had its day. At the start, and every hour. */
  async function sweep(): Promise<void> {
    await writer((tx) => {
      sessions.sweep(tx)
      places.sweep()
      oauth.sweep()
      deleteDaysBefore(db, today())
    })
    while ((await writer(() => deleteOldAnswers(db, answersAtOnce))) === answersAtOnce) continue
  }

  return {
    settings: setup,
    limits,
    sessions,
    identify,
    door,
    audit,
    sums,
    users: accounts,
    keys,
    auth,
    applications,
    oauth,
    catalogue,
    clients,
    stock,
    orders,
    bills,
    paid,
    finder,
    reports,
    idleMinutes,
    writeBehind,
    sweep,
  }
}

export type Services = ReturnType<typeof createServices>

/** Kept answers are forgotten so many in one write: each may be as large as a document. */
const answersAtOnce = 100
