// The tools of assistants at /mcp: what they can do, what each caller may, and what nobody can do with them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, send, signIn, type Api } from "../support/api"
import { problemsInRows } from "../support/check"
import { testedAs } from "../support/engine"
import { until } from "../support/until"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { client, message, modern, overHttp, post, toolsOf } from "../support/mcp"
import { agree, ask, askUrl, browse, clientOf, credentials, pkce, redirectUri } from "../support/oauth"

let kontor: Kontor
let api: Api
let customer: { id: string; customerNumber: string }
const keys: Record<string, string> = {}

const password = "correct horse battery"
/** A key of a user with this role. */
async function keyOf(role: string, scopes: string[]): Promise<string> {
  const email = `${role}-${scopes.length}@example.com`
  await api.create("/users", { name: `A ${role}`, email, role, password })
  const user = await signIn(kontor, email, password)
  return (await user.create("/api-keys", { name: `Key of ${role}`, scopes })).key
}

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  customer = await api.create("/customers", { name: "Café Nordlicht" })
  await api.create("/items", { itemCode: "DESK", itemName: "Standing desk", sellingPrice: 100, taxRate: 20 })
  keys.admin = (await api.create("/api-keys", { name: "Assistant", scopes: ["read", "write"] })).key
  keys.all = (
    await api.create("/api-keys", { name: "All", scopes: ["read", "write", "delete", "admin"] })
  ).key
  keys.reader = (await api.create("/api-keys", { name: "Reader", scopes: ["read"] })).key
  keys.viewer = await keyOf("viewer", ["read"])
  keys.sales = await keyOf("sales", ["read", "write"])
})
afterAll(cleanUp)

const tools = (who = "admin") => toolsOf(kontor, { "x-api-key": keys[who] ?? "" })
const raw = (method: string, params: object = {}, headers: Record<string, string> = {}) => {
  const { body, headers: own } = message(method, params)
  return post(kontor, { "x-api-key": keys.admin ?? "" }, { body, headers: { ...own, ...headers } })
}
const draft = { customerNumber: "", items: [{ itemCode: "DESK", quantity: 2 }] }
const drafted = () => ({ ...draft, customerNumber: customer.customerNumber })

