import { consolePages } from "./console/server/pages"
import { consoleSession } from "./console/server/session"
import { signInWith as signInWithRoutes } from "./console/server/sign-in-with"
import type { BackgroundBackup } from "./core/engine/backup/background-backup"
import type { Call, Connection } from "./core/http/request/call"
import { businessRoutes, type Business, type BusinessDeps } from "./core/http/route/business-routes"
import { countMore } from "./core/http/request/rate-limit"
import { type KeyedKind, withKeyedRoutes } from "./core/http/route/keyed-routes"
import type { Route } from "./core/http/route/route"
import { type Counted, valuesRoute } from "./core/http/route/values"
import type { Writer } from "./core/write/writer"
import { kinds, shop } from "./kinds"
import { apiKeyRoutes } from "./office/api-keys/routes"
import { auditRoutes, historyRoute, type Existing } from "./office/audit/routes"
import { authRoutes } from "./office/auth/routes"
import { factorRoutes } from "./office/factors/routes"
import { mailTestRoutes, messageRoutes } from "./office/mail/routes"
import { backupRoutes } from "./office/backups/routes"
import { importRoutes } from "./office/imports/routes"
import { eventRoutes } from "./office/events/routes"
import type { Exporter } from "./office/exports/exporter"
import type { Exportable } from "./office/exports/model"
import { archiveRoute, exportRoute } from "./office/exports/routes"
import { authorizeRoutes } from "./office/oauth/consent/authorize"
import { browserCookies } from "./office/oauth/consent/browser"
import { oauthEndpoints } from "./office/oauth/endpoints"
import { grantRoutes, oauthClientRoutes } from "./office/oauth/routes"
import { undoKind } from "./office/imports/undo"
import { jobRoutes } from "./office/jobs/routes"
import { sendRoute } from "./trade/mail/routes"
import { paperRoutes, type Papers } from "./trade/paper/routes"
import { quotationPageRoutes } from "./shop/quotations/public/routes"
import { remindersKind } from "./shop/reminders/run"
import { repriceKind } from "./shop/reprice/model"
import { repriceRoutes } from "./shop/reprice/routes"
import { statementRoutes } from "./shop/statements/routes"
import { reportRoutes } from "./shop/reports/routes"
import { searchRoutes } from "./office/search/routes"
import { settingsRoutes } from "./office/settings/routes"
import { userRoutes } from "./office/users/routes"
import { viewRoutes } from "./office/views/routes"
import { jobRight } from "./shared/rights"
import { webhookRight } from "./office/webhooks/model"
import { replayKind } from "./office/webhooks/replay/replay"
import { webhookRoutes } from "./office/webhooks/routes"
import type { Resource, Shared } from "./core/kind/define"
import type { Services } from "./services"
import type { Plans } from "./shared/plans"
import type { UploadState } from "./storage/names"
import { version } from "./version"

export type Deps = {
  plans: Plans
  /** True when browsers reach the server over https. */
  isReachedSecurely: boolean
  publicUrl: string | null
  issuer: () => string
  oauthSecret: string
  /** Signs the fingerprints of imports. */
  importSecret: string
  backups: BackgroundBackup | null
  exporter: Exporter
  file: string
  latestBackup: () => string | null
  uploadState: () => UploadState | null
  keepOpen: Connection["keepOpen"]
  /** True if the server is a demo. */
  isDemo: boolean
  writer: Writer
  /** Records a caller that was refused with 403. */
  noteRefused: (call: Call, code: string) => void
}

type KindKey = keyof typeof kinds

/** All routes of the API, in the order in which they are documented. docs/routes.md lists them. */
export function apiRoutes(services: Services, deps: Deps): Route[] {
  const { auth, factors, forgotten, writes, limits, settings } = services
  const ofKind = routesOfKinds(services, deps)
  const statementNeeds = {
    ...services,
    findLogo: services.logos.find,
    settings: settings.get,
    moneyContext: settings.moneyContext,
  }
  return [
    ...authRoutes({
      auth,
      forgotten,
      writes,
      limits,
      plans: deps.plans,
      company: settings.about,
      issuer: deps.issuer,
    }),
    ...factorRoutes({ auth, factors, writes, isRequired: services.isFactorRequired }),
    ...grantRoutes(services.oauth),
    ...withKeyedRoutes(
      (Object.keys(kinds) as KindKey[]).flatMap((key) => [
        ...ofKind(key),
        ...valuesOf(key, services),
        ...exportOf(key, services, deps),
        ...historyOf(key, services),
        ...paperOf(key, services),
        ...sendOf(key, services),
        ...(key === "customers" ? statementRoutes(statementNeeds) : []),
      ]),
      keyedKinds(services),
    ),
    ...searchRoutes(services.search),
    ...reportRoutes(services.reports),
    ...repriceRoutes(services),
    ...jobRoutes({
      jobs: services.jobs,
      kinds: {
        [repriceKind]: jobRight,
        [undoKind]: jobRight,
        [remindersKind]: kinds.reminders.rights.write,
        [replayKind]: webhookRight,
      },
    }),
    ...importRoutes({ ...services, secret: deps.importSecret }),
    ...eventRoutes({ ...services, records: services.eventRecords() }),
    ...backupRoutes({ ...deps, writes }),
    archiveRoute({ ...deps, writes, uses: services.uses, version }),
  ]
}

