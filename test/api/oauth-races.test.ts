import type { Database } from "../../src/core/engine/engine"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { changeAhead, inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import {
  agree,
  ask,
  askUrl,
  browse,
  clientOf,
  connect,
  credentials,
  pkce,
  type Client,
} from "../support/oauth"

/** Rights are checked again inside the write, because they may have been removed while the write waited. */
let kontor: Kontor
let api: Api
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

const password = "a fine password"
let users = 0
/** A manager who has signed in on the consent page and can agree. */
async function asked() {
  const email = `giver${++users}@example.com`
  const user = await api.create("/users", { email, name: "Giver", role: "manager", password })
  const client = await clientOf(api)
  const browser = browse(kontor)
  const url = askUrl(client, pkce().challenge, { scope: "read write" })
  const first = await browser.open(url)
  const page = await browser.submit(first, "sign-in", { email, password })
  expect(page.text).toContain('value="allow"')
  return { client, browser, page, url, user, email }
}
type Asked = Awaited<ReturnType<typeof asked>>

const rowsOf = (sql: string, id: string) =>
  inFile(kontor, (db) => db.query<{ n: number }, [string]>(`SELECT count(*) AS n FROM ${sql}`).get(id)?.n)
const codesFor = ({ client }: { client: Client }) =>
  rowsOf("oauth_codes JOIN oauth_grants ON oauth_grants.id = grant_id WHERE client = ?", client.id)
const run = (db: Database, sql: string, ...values: string[]) => db.query(sql).run(...values)

describe("agreeing", () => {
  const taken: [string, (db: Database, asked: Asked) => unknown, shown: string][] = [
    [
      "the session ended",
      (db, { user }) => run(db, "DELETE FROM sessions WHERE user = ?", user.id),
      'value="sign-in"',
    ],
    [
      "the user was disabled",
      (db, { user }) => run(db, "UPDATE users SET is_active = 0 WHERE id = ?", user.id),
      'value="sign-in"',
    ],
    [
      "the user's role was changed",
      (db, { user }) => run(db, "UPDATE users SET role = 'viewer' WHERE id = ?", user.id),
      'value="allow"',
    ],
    [
      "the client was deleted",
      (db, { client }) => run(db, "DELETE FROM oauth_clients WHERE id = ?", client.id),
      "is not registered",
    ],
    [
      "the redirect URI was removed",
      (db, { client }) =>
        run(
          db,
          `UPDATE oauth_clients SET redirect_uris = '["https://new.example/cb"]' WHERE id = ?`,
          client.id,
        ),
      "not registered for it",
    ],
  ]
  test.each(taken)("returns no code when %s in the meantime", async (_, change, shown) => {
    const given = await asked()
    const answer = await changeAhead(
      kontor,
      (db) => change(db, given),
      () => given.browser.submit(given.page, "allow"),
    )
    expect(answer.status).toBe(303)
    expect(answer.location).toStartWith("/oauth/authorize?")
    expect(codesFor(given)).toBe(0)
    expect(rowsOf("oauth_grants WHERE client = ?", given.client.id)).toBe(0)
    expect((await given.browser.open(answer.location ?? "")).text).toContain(shown)
  })

  test("returns no code for a scope that the client lost in the meantime", async () => {
    const given = await asked()
    const answer = await changeAhead(
      kontor,
      (db) => run(db, `UPDATE oauth_clients SET scopes = '["read"]' WHERE id = ?`, given.client.id),
      () => given.browser.submit(given.page, "allow"),
    )
    expect(codesFor(given)).toBe(0)
    const again = await given.browser.open(answer.location ?? "")
    expect(new URL(again.location ?? "").searchParams.get("error")).toBe("invalid_scope")
  })

  test("is requested again when the earlier grant was withdrawn in the meantime", async () => {
    const given = await asked()
    await given.browser.submit(given.page, "allow")
    const answer = await changeAhead(
      kontor,
      (db) => run(db, "DELETE FROM oauth_grants WHERE client = ?", given.client.id),
      () => given.browser.open(given.url),
    )
    expect(answer.location).toStartWith("/oauth/authorize?")
    expect(codesFor(given)).toBe(0)
    expect((await given.browser.open(answer.location ?? "")).text).toContain('value="allow"')
  })

  test("many times at once, while the client is deleted, never causes a server error", async () => {
    const { browser, client } = await asked()
    const pages = await Promise.all(
      Array.from({ length: 20 }, () => browser.open(askUrl(client, pkce().challenge))),
    )
    const answers = await Promise.all([
      ...pages.slice(0, 10).map((page) => browser.submit(page, "allow")),
      api.delete(`/oauth-clients/${client.id}`),
      ...pages.slice(10).map((page) => browser.submit(page, "allow")),
    ])
    for (const { status } of answers) expect(status).toBeLessThan(500)
    expect(codesFor({ client })).toBe(0)
  })
})

describe("a client that lost its rights while its request waited", () => {
  const losses: [string, (db: Database, client: Client) => unknown][] = [
    [
      "because of a new secret",
      (db, { id }) =>
        run(db, "UPDATE oauth_client_digests SET digest = ? WHERE client = ?", "0".repeat(64), id),
    ],
    ["because it was deleted", (db, { id }) => run(db, "DELETE FROM oauth_clients WHERE id = ?", id)],
  ]

  test.each(losses)("%s gets nothing for a code", async (_, lose) => {
    const client = await clientOf(api)
    const { verifier, challenge } = pkce()
    const back = await agree(browse(kontor), askUrl(client, challenge))
    const answer = await changeAhead(
      kontor,
      (db) => lose(db, client),
      () =>
        ask(kontor, "token", {
          grant_type: "authorization_code",
          code: back.searchParams.get("code") ?? "",
          redirect_uri: back.origin + back.pathname,
          code_verifier: verifier,
          ...credentials(client),
        }),
    )
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } })
    expect(
      rowsOf("sessions JOIN oauth_grants ON oauth_grants.id = grant_id WHERE client = ?", client.id),
    ).toBe(0)
  })

  test.each(losses)("%s gets nothing for a refresh token", async (_, lose) => {
    const client = await clientOf(api)
    const { tokens } = await connect(kontor, client)
    const answer = await changeAhead(
      kontor,
      (db) => lose(db, client),
      () =>
        ask(kontor, "token", {
          grant_type: "refresh_token",
          refresh_token: tokens.refresh_token,
          ...credentials(client),
        }),
    )
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } })
  })

  test.each(losses)("%s can revoke nothing", async (_, lose) => {
    const client = await clientOf(api)
    const { tokens } = await connect(kontor, client)
    const answer = await changeAhead(
      kontor,
      (db) => lose(db, client),
      () => ask(kontor, "revoke", { token: tokens.refresh_token, ...credentials(client) }),
    )
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } })
    const { data } = (await api.get(`/audit-logs?action=oauth.revoke&recordId=${client.id}`)).body
    expect(data).toEqual([])
  })
})
