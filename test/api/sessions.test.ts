import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn } from "../support/api"
import { inFile } from "../support/file"
import { adminEmail, adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
beforeAll(async () => {
  kontor = await serve()
})
afterAll(cleanUp)

const login = async (email = adminEmail, password = adminPassword) =>
  (await send(`${kontor.url}/api/v1/auth/login`, { body: { email, password } })).body.data
const refresh = (refreshToken: unknown) =>
  send(`${kontor.url}/api/v1/auth/refresh`, { body: { refreshToken } })
const with_ = (token: string) => apiWith(kontor, { authorization: `Bearer ${token}` })
const works = async (token: string) => (await with_(token).get("/auth/me")).status

describe("POST /auth/refresh", () => {
  test("responds like login, with the next refresh token; the old access token still works", async () => {
    const first = await login()
    const answer = await refresh(first.refreshToken)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      token: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 3600,
      user: first.user,
    })
    expect(answer.body.data.refreshToken).not.toBe(first.refreshToken)
    expect([await works(first.token), await works(answer.body.data.token)]).toEqual([200, 200])
  })

  test("within ten seconds the token that was just replaced returns the same next token", async () => {
    const { refreshToken } = await login()
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
    expect(new Set(answers.map(({ body }) => body.data.refreshToken)).size).toBe(1)
    expect((await refresh(refreshToken)).body.data.refreshToken).toBe(answers[0]?.body.data.refreshToken)
  })

  test("after that, any use of the old token ends the session", async () => {
    const first = await login()
    const second = (await refresh(first.refreshToken)).body.data
    inFile(kontor, (db) =>
      db.run(
        "UPDATE refresh_tokens SET replaced_at = '2020-01-01T00:00:00.000Z' WHERE replaced_at IS NOT NULL",
      ),
    )
    expect(refusalOf(await refresh(first.refreshToken))).toMatchObject({
      status: 401,
      code: "INVALID_REFRESH_TOKEN",
    })
    expect(refusalOf(await refresh(second.refreshToken))).toMatchObject({
      status: 401,
      code: "INVALID_REFRESH_TOKEN",
    })
    expect(await works(second.token)).toBe(401)
  })

  test("a token that was replaced twice ends the session even immediately", async () => {
    const first = await login()
    const second = (await refresh(first.refreshToken)).body.data
    const third = (await refresh(second.refreshToken)).body.data
    expect((await refresh(first.refreshToken)).status).toBe(401)
    expect((await refresh(third.refreshToken)).status).toBe(401)
  })

  test("another session of the same user is not affected", async () => {
    const [stolen, other] = [await login(), await login()]
    const second = (await refresh(stolen.refreshToken)).body.data
    await refresh(second.refreshToken)
    await refresh(stolen.refreshToken)
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  test.each([
    ["an access token", async () => (await login()).token],
    ["nonsense", async () => "nonsense"],
  ])("%s is 401", async (_, token) => {
    expect(refusalOf(await refresh(await token()))).toMatchObject({
      status: 401,
      code: "INVALID_REFRESH_TOKEN",
    })
  })

  test.each([
    ["nothing", undefined],
    ["a number", 5],
  ])("%s is 422", async (_, token) => {
    expect(refusalOf(await refresh(token))).toMatchObject({ status: 422, fields: ["refreshToken"] })
  })

  test.each([
    ["30 days without use", "last_used_at"],
    ["90 days in total", "created_at"],
  ])("%s end a session", async (_, column) => {
    const { refreshToken } = await login()
    const days = column === "created_at" ? 91 : 31
    const then = new Date(Date.now() - days * 86_400_000).toISOString()
    inFile(kontor, (db) => db.run(`UPDATE sessions SET ${column} = ?`, [then]))
    expect(refusalOf(await refresh(refreshToken))).toMatchObject({
      status: 401,
      code: "INVALID_REFRESH_TOKEN",
    })
  })

  test("the database contains no token, only digests", async () => {
    const { refreshToken, token } = await login()
    const rows = inFile(kontor, (db) => JSON.stringify(db.query("SELECT * FROM refresh_tokens").all()))
    expect(rows).not.toContain(refreshToken)
    expect(rows).not.toContain(token)
  })
})

describe("signing out", () => {
  test("ends this session immediately, and no other", async () => {
    const [mine, other] = [await login(), await login()]
    const answer = await with_(mine.token).post("/auth/logout")
    expect([answer.status, answer.text]).toEqual([204, ""])
    expect(refusalOf(await with_(mine.token).get("/auth/me"))).toMatchObject({
      status: 401,
      code: "TOKEN_REVOKED",
    })
    expect((await refresh(mine.refreshToken)).status).toBe(401)
    expect(await works(other.token)).toBe(200)
  })

  test("logout-all ends all sessions", async () => {
    const [mine, other] = [await login(), await login()]
    expect((await with_(mine.token).post("/auth/logout-all")).status).toBe(204)
    expect([await works(mine.token), await works(other.token)]).toEqual([401, 401])
  })
})

describe("GET /auth/me", () => {
  test("returns the caller with its scopes and its remaining limits", async () => {
    const { token, user } = await login()
    const { data } = (await with_(token).get("/auth/me")).body
    expect(data).toEqual({
      ...user,
      scopes: ["read", "write", "delete", "admin", "webhooks"],
      credential: { type: "user", id: expect.stringMatching(/^ses_/), name: adminEmail },
      mustAddFactor: false,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      plan: "enterprise",
      limits: {
        minute: { limit: 1_000_000, remaining: expect.any(Number), resetAt: expect.any(Number) },
        day: { limit: null, remaining: null, resetAt: expect.any(Number) },
      },
      rights: expect.any(Object),
      company: expect.any(Object),
    })
  })
})

describe("PUT /auth/password", () => {
  const person = "change@example.com"
  const old = "the first password"
  beforeAll(async () => {
    await run(["users", "create", "--email", person, "--role", "sales", "--password-stdin"], {
      cwd: kontor.cwd,
      stdin: old,
    })
  })

  test("changes it, keeps this session and ends the others", async () => {
    const [mine, other] = [await login(person, old), await login(person, old)]
    const answer = await with_(mine.token).put("/auth/password", {
      currentPassword: old,
      newPassword: "the second password",
    })
    expect([answer.status, answer.body.data]).toEqual([200, mine.user])
    expect([await works(mine.token), await works(other.token)]).toEqual([200, 401])
    expect((await refresh(mine.refreshToken)).status).toBe(200)
    expect(
      (await send(`${kontor.url}/api/v1/auth/login`, { body: { email: person, password: old } })).status,
    ).toBe(401)
    await signIn(kontor, person, "the second password")
  })

  test.each([
    [
      "a wrong current password",
      { currentPassword: "wrong password", newPassword: "long enough to do" },
      ["currentPassword"],
    ],
    [
      "a new password that is too short",
      { currentPassword: "the second password", newPassword: "short" },
      ["newPassword"],
    ],
    [
      "a new password that is too long",
      { currentPassword: "x", newPassword: "x".repeat(257) },
      ["newPassword"],
    ],
    ["nothing", {}, ["currentPassword", "newPassword"]],
  ])("refuses %s", async (_, body, fields) => {
    const api = await signIn(kontor, person, "the second password")
    expect(refusalOf(await api.put("/auth/password", body))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields,
    })
  })
})

test("a disabled user's sessions and refresh tokens stop working immediately", async () => {
  const email = "leaving@example.com"
  await run(["users", "create", "--email", email, "--role", "sales", "--password-stdin"], {
    cwd: kontor.cwd,
    stdin: "a fine password",
  })
  const { token, refreshToken } = await login(email, "a fine password")
  expect(await works(token)).toBe(200)
  await run(["users", "disable", "--email", email], { cwd: kontor.cwd })
  expect(await works(token)).toBe(401)
  expect((await refresh(refreshToken)).status).toBe(401)
})
