import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, signIn, type Api } from "../support/api"
import { inFile, withoutReferences } from "../support/file"
import { adminEmail, adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"
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
let other: Client
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  client = await clientOf(api)
  other = await clientOf(api, { name: "Other" })
})
afterAll(cleanUp)

/** The name contains the port that the browser uses, so that two Kontors on one host have two cookies. */
const cookieName = () => `kontor_oauth_${new URL(kontor.url).port}`
const open = (url: string) => browse(kontor).open(url)
const errorOf = (location: string | null) => Object.fromEntries(new URL(location ?? "").searchParams)

/** An unused code, and the parameters to exchange it. */
async function freshCode(scope = "read") {
  const { verifier, challenge } = pkce()
  const back = await agree(browse(kontor), askUrl(client, challenge, { scope }))
  return {
    grant_type: "authorization_code",
    code: back.searchParams.get("code") ?? "",
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...credentials(client),
  }
}
const exchange = (fields: Record<string, string>) => ask(kontor, "token", fields)

describe("a redirect URI that differs from the registered one in any character is never used", () => {
  test.each([
    ["another host", "https://evil.example/callback"],
    ["a longer path", `${redirectUri}/more`],
    ["a slash at the end", `${redirectUri}/`],
    ["a query", `${redirectUri}?next=1`],
    ["a fragment", `${redirectUri}#x`],
    ["capitals in the host", "https://SHOP.example/callback"],
    ["capitals in the path", "https://shop.example/Callback"],
    ["a user name", "https://shop.example@evil.example/callback"],
    ["a host that only begins like the registered one", "https://shop.example.evil.example/callback"],
    ["a port", "https://shop.example:8443/callback"],
    ["the default port of https", "https://shop.example:443/callback"],
    ["http", "http://shop.example/callback"],
    ["dots in the path", "https://shop.example/x/../callback"],
    ["an escape", "https://shop.example/%63allback"],
    ["a backslash", "https://shop.example\\@evil.example/callback"],
    ["a script", "javascript:alert(1)"],
    ["a line break", `${redirectUri}\r\nSet-Cookie: a=b`],
    ["nothing", ""],
  ])("%s", async (_, uri) => {
    const answer = await open(askUrl(client, pkce().challenge, { redirect_uri: uri }))
    expect([answer.status, answer.location]).toEqual([400, null])
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
  })

  test("there is no redirect either when the client is unknown, missing or given twice", async () => {
    for (const url of [
      askUrl({ id: "", clientId: "cli_nobody" }, pkce().challenge),
      askUrl(client, pkce().challenge, { client_id: null }),
      `${askUrl(client, pkce().challenge)}&client_id=${other.clientId}`,
      `${askUrl(client, pkce().challenge)}&redirect_uri=https://evil.example/`,
    ])
      expect(await open(url)).toMatchObject({ status: 400, location: null })
  })

  test("on the user's own machine only the port may differ", async () => {
    const app = await clientOf(api, { type: "public", redirectUris: ["http://127.0.0.1:1234/cb"] })
    const statusOf = async (uri: string) =>
      (await open(askUrl(app, pkce().challenge, { redirect_uri: uri }))).status
    expect(await statusOf("http://127.0.0.1:9999/cb")).toBe(200)
    for (const uri of [
      "http://127.0.0.1:99999/cb",
      "http://127.0.0.1:0/cb",
      "http://127.0.0.1:9999/cb/",
      "http://127.0.0.2:1234/cb",
      "http://localhost:1234/cb",
      "https://127.0.0.1:1234/cb",
      "http://127.0.0.1:1234@evil.example/cb",
    ])
      expect([uri, await statusOf(uri)]).toEqual([uri, 400])
  })
})

