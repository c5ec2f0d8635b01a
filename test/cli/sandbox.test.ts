// `kontor sandbox`: the demo shop as tests of other programs use it. It is the same each time, its clock is moved, it is set
// back, and requests to it fail.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { apiWith, signIn, type Api } from "../support/api"
import { download } from "../support/downloads"
import { adminEmail, cleanUp, emptyFolder, run, serve } from "../support/kontor"
import { settled } from "../support/mail"
import { source } from "../support/program"
import { receiver, stopReceivers } from "../support/receiver"
import { sandbox, stopSandboxes, type Sandbox } from "../support/sandbox"
import { until } from "../support/until"

let shop: Sandbox
let api: Api

beforeAll(async () => {
  shop = await sandbox()
  api = shop.api
})
beforeEach(async () => void expect(await api.post("/sandbox/reset")).toMatchObject({ status: 200 }))
afterAll(async () => {
  stopReceivers()
  await stopSandboxes()
  await cleanUp()
})

const clock = async (body: object) => (await api.put("/sandbox/clock", body)).body.data
const failing = (faults: unknown[]) => api.put("/sandbox/faults", faults)
const lost = (call: Promise<unknown>) =>
  call.then(
    () => false,
    () => true,
  )
const lamp = (n: number) => ({
  itemCode: `LAMP-${n}`,
  itemName: "Lamp",
  itemType: "Service",
  sellingPrice: 10,
})

/** Issues an invoice that is due in some days. */
async function invoice(days: number, more: object = {}) {
  const customer = await api.create("/customers", { name: `Due in ${days}`, email: "buyer@example.com" })
  const { now } = (await api.get("/sandbox")).body.data
  const dueDate = new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)
  const items = [{ itemCode: "SRV-1", quantity: 1 }]
  return api.create("/invoices", { customer: customer.id, items, status: "unpaid", dueDate, ...more })
}

/** Writes a file of lines. */
const linesIn = async (...lines: (object | string)[]) => {
  const file = join(emptyFolder(), "shop.ndjson")
  await Bun.write(
    file,
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  )
  return file
}

/** A small shop, whose records refer to each other. */
const smallShop = [
  { kind: "settings", companyName: "Test GmbH", currency: "EUR" },
  { kind: "tax-codes", code: "S19", name: "Full", category: "S", rate: 19 },
  { ...lamp(1), kind: "items", externalId: "lamp", taxCode: "S19" },
  "",
  { kind: "customers", name: "Elbe", externalId: "elbe", id: "cus_of_an_export", email: "a@x.example" },
  { kind: "sales-orders", customerExternalId: "elbe", items: [{ itemCode: "LAMP-1", quantity: 2 }] },
  {
    kind: "invoices",
    customerExternalId: "elbe",
    externalId: "first",
    status: "unpaid",
    items: [{ itemExternalId: "lamp", quantity: 3 }],
  },
  {
    kind: "payments",
    customerExternalId: "elbe",
    amount: 5,
    allocations: [{ invoiceExternalId: "first", amount: 5 }],
  },
]

