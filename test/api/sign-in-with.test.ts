// Signing in with an OpenID provider: who comes in, as whom, for how long, and what is refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { apiWith, send, signIn, type Api } from "../support/api"
import { codesOf } from "../support/authenticator"
import { inFile } from "../support/file"
import { glewlwyd, hasGlewlwyd } from "../support/glewlwyd"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { agree, askUrl, browse, clientOf, pkce } from "../support/oauth"
import { comeIn, nodeProvider, provider, refresh, signInWith, type Provider } from "../support/oidc"

let kontor: Kontor
let api: Api
let at: Provider
beforeAll(async () => {
  kontor = await serve({ args: ["--allow-private-webhooks", "127.0.0.0/8"] })
  api = await signIn(kontor)
  at = await provider()
})
beforeEach(() => Object.assign(at, { lies: {}, givesRefresh: false }))
afterAll(async () => {
  await at.stop()
  await cleanUp()
})

const entry = (more: object = {}) => ({
  name: "Example",
  issuer: at.issuer,
  clientId: "kontor",
  clientSecret: "very secret text",
  ...more,
})
/** The path at which people begin to sign in, with these settings of the provider. */
const path = async (more: object = {}) => (await signInWith(api, [entry(more)]))[0] ?? ""

let people = 0
/** A person at the provider, and the address. */
function person(more: object = {}) {
  const n = ++people
  const email = `person${n}@example.com`
  at.person = { sub: `sub-${n}`, email, email_verified: true, name: `Person ${n}`, ...more }
  return email
}
const password = "correct horse battery"
const userOf = async (email: string, role = "sales") =>
  api.create("/users", { email, name: "Somebody", role, password })
const roleOf = async (id: string) => (await api.get(`/users/${id}`)).body.data.role
/** What somebody sees who does not come in. */
const refusal = async (begin: string) => {
  const { status, text, browser } = await comeIn(kontor, { path: begin, at })
  expect([status >= 400, (await refresh(kontor, browser)).status]).toEqual([true, 401])
  return text
}
const comes = async (begin: string) => {
  const { status, location, browser } = await comeIn(kontor, { path: begin, at })
  expect([status, location]).toEqual([303, "/console/#signed-in"])
  const { body } = await refresh(kontor, browser)
  return { browser, me: body.data.user, api: apiWith(kontor, { authorization: `Bearer ${body.data.token}` }) }
}

describe("who somebody is", () => {
  test("a user is joined by a verified address once, and known by issuer and subject from then on", async () => {
    const email = person()
    const { id } = await userOf(email)
    const begin = await path({ joinByEmail: true })
    expect((await comes(begin)).me).toMatchObject({ id, role: "sales" })
    // The address has changed at the provider, and somebody else has it now.
    at.person = { ...at.person, email: "new@example.com" }
    expect((await comes(await path({ joinByEmail: false }))).me.id).toBe(id)
    at.person = { ...at.person, sub: "somebody-else", email }
    expect(await refusal(await path({ joinByEmail: true }))).toContain(
      "There is a user with your email address",
    )
    const entries = (await api.get(`/audit-logs?recordId=${id}&action=auth.login`)).body.data
    expect(entries[0]).toMatchObject({ actorType: "system", actorName: "sign-in with Example" })
  })

  test("an address that is not verified, an admin, and a user without joinByEmail are not joined", async () => {
    const join = { joinByEmail: true, create: true }
    const unverified = person({ email_verified: "true" })
    await userOf(unverified)
    expect(await refusal(await path(join))).toContain("has not verified your email address")
    await userOf(person(), "admin")
    expect(await refusal(await path(join))).toContain("cannot sign in this way")
    await userOf(person())
    expect(await refusal(await path({ create: true }))).toContain("cannot sign in this way")
  })

  test("a user with a second factor, and one whose address only looks like it, are not joined", async () => {
    const join = { joinByEmail: true }
    const email = person()
    await userOf(email)
    const own = await signIn(kontor, email, password)
    const body = { type: "totp", name: "Phone", currentPassword: password }
    const { id, secret } = (await own.post("/auth/factors", body)).body.data
    await own.post(`/auth/factors/${id}/confirm`, { code: codesOf(secret)() })
    expect(await refusal(await path(join))).toContain("cannot sign in this way")
    await userOf("kevin@example.com")
    person({ email: "\u212Aevin@example.com" })
    expect(await refusal(await path(join))).toContain("cannot sign in this way")
  })

  test("a user is created with the role of the provider, if the domain may come in", async () => {
    const roles = { roleClaim: "apps.kontor.roles", roles: { clerk: "sales", boss: "manager" }, create: true }
    const email = person({ apps: { kontor: { roles: ["clerk", "boss", "other"] } } })
    const begin = await path({ ...roles, domains: ["Example.com"] })
    expect((await comes(begin)).me).toMatchObject({ email, role: "manager" })
    person({ email: "x@evil.example", apps: { kontor: { roles: ["boss"] } } })
    expect(await refusal(begin)).toContain("Addresses of your domain may not sign in")
    person({ apps: { kontor: { roles: ["other"] } } })
    expect(await refusal(begin)).toContain("There is no user for you")
    person()
    expect(await refusal(await path())).toContain("There is no user for you")
    expect((await comes(await path({ create: true }))).me.role).toBe("viewer")
  })
})

