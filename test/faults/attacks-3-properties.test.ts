// OWASP API3:2023, broken object property level authorization: fields that the caller may not write or read.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Answer, type Api } from "../support/api"
import { everyRole, testAttacks, type Role } from "../support/attacks"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { clientOf } from "../support/oauth"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let people: Record<Role, Api>
let shop: Trade
let customer: string
let item: string

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  people = await everyRole(kontor, admin)
  shop = trade(admin)
  customer = (await shop.customer()).id
  item = (await shop.item()).id
})
afterAll(cleanUp)

const lines = () => [{ item, quantity: 1 }]

describe("a new record cannot set read-only fields", () => {
  const cases: [string, () => Promise<Answer>, string[]][] = [
    [
      "an item's stock",
      () => admin.post("/items", { itemCode: "M-1", itemName: "M", currentStock: 99 }),
      ["currentStock"],
    ],
    [
      "an item's ID, version and dates",
      () =>
        admin.post("/items", {
          itemCode: "M-2",
          itemName: "M",
          id: "itm_1",
          version: 7,
          createdAt: "2020-01-01",
        }),
      ["createdAt", "id", "version"],
    ],
    [
      "a customer's balance",
      () => admin.post("/customers", { name: "M", outstandingBalance: -500, creditBalance: 5 }),
      ["creditBalance", "outstandingBalance"],
    ],
    [
      "an order's number, total and author",
      () =>
        admin.post("/sales-orders", {
          customer,
          items: lines(),
          orderNumber: "SO-1",
          total: 1,
          createdBy: "usr_1",
        }),
      ["createdBy", "orderNumber", "total"],
    ],
    [
      "an order that is completed",
      () => admin.post("/sales-orders", { customer, items: lines(), status: "completed" }),
      ["status"],
    ],
    [
      "a line's amount",
      () => admin.post("/sales-orders", { customer, items: [{ item, quantity: 1, amount: 0 }] }),
      ["items[0].amount"],
    ],
    [
      "a line's name and tax rate",
      () =>
        admin.post("/invoices", { customer, items: [{ item, quantity: 1, taxRate: 0, itemName: "Free" }] }),
      ["items[0].itemName", "items[0].taxRate"],
    ],
    [
      "an invoice that is paid",
      () => admin.post("/invoices", { customer, items: lines(), status: "paid" }),
      ["status"],
    ],
    [
      "an invoice's number and payments",
      () =>
        admin.post("/invoices", {
          customer,
          items: lines(),
          invoiceNumber: "INV-1",
          amountPaid: 10,
          payments: [],
        }),
      ["amountPaid", "invoiceNumber", "payments"],
    ],
    [
      "a stock movement's balance and source",
      () =>
        admin.post("/stock-movements", {
          item,
          quantity: 1,
          reason: "receipt",
          balanceAfter: 0,
          sourceType: "invoice",
        }),
      ["balanceAfter", "sourceType"],
    ],
    [
      "a stock movement with the reason invoice",
      () => admin.post("/stock-movements", { item, quantity: 1, reason: "invoice" }),
      ["reason"],
    ],
    [
      "a key for another user",
      () => people.viewer.post("/api-keys", { name: "K", scopes: ["read"], user: "usr_1" }),
      ["user"],
    ],
    [
      "a key with its own text",
      () =>
        people.viewer.post("/api-keys", {
          name: "K",
          scopes: ["read"],
          prefix: "kon_00000000",
          key: "kon_x",
        }),
      ["key", "prefix"],
    ],
    [
      "a key with more scopes than its owner",
      () => people.viewer.post("/api-keys", { name: "K", scopes: ["read", "admin"] }),
      ["scopes"],
    ],
    [
      "a user with a hash",
      () =>
        admin.post("/users", {
          email: "m@attack.example",
          name: "M",
          role: "viewer",
          password: "a long password",
          passwordHash: "x",
          isAdmin: true,
        }),
      ["isAdmin", "passwordHash"],
    ],
    [
      "a user with an unknown role",
      () =>
        admin.post("/users", {
          email: "r@attack.example",
          name: "M",
          role: "owner",
          password: "a long password",
        }),
      ["role"],
    ],
    [
      "an OAuth client with its own secret",
      () =>
        admin.post("/oauth-clients", {
          name: "C",
          redirectUris: ["https://a.example/"],
          scopes: ["read"],
          clientId: "cli_1",
          clientSecret: "x",
        }),
      ["clientId", "clientSecret"],
    ],
    [
      "prototype properties",
      () =>
        admin.post(
          "/items",
          '{"itemCode":"P","itemName":"P","__proto__":{"isAdmin":true},"constructor":{"prototype":{}},"toString":1}',
          { "content-type": "application/json" },
        ),
      ["__proto__", "constructor", "toString"],
    ],
    [
      "prototype properties in a nested object",
      () =>
        admin.post("/customers", '{"name":"P","address":{"__proto__":{"city":"X"}}}', {
          "content-type": "application/json",
        }),
      ["address.__proto__"],
    ],
    [
      "a role with a new password",
      () =>
        people.viewer.put("/auth/password", {
          currentPassword: "correct horse battery",
          newPassword: "another password",
          role: "admin",
        }),
      ["role"],
    ],
  ]
  test.each(cases)("%s", async (_, send, fields) => {
    const refusal = refusalOf(await send())
    expect({ ...refusal, fields: refusal.fields.toSorted() }).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields,
    })
  })
})