describe("any other error is reported to the client, with its state and our issuer", () => {
  const cases: [string, Record<string, string | null>, string][] = [
    ["without PKCE", { code_challenge: null, code_challenge_method: null }, "invalid_request"],
    ["with PKCE plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["without a challenge method", { code_challenge_method: null }, "invalid_request"],
    ["with an invalid challenge", { code_challenge: "short" }, "invalid_request"],
    ["for the response type token", { response_type: "token" }, "unsupported_response_type"],
    ["without a response type", { response_type: null }, "invalid_request"],
    ["for more scopes than the client is registered for", { scope: "read delete" }, "invalid_scope"],
    ["for an unknown scope", { scope: "everything" }, "invalid_scope"],
  ]
  test.each(cases)("%s", async (_, more, error) => {
    const answer = await open(askUrl(client, pkce().challenge, { state: "st&te=1", ...more }))
    expect(answer.status).toBe(303)
    expect(answer.location).toStartWith(`${redirectUri}?`)
    expect(errorOf(answer.location)).toEqual({
      error,
      error_description: expect.any(String),
      state: "st&te=1",
      iss: kontor.url,
    })
  })

  test.each(["scope", "state", "code_challenge", "response_type", "nonce"])(
    "with %s given twice",
    async (name) => {
      const answer = await open(`${askUrl(client, pkce().challenge)}&${name}=1&${name}=2`)
      expect(errorOf(answer.location)).toMatchObject({ error: "invalid_request", iss: kontor.url })
    },
  )
})

describe("a code", () => {
  test.each([
    ["a wrong verifier", { code_verifier: pkce().verifier }],
    ["a verifier that is too short", { code_verifier: "abc" }],
    ["another redirect URI", { redirect_uri: "https://shop.example/other" }],
    ["another code", { code: "x".repeat(43) }],
  ])("is refused with %s, and stays valid", async (_, more) => {
    const fields = await freshCode()
    const answer = await exchange({ ...fields, ...more })
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_grant"])
    expect((await exchange(fields)).status).toBe(200)
  })

  test.each(["code_verifier", "redirect_uri", "code"])("is refused without %s", async (name) => {
    const { [name]: _, ...rest } = (await freshCode()) as Record<string, string>
    expect((await exchange(rest)).body.error).toBe("invalid_request")
  })

  test("is refused for another client", async () => {
    const fields = await freshCode()
    const answer = await exchange({ ...fields, ...credentials(other) })
    expect(answer.body.error).toBe("invalid_grant")
    expect((await exchange(fields)).status).toBe(200)
  })

  test("used twice ends the session; used by an unauthenticated client it ends nothing", async () => {
    const fields = await freshCode()
    const { access_token: token, refresh_token: refreshToken } = (await exchange(fields)).body
    const works = async () =>
      (await apiWith(kontor, { authorization: `Bearer ${token}` }).get("/items")).status
    await exchange({ ...fields, code_verifier: pkce().verifier })
    await exchange({ ...fields, ...credentials(other) })
    expect(await works()).toBe(200)
    expect((await exchange(fields)).body.error).toBe("invalid_grant")
    expect(await works()).toBe(401)
    const again = await ask(kontor, "token", {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      ...credentials(client),
    })
    expect(again.body.error).toBe("invalid_grant")
  })

  test("used fifty times at once is exchanged once", async () => {
    const fields = await freshCode()
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(fields)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(49)
  })

  test("is valid for one minute", async () => {
    const fields = await freshCode()
    inFile(kontor, (db) =>
      db.run("UPDATE oauth_codes SET created_at = ? WHERE session IS NULL", [
        new Date(Date.now() - 61_000).toISOString(),
      ]),
    )
    expect((await exchange(fields)).body.error).toBe("invalid_grant")
  })

  test.each([
    [
      "signs out everywhere",
      async (_: string, email: string) => (await signIn(kontor, email)).post("/auth/logout-all"),
    ],
    ["gets another password", (id: string) => api.put(`/users/${id}`, { password: "another password" })],
    [
      "gets another password from the command line",
      (_: string, email: string) =>
        run(["users", "set-password", "--email", email, "--password-stdin"], {
          cwd: kontor.cwd,
          stdin: "another password",
        }),
    ],
    [
      "is disabled from the command line",
      async (_: string, email: string) => {
        await run(["users", "disable", "--email", email], { cwd: kontor.cwd })
        await run(["users", "enable", "--email", email], { cwd: kontor.cwd })
      },
    ],
  ])("that is not used yet ends when its user %s", async (_, how) => {
    const email = `${crypto.randomUUID()}@shop.example`
    const user = await api.create("/users", { email, name: "Ida", role: "manager", password: adminPassword })
    const { verifier, challenge } = pkce()
    const back = await agree(browse(kontor), askUrl(client, challenge), { email })
    await how(user.id, email)
    const answer = await exchange({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...credentials(client),
    })
    expect(answer.body.error).toBe("invalid_grant")
  })

  test("grants no more than the client is currently registered for, and the response shows it", async () => {
    const shop = await clientOf(api)
    const { verifier, challenge } = pkce()
    const back = await agree(browse(kontor), askUrl(shop, challenge, { scope: "read write" }))
    await api.put(`/oauth-clients/${shop.id}`, { scopes: ["read"] })
    const answer = await exchange({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...credentials(shop),
    })
    expect(answer.body.scope).toBe("read")
    await api.put(`/oauth-clients/${shop.id}`, { scopes: ["read", "write"] })
    const token = apiWith(kontor, { authorization: `Bearer ${answer.body.access_token}` })
    expect((await token.post("/items", { itemCode: "NO", itemName: "No" })).status).toBe(403)
  })

  test("is stored as a digest only", async () => {
    const { code } = await freshCode()
    const kept = inFile(kontor, (db) => JSON.stringify(db.query("SELECT * FROM oauth_codes").all()))
    expect(kept).not.toContain(code)
  })
})

describe("an OAuth client with wrong credentials", () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` })
  const cases: [string, () => [Record<string, string>, Record<string, string>]][] = [
    ["with a wrong secret", () => [{ client_id: client.clientId, client_secret: "wrong" }, {}]],
    ["without a secret", () => [{ client_id: client.clientId }, {}]],
    [
      "with the secret of another client",
      () => [{ client_id: client.clientId, client_secret: other.clientSecret ?? "" }, {}],
    ],
    ["that is unknown", () => [{ client_id: "cli_nobody", client_secret: "x" }, {}]],
    ["without an id", () => [{}, {}]],
    ["with a wrong secret in the header", () => [{}, basic(`${client.clientId}:wrong`)]],
    ["with an invalid header", () => [{}, { authorization: "Basic %%%" }]],
    ["with a token instead", () => [{ client_id: client.clientId }, { authorization: "Bearer x" }]],
  ]
  test.each(cases)("%s is 401 at each endpoint", async (_, of) => {
    const [fields, headers] = of()
    for (const [path, more] of [
      ["token", { grant_type: "refresh_token", refresh_token: "x" }],
      ["revoke", { token: "x" }],
      ["introspect", { token: "x" }],
    ] as const) {
      const answer = await ask(kontor, path, { ...more, ...fields }, headers)
      expect([path, answer.status, answer.body.error]).toEqual([path, 401, "invalid_client"])
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="kontor"')
    }
  })

  test("two kinds of credentials in one request are refused", async () => {
    const answer = await ask(
      kontor,
      "introspect",
      { token: "x", ...credentials(client) },
      basic(`${client.clientId}:${client.clientSecret}`),
    )
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"])
  })
})

describe("a refresh token", () => {
  const refresh = (refreshToken: string, by: Client, scope?: string) =>
    ask(kontor, "token", {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      ...(scope ? { scope } : {}),
      ...credentials(by),
    })

  test("used fifty times at once has one next token, after whose use the grant ends", async () => {
    const shop = await clientOf(api)
    const { tokens } = await connect(kontor, shop)
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(tokens.refresh_token, shop)))
    const [first] = answers
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    const last = await refresh(first?.body.refresh_token, shop)
    expect(last.status).toBe(200)
    expect((await refresh(tokens.refresh_token, shop)).body.error).toBe("invalid_grant")
    const token = apiWith(kontor, { authorization: `Bearer ${last.body.access_token}` })
    expect((await token.get("/items")).status).toBe(401)
  })

  test("stays valid after a request that is refused", async () => {
    const shop = await clientOf(api)
    const { tokens } = await connect(kontor, shop, { scope: "read write" })
    await api.put(`/oauth-clients/${shop.id}`, { scopes: ["delete"] })
    expect((await refresh(tokens.refresh_token, shop)).body.error).toBe("invalid_grant")
    await api.put(`/oauth-clients/${shop.id}`, { scopes: ["read", "write"] })
    expect((await refresh(tokens.refresh_token, shop, "read delete")).body.error).toBe("invalid_scope")
    expect((await refresh(tokens.refresh_token, shop)).body.scope).toBe("read write")
  })

  test("that was used is recognized, even when the request asks for too many scopes", async () => {
    const shop = await clientOf(api)
    const { tokens } = await connect(kontor, shop)
    const next = await refresh(tokens.refresh_token, shop)
    const last = await refresh(next.body.refresh_token, shop)
    expect((await refresh(tokens.refresh_token, shop, "read delete")).body.error).toBe("invalid_grant")
    expect((await refresh(last.body.refresh_token, shop)).body.error).toBe("invalid_grant")
  })

  test("that was idle for too long is inactive, and is refused", async () => {
    const shop = await clientOf(api)
    const { tokens } = await connect(kontor, shop)
    inFile(kontor, (db) =>
      db.run("UPDATE sessions SET last_used_at = '2020-01-01T00:00:00.000Z' WHERE grant_id IS NOT NULL"),
    )
    const told = await ask(kontor, "introspect", { token: tokens.refresh_token, ...credentials(shop) })
    expect(told.body).toEqual({ active: false })
    expect((await refresh(tokens.refresh_token, shop)).body.error).toBe("invalid_grant")
  })
})

describe("an access token", () => {
  test("never becomes a token of its user, even if the database is changed", async () => {
    const shop = await clientOf(api)
    const { tokens } = await connect(kontor, shop)
    inFile(kontor, (db) => {
      withoutReferences(db)
      db.run("DELETE FROM oauth_clients WHERE id = ?", [shop.id])
    })
    const token = apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` })
    expect((await token.get("/auth/me")).status).toBe(401)
    inFile(kontor, (db) => db.run("DELETE FROM oauth_grants WHERE client = ?", [shop.id]))
  })

  test("without the scope names the missing scope, as RFC 6750 requires", async () => {
    const { tokens } = await connect(kontor, client)
    const answer = await apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` }).post(
      "/items",
      {},
    )
    expect(answer.headers.get("www-authenticate")).toBe(
      'Bearer realm="kontor", error="insufficient_scope", scope="write"',
    )
  })
})

describe("the token endpoint", () => {
  test("stops reading a body that never ends", async () => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += 65_536
        if (sent > 64 * 1024 * 1024) controller.close()
        else controller.enqueue(new Uint8Array(65_536).fill(97))
      },
    })
    const answer = await fetch(`${kontor.url}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    }).catch(() => null)
    expect(answer === null || answer.status === 400).toBeTrue()
    expect(sent).toBeLessThan(48 * 1024 * 1024)
  })

  test("names no parameter with characters that the RFCs do not allow", async () => {
    const twice = encodeURIComponent('"\\\n')
    const answer = await ask(kontor, "token", `${twice}=1&${twice}=2`)
    expect(answer.body.error_description).toBe("A parameter is given more than once.")
    const back = await open(`${askUrl(client, pkce().challenge)}&${twice}=1&${twice}=2`)
    expect(errorOf(back.location)["error_description"]).toBe("A parameter is given more than once.")
  })

  test("refuses duplicate parameters, other grants, and bodies that are not forms", async () => {
    const twice = `grant_type=refresh_token&refresh_token=a&refresh_token=b&${new URLSearchParams(credentials(client))}`
    expect((await ask(kontor, "token", twice)).body.error).toBe("invalid_request")
    for (const grant of ["password", "urn:ietf:params:oauth:grant-type:jwt-bearer", "implicit"])
      expect((await ask(kontor, "token", { grant_type: grant, ...credentials(client) })).body.error).toBe(
        "unsupported_grant_type",
      )
    expect((await ask(kontor, "token", { ...credentials(client) })).body.error).toBe("invalid_request")
    const json = await ask(kontor, "token", JSON.stringify({ grant_type: "x" }), {
      "content-type": "application/json",
    })
    expect([json.status, json.body.error]).toEqual([400, "invalid_request"])
    const get = await fetch(`${kontor.url}/oauth/token`)
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"])
    expect((await get.json()).error).toBe("invalid_request")
  })

  test("is limited by address, and responds in its own format", async () => {
    const limited = await serve({
      env: {
        KONTOR_PLANS: "anonymous=2:unlimited",
        KONTOR_ADMIN_EMAIL: adminEmail,
        KONTOR_ADMIN_PASSWORD: adminPassword,
      },
    })
    for (let i = 0; i < 2; i++) await ask(limited, "token", {})
    const answer = await ask(limited, "token", {})
    expect([answer.status, answer.body.error]).toEqual([429, "temporarily_unavailable"])
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})