describe("with the records of a file", () => {
  test("it has only them, the same each time, and a reset goes back to them", async () => {
    const args = ["--data", await linesIn(...smallShop)]
    const [one, two] = [await sandbox(args), await sandbox(args)]
    const invoices = async () => (await one.api.get("/invoices")).body.data
    const before = await invoices()
    expect(before).toMatchObject([{ customerName: "Elbe", total: 35.7, balance: 30.7, createdAt: one.now }])
    expect((await one.api.get("/auth/me")).body.data.company.name).toBe("Test GmbH")
    expect((await one.api.get("/customers")).body.data).toHaveLength(1)
    await one.api.create("/items", lamp(2))
    await one.api.post("/sandbox/reset")
    expect((await one.api.get("/items")).body.data).toHaveLength(1)
    expect(await invoices()).toEqual(before)
    expect((await two.api.get("/invoices")).body.data).toEqual(before)
    expect((await two.api.create("/items", lamp(3))).id).toBe((await one.api.create("/items", lamp(3))).id)
    for (const each of [one, two]) await each.stop()
  })

  test("it does not start with a wrong line, and names the line and its fields", async () => {
    const wrong = { kind: "invoices", customerNumber: "CUS-9", items: [{ itemCode: "LAMP-1", quantity: 0 }] }
    const file = await linesIn(...smallShop, wrong)
    expect(await run(["sandbox", "--data", file])).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        `Line 9 of ${file}: The invoice has invalid values.`,
        '  customerNumber "CUS-9" does not exist',
        "  items[0].quantity must be greater than 0",
        "",
      ].join("\n"),
    })
    const demo = await run(["serve", "--demo", "--port", "0", "--data", await linesIn({ kind: "things" })])
    expect([demo.code, demo.stdout, demo.stderr]).toEqual([
      1,
      "",
      expect.stringContaining("kind must be one of settings, items, tax-codes, customers,"),
    ])
  })
})

test("it prints one line with what a test needs, and ends when its standard input ends", async () => {
  const first = await sandbox(["--seed", "7", "--now", "2026-03-01T08:00:00+01:00"])
  expect(JSON.parse(first.line)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    apiKey: expect.stringMatching(/^kon_/),
    email: "demo@example.com",
    password: expect.stringMatching(/^.{16}$/),
    now: "2026-03-01T07:00:00.000Z",
    seed: 7,
  })
  expect((await first.api.get("/auth/me")).body.data.company.today).toBe("2026-03-01")
  expect([first.apiKey, first.password]).not.toContain(shop.apiKey)
  expect(await first.stop()).toBe(0)
})

/** Writes of each sort: alone, many at once, by time, and mail that is sent beside them, some while the clock is moved. */
async function story({ api }: Sandbox) {
  const { id: customer } = await api.create("/customers", { name: "Story", email: "story@example.com" })
  const items = [{ itemCode: "SRV-1", quantity: 1 }]
  const issued = { customer, items, status: "unpaid", send: true }
  await api.create("/invoices", issued)
  await api.create("/recurring-invoices", {
    customer,
    items: [{ description: "Rent", quantity: 1, rate: 9 }],
    every: { unit: "week" },
    startsOn: "2027-01-04",
    mode: "send",
  })
  const operations = Array.from({ length: 120 }, (_, i) => ({ op: "create", body: lamp(i) }))
  await api.post("/items/batch", { mode: "each", operations })
  await api.create("/invoices", issued)
  for (const [i, advance] of ["P1D", "P3W", "P1D"].entries()) {
    await api.put("/sandbox/clock", { advance })
    await api.create("/items", lamp(1_000 + i))
  }
}

const archive = async ({ url, email, password }: Sandbox) => {
  const { bytes, status } = await download({ url }, await signIn({ url }, email, password), "/export.zip")
  return [status, Bun.SHA256.hash(bytes, "hex"), bytes.length]
}

test("two of them are the same to the last byte of their archives", async () => {
  // The executable contains the filled shop, and the source fills it at its start.
  const other = await sandbox([], {}, source)
  expect([other.apiKey, other.password]).toEqual([shop.apiKey, shop.password])
  await other.api.post("/sandbox/reset")
  for (const each of [shop, other]) await story(each)
  const [one, two] = [await archive(shop), await archive(other)]
  expect(one[0]).toBe(200)
  expect(two).toEqual(one)
  await other.stop()
})