/** Returns a function that lists the routes of a kind: its own, or else the routes that all kinds share. */
function routesOfKinds(services: Services, { plans, noteRefused }: Deps): (key: KindKey) => Route[] {
  const money = services.settings.moneyContext
  const business = {
    money,
    writes: services.writes,
    countMore: countMore(services.limits, plans),
    noteRefused,
  }
  const own = {
    users: userRoutes(services.users, money),
    apiKeys: apiKeyRoutes(services.apiKeys, services.uses, money),
    oauthClients: oauthClientRoutes(services.oauthClients, money),
    settings: [
      ...settingsRoutes(services.settings, services.logos, services.network),
      ...mailTestRoutes(services),
    ],
    messages: messageRoutes({ ...services, money, resume: services.webhookSending.resume }),
    auditLogs: auditRoutes(services.auditLogs, money),
    webhooks: webhookRoutes({ ...services, money }),
    views: viewRoutes(services.views, money),
  } satisfies Record<Exclude<KindKey, ShopKey>, Route[]>
  // The type check fails for a kind with a service that lacks what the common routes need.
  const common: Record<CommonKey, Business<Shared>> = services
  const folders: Record<ShopKey, Folder> = shop
  return (key) => {
    if (!(key in shop)) return own[key as keyof typeof own]
    const { kind, routes } = folders[key as ShopKey]
    return routes?.(services, business) ?? businessRoutes(kind, common[key as CommonKey], business)
  }
}

type ShopKey = keyof typeof shop
/** The kinds that have only the common routes. */
type CommonKey = { [K in ShopKey]: (typeof shop)[K] extends { routes: unknown } ? never : K }[ShopKey]

/** What a folder of the shop may add. */
type Folder = {
  kind: Resource
  routes?: (the: Services, deps: BusinessDeps) => Route[]
  papers?: (the: Services) => Papers
}

/** Kinds without independent records: there is one settings record. */
type Dependent = "settings"

const isKeyed = (service: object): service is KeyedKind["service"] => "findId" in service

/** The kinds of the business, and messages, whose records are found by other keys than the id. */
function keyedKinds(services: Services): KeyedKind[] {
  const found: Record<ShopKey, object> = services
  const ofShop = (Object.keys(shop) as ShopKey[]).flatMap((key) => {
    const service = found[key]
    return isKeyed(service) ? [{ kind: shop[key].kind, service }] : []
  })
  return [...ofShop, { kind: kinds.messages, service: services.messages }]
}

/** GET /{kind}/values, for the kinds of the business. */
function valuesOf(key: KindKey, services: Services): Route[] {
  if (!(key in shop)) return []
  const counted: Record<ShopKey, Counted> = services
  return valuesRoute(kinds[key], counted[key as ShopKey], services.settings.moneyContext)
}

/** GET /{kind}/export, if the kind has a list. */
function exportOf(key: KindKey, services: Services, { exporter, keepOpen }: Deps): Route[] {
  if (key === "settings") return []
  const records: Record<Exclude<KindKey, Dependent>, Exportable> = services
  const { feed, settings, writes } = services
  const exported = { exporter, keepOpen, feed, writes, money: settings.moneyContext }
  const kind: Resource = kinds[key]
  const isImported = services.imports.kinds[kind.name]?.exported !== undefined
  return [exportRoute({ kind, isImported }, records[key], exported)]
}

/** GET /{kind}/{id}/history, if the model declares it. */
function historyOf(key: KindKey, services: Services): Route[] {
  const kind: Resource = kinds[key]
  if (!kind.hasHistory || key === "settings") return []
  const records: Record<Exclude<KindKey, Dependent>, Existing> = services
  return [historyRoute(kind, records[key], services.auditLogs, services.settings.moneyContext)]
}

/** The page to print, the PDF and the e-invoice of a document, if its folder puts it on paper. */
function paperOf(key: KindKey, services: Services): Route[] {
  const { papers, renderer, writes, logos } = services
  const folders: Partial<Record<KindKey, Folder>> = shop
  const found = folders[key]
  if (!found?.papers) return []
  const deps = { papers, renderer, writes, findLogo: logos.find }
  return paperRoutes({ kind: found.kind, ...found.papers(services) }, deps)
}

/** POST /{kind}/{id}/send, if the documents of the kind are sent. */
function sendOf(key: KindKey, { mail }: Services): Route[] {
  const kind: Resource = kinds[key]
  return kind.mail ? [sendRoute(kind, mail)] : []
}

/** The routes outside the API: the console, and the endpoints that the OAuth RFCs define. */
export function pageRoutes(services: Services, deps: Deps): Route[] {
  const {
    auth,
    factors,
    oauth,
    oidc,
    oauthClients: clients,
    sessions,
    idleMinutes,
    users,
    forgotten,
  } = services
  const hasPasswords = () => services.settings.get().passwordSignInFor === null
  const signInWith = () =>
    oidc.offered().map(({ name, key }) => ({ name, url: `${deps.issuer()}/console/session/with/${key}` }))
  const { issuer, publicUrl, isReachedSecurely: isSecure, oauthSecret: secret, noteRefused, isDemo } = deps
  const { plans, writer } = deps
  return [
    ...oauthEndpoints({ oauth, clients, issuer }),
    ...authorizeRoutes({
      oauth,
      clients,
      auth,
      sessions,
      issuer,
      secret,
      isSecure,
      publicUrl,
      noteRefused,
      mustAddFactor: services.mustAddFactor,
      signInWith,
    }),
    ...consoleSession({
      auth,
      idleMinutes,
      publicUrl,
      isSecure,
      isDemo,
      needsAdmin: () => !users.hasActiveAdmin(),
      sendsLinks: () => hasPasswords() && forgotten.isOffered(),
      offersPasskeys: factors.offersPasskeys,
      signInWith,
      hasPasswords,
    }),
    ...signInWithRoutes({
      auth,
      oidc,
      issuer,
      secret,
      idleMinutes,
      oauthCookies: browserCookies({ secret, isSecure, publicUrl }),
    }),
    ...quotationPageRoutes({ ...services, writer }, { plans, publicUrl, isSecure, noteRefused }),
    ...consolePages(),
  ]
}
