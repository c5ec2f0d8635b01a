import type { Database } from "../core/engine/engine"
import { cacheOf } from "../core/write/cache"
import { findDayCount } from "../core/write/rate-days"
import type { Tx } from "../core/write/writer"
import { requestWrites } from "../core/http/request/write"
import { kinds } from "../kinds"
import { viewService } from "../office/views/service"
import { isApiKey } from "../office/api-keys/rules"
import { limiter } from "../core/lib/limiter"
import { digestOf } from "../core/lib/secret"
import type { Caller } from "../core/caller"
import type { FieldError } from "../core/lib/refusal"
import { apiKeyService, findHolder, findOwner } from "../office/api-keys/service"
import { keyUsage } from "../office/api-keys/usage"
import { auditService } from "../office/audit/service"
import { auditSums } from "../office/audit/sums"
import { authenticator } from "../office/auth/authenticator"
import { failedLogins, loginThrottle, signInPlaces } from "../office/auth/throttle"
import { authService } from "../office/auth/service"
import { sessionStore, type SessionHolder } from "../office/auth/sessions"
import { findActiveUser, findSessionUser, type SessionUser, setupLink } from "../office/auth/store"
import { factorService } from "../office/factors/service"
import {
  type CallerDeps,
  inBackground,
  isFactorMissing,
  isFactorRequired,
  jobCallers,
  sessionCaller,
} from "../office/auth/callers"
import { triesOf } from "../office/auth/tries"
import { accessTokens } from "../office/auth/tokens"
import { clientDocuments } from "../office/oauth/described/document"
import { oauthClientService } from "../office/oauth/client-service"
import { providers } from "../office/oidc/provider"
import { oidcService } from "../office/oidc/service"
import type { Network } from "../office/webhooks/addresses"
import { oauthService } from "../office/oauth/service"
import { userService } from "../office/users/service"
import type { Base, Deps } from "../services"

/** The services for access: users, keys, sessions, OAuth clients and the audit log. */
export function accessServices(deps: Deps, { settings, storeOf, network }: Base & { network: Network }) {
  const { db, writer, issuer, secretOf } = deps
  const callers = callerCaches(db)
  const limits = limiter({ find: (subject, day) => findDayCount(db, subject, day) })
  const sums = auditSums(writer)
  const uses = keyUsage(db, writer)
  const tokens = accessTokens(secretOf("tokens"))
  const idleMinutes = () => settings.get().sessionIdleMinutes
  const onChange = callers.forget
  const { onRevoke, whenRevoked } = revocations()
  const sessions = sessionStore({ db, secret: secretOf("refresh"), idleMinutes, onEnd: onChange, onRevoke })
  const users = userService({
    db,
    store: storeOf(kinds.users),
    endSessions: sessions.endAll,
    onChange,
    checkCurrent: (password, caller): Promise<FieldError | null> => auth.checkCurrent(password, caller),
  })
  const apiKeys = apiKeyService({ db, store: storeOf(kinds.apiKeys), uses, onChange })
  const documents = deps.noSending ? null : clientDocuments(network)
  const oauthClients = oauthClientService({
    db,
    store: storeOf(kinds.oauthClients),
    onChange,
    documents,
    isActiveUser: (id) => findActiveUser(db, id) !== null,
    endGrant: sessions.endGrantOf,
  })
  const oauth = oauthService({ db, writer, users, clients: oauthClients, sessions, tokens, issuer })
  const places = signInPlaces(db)
  const throttle = loginThrottle(triesOf(db, writer))
  const signIn = { throttle, places, failures: failedLogins(sums), setupLink: setupLink(db) }
  const { publicUrl } = deps
  const factors = factorService({ db, secret: secretOf("challenges"), publicUrl, sessions, onChange })
  const oidc = oidcService({
    db,
    writer,
    users,
    sessions,
    settings,
    providers: providers(network),
    failures: signIn.failures,
    factors,
  })
  const { follow } = oidc
  const passwordIsFor = () => settings.get().passwordSignInFor
  const auth = authService({ writer, users, tokens, sessions, factors, ...signIn, passwordIsFor, follow })
  const ofSettings = rulesOf(settings)
  const authenticateBy = authenticator({
    tokens,
    sessions: callers.bySession,
    keys: callers.byKey,
    generation: () => callers.generation() + settings.generation(),
    fresh: { session: (id) => findSessionUser(db, id), key: (id) => findHolder(db, { id }) },
    noteUse: uses.note,
    ...ofSettings,
  })
  const writes = requestWrites({ db, writer, authenticator: authenticateBy, secret: secretOf("cursors") })
  const auditLogs = auditService(db, storeOf(kinds.auditLogs), (key) => findOwner(db, key))
  const forJobs = { ...peopleOf(db, { generation: callers.generation, ...ofSettings }), whenRevoked }
  const views = viewService({ db, store: storeOf(kinds.views) })
  const records = { auditLogs, users, apiKeys, oauthClients, views }
  const sharedState = { limits, sums, uses, sessions, places, idleMinutes, setupLink: signIn.setupLink }
  return {
    ...records,
    ...sharedState,
    ...forJobs,
    authenticator: authenticateBy,
    writes,
    auth,
    factors,
    throttle,
    oauth,
    oidc,
  }
}

/** What the settings say about callers. */
const rulesOf = (settings: Base["settings"]) => ({
  defaultPlan: () => settings.get().defaultPlan,
  requireSecondFactor: () => settings.get().requireSecondFactor,
})

/** The people for whom something goes on without them, and who must add a second factor. */
const peopleOf = (db: Database, deps: CallerDeps) => ({
  callerAgain: callersOfJobs(db, deps),
  /** Returns an active user with the present rights, as if signed in; null for one who is disabled. */
  personOf(id: string): Caller | null {
    const user = findActiveUser(db, id)
    return user && inBackground(sessionCaller(deps, id, user, { scopes: null, endsAt: Infinity }))
  },
  mustAddFactor: (user: SessionUser): boolean => isFactorMissing(deps, user),
  isFactorRequired: ({ role }: Caller): boolean => isFactorRequired(deps.requireSecondFactor(), role),
})

/** How jobs load their callers: from the database, because a write depends on it. */
const callersOfJobs = (db: Database, deps: CallerDeps) =>
  jobCallers({
    ...deps,
    user: (id) => findActiveUser(db, id),
    session: (id) => findSessionUser(db, id),
    key: (id) => findHolder(db, { id }),
  })

type OnRevoke = (tx: Tx, isOf: (holder: SessionHolder) => boolean) => void

/** What happens when sessions are taken from somebody. The services that come later add to it. */
function revocations() {
  const also: OnRevoke[] = []
  return {
    onRevoke: ((tx, isOf) => also.forEach((each) => each(tx, isOf))) satisfies OnRevoke,
    whenRevoked: (each: OnRevoke): void => void also.push(each),
  }
}

export type Access = ReturnType<typeof accessServices>

/** The user of each session and of each API key, cached until one of them changes. */
function callerCaches(db: Database) {
  const bySession = cacheOf(db, (id) => findSessionUser(db, id))
  // The key of the cache is the text of the API key, so that its digest is not computed on every request.
  const byKey = cacheOf(db, (key) => (isApiKey(key) ? findHolder(db, { digest: digestOf(key) }) : null))
  return {
    bySession,
    byKey,
    generation: () => bySession.generation() + byKey.generation(),
    forget(tx: Tx): void {
      bySession.forget(tx)
      byKey.forget(tx)
    },
  }
}