describe("the role follows the provider", () => {
  const roles = { roleClaim: "role", roles: { clerk: "sales", boss: "manager" }, create: true }

  test("a role that was taken away ends the sessions, and leaves the user a viewer", async () => {
    person({ role: "boss" })
    const begin = await path(roles)
    const first = await comes(begin)
    at.person = { ...at.person, role: "clerk" }
    expect((await comes(begin)).me.role).toBe("sales")
    at.person = { ...at.person, role: undefined }
    expect(await refusal(begin)).toContain("gives you no role any more")
    expect(await roleOf(first.me.id)).toBe("viewer")
    expect((await first.api.get("/items")).status).toBe(401)
    const [entry] = (await api.get("/audit-logs?action=auth.sign-in-refused")).body.data
    expect(entry).toMatchObject({ recordId: first.me.id, outcome: "refused" })
    at.person = { ...at.person, role: "boss" }
    expect((await comes(begin)).me.role).toBe("manager")
  })

  test("a disabled user does not come in", async () => {
    person({ role: "clerk" })
    const { me } = await comes(await path(roles))
    await api.put(`/users/${me.id}`, { isActive: false })
    expect(await refusal(await path(roles))).toContain("Your user is disabled")
  })

  test("without a refresh token of the provider the session has an end", async () => {
    person({ role: "clerk" })
    const { browser, api: hers } = await comes(await path(roles))
    expect((await hers.get("/items")).status).toBe(200)
    const ends = "UPDATE sessions SET ends_at = '2020-01-01T00:00:00.000Z' WHERE ends_at IS NOT NULL"
    inFile(kontor, (db) => db.query(ends).run())
    expect((await refresh(kontor, browser)).status).toBe(401)
    expect((await hers.get("/items")).status).toBe(401)
  })

  test("with one, the provider is asked at a refresh, and decides", async () => {
    person({ role: "boss" })
    at.givesRefresh = true
    const { browser, me } = await comes(await path(roles))
    const past = "UPDATE oidc_sessions SET checked_at = '2020-01-01T00:00:00.000Z'"
    const later = () => inFile(kontor, (db) => db.query(past).run())
    at.person = { ...at.person, role: "clerk" }
    expect((await refresh(kontor, browser)).body.data.user.role).toBe("manager")
    await later()
    expect((await refresh(kontor, browser)).body.data.user.role).toBe("sales")
    await later()
    at.lies = { tokenStatus: 503 }
    expect((await refresh(kontor, browser)).status).toBe(503)
    at.lies = {}
    expect((await refresh(kontor, browser)).status).toBe(200)
    await later()
    at.lies = { tokenStatus: 400 }
    expect((await refresh(kontor, browser)).status).toBe(401)
    at.lies = {}
    expect((await refresh(kontor, browser)).status).toBe(401)
    expect(await roleOf(me.id)).toBe("sales")
  })
})

