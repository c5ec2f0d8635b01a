import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"
import {
  agree,
  ask,
  askUrl,
  browse,
  clientOf,
  connect,
  credentials,
  pkce,
  redirectUri,
  type Client,
} from "../support/oauth"

let kontor: Kontor
let api: Api
let client: Client
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  client = await clientOf(api)
  await api.create("/users", {
    email: "vera@shop.example",
    name: "Vera",
    role: "viewer",
    password: adminPassword,
  })
})
afterAll(cleanUp)

const bearer = (token: string) => apiWith(kontor, { authorization: `Bearer ${token}` })
const refresh = (refreshToken: string, more: Record<string, string> = {}, by = client) =>
  ask(kontor, "token", {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    ...credentials(by),
    ...more,
  })

describe("the authorization code flow", () => {
  test("signs in, asks for consent, redirects with a code and our issuer, and returns tokens for it", async () => {
    const browser = browse(kontor)
    const { verifier, challenge } = pkce()
    const first = await browser.open(askUrl(client, challenge, { state: "a b&c=<>" }))
    expect([first.status, first.text.includes("Web shop"), first.text.includes("shop.example")]).toEqual([
      200,
      true,
      true,
    ])
    const consent = await browser.submit(first, "sign-in", {
      email: "admin@example.com",
      password: adminPassword,
    })
    expect(consent.text).toContain("View your items, stock, customers, orders, invoices and profile")
    expect(consent.text).toContain("admin@example.com")
    const back = new URL((await browser.submit(consent, "allow")).location ?? "")
    expect(back.href).toStartWith(`${redirectUri}?`)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: "a b&c=<>",
      iss: kontor.url,
    })
    const answer = await ask(kontor, "token", {
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...credentials(client),
    })
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.any(String),
      scope: "read",
    })
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect((await bearer(answer.body.access_token).get("/items")).status).toBe(200)
  })

  test("accepts the secret in the Authorization header", async () => {
    const { verifier, challenge } = pkce()
    const back = await agree(browse(kontor), askUrl(client, challenge))
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString("base64")
    const answer = await ask(
      kontor,
      "token",
      {
        grant_type: "authorization_code",
        code: back.searchParams.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: verifier,
      },
      { authorization: `Basic ${basic}` },
    )
    expect(answer.status).toBe(200)
  })

  test("a public client needs no secret, and its port on the user's machine may differ", async () => {
    const app = await clientOf(api, { type: "public", redirectUris: ["http://127.0.0.1/callback"] })
    expect(app.clientSecret).toBeUndefined()
    const { verifier, challenge } = pkce()
    const redirect = "http://127.0.0.1:53123/callback"
    const back = await agree(browse(kontor), askUrl(app, challenge, { redirect_uri: redirect }))
    expect(back.origin).toBe("http://127.0.0.1:53123")
    const answer = await ask(kontor, "token", {
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: redirect,
      code_verifier: verifier,
      client_id: app.clientId,
    })
    expect(answer.status).toBe(200)
  })

  test("Deny redirects to the client without a code", async () => {
    const other = await clientOf(api)
    const browser = browse(kontor)
    const first = await browser.open(askUrl(other, pkce().challenge))
    const consent = await browser.submit(first, "sign-in", {
      email: "admin@example.com",
      password: adminPassword,
    })
    const back = new URL((await browser.submit(consent, "deny")).location ?? "")
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state: "s-1",
      iss: kontor.url,
    })
    expect(back.searchParams.has("code")).toBeFalse()
  })

  test("a wrong password is reported on the page, and the typed email stays", async () => {
    const browser = browse(kontor)
    const first = await browser.open(askUrl(client, pkce().challenge))
    const again = await browser.submit(first, "sign-in", {
      email: "vera@shop.example",
      password: "not the password",
    })
    expect(again.status).toBe(401)
    expect(again.text).toContain("The email address or the password is wrong.")
    expect(again.text).toContain('value="vera@shop.example"')
  })

  test("another account can be used instead", async () => {
    const { browser } = await connect(kontor, client)
    const other = await clientOf(api)
    const consent = await browser.open(askUrl(other, pkce().challenge))
    const signInAgain = await browser.submit(consent, "switch")
    const asVera = await browser.submit(signInAgain, "sign-in", {
      email: "vera@shop.example",
      password: adminPassword,
    })
    expect(asVera.text).toContain("vera@shop.example")
  })
})

