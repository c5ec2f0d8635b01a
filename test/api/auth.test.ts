import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { adminEmail, adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let admin: Api
const password = "a long enough password"

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
})
afterAll(cleanUp)

const login = (body: unknown) => send(`${kontor.url}/api/v1/auth/login`, { body })
const addUser = async (role: string, email = `${role}@example.com`) => {
  const made = await run(["users", "create", "--email", email, "--role", role, "--password-stdin"], {
    cwd: kontor.cwd,
    stdin: `${password}\n`,
  })
  expect(made).toMatchObject({ code: 0 })
}

describe("POST /auth/login", () => {
  test("returns tokens and the user", async () => {
    const answer = await login({ email: adminEmail, password: adminPassword })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.stringMatching(/^\S{40,}$/),
      expiresIn: 3600,
      user: { id: expect.stringMatching(/^usr_/), email: adminEmail, name: "admin", role: "admin" },
    })
  })

  test("ignores case and spaces in the email", async () => {
    expect((await login({ email: ` ${adminEmail.toUpperCase()} `, password: adminPassword })).status).toBe(
      200,
    )
  })

  test("gives the same response for a wrong password and an unknown email", async () => {
    const wrong = await login({ email: adminEmail, password: "wrong password" })
    const unknown = await login({ email: "nobody@example.com", password: "wrong password" })
    expect(refusalOf(wrong)).toEqual({ status: 401, code: "INVALID_CREDENTIALS", fields: [] })
    expect(unknown.text).toBe(wrong.text)
    expect(wrong.headers.get("www-authenticate")).not.toContain("invalid_token")
  })

  test.each([
    ["nothing", {}, ["email", "password"]],
    ["a number for a password", { email: adminEmail, password: 5 }, ["password"]],
    ["an unknown field", { email: adminEmail, password: "x", remember: true }, ["remember"]],
  ])("with %s is 422", async (_, body, fields) => {
    expect(refusalOf(await login(body))).toEqual({ status: 422, code: "VALIDATION_ERROR", fields })
  })

  test("an expired credential does not prevent a sign-in", async () => {
    const answer = await send(`${kontor.url}/api/v1/auth/login`, {
      body: { email: adminEmail, password: adminPassword },
      headers: { authorization: "Bearer old.old.old" },
    })
    expect(answer.status).toBe(200)
  })

  test("the database stores only digests of secrets", async () => {
    const { id } = await admin.create("/users", {
      email: "x@example.com",
      name: "X",
      role: "viewer",
      password,
    })
    const stored = inFile(kontor, (db) =>
      db.query<{ hash: string }, [string]>(`SELECT hash FROM passwords WHERE "user" = ?`).get(id),
    )
    expect(stored?.hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$")
  })
})

describe("access tokens", () => {
  const secret = () => {
    const row = inFile(kontor, (db) =>
      db.query<{ value: string }, []>("SELECT value FROM secrets WHERE name = 'tokens'").get(),
    )
    return row?.value ?? ""
  }
  const claimsOf = () =>
    JSON.parse(Buffer.from(admin.credential.authorization!.split(".")[1]!, "base64url").toString())
  const forge = (
    claims: object,
    { header = { alg: "HS256", typ: "JWT" } as object, key = secret(), hash = "sha256" } = {},
  ) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const text = `${part(header)}.${part(claims)}`
    return `${text}.${new Bun.CryptoHasher(hash as "sha256", key).update(text).digest("base64url")}`
  }
  const use = (token: string) => apiWith(kontor, { authorization: `Bearer ${token}` }).get("/items")

  test("a token signed with our own secret is accepted", async () => {
    expect((await use(forge(claimsOf()))).status).toBe(200)
  })

  test("an expired token has a different error than a forged one", async () => {
    const late = forge({ ...claimsOf(), exp: Math.floor(Date.now() / 1000) - 1 })
    expect(refusalOf(await use(late))).toMatchObject({ status: 401, code: "TOKEN_EXPIRED" })
  })

  test.each([
    ["signed with another secret", () => forge(claimsOf(), { key: "another key that is long enough" })],
    [
      "with another algorithm",
      () => forge(claimsOf(), { header: { alg: "HS512", typ: "JWT" }, hash: "sha512" }),
    ],
    ["with another issuer", () => forge({ ...claimsOf(), iss: "evil" })],
    ["for another audience", () => forge({ ...claimsOf(), aud: "other" })],
    ["that never expires", () => forge({ ...claimsOf(), exp: undefined })],
    ["without a user", () => forge({ ...claimsOf(), sub: undefined })],
    ["longer than any valid token", () => forge({ ...claimsOf(), pad: "x".repeat(5_000) })],
  ])("a token %s is refused", async (_, make) => {
    expect(refusalOf(await use(make()))).toMatchObject({ status: 401, code: "INVALID_TOKEN" })
  })

  test("a token of a session that does not exist is revoked", async () => {
    const answer = await use(forge({ ...claimsOf(), sid: "ses_nothing" }))
    expect(refusalOf(answer)).toMatchObject({ status: 401, code: "TOKEN_REVOKED" })
    expect(answer.headers.get("www-authenticate")).toContain("invalid_token")
  })
})

