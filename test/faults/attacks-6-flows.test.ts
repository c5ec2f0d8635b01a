// OWASP API6:2023, unrestricted access to sensitive business flows: fifty concurrent requests have one effect.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { send, signIn, type Api } from "../support/api"
import { atOnce, tally } from "../support/attacks"
import { adminEmail, adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"
import { withUsualPasswords } from "../support/passwords"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let shop: Trade

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  shop = trade(admin)
})
afterAll(cleanUp)

describe("fifty concurrent requests", () => {
  test("payments of the total: one is recorded", async () => {
    const { id, total } = await shop.invoice()
    expect(tally(await atOnce(50, () => shop.pay(id, total)))).toEqual({ "201": 1, "422 OVERPAYMENT": 49 })
    expect(await shop.get("invoices", id)).toMatchObject({ status: "paid", amountPaid: total, balance: 0 })
  })

  test("payments of a tenth: ten are recorded", async () => {
    const { id, total } = await shop.invoice()
    expect(tally(await atOnce(50, () => shop.pay(id, total / 10)))).toEqual({
      "201": 10,
      "422 OVERPAYMENT": 40,
    })
    expect((await shop.get("invoices", id)).balance).toBe(0)
  })

  test("invoices of one order: one is created", async () => {
    const { id } = await shop.submitted()
    expect(tally(await atOnce(50, () => shop.bill(id)))).toEqual({
      "201": 1,
      "422 ORDER_ALREADY_INVOICED": 49,
    })
  })

  test("partial invoices: as many as there are parts", async () => {
    const { id, items } = await shop.submitted({ items: [{ item: (await shop.item()).id, quantity: 7 }] })
    const part = { items: [{ orderLine: items[0].id, quantity: 1 }] }
    const answers = await atOnce(50, () => shop.bill(id, part))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7)
    expect(await shop.get("sales-orders", id)).toMatchObject({
      status: "completed",
      invoiceStatus: "invoiced",
    })
  })

  test("submissions with a credit limit: those within the limit are accepted", async () => {
    const customer = (await shop.customer({ creditLimit: 100 })).id
    const orders = await atOnce(20, () => shop.order({ customer }))
    const answers = await Promise.all(orders.map(({ id }) => shop.status("sales-orders", id, "submitted")))
    expect(tally(answers)).toEqual({ "200": 5, "422 CREDIT_LIMIT_EXCEEDED": 15 })
    expect((await shop.get("customers", customer)).creditAvailable).toBe(0)
  })

  test("cancelling and invoicing one order: one succeeds completely", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await shop.submitted()
      const answers = await atOnce(20, (i) =>
        i % 2 ? shop.bill(id) : shop.status("sales-orders", id, "cancelled"),
      )
      const invoiced = answers.filter(({ status }) => status === 201).length
      const order = await shop.get("sales-orders", id)
      expect([invoiced, order.status, order.invoices.length]).toEqual(
        invoiced ? [1, "completed", 1] : [0, "cancelled", 0],
      )
    }
  })

  test("cancellations of one invoice: stock is returned once", async () => {
    const item = (await shop.item()).id
    await shop.receive(item, 10)
    const { id } = await shop.invoice({ items: [{ item, quantity: 4 }] })
    await atOnce(50, () => shop.status("invoices", id, "cancelled"))
    expect((await shop.get("items", item)).currentStock).toBe(10)
  })

  test("deletions of one payment: one succeeds", async () => {
    const { id, total } = await shop.invoice()
    const payment = (await shop.pay(id, total)).body.data.id
    const answers = await atOnce(50, () => admin.delete(`/invoices/${id}/payments/${payment}`))
    expect(tally(answers)).toEqual({ "204": 1, "404 NOT_FOUND": 49 })
    expect((await shop.get("invoices", id)).balance).toBe(total)
  })

  test("items with one code, in any case: one is created", async () => {
    const answers = await atOnce(50, (i) =>
      admin.post("/items", { itemCode: i % 2 ? "RACE" : "race", itemName: "Race" }),
    )
    expect(tally(answers)).toEqual({ "201": 1, "422 VALIDATION_ERROR": 49 })
  })

  test(
    "users with one email: one is created",
    withUsualPasswords(async () => {
      const draft = { email: "race@attack.example", name: "R", role: "viewer", password: "a long password" }
      const answers = await atOnce(10, () => admin.post("/users", draft))
      expect(tally(answers)).toEqual({ "201": 1, "422 VALIDATION_ERROR": 9 })
    }),
  )

  test("repeated POSTs with one Idempotency-Key: one effect and one response", async () => {
    const header = { "idempotency-key": "race-1" }
    const answers = await atOnce(50, () => admin.post("/customers", { name: "Once only" }, header))
    expect(tally(answers)).toEqual({ "201": 50 })
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect((await admin.get("/customers?name=Once%20only")).body.meta.total).toBe(1)
  })

  test("updates of one version: one succeeds", async () => {
    const { id } = await shop.item()
    const answers = await atOnce(50, (i) =>
      admin.put(`/items/${id}`, { itemName: `Name ${i}` }, { "if-match": '"1"' }),
    )
    expect(tally(answers)).toEqual({ "200": 1, "412 PRECONDITION_FAILED": 49 })
  })

  test("deletions of one record: one succeeds", async () => {
    const { id } = await shop.item()
    expect(tally(await atOnce(50, () => admin.delete(`/items/${id}`)))).toEqual({
      "204": 1,
      "404 NOT_FOUND": 49,
    })
  })

  test("deleting an item and ordering it: never an order without its item", async () => {
    for (let round = 0; round < 5; round++) {
      const [item, customer] = [(await shop.item()).id, (await shop.customer()).id]
      const [removed, ...orders] = await Promise.all([
        admin.delete(`/items/${item}`),
        ...Array.from({ length: 5 }, () =>
          admin.post("/sales-orders", { customer, items: [{ item, quantity: 1 }] }),
        ),
      ])
      const made = orders.filter(({ status }) => status === 201).length
      expect(removed?.status).toBe(made > 0 ? 422 : 204)
    }
  })

  test("issuing drafts: unique numbers without a gap", async () => {
    const [customer, item] = [(await shop.customer()).id, (await shop.item()).id]
    const drafts = await atOnce(30, () =>
      admin.create("/invoices", { customer, items: [{ item, quantity: 1 }] }),
    )
    const answers = await Promise.all(drafts.map(({ id }) => shop.status("invoices", id, "unpaid")))
    const numbers = answers
      .map(({ body }) => Number(body.data.invoiceNumber.slice(-5)))
      .toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => (numbers[0] ?? 0) + i))
  })

  test("sales of the last piece without negative stock: one succeeds", async () => {
    await admin.put("/settings", { allowNegativeStock: false })
    const item = (await shop.item()).id
    await shop.receive(item, 1)
    const customer = (await shop.customer()).id
    const draft = { customer, items: [{ item, quantity: 1 }], status: "unpaid" }
    const answers = await atOnce(30, () => admin.post("/invoices", draft))
    expect(tally(answers)).toEqual({ "201": 1, "422 INSUFFICIENT_STOCK": 29 })
    await admin.put("/settings", { allowNegativeStock: true })
  })

  test("uses of one refresh token: one new token", async () => {
    const { refreshToken } = (
      await send(`${kontor.url}/api/v1/auth/login`, { body: { email: adminEmail, password: adminPassword } })
    ).body.data
    const answers = await atOnce(20, () =>
      send(`${kontor.url}/api/v1/auth/refresh`, { body: { refreshToken } }),
    )
    expect(tally(answers)).toEqual({ "200": 20 })
    expect(new Set(answers.map(({ body }) => body.data.refreshToken)).size).toBe(1)
  })

  test("rotations of one API key: one new key works afterwards", async () => {
    const { id } = await admin.create("/api-keys", { name: "R", scopes: ["read"] })
    const answers = await atOnce(20, () => admin.post(`/api-keys/${id}/rotate`))
    const works = await Promise.all(
      answers.map(({ body }) =>
        send(`${kontor.url}/api/v1/items`, { headers: { "x-api-key": body.data.key } }),
      ),
    )
    expect(works.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe("the last admin", () => {
  test("stays when two admins demote each other concurrently", async () => {
    const place = await serve()
    const first = await signIn(place)
    const other = { email: "second@attack.example", name: "S", role: "admin", password: adminPassword }
    const second = await first.create("/users", other)
    const secondApi = await signIn(place, other.email)
    const me = (await first.get("/auth/me")).body.data.id
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => first.put(`/users/${second.id}`, { role: "viewer" })),
      ...Array.from({ length: 10 }, () => secondApi.put(`/users/${me}`, { isActive: false })),
    ])
    expect(answers.some(({ status }) => status === 200)).toBeTrue()
    const { stdout } = await run(["users", "list", "--json"], { cwd: place.cwd })
    const admins = JSON.parse(stdout).filter(
      (user: { role: string; isActive: boolean }) => user.role === "admin" && user.isActive,
    )
    expect(admins).toHaveLength(1)
  })

  test(
    "is one when twenty requests use the setup link concurrently",
    withUsualPasswords(async () => {
      const place = await serve({ env: {} })
      const token = /#token=(\S+)/.exec(place.output.stdout)?.[1]
      const draft = (i: number) => ({
        token,
        email: `first${i}@attack.example`,
        name: "F",
        password: "a long password",
      })
      const answers = await atOnce(20, (i) => send(`${place.url}/api/v1/setup`, { body: draft(i) }))
      expect(tally(answers)).toEqual({ "200": 1, "404 ENDPOINT_NOT_FOUND": 19 })
    }),
  )
})

test("afterwards kontor check finds no problem", async () => {
  const { code, stdout, stderr } = await run(["check"], { cwd: kontor.cwd })
  expect({ code, problems: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, problems: "" })
  expect(kontor.output.stderr).not.toContain('"level":"error"')
})
