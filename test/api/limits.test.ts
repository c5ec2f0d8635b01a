import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Answer, type Api } from "../support/api"
import { inFile } from "../support/file"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { sendRaw } from "../support/raw"
import { until } from "../support/until"

afterAll(cleanUp)

const admins = { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword }
const headersOf = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? NaN))

describe("the plans of the specification", () => {
  let kontor: Kontor
  let admin: Api
  beforeAll(async () => {
    kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"], env: { ...admins, KONTOR_PLANS: "" } })
    admin = await signIn(kontor)
  })

  test.each([
    ["free", 60],
    ["pro", 300],
    ["enterprise", 1000],
  ])("%s has %p per minute", async (plan, limit) => {
    const { key } = await admin.create("/api-keys", { name: plan, scopes: ["read"], plan })
    const before = Date.now() / 1_000
    const answer = await apiWith(kontor, { "x-api-key": key }).get("/items")
    const [shown, remaining, reset] = headersOf(answer)
    expect([shown, remaining]).toEqual([limit, limit - 1])
    // A minute after the request, which is between the two times.
    expect(reset).toBeWithin(Math.floor(before) + 60, Math.ceil(Date.now() / 1_000) + 62)
  })

  test("unauthenticated callers have 60 per minute per address, and an IPv6 network counts as one address", async () => {
    const ask = (address: string) =>
      send(`${kontor.url}/api/v1/items`, { headers: { "x-forwarded-for": address } })
    for (let left = 59; left >= 0; left--)
      expect(headersOf(await ask("192.0.2.1")).slice(0, 2)).toEqual([60, left])
    const refused = await ask("192.0.2.1")
    expect(refusalOf(refused)).toEqual({ status: 429, code: "RATE_LIMIT_EXCEEDED", fields: [] })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(headersOf(refused)[1]).toBe(0)
    expect((await ask("192.0.2.2")).status).toBe(401)
    expect(headersOf(await ask("2001:db8:1:2::1"))[1]).toBe(59)
    expect(headersOf(await ask("2001:db8:1:2:ffff::9"))[1]).toBe(58)
    expect(headersOf(await ask("2001:db8:1:3::1"))[1]).toBe(59)
  })

  test("an address over its limit cannot sign in, but signed-in users can continue", async () => {
    const login = await send(`${kontor.url}/api/v1/auth/login`, {
      body: { email: adminEmail, password: adminPassword },
      headers: { "x-forwarded-for": "192.0.2.1" },
    })
    expect(login.status).toBe(429)
    expect((await admin.get("/items", { "x-forwarded-for": "192.0.2.1" })).status).toBe(200)
  })
})

