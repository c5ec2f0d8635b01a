import type { Database } from "./core/engine/engine"
import type { BlockList } from "node:net"
import { deleteOldAnswers } from "./core/write/idempotency"
import { addDayCounts, deleteDaysBefore } from "./core/write/rate-days"
import type { Subscribe } from "./core/engine/others-writes"
import type { ReaderThread } from "./core/engine/reader-thread"
import type { SecretName } from "./core/engine/secrets"
import type { Tx, Writer } from "./core/write/writer"
import { install, type Core } from "./core/folder"
import { kindList, kinds, letters, shop } from "./kinds"
import { real, business } from "./core/lib/clock"
import { once } from "./core/lib/shared-runs"
import { restsBetween } from "./core/lib/turns"
import { deleteOldTries } from "./office/auth/tries"
import { eventKindsOf } from "./office/events/model"
import { eventService, feedIdOf, type EventService } from "./office/events/service"
import type { EventRecords, FindRecords } from "./office/events/records"
import type { ImportKind, ImportKinds } from "./office/imports/kind"
import type { Import } from "./office/imports/model"
import { importService } from "./office/imports/service"
import type { JobHandler } from "./office/jobs/handler"
import { jobService } from "./office/jobs/service"
import { mailFiles } from "./trade/mail/files"
import { documentMail, type MailedPapers } from "./trade/mail/service"
import { paperContents } from "./trade/paper/contents"
import { paperStore } from "./trade/paper/papers"
import { pdfRenderer, type PdfRenderer } from "./trade/paper/pdf/renderer"
import type { Papers } from "./trade/paper/routes"
import { remindersJob } from "./shop/reminders/run"
import { repriceService } from "./shop/reprice/service"
import type { TaxCodeService } from "./shop/tax-codes/service"
import { statementService } from "./shop/statements/service"
import { reportService } from "./shop/reports/service"
import { searchKindsOf } from "./office/search/model"
import { searchService } from "./office/search/service"
import { vocabulary } from "./office/search/vocabulary"
import { type ForgottenPasswords, forgottenPasswords } from "./office/auth/forgotten"
import type { Message } from "./office/mail/model"
import { mailSending, type MailSending } from "./office/mail/sending"
import { messageService, type MessageService } from "./office/mail/service"
import { deliver } from "./office/mail/transport/deliver"
import { accessTokens } from "./office/mail/transport/oauth"
import { logoService, type LogoService } from "./office/settings/logo"
import { sellerOf } from "./office/settings/seller"
import { settingsService } from "./office/settings/service"
import { pairIndex } from "./core/store/pairs/pair-index"
import { signedCursors } from "./core/store/cursor"
import type { Resource } from "./core/kind/define"
import { searchFeed } from "./core/search/search-feed"
import { tableStore, type WordChange } from "./core/store/table-store"
import { accessServices, type Access } from "./services/access"
import { worksOf } from "./services/works"
import { endIn } from "./shared/dates"
import { webhookDeliveries } from "./office/webhooks/model"
import { type Network, systemResolve } from "./office/webhooks/addresses"
import { replays } from "./office/webhooks/replay/replay"
import { webhookSending } from "./office/webhooks/sending"
import { webhookService } from "./office/webhooks/service"

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
  /** The URL that people use, if it is known. */
  publicUrl: string | null
  /** Hands mail to a server. The demo has another one, which keeps it. */
  deliver?: typeof deliver
  isMailHeld?: () => boolean
  /** True when nothing is sent: neither events to webhooks nor mail. */
  noSending: boolean
}