describe("an update ignores read-only fields and returns a warning", () => {
  const cases: [string, () => Promise<[path: string, field: string, value: unknown]>][] = [
    ["an item's stock", async () => [`/items/${item}`, "currentStock", 1_000]],
    ["a customer's balance", async () => [`/customers/${customer}`, "outstandingBalance", 0.01]],
    ["an order's total", async () => [`/sales-orders/${(await shop.order()).id}`, "total", 0.01]],
    ["an order's status", async () => [`/sales-orders/${(await shop.order()).id}`, "status", "completed"]],
    ["an invoice's payments", async () => [`/invoices/${(await shop.invoice()).id}`, "amountPaid", 20]],
    ["an invoice's status", async () => [`/invoices/${(await shop.invoice()).id}`, "status", "paid"]],
    [
      "an invoice's number",
      async () => [`/invoices/${(await shop.invoice()).id}`, "invoiceNumber", "INV-1999-00001"],
    ],
    [
      "a key's owner",
      async () => [
        `/api-keys/${(await admin.create("/api-keys", { name: "K", scopes: ["read"] })).id}`,
        "user",
        "usr_1",
      ],
    ],
    [
      "an OAuth client's ID",
      async () => [`/oauth-clients/${(await clientOf(admin)).id}`, "clientId", "cli_1"],
    ],
  ]
  test.each(cases)("%s", async (_, make) => {
    const [path, field, value] = await make()
    const before = (await admin.get(path)).body.data
    const answer = await admin.put(path, { [field]: value })
    expect(answer.status).toBe(200)
    expect(answer.body.data[field]).toEqual(before[field])
    expect(answer.body.warnings).toEqual([expect.objectContaining({ field })])
  })
})

