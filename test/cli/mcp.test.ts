// `kontor mcp` and the protocol as others test it, with the demo shop.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { cleanUp, emptyFolder, run } from "../support/kontor"
import { client, modern, overStdio } from "../support/mcp"
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