/** Creates every service with the services it needs. HTTP and the command line use the same services. */
export function createServices(deps: Deps) {
  const base = baseServices(deps, () => shop.taxCodes)
  const network = { resolve: systemResolve, allowed: deps.allowPrivateWebhooks }
  const access = accessServices(deps, { ...base, network })
  const logos = logoService(deps.db, base.settings)
  const renderer = pdfRenderer()
  const messages = messagesOf(deps, base, () => sending)
  const shop: Shop = shopServices(deps, base, messages, () => papersOfKinds(shop))
  const sending: MailSending = mailSendingOf(deps, {
    base,
    shop,
    logos,
    renderer,
    network,
    linked: (message) => forgotten.textOf(message),
  })
  const forgotten = forgottenPasswords({
    ...deps,
    users: access.users,
    factors: access.factors,
    throttle: access.throttle,
    messages,
    isMailSetUp: () => sending.isSetUp(),
    language: () => base.settings.get().defaultLanguage,
  })
  const events = eventsOf(deps)
  const records: () => EventRecords = once(() => recordsOfEvents(shop, messages, background))
  // A restored file may also make invoices that were made after its backup.
  const mail = { ...sending, hasAny: () => sending.hasAny() || shop.recurringInvoices.hasActive() }
  const webhooks = webhookServices(deps, { ...base, network }, access, { events, records, mail })
  const handlers = [webhooks.webhookReplays.handler]
  const background = { ...backgroundServices(deps, access, shop, base.settings, handlers), events }
  const services = {
    settings: base.settings,
    feed: base.feed,
    pairs: base.pairs,
    logos,
    renderer,
    network,
    messages,
    mailSending: sending,
    forgotten,
    ...access,
    ...shop,
    ...background,
    ...webhooks,
    eventRecords: records,
  }
  const kept = upkeep(deps, services)
  return { ...services, ...kept, works: worksOf({ ...deps, ...services, ...kept }) }
}

export type Services = ReturnType<typeof createServices>

/** The services that all others need: the settings, and a store per kind. */
function baseServices({ db, writer, secretOf, thread }: Deps, taxCodes: () => TaxCodeService) {
  const pairs = pairIndex(db, writer)
  const settings = settingsService({ db, kind: kinds.settings, kinds: kindList, letters, taxCodes, pairs })
  const words = vocabulary({ isShared: db.engine.isShared })
  const feed = searchFeed(db, writer, kindList)
  const store = {
    feed,
    thread,
    pairs,
    cursors: signedCursors(secretOf("cursors")),
    moneyContext: settings.moneyContext,
    onWords: (tx: Tx, { table, row, before, after }: WordChange) =>
      void tx.afterCommit.push(() => {
        words.change(table, row, before, after)
        feed.note()
      }),
  }
  const storeOf = <R extends Resource>(kind: R) => tableStore(db, kind, store)
  return { settings, words, feed, pairs, storeOf }
}

export type Base = ReturnType<typeof baseServices>

/** The messages of all kinds. What sends them knows the shop, and the shop writes messages. */
const messagesOf = ({ db }: Deps, { storeOf }: Base, sending: () => MailSending): MessageService =>
  messageService({
    db,
    store: storeOf(kinds.messages),
    // Messages about a customer have its reminders or its statement.
    kinds: [
      ...kindList.filter(({ name, mail }) => mail || name === kinds.users.name),
      { name: kinds.customers.name, rights: kinds.invoices.rights },
    ],
    assertSetUp: () => sending().assertSetUp(),
    onQueued: () => sending().sender.wake(),
  })

/** How the documents of each kind are put on paper. */
function papersOfKinds(services: Shop): Map<string, MailedPapers> {
  const folders: { kind: Resource; papers?: (the: Shop) => Papers }[] = Object.values(shop)
  return new Map(
    folders.flatMap(({ kind, papers }) => (papers ? [[kind.name, { kind, ...papers(services) }]] : [])),
  )
}

type MailNeeds = {
  base: Base
  shop: Shop
  logos: LogoService
  renderer: PdfRenderer
  network: Network
  /** Returns the text of a message to a user, with a new link. */
  linked: (message: Message) => Promise<string>
}