test("two with the same owner are the same, and the key is not that of others", async () => {
  const boss = {
    KONTOR_ADMIN_EMAIL: "boss@example.com",
    KONTOR_ADMIN_PASSWORD: "long enough to do",
  }
  const [one, two] = [await sandbox([], boss), await sandbox([], boss, source)]
  expect(one.apiKey).toBe(two.apiKey)
  expect(one.apiKey).not.toBe(shop.apiKey)
  for (const { api: first } of [one, two]) await first.create("/items", lamp(1))
  expect(await archive(one)).toEqual(await archive(two))
  // An owner with the address of the demo is the first one, with a key and a password of their own.
  const same = await sandbox([], { ...boss, KONTOR_ADMIN_EMAIL: shop.email })
  expect((await same.api.get("/users")).status).toBe(200)
  expect((await apiWith(same, { "x-api-key": shop.apiKey }).get("/auth/me")).status).toBe(401)
  expect((await signIn(same, shop.email, "long enough to do")).credential).toBeDefined()
  const refused = { email: shop.email, password: shop.password }
  expect((await apiWith(same, {}).post("/auth/login", refused)).status).toBe(401)
  await Promise.all([one, two, same].map((each) => each.stop()))
})

test("two with another seed are the same", async () => {
  const [one, two] = [await sandbox(["--seed", "7"]), await sandbox(["--seed", "7"], {}, source)]
  expect([one.apiKey, one.password]).toEqual([two.apiKey, two.password])
  expect(await archive(one)).toEqual(await archive(two))
  await Promise.all([one, two].map((each) => each.stop()))
})

describe("the clock", () => {
  test("stands still, and is moved by a duration or to a time, but only forward", async () => {
    const { now } = shop
    expect((await api.create("/items", lamp(1))).createdAt).toBe(now)
    expect(await clock({ advance: "P1M" })).toMatchObject({ now: "2027-02-04T09:00:00.000Z" })
    expect(await clock({ now: "2027-03-31T12:30:00+02:00" })).toMatchObject({
      now: "2027-03-31T10:30:00.000Z",
    })
    expect(await clock({ advance: "P1MT90M" })).toMatchObject({ now: "2027-04-30T12:00:00.000Z" })
    expect((await api.create("/items", lamp(2))).createdAt).toBe("2027-04-30T12:00:00.000Z")
    expect(await api.put("/sandbox/clock", { now })).toMatchObject({
      status: 422,
      body: { error: { code: "CLOCK_BACKWARDS", params: { now: "2027-04-30T12:00:00.000Z" } } },
    })
    for (const wrong of [
      {},
      { now, advance: "P1D" },
      { advance: "1 month" },
      { advance: "P11Y" },
      { now: "9999-01-01T00:00:00Z" },
    ])
      expect(await api.put("/sandbox/clock", wrong)).toMatchObject({
        status: 422,
        body: { error: { code: "VALIDATION_ERROR" } },
      })
    expect((await api.get("/sandbox")).body.data).toMatchObject({
      now: "2027-04-30T12:00:00.000Z",
      isRunning: false,
    })
  })

  test("runs what becomes due on the way in its order, with the time at which it was due", async () => {
    const [first, second] = [await invoice(2), await invoice(4)]
    const { next } = (await api.get("/events?after=latest")).body.meta
    const { ran } = await clock({ advance: "P10D" })
    expect(ran).toEqual([
      { work: "overdue", times: 10, firstAt: "2027-01-05T00:00:00.000Z", lastAt: "2027-01-14T00:00:00.000Z" },
    ])
    const { data } = (await api.get(`/events?after=${next}&types=invoices.overdue&limit=100`)).body
    const told = data.map((event: any) => [event.recordId, event.at])
    expect(told.filter(([id]: string[]) => [first.id, second.id].includes(id ?? ""))).toEqual([
      [first.id, "2027-01-07T00:00:00.000Z"],
      [second.id, "2027-01-09T00:00:00.000Z"],
    ])
    expect((await api.get(`/invoices/${first.id}`)).body.data).toMatchObject({
      isOverdue: true,
      updatedAt: "2027-01-07T00:00:00.000Z",
    })
  })

  test("writes what was counted when it is moved, and not after a while", async () => {
    for (let i = 0; i < 3; i++)
      expect(
        await apiWith(shop, {}).post("/auth/login", { email: "nobody@example.com", password: "Wrong" }),
      ).toMatchObject({ status: 401 })
    const attempts = async () =>
      (await api.get("/audit-logs?action=auth.login&outcome=failure&order=asc")).body.data.map(
        ({ changes, createdAt }: any) => [changes.attempts.to, createdAt],
      )
    expect(await attempts()).toEqual([[1, shop.now]])
    await clock({ advance: "P1D" })
    expect(await attempts()).toEqual([
      [1, shop.now],
      [2, shop.now],
    ])
  })

  test("does not move the time of webhooks, so that a receiver accepts one after a year", async () => {
    const { hits, url } = receiver()
    const { secret } = await api.create("/webhooks", { url, types: ["items.created"] })
    await clock({ advance: "P1Y" })
    const { id } = await api.create("/items", lamp(3))
    await until(() => hits.length > 0)
    const [{ body, headers }] = hits as [(typeof hits)[0]]
    expect(new Webhook(secret).verify(body, Object.fromEntries(headers))).toMatchObject({
      recordId: id,
      at: "2028-01-04T09:00:00.000Z",
    })
  })

  test("an API key that expires in the shop's time is refused then", async () => {
    const person = await signIn(shop, shop.email, shop.password)
    const { key } = await person.create("/api-keys", {
      name: "Short",
      scopes: ["read"],
      expiresAt: "2027-01-10T00:00:00Z",
    })
    const short = apiWith(shop, { "x-api-key": key })
    expect((await short.get("/items?perPage=1")).status).toBe(200)
    await clock({ advance: "P7D" })
    expect((await short.get("/items?perPage=1")).status).toBe(401)
    expect((await api.get("/items?perPage=1")).status).toBe(200)
  })
})

