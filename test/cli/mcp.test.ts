// `kontor mcp` and the protocol as others test it, with the demo shop.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { signIn } from "../support/api"
import { selfSigned } from "../support/certificate"
import { adminEmail, adminPassword, cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { client, modern, overStdio, toolsOf } from "../support/mcp"
import { ask, askUrl, browse, pkce } from "../support/oauth"
import { allowLoopback } from "../support/receiver"
import { sandbox, stopSandboxes, type Sandbox } from "../support/sandbox"

let shop: Sandbox
beforeAll(async () => void (shop = await sandbox()))
afterAll(async () => {
  await stopSandboxes()
  await cleanUp()
})

type Structured = { structuredContent?: unknown; content?: unknown; isError?: boolean }
// Tests read any field.
// eslint-disable-next-line typescript/no-explicit-any
const dataOf = ({ structuredContent }: Structured): any => structuredContent

test.each([["2025-11-25", "legacy"] as const, [modern, { pin: modern }] as const])(
  "an agent speaks %s over stdio: it drafts an order in the demo, and cannot submit or issue anything",
  async (_, mode) => {
    const agent = await client(overStdio(shop.url, shop.apiKey), mode)
    const call = async (name: string, args: Record<string, unknown>) =>
      agent.callTool({ name, arguments: args })
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      "search",
      "list",
      "get",
      "report",
      "draft_quotation",
      "draft_order",
      "draft_invoice",
    ])

    const { customers } = dataOf(await call("search", { q: "studio", types: "customers" })).matches
    const { items } = dataOf(await call("search", { q: "desk lamp" })).matches
    const order = { customer: customers[0].id, items: [{ item: items[0].id, quantity: 2 }] }
    const { record } = dataOf(await call("draft_order", order))
    expect(record).toMatchObject({ status: "draft", customer: customers[0].id })

    for (const [name, args] of [
      ["draft_order", { ...order, status: "submitted" }],
      ["draft_invoice", { ...order, status: "unpaid" }],
      ["draft_invoice", { ...order, send: true }],
    ] as const)
      expect(await call(name, args)).toMatchObject({ isError: true })
    for (const name of ["submit_order", "issue_invoice"])
      expect(await call(name, { id: record.id }).catch(() => "refused")).toBe("refused")
    expect((await shop.api.get(`/sales-orders/${record.id}`)).body.data.status).toBe("draft")

    const [entry] = (await shop.api.get(`/audit-logs?recordId=${record.id}`)).body.data
    expect(entry).toMatchObject({ via: "mcp", tool: "draft_order" })
    expect(`${entry.client} ${entry.userAgent}`).toContain("Tests 1.0")
    await agent.close()
  },
)

test("the command says what is missing, and answers when no server does", async () => {
  expect(await run(["mcp"])).toMatchObject({ code: 2, stderr: expect.stringContaining("KONTOR_API_KEY") })
  const lines = [
    '{"jsonrpc":"2.0","id":7,"method":"ping"}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    "nothing",
  ]
  const to = (url: string, key: string) =>
    run(["mcp", "--url", url], { env: { KONTOR_API_KEY: key }, stdin: `${lines.join("\n")}\n` })
  const off = await to("http://127.0.0.1:1", "x")
  expect([off.code, JSON.parse(off.stdout)]).toMatchObject([0, { id: 7, error: { code: -32603 } }])
  const wrong = await to(shop.url, "kon_wrong")
  expect(JSON.parse(wrong.stdout)).toMatchObject({ id: 7, error: { data: { code: "INVALID_API_KEY" } } })
  expect((await to(shop.url, shop.apiKey)).stdout).toBe('{"jsonrpc":"2.0","id":7,"result":{}}\n')
})

