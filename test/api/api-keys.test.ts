import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let admin: Api
let sales: Api
const password = "a fine password"

beforeAll(async () => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1,10.0.0.0/8"] })
  admin = await signIn(kontor)
  await admin.create("/users", { email: "sales@example.com", name: "Sal", role: "sales", password })
  sales = await signIn(kontor, "sales@example.com", password)
})
afterAll(cleanUp)

const keyed = (key: string) => apiWith(kontor, { "x-api-key": key })
const make = (over: object = {}, api = admin) =>
  api.create("/api-keys", { name: "Shop", scopes: ["read", "write"], ...over })

describe("POST /api-keys", () => {
  test("returns the record and, only once, the key", async () => {
    const answer = await admin.post("/api-keys", { name: "Web shop", scopes: ["read"] })
    const { key, ...record } = answer.body.data
    expect(answer.status).toBe(201)
    expect(key).toMatch(/^kon_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: "Web shop",
      user: expect.stringMatching(/^usr_/),
      prefix: key.slice(0, 12),
      scopes: ["read"],
      areas: null,
      expiresAt: expect.any(String),
      allowedIps: [],
      plan: null,
      lastUsedAt: null,
      lastUsedIp: null,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const days = (Date.parse(record.expiresAt) - Date.parse(record.createdAt)) / 86_400_000
    expect(days).toBeCloseTo(90, 4)
    expect((await admin.get(`/api-keys/${record.id}`)).body.data).toEqual(record)
    expect((await keyed(key).get("/items")).status).toBe(200)
  })

  test("the database contains its digest and never its text", async () => {
    const { key } = await make()
    const dump = inFile(kontor, (db) =>
      JSON.stringify([
        ...db.query("SELECT * FROM api_keys").all(),
        ...db.query("SELECT * FROM api_key_digests").all(),
        ...db.query("SELECT * FROM audit_logs").all(),
      ]),
    )
    expect(dump).not.toContain(key)
    expect(dump).not.toContain(key.slice(13))
    expect(dump).toContain(new Bun.CryptoHasher("sha256").update(key).digest("hex"))
  })

  test("an expiry with an offset is converted to UTC", async () => {
    const inTwoHours = new Date(Date.now() + 2 * 3_600_000 - 5 * 3_600_000)
      .toISOString()
      .replace("Z", "-05:00")
    await make({ expiresAt: inTwoHours })
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000 + 5 * 3_600_000)
      .toISOString()
      .replace("Z", "+05:00")
    expect(
      refusalOf(await admin.post("/api-keys", { name: "X", scopes: ["read"], expiresAt: twoHoursAgo })),
    ).toMatchObject({ fields: ["expiresAt"] })
  })

  test("a scope that is given twice counts once", async () => {
    expect((await make({ scopes: ["read", "read"] })).scopes).toEqual(["read"])
  })

  test("a key with expiresAt null never expires, and a date in the future is accepted", async () => {
    expect((await make({ expiresAt: null })).expiresAt).toBeNull()
    expect((await make({ expiresAt: "2999-01-01" })).expiresAt).toBe("2999-01-01T00:00:00.000Z")
  })

  test.each([
    ["no name and no scopes", { name: null, scopes: null }, ["name", "scopes"]],
    ["no scope", { scopes: [] }, ["scopes"]],
    ["an unknown scope", { scopes: ["read", "fly"] }, ["scopes[1]", "scopes"]],
    ["an expiry in the past", { expiresAt: "2020-01-01T00:00:00Z" }, ["expiresAt"]],
    ["an invalid expiry", { expiresAt: "tomorrow" }, ["expiresAt"]],
    ["an invalid network", { allowedIps: ["10.0.0.0/33"] }, ["allowedIps[0]"]],
    ["an unknown plan", { plan: "gold" }, ["plan"]],
    [
      "fields that only the server sets",
      { prefix: "kon_x", lastUsedAt: "2026-01-01T00:00:00Z" },
      ["prefix", "lastUsedAt"],
    ],
  ])("refuses %s", async (_, over, fields) => {
    const answer = await admin.post("/api-keys", { name: "X", scopes: ["read"], ...over })
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(fields.toSorted())
  })

  test("cannot have more scopes than its owner", async () => {
    expect(refusalOf(await sales.post("/api-keys", { name: "X", scopes: ["read", "admin"] }))).toMatchObject({
      status: 422,
      fields: ["scopes"],
    })
    await make({ scopes: ["read", "write", "delete"] }, sales)
  })

  test("cannot raise the plan, unless an admin creates it", async () => {
    await admin.put("/settings", { defaultPlan: "pro" })
    expect(
      refusalOf(await sales.post("/api-keys", { name: "X", scopes: ["read"], plan: "enterprise" })),
    ).toMatchObject({ status: 403, code: "FORBIDDEN" })
    const { id } = await make({ plan: "free" }, sales)
    expect((await sales.put(`/api-keys/${id}`, { plan: "pro" })).status).toBe(403)
    expect((await admin.put(`/api-keys/${id}`, { plan: "enterprise" })).body.data.plan).toBe("enterprise")
    await make({ plan: "enterprise" })
    await admin.put("/settings", { defaultPlan: "enterprise" })
  })
})

