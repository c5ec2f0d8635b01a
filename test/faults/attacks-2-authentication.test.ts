// OWASP API2:2023, broken authentication: forged, stolen, stale and misplaced credentials.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { apiWith, send, signIn, type Answer, type Api } from "../support/api"
import { showsNothing, testAttacks } from "../support/attacks"
import { codesOf } from "../support/authenticator"
import { inFile, shiftTimes } from "../support/file"
import { adminEmail, adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"
import { ask, clientOf, connect, credentials, type Client } from "../support/oauth"
import { sendRaw } from "../support/raw"

let kontor: Kontor
let admin: Api
let token: string
let refreshToken: string
let secret: string
let client: Client
let applicationTokens: { access_token: string; refresh_token: string }
let key: { id: string; key: string }

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  const answer = await login(adminEmail, adminPassword)
  token = answer.body.data.token
  refreshToken = answer.body.data.refreshToken
  secret = inFile(kontor, (db) => {
    const row = db.query("SELECT value FROM secrets WHERE name = 'tokens'").get()
    return (row as { value: string }).value
  })
  client = await clientOf(admin)
  applicationTokens = (await connect(kontor, client)).tokens
  key = await admin.create("/api-keys", { name: "K", scopes: ["read"] })
})
afterAll(cleanUp)

const login = (email: unknown, password: unknown): Promise<Answer> =>
  send(`${kontor.url}/api/v1/auth/login`, { body: { email, password } })
const withHeaders = (headers: Record<string, string>, path = "/items") =>
  send(`${kontor.url}/api/v1${path}`, { headers })
/** The name of the console's cookie contains the port that the browser sees. */
const consoleCookie = () => `kontor_session_${new URL(kontor.url).port}`
const bearing = (text: string) => withHeaders({ authorization: `Bearer ${text}` })
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const read = (text: string) => JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString())

/** The current token with other claims or another header, signed with the attacker's key. */
function forge(claims: object = {}, { head = {}, signedWith = secret, digest = "sha256" } = {}): string {
  const signed = `${part({ alg: "HS256", typ: "JWT", ...head })}.${part({ ...read(token), ...claims })}`
  return `${signed}.${createHmac(digest, signedWith).update(signed).digest("base64url")}`
}

test("the test's forged tokens are valid: one with the right secret and claims is accepted", async () => {
  expect((await bearing(forge())).status).toBe(200)
})

