// OWASP API5:2023, broken function level authorization. test/api/matrix.test.ts tests every role, scope and route;
// this file tests attempts to bypass the check.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, send, signIn, type Api } from "../support/api"
import { everyRole, testAttacks, type Role } from "../support/attacks"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { clientOf, connect } from "../support/oauth"
import { sendRaw } from "../support/raw"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let people: Record<Role, Api>
let key: Api
let application: Api
let shop: Trade
let item: string
let customer: string

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  people = await everyRole(kontor, admin)
  const scopes = ["read", "write", "delete", "admin"]
  key = apiWith(kontor, { "x-api-key": (await admin.create("/api-keys", { name: "All", scopes })).key })
  const client = await clientOf(admin, { scopes })
  const { tokens } = await connect(kontor, client, { scope: scopes.join(" ") })
  application = apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` })
  shop = trade(admin)
  item = (await shop.item()).id
  customer = (await shop.customer({ creditLimit: 10 })).id
})
afterAll(cleanUp)

const newUser = { email: "x@attack.example", name: "X", role: "admin", password: "a long password" }
const newClient = { name: "C", redirectUris: ["https://a.example/"], scopes: ["admin"] }

describe("a role allows only its rights", () => {
  testAttacks([
    [
      "a viewer creates an item",
      () => people.viewer.post("/items", { itemCode: "V", itemName: "V" }),
      403,
      "FORBIDDEN",
    ],
    [
      "a viewer creates a stock movement",
      () => people.viewer.post("/stock-movements", { item, quantity: 1, reason: "receipt" }),
      403,
      "FORBIDDEN",
    ],
    [
      "a viewer records a payment",
      () => people.viewer.post("/invoices/inv_x/payments", { amount: 1 }),
      403,
      "FORBIDDEN",
    ],
    [
      "sales updates a selling price",
      () => people.sales.put(`/items/${item}`, { sellingPrice: 0 }),
      403,
      "FORBIDDEN",
    ],
    [
      "sales invoices an order",
      () => people.sales.post("/invoices/from-order", { salesOrder: "so_x" }),
      403,
      "FORBIDDEN",
    ],
    ["sales deletes a customer", () => people.sales.delete(`/customers/${customer}`), 403, "FORBIDDEN"],
    ["an accountant creates an order", () => people.accountant.post("/sales-orders", {}), 403, "FORBIDDEN"],
    [
      "an accountant cancels an order",
      () => people.accountant.put("/sales-orders/so_x/status", { status: "cancelled" }),
      403,
      "FORBIDDEN",
    ],
    ["a manager creates an admin", () => people.manager.post("/users", newUser), 403, "FORBIDDEN"],
    ["a manager reads the settings", () => people.manager.get("/settings"), 403, "FORBIDDEN"],
    ["a manager reads the audit log", () => people.manager.get("/audit-logs"), 403, "FORBIDDEN"],
    ["a manager downloads a backup", () => people.manager.post("/backups"), 403, "FORBIDDEN"],
    ["a manager downloads all data", () => people.manager.get("/export.zip"), 403, "FORBIDDEN"],
    [
      "a manager registers an OAuth client",
      () => people.manager.post("/oauth-clients", newClient),
      403,
      "FORBIDDEN",
    ],
    [
      "an invalid body reveals nothing more",
      () => people.viewer.post("/items", { nonsense: 1 }),
      403,
      "FORBIDDEN",
    ],
    [
      "a body that is not JSON reveals nothing more",
      () => people.viewer.post("/items", "{", { "content-type": "application/json" }),
      403,
      "FORBIDDEN",
    ],
  ])
})

describe("API keys and apps never administer, with any scopes", () => {
  const both: [string, () => Api][] = [
    ["a key", () => key],
    ["an app", () => application],
  ]
  for (const [who, api] of both)
    testAttacks([
      [`${who} creates a user`, () => api().post("/users", newUser), 403, "FORBIDDEN"],
      [
        `${who} updates a role`,
        async () => api().put(`/users/${(await admin.get("/auth/me")).body.data.id}`, { role: "viewer" }),
        403,
        "FORBIDDEN",
      ],
      [
        `${who} creates a key`,
        () => api().post("/api-keys", { name: "K", scopes: ["read"] }),
        403,
        "FORBIDDEN",
      ],
      [`${who} rotates a key`, () => api().post("/api-keys/key_x/rotate"), 403, "FORBIDDEN"],
      [`${who} revokes a key`, () => api().delete("/api-keys/key_x"), 403, "FORBIDDEN"],
      [
        `${who} updates the settings`,
        () => api().put("/settings", { creditPolicy: "off" }),
        403,
        "FORBIDDEN",
      ],
      [
        `${who} changes a password`,
        () => api().put("/auth/password", { currentPassword: "x", newPassword: "y" }),
        403,
        "FORBIDDEN",
      ],
      [`${who} registers an OAuth client`, () => api().post("/oauth-clients", newClient), 403, "FORBIDDEN"],
      [`${who} downloads a backup`, () => api().post("/backups"), 403, "FORBIDDEN"],
      [`${who} ends every session`, () => api().post("/auth/logout-all"), 403, "FORBIDDEN"],
      [`${who} withdraws a grant`, () => api().delete("/auth/grants/grt_x"), 403, "FORBIDDEN"],
    ])

  const scoped = async (scopes: string[]) =>
    apiWith(kontor, { "x-api-key": (await admin.create("/api-keys", { name: scopes.join(), scopes })).key })
  testAttacks([
    [
      "a key with scope read cannot write",
      async () => (await scoped(["read"])).post("/items", {}),
      403,
      "INSUFFICIENT_SCOPE",
    ],
    [
      "a key with scope write cannot read",
      async () => (await scoped(["write"])).get("/items"),
      403,
      "INSUFFICIENT_SCOPE",
    ],
    [
      "a key with scope write cannot delete",
      async () => (await scoped(["read", "write"])).delete(`/items/${item}`),
      403,
      "INSUFFICIENT_SCOPE",
    ],
    [
      "a key with scope admin cannot read",
      async () => (await scoped(["admin"])).get("/items"),
      403,
      "INSUFFICIENT_SCOPE",
    ],
    [
      "a key with scope admin cannot search",
      async () => (await scoped(["admin"])).get("/search?q=a"),
      403,
      "INSUFFICIENT_SCOPE",
    ],
    [
      "a key with scope write cannot read reports",
      async () => (await scoped(["write"])).get("/reports/summary"),
      403,
      "INSUFFICIENT_SCOPE",
    ],
    [
      "a key with scope write cannot print",
      async () => (await scoped(["write"])).get("/invoices/inv_x/print"),
      403,
      "INSUFFICIENT_SCOPE",
    ],
    [
      "a key with scope read cannot read the history of users",
      async () => (await scoped(["read"])).get("/users/usr_x/history"),
      403,
      "INSUFFICIENT_SCOPE",
    ],
  ])
})

describe("a different method from the one that is checked", () => {
  const override = {
    "x-http-method-override": "DELETE",
    "x-http-method": "DELETE",
    "x-method-override": "DELETE",
  }
  testAttacks([
    ["cannot be set by a header on GET", () => people.viewer.get(`/items/${item}`, override), 200, null],
    [
      "cannot be set by a header on POST",
      () => people.viewer.post(`/items/${item}`, {}, override),
      405,
      "METHOD_NOT_ALLOWED",
    ],
    [
      "cannot be set by a parameter",
      () => people.viewer.get(`/items/${item}?_method=DELETE`),
      400,
      "INVALID_QUERY",
    ],
    [
      "an unknown method is not allowed",
      () => people.viewer.call("purge", `/items/${item}`),
      405,
      "METHOD_NOT_ALLOWED",
    ],
    [
      "a WebDAV method is not allowed",
      () => people.viewer.call("PROPFIND", "/items"),
      405,
      "METHOD_NOT_ALLOWED",
    ],
    [
      "OPTIONS reveals nothing to an unauthenticated caller",
      () => send(`${kontor.url}/api/v1/items`, { method: "OPTIONS" }),
      401,
      "UNAUTHORIZED",
    ],
    ["HEAD is checked like GET", () => apiWith(kontor, {}).call("HEAD", "/items"), 401, null],
  ])

  test("cannot be set by a malformed request line", async () => {
    const { authorization } = people.viewer.credential
    for (const line of ["DELETE", "delete", "GET DELETE"]) {
      const answer = await sendRaw(
        kontor.url,
        `${line} /api/v1/items/${item} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
      )
      // Bun closes the connection when the bytes are not a request.
      expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d|$)/)
    }
    expect((await admin.get(`/items/${item}`)).status).toBe(200)
  })
})