describe("attacks", () => {
  const bad: [string, () => Parameters<typeof Object.assign>[1]][] = [
    ["another nonce", () => ({ claims: { nonce: "x" } })],
    ["no nonce", () => ({ claims: { nonce: undefined } })],
    ["another issuer in the token", () => ({ claims: { iss: "https://evil.example" } })],
    ["a token for another client", () => ({ claims: { aud: "other" } })],
    ["an expired token", () => ({ claims: { exp: 1 } })],
    ["a token without a signature", () => ({ alg: "none" })],
    ["a token with another signature", () => ({ isForged: true })],
    ["an answer of another issuer", () => ({ iss: "https://evil.example" })],
  ]
  test.each(bad)("%s is refused", async (_, lies) => {
    person()
    const begin = await path({ create: true })
    at.lies = lies()
    expect(await refusal(begin)).toContain("You could not sign in")
  })

  test("a callback in another browser, with another state, twice or too late is refused", async () => {
    person()
    const begin = await path({ create: true })
    const [mine, other] = [browse(kontor), browse(kontor)]
    const back = at.comeBack((await mine.open(begin)).location ?? "")
    expect(await other.open(back)).toMatchObject({
      status: 403,
      text: expect.stringContaining("another browser"),
    })
    expect(await mine.open(`${back}x`.replace("state=", "state=x"))).toMatchObject({ status: 403 })
    // A browser that has begun itself cannot end what another one has begun.
    await other.open(begin)
    expect((await other.open(back)).status).toBe(403)
    expect((await mine.open(back)).status).toBe(303)
    expect((await mine.open(back)).status).toBe(403)
  })

  test("the answer of one provider is not taken for that of another", async () => {
    person()
    const evil = await provider()
    const [good = "", bad = ""] = await signInWith(api, [
      entry({ create: true }),
      { ...entry({ create: true, name: "Evil" }), issuer: evil.issuer },
    ])
    const browser = browse(kontor)
    const back = at.comeBack((await browser.open(good)).location ?? "")
    expect((await browser.open(back.replace(good, bad))).status).toBe(403)
    expect(evil.requests.filter((each) => each.includes("/token"))).toEqual([])
    await evil.stop()
  })

  test("a provider that is not there, and one that is not set up, are told from a refusal", async () => {
    const browser = browse(kontor)
    const [begin = ""] = await signInWith(api, [{ ...entry(), issuer: "http://127.0.0.1:9" }])
    expect((await browser.open(begin)).status).toBe(503)
    expect((await browser.open("/console/session/with/nobody")).status).toBe(404)
  })
})