describe("the tools", () => {
  const reading = ["search", "list", "get", "report"]

  test("each caller sees those that it can use, in a fixed order", async () => {
    const all = [...reading, "draft_quotation", "draft_order", "draft_invoice"]
    expect(await tools("admin").names()).toEqual(all)
    expect(await tools("all").names()).toEqual(all)
    expect(await tools("sales").names()).toEqual([...reading, "draft_quotation", "draft_order"])
    expect(await tools("reader").names()).toEqual(reading)
    expect(await tools("viewer").names()).toEqual(reading)
  })

  test("an independent client of both revisions uses all of them, and their answers have their schemas", async () => {
    for (const mode of ["legacy", { pin: modern }] as const) {
      const found = await client(overHttp(kontor, { "x-api-key": keys.admin ?? "" }), mode)
      const { tools: listed } = await found.listTools()
      expect(listed.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([
        true,
        true,
        true,
        true,
        false,
        false,
        false,
      ])
      const calls: Record<string, object> = {
        search: { q: "desk" },
        list: { kind: "customers", filters: { name: ["Café Nordlicht", "Somebody, else"] } },
        get: { kind: "items", id: "DESK", by: "itemCode" },
        report: { report: "summary" },
        draft_quotation: { ...drafted(), dryRun: true },
        draft_order: { ...drafted(), dryRun: true },
        draft_invoice: drafted(),
      }
      expect(Object.keys(calls)).toEqual(listed.map(({ name }) => name))
      for (const [name, args] of Object.entries(calls))
        expect(await found.callTool({ name, arguments: args as Record<string, unknown> })).toMatchObject({
          isError: false,
        })
      await found.close()
    }
  })

  test("an assistant finds a customer and an item, drafts an order, and reads it", async () => {
    const { ask: use } = tools()
    const { matches } = await use("search", { q: "nordlicht" })
    expect(matches.customers[0].id).toBe(customer.id)
    const { record, note } = await use("draft_order", {
      customer: customer.id,
      items: [{ itemCode: "DESK", quantity: 2 }],
    })
    expect(record).toMatchObject({ status: "draft", total: 240 })
    expect(note).toContain(`${kontor.url}/console/`)
    expect(await use("get", { kind: "sales-orders", id: record.id })).toMatchObject({
      record: { id: record.id },
    })
    const list = await use("list", { kind: "sales-orders", filters: { status: "draft" }, sum: "total" })
    expect(list).toMatchObject({ kind: "sales-orders", total: 1, sums: { total: 240 }, nextCursor: null })
  })

  test("what it does is in the audit log with the tool and its program, and the chain holds", async () => {
    const { record } = await tools().ask("draft_order", drafted())
    const entries = (await api.get(`/audit-logs?recordId=${record.id}&via=mcp`)).body.data
    expect(entries).toMatchObject([
      {
        action: "sales-orders.create",
        actorType: "apiKey",
        actorName: "Assistant",
        via: "mcp",
        tool: "draft_order",
        client: "Tests 1.0",
      },
    ])
    const history = (await api.get(`/sales-orders/${record.id}/history`)).body.data
    expect(history).toMatchObject([{ via: "mcp", tool: "draft_order" }])
    expect(history[0]).not.toHaveProperty("client")
    expect(problemsInRows(testedAs(kontor.file))).toEqual([])
  })

  test("a call with the same idempotencyKey creates one draft", async () => {
    const { ask: use } = tools()
    const call = { ...drafted(), idempotencyKey: "agent-1" }
    const [first, second] = [await use("draft_order", call), await use("draft_order", call)]
    expect(second.record.id).toBe(first.record.id)
    expect(await tools().refusal("draft_order", { ...call, notes: "Other" })).toContain(
      "IDEMPOTENCY_KEY_REUSED",
    )
  })

  test("a call counts as one request", async () => {
    const remaining = async () => Number((await raw("tools/list")).headers.get("x-ratelimit-remaining"))
    const before = await remaining()
    await tools().ask("list", { kind: "items" })
    expect(await remaining()).toBe(before - 2)
  })
})

describe("nothing beyond drafts", () => {
  test.each([
    [
      "a status",
      "draft_order",
      { status: "submitted" },
      "status is not an argument of draft_order. It only creates drafts",
    ],
    [
      "a status of an invoice",
      "draft_invoice",
      { status: "unpaid" },
      "status is not an argument of draft_invoice",
    ],
    ["sending", "draft_invoice", { send: true }, "send is not an argument of draft_invoice"],
    ["a credit limit to be ignored", "draft_invoice", { override: true }, "override is not an argument"],
    ["a number of its own", "draft_order", { orderNumber: "SO-1" }, "orderNumber is not an argument"],
    [
      "an item that does not exist",
      "draft_order",
      { items: [{ itemCode: "NONE", quantity: 1 }] },
      "items[0].itemCode",
    ],
  ])("%s is refused, and nothing is stored", async (_, name, more, says) => {
    const count = async () => (await api.get("/sales-orders?perPage=1")).body.meta.total
    const before = await count()
    expect(await tools("all").refusal(name, { ...drafted(), ...more })).toContain(says)
    expect(await count()).toBe(before)
  })

  test("there is no tool for anything else, with any scope", async () => {
    for (const name of ["submit_order", "issue_invoice", "delete", "send", "__proto__", ""]) {
      const answer = await raw("tools/call", { name, arguments: {} }, { "mcp-name": name })
      expect([name, answer.body.error?.code]).toEqual([name, -32602])
    }
  })

  test("a name of a record leads to no other path, and no kind of the administration is read", async () => {
    const { refusal } = tools("all")
    for (const id of [
      "export",
      "duplicates",
      "values",
      "..",
      "../users",
      "by/email/x",
      "%2e%2e",
      `${customer.id}/history`,
    ])
      expect(await refusal("get", { kind: "customers", id })).toContain("is not an id of customers")
    expect(await refusal("get", { kind: "customers", id: "x", by: "../../users" })).toContain(
      "by must be a key",
    )
    expect(await refusal("get", { kind: "items", id: "../DESK", by: "itemCode" })).toContain("NOT_FOUND")
    for (const kind of [
      "users",
      "api-keys",
      "audit-logs",
      "settings",
      "oauth-clients",
      "webhooks",
      "../users",
    ])
      expect(await refusal("list", { kind })).toContain("kind must be one of")
  })
})

test("arguments of the wrong kind are refused in words", async () => {
  const { refusal } = tools()
  const cases: [string, object, string][] = [
    ["draft_order", { ...drafted(), idempotencyKey: "a\nb" }, "idempotencyKey must be"],
    ["draft_order", { ...drafted(), dryRun: "yes" }, "dryRun must be"],
    ["draft_order", { customerNumber: 7, items: "many" }, "items"],
    ["get", { kind: "items", by: "itemCode", id: "\u0000" }, "NOT_FOUND"],
    ["get", { kind: "items", id: 5 }, "id must be a text"],
    ["get", { kind: "items", id: "x", from: 0 }, "from must be"],
    ["list", { kind: "items", filters: ["x"] }, "filters must be an object"],
    ["list", { kind: "items", filters: { itemCode: { a: 1 }, nothing: 1 } }, "nothing"],
    ["list", { kind: "items", cursor: "x" }, "cursor"],
    ["search", {}, "q"],
    ["report", { report: "nothing" }, "report must be one of summary"],
    ["report", { report: "summary", at: "soon" }, "at"],
  ]
  for (const [name, args, says] of cases)
    expect([name, await refusal(name, args)]).toEqual([name, expect.stringContaining(says)])
})

describe("rights are those of the API", () => {
  test("a viewer, a key without write, and a role that may not draft are refused, which is recorded", async () => {
    for (const [who, name, code] of [
      ["viewer", "draft_order", "FORBIDDEN"],
      ["reader", "draft_order", "INSUFFICIENT_SCOPE"],
      ["sales", "draft_invoice", "FORBIDDEN"],
    ] as const)
      expect(await tools(who).refusal(name, drafted())).toContain(code)
    const recorded = async () => (await api.get("/audit-logs?action=access.refused&via=mcp")).body.data
    // What was refused is written after the answer.
    await until(async () => (await recorded()).length > 2)
    expect((await recorded()).map(({ tool }: { tool: string }) => tool)).toEqual([
      "draft_invoice",
      "draft_order",
      "draft_order",
    ])
  })

  test("without a credential the answer names where to get one", async () => {
    const answer = await post(kontor, {}, message("tools/list"))
    expect(answer).toMatchObject({ status: 401, body: { error: { data: { code: "UNAUTHORIZED" } } } })
    const metadata = `${kontor.url}/.well-known/oauth-protected-resource/mcp`
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer realm="kontor", resource_metadata="${metadata}", scope="read write"`,
    )
    for (const url of [metadata, metadata.replace(/\/mcp$/, "")])
      expect((await send(url)).body).toMatchObject({
        resource: `${kontor.url}/mcp`,
        authorization_servers: [kontor.url],
        scopes_supported: ["read", "write"],
      })
  })

  test("a key is also taken as a bearer token; the token of a signed-in user is not", async () => {
    const { body } = await post(kontor, { authorization: `Bearer ${keys.admin}` }, message("tools/list"))
    expect(body.result.tools).toHaveLength(7)
    for (const authorization of [api.credential.authorization ?? "", "Bearer kon_wrong", "Bearer x.y.z"])
      expect(await post(kontor, { authorization }, message("tools/list"))).toMatchObject({ status: 401 })
  })
})

describe("OAuth tokens", () => {
  /** The tokens of an app for a resource. */
  async function tokens(resource: string | null, scope = "read write", more: Record<string, string> = {}) {
    const app = await clientOf(api)
    const { verifier, challenge } = pkce()
    const back = await agree(browse(kontor), askUrl(app, challenge, { scope, resource }))
    const code = back.searchParams.get("code") ?? ""
    const answer = await ask(kontor, "token", {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...credentials(app),
      ...more,
    })
    return { app, answer, bearer: { authorization: `Bearer ${answer.body.access_token}` } }
  }
  const statusAtApi = async (bearer: Record<string, string>) =>
    (await apiWith(kontor, bearer).get("/items")).status
  const statusAtMcp = async (bearer: Record<string, string>) =>
    (await post(kontor, bearer, message("tools/list"))).status
  const mcp = () => `${kontor.url}/mcp`

  test("a token is for what it was asked for: the tools or the API, also after a refresh", async () => {
    const forTools = await tokens(mcp(), "read write", { resource: mcp() })
    expect([await statusAtMcp(forTools.bearer), await statusAtApi(forTools.bearer)]).toEqual([200, 401])
    for (const resource of [null, `${kontor.url}/api/v1`]) {
      const { bearer } = await tokens(resource)
      expect([await statusAtMcp(bearer), await statusAtApi(bearer)]).toEqual([401, 200])
    }
    const refresh = (resource: string) =>
      ask(kontor, "token", {
        grant_type: "refresh_token",
        refresh_token: forTools.answer.body.refresh_token,
        resource,
        ...credentials(forTools.app),
      })
    expect((await refresh(`${kontor.url}/api/v1`)).body.error).toBe("invalid_target")
    const bearer = { authorization: `Bearer ${(await refresh(`${mcp()}/`)).body.access_token}` }
    expect([await statusAtMcp(bearer), await statusAtApi(bearer)]).toEqual([200, 401])
    const { body } = await ask(kontor, "introspect", {
      token: bearer.authorization.slice("Bearer ".length),
      ...credentials(forTools.app),
    })
    expect(body).toMatchObject({ active: true, aud: mcp() })
  })

  test("another resource is refused, at the page and with the code", async () => {
    const app = await clientOf(api)
    for (const resource of ["https://evil.example/mcp", `${mcp()}#x`, `${mcp()}/more`, "mcp"]) {
      const { location } = await browse(kontor).open(askUrl(app, pkce().challenge, { resource }))
      expect(new URL(location ?? "").searchParams.get("error")).toBe("invalid_target")
    }
    const { answer } = await tokens(null, "read", { resource: mcp() })
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_target" } })
  })

  test("what was allowed for the tools is not allowed for the API, and the page says what tools can do", async () => {
    const app = await clientOf(api, { scopes: ["read", "write", "delete"] })
    const browser = browse(kontor)
    const open = (resource: string | null) =>
      browser.open(askUrl(app, pkce().challenge, { scope: "read write", resource }))
    await agree(browser, askUrl(app, pkce().challenge, { scope: "read write delete", resource: mcp() }))
    expect((await open(mcp())).status).toBe(303)
    const asked = await open(null)
    expect([asked.status, asked.text.includes("issue invoices")]).toEqual([200, true])
    const grants = (await api.get("/auth/grants")).body.data
    expect(grants).toContainEqual(
      expect.objectContaining({ client: app.id, scopes: [], mcpScopes: ["read", "write"] }),
    )
  })

  test("a token without write gets a challenge that it can satisfy", async () => {
    const { bearer } = await tokens(mcp(), "read")
    const answer = await post(
      kontor,
      bearer,
      message("tools/call", { name: "draft_order", arguments: drafted() }),
    )
    expect(answer.status).toBe(403)
    expect(answer.headers.get("www-authenticate")).toContain('error="insufficient_scope"')
  })
})