describe("an access token", () => {
  const now = () => Math.floor(Date.now() / 1000)
  testAttacks([
    [
      "without a signature, alg none",
      () => bearing(`${part({ alg: "none" })}.${token.split(".")[1]}.`),
      401,
      "INVALID_TOKEN",
    ],
    [
      "alg None in another case",
      () => bearing(`${part({ alg: "nOnE" })}.${token.split(".")[1]}.`),
      401,
      "INVALID_TOKEN",
    ],
    [
      "alg none with a valid HS256 signature",
      () => bearing(forge({}, { head: { alg: "none" } })),
      401,
      "INVALID_TOKEN",
    ],
    [
      "signed with another key",
      () => bearing(forge({}, { signedWith: "another secret" })),
      401,
      "INVALID_TOKEN",
    ],
    ["signed with an empty key", () => bearing(forge({}, { signedWith: "" })), 401, "INVALID_TOKEN"],
    [
      "signed with the right key by HS512",
      () => bearing(forge({}, { head: { alg: "HS512" }, digest: "sha512" })),
      401,
      "INVALID_TOKEN",
    ],
    ["that says RS256", () => bearing(forge({}, { head: { alg: "RS256" } })), 401, "INVALID_TOKEN"],
    [
      "that contains its own key",
      () => bearing(forge({}, { head: { jwk: { kty: "oct", k: "YQ" } }, signedWith: "a" })),
      401,
      "INVALID_TOKEN",
    ],
    [
      "that names a file as its key",
      () => bearing(forge({}, { head: { kid: "../../dev/null" }, signedWith: "" })),
      401,
      "INVALID_TOKEN",
    ],
    ["for another audience", () => bearing(forge({ aud: "another-api" })), 401, "INVALID_TOKEN"],
    ["of another issuer", () => bearing(forge({ iss: "https://evil.example" })), 401, "INVALID_TOKEN"],
    ["that never expires", () => bearing(forge({ exp: undefined })), 401, "INVALID_TOKEN"],
    ["without a session", () => bearing(forge({ sid: undefined })), 401, "INVALID_TOKEN"],
    ["that has expired", () => bearing(forge({ exp: now() - 1 })), 401, "TOKEN_EXPIRED"],
    [
      "of another user in this session",
      () => bearing(forge({ sub: `usr_${"0".repeat(26)}` })),
      401,
      "TOKEN_REVOKED",
    ],
    [
      "of a session that does not exist",
      () => bearing(forge({ sid: `ses_${"0".repeat(26)}` })),
      401,
      "TOKEN_REVOKED",
    ],
    [
      "with one character of its claims changed",
      () => bearing(token.replace(/\.(.)/, (_, letter) => `.${letter === "e" ? "f" : "e"}`)),
      401,
      "INVALID_TOKEN",
    ],
    ["truncated", () => bearing(token.slice(0, -2)), 401, "INVALID_TOKEN"],
    ["of 8,000 characters", () => bearing(`a.${"b".repeat(8_000)}.c`), 401, "INVALID_TOKEN"],
    ["that is a refresh token", () => bearing(refreshToken), 401, "INVALID_TOKEN"],
    ["that is an app's refresh token", () => bearing(applicationTokens.refresh_token), 401, "INVALID_TOKEN"],
    ["that is an API key", () => bearing(key.key), 401, "INVALID_TOKEN"],
    [
      "in a cookie",
      () => withHeaders({ cookie: `token=${token}; ${consoleCookie()}=${refreshToken}` }),
      401,
      "UNAUTHORIZED",
    ],
    ["in the query", () => withHeaders({}, `/items?access_token=${token}`), 401, "UNAUTHORIZED"],
    ["of another scheme", () => withHeaders({ authorization: `Basic ${token}` }), 401, "UNAUTHORIZED"],
    ["without a scheme", () => withHeaders({ authorization: token }), 401, "UNAUTHORIZED"],
    [
      "together with an API key",
      () => withHeaders({ authorization: `Bearer ${token}`, "x-api-key": key.key }),
      400,
      "BAD_REQUEST",
    ],
    ["as an API key", () => withHeaders({ "x-api-key": token }), 401, "INVALID_API_KEY"],
  ])

  test("of an app does not get the user's scopes", async () => {
    const { scope } = read(applicationTokens.access_token)
    expect(scope).toBe("read")
    const app = apiWith(kontor, { authorization: `Bearer ${applicationTokens.access_token}` })
    expect((await app.post("/items", { itemCode: "S", itemName: "S" })).body.error.code).toBe(
      "INSUFFICIENT_SCOPE",
    )
  })

  test("sent twice in one request is refused", async () => {
    const answer = await sendRaw(
      kontor.url,
      `GET /api/v1/items HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toStartWith("HTTP/1.1 401")
  })
})

describe("an API key", () => {
  const using = (text: string) => withHeaders({ "x-api-key": text })
  const spoiled = (at: number) => {
    const letter = key.key.at(at) === "A" ? "B" : "A"
    const index = at < 0 ? key.key.length + at : at
    return key.key.slice(0, index) + letter + key.key.slice(index + 1)
  }
  testAttacks([
    ["with a wrong checksum", () => using(spoiled(-1)), 401, "INVALID_API_KEY"],
    ["with one character of its secret changed", () => using(spoiled(20)), 401, "INVALID_API_KEY"],
    ["that is only its visible prefix", () => using(key.key.slice(0, 12)), 401, "INVALID_API_KEY"],
    ["that is empty", () => using(""), 401, "INVALID_API_KEY"],
    ["in lower case", () => using(key.key.toLowerCase()), 401, "INVALID_API_KEY"],
    ["with a wildcard", () => using("kon_%"), 401, "INVALID_API_KEY"],
    ["in the query", () => withHeaders({}, `/items?api_key=${key.key}`), 401, "UNAUTHORIZED"],
    ["that was revoked", () => revoked(), 401, "INVALID_API_KEY"],
    ["that was replaced by rotation", () => rotated(), 401, "INVALID_API_KEY"],
    ["that has expired", () => expired(), 401, "INVALID_API_KEY"],
    ["of a user who was disabled", () => disabled(), 401, "INVALID_API_KEY"],
    ["from an address that is not allowed", () => elsewhere({}), 403, "IP_NOT_ALLOWED"],
    [
      "from there, with a forged X-Forwarded-For",
      () => elsewhere({ "x-forwarded-for": "203.0.113.7" }),
      403,
      "IP_NOT_ALLOWED",
    ],
    [
      "from there, with other forged headers",
      () => elsewhere({ forwarded: "for=203.0.113.7", "x-real-ip": "203.0.113.7" }),
      403,
      "IP_NOT_ALLOWED",
    ],
  ])

  const fresh = (more: object = {}) => admin.create("/api-keys", { name: "Fresh", scopes: ["read"], ...more })
  async function revoked() {
    const made = await fresh()
    await admin.delete(`/api-keys/${made.id}`)
    return using(made.key)
  }
  async function rotated() {
    const made = await fresh()
    await admin.post(`/api-keys/${made.id}/rotate`)
    return using(made.key)
  }
  async function expired() {
    const made = await fresh({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect((await using(made.key)).status).toBe(200)
    inFile(kontor, (db) => shiftTimes(db, "api_keys", "expires_at", "-1 hours"))
    return using(made.key)
  }
  async function disabled() {
    const { user, api } = await newUser("keyholder")
    const made = await api.create("/api-keys", { name: "Theirs", scopes: ["read"] })
    await admin.put(`/users/${user.id}`, { isActive: false })
    return using(made.key)
  }
  async function elsewhere(headers: Record<string, string>) {
    const made = await fresh({ allowedIps: ["203.0.113.0/24"] })
    return withHeaders({ "x-api-key": made.key, ...headers })
  }
})

describe("a session", () => {
  testAttacks([
    ["that was signed out", () => afterwards((api) => api.post("/auth/logout")), 401, "TOKEN_REVOKED"],
    [
      "that was signed out everywhere",
      () => afterwards((api) => api.post("/auth/logout-all")),
      401,
      "TOKEN_REVOKED",
    ],
    [
      "of a user who was disabled",
      () => afterwards((_, id) => admin.put(`/users/${id}`, { isActive: false })),
      401,
      "TOKEN_REVOKED",
    ],
    [
      "whose user got a new password from an admin",
      () => afterwards((_, id) => admin.put(`/users/${id}`, { password: "another password" })),
      401,
      "TOKEN_REVOKED",
    ],
    [
      "whose user the command line disabled",
      () => afterwards((_, __, email) => run(["users", "disable", "--email", email], { cwd: kontor.cwd })),
      401,
      "TOKEN_REVOKED",
    ],
    ["refreshed with an access token", () => refresh(token), 401, "INVALID_REFRESH_TOKEN"],
    ["refreshed with an unknown token", () => refresh("x".repeat(43)), 401, "INVALID_REFRESH_TOKEN"],
    [
      "refreshed with an app's token",
      () => refresh(applicationTokens.refresh_token),
      401,
      "INVALID_REFRESH_TOKEN",
    ],
    ["refreshed with an object", () => refresh({ $ne: null }), 422, "VALIDATION_ERROR"],
    ["refreshed after signing out", () => signedOutThenRefreshed(), 401, "INVALID_REFRESH_TOKEN"],
    [
      "of the console, for another site",
      () => consoleRefresh({ origin: "https://evil.example" }),
      403,
      "FORBIDDEN",
    ],
    ["of the console, for a page without an origin", () => consoleRefresh({}), 403, "FORBIDDEN"],
    [
      "of the console, with a forged cookie",
      () => consoleRefresh({ origin: kontor.url, cookie: `${consoleCookie()}=abc` }),
      401,
      "INVALID_REFRESH_TOKEN",
    ],
  ])

  const refresh = (text: unknown) =>
    send(`${kontor.url}/api/v1/auth/refresh`, { body: { refreshToken: text } })
  const consoleRefresh = (headers: Record<string, string>) =>
    send(`${kontor.url}/console/session/refresh`, {
      method: "POST",
      headers: { cookie: `${consoleCookie()}=${refreshToken}`, ...headers },
    })
  async function afterwards(work: (api: Api, id: string, email: string) => Promise<unknown>) {
    const { user, api } = await newUser("session")
    await work(api, user.id, user.email)
    return api.get("/items")
  }
  async function signedOutThenRefreshed() {
    const answer = await login(adminEmail, adminPassword)
    await apiWith(kontor, { authorization: `Bearer ${answer.body.data.token}` }).post("/auth/logout")
    return refresh(answer.body.data.refreshToken)
  }

  test("cannot be refreshed at the OAuth token endpoint", async () => {
    const answer = await ask(kontor, "token", {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      ...credentials(client),
    })
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"])
  })
})

describe("signing in", () => {
  testAttacks([
    ["with a wrong password", () => login(adminEmail, "wrong password 1"), 401, "INVALID_CREDENTIALS"],
    [
      "with an unknown email",
      () => login("nobody@example.com", "wrong password 1"),
      401,
      "INVALID_CREDENTIALS",
    ],
    ["with SQL as the email", () => login("' OR 1=1 --", "wrong password 1"), 401, "INVALID_CREDENTIALS"],
    ["with a NUL in the email", () => login(`${adminEmail}\0`, adminPassword), 401, "INVALID_CREDENTIALS"],
    [
      "with a password of 100,000 characters",
      () => login("long@example.com", "x".repeat(100_000)),
      401,
      "INVALID_CREDENTIALS",
    ],
    ["with objects instead of strings", () => login({ $gt: "" }, { $gt: "" }), 422, "VALIDATION_ERROR"],
    ["with lists of guesses", () => login(adminEmail, ["a", adminPassword]), 422, "VALIDATION_ERROR"],
    [
      "with the hash as the password",
      () =>
        login(
          adminEmail,
          inFile(
            kontor,
            (db) => Object.values(db.query("SELECT hash FROM passwords LIMIT 1").get() as object)[0],
          ),
        ),
      401,
      "INVALID_CREDENTIALS",
    ],
    ["as a disabled user", () => asDisabled(), 401, "INVALID_CREDENTIALS"],
    [
      "by using setup again",
      () =>
        send(`${kontor.url}/api/v1/setup`, {
          body: { token: "x", email: "a@b.example", name: "A", password: "a long password" },
        }),
      404,
      "ENDPOINT_NOT_FOUND",
    ],
  ])

  async function asDisabled() {
    const { user } = await newUser("disabled")
    await admin.put(`/users/${user.id}`, { isActive: false })
    return login(user.email, adminPassword)
  }

  test("fails with the same message for a known and an unknown email", async () => {
    const known = await login(adminEmail, "wrong password 2")
    const unknown = await login("nobody2@example.com", "wrong password 2")
    expect(known.text).toBe(unknown.text)
    showsNothing(known)
  })
})

let made = 0
async function newUser(name: string) {
  const email = `${name}${++made}@attack.example`
  const user = await admin.create("/users", { email, name, role: "manager", password: adminPassword })
  return { user, api: await signIn(kontor, email) }
}

describe("a second factor", () => {
  let email: string
  let own: Api
  let next: () => string
  let used: string

  beforeAll(async () => {
    const { user, api } = await newUser("factor")
    email = user.email
    own = api
    const body = { type: "totp", name: "Phone", currentPassword: adminPassword }
    const { id, secret } = (await own.post("/auth/factors", body)).body.data
    next = codesOf(secret)
    used = next()
    await own.post(`/auth/factors/${id}/confirm`, { code: used })
  })
  const enter = (more: object) =>
    send(`${kontor.url}/api/v1/auth/login`, { body: { email, password: adminPassword, ...more } })
  const signInBy = (response: object) =>
    send(`${kontor.url}/api/v1/auth/passkeys/sign-in`, { body: { response } })

  testAttacks([
    ["is not left out", () => enter({}), 401, "SECOND_FACTOR_REQUIRED"],
    ["is not an empty code", () => enter({ code: "" }), 422, "VALIDATION_ERROR"],
    ["is not null", () => enter({ code: null }), 401, "SECOND_FACTOR_REQUIRED"],
    ["is not a list of codes", () => enter({ code: ["000000", "000001"] }), 422, "VALIDATION_ERROR"],
    ["is not a number", () => enter({ code: 0 }), 422, "VALIDATION_ERROR"],
    ["is not the code that confirmed it", () => enter({ code: used }), 401, "INVALID_CREDENTIALS"],
    [
      "is not the digest of a recovery code",
      () => enter({ code: "a".repeat(64) }),
      401,
      "INVALID_CREDENTIALS",
    ],
    [
      "is asked for in the console too",
      () =>
        send(`${kontor.url}/console/session`, {
          headers: { origin: kontor.url },
          body: { email, password: adminPassword },
        }),
      401,
      "SECOND_FACTOR_REQUIRED",
    ],
    [
      "is not removed by a key of its user",
      async () => {
        const { key: text } = await own.create("/api-keys", {
          name: "K",
          scopes: ["read", "write", "delete"],
        })
        return apiWith(kontor, { "x-api-key": text }).call("DELETE", "/auth/factors/fac_1", {
          currentPassword: adminPassword,
        })
      },
      403,
      "FORBIDDEN",
    ],
    ["is not a passkey of nothing", () => signInBy({}), 401, "INVALID_CREDENTIALS"],
    [
      "is not a passkey with the prototype as its id",
      () => signInBy({ id: "__proto__", response: {} }),
      401,
      "INVALID_CREDENTIALS",
    ],
    [
      "is not a passkey of 100,000 letters",
      () => signInBy({ id: "x".repeat(100_000) }),
      413,
      "PAYLOAD_TOO_LARGE",
    ],
  ])

  test("is the next code, in the end", async () => {
    expect((await enter({ code: next() })).status).toBe(200)
  })
})
