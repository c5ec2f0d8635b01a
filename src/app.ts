import type { Database } from "bun:sqlite"
import { Elysia } from "elysia"
import { setupPage } from "./console/setup-page"
import { cacheOf } from "./db/cache"
import { secretOf } from "./db/secrets"
import type { Writer } from "./db/writer"
import { callers } from "./http/access"
import { requestId, type AddressOf } from "./http/call"
import { cors } from "./http/cors"
import { docs } from "./http/docs"
import { drain } from "./http/drain"
import { health } from "./http/health"
import { hosts } from "./http/hosts"
import { openApiDocument } from "./http/openapi"
import { refusals } from "./http/refusals"
import { requestLog } from "./http/request-log"
import { transportSecurity } from "./http/transport-security"
import { commitWith } from "./http/write"
import type { Log } from "./lib/log"
import { identifyBy } from "./modules/auth/identify"
import { authRoutes } from "./modules/auth/routes"
import { authService } from "./modules/auth/service"
import { findSessionUser } from "./modules/auth/store"
import { accessTokens } from "./modules/auth/tokens"
import { customers } from "./modules/customers/model"
import { customerRoutes } from "./modules/customers/routes"
import { customerService } from "./modules/customers/service"
import { items } from "./modules/items/model"
import { itemRoutes } from "./modules/items/routes"
import { itemService } from "./modules/items/service"
import { users } from "./modules/users/model"
import { userService } from "./modules/users/service"
import { signedCursors } from "./resource/cursor"
import { tableStore } from "./resource/table-store"
import { version } from "./version"

export type Deps = {
  db: Database
  writer: Writer
  log: Log
  addressOf: AddressOf
  allowedHosts: readonly string[]
  corsOrigins: readonly string[]
  /** True when it answers https itself. */
  isSecure: boolean
  isStopping: () => boolean
  setupToken: string | null
}

/** The whole service as one value. It listens to nothing; `serve` and the tests do that. */
export function createApp({ db, writer, log, setupToken, ...deps }: Deps) {
  const currencyDigits = () => 2
  const stores = { cursors: signedCursors(secretOf(db, "cursors")), currencyDigits }
  const door = { commit: commitWith(writer), currencyDigits }

  const sessions = cacheOf(db, (id) => findSessionUser(db, id))
  const tokens = accessTokens(secretOf(db, "tokens"))
  const userAccounts = userService(db, tableStore(db, users, stores), sessions.clear)
  const auth = authService({ db, writer, users: userAccounts, tokens, setupToken })

  const api = new Elysia({ prefix: "/api/v1" })
    .use(authRoutes(auth))
    .use(itemRoutes(itemService(tableStore(db, items, stores)), door))
    .use(customerRoutes(customerService(db, tableStore(db, customers, stores)), door))

  const document = openApiDocument(api.routes, [items, customers], version)

  const app = new Elysia({
    normalize: false,
    strictPath: true,
    systemRouter: false,
    // Where Elysia looks for the path: right for every host name over http, and over https for three letters and more.
    handler: { standardHostname: deps.isSecure },
  })
    .use(refusals(log, methodsAt))
    .use(requestId(deps.addressOf))
    .use(transportSecurity(deps.isSecure))
    .use(requestLog(log))
    .use(drain(deps.isStopping))
    .use(hosts(deps.allowedHosts))
    .use(cors(deps.corsOrigins))
    .use(callers(identifyBy(tokens, sessions)))
    .use(health(db, writer))
    .use(docs(document))
    .use(setupPage)
    .use(api)

  function methodsAt(path: string): string[] {
    return ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => hasRoute(app, method, path))
  }

  return { app, document, users: userAccounts }
}

function hasRoute(
  app: { routes: { method: string; path: string }[] },
  method: string,
  path: string,
): boolean {
  const parts = path.split("/")
  return app.routes.some((route) => {
    const template = route.path.split("/")
    return (
      route.method === method &&
      template.length === parts.length &&
      template.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i]))
    )
  })
}