describe("the settings", () => {
  test("the secret is never answered, and an entry keeps it only for the same issuer and client", async () => {
    await path()
    const change = async (more: object) => {
      const { clientSecret: _, ...given } = entry(more)
      return (await api.put("/settings", { signInWith: [given] })).body.data.signInWith[0]
    }
    expect(await change({ name: "Renamed" })).toMatchObject({ name: "Renamed", missing: [] })
    expect(await change({ issuer: "https://login.example.com" })).toMatchObject({ missing: ["clientSecret"] })
    expect(await change({})).toMatchObject({ missing: ["clientSecret"] })
    await path()
    for (const seen of ["/settings", "/audit-logs?kind=settings&perPage=100", "/events?perPage=100"])
      expect([seen, (await api.get(seen)).text.includes("very secret")]).toEqual([seen, false])
  })

  test("providers without https or in other networks, and wrong values, are refused", async () => {
    const fields = async (more: object) => {
      const { body } = await api.put("/settings", { signInWith: [entry(more)] })
      return body.error.details.map(({ field }: { field: string }) => field)
    }
    expect(await fields({ issuer: "http://login.example.com" })).toEqual(["signInWith[0].issuer"])
    expect(await fields({ issuer: "https://10.0.0.1" })).toEqual(["signInWith[0].issuer"])
    expect(await fields({ issuer: "https://login.example.com/?x=1" })).toEqual(["signInWith[0].issuer"])
    expect(await fields({ clientSecret: 1 })).toEqual(["signInWith[0].clientSecret"])
    expect(await fields({ roleClaim: "role" })).toEqual(["signInWith[0].roles"])
    expect(await fields({ roleClaim: "role", roles: { a: "king" } })).toEqual(["signInWith[0].roles.a"])
    expect(await fields({ domains: ["not a domain"], other: 1 })).toEqual([
      "signInWith[0].other",
      "signInWith[0].domains[0]",
    ])
    const twice = await api.put("/settings", { signInWith: [entry(), entry()] })
    expect(twice.body.error.details).toMatchObject([
      { field: "signInWith[1].name", params: { rule: "REPEATED" } },
    ])
  })

  test("passwords can be switched off for all but one admin, who cannot be locked out", async () => {
    const email = person()
    await userOf(email)
    const other = await userOf("second-admin@example.com", "admin")
    const { id } = (await api.get("/auth/me")).body.data
    await signInWith(api, [])
    const refused = (await api.put("/settings", { passwordSignInFor: id })).body.error.details
    expect(refused).toMatchObject([{ field: "signInWith" }])
    await path({ joinByEmail: true })
    expect((await api.put("/settings", { passwordSignInFor: "usr_00000000000000000000000000" })).status).toBe(
      422,
    )
    const before = await send(`${kontor.url}/api/v1/auth/login`, { body: { email, password } })
    expect((await api.put("/settings", { passwordSignInFor: other.id })).status).toBe(200)
    const { refreshToken } = before.body.data
    const renewed = await send(`${kontor.url}/api/v1/auth/refresh`, { body: { refreshToken } })
    expect([renewed.status, renewed.body.error.code]).toEqual([401, "INVALID_REFRESH_TOKEN"])
    const statusOf = async (who: string, secret = password) =>
      (await apiWith(kontor, {}).post("/auth/login", { email: who, password: secret })).status
    expect(await statusOf(email)).toBe(403)
    expect(await statusOf(email, "wrong password 12")).toBe(401)
    expect(await statusOf(adminEmail, adminPassword)).toBe(403)
    expect(await statusOf("second-admin@example.com")).toBe(200)
    const setup = await (await fetch(`${kontor.url}/console/session/setup`)).json()
    expect(setup).toMatchObject({ data: { hasPasswords: false, signInWith: [{ name: "Example" }] } })
    // If that admin is gone, the others can set it right.
    await api.put(`/users/${other.id}`, { isActive: false })
    expect([await statusOf(adminEmail, adminPassword), await statusOf(email)]).toEqual([200, 403])
    await api.put("/settings", { passwordSignInFor: null })
    expect(await statusOf(email)).toBe(200)
  })
})

test("the page of an app that asks for permission has the same ways, and goes on there", async () => {
  const email = person()
  await userOf(email)
  await path({ joinByEmail: true })
  const url = askUrl(await clientOf(api), pkce().challenge)
  const browser = browse(kontor)
  const shown = await browser.open(url)
  const link = /href="([^"]+\?for=[^"]+)"/.exec(shown.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
  const { location } = await comeIn(kontor, { path: link.slice(kontor.url.length), at, browser })
  expect(location).toStartWith("/oauth/authorize?")
  expect((await browser.open(location ?? "")).text).toContain(email)
  expect((await agree(browser, location ?? "")).searchParams.get("code")).toBeTruthy()
})

/** Programs of others, each with a person who signs in there. */
test.each([
  ["oidc-provider, which is certified", nodeProvider, true],
  ["a Glewlwyd of Debian", glewlwyd, hasGlewlwyd],
] as const)(
  "a person comes in with %s, and the session goes on while it says so",
  async (_, start, isHere) => {
    if (!isHere) return console.warn("There is no Glewlwyd on this machine: one test is left out.")
    // The address of the callback depends on the issuer, and the provider has to know it.
    const other = await start(async (issuer) => {
      const [begin = ""] = await signInWith(api, [{ ...entry(), issuer }])
      return `${kontor.url}${begin}/callback`
    })
    const { issuer, clientSecret, scopes } = other
    const [begin = ""] = await signInWith(api, [{ ...entry({ create: true }), issuer, clientSecret, scopes }])
    const browser = browse(kontor)
    const ended = await other.visit(browser, (await browser.open(begin)).location ?? "")
    expect(await browser.open(ended)).toMatchObject({ status: 303, location: "/console/#signed-in" })
    expect((await refresh(kontor, browser)).body.data.user.email).toEndWith("@example.com")
    const past = "UPDATE oidc_sessions SET checked_at = '2020-01-01T00:00:00.000Z'"
    inFile(kontor, (db) => void db.query(past).run())
    expect((await refresh(kontor, browser)).status).toBe(200)
    await other.stop()
    inFile(kontor, (db) => void db.query(past).run())
    expect((await refresh(kontor, browser)).status).toBe(503)
  },
)