describe("changes of a role take effect immediately", () => {
  test("a lower role applies to the next request of a token, a key and an app", async () => {
    const email = "demoted@attack.example"
    const { id } = await admin.create("/users", { ...newUser, email, password: "correct horse battery" })
    const demoted = await signIn(kontor, email)
    const made = await demoted.create("/api-keys", {
      name: "K",
      scopes: ["read", "write", "delete", "admin"],
    })
    const { tokens } = await connect(kontor, await clientOf(admin), { scope: "read write", email })
    await admin.put(`/users/${id}`, { role: "viewer" })
    for (const api of [
      demoted,
      apiWith(kontor, { "x-api-key": made.key }),
      apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` }),
    ]) {
      expect((await api.post("/items", { itemCode: "D", itemName: "D" })).body.error.code).toBe("FORBIDDEN")
      expect((await api.get("/users")).status).toBe(403)
      expect((await api.get("/items")).status).toBe(200)
    }
  })

  test("override exceeds the credit limit for a manager, but not for sales", async () => {
    const over = (api: Api) =>
      shop
        .order({ customer, items: [{ item, quantity: 5 }] })
        .then(({ id }) => api.put(`/sales-orders/${id}/status`, { status: "submitted", override: true }))
    expect((await over(people.sales)).body.error.code).toBe("CREDIT_LIMIT_EXCEEDED")
    expect((await over(people.manager)).status).toBe(200)
  })

  test("every refusal above is in the audit log with its actor", async () => {
    const { body } = await admin.get("/audit-logs?action=access.refused&perPage=100")
    expect(body.meta.total).toBeGreaterThan(40)
    expect(body.data.every((entry: { actor: string | null }) => entry.actor !== null)).toBeTrue()
  })
})
