// OWASP API1:2023, broken object level authorization: records of other users or of other parents cannot be accessed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, send, signIn, type Api } from "../support/api"
import { everyRole, testAttacks, type Attack, type Role } from "../support/attacks"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { ask, clientOf, connect, credentials } from "../support/oauth"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let people: Record<Role, Api>
let shop: Trade
let key: { id: string; key: string }
let invoiceA: { id: string }
let invoiceB: { id: string }
let payment: { id: string }
let item: { id: string }
let order: { id: string; customer: string }
let otherOrder: { id: string; items: { id: string; item: string }[] }

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  people = await everyRole(kontor, admin)
  shop = trade(admin)
  key = await people.manager.create("/api-keys", { name: "Of the manager", scopes: ["read"] })
  invoiceA = await shop.invoice()
  invoiceB = await shop.invoice()
  payment = (await shop.pay(invoiceB.id, 5)).body.data
  item = await shop.item()
  order = await shop.submitted()
  otherOrder = await shop.submitted()
})
afterAll(cleanUp)

describe("another user's API key does not exist", () => {
  testAttacks([
    ["to read", () => people.sales.get(`/api-keys/${key.id}`), 404, "NOT_FOUND"],
    ["to update", () => people.sales.put(`/api-keys/${key.id}`, { name: "Mine" }), 404, "NOT_FOUND"],
    ["to patch", () => people.sales.patch(`/api-keys/${key.id}`, { allowedIps: [] }), 404, "NOT_FOUND"],
    ["to revoke", () => people.sales.delete(`/api-keys/${key.id}`), 404, "NOT_FOUND"],
    ["to rotate", () => people.sales.post(`/api-keys/${key.id}/rotate`), 404, "NOT_FOUND"],
    ["to read the history", () => people.sales.get(`/api-keys/${key.id}/history`), 404, "NOT_FOUND"],
  ])

  test("in lists, with any filter, search or sort", async () => {
    for (const query of ["", "?user[ne]=x", "?search=manager", "?name[like]=%25", "?sort=prefix&order=asc"]) {
      const { body } = await people.sales.get(`/api-keys${query}`)
      expect(body.data).toEqual([])
      expect(body.meta.total).toBe(0)
    }
  })

  test("in lists that continue from a cursor of its owner", async () => {
    await admin.create("/api-keys", { name: "Of the admin", scopes: ["read"] })
    const { nextCursor } = (await admin.get("/api-keys?perPage=1")).body.meta
    expect((await people.sales.get(`/api-keys?perPage=10&cursor=${nextCursor}`)).body.data).toEqual([])
  })

  test("and is unchanged", async () => {
    expect((await people.manager.get(`/api-keys/${key.id}`)).body.data.name).toBe("Of the manager")
    expect((await apiWith(kontor, { "x-api-key": key.key }).get("/items")).status).toBe(200)
  })
})

describe("a record is accessible only by its own path", () => {
  const attacks: Attack[] = [
    [
      "a payment through another invoice",
      () => admin.get(`/invoices/${invoiceA.id}/payments/${payment.id}`),
      404,
      "NOT_FOUND",
    ],
    [
      "a payment deleted through another invoice",
      () => admin.delete(`/invoices/${invoiceA.id}/payments/${payment.id}`),
      404,
      "NOT_FOUND",
    ],
    ["an order as an invoice", () => admin.get(`/invoices/${order.id}`), 404, "NOT_FOUND"],
    [
      "an invoice printed as an order",
      () => admin.get(`/sales-orders/${invoiceA.id}/print`),
      404,
      "NOT_FOUND",
    ],
    ["an item as a customer", () => admin.get(`/customers/${item.id}`), 404, "NOT_FOUND"],
    ["an item in capitals", () => admin.get(`/items/${item.id.toUpperCase()}`), 404, "NOT_FOUND"],
    ["an item with a wildcard", () => admin.get(`/items/${item.id.slice(0, -1)}%25`), 404, "NOT_FOUND"],
    ["an item with SQL after its id", () => admin.get(`/items/${item.id}'%20OR%20'1'='1`), 404, "NOT_FOUND"],
    [
      "the history of a record that never existed",
      () => admin.get(`/items/itm_${"0".repeat(26)}/history`),
      404,
      "NOT_FOUND",
    ],
    [
      "an order invoiced by a line of another order",
      () => shop.bill(order.id, { items: [{ orderLine: otherOrder.items[0]?.id, quantity: 1 }] }),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "an order with an item as its customer",
      () => admin.post("/sales-orders", { customer: item.id, items: [{ item: item.id, quantity: 1 }] }),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "an order with a customer as its item",
      () =>
        admin.post("/sales-orders", {
          customer: order.customer,
          items: [{ item: order.customer, quantity: 1 }],
        }),
      422,
      "VALIDATION_ERROR",
    ],
    [
      "an update with another ID",
      () => admin.put(`/items/${item.id}`, { id: `itm_${"0".repeat(26)}` }),
      422,
      "VALIDATION_ERROR",
    ],
    ["a cursor of another kind", () => withCursorOf("/customers", "/items"), 400, "INVALID_CURSOR"],
    [
      "a cursor with another filter",
      () => withCursorOf("/items", "/items?itemType=Service"),
      400,
      "INVALID_CURSOR",
    ],
    ["a forged cursor", () => admin.get(`/items?cursor=eyJ4IjoxfQ.AAAA`), 400, "INVALID_CURSOR"],
  ]
  testAttacks(attacks)

  test("and the payment is still there", async () => {
    expect((await admin.get(`/invoices/${invoiceB.id}/payments/${payment.id}`)).status).toBe(200)
  })

  async function withCursorOf(from: string, to: string) {
    for (let i = 0; i < 2; i++) await (from === "/items" ? shop.item() : shop.customer())
    const { nextCursor } = (await admin.get(`${from}?perPage=1`)).body.meta
    return admin.get(`${to}${to.includes("?") ? "&" : "?"}cursor=${nextCursor}`)
  }
})