/** R reads, W writes, D deletes; as in the table of roles in docs/operating.md. */
const table: Record<string, { items: string; customers: string }> = {
  viewer: { items: "R", customers: "R" },
  sales: { items: "R", customers: "RW" },
  shop: { items: "R", customers: "RW" },
  accountant: { items: "R", customers: "RW" },
  manager: { items: "RWD", customers: "RWD" },
  admin: { items: "RWD", customers: "RWD" },
}

describe.each(Object.entries(table))("the role %s", (role, rights) => {
  let api: Api
  beforeAll(async () => {
    await addUser(role, `${role}.role@example.com`)
    api = await signIn(kontor, `${role}.role@example.com`, password)
  })

  test.each([
    ["items", rights.items, { itemCode: `R-${role}`, itemName: "Role" }],
    ["customers", rights.customers, { name: `Customer of ${role}` }],
  ])("may do with %s: %s", async (kind, letters, draft) => {
    const { id } = await admin.create(`/${kind}`, {
      ...draft,
      ...("itemCode" in draft ? { itemCode: `A-${role}` } : {}),
    })
    const tried: Record<string, number> = {
      R: (await api.get(`/${kind}`)).status,
      "R one": (await api.get(`/${kind}/${id}`)).status,
      W: (await api.post(`/${kind}`, draft)).status,
      "W put": (await api.put(`/${kind}/${id}`, { isActive: false })).status,
      "W patch": (await api.patch(`/${kind}/${id}`, { isActive: true })).status,
      D: (await api.delete(`/${kind}/${id}`)).status,
    }
    const done: Record<string, number> = {
      R: 200,
      "R one": 200,
      W: 201,
      "W put": 200,
      "W patch": 200,
      D: 204,
    }
    for (const [what, status] of Object.entries(tried))
      expect(`${what} ${status}`).toBe(`${what} ${letters.includes(what[0]!) ? done[what] : 403}`)
  })

  if (!rights.items.includes("W"))
    test("is refused before the body is read", async () => {
      const answer = await api.post("/items", "{", { "content-type": "application/json" })
      expect(refusalOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
    })
})

test("a change of role, a disabling and an enabling on the command line affect the next request", async () => {
  await addUser("manager", "moving@example.com")
  const api = await signIn(kontor, "moving@example.com", password)
  const change = (...args: string[]) =>
    run(["users", ...args, "--email", "moving@example.com"], { cwd: kontor.cwd })
  expect((await api.post("/items", { itemCode: "MV-1", itemName: "Moving" })).status).toBe(201)
  expect(await change("set-role", "--role", "viewer")).toMatchObject({ code: 0 })
  expect((await api.post("/items", { itemCode: "MV-2", itemName: "Moving" })).status).toBe(403)
  expect(await change("disable")).toMatchObject({ code: 0 })
  expect(refusalOf(await api.get("/items"))).toMatchObject({ status: 401, code: "TOKEN_REVOKED" })
  expect(refusalOf(await login({ email: "moving@example.com", password }))).toMatchObject({
    code: "INVALID_CREDENTIALS",
  })
  expect(await change("enable")).toMatchObject({ code: 0 })
  expect(refusalOf(await api.get("/items"))).toMatchObject({ status: 401, code: "TOKEN_REVOKED" })
  const again = await signIn(kontor, "moving@example.com", password)
  expect((await again.get("/items")).status).toBe(200)
})
