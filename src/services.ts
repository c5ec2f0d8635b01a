import { isShared, type Database } from "./core/engine/engine"
import type { BlockList } from "node:net"
import { deleteOldAnswers } from "./core/write/idempotency"
import { addDayCounts, deleteDaysBefore } from "./core/write/rate-days"
import type { Subscribe } from "./core/engine/others-writes"
import type { ReaderThread } from "./core/engine/reader-thread"
import type { SecretName } from "./core/engine/secrets"
import type { Tx, Writer } from "./core/write/writer"
import { kindList, kinds } from "./kinds"
import { real } from "./core/lib/clock"
import { once } from "./core/lib/once"
import { deleteOldTries } from "./office/auth/tries"
import { customerService } from "./shop/customers/service"
import type { HeadStore } from "./trade/documents/documents"
import type { Invoice, InvoiceHead } from "./shop/invoices/model"
import { invoicePaper } from "./shop/invoices/paper"
import { creditNoteService, type CreditNoteService } from "./shop/credit-notes/service"
import type { CreditNote, CreditNoteHead } from "./shop/credit-notes/model"
import { creditNotePaper } from "./shop/credit-notes/paper"
import type { InvoiceDeps } from "./shop/invoices/issue"
import { invoiceService } from "./shop/invoices/service"
import { eventKindsOf } from "./office/events/model"
import { feedIdOf } from "./office/events/position"
import { eventService } from "./office/events/service"
import { importKinds } from "./services/imports"
import { importService } from "./office/imports/service"
import { itemService } from "./shop/items/service"
import { jobService } from "./office/jobs/service"
import { paperContents, type PaperContents } from "./trade/paper/contents"
import { paperStore, type PaperStore } from "./trade/paper/papers"
import { pdfRenderer } from "./trade/paper/pdf/renderer"
import { invoicePaymentService } from "./shop/payments/of-invoice"
import type { PaymentStore } from "./shop/payments/parts"
import { paymentService } from "./shop/payments/service"
import { repriceService } from "./shop/reprice/service"
import { reportService } from "./shop/reports/service"
import type { OrderHead } from "./shop/sales-orders/model"
import { salesOrderService, type SalesOrderService } from "./shop/sales-orders/service"
import { searchKindsOf } from "./office/search/model"
import { searchService } from "./office/search/service"
import { vocabulary } from "./office/search/vocabulary"
import { logoService } from "./office/settings/logo"
import { settingsService } from "./office/settings/service"
import { invoicePayments as invoicePaymentKind } from "./trade/settlements/model"
import { stockMovementService } from "./shop/stock-movements/service"
import { taxCodeService } from "./shop/tax-codes/service"
import { signedCursors } from "./core/store/cursor"
import type { Resource } from "./core/kind/define"
import { searchFeed } from "./core/search/search-feed"
import { tableStore, type WordChange } from "./core/store/table-store"
import { accessServices, type Access } from "./services/access"
import { recordsOfEvents } from "./services/event-records"
import { webhookServices, type Webhooks } from "./services/webhooks"
import { endIn } from "./shared/dates"

/** The dependencies of the services. */
export type Deps = {
  db: Database
  writer: Writer
  /**
   * The URL that OAuth clients know this server by: the public URL or the listen address, never the Host of a request.
   */
  issuer: () => string
  /** Returns the secret with this name. It signs the tokens and cursors that the server issues. */
  secretOf: (name: SecretName) => string
  /** Reads the lists of large tables in another thread. Null when only this thread can read the database. */
  thread: ReaderThread | null
  /** Tells when a commit has written events. */
  subscribe: Subscribe
  /** How long events are kept, in milliseconds. */
  keepEvents: number
  /** The networks outside the internet that webhooks may call. */
  allowPrivateWebhooks: BlockList | null
  /** True when nothing is sent to webhooks. */
  noSending: boolean
}

/** Creates every service with the services it needs. HTTP and the command line use the same services. */
export function createServices(deps: Deps) {
  const base = baseServices(deps)
  const access = accessServices(deps, base)
  const shop = shopServices(deps, base)
  const logos = logoService(deps.db, base.settings)
  const renderer = pdfRenderer()
  const events = eventsOf(deps)
  const background = { ...backgroundServices(deps, access, shop, base.settings), events }
  const records = once(() => recordsOfEvents({ ...shop, ...background }))
  const services = {
    settings: base.settings,
    feed: base.feed,
    logos,
    renderer,
    ...access,
    ...shop,
    ...background,
    ...webhookServices(deps, base, events, records),
    eventRecords: records,
  }
  return { ...services, ...upkeep(deps, services) }
}

export type Services = ReturnType<typeof createServices>

/** The services that all others need: the settings, and a store per kind. */
function baseServices({ db, writer, secretOf, thread }: Deps) {
  const settings = settingsService(db)
  const words = vocabulary({ isShared: isShared(db) })
  const feed = searchFeed(db, writer, kindList)
  const store = {
    feed,
    thread,
    cursors: signedCursors(secretOf("cursors")),
    moneyContext: settings.moneyContext,
    onWords: (tx: Tx, { table, row, before, after }: WordChange) =>
      void tx.afterCommit.push(() => {
        words.change(table, row, before, after)
        feed.note()
      }),
  }
  const storeOf = <R extends Resource>(kind: R) => tableStore(db, kind, store)
  return { settings, words, feed, storeOf }
}

export type Base = ReturnType<typeof baseServices>