describe("a caller without the right does not learn whether a record exists", () => {
  testAttacks([
    [
      "a user that exists",
      async () => people.viewer.get(`/users/${await idOf(people.admin)}`),
      403,
      "FORBIDDEN",
    ],
    ["a user that does not", () => people.viewer.get(`/users/usr_${"0".repeat(26)}`), 403, "FORBIDDEN"],
    ["an audit entry", () => people.manager.get("/audit-logs/aud_x"), 403, "FORBIDDEN"],
    ["an OAuth client", () => people.manager.get("/oauth-clients/cli_x"), 403, "FORBIDDEN"],
    ["an item, unauthenticated", () => send(`${kontor.url}/api/v1/items/${item.id}`), 401, "UNAUTHORIZED"],
    ["a missing item, unauthenticated", () => send(`${kontor.url}/api/v1/items/itm_x`), 401, "UNAUTHORIZED"],
  ])

  test("a deleted record and one that never existed return the same message", async () => {
    const { id } = await shop.item()
    const gone = await admin.get(`/items/${id}`.replace(id, "itm_0"))
    await admin.delete(`/items/${id}`)
    const deleted = await admin.get(`/items/${id}`)
    expect(deleted.text.replaceAll(id, "")).toBe(gone.text.replaceAll("itm_0", ""))
  })
})

describe("a stored response for a repeated POST", () => {
  const draft = (code: string) => ({ itemCode: code, itemName: "Idem" })

  test("is not returned to another user, whose request creates another record", async () => {
    const header = { "idempotency-key": "shared-1" }
    const mine = await people.manager.post("/customers", { name: "Twice" }, header)
    const theirs = await people.sales.post("/customers", { name: "Twice" }, header)
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(theirs.headers.get("idempotent-replayed")).toBeNull()
    expect(theirs.body.data.id).not.toBe(mine.body.data.id)
  })

  test("is not returned to an API key of the same user", async () => {
    const header = { "idempotency-key": "shared-2" }
    const made = await people.manager.create("/api-keys", { name: "W", scopes: ["read", "write"] })
    await people.manager.post("/items", draft("IDEM-2"), header)
    const again = await apiWith(kontor, { "x-api-key": made.key }).post("/items", draft("IDEM-2"), header)
    expect([again.status, again.body.error.code]).toEqual([422, "VALIDATION_ERROR"])
  })

  test("is not returned to a user who has lost the right", async () => {
    const email = "fallen@attack.example"
    const { id } = await admin.create("/users", {
      email,
      name: "F",
      role: "manager",
      password: "correct horse battery",
    })
    const fallen = await signIn(kontor, email)
    const header = { "idempotency-key": "shared-3" }
    expect((await fallen.post("/items", draft("IDEM-3"), header)).status).toBe(201)
    await admin.put(`/users/${id}`, { role: "viewer" })
    expect((await fallen.post("/items", draft("IDEM-3"), header)).status).toBe(403)
  })
})

describe("what a user allowed an app", () => {
  test("cannot be withdrawn by another user, and another app cannot inspect or revoke its tokens", async () => {
    const [mine, other] = [await clientOf(admin), await clientOf(admin)]
    const { tokens } = await connect(kontor, mine)
    const [grant] = (await admin.get("/auth/grants")).body.data
    expect((await people.manager.delete(`/auth/grants/${grant.id}`)).status).toBe(404)
    expect((await people.manager.get("/auth/grants")).body.data).toEqual([])
    const asked = { token: tokens.access_token, ...credentials(other) }
    expect((await ask(kontor, "introspect", asked)).body).toEqual({ active: false })
    await ask(kontor, "revoke", asked)
    const bearer = apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` })
    expect((await bearer.get("/items")).status).toBe(200)
  })
})

const idOf = async (api: Api): Promise<string> => (await api.get("/auth/me")).body.data.id
