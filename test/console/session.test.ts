import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn } from "../support/api"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let session: string
beforeAll(async () => {
  kontor = await serve()
  session = `${kontor.url}/console/session`
})
afterAll(cleanUp)

const origin = () => ({ origin: kontor.url })
const enter = (headers: Record<string, string> = origin()) =>
  send(session, { headers, body: { email: adminEmail, password: adminPassword } })
const enterAt = (url: string) =>
  send(`${url}/console/session`, {
    headers: { origin: url },
    body: { email: adminEmail, password: adminPassword },
  })
const cookieOf = (answer: { headers: Headers }) => answer.headers.get("set-cookie")?.split(";")[0] ?? ""
/** Contains the port that the browser sees, so that two servers on one host have two cookies. */
const cookieName = () => `kontor_session_${new URL(kontor.url).port}`
const refresh = (cookie: string, headers: Record<string, string> = origin()) =>
  send(`${session}/refresh`, { method: "POST", headers: { ...headers, cookie } })
const leave = (cookie: string, headers: Record<string, string> = origin()) =>
  send(session, { method: "DELETE", headers: { ...headers, cookie } })
const works = async (token: string) =>
  (await apiWith(kontor, { authorization: `Bearer ${token}` }).get("/auth/me")).status

describe("signing in", () => {
  test("returns an access token, and sets a cookie that no script can read", async () => {
    const answer = await enter()
    expect(answer.body.data).toEqual({
      token: expect.any(String),
      expiresIn: 3600,
      user: { id: expect.any(String), email: adminEmail, name: "admin", role: "admin" },
      idleMinutes: 43_200,
    })
    expect(cookieOf(answer)).toMatch(new RegExp(`^${cookieName()}=[\\w-]{20,}$`))
    expect(answer.headers.get("set-cookie")?.slice(cookieOf(answer).length)).toBe(
      "; Path=/console/session; Max-Age=2592000; HttpOnly; SameSite=Strict",
    )
    expect(await works(answer.body.data.token)).toBe(200)
  })

  test("with a wrong password is 401, and sets no cookie", async () => {
    const answer = await send(session, {
      headers: origin(),
      body: { email: adminEmail, password: "not the password" },
    })
    expect(refusalOf(answer)).toMatchObject({ status: 401, code: "INVALID_CREDENTIALS" })
    expect(answer.headers.get("set-cookie")).toBeNull()
  })

  test("over https sets a cookie for https only", async () => {
    const secure = await serve({ args: ["--public-url", "https://kontor.example"] })
    const answer = await send(`${secure.url}/console/session`, {
      headers: { origin: "https://kontor.example" },
      body: { email: adminEmail, password: adminPassword },
    })
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Host-kontor_session=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
    )
  })
})