describe("no user can raise their own rights", () => {
  testAttacks([
    [
      "a viewer's own role",
      async () => people.viewer.put(`/users/${await idOf(people.viewer)}`, { role: "admin" }),
      403,
      "FORBIDDEN",
    ],
    [
      "a manager's own role",
      async () => people.manager.patch(`/users/${await idOf(people.manager)}`, { role: "admin" }),
      403,
      "FORBIDDEN",
    ],
    [
      "a user's own plan",
      async () => people.sales.put(`/users/${await idOf(people.sales)}`, { plan: "enterprise" }),
      403,
      "FORBIDDEN",
    ],
    [
      "the default plan",
      () => people.manager.put("/settings", { defaultPlan: "enterprise" }),
      403,
      "FORBIDDEN",
    ],
    [
      "a key's scopes afterwards",
      async () => people.viewer.put(`/api-keys/${await keyOf(people.viewer)}`, { scopes: ["read", "write"] }),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "a key's expiry afterwards",
      async () => people.viewer.put(`/api-keys/${await keyOf(people.viewer)}`, { expiresAt: null }),
      422,
      "VALIDATION_ERROR",
    ],
    ["a key's plan at creation", () => raisedAtCreation(), 403, "FORBIDDEN"],
    ["a key's plan afterwards", () => raisedLater(), 403, "FORBIDDEN"],
    ["the last admin's role to null", async () => lastAdmin({ role: null }), 422, "VALIDATION_ERROR"],
  ])

  const idOf = async (api: Api): Promise<string> => (await api.get("/auth/me")).body.data.id
  const keyOf = async (api: Api, more: object = {}): Promise<string> =>
    (await api.create("/api-keys", { name: "K", scopes: ["read"], ...more })).id
  const onFreePlan = async () => {
    await admin.put(`/users/${await idOf(people.accountant)}`, { plan: "free" })
    return people.accountant
  }
  const raisedAtCreation = async () =>
    (await onFreePlan()).post("/api-keys", { name: "K", scopes: ["read"], plan: "enterprise" })
  const raisedLater = async () => {
    const api = await onFreePlan()
    return api.put(`/api-keys/${await keyOf(api)}`, { plan: "pro" })
  }
  const lastAdmin = async (change: object) => admin.put(`/users/${await idOf(admin)}`, change)
})

describe("secret fields cannot be requested", () => {
  testAttacks([
    ["a hash as a field", () => admin.get("/users?fields=passwordHash"), 400, "INVALID_QUERY"],
    ["a hash as a filter", () => admin.get("/users?passwordHash[like]=$argon2%25"), 400, "INVALID_QUERY"],
    ["a hash by its column", () => admin.get("/users?password_hash[like]=$"), 400, "INVALID_QUERY"],
    ["a hash as a sort", () => admin.get("/users?sort=passwordHash"), 400, "INVALID_QUERY"],
    [
      "a key's digest as a filter",
      () => people.viewer.get("/api-keys?digest[like]=a%25"),
      400,
      "INVALID_QUERY",
    ],
    [
      "a derived column as a sort",
      () => people.viewer.get("/items?sort=item_name_sort"),
      400,
      "INVALID_QUERY",
    ],
    ["rowid as a sort", () => people.viewer.get("/items?sort=rowid"), 400, "INVALID_QUERY"],
    [
      "other users' addresses as a filter in a history",
      () => people.viewer.get(`/items/${item}/history?ip[like]=127%25`),
      400,
      "INVALID_QUERY",
    ],
    [
      "other users' addresses as a field",
      () => people.viewer.get(`/items/${item}/history?fields=ip,userAgent`),
      400,
      "INVALID_QUERY",
    ],
    [
      "prototype properties as a sort",
      () => people.viewer.get("/items?sort=__proto__"),
      400,
      "INVALID_QUERY",
    ],
    [
      "prototype properties as a filter",
      () => people.viewer.get("/items?constructor=1"),
      400,
      "INVALID_QUERY",
    ],
    [
      "prototype properties as fields",
      () => people.viewer.get("/items?fields=toString"),
      400,
      "INVALID_QUERY",
    ],
  ])

  test("no response contains a hash, a digest or a secret, except the first", async () => {
    await admin.create("/api-keys", { name: "Once", scopes: ["read"] })
    const client = await clientOf(admin)
    for (const path of [
      "/users",
      "/api-keys",
      "/oauth-clients",
      `/oauth-clients/${client.id}`,
      "/audit-logs",
      "/settings",
      "/auth/me",
    ]) {
      const { text } = await admin.get(`${path}`)
      expect(text).not.toMatch(/argon2|passwordHash|digest|clientSecret|kon_\w{8}_/)
      expect(text).not.toContain(client.clientSecret ?? "-")
    }
  })
})