describe("an app that nobody has registered, and that describes itself", () => {
  const document = { client_name: "Chatty", redirect_uris: ["http://127.0.0.1:9/callback"] }
  let told: Record<string, unknown> = document
  let kontor: Kontor
  let url: string
  let requests = 0
  let site: Bun.Server<undefined>
  beforeAll(async () => {
    const { cert, key } = selfSigned(emptyFolder(), "localhost")
    site = Bun.serve({
      port: 0,
      tls: { cert: Bun.file(cert), key: Bun.file(key) },
      fetch: ({ url: asked }) => {
        requests++
        const { pathname } = new URL(asked)
        if (pathname === "/moved.json") return Response.redirect("/app.json", 302)
        return Response.json({ client_id: `${url}${pathname}`, ...told })
      },
    })
    url = `https://localhost:${site.port}`
    const env = {
      KONTOR_ADMIN_EMAIL: adminEmail,
      KONTOR_ADMIN_PASSWORD: adminPassword,
      NODE_EXTRA_CA_CERTS: cert,
    }
    kontor = await serve({ args: allowLoopback, env })
  })
  afterAll(() => site.stop(true))

  const asking = (clientId: string, challenge: string, more: object = {}) =>
    askUrl({ id: "", clientId }, challenge, {
      redirect_uri: "http://127.0.0.1:4711/callback",
      scope: "read write",
      resource: `${kontor.url}/mcp`,
      ...more,
    })

  test("gets tokens for the tools after a consent that names its host", async () => {
    const clientId = `${url}/app.json`
    const { verifier, challenge } = pkce()
    const browser = browse(kontor)
    const signedIn = await browser.submit(await browser.open(asking(clientId, challenge)), "sign-in", {
      email: adminEmail,
      password: adminPassword,
    })
    expect(signedIn.text).toContain(`localhost:${site.port}`)
    expect(signedIn.text).toContain("Any program on your computer can receive the permission")
    const api = await signIn(kontor)
    expect((await api.get("/oauth-clients")).body.data).toEqual([])
    const back = new URL((await browser.submit(signedIn, "allow")).location ?? "")
    const exchange = {
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: "http://127.0.0.1:4711/callback",
      code_verifier: verifier,
      client_id: clientId,
      resource: `${kontor.url}/mcp`,
    }
    expect((await ask(kontor, "token", { ...exchange, client_id: `${url}/other.json` })).status).toBe(401)
    const { body } = await ask(kontor, "token", exchange)
    expect(await toolsOf(kontor, { authorization: `Bearer ${body.access_token}` }).names()).toContain(
      "draft_order",
    )
    expect((await api.get("/oauth-clients")).body.data).toMatchObject([
      { name: "Chatty", type: "public", scopes: ["read", "write"], metadataUrl: clientId },
    ])
    // The page was shown three times, and the document was fetched once for each app.
    expect(requests).toBe(1)
  })

  test("is refused when its document or its address is not what it should be", async () => {
    const statusOf = async (clientId: string, more: object = {}) =>
      (await browse(kontor).open(asking(clientId, pkce().challenge, more))).status
    let n = 0
    for (const [name, wrong] of Object.entries({
      "another id": { client_id: `${url}/else.json` },
      "no name": { client_name: undefined },
      "a name that hides something": { client_name: "Kon\u202etor" },
      "a secret": { token_endpoint_auth_method: "client_secret_basic" },
      "a redirect URI of plain http": { redirect_uris: ["http://evil.example/"] },
      "no redirect URIs": { redirect_uris: [] },
      "a document that is too long": { more: "x".repeat(20_000) },
    })) {
      told = { ...document, ...wrong }
      expect([name, await statusOf(`${url}/wrong-${++n}.json`)]).toEqual([name, 400])
    }
    told = document
    const before = requests
    for (const clientId of [
      `http://localhost:${site.port}/a.json`,
      `${url}/`,
      `${url}/a.json#x`,
      `${url}/a.json?x=1`,
      `${url}/x/../a.json`,
      `https://me@localhost:${site.port}/a.json`,
      "https://10.0.0.1/a.json",
      "https://[::ffff:169.254.169.254]/a.json",
    ])
      expect([clientId, await statusOf(clientId)]).toEqual([clientId, 400])
    expect(requests).toBe(before)
    expect(await statusOf(`${url}/moved.json`)).toBe(400)
    expect(await statusOf(`${url}/good.json`, { redirect_uri: "http://127.0.0.1:4711/other" })).toBe(400)
    const api = await browse(kontor).open(asking(`${url}/good.json`, pkce().challenge, { resource: null }))
    expect(new URL(api.location ?? "").searchParams.get("error")).toBe("invalid_target")
  })
})

const toolsCall = (name: string) => `tools-call-${name}`

/** The scenarios that need tools of their own names, or parts of the protocol that this server does not have. */
const notOurs = [
  "server-sse-multiple-streams",
  "logging-set-level",
  "completion-complete",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  ...["simple-text", "image", "audio", "embedded-resource", "mixed-content", "with-logging"].map(toolsCall),
  ...["error", "with-progress", "sampling", "elicitation"].map(toolsCall),
  ...["list", "read-text", "read-binary", "templates-read", "subscribe", "unsubscribe"].map(
    (name) => `resources-${name}`,
  ),
  ...["list", "get-simple", "get-with-args", "get-embedded-resource", "get-with-image"].map(
    (name) => `prompts-${name}`,
  ),
]

test("the conformance tests of the protocol pass, other than those of what this server does not have", async () => {
  // The tool sends no credential, so this adds one.
  const proxy = Bun.serve({
    port: 0,
    fetch: ({ method, headers: sent, body }) => {
      const headers = new Headers(sent)
      headers.set("x-api-key", shop.apiKey)
      headers.set("accept-encoding", "identity")
      return fetch(`${shop.url}/mcp`, { method, headers, body })
    },
  })
  const folder = emptyFolder()
  const failures = join(folder, "failures.yml")
  await Bun.write(failures, `server:\n${notOurs.map((name) => `  - ${name}\n`).join("")}`)
  const tool = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
  const args = ["--url", `http://localhost:${proxy.port}/mcp`, "--expected-failures", failures, "-o", folder]
  const child = Bun.spawn([process.execPath, tool, "server", "--suite", "active", ...args], {
    stdout: "pipe",
  })
  const output = await new Response(child.stdout).text()
  expect(output).toContain("dns-rebinding-protection: 2 passed, 0 failed")
  expect([await child.exited, output]).toEqual([0, expect.any(String)])
  await proxy.stop(true)
})