describe("a key", () => {
  test("that is mistyped, unknown, revoked or expired gets the same response", async () => {
    const { key, id } = await make()
    const { key: expired, id: expiredId } = await make()
    inFile(kontor, (db) =>
      db.run("UPDATE api_keys SET expires_at = '2020-01-01T00:00:00.000Z' WHERE id = ?", [expiredId]),
    )
    expect((await keyed(key).get("/items")).status).toBe(200)
    expect((await admin.delete(`/api-keys/${id}`)).status).toBe(204)
    expect((await admin.delete(`/api-keys/${id}`)).status).toBe(404)
    const unknown = "kon_00000000_000000000000000000000000000000000000AA"
    const answers = await Promise.all(
      [key, expired, unknown, `${key}x`, key.toLowerCase(), ""].map((text) => keyed(text).get("/items")),
    )
    for (const answer of answers)
      expect(refusalOf(answer)).toMatchObject({ status: 401, code: "INVALID_API_KEY" })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test("has its owner's current role, and stops working when its owner is disabled", async () => {
    const maker = "maker@example.com"
    const { id } = await admin.create("/users", { email: maker, name: "M", role: "manager", password })
    const { key } = await make({}, await signIn(kontor, maker, password))
    expect((await keyed(key).post("/items", { itemCode: "R-1", itemName: "Role" })).status).toBe(201)
    await admin.put(`/users/${id}`, { role: "viewer" })
    expect(refusalOf(await keyed(key).post("/items", { itemCode: "R-2", itemName: "Role" }))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    })
    await admin.put(`/users/${id}`, { isActive: false })
    expect((await keyed(key).get("/items")).status).toBe(401)
  })

  test("can do only what its scopes allow", async () => {
    const { key } = await make({ scopes: ["read"] })
    const answer = await keyed(key).post("/items", "{", { "content-type": "application/json" })
    expect(refusalOf(answer)).toEqual({ status: 403, code: "INSUFFICIENT_SCOPE", fields: ["scope"] })
  })

  test("records when and from where it was last used", async () => {
    const { key, id } = await make()
    const before = Date.now()
    await keyed(key).get("/items", { "x-forwarded-for": "198.51.100.7" })
    const after = Date.now()
    const used = (await admin.get(`/api-keys/${id}`)).body.data
    expect(used.lastUsedIp).toBe("198.51.100.7")
    expect(Date.parse(used.lastUsedAt)).toBeWithin(before, after + 1)
    expect(used.version).toBe(1)
  })

  test("works only from its allowed IP addresses, as reported by trusted proxies", async () => {
    const { key } = await make({ allowedIps: ["203.0.113.0/24", "2001:db8::/32"] })
    const from = (forwarded: string) => keyed(key).get("/items", { "x-forwarded-for": forwarded })
    for (const good of [
      "203.0.113.9",
      "2001:db8::1",
      "6.6.6.6, 203.0.113.9",
      "203.0.113.9, 10.1.2.3",
      "::ffff:203.0.113.9",
    ])
      expect((await from(good)).status).toBe(200)
    for (const bad of ["198.51.100.1", "203.0.113.9, 198.51.100.1", "2001:db9::1", "nonsense"])
      expect(refusalOf(await from(bad))).toMatchObject({ status: 403, code: "IP_NOT_ALLOWED" })
    expect((await keyed(key).get("/items")).status).toBe(403)
  })

  test("cannot create, update or revoke keys, with any scopes", async () => {
    const { key, id } = await make({ scopes: ["read", "write", "delete", "admin"] })
    const api = keyed(key)
    expect(refusalOf(await api.post("/api-keys", { name: "X", scopes: ["read"] }))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    })
    expect((await api.put(`/api-keys/${id}`, { name: "Y" })).status).toBe(403)
    expect((await api.post(`/api-keys/${id}/rotate`)).status).toBe(403)
    expect((await api.delete(`/api-keys/${id}`)).status).toBe(403)
    expect((await api.get("/api-keys")).status).toBe(200)
    expect((await api.get("/auth/me")).body.data.credential).toEqual({ type: "apiKey", id, name: "Shop" })
  })

  test("learns from GET /auth/me when it expires", async () => {
    const toldTo = async ({ key }: { key: string }) => (await keyed(key).get("/auth/me")).body.data.expiresAt
    const dated = await make({ expiresAt: "2099-12-31T23:00:00Z" })
    expect(await toldTo(dated)).toBe("2099-12-31T23:00:00.000Z")
    const usual = await make()
    expect(await toldTo(usual)).toBe(usual.expiresAt)
    expect(await toldTo(await make({ expiresAt: null }))).toBeNull()
  })
})

