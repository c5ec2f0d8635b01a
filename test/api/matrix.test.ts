import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { isPostgres } from "../support/engine"
import { pathWithKey } from "../../scripts/faults/fuzz-document"
import { apiWith, send, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"
import { clientOf, connect } from "../support/oauth"
import { allowed, letters, roles, scopesOf, type Letter, type Role } from "../support/roles"

/**
 * Every role × every set of scopes × every kind of credential × every route, against these tables, which deliberately
 * repeat the rules: the area of each kind, whose routes need the scope of their method, and all other routes.
 */
const areaOf: Record<string, string> = {
  items: "items",
  "tax-codes": "items",
  customers: "customers",
  "stock-movements": "stock",
  "sales-orders": "sales-orders",
  quotations: "sales-orders",
  deliveries: "sales-orders",
  invoices: "invoices",
  "credit-notes": "invoices",
  payments: "invoices",
  reminders: "invoices",
  "recurring-invoices": "invoices",
  messages: "invoices",
}
const needOf: Record<string, string> = { GET: "R", POST: "W", PUT: "W", PATCH: "W", DELETE: "D" }

/**
 * R, W, D, A and H are the scopes; a `!` route is only for people who signed in, a `-` route for them and for API keys, and
 * not for connected apps. A `+` route is for those who may undo an invoice, a `*` route for managers and admins.
 */
const otherRoutes: Record<string, [area: string, need: string]> = {
  "POST /items/reprice": ["items", "W&R"],
  "POST /items/reprice/{id}/undo": ["items", "W&R"],
  // Stock movements, deliveries and reminders are never deleted, so the right to delete begins no batch of them.
  "POST /stock-movements/batch": ["stock", "W"],
  "POST /deliveries/batch": ["sales-orders", "W"],
  "POST /reminders/batch": ["invoices", "W"],
  // Who opens a page sees it. To close one needs no more than to change the quotation.
  "POST /quotations/{id}/link": ["sales-orders", "W&R"],
  "DELETE /quotations/{id}/link": ["sales-orders", "W"],
  "POST /recurring-invoices": ["invoices", "W+"],
  "PUT /recurring-invoices/{id}": ["invoices", "W+"],
  "PATCH /recurring-invoices/{id}": ["invoices", "W+"],
  "PUT /recurring-invoices/{id}/status": ["invoices", "W+"],
  "PUT /recurring-invoices/by/externalId/{value}": ["invoices", "W+"],
  "PATCH /recurring-invoices/by/externalId/{value}": ["invoices", "W+"],
  "PUT /recurring-invoices/by/externalId/{value}/status": ["invoices", "W+"],
  "POST /recurring-invoices/batch": ["invoices", "W+|D"],
  "GET /events": ["search", "R"],
  "GET /imports": ["items", "W"],
  "POST /imports": ["items", "W"],
  "GET /imports/{id}": ["items", "W"],
  "GET /imports/{id}/faults": ["items", "W"],
  "POST /imports/{id}/cancel": ["items", "W"],
  "POST /imports/{id}/undo": ["items", "W"],
  // Each job needs the right of what it does.
  "GET /jobs/{id}": ["items|invoices", "W"],
  "POST /jobs/{id}/cancel": ["items|invoices", "W"],
  "GET /search": ["search", "R"],
  "GET /reports/summary": ["invoices", "R"],
  // Each message needs the right of its document.
  "POST /messages/{id}/retry": ["invoices|sales-orders", "W"],
  "POST /messages/{id}/cancel": ["invoices|sales-orders", "W"],
  "POST /messages/resume": ["administration", "A!"],
  "POST /settings/smtp/test": ["administration", "A!"],
  "POST /invoices/{id}/credit-notes": ["invoices", "W+"],
  "POST /customers/{id}/merge": ["customers", "W*"],
  "POST /invoices/{id}/write-offs": ["invoices", "W+"],
  "POST /sales-orders/{id}/deposit-invoices": ["invoices", "W"],
  "POST /customers/{id}/statement/send": ["invoices", "W&R"],
  "POST /invoices/{id}/reminders": ["invoices", "W+"],
  "POST /reminders/run": ["invoices", "W+"],
  "POST /credit-notes/{id}/refunds": ["invoices", "W+"],
  "POST /payments/{id}/refunds": ["invoices", "W+"],
  "GET /api-keys/{id}/history": ["own", "R-"],
  "GET /users/{id}/history": ["administration", "A"],
  "GET /api-keys": ["own", "R-"],
  "GET /api-keys/{id}/usage": ["own", "R-"],
  "POST /api-keys": ["own", "W!"],
  "GET /api-keys/{id}": ["own", "R-"],
  "PUT /api-keys/{id}": ["own", "W!"],
  "PATCH /api-keys/{id}": ["own", "W!"],
  "DELETE /api-keys/{id}": ["own", "D!"],
  "POST /api-keys/{id}/rotate": ["own", "W!"],
  "GET /views": ["own", "R-"],
  "GET /views/{id}": ["own", "R-"],
  "GET /views/export": ["own", "R-"],
  "POST /views": ["own", "W!"],
  "PUT /views/{id}": ["own", "W!"],
  "PATCH /views/{id}": ["own", "W!"],
  "DELETE /views/{id}": ["own", "D!"],
  "GET /auth/me": ["own", "R"],
  "GET /auth/grants": ["own", "R-"],
  "DELETE /auth/grants/{id}": ["own", "D!"],
  "PUT /auth/password": ["own", "W!"],
  "GET /auth/factors": ["own", "R!"],
  "POST /auth/factors": ["own", "W!"],
  "POST /auth/factors/{id}/confirm": ["own", "W!"],
  "DELETE /auth/factors/{id}": ["own", "W!"],
  "POST /auth/recovery-codes": ["own", "W!"],
  "POST /auth/passkeys/options": ["own", "W!"],
  "POST /auth/passkeys": ["own", "W!"],
  "GET /auth/sessions": ["own", "R!"],
  "DELETE /auth/sessions/{id}": ["own", "W!"],
  "POST /auth/logout": ["own", "W!"],
  "POST /auth/logout-all": ["own", "W!"],
  "GET /users": ["administration", "A"],
  "POST /users": ["administration", "A!"],
  "GET /users/{id}": ["administration", "A"],
  "PUT /users/{id}": ["administration", "A!"],
  "PATCH /users/{id}": ["administration", "A!"],
  "GET /oauth-clients": ["administration", "A"],
  "POST /oauth-clients": ["administration", "A!"],
  "GET /oauth-clients/{id}": ["administration", "A"],
  "GET /oauth-clients/{id}/history": ["administration", "A"],
  "PUT /oauth-clients/{id}": ["administration", "A!"],
  "PATCH /oauth-clients/{id}": ["administration", "A!"],
  "DELETE /oauth-clients/{id}": ["administration", "A!"],
  "POST /oauth-clients/{id}/rotate": ["administration", "A!"],
  "GET /webhooks": ["webhooks", "H"],
  "POST /webhooks": ["webhooks", "H"],
  "GET /webhooks/{id}": ["webhooks", "H"],
  "GET /webhooks/{id}/history": ["webhooks", "H"],
  "PUT /webhooks/{id}": ["webhooks", "H"],
  "PATCH /webhooks/{id}": ["webhooks", "H"],
  "DELETE /webhooks/{id}": ["webhooks", "H"],
  "POST /webhooks/{id}/rotate": ["webhooks", "H"],
  "POST /webhooks/{id}/test": ["webhooks", "H"],
  "POST /webhooks/{id}/replay": ["webhooks", "H"],
  "GET /webhooks/{id}/deliveries": ["webhooks", "H"],
  "POST /webhooks/{id}/deliveries/{deliveryId}/redeliver": ["webhooks", "H"],
  "GET /webhooks/status": ["webhooks", "H"],
  "POST /webhooks/resume": ["administration", "A!"],
  "GET /webhooks/export": ["webhooks", "H"],
  "GET /backups": ["administration", "A!"],
  "POST /backups": ["administration", "A!"],
  "GET /export.zip": ["administration", "A!"],
  "GET /users/export": ["administration", "A"],
  "GET /api-keys/export": ["own", "R-"],
  "GET /oauth-clients/export": ["administration", "A"],
  "GET /audit-logs/export": ["administration", "A"],
  "GET /settings": ["administration", "A"],
  "PUT /settings": ["administration", "A!"],
  "PATCH /settings": ["administration", "A!"],
  "GET /settings/number-series": ["administration", "A"],
  "GET /settings/logo": ["search", "R"],
  "PUT /settings/logo": ["administration", "A!"],
  "DELETE /settings/logo": ["administration", "A!"],
  "GET /audit-logs": ["administration", "A"],
  "GET /audit-logs/{id}": ["administration", "A"],
}
const openRoutes = [
  "POST /auth/login",
  "POST /auth/refresh",
  "POST /auth/forgot",
  "POST /auth/reset",
  "POST /auth/passkeys/sign-in/options",
  "POST /auth/passkeys/sign-in",
  "POST /setup",
]

/** The routes of the API document, and those of them that have no key in place of an id. */
let routes: string[]
let plainRoutes: string[]

/** A route with a key is allowed to whom the same with an id is. */
const withId = (route: string): string => route.replace(/\/by\/\w+\/\{value\}/, "/{id}")

/** The area of a route, and what it needs. */
function needsOf(given: string): [area: string, need: string] {
  const route = withId(given)
  const [method = "", path = ""] = route.split(" ")
  const area = areaOf[path.split("/")[1] ?? ""]
  const usual = path.endsWith("/batch") ? "W|D" : needOf[method]
  return otherRoutes[route] ?? (area && usual ? [area, usual] : ["", ""])
}

/** The expected status, by the rules of the product: role first, then scope. */
function expected(route: string, role: Role, scopes: string | null, isApplication = false): string {
  const [areas, needs] = needsOf(route)
  const outcomeIn = (area: string) => (need: string) => expectedFor(area, need, role, scopes, isApplication)
  // One of several rights is sufficient to begin a batch. To change prices by a filter needs both.
  const outcomes = areas
    .split("|")
    .flatMap((area) =>
      needs.split("|").map((some) => some.split("&").map(outcomeIn(area)).find(isRefused) ?? "allowed"),
    )
  return outcomes.includes("allowed") ? "allowed" : (outcomes[0] ?? "")
}

const isRefused = (outcome: string): boolean => outcome !== "allowed"

function expectedFor(
  area: string,
  need: string,
  role: Role,
  scopes: string | null,
  isApplication: boolean,
): string {
  const letter = need[0] as Letter
  const isKey = scopes !== null
  if (isKey && need.endsWith("!")) return "FORBIDDEN"
  if (isApplication && need.endsWith("-")) return "FORBIDDEN"
  if (!allowed[area]?.[role].includes(letter)) return "FORBIDDEN"
  if (isKey ? !scopes.includes(letter) : area !== "own" && !scopesOf[role].includes(letter))
    return "INSUFFICIENT_SCOPE"
  if (need.endsWith("+") && !["accountant", "manager", "admin"].includes(role)) return "FORBIDDEN"
  if (need.endsWith("*") && !["manager", "admin"].includes(role)) return "FORBIDDEN"
  return "allowed"
}

let kontor: Kontor
let admin: Api
const password = "a fine password"
const mailOf = (role: Role) => `${role}.matrix@example.com`
const people = new Map<Role, Api>()
const subsets = ["R", "W", "D", "A", "H", "RWD", "RWDAH", ...(isLong ? ["RW", "RD", "WD"] : [])]
/** Keys and connected apps are asked the same about their scopes, so some sets of scopes show that apps are asked. */
const subsetsOfApps = isLong ? subsets : ["R", "W", "D", "H", "RWDAH"]

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  const { paths } = (await send(`${kontor.url}/openapi.json`)).body
  type Operations = Record<string, { parameters?: object[] }>
  routes = Object.entries(paths as Record<string, Operations>)
    .filter(([path]) => path.startsWith("/api/v1/"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { parameters }]) =>
          `${method.toUpperCase()} ${pathWithKey(path, parameters).replace("/api/v1", "")}`,
      ),
    )
    .filter((route) => !openRoutes.includes(route))
  plainRoutes = routes.filter((route) => withId(route) === route)
  for (const role of roles) {
    await admin.create("/users", { email: mailOf(role), name: role, role, password })
    people.set(role, await signIn(kontor, mailOf(role), password))
  }
})
afterAll(cleanUp)

