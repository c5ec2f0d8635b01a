// The client that `kontor client` prints signs in, and keeps its session.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { signIn, type Api } from "../support/api"
import { adminEmail, adminPassword, cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { clientOf, connect } from "../support/oauth"

const root = join(import.meta.dir, "../..")
const person = { email: adminEmail, password: adminPassword }

let kontor: Kontor
let api: Api
// The printed file is loaded when the tests run, so it has no types here.
let printed: any

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  mkdirSync(join(root, "dist"), { recursive: true })
  const folder = emptyFolder(join(root, "dist"))
  await Bun.write(join(folder, "kontor.ts"), (await run(["client"])).stdout)
  printed = await import(join(folder, "kontor.ts"))
})
afterAll(cleanUp)

type Told = { token: string; refreshToken: string; expiresIn: number }

/** A client that signs in, with the last parts of the paths that it requests, and the tokens that it has told. */
function clientWith(signIn: object, expiresIn?: number) {
  const paths: string[] = []
  const told: Told[] = []
  let refusals = 0
  const client = printed.createClient({
    url: kontor.url,
    signIn,
    onTokens: async (tokens: Told) => {
      // What stores them may take its time.
      await Bun.sleep(20)
      told.push(tokens)
    },
    async fetch(url: string, init: RequestInit) {
      const name = url.split("/").at(-1) ?? ""
      paths.push(name)
      if (name === "me" && refusals-- > 0) return expired()
      const response = await fetch(url, init)
      const text = await response.text()
      const shown =
        expiresIn === undefined ? text : text.replace(/"expiresIn":\d+/, `"expiresIn":${expiresIn}`)
      return new Response(response.status === 204 ? null : shown, response)
    },
  })
  return {
    client,
    paths,
    told,
    ask: () => client.auth.me() as Promise<{ email: string }>,
    /** The server refuses the token of this many requests. */
    refuse: (count: number) => void (refusals = count),
  }
}

const expired = () =>
  Response.json(
    { success: false, error: { code: "TOKEN_EXPIRED", message: "Expired.", details: [] } },
    { status: 401 },
  )

const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => null,
    (error) => error,
  )

test("signs in with the first calls, once for all of them, and tells of the tokens before they are used", async () => {
  const { paths, told, ask } = clientWith(person)
  for (const { email } of await Promise.all([ask(), ask(), ask()])) expect(email).toBe(adminEmail)
  expect(paths).toEqual(["login", "me", "me", "me"])
  expect(told).toMatchObject([{ expiresIn: 3_600 }])
})

test("refreshes a token before it expires, and never with a refresh token that was used", async () => {
  const { paths, told, ask } = clientWith(person, 0)
  await ask()
  await Promise.all([ask(), ask()])
  await ask()
  expect(paths).toEqual(["login", "me", "refresh", "me", "me", "refresh", "me"])
  expect(new Set(told.map(({ refreshToken }) => refreshToken)).size).toBe(3)
})

test("refreshes a token that the server refuses once for all calls, and gives up when that does not help", async () => {
  const { paths, ask, refuse } = clientWith(person)
  await ask()
  refuse(2)
  await Promise.all([ask(), ask()])
  expect(paths.slice(2)).toEqual(["me", "me", "refresh", "me", "me"])
  refuse(2)
  expect(await failure(ask())).toMatchObject({ status: 401, code: "TOKEN_EXPIRED" })
  expect(paths.slice(7)).toEqual(["me", "refresh", "me"])
})

test("signs in again when the session was ended, if it has a password", async () => {
  const { client, paths, told, ask } = clientWith(person)
  await client.auth.logout()
  expect(await ask()).toMatchObject({ email: adminEmail })
  expect(paths).toEqual(["login", "logout", "me", "refresh", "login", "me"])
  const stored = clientWith({ refreshToken: told[0]?.refreshToken })
  expect(await failure(stored.ask())).toMatchObject({ status: 401, code: "INVALID_REFRESH_TOKEN" })
  expect(stored.paths).toEqual(["refresh"])
})

test("goes on with a refresh token that was stored", async () => {
  const first = clientWith(person)
  await first.ask()
  const next = clientWith({ refreshToken: first.told[0]?.refreshToken })
  expect(await next.ask()).toMatchObject({ email: adminEmail })
  expect(next.paths).toEqual(["refresh", "me"])
  expect(next.told[0]?.refreshToken).not.toBe(first.told[0]?.refreshToken)
})

test("does not take a wrong password of a call for a token that has expired", async () => {
  const { client, paths } = clientWith(person)
  const login = client.auth.login({ ...person, password: "wrong" })
  expect(await failure(login)).toMatchObject({ status: 401, code: "INVALID_CREDENTIALS" })
  expect(paths).toEqual(["login", "login"])
  const wrong = clientWith({ ...person, password: "wrong" })
  expect(await failure(wrong.ask())).toMatchObject({ status: 401, code: "INVALID_CREDENTIALS" })
  expect(wrong.paths).toEqual(["login"])
})

test("a signal ends the wait of its call for a token, and of no other call", async () => {
  const answered = Promise.withResolvers<void>()
  const client = printed.createClient({
    url: kontor.url,
    signIn: person,
    fetch: async (url: string, init: RequestInit) => {
      await answered.promise
      return fetch(url, init)
    },
  })
  const other = client.auth.me()
  expect(await failure(client.auth.me({ signal: AbortSignal.timeout(50) }))).toMatchObject({
    name: "TimeoutError",
  })
  answered.resolve()
  expect(await other).toMatchObject({ email: adminEmail })
})

test("refreshes the tokens of an app that a person has connected", async () => {
  const app = await clientOf(api)
  const { tokens } = await connect(kontor, app)
  const { clientId, clientSecret } = app
  const signIn = { clientId, clientSecret, refreshToken: tokens.refresh_token }
  const { paths, told, ask } = clientWith(signIn)
  expect(await ask()).toMatchObject({ email: adminEmail, credential: { type: "oauthClient" } })
  expect(paths).toEqual(["token", "me"])
  const next = clientWith({ ...signIn, refreshToken: told[0]?.refreshToken })
  expect(await next.ask()).toMatchObject({ email: adminEmail })
  const wrong = clientWith({ ...signIn, refreshToken: "wrong" })
  expect(await failure(wrong.ask())).toMatchObject({ status: 400, code: "INVALID_REFRESH_TOKEN" })
})