describe("a grant", () => {
  test("is remembered for its scopes, and consent is needed again for more", async () => {
    const shop = await clientOf(api)
    const { browser } = await connect(kontor, shop)
    expect((await browser.open(askUrl(shop, pkce().challenge))).status).toBe(303)
    const more = await browser.open(askUrl(shop, pkce().challenge, { scope: "read write" }))
    expect([more.status, more.text.includes('value="allow"')]).toEqual([200, true])
  })

  test("is never remembered for the scope admin", async () => {
    const shop = await clientOf(api, { scopes: ["read", "admin"] })
    const { browser } = await connect(kontor, shop, { scope: "admin" })
    expect((await browser.open(askUrl(shop, pkce().challenge, { scope: "admin" }))).status).toBe(200)
  })

  test("is listed for the user, and ends immediately when it is revoked", async () => {
    const shop = await clientOf(api, { name: "Ledger" })
    const { tokens } = await connect(kontor, shop)
    const grants = (await api.get("/auth/grants")).body.data
    const grant = grants.find((each: { client: string }) => each.client === shop.id)
    expect(grant).toEqual({
      id: expect.stringMatching(/^grt_/),
      client: shop.id,
      clientName: "Ledger",
      scopes: ["read"],
      mcpScopes: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      lastUsedAt: expect.any(String),
    })
    const vera = await signIn(kontor, "vera@shop.example")
    expect(refusalOf(await vera.delete(`/auth/grants/${grant.id}`)).status).toBe(404)
    expect((await api.delete(`/auth/grants/${grant.id}`)).status).toBe(204)
    expect((await bearer(tokens.access_token).get("/items")).status).toBe(401)
    expect((await refresh(tokens.refresh_token, {}, shop)).body.error).toBe("invalid_grant")
    expect((await api.delete(`/auth/grants/${grant.id}`)).status).toBe(404)
  })
})