/** A body or query that is always refused, so that a route can be called without an effect and takes no time. */
const outcome = async (api: Api, route: string): Promise<string> => {
  const [method = "", path = ""] = route.split(" ")
  const hasBody = method !== "GET" && method !== "DELETE"
  const answer = await api.call(
    method,
    path.replaceAll(/\{\w+\}/g, "none") + (path.includes("/export") ? "?none=1" : ""),
    hasBody ? { "no such field": 1 } : undefined,
  )
  // A PostgreSQL database has no backups.
  expect(isPostgres && path.includes("/backups") ? 0 : answer.status).toBeLessThan(500)
  return answer.status === 403 ? answer.body.error.code : answer.status === 401 ? "UNAUTHORIZED" : "allowed"
}
const endsTheSession = (route: string) => route.startsWith("POST /auth/logout")

test("the tables have every route of the API document, and no others", () => {
  for (const route of routes) expect([route, needsOf(route)[0]]).not.toEqual([route, ""])
  expect(Object.keys(otherRoutes).filter((route) => !routes.includes(route))).toEqual([])
  for (const kind of Object.keys(areaOf)) expect(routes).toContain(`GET /${kind}`)
})

describe.each(roles.map((role) => [role] as const))("%s", (role) => {
  test("signed in: every route", async () => {
    for (const route of routes) {
      if (endsTheSession(route)) continue
      const api = people.get(role)!
      expect(`${route}: ${await outcome(api, route)}`).toBe(`${route}: ${expected(route, role, null)}`)
    }
  })

  test("can sign out", async () => {
    const [one, two] = [
      await signIn(kontor, mailOf(role), password),
      await signIn(kontor, mailOf(role), password),
    ]
    expect((await one.post("/auth/logout")).status).toBe(204)
    expect((await two.post("/auth/logout-all")).status).toBe(204)
    people.set(role, await signIn(kontor, mailOf(role), password))
  })

  test.each(subsets.map((scopes) => [scopes]))("with a key of scopes %s: every route", async (scopes) => {
    const wanted = [...scopes].map((letter) => letters[letter as Letter])
    const made = await people.get(role)!.post("/api-keys", { name: scopes, scopes: wanted })
    if ([...scopes].some((letter) => !scopesOf[role].includes(letter))) {
      expect(made.status).toBe(422)
      return
    }
    const api = apiWith(kontor, { "x-api-key": made.body.data.key })
    for (const route of isLong ? routes : plainRoutes)
      expect(`${route}: ${await outcome(api, route)}`).toBe(`${route}: ${expected(route, role, scopes)}`)
  })

  test.each(subsetsOfApps.map((scopes) => [scopes]))(
    "as a connected app with scopes %s: every route",
    async (scopes) => {
      const wanted = [...scopes].map((letter) => letters[letter as Letter])
      const given = [...scopes].filter((letter) => scopesOf[role].includes(letter)).join("")
      if (given === "") return
      const client = await clientOf(admin, { scopes: wanted })
      const scope = wanted.join(" ")
      const { tokens } = await connect(kontor, client, { scope, email: mailOf(role), password })
      const api = apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` })
      for (const route of isLong ? routes : plainRoutes)
        expect(`${route}: ${await outcome(api, route)}`).toBe(
          `${route}: ${expected(route, role, given, true)}`,
        )
    },
  )
})

test("a key keeps its scopes when its owner gets a lower role, and can do only what both allow", async () => {
  const email = "falling@example.com"
  const { id } = await admin.create("/users", { email, name: "F", role: "admin", password })
  const falling = await signIn(kontor, email, password)
  const { key } = await falling.create("/api-keys", {
    name: "K",
    scopes: ["read", "write", "delete", "admin", "webhooks"],
  })
  for (const role of roles.toReversed()) {
    await admin.put(`/users/${id}`, { role })
    const api = apiWith(kontor, { "x-api-key": key })
    for (const route of routes)
      expect(`${role} ${route}: ${await outcome(api, route)}`).toBe(
        `${role} ${route}: ${expected(route, role, "RWDAH")}`,
      )
  }
})

test("unauthenticated: every route is 401", async () => {
  for (const route of routes) expect(await outcome(apiWith(kontor, {}), route)).toBe("UNAUTHORIZED")
})