/** The services of the shop: items, customers, orders, invoices, payments and stock. */
function shopServices({ db }: Deps, { settings, words, feed, storeOf }: Base) {
  const { moneyContext } = settings
  const shared = { db, settings: settings.get, moneyContext }
  const taxCodes = taxCodeService({ db, store: storeOf(kinds.taxCodes), settings: settings.get })
  const items = itemService({ db, store: storeOf(kinds.items), taxCodes, settings: settings.get })
  const customers = customerService({ ...shared, store: storeOf(kinds.customers) })
  const stockMovements = stockMovementService({ store: storeOf(kinds.stockMovements), items })
  const { invoiceFormatOf } = settings
  const trade = { ...shared, items, customers, taxCodes, stockMovements, invoiceFormatOf }
  const orderStore = storeOf(kinds.salesOrders) as unknown as HeadStore<OrderHead>
  const salesOrders = salesOrderService({ ...trade, store: orderStore })
  const paper = paperContents({ ...shared, customers, taxCodes })
  const papers = paperStore(db)
  const billed = billServices({ ...trade, ...keepers(paper, papers) }, salesOrders, storeOf)
  return {
    items,
    taxCodes,
    customers,
    stockMovements,
    salesOrders,
    paper,
    papers,
    ...billed,
    search: searchService(db, searchKindsOf(kindList), words, {
      money: moneyContext,
      formatsOf: settings.formatsOf,
      feed,
    }),
    reports: reportService(db, moneyContext, (date) => endIn(settings.get().timeZone, date)),
  }
}

type Shop = ReturnType<typeof shopServices>

/** The functions that keep what documents print when they are issued. */
const keepers = (paper: PaperContents, papers: PaperStore) => ({
  keepInvoice: (tx: Tx, invoice: Invoice) => papers.issue(tx, "invoices", invoicePaper(paper, invoice)),
  keepNote: (tx: Tx, note: CreditNote, invoice: InvoiceHead) =>
    papers.issue(tx, "credit-notes", creditNotePaper(paper, note, invoice)),
})

/** The services of invoices, credit notes and payments. Cancelling an invoice may write a credit note. */
function billServices(
  trade: Omit<InvoiceDeps, "store" | "salesOrders" | "creditCancelled" | "keepPaper"> &
    ReturnType<typeof keepers>,
  salesOrders: SalesOrderService,
  storeOf: Base["storeOf"],
) {
  const invoices = invoiceService({
    ...trade,
    store: storeOf(kinds.invoices) as unknown as HeadStore<InvoiceHead>,
    salesOrders,
    keepPaper: trade.keepInvoice,
    creditCancelled: (...given) => creditNotes.creditCancelled(...given),
  })
  const noteStore = storeOf(kinds.creditNotes) as unknown as HeadStore<CreditNoteHead>
  const creditNotes: CreditNoteService = creditNoteService({
    ...trade,
    store: noteStore,
    invoices,
    salesOrders,
    keepPaper: trade.keepNote,
  })
  const paid = { ...trade, store: storeOf(kinds.payments) as unknown as PaymentStore, invoices }
  return {
    invoices,
    creditNotes,
    payments: paymentService(paid),
    invoicePayments: invoicePaymentService({ ...paid, parts: storeOf(invoicePaymentKind) }),
  }
}

/** The feed of events. */
const eventsOf = ({ db, writer, secretOf, subscribe, keepEvents }: Deps) =>
  eventService({
    db,
    writer,
    feed: feedIdOf(secretOf("events")),
    subscribe,
    kinds: eventKindsOf(kindList),
    keptFor: keepEvents,
  })

/** The services of work in the background. */
function backgroundServices(
  { db, writer }: Deps,
  { callerAgain, whenRevoked }: Access,
  shop: Shop,
  { moneyContext }: Base["settings"],
) {
  const imports = importService({ db, writer, kinds: importKinds(shop) })
  const reprice = repriceService({ db, writer, items: shop.items, moneyContext })
  const jobs = jobService({ db, writer, callerAgain }, [imports.handler, reprice.handler])
  whenRevoked(jobs.endRevoked)
  return { imports, reprice, jobs }
}

/** The number of stored responses to delete in one transaction. Each can be as large as a document. */
const answersAtOnce = 100

function upkeep(
  { db, writer }: Deps,
  services: Access &
    Pick<Shop, "invoices"> &
    ReturnType<typeof backgroundServices> &
    Pick<Webhooks, "webhookSending"> & {
      events: ReturnType<typeof eventsOf>
    },
) {
  const { uses, sums, limits, sessions, places, oauth, invoices, imports, reprice, jobs } = services
  const { events, webhookSending } = services
  return {
    /** Writes the counters that are in memory. Runs every few seconds, and once more at shutdown. */
    async flushCounters({ all = false } = {}): Promise<void> {
      await uses.flush()
      await sums.flush({ all })
      const days = limits.unwrittenDays()
      if (days.length > 0) limits.markWritten(await writer(() => addDayCounts(db, days)))
    },

    /** Stores that invoices became overdue. Runs at startup, and every minute: it writes only on a new day. */
    async markOverdue(): Promise<void> {
      while (invoices.isOverdueOutdated() && (await writer((tx) => invoices.markOverdue(tx)))) continue
    },

    /** Deletes expired data. Runs at startup, and every hour. */
    async deleteExpired(): Promise<void> {
      await writer((tx) => {
        sessions.deleteExpired(tx)
        places.deleteExpired()
        deleteOldTries(db)
        oauth.deleteExpired()
        deleteDaysBefore(db, real.today())
      })
      while ((await writer(() => deleteOldAnswers(db, answersAtOnce))) === answersAtOnce) continue
      await imports.deleteUnused()
      await reprice.deleteUnused()
      await jobs.deleteExpired()
      await events.deleteExpired(webhookSending.passDeleted)
      await webhookSending.deleteExpired()
    },
  }
}
