import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Api, apiWith, refusalOf, send, signIn } from "../support/api"
import { authenticator, codesOf, totp } from "../support/authenticator"
import { adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { askUrl, browse, clientOf, pkce } from "../support/oauth"
import { allowLoopback, receiver, stopReceivers, webhookOf } from "../support/receiver"
import { until } from "../support/until"

let kontor: Kontor
let admin: Api
const origin = "http://localhost:7070"
const password = "a horse of my own"
const currentPassword = password

beforeAll(async () => {
  kontor = await serve({ args: allowLoopback })
  admin = await signIn(kontor)
})
afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

let count = 0
async function person(role = "sales") {
  const email = `person${++count}@example.com`
  const user = await admin.create("/users", { email, name: `Person ${count}`, role, password })
  return { id: user.id as string, email, api: await signIn(kontor, email, password) }
}

const login = (email: string, more: object = {}) =>
  send(`${kontor.url}/api/v1/auth/login`, { body: { email, password, ...more } })
const open = (path: string, body: unknown = {}) => send(`${kontor.url}/api/v1/auth/${path}`, { body })

/** Adds one-time codes, and returns their codes in turn. */
async function withCodes(api: Api, given = password) {
  const body = { type: "totp", name: "Phone", currentPassword: given }
  const { id, secret } = (await api.post("/auth/factors", body)).body.data
  const next = codesOf(secret)
  const confirmed = await api.post(`/auth/factors/${id}/confirm`, { code: next() })
  expect(confirmed).toMatchObject({ status: 200 })
  return { id, secret, next, recoveryCodes: confirmed.body.data.recoveryCodes as string[] }
}

async function withPasskey(api: Api, name = "Laptop") {
  const device = authenticator()
  const options = (await api.post("/auth/passkeys/options", { currentPassword })).body.data
  const answer = await api.post("/auth/passkeys", { name, response: device.create(options, { origin }) })
  return { device, answer }
}

const signInOptions = async () => (await open("passkeys/sign-in/options")).body.data

describe("One-time codes", () => {
  test("count after the first code, which ends the other sessions", async () => {
    const { email, api } = await person()
    const other = await signIn(kontor, email, password)
    const begun = await api.post("/auth/factors", { type: "totp", name: "Phone", currentPassword })
    expect(begun).toMatchObject({ status: 201 })
    expect(begun.body.data.uri).toStartWith(`otpauth://totp/Kontor:${encodeURIComponent(email)}?`)
    expect((await login(email)).status).toBe(200)
    expect((await api.get("/auth/factors")).body.data.factors).toEqual([])
    const { id, secret } = begun.body.data
    const confirmed = await api.post(`/auth/factors/${id}/confirm`, { code: codesOf(secret)() })
    expect(new Set(confirmed.body.data.recoveryCodes).size).toBe(10)
    expect([(await other.get("/auth/me")).status, (await api.get("/auth/me")).status]).toEqual([401, 200])
    expect((await api.get("/auth/factors")).body.data).toMatchObject({
      factors: [{ id, type: "totp", name: "Phone" }],
      recoveryCodesLeft: 10,
      isRequired: false,
    })
  })

  test("are needed beside the password: without one the answer says so and is no failure", async () => {
    const { email, api } = await person()
    const { next } = await withCodes(api)
    for (let i = 0; i < 8; i++)
      expect(refusalOf(await login(email))).toEqual({
        status: 401,
        code: "SECOND_FACTOR_REQUIRED",
        fields: ["code"],
      })
    const code = next()
    expect((await login(email, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200)
  })

  test("work once, also when two send the same one at the same time", async () => {
    const { email, api } = await person()
    const code = (await withCodes(api)).next()
    const answers = await Promise.all([login(email, { code }), login(email, { code })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(refusalOf(await login(email, { code }))).toMatchObject({ code: "INVALID_CREDENTIALS" })
  })

  test("that are wrong count as wrong passwords, so that nobody can try all", async () => {
    const { email, api } = await person()
    const { secret } = await withCodes(api)
    const old = totp(secret, Math.floor(Date.now() / 30_000) - 10)
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await login(email, { code: old })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })

  test("are added and removed only with the present password", async () => {
    const { api, email } = await person()
    const wrong = "not my horse at all"
    const added = await api.post("/auth/factors", { type: "totp", name: "Thief", currentPassword: wrong })
    expect(refusalOf(added)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["currentPassword"] })
    const { id } = await withCodes(api)
    const removal = (given: string) => api.call("DELETE", `/auth/factors/${id}`, { currentPassword: given })
    expect((await removal(wrong)).status).toBe(422)
    expect((await login(email)).status).toBe(401)
    expect((await removal(password)).status).toBe(204)
    expect((await login(email)).status).toBe(200)
  })

  test("of others are not found, and no key or app reaches them", async () => {
    const [mine, theirs] = [await person(), await person()]
    const { id } = await withCodes(theirs.api)
    expect((await mine.api.call("DELETE", `/auth/factors/${id}`, { currentPassword })).status).toBe(404)
    const { key } = await mine.api.create("/api-keys", { name: "Key", scopes: ["read", "write"] })
    const byKey = apiWith(kontor, { "x-api-key": key })
    expect((await byKey.get("/auth/factors")).status).toBe(403)
    expect((await byKey.get("/items")).status).toBe(200)
  })
})

describe("A recovery code", () => {
  test("replaces the code once; new ones replace those that are left", async () => {
    const { email, api } = await person()
    const { recoveryCodes } = await withCodes(api)
    const [first, second] = recoveryCodes
    expect((await login(email, { code: first?.toUpperCase().replaceAll("-", " ") })).status).toBe(200)
    expect((await login(email, { code: first })).status).toBe(401)
    expect((await api.get("/auth/factors")).body.data.recoveryCodesLeft).toBe(9)
    const renewed = (await api.post("/auth/recovery-codes", { currentPassword })).body.data.recoveryCodes
    expect((await login(email, { code: second })).status).toBe(401)
    expect((await login(email, { code: renewed[0] })).status).toBe(200)
  })

  test("and the secrets of factors are in no answer, audit entry, event or export", async () => {
    const { api } = await person("admin")
    const { secret, recoveryCodes } = await withCodes(api)
    const seen = [
      (await api.get("/auth/factors")).text,
      (await api.get("/auth/me")).text,
      (await api.get("/audit-logs?perPage=100")).text,
      (await api.get("/users/export?format=ndjson")).text,
    ].join("\n")
    for (const text of [secret, ...recoveryCodes]) expect(seen).not.toContain(text)
    expect(seen).toContain("auth.add-factor")
  })
})

describe("A passkey", () => {
  test("replaces password and code", async () => {
    const { id, api } = await person()
    const { device, answer } = await withPasskey(api)
    expect(answer).toMatchObject({ status: 201, body: { data: { type: "passkey", name: "Laptop" } } })
    expect(answer.body.data.recoveryCodes.length).toBe(10)
    const response = device.get(await signInOptions(), { origin })
    expect((await open("passkeys/sign-in", { response })).body.data).toMatchObject({ user: { id } })
  })

  test("is asked for beside the password, which a recovery code replaces", async () => {
    const { email, api } = await person()
    const { answer } = await withPasskey(api)
    const refused = await login(email)
    expect(refusalOf(refused)).toMatchObject({ status: 401, code: "SECOND_FACTOR_REQUIRED" })
    expect(refused.body.error.message).toContain("passkey")
    expect((await login(email, { code: answer.body.data.recoveryCodes[0] })).status).toBe(200)
  })

  test.each<[string, (device: ReturnType<typeof authenticator>, challenge: string) => object]>([
    [
      "of another page",
      (device, challenge) => device.get({ challenge }, { origin: "https://kontor.example" }),
    ],
    [
      "of another relying party",
      (device, challenge) => device.get({ challenge }, { origin, rpId: "evil.example" }),
    ],
    [
      "without verification of the user",
      (device, challenge) => device.get({ challenge }, { origin }, { isVerified: false }),
    ],
    ["for a challenge that nobody gave", (device) => device.get({ challenge: "AAAA" }, { origin })],
    [
      "of another device",
      (device, challenge) => ({
        ...authenticator().get({ challenge }, { origin }),
        id: device.id,
        rawId: device.id,
      }),
    ],
    ["that is not an answer at all", (device) => ({ id: device.id, response: { clientDataJSON: 7 } })],
    [
      "of a device whose counter went back",
      (device, challenge) => {
        device.rewind()
        return device.get({ challenge }, { origin })
      },
    ],
  ])("is refused with an answer %s", async (_what, answerOf) => {
    const { api } = await person()
    const { device } = await withPasskey(api)
    await open("passkeys/sign-in", { response: device.get(await signInOptions(), { origin }) })
    const { challenge } = await signInOptions()
    const answer = await open("passkeys/sign-in", { response: answerOf(device, challenge) })
    expect(refusalOf(answer)).toMatchObject({ status: 401, code: "INVALID_CREDENTIALS" })
  })

  test("answers each challenge once, and a challenge to add one is none to sign in", async () => {
    const { api } = await person()
    const { device } = await withPasskey(api)
    const options = await signInOptions()
    const response = device.get(options, { origin })
    expect((await open("passkeys/sign-in", { response })).status).toBe(200)
    expect((await open("passkeys/sign-in", { response })).status).toBe(401)
    const again = device.get(options, { origin })
    expect((await open("passkeys/sign-in", { response: again })).status).toBe(401)
    const other = (await api.post("/auth/passkeys/options", { currentPassword })).body.data
    expect((await open("passkeys/sign-in", { response: device.get(other, { origin }) })).status).toBe(401)
  })

  test("is not added with the challenge of another session, nor without the password", async () => {
    const [mine, theirs] = [await person(), await person()]
    const options = (await theirs.api.post("/auth/passkeys/options", { currentPassword })).body.data
    const response = authenticator().create(options, { origin })
    const body = { name: "Thief", response }
    expect(refusalOf(await mine.api.post("/auth/passkeys", body)).fields).toEqual(["response"])
    expect(
      (await mine.api.post("/auth/passkeys/options", { currentPassword: "wrong horse 12" })).status,
    ).toBe(422)
    expect((await theirs.api.post("/auth/passkeys", body)).status).toBe(201)
    const { device } = await withPasskey(mine.api)
    const once = (await theirs.api.post("/auth/passkeys/options", { currentPassword })).body.data
    const taken = await theirs.api.post("/auth/passkeys", {
      name: "Copy",
      response: device.create(once, { origin }),
    })
    expect(taken.status).toBe(422)
  })

  test("that was removed signs nobody in", async () => {
    const { api } = await person()
    const { device, answer } = await withPasskey(api)
    const removed = await api.call("DELETE", `/auth/factors/${answer.body.data.id}`, { currentPassword })
    expect(removed.status).toBe(204)
    const response = device.get(await signInOptions(), { origin })
    expect((await open("passkeys/sign-in", { response })).status).toBe(401)
  })
})

const requireOf = async (who: string) =>
  expect((await admin.put("/settings", { requireSecondFactor: who })).status).toBe(200)

describe("The setting requireSecondFactor", () => {
  test("lets those it names do nothing but add a factor, also in sessions that are open", async () => {
    const [{ email, api }, other] = [await person(), await person("admin")]
    const { key } = await api.create("/api-keys", { name: "Key", scopes: ["read"] })
    await withCodes(admin, adminPassword)
    await requireOf("admins")
    expect([(await api.get("/items")).status, (await admin.get("/items")).status]).toEqual([200, 200])
    expect(refusalOf(await other.api.put("/settings", { requireSecondFactor: "nobody" }))).toMatchObject({
      status: 403,
      code: "SECOND_FACTOR_SETUP_REQUIRED",
    })
    await requireOf("everybody")
    const signedIn = await signIn(kontor, email, password)
    for (const path of ["/customers", "/events", "/search?q=x", "/settings", "/customers/export"])
      expect(refusalOf(await signedIn.get(path)).code).toBe("SECOND_FACTOR_SETUP_REQUIRED")
    expect((await signedIn.post("/customers", { name: "C" })).status).toBe(403)
    expect((await signedIn.get("/auth/me")).body.data).toMatchObject({ mustAddFactor: true })
    expect((await apiWith(kontor, { "x-api-key": key }).get("/items")).status).toBe(200)
    await withCodes(signedIn)
    expect((await signedIn.get("/items")).status).toBe(200)
    await requireOf("nobody")
  })

  test("does not hold up what goes on without a person: the webhooks of a user without a factor", async () => {
    const received = receiver()
    const manager = await person("manager")
    await webhookOf(manager.api, received.url)
    await requireOf("everybody")
    await admin.create("/items", { itemCode: "WEB-1", itemName: "Seen" })
    await until(() => received.hits.length > 0)
    await requireOf("nobody")
  })
})

describe("GET /auth/sessions", () => {
  test("lists the sessions of the caller, each of which can be ended", async () => {
    const { api, email } = await person()
    const other = await signIn(kontor, email, password)
    const sessions = (await api.get("/auth/sessions")).body.data
    expect(sessions.length).toBe(2)
    expect(sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent).length).toBe(1)
    expect(sessions[0]).toMatchObject({ ip: expect.any(String), userAgent: expect.any(String) })
    const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    const stranger = await person()
    expect((await stranger.api.delete(`/auth/sessions/${id}`)).status).toBe(404)
    expect((await api.delete(`/auth/sessions/${id}`)).status).toBe(204)
    expect((await other.get("/auth/me")).status).toBe(401)
  })
})

describe("Connecting an app", () => {
  const typed = (email: string, more: object = {}) => ({ email, password, ...more }) as Record<string, string>
  const start = async () => {
    const client = await clientOf(admin, { scopes: ["read"] })
    const browser = browse(kontor)
    return { browser, page: await browser.open(askUrl(client, pkce().challenge, { scope: "read" })) }
  }

  test("asks for the code beside the password", async () => {
    const { email, api } = await person()
    const { next } = await withCodes(api)
    const { browser, page } = await start()
    const refused = await browser.submit(page, "sign-in", typed(email))
    expect([refused.status, refused.text.includes("Send the code")]).toEqual([401, true])
    const consent = await browser.submit(refused, "sign-in", typed(email, { code: next() }))
    expect([consent.status, consent.text.includes("wants to act for you")]).toEqual([200, true])
  })

  test("is refused to a user who must add a factor first", async () => {
    const { email } = await person()
    const { browser, page } = await start()
    await requireOf("everybody")
    const shown = await browser.submit(page, "sign-in", typed(email))
    await requireOf("nobody")
    expect([shown.status, shown.text.includes("Add a second factor first")]).toEqual([200, true])
  })
})
