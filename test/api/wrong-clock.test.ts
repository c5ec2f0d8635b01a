import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { inFile, shiftTimes } from "../support/file"
import { adminEmail, adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"
import {
  agree,
  ask,
  askUrl,
  browse,
  clientOf,
  credentials,
  pkce,
  redirectUri,
  type Client,
} from "../support/oauth"
import { until } from "../support/until"

/** A database that was written once while the machine's clock was in 2099. test/cli/clock.test.ts changes a real clock. */
let kontor: Kontor
let api: Api
let client: Client
beforeAll(async () => {
  kontor = await serve()
  await kontor.stop()
  inFile(kontor, (db) =>
    db.run(
      `INSERT INTO audit_logs (seq, id, actor_type, action, outcome, changes, created_at, hash)
       SELECT max(seq) + 1, 'aud_2099', 'system', 'clock', 'success', '{}', '2099-01-01T00:00:00.000Z', 'x' FROM audit_logs`,
    ),
  )
  kontor = await serve({ cwd: kontor.cwd })
  api = await signIn(kontor)
  client = await clientOf(api)
})
afterAll(cleanUp)

const restart = async () => {
  await kontor.stop()
  kontor = await serve({ cwd: kontor.cwd })
  api = await signIn(kontor)
}
/** Changes a timestamp in a column by an interval. */
const shift = (table: string, column: string, by: string) =>
  inFile(kontor, (db) => shiftTimes(db, table, column, by))
const countOf = (table: string) =>
  inFile(kontor, (db) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n)
const login = async () =>
  (await send(`${kontor.url}/api/v1/auth/login`, { body: { email: adminEmail, password: adminPassword } }))
    .body.data
const refresh = (refreshToken: string) =>
  send(`${kontor.url}/api/v1/auth/refresh`, { body: { refreshToken } })
const works = async (token: string) =>
  (await apiWith(kontor, { authorization: `Bearer ${token}` }).get("/auth/me")).status

test("record timestamps follow the clock, whatever was written before", async () => {
  const before = new Date().toISOString()
  const item = await api.create("/items", { itemCode: "CLOCK", itemName: "Clock" })
  expect(item.createdAt >= before && item.createdAt <= new Date().toISOString()).toBe(true)
})

test("one entry of the audit log marks where the clock was set back", async () => {
  const { body } = await api.get("/audit-logs?action=clock.set-back")
  expect(body.data).toMatchObject([
    { kind: "clock", changes: { clockAt: { from: "2099-01-01T00:00:00.000Z" } } },
  ])
})

describe("a code", () => {
  const exchange = async (by: string) => {
    const { verifier, challenge } = pkce()
    const back = await agree(browse(kontor), askUrl(client, challenge))
    shift("oauth_codes", "created_at", by)
    return ask(kontor, "token", {
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...credentials(client),
    })
  }
  test("is valid for one minute", async () => {
    expect((await exchange("-50 seconds")).status).toBe(200)
    expect((await exchange("-61 seconds")).body.error).toBe("invalid_grant")
  })

  test("of the future is invalid", async () => {
    expect((await exchange("+30 seconds")).status).toBe(200)
    expect((await exchange("+70 seconds")).body.error).toBe("invalid_grant")
  })
})

describe("a refresh token that was replaced", () => {
  test.each([
    ["-8 seconds", 200],
    ["-11 seconds", 401],
    ["+70 seconds", 401],
  ])("%s from now, returns %p", async (by, status) => {
    const { refreshToken } = await login()
    await refresh(refreshToken)
    shift("refresh_tokens", "replaced_at", by)
    expect((await refresh(refreshToken)).status).toBe(status)
  })
})

describe("a session", () => {
  test.each([
    ["last_used_at", "-29 days", 200],
    ["last_used_at", "-31 days", 401],
    ["created_at", "-91 days", 401],
    ["last_used_at", "+70 seconds", 401],
    ["created_at", "+70 seconds", 401],
  ])("with %s %s from now, returns %p", async (column, by, status) => {
    const { refreshToken } = await login()
    shift("sessions", column, by)
    expect((await refresh(refreshToken)).status).toBe(status)
    api = await signIn(kontor)
  })

  test.each(["created_at", "last_used_at"])("with %s in the future gives no access", async (column) => {
    const { token } = await login()
    expect(await works(token)).toBe(200)
    shift("sessions", column, "+70 seconds")
    expect(await works(token)).toBe(401)
    api = await signIn(kontor)
  })
})

describe("an access token", () => {
  test("that was issued while the clock was wrong has expired", async () => {
    const { token } = await login()
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())
    const made = (ahead: number) => forged({ ...claims, iat: claims.iat + ahead, exp: claims.exp + ahead })
    expect(await works(made(30))).toBe(200)
    const refused = await apiWith(kontor, { authorization: `Bearer ${made(70)}` }).get("/auth/me")
    expect(refusalOf(refused)).toMatchObject({ status: 401, code: "TOKEN_EXPIRED" })
  })

  /** Signed with the secret of the database, as Kontor signs. */
  function forged(claims: object): string {
    const secret =
      inFile(kontor, (db) =>
        db.query<{ value: string }, []>("SELECT value FROM secrets WHERE name = 'tokens'").get(),
      )?.value ?? ""
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const text = `${part({ alg: "HS256" })}.${part(claims)}`
    return `${text}.${new Bun.CryptoHasher("sha256", secret).update(text).digest("base64url")}`
  }
})