describe("reset and snapshots", () => {
  const state = async () => {
    const { body } = await api.get("/items?sort=createdAt&perPage=3&order=desc")
    return [
      body.meta.total,
      body.data.map(({ id }: { id: string }) => id),
      (await api.get("/sandbox")).body.data.now,
    ]
  }

  test("a reset sets data, clock and IDs back, and people stay signed in", async () => {
    const person = await signIn(shop, shop.email, shop.password)
    await api.post("/sandbox/reset")
    const before = await state()
    const { id } = await api.create("/items", lamp(1))
    await clock({ advance: "P1M" })
    expect(await api.post("/sandbox/reset")).toMatchObject({
      status: 200,
      body: { data: { seed: 1, now: shop.now, snapshots: [], faults: [] } },
    })
    expect(await state()).toEqual(before)
    expect((await person.get("/auth/me")).status).toBe(200)
    expect((await api.create("/items", lamp(1))).id).toBe(id)
    expect((await api.get("/items?search=lamp-1")).body.data).toMatchObject([{ id }])
    expect((await api.get("/search?q=asembly")).text).toContain("Assembly on site")
  })

  test("a snapshot is restored as often as needed, and what follows has the same IDs", async () => {
    await api.create("/items", lamp(1))
    await clock({ advance: "P3D" })
    const saved = await api.post("/sandbox/snapshots", { name: "three-days" })
    expect(saved.body.data.snapshots).toEqual([{ name: "three-days", now: "2027-01-07T09:00:00.000Z" }])
    const before = await state()
    const ids: string[] = []
    for (const _ of [1, 2]) {
      ids.push((await api.create("/items", lamp(2))).id)
      await clock({ advance: "P1Y" })
      expect((await api.post("/sandbox/snapshots/three-days/restore")).status).toBe(200)
      expect(await state()).toEqual(before)
    }
    expect(ids[1]).toBe(ids[0] ?? "")
    await api.post("/sandbox/reset")
    expect((await api.post("/sandbox/snapshots/three-days/restore")).status).toBe(200)
    expect(await state()).toEqual(before)
  })

  test("there are at most 20, with names that fit into a path", async () => {
    for (let i = 0; i < 20; i++)
      expect((await api.post("/sandbox/snapshots", { name: `n-${i}` })).status).toBe(i < 19 ? 200 : 422)
    expect((await api.post("/sandbox/snapshots", { name: "n-3" })).status).toBe(200)
    expect((await api.post("/sandbox/snapshots", { name: "a/b" })).status).toBe(422)
    expect((await api.post("/sandbox/snapshots", {})).status).toBe(422)
    expect((await api.post("/sandbox/snapshots/never/restore")).status).toBe(404)
  })

  test("a reset waits for the requests before it, and those after it are of the shop that was set back", async () => {
    const { meta } = (await api.get("/items?perPage=1")).body
    const all = Array.from({ length: 60 }, (_, i) =>
      i % 20 === 10 ? api.post("/sandbox/reset") : api.post("/items", lamp(i)),
    )
    const waiting = api.get("/events?after=latest&wait=20")
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 201]))
    expect((await waiting).status).toBe(200)
    expect((await api.post("/sandbox/reset")).status).toBe(200)
    expect((await api.get("/items?perPage=1")).body.meta.total).toBe(meta.total)
  })
})