describe("PUT /api-keys/{id}", () => {
  test("updates name, allowed IP addresses and plan, and accepts what GET returned", async () => {
    const { key: _, ...record } = await make()
    const answer = await admin.put(`/api-keys/${record.id}`, {
      ...record,
      name: "New",
      allowedIps: ["10.0.0.1"],
      plan: "free",
    })
    expect(answer.body.data).toMatchObject({
      name: "New",
      allowedIps: ["10.0.0.1"],
      plan: "free",
      version: 2,
    })
    expect(answer.text).not.toContain("kon_00")
  })

  test("fields that are set on create cannot be updated", async () => {
    const { id } = await make()
    const answer = await admin.put(`/api-keys/${id}`, { scopes: ["read"], expiresAt: null })
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["scopes", "expiresAt"] })
  })
})

test("a key's history is visible to its owner and to admins", async () => {
  const { id } = await make({ name: "Told" }, sales)
  expect((await sales.get(`/api-keys/${id}/history`)).body.data).toMatchObject([
    { action: "api-keys.create" },
  ])
  const theirs = await make()
  expect((await sales.get(`/api-keys/${theirs.id}/history`)).status).toBe(404)
  expect((await admin.get(`/api-keys/${id}/history`)).status).toBe(200)
})

test("rotate checks If-Match, and refuses an expired key", async () => {
  const { id } = await make()
  expect((await admin.post(`/api-keys/${id}/rotate`, undefined, { "if-match": '"7"' })).status).toBe(412)
  inFile(kontor, (db) =>
    db.run("UPDATE api_keys SET expires_at = '2020-01-01T00:00:00.000Z' WHERE id = ?", [id]),
  )
  expect(refusalOf(await admin.post(`/api-keys/${id}/rotate`))).toMatchObject({
    status: 422,
    fields: ["expiresAt"],
  })
})

test("rotate returns a new key and ends the old one immediately", async () => {
  const { key, id } = await make()
  const answer = await admin.post(`/api-keys/${id}/rotate`)
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({ id, prefix: answer.body.data.key.slice(0, 12) })
  expect(answer.body.data.key).not.toBe(key)
  expect((await keyed(key).get("/items")).status).toBe(401)
  expect((await keyed(answer.body.data.key).get("/items")).status).toBe(200)
  expect((await admin.post(`/api-keys/${id}/rotate`, { colour: 1 })).status).toBe(422)
})

test("a user sees their own keys, an admin sees all", async () => {
  const mine = await make({ name: "Mine" }, sales)
  const theirs = await make({ name: "Theirs" })
  const seen = (await sales.get("/api-keys?perPage=100")).body.data
  expect(new Set(seen.map(({ user }: { user: string }) => user)).size).toBe(1)
  expect((await sales.get(`/api-keys/${theirs.id}`)).status).toBe(404)
  for (const attempt of [
    sales.put(`/api-keys/${theirs.id}`, { name: "X" }),
    sales.delete(`/api-keys/${theirs.id}`),
    sales.post(`/api-keys/${theirs.id}/rotate`),
  ])
    expect((await attempt).status).toBe(404)
  const all = (await admin.get("/api-keys?perPage=100&sort=name")).body.data.map(
    ({ id }: { id: string }) => id,
  )
  expect(all).toContain(mine.id)
  expect(all).toContain(theirs.id)
})