describe("a token", () => {
  test("can do exactly what its scopes and the user's role allow", async () => {
    const { tokens } = await connect(kontor, client)
    expect(
      refusalOf(await bearer(tokens.access_token).post("/items", { itemCode: "X", itemName: "X" })),
    ).toMatchObject({
      status: 403,
      code: "INSUFFICIENT_SCOPE",
    })
    const both = await connect(kontor, client, { scope: "read write" })
    expect(
      (await bearer(both.tokens.access_token).post("/items", { itemCode: "X1", itemName: "X" })).status,
    ).toBe(201)
    const vera = await connect(kontor, client, { scope: "read write", email: "vera@shop.example" })
    expect(vera.tokens.scope).toBe("read")
  })

  test("cannot create keys, users or clients, nor update settings or passwords", async () => {
    const shop = await clientOf(api, { scopes: ["read", "write", "delete", "admin"] })
    const { tokens } = await connect(kontor, shop, { scope: "read write delete admin" })
    const app = bearer(tokens.access_token)
    const tries = [
      await app.post("/api-keys", { name: "K", scopes: ["read"] }),
      await app.post("/users", { email: "x@y.example", name: "X", role: "admin", password: adminPassword }),
      await app.post("/oauth-clients", { name: "X", redirectUris: [redirectUri], scopes: ["read"] }),
      await app.put("/settings", { companyName: "Mine" }),
      await app.put("/auth/password", { currentPassword: adminPassword, newPassword: "another password" }),
      await app.post("/auth/logout-all"),
      await app.delete(`/auth/grants/grt_1`),
    ]
    for (const answer of tries) expect(refusalOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
    expect((await app.get("/users")).status).toBe(200)
  })

  test("is logged with the client, and counted per user and client", async () => {
    const shop = await clientOf(api, { name: "Till" })
    const before = Date.now()
    const { tokens } = await connect(kontor, shop, { scope: "read write" })
    const after = Date.now()
    const made = await bearer(tokens.access_token).create("/items", { itemCode: "AUD-1", itemName: "A" })
    const { data } = (await api.get(`/audit-logs?recordId=${made.id}`)).body
    expect(data[0]).toMatchObject({
      actorType: "oauthClient",
      actor: shop.id,
      actorName: "Till for admin@example.com",
    })
    const me = (await bearer(tokens.access_token).get("/auth/me")).body.data
    expect(me).toMatchObject({ credential: { type: "oauthClient", name: "Till" }, scopes: ["read", "write"] })
    expect(me.limits.minute.limit - me.limits.minute.remaining).toBe(2)
    // An hour after the token was made; a token has whole seconds.
    expect(Date.parse(me.expiresAt)).toBeWithin(before + 3_600_000 - 1_000, after + 3_600_000 + 1_001)
  })

  test("ends with the user, with the client, and with the client's registration for the scope", async () => {
    const [one, two, three] = [await clientOf(api), await clientOf(api), await clientOf(api)]
    const vera = (await connect(kontor, one, { email: "vera@shop.example" })).tokens
    const user = (await api.get("/users?email=vera@shop.example")).body.data[0]
    await api.put(`/users/${user.id}`, { isActive: false })
    expect((await bearer(vera.access_token).get("/items")).status).toBe(401)
    expect((await refresh(vera.refresh_token, {}, one)).body.error).toBe("invalid_grant")
    await api.put(`/users/${user.id}`, { isActive: true })
    const removed = (await connect(kontor, two)).tokens
    await api.delete(`/oauth-clients/${two.id}`)
    expect((await bearer(removed.access_token).get("/items")).status).toBe(401)
    const narrowed = (await connect(kontor, three, { scope: "read write" })).tokens
    await api.put(`/oauth-clients/${three.id}`, { scopes: ["read"] })
    expect(
      (await bearer(narrowed.access_token).post("/items", { itemCode: "N", itemName: "N" })).status,
    ).toBe(403)
    expect((await bearer(narrowed.access_token).get("/items")).status).toBe(200)
  })
})

describe("a refresh token", () => {
  test("is replaced with each use, and can ask for fewer scopes but never for more", async () => {
    const { tokens } = await connect(kontor, client, { scope: "read write" })
    const less = await refresh(tokens.refresh_token, { scope: "read" })
    expect(less.body).toMatchObject({ scope: "read", token_type: "Bearer" })
    expect(less.body.refresh_token).not.toBe(tokens.refresh_token)
    expect(
      (await bearer(less.body.access_token).post("/items", { itemCode: "L", itemName: "L" })).status,
    ).toBe(403)
    const full = await refresh(less.body.refresh_token)
    expect(full.body.scope).toBe("read write")
    expect((await refresh(full.body.refresh_token, { scope: "read write delete" })).body.error).toBe(
      "invalid_scope",
    )
    expect((await refresh(full.body.refresh_token)).status).toBe(200)
  })

  test("used again within ten seconds returns the same next token, with the scopes that are asked for", async () => {
    const { tokens } = await connect(kontor, client, { scope: "read write" })
    const next = await refresh(tokens.refresh_token)
    const again = await refresh(tokens.refresh_token, { scope: "read" })
    expect(again.body).toMatchObject({ refresh_token: next.body.refresh_token, scope: "read" })
    expect((await refresh(tokens.refresh_token, { scope: "read delete" })).body.error).toBe("invalid_scope")
    expect((await refresh(next.body.refresh_token)).status).toBe(200)
  })

  test.each([
    [
      "later",
      () =>
        inFile(kontor, (db) =>
          db.run(
            "UPDATE refresh_tokens SET replaced_at = '2020-01-01T00:00:00.000Z' WHERE replaced_at IS NOT NULL",
          ),
        ),
    ],
    ["after its next token was used", (next: string, shop: Client) => refresh(next, {}, shop)],
  ])("used a second time %s ends the grant of the client", async (_, change) => {
    const shop = await clientOf(api)
    const { tokens } = await connect(kontor, shop)
    const next = await refresh(tokens.refresh_token, {}, shop)
    await change(next.body.refresh_token, shop)
    expect((await refresh(tokens.refresh_token, {}, shop)).body.error).toBe("invalid_grant")
    expect((await refresh(next.body.refresh_token, {}, shop)).body.error).toBe("invalid_grant")
    expect((await bearer(next.body.access_token).get("/items")).status).toBe(401)
    const grants = (await api.get("/auth/grants")).body.data
    expect(grants.some((each: { client: string }) => each.client === shop.id)).toBeFalse()
  })

  test("is refused for another client, and on the sign-in endpoints of people", async () => {
    const other = await clientOf(api)
    const { tokens } = await connect(kontor, client)
    expect((await refresh(tokens.refresh_token, {}, other)).body.error).toBe("invalid_grant")
    const asPerson = await fetch(`${kontor.url}/api/v1/auth/refresh`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ refreshToken: tokens.refresh_token }),
    })
    expect(asPerson.status).toBe(401)
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })
})

