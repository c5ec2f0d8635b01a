// A right that is revoked while a request's body is being sent, or while its write waits, is no longer valid. Clients that
// credit and pay the same invoice at the same time never credit or pay more than it has.
import type { SqliteDatabase } from "../../src/core/engine/sqlite/database"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { apiWith, send, signIn, type Answer, type Api } from "../support/api"
import { beginWrite, isPostgres, openTested, tellServer } from "../support/engine"
import { png } from "../support/images"
import { adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

type Parameter = { name: string; schema: { enum?: string[] } }
type Written = {
  security: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
type Operation = { method: string; path: string; body: string | Uint8Array | null; type: string }

let kontor: Kontor
let admin: Api
let writes: Operation[]
let made = 0

beforeAll(async () => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
  admin = await signIn(kontor)
  const { paths } = (await send(`${kontor.url}/openapi.json`)).body as {
    paths: Record<string, Record<string, Written>>
  }
  writes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { security }]) => method !== "get" && security.some((each) => "bearer" in each))
      .map(([method, { requestBody, parameters = [] }]) => ({
        method: method.toUpperCase(),
        // The record does not exist, but the missing right must be reported first.
        path:
          path.replaceAll(/\{(\w+)\}/g, (_, name) => wordFor(name, parameters)) +
          (path.endsWith("/imports") ? "?kind=items" : ""),
        ...bodyOf(requestBody?.content ?? {}),
      })),
  )
})
afterAll(cleanUp)

/** A word that a part of a path may have. */
const wordFor = (name: string, parameters: Parameter[]): string =>
  parameters.find((each) => each.name === name)?.schema.enum?.[0] ?? "none"

/** A valid body of an operation: its example, or an image. */
function bodyOf(content: Record<string, { example?: unknown }>): Pick<Operation, "body" | "type"> {
  const [[type = "", written] = []] = Object.entries(content)
  if (type.startsWith("image/")) return { type, body: png() }
  if (type === "text/csv") return { type, body: "itemCode,itemName\nRACE-1,Raced\n" }
  return { type, body: written ? JSON.stringify(written.example ?? {}) : null }
}

/** A user with all rights. */
type Privileged = { credential: Record<string, string>; user: string; key: string }

async function privilegedUser(kind: "token" | "key"): Promise<Privileged> {
  const email = `race${++made}@example.com`
  const { id } = await admin.create("/users", { email, name: "R", role: "admin", password: adminPassword })
  const api = await signIn(kontor, email)
  if (kind === "token") return { credential: api.credential, user: id, key: "" }
  const scopes = ["read", "write", "delete", "admin"]
  const key = await api.create("/api-keys", { name: "K", scopes })
  return { credential: { "x-api-key": key.key }, user: id, key: key.id }
}

/** How to revoke the right, and how to restore it for the next attempt. `kept` stores the rows to be deleted. */
type Revocation = {
  how: "token" | "key"
  keep?: string
  take: string
  give: string
  of: "user" | "key"
  status: number
}
const lowered = {
  take: "UPDATE users SET role = 'viewer' WHERE id = ?",
  give: "UPDATE users SET role = 'admin' WHERE id = ?",
  of: "user",
  status: 403,
} as const
const revocations: [name: string, revocation: Revocation][] = [
  [
    "the session ends",
    {
      how: "token",
      keep: "CREATE TEMP TABLE kept AS SELECT * FROM sessions WHERE user = ?",
      take: "DELETE FROM sessions WHERE user = ?",
      give: "INSERT INTO sessions SELECT * FROM kept WHERE user = ?",
      of: "user",
      status: 401,
    },
  ],
  [
    "the user is disabled",
    {
      how: "token",
      take: "UPDATE users SET is_active = 0 WHERE id = ?",
      give: "UPDATE users SET is_active = 1 WHERE id = ?",
      of: "user",
      status: 401,
    },
  ],
  ["the role is lowered", { how: "token", ...lowered }],
  [
    "the key is revoked",
    {
      how: "key",
      keep: "CREATE TEMP TABLE kept AS SELECT * FROM api_key_digests WHERE key = ?",
      take: "DELETE FROM api_key_digests WHERE key = ?",
      give: "INSERT INTO api_key_digests SELECT * FROM kept WHERE key = ?",
      of: "key",
      status: 401,
    },
  ],
  [
    "the key's allowed addresses change",
    {
      how: "key",
      take: `UPDATE api_keys SET allowed_ips = '["192.0.2.1"]' WHERE id = ?`,
      give: "UPDATE api_keys SET allowed_ips = '[]' WHERE id = ?",
      of: "key",
      status: 403,
    },
  ],
  ["the key's owner loses the right", { how: "key", ...lowered }],
]
/** A user's own account, saved views and webhooks need no role, and operations that keys may never call are refused immediately. */
const isOwn = ({ path }: Operation) => /^\/api\/v1\/(auth|api-keys|views|webhooks)\b/.test(path)
const isForKeys = ({ path }: Operation) =>
  /^\/api\/v1\/(items|customers|quotations|sales-orders|invoices|credit-notes|payments|stock-movements)\b/.test(
    path,
  )