describe("faults", () => {
  test("a request is answered with a status and not executed, as often as it was asked for", async () => {
    await failing([{ method: "POST", path: "/items", status: 503, count: 2 }])
    const answers = []
    for (let i = 0; i < 3; i++) answers.push((await api.post("/items", lamp(1))).status)
    expect(answers).toEqual([503, 503, 201])
    expect((await api.get("/sandbox")).body.data.faults).toMatchObject([{ status: 503, count: 2, left: 0 }])
    await failing([{ path: "/item*", status: 502 }])
    expect(await api.get("/items?perPage=1")).toMatchObject({ status: 502, body: null, text: "Bad Gateway" })
    expect((await api.get("/customers?perPage=1")).status).toBe(200)
    expect((await api.delete("/sandbox/faults")).body.data.faults).toEqual([])
    expect((await api.get("/items?perPage=1")).status).toBe(200)
  })

  test("a connection is lost before or after the request is executed, and a key tells which", async () => {
    await failing([{ method: "POST", drop: "before", count: 1 }])
    const key = { "idempotency-key": "once" }
    expect(await lost(api.post("/items", lamp(1), key))).toBeTrue()
    expect((await api.get("/items?itemCode=LAMP-1")).body.data).toEqual([])
    await failing([{ method: "POST", drop: "after", count: 1 }])
    expect(await lost(api.post("/items", lamp(1), key))).toBeTrue()
    expect((await api.get("/items?itemCode=LAMP-1")).body.data).toHaveLength(1)
    const again = await api.post("/items", lamp(1), key)
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"])
  })

  test("a share of the requests fails, the same ones each time", async () => {
    const statuses = async () => {
      await failing([{ path: "/auth/me", status: 500, rate: 0.3 }])
      const found = []
      for (let i = 0; i < 40; i++) found.push((await api.get("/auth/me")).status)
      return found
    }
    const first = await statuses()
    expect(first.filter((status) => status === 500).length).toBeWithin(4, 20)
    expect(await statuses()).toEqual(first)
  })

  test("what is wrong with a fault is told, and nothing is stored", async () => {
    const wrong = [
      { status: 200 },
      { drop: "during" },
      { status: 500, drop: "after" },
      { path: "items", status: 500 },
      { path: "/sandbox/reset", status: 500 },
      { status: 500, rate: 2 },
      { status: 500, colour: "red" },
      {},
      7,
    ]
    const { status, body } = await failing(wrong)
    expect([status, body.error.details.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ["status", "drop", "drop", "path", "path", "rate", "colour", "", ""].map(
        (name, i) => `faults[${i}]${name ? `.${name}` : ""}`,
      ),
    ])
    expect((await api.put("/sandbox/faults", { status: 500 })).status).toBe(400)
    expect((await failing(Array.from({ length: 101 }, () => ({ status: 500 })))).status).toBe(422)
    expect((await api.get("/sandbox")).body.data.faults).toEqual([])
  })
})