describe("revoking and introspecting tokens", () => {
  test("a token is active for the client it was issued to, and for no other", async () => {
    const other = await clientOf(api)
    const { tokens } = await connect(kontor, client)
    const known = await ask(kontor, "introspect", { token: tokens.access_token, ...credentials(client) })
    expect(known.body).toMatchObject({
      active: true,
      scope: "read",
      client_id: client.clientId,
      username: "admin@example.com",
      token_type: "Bearer",
      iss: kontor.url,
      exp: expect.any(Number),
    })
    expect(
      (await ask(kontor, "introspect", { token: tokens.refresh_token, ...credentials(client) })).body.active,
    ).toBeTrue()
    for (const token of [tokens.access_token, tokens.refresh_token, "nonsense"])
      expect((await ask(kontor, "introspect", { token, ...credentials(other) })).body).toEqual({
        active: false,
      })
  })

  test.each(["access_token", "refresh_token"])(
    "revoking the %s ends the session; another client cannot",
    async (kind) => {
      const other = await clientOf(api)
      const { tokens } = await connect(kontor, client)
      expect((await ask(kontor, "revoke", { token: tokens[kind], ...credentials(other) })).status).toBe(200)
      expect((await bearer(tokens.access_token).get("/items")).status).toBe(200)
      expect((await ask(kontor, "revoke", { token: tokens[kind], ...credentials(client) })).status).toBe(200)
      expect((await bearer(tokens.access_token).get("/items")).status).toBe(401)
      expect((await refresh(tokens.refresh_token)).body.error).toBe("invalid_grant")
      expect((await ask(kontor, "revoke", { token: "unknown", ...credentials(client) })).status).toBe(200)
    },
  )
})

describe("clients", () => {
  test("are created by admins who signed in; the secret is shown once and stored as a digest", async () => {
    const made = await api.create("/oauth-clients", {
      name: "Books",
      redirectUris: [redirectUri, "com.example.app:/done"],
      scopes: ["read"],
    })
    expect(made).toMatchObject({ type: "confidential", clientId: made.id })
    expect(made.clientSecret).toMatch(/^[\w-]{43}$/)
    expect((await api.get(`/oauth-clients/${made.id}`)).text).not.toContain(made.clientSecret)
    const kept = inFile(kontor, (db) => JSON.stringify(db.query("SELECT * FROM oauth_client_digests").all()))
    expect(kept).not.toContain(made.clientSecret)
    const rotated = (await api.post(`/oauth-clients/${made.id}/rotate`)).body.data
    expect(rotated.clientSecret).not.toBe(made.clientSecret)
    const answer = await ask(kontor, "introspect", {
      token: "x",
      client_id: made.id,
      client_secret: made.clientSecret,
    })
    expect([answer.status, answer.body.error]).toEqual([401, "invalid_client"])
    const vera = await signIn(kontor, "vera@shop.example")
    expect((await vera.get("/oauth-clients")).status).toBe(403)
  })

  test.each([
    ["http on another machine", "http://shop.example/cb"],
    ["a fragment", "https://shop.example/cb#x"],
    ["a user name", "https://a@shop.example/cb"],
    ["a script", "javascript:alert(1)"],
    ["a path only", "/cb"],
    ["a space", "https://shop.example/c b"],
    ["a host that only begins like this machine", "http://127.0.0.1.evil.example/cb"],
    ["a custom scheme without a dot", "myapp:/cb"],
  ])("a redirect URI is refused when it is or contains %s", async (_, uri) => {
    const answer = await api.post("/oauth-clients", { name: "X", redirectUris: [uri], scopes: ["read"] })
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["redirectUris[0]"] })
  })

  test("are created, listed and removed on the command line, while the server runs", async () => {
    const at = ["--db", kontor.file, "--json"]
    const create = [
      "clients",
      "create",
      "--name",
      "Desk",
      "--redirect-uri",
      "http://127.0.0.1/cb",
      "--scopes",
      "read",
      "--public",
    ]
    const made = JSON.parse((await run([...create, ...at])).stdout)
    expect(made).toMatchObject({ name: "Desk", type: "public", redirectUris: ["http://127.0.0.1/cb"] })
    expect(
      (await browse(kontor).open(askUrl(made, pkce().challenge, { redirect_uri: "http://127.0.0.1:9/cb" })))
        .status,
    ).toBe(200)
    const listed = JSON.parse((await run(["clients", "list", ...at])).stdout)
    expect(listed.some(({ id }: { id: string }) => id === made.id)).toBeTrue()
    expect((await run(["clients", "remove", made.id, ...at])).code).toBe(0)
    expect((await browse(kontor).open(askUrl(made, pkce().challenge))).status).toBe(400)
    expect((await run(["clients", "create", "--name", "X", ...at])).code).toBe(2)
  })
})