describe("the pages", () => {
  const consent = async () => {
    const browser = browse(kontor)
    const shop = await clientOf(api)
    const url = askUrl(shop, pkce().challenge)
    const first = await browser.open(url)
    return {
      browser,
      url,
      page: await browser.submit(first, "sign-in", { email: adminEmail, password: adminPassword }),
    }
  }

  test("accept only forms that were created for this browser and this request", async () => {
    const mine = await consent()
    const foreign = await consent()
    const token = /name="form_token" value="([^"]+)"/.exec(foreign.page.text)?.[1] ?? ""
    const post = (url: string, fields: Record<string, string>, cookies = mine.browser.cookies) =>
      fetch(kontor.url + url, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        },
        body: new URLSearchParams(fields).toString(),
      })
    const own = /name="form_token" value="([^"]+)"/.exec(mine.page.text)?.[1] ?? ""
    for (const answer of [
      await post(mine.url, { form_token: token, action: "allow" }),
      await post(mine.url, { action: "allow" }),
      await post(mine.url, { form_token: own, action: "allow" }, new Map()),
      await post(`${mine.url}&scope=read+write`.replace("scope=read&", ""), {
        form_token: own,
        action: "allow",
      }),
    ]) {
      expect(answer.headers.get("location")).toBeNull()
      expect(answer.status).toBe(403)
    }
    expect((await post(mine.url, { form_token: own, action: "allow" })).status).toBe(303)
  })

  test("allow no more scopes than they showed, even if the user has more in the meantime", async () => {
    const email = "rising@shop.example"
    const user = await api.create("/users", { email, name: "Rita", role: "viewer", password: adminPassword })
    const shop = await clientOf(api)
    const browser = browse(kontor)
    const first = await browser.open(askUrl(shop, pkce().challenge, { scope: "read write" }))
    const shown = await browser.submit(first, "sign-in", { email, password: adminPassword })
    expect(shown.text).not.toContain("Create and update records")
    await api.put(`/users/${user.id}`, { role: "manager" })
    expect(await browser.submit(shown, "allow")).toMatchObject({ status: 403, location: null })
  })

  test("ask again for a client that any program on the user's machine could impersonate", async () => {
    const app = await clientOf(api, {
      type: "public",
      redirectUris: ["http://127.0.0.1/cb", "com.example.app:/cb"],
    })
    const browser = browse(kontor)
    await agree(browser, askUrl(app, pkce().challenge, { redirect_uri: "http://127.0.0.1:5/cb" }))
    for (const uri of ["http://127.0.0.1:6/cb", "com.example.app:/cb"])
      expect((await browser.open(askUrl(app, pkce().challenge, { redirect_uri: uri }))).text).toContain(
        'value="allow"',
      )
  })

  test("have no effect for HEAD, and respond with a page in case of an error", async () => {
    const { browser } = await connect(kontor, client)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const head = await fetch(kontor.url + askUrl(client, pkce().challenge), {
      method: "HEAD",
      redirect: "manual",
      headers: { cookie },
    })
    expect([head.status, head.headers.get("location")]).toEqual([405, null])
    const put = await fetch(kontor.url + askUrl(client, pkce().challenge), { method: "PUT" })
    expect([put.status, put.headers.get("content-type")]).toEqual([405, "text/html; charset=utf-8"])
  })

  test("record a Deny and a foreign form in the audit log", async () => {
    const shop = await clientOf(api)
    const browser = browse(kontor)
    const first = await browser.open(askUrl(shop, pkce().challenge))
    const page = await browser.submit(first, "sign-in", { email: adminEmail, password: adminPassword })
    await browser.submit(page, "deny")
    const { data } = (await api.get(`/audit-logs?action=oauth.deny&recordId=${shop.id}`)).body
    expect(data).toHaveLength(1)
    expect((await api.get("/audit-logs?action=access.refused")).body.meta.total).toBeGreaterThan(0)
  })

  test("cannot be framed, run no script, and have a cookie that scripts cannot read", async () => {
    const answer = await open(askUrl(client, pkce().challenge))
    const policy = answer.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' https: http:;")
    expect(policy).not.toContain("unsafe")
    expect(answer.headers.get("x-frame-options")).toBe("DENY")
    expect(answer.headers.get("set-cookie")).toMatch(
      new RegExp(`^${cookieName()}=[\\w.-]+; Path=/oauth; Max-Age=\\d+; HttpOnly; SameSite=Lax$`),
    )
    expect(answer.text).not.toContain("<script")
  })

  test("let the browser follow the redirect to any address, also with a custom URI scheme", async () => {
    const app = await clientOf(api, {
      type: "public",
      redirectUris: ["http://[::1]:7/cb", "com.example.app:/cb"],
    })
    const targetOf = async (uri: string) => {
      const answer = await open(askUrl(app, pkce().challenge, { redirect_uri: uri }))
      return /form-action 'self' ([^;]+)/.exec(answer.headers.get("content-security-policy") ?? "")?.[1]
    }
    expect(await targetOf("http://[::1]:7/cb")).toBe("http: https:")
    expect(await targetOf("com.example.app:/cb")).toBe("com.example.app: https: http:")
  })

  test("show markup in names, states and addresses as text", async () => {
    const evil = await clientOf(api, { name: `<img src=x onerror="alert(1)">` })
    const browser = browse(kontor)
    const first = await browser.open(askUrl(evil, pkce().challenge, { state: `"><script>alert(1)</script>` }))
    expect(first.text).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;")
    expect(first.text).not.toMatch(/<img|<script/)
    const page = await browser.submit(first, "sign-in", { email: `"><b>x`, password: "wrong password" })
    expect(page.text).not.toContain("<b>x")
  })

  test("a modified cookie is ignored", async () => {
    const { browser } = await connect(kontor, client)
    const value = browser.cookies.get(cookieName()) ?? ""
    expect(value).not.toBe("")
    browser.cookies.set(
      cookieName(),
      value.replace(/^./, (letter) => (letter === "s" ? "t" : "s")),
    )
    expect((await browser.open(askUrl(client, pkce().challenge))).text).toContain('value="sign-in"')
  })

  test("over https the cookie is only for this host and https, and no other cookie is read", async () => {
    const secure = await serve({ args: ["--public-url", "https://kontor.example:8443"] })
    const shop = await clientOf(await signIn(secure))
    const browser = browse(secure)
    const url = askUrl(shop, pkce().challenge)
    const first = await browser.open(url)
    expect(first.headers.get("set-cookie")).toMatch(
      /^__Host-kontor_oauth_8443=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    )
    await agree(browser, url)
    const [[name, value] = ["", ""]] = browser.cookies
    browser.cookies.clear()
    for (const other of ["kontor_oauth", "kontor_oauth_8443", `kontor_oauth_${new URL(secure.url).port}`])
      browser.cookies.set(other, value)
    expect((await browser.open(url)).text).toContain('value="sign-in"')
    browser.cookies.set(name, value)
    expect((await browser.open(url)).status).toBe(303)
  })

  test("the cookie of another Kontor on the same host is ignored", async () => {
    const other = await serve()
    const theirClient = await clientOf(await signIn(other))
    const [here, there] = [browse(kontor), browse(other)]
    await agree(here, askUrl(client, pkce().challenge))
    await agree(there, askUrl(theirClient, pkce().challenge))
    const jar = [...here.cookies, ...there.cookies]
    expect(new Set(jar.map(([name]) => name)).size).toBe(2)
    for (const [browser, url] of [
      [here, askUrl(client, pkce().challenge)],
      [there, askUrl(theirClient, pkce().challenge)],
    ] as const) {
      for (const [name, value] of jar) browser.cookies.set(name, value)
      expect((await browser.open(url)).status).toBe(303)
    }
  })

  test("the issuer never comes from a request", async () => {
    const answer = await fetch(`${kontor.url}/.well-known/oauth-authorization-server`, {
      headers: { host: "localhost:1" },
    })
    expect((await answer.json()).issuer).toBe(kontor.url)
    const named = await serve({ args: ["--public-url", "https://kontor.example"] })
    expect((await (await fetch(`${named.url}/.well-known/oauth-authorization-server`)).json()).issuer).toBe(
      "https://kontor.example",
    )
  })
})