test("mail is kept with its text and the names of its files", async () => {
  const { id, invoiceNumber } = await invoice(14)
  const { body } = await api.post(`/invoices/${id}/send`, {})
  expect(await settled(api, body.data.id)).toMatchObject({ status: "sent", sentAt: shop.now })
  expect((await api.get("/sandbox/messages")).body.data).toMatchObject([
    {
      message: body.data.id,
      sentAt: shop.now,
      from: "office@hafen.example",
      to: ["buyer@example.com"],
      subject: expect.stringContaining(invoiceNumber),
      text: expect.stringContaining(invoiceNumber),
      attachments: [{ name: `${invoiceNumber}.pdf`, type: "application/pdf", bytes: expect.any(Number) }],
    },
  ])
})

test("the controls need the scope admin, and no other server has them", async () => {
  const person = await signIn(shop, shop.email, shop.password)
  const { key } = await person.create("/api-keys", { name: "Small", scopes: ["read", "write", "delete"] })
  const small = apiWith(shop, { "x-api-key": key })
  const other = await serve()
  const admin = await signIn(other)
  const routes: [string, string, unknown?][] = [
    ["GET", "/sandbox"],
    ["PUT", "/sandbox/clock", { advance: "P1D" }],
    ["POST", "/sandbox/reset", {}],
    ["POST", "/sandbox/snapshots", { name: "a" }],
    ["POST", "/sandbox/snapshots/a/restore", {}],
    ["PUT", "/sandbox/faults", [{ status: 500 }]],
    ["DELETE", "/sandbox/faults"],
    ["GET", "/sandbox/messages"],
  ]
  for (const [method, path, body] of routes) {
    expect((await small.call(method, path, body)).status).toBe(403)
    expect(await admin.call(method, path, body)).toMatchObject({
      status: 404,
      body: { error: { code: "ENDPOINT_NOT_FOUND" } },
    })
  }
  expect((await admin.get("/auth/me")).body.data.email).toBe(adminEmail)
})

test("with --run the clock goes on, also after a reset, and pages of any origin may call a demo", async () => {
  const running = await sandbox(["--run", "--now", shop.now, "--cors-origins", "*"])
  const now = async () => (await running.api.get("/sandbox")).body.data.now as string
  await until(async () => (await now()) > shop.now)
  await running.api.post("/sandbox/reset")
  await until(async () => (await now()) > shop.now)
  expect((await now()).slice(0, 10)).toBe("2027-01-04")
  expect((await running.api.get("/sandbox")).body.data.isRunning).toBeTrue()
  const { headers } = await running.api.get("/items?perPage=1", { origin: "http://localhost:5173" })
  expect(headers.get("access-control-allow-origin")).toBe("http://localhost:5173")
  await running.stop()
})

test("options that only a demo has are refused without one, and wrong values in any case", async () => {
  for (const [args, text] of [
    [["serve", "--seed", "1"], "--seed needs --demo"],
    [["serve", "--now", "2027-01-01T00:00:00Z"], "--now needs --demo"],
    [["serve", "--run"], "--run needs --demo"],
    [["serve", "--data", "shop.ndjson"], "--data needs --demo"],
    [["serve", "--cors-origins", "*"], "--cors-origins '*' needs --demo"],
    [["sandbox", "--seed", "x"], "--seed must be a whole number"],
    [["sandbox", "--now", "tomorrow"], "--now must be a time"],
    [["sandbox", "--db", "shop.db"], "There is no option --db"],
  ] as const)
    expect(await run([...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(text) })
})
