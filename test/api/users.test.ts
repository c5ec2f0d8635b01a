import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { withUsualPasswords } from "../support/passwords"

let kontor: Kontor
let admin: Api
const password = "a fine password"

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
})
afterAll(cleanUp)

describe("POST /users", () => {
  test("creates a user who can sign in, and never shows the password", async () => {
    const answer = await admin.post("/users", {
      email: "Ada@Example.com",
      name: "Ada",
      role: "sales",
      password,
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: "Ada@Example.com",
      name: "Ada",
      role: "sales",
      plan: null,
      isActive: true,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(answer.text).not.toMatch(/password|argon2/)
    await signIn(kontor, "ada@example.com", password)
  })

  test.each([
    ["nothing", {}, ["email", "name", "role", "password"]],
    ["an email that is taken in another case", { email: "ADMIN@example.com" }, ["email"]],
    ["an unknown role", { role: "boss" }, ["role"]],
    ["a short password", { password: "short" }, ["password"]],
    ["a password that is not a string", { password: 1234567890 }, ["password"]],
    [
      "all of them together",
      { email: "x", role: "boss", password: "short", colour: 1 },
      ["colour", "email", "password", "role"],
    ],
  ])("refuses %s", async (title, over, fields) => {
    const base = title === "nothing" ? {} : { email: "new@example.com", name: "New", role: "sales", password }
    const answer = await admin.post("/users", { ...base, ...over })
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(fields.toSorted())
  })
})

describe("PUT /users/{id}", () => {
  test("updates role, name, plan and password; a new password ends the sessions", async () => {
    const { id } = await admin.create("/users", {
      email: "put@example.com",
      name: "Put",
      role: "sales",
      password,
    })
    const before = await signIn(kontor, "put@example.com", password)
    const answer = await admin.put(`/users/${id}`, { name: "Patricia", role: "viewer", plan: "free" })
    expect(answer.body.data).toMatchObject({ name: "Patricia", role: "viewer", plan: "free", version: 2 })
    expect((await before.post("/customers", { name: "X" })).status).toBe(403)
    expect((await admin.put(`/users/${id}`, { password: "another password" })).status).toBe(200)
    expect((await before.get("/items")).status).toBe(401)
    const after = await signIn(kontor, "put@example.com", "another password")
    expect((await after.get("/auth/me")).body.data.plan).toBe("free")
  })

  test("asks for the present password of an admin who changes the own one", async () => {
    const email = "self@example.com"
    const { id } = await admin.create("/users", { email, name: "Self", role: "admin", password })
    const self = await signIn(kontor, email, password)
    const to = (more: object) => self.put(`/users/${id}`, { password: "another password", ...more })
    expect(refusalOf(await to({})).fields).toEqual(["currentPassword"])
    expect(refusalOf(await to({ currentPassword: "not this one" })).fields).toEqual(["currentPassword"])
    expect((await self.get("/auth/me")).status).toBe(200)
    expect((await to({ currentPassword: password })).status).toBe(200)
    expect((await (await signIn(kontor, email, "another password")).get("/items")).status).toBe(200)
    expect((await admin.put(`/users/${id}`, { role: "sales" })).status).toBe(200)
  })

  test("refuses the commonest passwords, however they are written", async () => {
    const { id } = await admin.create("/users", {
      email: "common@example.com",
      name: "C",
      role: "sales",
      password,
    })
    for (const common of ["1234567890", "QwertyUiop", "password123"]) {
      const answer = await admin.put(`/users/${id}`, { password: common })
      expect(answer.body.error.details).toMatchObject([
        { field: "password", code: "RULE", params: { rule: "COMMON_PASSWORD" } },
      ])
    }
  })

  test("reports an invalid password together with the other errors, and changes nothing", async () => {
    const { id } = await admin.create("/users", {
      email: "poor@example.com",
      name: "Poor",
      role: "sales",
      password,
    })
    const answer = await admin.put(`/users/${id}`, { name: "", password: "short" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(["name", "password"])
    await signIn(kontor, "poor@example.com", password)
  })

  test("the last active admin cannot get another role or be disabled; with a second one the first can", async () => {
    const me = (await admin.get("/auth/me")).body.data.id
    expect(refusalOf(await admin.put(`/users/${me}`, { role: "manager" }))).toMatchObject({
      status: 422,
      fields: ["role"],
    })
    expect(refusalOf(await admin.put(`/users/${me}`, { isActive: false }))).toMatchObject({
      status: 422,
      fields: ["isActive"],
    })
    await admin.create("/users", { email: "second@example.com", name: "Second", role: "admin", password })
    expect((await admin.put(`/users/${me}`, { role: "manager" })).status).toBe(200)
    expect((await admin.get("/users")).status).toBe(403)
    admin = await signIn(kontor, "second@example.com", password)
    await admin.put(`/users/${me}`, { role: "admin" })
  })

  test("of two admins who disable each other at the same time, one remains active", async () => {
    const make = (email: string) => admin.create("/users", { email, name: "D", role: "admin", password })
    const [a, b] = [await make("duel-a@example.com"), await make("duel-b@example.com")]
    const [apiA, apiB] = [
      await signIn(kontor, "duel-a@example.com", password),
      await signIn(kontor, "duel-b@example.com", password),
    ]
    const others = (await admin.get("/users?role=admin&isActive=true&perPage=100")).body.data
    for (const { id } of others)
      if (id !== a.id && id !== b.id) await apiA.put(`/users/${id}`, { isActive: false })
    const statuses = (
      await Promise.all([
        apiA.put(`/users/${b.id}`, { isActive: false }),
        apiB.put(`/users/${a.id}`, { isActive: false }),
      ])
    ).map(({ status }) => status)
    // The other request is either too late to be authorized (401) or from the last admin (422).
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const survivor = statuses[0] === 200 ? apiA : apiB
    for (const { id } of others) await survivor.put(`/users/${id}`, { isActive: true })
    admin = await signIn(kontor, "second@example.com", password)
  })
})

test("the email cannot be updated, and isActive cannot be null", async () => {
  const { id } = await admin.create("/users", {
    email: "stay@example.com",
    name: "Stay",
    role: "viewer",
    password,
  })
  const answer = await admin.put(`/users/${id}`, { email: "other@example.com", isActive: null })
  expect(refusalOf(answer).fields.toSorted()).toEqual(["email", "isActive"])
})

test("a right that is revoked while the body is being received no longer applies", async () => {
  const { id } = await admin.create("/users", {
    email: "slow@example.com",
    name: "Slow",
    role: "admin",
    password,
  })
  const slow = await signIn(kontor, "slow@example.com", password)
  const body = JSON.stringify({ email: "smuggled@example.com", name: "X", role: "admin", password })
  const { hostname, port } = new URL(kontor.url)
  let answer = ""
  const socket = connect(Number(port), hostname)
  socket.on("data", (chunk) => (answer += chunk.toString()))
  socket.write(
    `POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${slow.credential.authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 9)}`,
  )
  await Bun.sleep(100)
  await admin.put(`/users/${id}`, { role: "viewer" })
  socket.write(body.slice(9))
  await new Promise((resolve) => socket.on("close", resolve))
  expect(answer).toStartWith("HTTP/1.1 403")
  expect((await admin.get("/users?search=smuggled")).body.data).toEqual([])
})

test(
  "a sign-in that is in progress does not survive a new password",
  withUsualPasswords(async () => {
    const { id } = await admin.create("/users", {
      email: "reset@example.com",
      name: "R",
      role: "viewer",
      password,
    })
    const login = () =>
      send(`${kontor.url}/api/v1/auth/login`, { body: { email: "reset@example.com", password } })
    const reset = admin.put(`/users/${id}`, { password: "a quite new password" })
    const answers = await Promise.all([login(), login(), login(), login()])
    await reset
    for (const { status, body } of answers) {
      if (status !== 200) continue
      const api = apiWith(kontor, { authorization: `Bearer ${body.data.token}` })
      expect((await api.get("/auth/me")).status).toBe(401)
    }
  }),
)

test("users are found by words of name and email", async () => {
  await admin.create("/users", { email: "zoe@example.com", name: "Zoë Öztürk", role: "viewer", password })
  for (const typed of ["ozturk", "zo", "zoe@example"])
    expect(
      (await admin.get(`/users?search=${typed}`)).body.data.map(({ email }: { email: string }) => email),
    ).toEqual(["zoe@example.com"])
  for (const path of ["/api-keys", "/audit-logs", "/stock-movements"])
    expect((await admin.get(`${path}?search=login`)).status).toBe(200)
})

test("users are disabled, not deleted: DELETE is 405", async () => {
  const me = (await admin.get("/auth/me")).body.data.id
  const answer = await admin.delete(`/users/${me}`)
  expect(answer.status).toBe(405)
  expect(answer.headers.get("allow")).toBe("GET, HEAD, PUT, PATCH")
})

describe("/settings", () => {
  test("has defaults from the start", async () => {
    const answer = await admin.get("/settings")
    expect(answer.headers.get("etag")).toBe('"1.0"')
    expect(answer.body.data).toMatchObject({
      companyName: null,
      companyAddress: null,
      companyTaxId: null,
      currency: "USD",
      timeZone: "UTC",
      defaultPlan: "enterprise",
      creditPolicy: "block",
      allowNegativeStock: true,
      sessionIdleMinutes: 43_200,
      version: 1,
    })
  })

  test("merges an update, keeps it across a restart, and checks If-Match", async () => {
    const changed = await admin.put("/settings", {
      companyName: "Nordlicht",
      currency: "jpy",
      timeZone: "Europe/Berlin",
    })
    expect(changed.body.data).toMatchObject({
      companyName: "Nordlicht",
      currency: "JPY",
      timeZone: "Europe/Berlin",
      version: 2,
    })
    expect((await admin.put("/settings", { companyName: "Late" }, { "if-match": '"1"' })).status).toBe(412)
    expect((await admin.patch("/settings", changed.body.data)).body.data).toEqual(changed.body.data)
    expect((await admin.put("/settings", { currency: "USD", companyName: null })).body.data.version).toBe(3)
  })

  test.each([
    ["an unknown currency", { currency: "XYZ1" }, ["currency"]],
    ["an unknown time zone", { timeZone: "Mars/Base" }, ["timeZone"]],
    ["an offset for a time zone", { timeZone: "+05:00" }, ["timeZone"]],
    ["the code for no currency", { currency: "XXX" }, ["currency"]],
    ["an unknown plan", { defaultPlan: "gold" }, ["defaultPlan"]],
    ["an unknown policy", { creditPolicy: "maybe" }, ["creditPolicy"]],
    ["an idle time that is too short", { sessionIdleMinutes: 0 }, ["sessionIdleMinutes"]],
    ["an unknown setting", { colour: "red" }, ["colour"]],
  ])("refuses %s", async (_, change, fields) => {
    expect(refusalOf(await admin.put("/settings", change))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields,
    })
  })

  test("two concurrent updates are both stored", async () => {
    await Promise.all([
      admin.put("/settings", { companyTaxId: "T-1" }),
      admin.put("/settings", { companyAddress: "Street\nTown" }),
    ])
    expect((await admin.get("/settings")).body.data).toMatchObject({
      companyTaxId: "T-1",
      companyAddress: "Street\nTown",
    })
  })

  test("the idle time can be set and cleared", async () => {
    await admin.put("/settings", { sessionIdleMinutes: 60 })
    expect((await admin.get("/settings")).body.data.sessionIdleMinutes).toBe(60)
    await admin.put("/settings", { sessionIdleMinutes: null })
    expect((await admin.get("/settings")).body.data.sessionIdleMinutes).toBe(43_200)
  })
})