describe("limits", () => {
  let kontor: Kontor
  let admin: Api
  const plans = "free=5:8,pro=1000:12,enterprise=100000:unlimited,anonymous=100000:unlimited"
  beforeAll(async () => {
    kontor = await serve({ env: { ...admins, KONTOR_PLANS: plans } })
    admin = await signIn(kontor)
  })
  const keyOf = async (plan: string) => {
    const { key } = await admin.create("/api-keys", { name: plan, scopes: ["read", "write"], plan })
    return apiWith(kontor, { "x-api-key": key })
  }

  test.each([
    ["200", 200, () => admin.get("/items")],
    ["201", 201, () => admin.post("/items", { itemCode: `L-${Math.random()}`, itemName: "L" })],
    ["400", 400, () => admin.get("/items?x=1")],
    ["401", 401, () => send(`${kontor.url}/api/v1/items`)],
    [
      "401 of a login",
      401,
      () => send(`${kontor.url}/api/v1/auth/login`, { body: { email: "a@b.c", password: "wrong one" } }),
    ],
    ["404", 404, () => admin.get("/items/none")],
    ["404 of no route", 404, () => admin.get("/none")],
    ["404 outside the API version", 404, () => send(`${kontor.url}/api/none`)],
    ["405", 405, () => admin.put("/items")],
    ["413", 413, () => admin.post("/items", "x".repeat(2_000_000), { "content-type": "application/json" })],
    ["415", 415, () => admin.post("/items", "x", { "content-type": "text/plain" })],
    ["422", 422, () => admin.post("/items", {})],
  ])("a %s has the three headers", async (_, status, ask) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    expect(headersOf(answer)).not.toContain(NaN)
  })

  test("a request for a host that is not ours has them too", async () => {
    const raw = await sendRaw(
      kontor.url,
      "GET /api/v1/items HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    )
    expect(raw).toStartWith("HTTP/1.1 400")
    expect(raw.toLowerCase()).toContain("x-ratelimit-remaining: ")
  })

  test("/health does not have them, and is not counted", async () => {
    expect((await send(`${kontor.url}/health`)).headers.get("x-ratelimit-limit")).toBeNull()
  })

  test("over the limit per minute is 429 until the reset, for this caller only; a 429 does not count", async () => {
    const api = await keyOf("free")
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await api.get("/items")).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const before = Date.now() / 1_000
    const refused = await api.get("/items")
    const wait = Number(refused.headers.get("retry-after"))
    const [, , reset] = headersOf(refused)
    expect(reset! - wait).toBeWithin(Math.floor(before) - 1, Math.ceil(Date.now() / 1_000) + 2)
    expect((await admin.get("/items")).status).toBe(200)
  })

  test("a write over the limit is not performed", async () => {
    const api = await keyOf("free")
    for (let i = 0; i < 5; i++) await api.get("/items")
    expect((await api.post("/items", { itemCode: "NEVER", itemName: "Never" })).status).toBe(429)
    expect((await admin.get("/items?itemCode=NEVER")).body.data).toEqual([])
  })

  test("the headers show the limit per day when less of it is left, and /auth/me shows both", async () => {
    const api = await keyOf("pro")
    const [limit, remaining, reset] = headersOf(await api.get("/items"))
    expect([limit, remaining]).toEqual([12, 11])
    expect(reset! % 86_400).toBe(0)
    const { limits, plan } = (await api.get("/auth/me")).body.data
    expect(plan).toBe("pro")
    expect(limits.day).toEqual({ limit: 12, remaining: 10, resetAt: reset })
    expect(limits.minute).toMatchObject({ limit: 1000, remaining: 998 })
  })

  test("a restart does not reset the limit per day, neither after a stop nor after a kill", async () => {
    const api = await keyOf("pro")
    for (let i = 0; i < 4; i++) await api.get("/items")
    await kontor.stop()
    kontor = await serve({ cwd: kontor.cwd, env: { KONTOR_PLANS: plans } })
    const again = apiWith(kontor, api.credential)
    const stored = () =>
      inFile(
        kontor,
        (db) => db.query<{ n: number }, []>("SELECT sum(count) AS n FROM rate_days").get()?.n ?? 0,
      )
    const before = stored()
    expect(headersOf(await again.get("/items")).slice(0, 2)).toEqual([12, 7])
    // What was counted is stored every few seconds.
    await until(() => stored() === before + 1)
    await kontor.stop("SIGKILL")
    kontor = await serve({ cwd: kontor.cwd, env: { KONTOR_PLANS: plans } })
    expect(headersOf(await apiWith(kontor, api.credential).get("/items")).slice(0, 2)).toEqual([12, 6])
    admin = await signIn(kontor)
  })

  test("the limit per day is reset at midnight UTC", async () => {
    const api = await keyOf("pro")
    await api.get("/items")
    await kontor.stop()
    inFile(kontor, (db) => db.run("UPDATE rate_days SET day = '2020-01-01', count = 12"))
    kontor = await serve({ cwd: kontor.cwd, env: { KONTOR_PLANS: plans } })
    expect(headersOf(await apiWith(kontor, api.credential).get("/items")).slice(0, 2)).toEqual([12, 11])
    admin = await signIn(kontor)
  })

  test("the instance's default plan is a setting, and applies immediately", async () => {
    await admin.put("/settings", { defaultPlan: "pro" })
    expect(headersOf(await admin.get("/items"))[0]).toBe(12)
    await admin.put("/settings", { defaultPlan: "enterprise" })
  })
})

describe("a plan without limits", () => {
  test("is null in GET /auth/me, and 2147483647 in the headers, which are always numbers", async () => {
    const plans = "enterprise=unlimited:unlimited,pro=unlimited:50"
    const kontor = await serve({ env: { ...admins, KONTOR_PLANS: plans } })
    const api = await signIn(kontor)
    const answer = await api.get("/auth/me")
    const none = { limit: null, remaining: null, resetAt: expect.any(Number) }
    expect(answer.body.data.limits).toEqual({ minute: none, day: none })
    const [limit, remaining] = headersOf(answer)
    expect(limit).toBe(2_147_483_647)
    expect(remaining).toBeGreaterThan(2_000_000_000)
    const { key } = await api.create("/api-keys", { name: "K", scopes: ["read"], plan: "pro" })
    expect(headersOf(await apiWith(kontor, { "x-api-key": key }).get("/items")).slice(0, 2)).toEqual([50, 49])
  })
})