describe("with an https public URL", () => {
  const host = "kontor.example"
  const page = { origin: `https://${host}`, host }
  let secure: Kontor
  beforeAll(async () => {
    secure = await serve({ args: ["--public-url", `https://${host}`] })
  })
  const at = (path: string, headers: Record<string, string>, body?: object) =>
    send(`${secure.url}/console/session${path}`, { method: "POST", headers, body })
  const signInFrom = (headers: Record<string, string>) =>
    at("", headers, { email: adminEmail, password: adminPassword })

  test("a request from the same host over plain http is refused on all three endpoints", async () => {
    const forged = { origin: `http://${host}`, host }
    const cookie = cookieOf(await signInFrom(page))
    const answers = [
      await signInFrom(forged),
      await at("/refresh", { ...forged, cookie }),
      await send(`${secure.url}/console/session`, { method: "DELETE", headers: { ...forged, cookie } }),
    ]
    for (const answer of answers) expect(refusalOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
    expect((await at("/refresh", { ...page, cookie })).status).toBe(200)
  })

  test("only the cookie with the prefix is accepted", async () => {
    const cookie = cookieOf(await signInFrom(page))
    const plain = cookie.replace("__Host-", "")
    expect((await at("/refresh", { ...page, cookie: plain })).status).toBe(401)
    expect((await at("/refresh", { ...page, cookie: `kontor_session=made-up; ${cookie}` })).status).toBe(200)
  })

  test.each(["localhost", "127.0.0.1", "[::1]"])(
    "a browser on the same machine, at %s, can sign in",
    async (name) => {
      const { port } = new URL(secure.url)
      const here = { origin: `http://${name}:${port}`, host: `${name}:${port}` }
      const answer = await signInFrom(here)
      expect(answer.status).toBe(200)
      // A browser does not store a Secure cookie that it received over http.
      expect(answer.headers.get("set-cookie")).toMatch(
        new RegExp(
          `^kontor_session_${port}=[\\w-]+; Path=/console/session; Max-Age=\\d+; HttpOnly; SameSite=Strict$`,
        ),
      )
      expect((await at("/refresh", { ...here, cookie: cookieOf(answer) })).status).toBe(200)
      expect((await signInFrom({ ...here, host })).status).toBe(403)
      expect((await signInFrom({ ...here, origin: `http://${name}:1` })).status).toBe(403)
    },
  )

  test("a request from another scheme is refused", async () => {
    for (const origin of [`ftp://${host}`, `app://${host}`, `chrome-extension://${host}`])
      expect((await signInFrom({ ...page, origin })).status).toBe(403)
  })
})

describe("a request from another page", () => {
  const others: [string, () => Record<string, string>][] = [
    ["another site", () => ({ origin: "https://evil.example" })],
    ["the same host on another port", () => ({ origin: kontor.url.replace(/:\d+$/, ":1") })],
    ["a page with an opaque origin", () => ({ origin: "null" })],
    ["a client without an Origin header", () => ({})],
  ]
  test.each(others)("from %s is refused on all three endpoints", async (_, headers) => {
    const cookie = cookieOf(await enter())
    for (const answer of [
      await enter(headers()),
      await refresh(cookie, headers()),
      await leave(cookie, headers()),
    ])
      expect(refusalOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
    expect((await refresh(cookie)).status).toBe(200)
  })
})

describe("staying signed in", () => {
  test("a refresh renews the cookie and the access token", async () => {
    const first = cookieOf(await enter())
    const answer = await refresh(first)
    expect(answer.status).toBe(200)
    expect(cookieOf(answer)).not.toBe(first)
    expect(await works(answer.body.data.token)).toBe(200)
    expect((await refresh(cookieOf(answer))).status).toBe(200)
  })

  test("a refresh without a valid cookie is 401", async () => {
    const name = cookieName()
    for (const cookie of ["", `${name}=`, `${name}=made-up`, "kontor_session=made-up", "other=1"])
      expect(refusalOf(await refresh(cookie))).toMatchObject({ status: 401, code: "INVALID_REFRESH_TOKEN" })
    expect((await refresh(`${name}=made-up`)).headers.get("set-cookie")).toContain("Max-Age=0")
  })

  test("the cookie of another server on the same host is ignored", async () => {
    const other = await serve()
    const [mine, theirs] = [cookieOf(await enter()), cookieOf(await enterAt(other.url))]
    const both = `${theirs}; ${mine}`
    const answer = await refresh(both)
    expect(answer.status).toBe(200)
    expect(cookieOf(answer).split("=")[0]).not.toBe(theirs.split("=")[0])
    const renewed = await send(`${other.url}/console/session/refresh`, {
      method: "POST",
      headers: { origin: other.url, cookie: both },
    })
    expect(renewed.status).toBe(200)
  })

  test("the cookie gives no access to the API", async () => {
    const cookie = cookieOf(await enter())
    expect((await send(`${kontor.url}/api/v1/auth/me`, { headers: { cookie } })).status).toBe(401)
  })

  test("session requests count against the limit of the address", async () => {
    expect(Number((await refresh("")).headers.get("x-ratelimit-limit"))).toBeGreaterThan(0)
  })
})

describe("signing out", () => {
  test("ends the session immediately and removes the cookie", async () => {
    const answer = await enter()
    const left = await leave(cookieOf(answer))
    expect(left.status).toBe(204)
    expect(left.headers.get("set-cookie")).toContain(`${cookieName()}=; Path=/console/session; Max-Age=0`)
    expect(await works(answer.body.data.token)).toBe(401)
    expect((await refresh(cookieOf(answer))).status).toBe(401)
    expect((await leave("")).status).toBe(204)
  })

  test("is recorded in the audit log", async () => {
    const api = await signIn(kontor)
    await leave(cookieOf(await enter()))
    const { body } = await api.get("/audit-logs?action=auth.logout&perPage=1")
    expect(body.data[0]).toMatchObject({ action: "auth.logout", kind: "users", outcome: "success" })
  })
})

describe("GET /auth/me", () => {
  test("returns the caller's rights and the company", async () => {
    const api = await signIn(kontor)
    const { body } = await api.get("/auth/me")
    expect(body.data.company).toEqual({
      name: null,
      currency: "USD",
      currencyDigits: 2,
      timeZone: "UTC",
      today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      pricesIncludeTax: false,
      defaultTaxCode: null,
      defaultLanguage: "en",
      defaultPaymentTerms: null,
      defaultUnit: null,
      invoiceFrom: "ordered",
      publicPages: false,
      publicUrl: kontor.url,
      lockedUntil: null,
      correctBy: "cancel",
      country: null,
      taxCountry: null,
    })
    expect(body.data.rights).toMatchObject({
      items: ["read", "write", "delete"],
      administration: ["admin"],
      own: ["read", "write", "delete"],
    })
  })

  test("an API key has the rights of its owner, limited to its scopes", async () => {
    const api = await signIn(kontor)
    const { key } = await api.create("/api-keys", { name: "Reader", scopes: ["read"] })
    const { body } = await apiWith(kontor, { "x-api-key": key }).get("/auth/me")
    expect(body.data.rights).toEqual({
      items: ["read"],
      stock: ["read"],
      customers: ["read"],
      "sales-orders": ["read"],
      invoices: ["read"],
      search: ["read"],
      own: ["read"],
      webhooks: [],
      administration: [],
    })
  })
})