/** What sends mail, and how the files of messages are made. */
function mailSendingOf(
  { db, writer, subscribe, noSending, deliver: hand = deliver, isMailHeld = () => false }: Deps,
  {
    base: { settings, storeOf },
    shop: { mail, papers, papersOf },
    logos,
    renderer,
    network,
    linked,
  }: MailNeeds,
): MailSending {
  const company = () => sellerOf(settings.get()).legalName ?? ""
  const renew = (before: string, after: string) =>
    void writer(() => settings.renewSecret("smtp.oauth.refreshToken", before, after)).catch(() => {})
  return mailSending({
    db,
    writer,
    subscribe,
    network,
    settings,
    company,
    store: storeOf(kinds.messages),
    clock: business.now,
    tokens: accessTokens(renew),
    deliver: hand,
    isHeld: isMailHeld,
    isSwitchedOn: !noSending,
    language: () => settings.get().defaultLanguage,
    logo() {
      const { logo } = settings.get()
      return logo === null ? null : logos.find(logo)
    },
    onSent: (tx, message) => void (isToUser(message) || mail.noteSent(tx, message)),
    fileOf: mailFiles({ writer, papers, renderer, findLogo: logos.find, papersOf }),
    textOf: async (message) =>
      isToUser(message)
        ? linked(message)
        : message.message.includes("{link}")
          ? writer((tx) => mail.textOf(tx, message))
          : message.message,
  })
}

/** True for a message that is not about a document. */
const isToUser = ({ kind }: Message): boolean => kind === kinds.users.name

/** The services of the shop: items, customers, orders, invoices, payments and stock. */
function shopServices(
  { db, issuer }: Deps,
  { settings, words, feed, storeOf }: Base,
  messages: MessageService,
  allPapers: () => Map<string, MailedPapers>,
) {
  const { moneyContext, nextNumber, formatProducing, formatToProduce } = settings
  const byKind = once(allPapers)
  const papersOf = (kind: string): MailedPapers => {
    const found = byKind().get(kind)
    if (!found) throw new Error(`There is no paper of ${kind}.`)
    return found
  }
  const core = {
    db,
    storeOf,
    moneyContext,
    nextNumber,
    settings: settings.get,
    formatProducing,
    formatToProduce,
    kinds: kindList,
    lineTables: kindList.flatMap(({ lines }) => lines?.table ?? []),
    messages,
    papersOf,
    issuer,
  }
  const papers = {
    paper: { service: paperContents },
    papers: { service: ({ db }: Core) => paperStore(db) },
    mail: { service: documentMail },
    statements: { service: statementService },
  }
  const installed = install(core, { ...shop, ...papers })
  return {
    papersOf,
    ...installed,
    search: searchService(db, searchKindsOf(kindList), words, {
      money: moneyContext,
      formatsOf: settings.formatsOf,
      feed,
    }),
    reports: reportService(
      db,
      moneyContext,
      (date) => endIn(settings.get().timeZone, date),
      installed.reminders,
    ),
  }
}

type Shop = ReturnType<typeof shopServices>

/** What imports need: the services that write records, and what the company has set. */
type ImportsNeed = Shop & {
  settings: Base["settings"]["get"]
  moneyContext: Base["settings"]["moneyContext"]
}
type Importing = { kind: Resource; imports?: Readonly<Record<string, (the: ImportsNeed) => ImportKind>> }

/** All kinds of import, each with the services that write its records. Those that can update records come first. */
function importKindsOf(the: ImportsNeed): ImportKinds {
  const folders: Importing[] = Object.values(shop)
  const made = folders.flatMap(({ imports = {} }) => Object.values(imports).map((kindOf) => kindOf(the)))
  const listed = made.toSorted((a, b) => b.modes.length - a.modes.length)
  return Object.fromEntries(listed.map((kind) => [kind.name, kind]))
}

const eventsOf = ({ db, writer, secretOf, subscribe, keepEvents }: Deps) =>
  eventService({
    db,
    writer,
    feed: feedIdOf(secretOf("events")),
    subscribe,
    kinds: eventKindsOf(kindList),
    keptFor: keepEvents,
  })

/** In milliseconds. */
const longestStep = 4

type Background = Pick<ReturnType<typeof backgroundServices>, "imports" | "jobs">