describe("the stored response of a repeated request", () => {
  const postTwice = async (key: string, by: string) => {
    const post = () => api.post("/api-keys", { name: key, scopes: ["read"] }, { "idempotency-key": key })
    await post()
    shift("idempotency_keys", "created_at", by)
    return (await post()).headers.get("idempotent-replayed")
  }
  test.each([
    ["-23 hours", "true"],
    ["-25 hours", null],
    ["+30 seconds", "true"],
    ["+70 seconds", null],
  ])("%s from now, is replayed: %p", async (by, replayed) => {
    expect(await postTwice(`again ${by}`, by)).toBe(replayed)
  })
})

describe("an API key", () => {
  const daysUntil = (end: string) => (Date.parse(end) - Date.now()) / (24 * 60 * 60_000)

  test("expires 90 days from now by default", async () => {
    const { expiresAt } = await api.create("/api-keys", { name: "Clock", scopes: ["read"] })
    expect(daysUntil(expiresAt)).toBeCloseTo(90, 1)
  })

  test("of the command line expires after the given number of days", async () => {
    for (const [more, days] of [
      [[], 90],
      [["--expires", "7d"], 7],
    ] as const) {
      const args = ["keys", "create", "--name", "Clock", "--scopes", "read", "--json", ...more]
      const { stdout } = await run(args, { cwd: kontor.cwd })
      expect(daysUntil(JSON.parse(stdout).expiresAt)).toBeCloseTo(days, 1)
    }
  })
})

test("a start deletes old events, also if one among them is dated in the future", async () => {
  for (const itemCode of ["OLD-1", "OLD-2", "OLD-3", "NEW"])
    await api.create("/items", { itemCode, itemName: itemCode })
  const codes = async () =>
    (await api.get("/events?types=items.created&limit=100")).body.data.map(
      ({ recordId }: { recordId: string }) => recordId,
    )
  const all = await codes()
  const last = all.at(-1)
  inFile(kontor, (db) => {
    const newest = "SELECT max(seq) FROM events"
    db.run(`UPDATE events SET created_at = '2020-01-01T00:00:00.000Z' WHERE seq < (${newest})`)
    db.run(`UPDATE events SET created_at = '2099-01-01T00:00:00.000Z' WHERE seq = (${newest}) - 2`)
  })
  await restart()
  await until(async () => (await codes()).length === 1)
  expect(await codes()).toEqual([last])
})

test("a start deletes data that is dated in the future", async () => {
  await agree(browse(kontor), askUrl(client, pkce().challenge))
  await api.post("/api-keys", { name: "Kept", scopes: ["read"] }, { "idempotency-key": "kept" })
  for (const table of ["sessions", "oauth_codes", "idempotency_keys"]) {
    expect(countOf(table)).toBeGreaterThan(0)
    shift(table, "created_at", "+200 days")
  }
  await restart()
  const left = () => [countOf("sessions"), countOf("oauth_codes"), countOf("idempotency_keys")]
  await until(() => left().join() === "1,0,0")
})
