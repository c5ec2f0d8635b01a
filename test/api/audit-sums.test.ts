import { afterAll, beforeAll, expect, test } from "bun:test"
import { apiWith, send, signIn, type Api } from "../support/api"
import { adminEmail, cleanUp, serve, type Kontor } from "../support/kontor"
import { askUrl, clientOf, pkce } from "../support/oauth"

let kontor: Kontor
let admin: Api
const start = async (cwd?: string) => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"], ...(cwd ? { cwd } : {}) })
  admin = await signIn(kontor)
}
/** Only a shutdown writes the sums of a minute that is not over. */
const restart = async () => {
  await kontor.stop()
  await start(kontor.cwd)
}
beforeAll(() => start())
afterAll(cleanUp)

const from = (ip: string) => ({ "x-forwarded-for": ip })
const entries = async (query: string) => (await admin.get(`/audit-logs?${query}`)).body.data
const attemptsOf = (found: { changes: { attempts?: { to: number } } }[]) =>
  found.map(({ changes }) => changes.attempts?.to)
const times = async (count: number, work: () => Promise<{ status: number }>, status: number) => {
  for (let i = 0; i < count; i++) expect((await work()).status).toBe(status)
}
const foreignPost = (ip: string) => () =>
  send(`${kontor.url}/console/session`, {
    headers: { ...from(ip), origin: "https://evil.example" },
    body: { email: adminEmail, password: "x" },
  })

test("cross-site requests to the console's session are summed by address and minute", async () => {
  await times(7, foreignPost("192.0.2.70"), 403)
  await times(3, foreignPost("192.0.2.71"), 403)
  expect(await entries("ip=192.0.2.70")).toMatchObject([
    {
      actorType: "anonymous",
      action: "access.refused",
      outcome: "refused",
      changes: {
        request: { from: null, to: "POST /console/session" },
        code: { from: null, to: "FORBIDDEN" },
        attempts: { from: null, to: 1 },
      },
    },
  ])
  await restart()
  const [sum, first] = await entries("ip=192.0.2.70")
  expect(attemptsOf([sum, first])).toEqual([6, 1])
  expect(sum).toMatchObject({ action: "access.refused", outcome: "refused", userAgent: null })
  expect(sum.changes).toEqual({ code: { from: null, to: "FORBIDDEN" }, attempts: { from: null, to: 6 } })
  expect(attemptsOf(await entries("ip=192.0.2.71"))).toEqual([2, 1])
})

test("expired forms of the consent page are summed too", async () => {
  const client = await clientOf(admin)
  const oldForm = () =>
    send(kontor.url + askUrl(client, pkce().challenge), {
      method: "POST",
      headers: { ...from("192.0.2.72"), "content-type": "application/x-www-form-urlencoded" },
      body: "action=deny",
    })
  await times(5, oldForm, 403)
  await restart()
  expect(attemptsOf(await entries("ip=192.0.2.72"))).toEqual([4, 1])
})

test("uses of a key from an address that is not allowed are summed by address, minute and key", async () => {
  const make = (name: string) =>
    admin.create("/api-keys", { name, scopes: ["read"], allowedIps: ["203.0.113.0/24"] })
  const [one, two] = [await make("One"), await make("Two")]
  const use = (key: string) => () =>
    apiWith(kontor, { "x-api-key": key, ...from("192.0.2.73") }).get("/items/none/history")
  await times(4, use(one.key), 403)
  await times(3, use(two.key), 403)
  await restart()
  for (const [key, wanted] of [
    [one, [3, 1]],
    [two, [2, 1]],
  ] as const) {
    const found = await entries(`actor=${key.id}&action=access.refused`)
    expect(attemptsOf(found)).toEqual([...wanted])
    expect(found[0]).toMatchObject({
      actorType: "apiKey",
      actorName: key.name,
      ip: "192.0.2.73",
      changes: { code: { to: "IP_NOT_ALLOWED" } },
    })
  }
})

test("events from one address are summed by their type", async () => {
  const guess = () =>
    send(`${kontor.url}/api/v1/auth/login`, {
      headers: from("192.0.2.74"),
      body: { email: "guess@example.com", password: "wrong password" },
    })
  await times(3, foreignPost("192.0.2.74"), 403)
  await times(2, guess, 401)
  await restart()
  expect(attemptsOf(await entries("ip=192.0.2.74&action=access.refused"))).toEqual([2, 1])
  expect(attemptsOf(await entries("ip=192.0.2.74&action=auth.login"))).toEqual([1, 1])
})

test("each refusal of a valid caller gets its own entry", async () => {
  const { key, id } = await admin.create("/api-keys", { name: "Reader", scopes: ["read"] })
  await times(3, () => apiWith(kontor, { "x-api-key": key }).post("/items", {}), 403)
  const found = await entries(`actor=${id}&action=access.refused`)
  expect(attemptsOf(found)).toEqual([undefined, undefined, undefined])
})

test("any number of unauthenticated callers adds at most 60 immediate entries and some 200 sums per minute", async () => {
  const count = async () => (await admin.get("/audit-logs?action=access.refused")).body.meta.total
  await restart()
  const before = await count()
  for (let i = 0; i < 1_003; i++) await foreignPost(`198.51.${100 + (i >> 8)}.${i & 255}`)()
  expect((await count()) - before).toBe(60)
  await restart()
  // Of 200 addresses, 60 were written immediately and 140 have their own sums; all others share one.
  expect((await count()) - before).toBe(60 + 140 + 1)
  const [shared] = await entries("action=access.refused&perPage=1")
  expect(shared).toMatchObject({ actorType: "anonymous", actor: null, ip: null })
  expect(attemptsOf([shared])).toEqual([803])
})

test("the networks of one IPv6 site share a sum", async () => {
  await restart()
  for (let i = 0; i < 20; i++) await foreignPost(`2001:db8:77:${i.toString(16)}::1`)()
  await restart()
  const found = await entries("ip[like]=2001:db8:77%25")
  expect(attemptsOf(found)).toEqual([19, 1])
})