/** A PostgreSQL database has no backups. */
const isSupported = ({ path }: Operation) => !isPostgres || !path.includes("/backups")
const concerned = ({ how, status }: Revocation): Operation[] =>
  writes
    .filter(isSupported)
    .filter((each) => (how === "key" ? isForKeys(each) : status === 401 || !isOwn(each)))

/** Opens the database like another program. */
const openFile = (): SqliteDatabase => openTested(kontor.file)

const counts = () => {
  const db = openFile()
  const tables = [
    "items",
    "customers",
    "quotations",
    "sales_orders",
    "invoices",
    "credit_notes",
    "payments",
    "settlements",
    "stock_movements",
    "oauth_clients",
  ]
  const rows = tables.map((table) => db.query(`SELECT count(*) AS n FROM ${table}`).get())
  db.close()
  return JSON.stringify(rows)
}

test("the API document contains the writes that are tested here", () => {
  expect(writes.length).toBeGreaterThan(35)
  expect(writes.filter(isForKeys).length).toBeGreaterThan(20)
})

/** Sends each write with a valid right, which `tries` must revoke. Returns the writes that were not refused. */
async function notRefused(
  revocation: Revocation,
  operations: readonly Operation[],
  tries: (operation: Operation, who: Privileged, db: SqliteDatabase) => Promise<number>,
): Promise<string[]> {
  const before = counts()
  const who = await privilegedUser(revocation.how)
  const db = openFile()
  if (revocation.keep) db.query(revocation.keep).run(who[revocation.of])
  const seen: string[] = []
  for (const operation of operations) {
    const status = await tries(operation, who, db)
    if (status !== revocation.status) seen.push(`${operation.method} ${operation.path}: ${status}`)
    db.query(revocation.give).run(who[revocation.of])
    tellServer(db)
  }
  db.close()
  expect(counts()).toBe(before)
  return seen
}

describe.each(revocations)("while a write waits, %s", (_, revocation) => {
  test("and every write route refuses it", async () => {
    const seen = await notRefused(
      revocation,
      concerned(revocation),
      async ({ method, path, body, type }, who, db) => {
        // From here the server waits for the file until the revocation is committed.
        beginWrite(db)
        const answer = send(kontor.url + path, {
          method,
          headers: { ...who.credential, ...(body === null ? {} : { "content-type": type }) },
          ...(body === null ? {} : { body }),
        })
        await Bun.sleep(25)
        db.query(revocation.take).run(who[revocation.of])
        db.run("COMMIT")
        return (await answer).status
      },
    )
    expect(seen).toEqual([])
  })
})