describe("kontor keys", () => {
  const keys = (args: string[]) => run(["keys", ...args], { cwd: kontor.cwd })

  test("create prints only the key on stdout, and the running server accepts it immediately", async () => {
    const made = await keys(["create", "--name", "CLI", "--scopes", "read,write", "--expires", "never"])
    expect(made.code).toBe(0)
    expect(made.stdout).toMatch(/^kon_\w{8}_\w{38}\n$/)
    expect((await keyed(made.stdout.trim()).get("/items")).status).toBe(200)
  })

  test("create --json, list, rotate and revoke", async () => {
    const before = Date.now()
    const made = JSON.parse(
      (
        await keys([
          "create",
          "--name",
          "J",
          "--scopes",
          "read",
          "--ip",
          "127.0.0.1",
          "--ip",
          "::1",
          "--user",
          "sales@example.com",
          "--plan",
          "pro",
          "--expires",
          "7d",
          "--json",
        ])
      ).stdout,
    )
    expect(made).toMatchObject({ name: "J", scopes: ["read"], allowedIps: ["127.0.0.1", "::1"], plan: "pro" })
    const week = 7 * 86_400_000
    expect(Date.parse(made.expiresAt)).toBeWithin(before + week, Date.now() + week + 1)
    const listed = await keys(["list"])
    expect(listed.stdout).toContain(made.prefix)
    expect(listed.stdout).not.toContain(made.key)
    const rotated = (await keys(["rotate", made.id])).stdout.trim()
    expect((await keyed(made.key).get("/items")).status).toBe(401)
    expect((await keyed(rotated).get("/items")).status).toBe(200)
    expect(await keys(["revoke", made.id])).toMatchObject({ code: 0 })
    expect((await keyed(rotated).get("/items")).status).toBe(401)
    expect(await keys(["revoke", made.id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no API key"),
    })
  })

  test.each([
    ["without scopes", ["create", "--name", "X"], 2],
    ["with an invalid number of days", ["create", "--name", "X", "--scopes", "read", "--expires", "soon"], 2],
    ["for an unknown user", ["create", "--name", "X", "--scopes", "read", "--user", "no@example.com"], 1],
    [
      "with scopes that its owner does not have",
      ["create", "--name", "X", "--scopes", "admin", "--user", "sales@example.com"],
      1,
    ],
    ["revoke without an id", ["revoke"], 2],
    ["list with an id", ["list", "key_1"], 2],
  ])("%s is refused", async (_, args, code) => {
    const refused = await keys(args)
    expect([refused.code, refused.stdout]).toEqual([code, ""])
    expect(refused.stderr).not.toBe("")
  })
})

describe("a key's plan", () => {
  test("is never larger than its owner's, regardless of which was lowered last", async () => {
    const email = "lowered@example.com"
    const user = await admin.create("/users", { email, name: "L", role: "viewer", password })
    const owner = await signIn(kontor, email, password)
    const { key } = await owner.create("/api-keys", { name: "K", scopes: ["read"], plan: "enterprise" })
    const planNow = async () => (await apiWith(kontor, { "x-api-key": key }).get("/auth/me")).body.data.plan
    expect(await planNow()).toBe("enterprise")
    await admin.put(`/users/${user.id}`, { plan: "free" })
    expect(await planNow()).toBe("free")
    await admin.put(`/users/${user.id}`, { plan: "pro" })
    expect(await planNow()).toBe("pro")
  })
})

test("a user has at most fifty active keys; revoked and expired keys do not count", async () => {
  const email = "collector@example.com"
  await admin.create("/users", { email, name: "C", role: "viewer", password })
  const owner = await signIn(kontor, email, password)
  const draft = { name: "K", scopes: ["read"] }
  const made = await Promise.all(Array.from({ length: 60 }, () => owner.post("/api-keys", draft)))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(50)
  expect(refusalOf(await owner.post("/api-keys", draft))).toMatchObject({ status: 422, fields: ["user"] })
  const first = made.find(({ status }) => status === 201)?.body.data.id
  await owner.delete(`/api-keys/${first}`)
  expect((await owner.post("/api-keys", draft)).status).toBe(201)
  expect((await owner.post("/api-keys", draft)).status).toBe(422)
})