describe("client_credentials", () => {
  const own = (by: Client, more: Record<string, string> = {}) =>
    ask(kontor, "token", { grant_type: "client_credentials", ...credentials(by), ...more })
  const machine = async (more: object = {}) => {
    const user = await api.create("/users", {
      email: `machine${Math.random()}@shop.example`,
      name: "Machine",
      role: "sales",
      password: adminPassword,
    })
    return {
      user,
      client: await clientOf(api, { scopes: ["read", "write", "delete"], actsAs: user.id, ...more }),
    }
  }

  test("lets a confidential client act as the user whom an admin has named, with both their rights", async () => {
    const { user, client: by } = await machine()
    const answer = await own(by, { scope: "read write" })
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "read write",
    })
    const acting = bearer(answer.body.access_token)
    expect((await acting.get("/auth/me")).body.data).toMatchObject({ id: user.id, role: "sales" })
    expect((await acting.post("/customers", { name: "By machine" })).status).toBe(201)
    expect((await acting.post("/items", { itemCode: "X", itemName: "X" })).status).toBe(403)
    // Asking again and again opens no more sessions.
    const before = inFile(kontor, (db) => db.query("SELECT count(*) AS n FROM sessions").get()) as {
      n: number
    }
    for (let i = 0; i < 3; i++) expect((await own(by)).body.scope).toBe("read")
    expect(inFile(kontor, (db) => db.query("SELECT count(*) AS n FROM sessions").get())).toEqual(before)
    expect((await acting.get("/items")).status).toBe(200)
  })

  test("is refused to other clients, other scopes and disabled users", async () => {
    expect((await own(client)).body.error).toBe("unauthorized_client")
    const { user, client: by } = await machine()
    expect((await own(by, { scope: "admin" })).body.error).toBe("invalid_scope")
    expect((await own({ ...by, clientSecret: "wrong" })).body.error).toBe("invalid_client")
    const acting = bearer((await own(by)).body.access_token)
    await api.put(`/users/${user.id}`, { isActive: false })
    expect((await acting.get("/items")).status).toBe(401)
    expect((await own(by)).body.error).toBe("unauthorized_client")
    const wrong = {
      name: "P",
      type: "public",
      redirectUris: [redirectUri],
      scopes: ["read"],
      actsAs: user.id,
    }
    expect(refusalOf(await api.post("/oauth-clients", wrong)).fields).toEqual(["actsAs"])
    const unknown = await api.put(`/oauth-clients/${by.id}`, { actsAs: "usr_01kb2qk3dvb6r8h5m9x4w7z2nc" })
    expect(refusalOf(unknown).fields).toEqual(["actsAs"])
  })

  test("ends when the admin names nobody any more, and gives no consent for others", async () => {
    const { user, client: by } = await machine()
    const acting = bearer((await own(by)).body.access_token)
    const browser = browse(kontor)
    const page = await browser.open(askUrl(by, pkce().challenge, { scope: "read" }))
    const shown = await browser.submit(page, "sign-in", { email: user.email, password: adminPassword })
    expect(shown.text).toContain('value="allow"')
    expect((await api.put(`/oauth-clients/${by.id}`, { actsAs: null })).status).toBe(200)
    expect((await acting.get("/items")).status).toBe(401)
    expect((await own(by)).body.error).toBe("unauthorized_client")
  })
})