/** How events find their records. */
function recordsOfEvents(
  services: Shop,
  messages: MessageService,
  { imports, jobs }: Background,
): EventRecords {
  const findImports: FindRecords = async (ids, signal, caller) => {
    // What was recognized in a file can be large, so other requests run in between.
    const rest = restsBetween(longestStep, signal)
    const found: Import[] = []
    for (const id of ids) {
      const record = imports.find(jobs, id, caller)
      if (record) found.push(record)
      await rest()
    }
    return found
  }
  const records: Record<keyof typeof shop, { findMany: FindRecords }> = services
  const ofKinds = Object.entries(shop).map(([key, { kind }]) => [
    kind.name,
    records[key as keyof typeof shop].findMany,
  ])
  return { ...Object.fromEntries(ofKinds), [kinds.messages.name]: messages.findMany, imports: findImports }
}

/** The services of work in the background. */
function backgroundServices(
  { db, writer }: Deps,
  { callerAgain, whenRevoked }: Access,
  shop: Shop,
  { moneyContext, get: settings }: Base["settings"],
  others: readonly JobHandler[],
) {
  const imports = importService({
    db,
    writer,
    kinds: importKindsOf({ ...shop, settings, moneyContext }),
    company: moneyContext,
  })
  const reprice = repriceService({ db, writer, items: shop.items, moneyContext })
  const jobs = jobService({ db, writer, callerAgain }, [
    imports.handler,
    imports.undoHandler,
    reprice.handler,
    remindersJob({ db, ...shop }),
    ...others,
  ])
  whenRevoked(jobs.endRevoked)
  return { imports, reprice, jobs }
}

/** The number of stored responses to delete in one transaction. Each can be as large as a document. */
const answersAtOnce = 100

function upkeep(
  { db, writer }: Deps,
  services: Access & { forgotten: ForgottenPasswords } & Pick<Shop, "invoices"> &
    ReturnType<typeof backgroundServices> &
    Pick<Webhooks, "webhookSending"> & {
      events: ReturnType<typeof eventsOf>
    },
) {
  const { uses, sums, limits, sessions, places, factors, oauth, invoices, imports, reprice, jobs } = services
  const { events, forgotten, webhookSending } = services
  return {
    /** Writes the counters that are in memory. Runs every few seconds, and once more at shutdown. */
    async flushCounters({ all = false } = {}): Promise<void> {
      await uses.flush()
      await sums.flush({ all })
      const days = limits.unwrittenDays()
      if (days.length > 0) limits.markWritten(await writer(() => addDayCounts(db, days)))
    },

    /** Stores that invoices became overdue. It writes only on a new day. */
    async markOverdue(): Promise<void> {
      while (invoices.isOverdueOutdated() && (await writer((tx) => invoices.markOverdue(tx)))) continue
    },

    /** Deletes expired data. Runs at startup, and every hour. */
    async deleteExpired(): Promise<void> {
      await writer((tx) => {
        sessions.deleteExpired(tx)
        places.deleteExpired()
        factors.deleteExpired()
        uses.deleteOld()
        forgotten.deleteExpired()
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

/** The services of webhooks: the records, and what sends events to them. */
function webhookServices(
  { db, writer, subscribe, noSending }: Deps,
  { storeOf, network }: Pick<Base, "storeOf"> & { network: Network },
  { personOf }: Access,
  { events, records, mail }: { events: EventService; records: () => EventRecords; mail: MailSending },
) {
  const attempts = { succeeded: 0, failed: 0 }
  const onAttempt = (hasSucceeded: boolean) => void attempts[hasSucceeded ? "succeeded" : "failed"]++
  const shared = { db, writer, events, network: { ...network, onAttempt }, clock: business.now }
  const webhooks = webhookService({
    ...shared,
    store: storeOf(kinds.webhooks),
    onChange: () => sending.sender.wake(),
  })
  const sends = {
    ...shared,
    getWebhook: webhooks.get,
    records,
    personOf,
    subscribe,
    isSwitchedOn: !noSending,
    mail: { hasAny: mail.hasAny, doubt: mail.doubt, wake: mail.sender.wake },
  }
  const sending = webhookSending({ ...sends, deliveries: storeOf(webhookDeliveries), feed: events.feed })
  return { webhooks, webhookSending: sending, webhookReplays: replays(sends), webhookAttempts: attempts }
}

type Webhooks = ReturnType<typeof webhookServices>