describe("the protocol", () => {
  test("a request that contradicts its headers, or lacks them, is refused", async () => {
    const cases: [string, Record<string, string>, number, number][] = [
      ["another method", { "mcp-method": "tools/call" }, 400, -32020],
      ["another version", { "mcp-protocol-version": "2099-01-01" }, 400, -32022],
      ["an older version", { "mcp-protocol-version": "2025-11-25" }, 400, -32020],
    ]
    for (const [name, headers, status, code] of cases) {
      const answer = await raw("tools/list", {}, headers)
      expect([name, answer.status, answer.body.error?.code]).toEqual([name, status, code])
    }
    const call = { name: "list", arguments: { kind: "items" } }
    expect((await raw("tools/call", call, { "mcp-name": "get" })).body.error.code).toBe(-32020)
    const encoded = `=?base64?${Buffer.from("list").toString("base64")}?=`
    expect((await raw("tools/call", call, { "mcp-name": encoded })).status).toBe(200)
    const { headers, body } = message("tools/list")
    const bare = { headers, body: { ...body, params: {} } }
    const key = { "x-api-key": keys.admin ?? "" }
    expect(await post(kontor, key, bare)).toMatchObject({ status: 400, body: { error: { code: -32602 } } })
    expect(await post(kontor, key, { body })).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    })
  })

  test("a method that does not exist is 404, and discovery names the revisions", async () => {
    expect(await raw("resources/list")).toMatchObject({
      status: 404,
      body: { id: 1, error: { code: -32601 } },
    })
    expect((await raw("server/discover")).body.result).toMatchObject({
      supportedVersions: expect.arrayContaining([modern, "2025-11-25"]),
      capabilities: { tools: {} },
      resultType: "complete",
      cacheScope: "private",
      ttlMs: expect.any(Number),
    })
  })

  test("what is no message is refused as JSON-RPC refuses it", async () => {
    const key = { "x-api-key": keys.admin ?? "" }
    for (const [body, status, code] of [
      ["{", 400, -32700],
      ["[]", 400, -32700],
      [{}, 400, -32600],
      [{ jsonrpc: "2.0", id: null, method: "x", params: [] }, 400, -32600],
      [{ jsonrpc: "2.0", id: { a: 1 }, method: "ping" }, 400, -32600],
    ] as const) {
      const answer = await post(kontor, key, { headers: { "content-type": "application/json" }, body })
      expect([body, answer.status, answer.body.error?.code]).toEqual([body, status, code])
    }
    expect(await send(`${kontor.url}/mcp`, { headers: key })).toMatchObject({ status: 405 })
  })

  test("pages of other sites and other names of the host are refused, whatever the credential", async () => {
    for (const origin of ["https://evil.example", "http://localhost:1", "null", `${kontor.url}.evil.example`])
      expect([origin, (await raw("tools/list", {}, { origin })).status]).toEqual([origin, 403])
    expect((await raw("tools/list", {}, { origin: kontor.url })).status).toBe(200)
    expect((await raw("tools/list", {}, { host: "evil.example" })).status).toBe(400)
  })
})