/** Sends the headers and the first byte of a body, calls `inBetween`, sends the rest, and returns the status. */
function slowly(op: Operation, credential: Record<string, string>, inBetween: () => void): Promise<number> {
  const { hostname, port } = new URL(kontor.url)
  const body = Buffer.from(op.body ?? "")
  const head = [
    `${op.method} ${op.path} HTTP/1.1`,
    "Host: localhost",
    `Content-Type: ${op.type}`,
    `Content-Length: ${body.length}`,
    "Connection: close",
    ...Object.entries(credential).map(([name, value]) => `${name}: ${value}`),
  ]
  return new Promise((resolve, reject) => {
    let received = ""
    const socket = connect(Number(port), hostname, () => {
      socket.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body.subarray(0, 1)]))
      void Bun.sleep(15)
        .then(inBetween)
        .then(() => socket.write(body.subarray(1)), reject)
    })
    socket.on("data", (chunk) => (received += chunk.toString()))
    socket.on("close", () => resolve(Number(received.split(" ")[1] ?? 0)))
    socket.on("error", reject)
  })
}

describe.each(revocations)("while a body is being sent, %s", (_, revocation) => {
  test("and every write route that has one refuses it", async () => {
    const withBody = concerned(revocation).filter(({ body }) => body !== null && body.length > 2)
    const seen = await notRefused(revocation, withBody, (operation, who, db) =>
      slowly(operation, who.credential, () => {
        db.query(revocation.take).run(who[revocation.of])
        tellServer(db)
      }),
    )
    expect(seen).toEqual([])
  })
})

test("an admin's password reset overrides a concurrent password change", async () => {
  const email = "reset@example.com"
  const { id } = await admin.create("/users", { email, name: "R", role: "viewer", password: adminPassword })
  const thief = await signIn(kontor, email)
  const change = thief.put("/auth/password", {
    currentPassword: adminPassword,
    newPassword: "the thief's own password",
  })
  const reset = admin.put(`/users/${id}`, { password: "set by the admin" })
  const [changed] = await Promise.all([change, reset])
  const opens = async (password: string) =>
    (await send(`${kontor.url}/api/v1/auth/login`, { body: { email, password } })).status === 200
  // In either order, the admin's password is the final one.
  expect([401, 200]).toContain(changed.status)
  expect(await opens("set by the admin")).toBeTrue()
  expect(await opens("the thief's own password")).toBeFalse()
})

test("signing out everywhere cancels a concurrent password change", async () => {
  let email: string
  let change: Promise<Answer>
  // On a slow machine, the change may have ended before. It ends the session then, and a new user tries it again.
  for (let [status, i] = [401, 0]; status === 401; i++) {
    email = `leaver-${i}@example.com`
    await admin.create("/users", { email, name: "L", role: "viewer", password: adminPassword })
    const [one, other] = [await signIn(kontor, email), await signIn(kontor, email)]
    change = one.put("/auth/password", { currentPassword: adminPassword, newPassword: "quite another one" })
    await Bun.sleep(5)
    status = (await other.post("/auth/logout-all")).status
    expect([204, 401]).toContain(status)
  }
  expect((await change!).status).toBe(401)
  expect(
    (await apiWith(kontor, {}).post("/auth/login", { email: email!, password: adminPassword })).status,
  ).toBe(200)
})

describe("several clients at once", () => {
  let clients: Api[]
  beforeAll(async () => {
    clients = await Promise.all(Array.from({ length: 4 }, () => signIn(kontor)))
  })
  const client = (i: number) => clients[i % clients.length] as Api
  const atOnce = (count: number, ask: (api: Api, i: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, i) => ask(client(i), i)))
  const outcomes = (answers: Answer[]) => {
    const counts: Record<string, number> = {}
    for (const { status, body } of answers) {
      const outcome = body?.error?.code ?? String(status)
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
    return counts
  }
  const sumOf = (records: Record<string, number>[], field: string) =>
    Math.round(records.reduce((sum, record) => sum + (record[field] ?? 0), 0) * 100) / 100
  const all = async (path: string) => (await admin.get(`${path}&perPage=100`)).body.data
  const expectClean = async () =>
    expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0, stderr: "" })

  /** An invoice of 100 pieces for 10 each, and no tax. */
  async function sale() {
    const item = await trade(admin).item({ taxRate: 0 })
    const customer = await trade(admin).customer()
    const lines = [{ item: item.id, quantity: 100, rate: 10 }]
    const invoice = await admin.create("/invoices", { customer: customer.id, status: "unpaid", items: lines })
    return { item, customer, invoice, path: `/invoices/${invoice.id}`, line: invoice.items[0].id }
  }

  test("credit, pay and void one invoice, and its sums are those of what they did", async () => {
    const { item, customer, invoice, path, line } = await sale()
    const credited: Answer[] = []
    await atOnce(80, async (api, i) => {
      if (i % 4 === 0) {
        const items = [i % 8 === 0 ? { invoiceLine: line, quantity: 7 } : { invoiceLine: line, amount: 33 }]
        const answer = await api.post(`${path}/credit-notes`, { reason: "Returned", restock: true, items })
        credited.push(answer)
        return answer
      }
      const given = { amount: 37, customer: customer.id }
      const paid =
        i % 4 === 1 ? await api.post("/payments", given) : await api.post(`${path}/payments`, { amount: 37 })
      expect([201, 422]).toContain(paid.status)
      if (paid.status !== 201 || i % 3 > 0) return paid
      const place = i % 2 === 0 ? `/payments/${paid.body.data.id}` : `${path}/payments/${paid.body.data.id}`
      const removed = await api.delete(place)
      // The part that was removed may have been removed by nobody else: every client removes its own.
      expect([204, 404]).toContain(removed.status)
      return removed
    })
    for (const outcome of Object.keys(outcomes(credited))) expect(["201", "OVER_CREDITED"]).toContain(outcome)
    const shown = (await admin.get(path)).body.data
    const notes = await all(`/credit-notes?invoice=${invoice.id}`)
    const payments = await all(`/payments?customer=${customer.id}`)
    expect(shown.creditNotes).toEqual(notes.map(({ id }: { id: string }) => id).toSorted())
    expect(shown.creditedTotal).toBe(sumOf(notes, "total"))
    expect(shown.creditTaken).toBe(sumOf(notes, "appliedToInvoice"))
    expect(shown.amountPaid).toBe(sumOf(payments, "allocated"))
    expect(shown.balance).toBe(1000 - shown.creditTaken - shown.amountPaid)
    expect(shown.balance).toBeGreaterThanOrEqual(0)
    const [{ creditedQuantity, creditedAmount }] = shown.items
    expect(creditedQuantity).toBeLessThanOrEqual(100)
    expect(creditedAmount).toBeLessThanOrEqual(1000)
    const { currentStock } = (await admin.get(`/items/${item.id}`)).body.data
    expect(currentStock).toBe(creditedQuantity - 100)
    const owner = (await admin.get(`/customers/${customer.id}`)).body.data
    expect(owner.outstandingBalance).toBe(shown.balance)
    expect(owner.creditBalance).toBe(
      Math.round((sumOf(notes, "unapplied") + sumOf(payments, "unallocated")) * 100) / 100,
    )
    await expectClean()
  })

  test("credit all that is left of an invoice, and only one of them does", async () => {
    const { path } = await sale()
    const answers = await atOnce(12, (api) => api.post(`${path}/credit-notes`, { reason: "Cancelled" }))
    expect(outcomes(answers)).toEqual({ "201": 1, OVER_CREDITED: 11 })
    expect((await admin.get(path)).body.data).toMatchObject({ status: "credited", balance: 0 })
  })

  test("use what is left of a credit note and of a payment, and each cent is used once", async () => {
    const [paid, open] = [await sale(), await sale()]
    const customer = paid.customer.id
    const lines = [{ description: "Work", quantity: 1, rate: 5_000 }]
    const target = await admin.create("/invoices", { customer, status: "unpaid", items: lines })
    const whole = { invoice: paid.invoice.id, amount: 1000 }
    const payment = await admin.create("/payments", { customer, amount: 1_100, allocations: [whole] })
    const note = await admin.create(`${paid.path}/credit-notes`, {
      reason: "Price",
      items: [{ invoiceLine: paid.line, amount: 100 }],
    })
    const places = [
      [`/credit-notes/${note.id}/applications`, { invoice: target.id, amount: 30 }],
      [`/credit-notes/${note.id}/refunds`, { amount: 30 }],
      [`/payments/${payment.id}/allocations`, { invoice: target.id, amount: 30 }],
      [`/payments/${payment.id}/refunds`, { amount: 30 }],
    ] as const
    const answers = await atOnce(40, (api, i) => {
      const [place, body] = places[Math.floor(i / 2) % places.length] as (typeof places)[number]
      return api.post(place, body)
    })
    expect(outcomes(answers)).toEqual({ "201": 6, INSUFFICIENT_CREDIT: 34 })
    expect((await admin.get(`/customers/${customer}`)).body.data.creditBalance).toBe(20)
    const { amountPaid, creditApplied, balance } = (await admin.get(`/invoices/${target.id}`)).body.data
    expect(amountPaid + creditApplied + balance).toBe(target.total)
    expect(open.invoice.balance).toBe(1000)
    await expectClean()
  })

  test("accept, decline and order one quotation, and there is one answer and one order of it", async () => {
    await admin.put("/settings", { publicPages: true })
    const customer = (await trade(admin).customer()).id
    const items = [{ description: "Kitchen", quantity: 1, rate: 4_800 }]
    for (const mayDecline of [false, true]) {
      const { id } = await admin.create("/quotations", { customer, items, status: "sent" })
      const { url } = await admin.create(`/quotations/${id}/link`, {})
      const page = kontor.url + new URL(url).pathname
      const { text } = await send(page)
      const [revision, sha256] = ["revision", "sha256"].map(
        (name) => new RegExp(`name="${name}"\\s+value="(\\w+)"`).exec(text)?.[1] ?? "",
      )
      const answer = (form: Record<string, string>) =>
        send(page, {
          method: "POST",
          headers: {
            origin: kontor.url,
            "content-type": "application/x-www-form-urlencoded",
          },
          body: new URLSearchParams({ revision, sha256, ...form } as Record<string, string>).toString(),
        })
      const ways: ((api: Api) => Promise<Answer>)[] = [
        (api) => api.post(`/quotations/${id}/order`),
        (api) => api.put(`/quotations/${id}/status`, { status: "accepted" }),
        () => answer({ answer: "accept", name: "Jonas Weber" }),
        mayDecline
          ? () => answer({ answer: "decline", reason: "Too late" })
          : (api) => api.post(`/quotations/${id}/order`),
      ]
      const answers = await atOnce(16, (api, i) => (ways[i % ways.length] ?? ways[0]!)(api))
      for (const { status } of answers) expect(status).toBeLessThan(500)
      const { status, salesOrder } = (await admin.get(`/quotations/${id}`)).body.data
      const orders = await all(`/sales-orders?quotation=${id}`)
      expect(orders.length).toBe(status === "accepted" ? 1 : 0)
      expect(salesOrder).toBe(orders[0]?.id ?? null)
      expect(answers.filter((each) => each.status === 201)).toHaveLength(orders.length)
      if (!mayDecline) expect(status).toBe("accepted")
      // Of the forms, at most one was an answer.
      expect(answers.filter((each) => each.status === 303).length).toBeLessThanOrEqual(1)
    }
    await expectClean()
  })

  test("deliver, invoice, cancel and revise one order, and its goods leave once", async () => {
    const item = await trade(admin).item({ taxRate: 0 })
    const order = await trade(admin).submitted({ items: [{ item: item.id, quantity: 30 }] })
    const [{ id, item: sold }] = order.items
    const items = [{ orderLine: id, quantity: 4 }]
    const answers = await atOnce(48, async (api, i) => {
      // No quantity is a multiple of 4, so that something is always left.
      const revised = { items: [{ id, item: sold, quantity: i % 8 === 3 ? 201 : 41 }] }
      if (i % 4 === 3) return api.patch(`/sales-orders/${order.id}`, revised)
      const kind = i % 2 === 0 ? "deliveries" : "invoices"
      const made = await api.post(`/${kind}/from-order`, { salesOrder: order.id, items })
      if (made.status !== 201 || i % 3 > 0) return made
      return api.put(`/${kind}/${made.body.data.id}/status`, { status: "cancelled" })
    })
    const allowed = ["200", "201", "OVER_DELIVERED", "OVER_INVOICED", "ORDER_IN_PROGRESS"]
    for (const outcome of Object.keys(outcomes(answers))) expect(allowed).toContain(outcome)
    const whole = await atOnce(12, (api, i) =>
      api.post(`/${i % 2 === 0 ? "deliveries" : "invoices"}/from-order`, { salesOrder: order.id }),
    )
    expect(outcomes(whole)["201"]).toBe(2)
    const shown = (await admin.get(`/sales-orders/${order.id}`)).body.data
    expect(shown).toMatchObject({ status: "completed", deliveryStatus: "delivered" })
    expect((await admin.get(`/items/${item.id}`)).body.data).toMatchObject({
      currentStock: -shown.items[0].quantity,
      reservedStock: 0,
    })
    await expectClean()
  })

  test("ask for deposits, pay, invoice and take back at once, and each deposit is deducted once", async () => {
    const item = await trade(admin).item({ taxRate: 19, itemType: "Service" })
    const order = await trade(admin).submitted({ items: [{ item: item.id, quantity: 10 }] })
    const path = `/sales-orders/${order.id}/deposit-invoices`
    const asked = await atOnce(12, (api) => api.post(path, { percent: 30 }))
    expect(outcomes(asked)).toEqual({ "201": 3, DEPOSIT_TOO_LARGE: 9 })
    const deposits = asked.filter(({ status }) => status === 201).map(({ body }) => body.data)
    const items = [{ orderLine: order.items[0].id, quantity: 2 }]
    const ways: ((api: Api, i: number) => Promise<Answer>)[] = [
      (api, i) => api.post(`/invoices/${deposits[i % 3].id}/payments`, { amount: 20 }),
      (api) => api.post("/invoices/from-order", { salesOrder: order.id, items }),
      async (api, i) => {
        const { payments } = (await api.get(`/invoices/${deposits[i % 3].id}`)).body.data
        return api.delete(`/payments/${payments.at(-1)?.id ?? "pay_none"}`)
      },
      (api) => api.post(path, { percent: 10 }),
      (api, i) => api.post(`/invoices/${deposits[i % 3].id}/credit-notes`, { reason: "Less" }),
    ]
    const answers = await atOnce(60, (api, i) => (ways[i % ways.length] ?? ways[0]!)(api, i))
    for (const { status } of answers) expect(status).toBeLessThan(500)
    const shown = (await admin.get(`/sales-orders/${order.id}`)).body.data
    const invoices = await all(`/invoices?salesOrder=${order.id}`)
    const sum = (name: string) =>
      invoices.reduce(
        (total: number, each: Record<string, number>) => total + Math.round((each[name] ?? 0) * 100),
        0,
      )
    expect(sum("depositTotal")).toBe(sum("deductedTotal"))
    expect(Math.round(shown.deductedTotal * 100)).toBe(sum("depositTotal"))
    await expectClean()
  })

  test("void one payment, and it is voided once", async () => {
    const { customer, invoice, path } = await sale()
    const payment = await admin.create("/payments", { customer: customer.id, amount: 1_000 })
    const places = [
      `/payments/${payment.id}`,
      `${path}/payments/${payment.id}`,
      `/payments/${payment.id}/allocations/${payment.allocations[0].id}`,
    ]
    const answers = await atOnce(12, (api, i) => api.delete(places[i % places.length] ?? ""))
    for (const outcome of Object.keys(outcomes(answers))) expect(["204", "NOT_FOUND"]).toContain(outcome)
    expect(answers.filter(({ status }) => status === 204).length).toBeLessThanOrEqual(2)
    expect((await admin.get(`/payments/${payment.id}`)).status).toBe(404)
    expect((await admin.get(path)).body.data).toMatchObject({ balance: invoice.total, payments: [] })
    expect((await admin.get(`/customers/${customer.id}`)).body.data.creditBalance).toBe(0)
    await expectClean()
  })
})