describe("an answer has at most 25 kB", () => {
  const most = 25_000
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

  test("a document of 500 lines is read in parts, and each says how to get the next one", async () => {
    const items = Array.from({ length: 500 }, (_, i) => ({
      description: `Line ${i + 1}`,
      quantity: 1,
      rate: 1,
    }))
    const made = await tools().ask("draft_order", { customer: customer.id, items })
    expect(bytes(made)).toBeLessThanOrEqual(most)
    const read: string[] = []
    for (let from = 1; from <= 500;) {
      const part = await tools().ask("get", { kind: "sales-orders", id: made.record.id, from })
      expect(bytes(part)).toBeLessThanOrEqual(most)
      read.push(...part.record.items.map(({ description }: { description: string }) => description))
      from = Number(/from: (\d+)/.exec(part.note)?.[1] ?? 501)
    }
    expect(read).toEqual(items.map(({ description }) => description))
    const list = await tools().ask("list", { kind: "sales-orders" })
    expect(bytes(list)).toBeLessThanOrEqual(most)
    expect(list.note).toContain("call get")
  })

  test("a long list is read with cursors, and each record once", async () => {
    const notes = "x".repeat(4_000)
    for (let i = 0; i < 30; i++) await api.create("/customers", { name: `Many ${i}`, notes })
    const read: string[] = []
    let cursor: string | null = null
    do {
      const part = await tools().ask("list", {
        kind: "customers",
        filters: { "name[like]": "Many%" },
        perPage: 100,
        ...(cursor ? { cursor } : {}),
      })
      expect(bytes(part)).toBeLessThanOrEqual(most)
      read.push(...part.records.map(({ name }: { name: string }) => name))
      cursor = part.nextCursor
    } while (cursor)
    expect(read.toSorted()).toEqual(Array.from({ length: 30 }, (_, i) => `Many ${i}`).toSorted())
  })

  test("a text that is too long alone is cut, and the answer says so", async () => {
    const { id } = await api.create("/customers", { name: "Long", notes: "€".repeat(10_000) })
    const answer = await tools().ask("get", { kind: "customers", id })
    expect(bytes(answer)).toBeLessThanOrEqual(most)
    expect(answer.note).toContain("notes is too long for one answer, and was cut.")
  })
})
