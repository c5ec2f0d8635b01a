import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Glob } from "bun"
import { pathWithKey } from "../../scripts/faults/fuzz-document"
import { send, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, program, run, serve, type Kontor } from "../support/kontor"
import { tagsByName } from "../../src/core/http/openapi/tags"
import { kindList } from "../../src/kinds"

const guide = `${import.meta.dir}/../../docs/guide`

type Schema = { enum?: string[]; anyOf?: object[]; discriminator?: { mapping: object } }

type Operation = {
  operationId: string
  tags: string[]
  security?: object[]
  parameters?: object[]
  requestBody?: { content: { "application/json": { example: unknown } } }
  responses: Record<string, object>
}

let kontor: Kontor
let api: Api
let page: Answer
let document: {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema & { properties?: Record<string, Schema> }> }
  info: { version: string; description: string }
  tags: { name: string; description: string }[]
}

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  document = (await send(`${kontor.url}/openapi.json`)).body
  page = await send(`${kontor.url}/docs`)
})
afterAll(cleanUp)

test("the document is OpenAPI 3.1 and needs no credential", () => {
  expect(document.openapi).toStartWith("3.1")
})

test("`kontor openapi` prints the same document, for the same public URL", async () => {
  const { stdout } = await run(["openapi", "--public-url", kontor.url])
  expect(JSON.parse(stdout)).toEqual(document)
  const { servers } = JSON.parse((await run(["openapi"])).stdout)
  expect(servers[0].url).toBe("http://127.0.0.1:7070")
})

test("`kontor openapi` prints all of it, even to a slow reader", async () => {
  const child = Bun.spawn([...program, "openapi", "--public-url", kontor.url], { stdout: "pipe" })
  await Bun.sleep(500)
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual(document)
})

test("its tags begin with the business, and every operation has one of them", () => {
  const names = document.tags.map(({ name }) => name)
  expect(names).toEqual(Object.keys(tagsByName(kindList)))
  const first = names.filter((name) => ["items", "customers", "sales-orders", "invoices"].includes(name))
  expect(first).toEqual(["items", "customers", "sales-orders", "invoices"])
  expect(names[0]).toBe("items")
  for (const { description } of document.tags) expect(description).not.toBe("")
  for (const { tags } of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    expect(names).toContain(tags[0] ?? "")
})

test("every operation lists its refusals, and has a unique id", () => {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  for (const { tags, responses, security, requestBody } of all) {
    const wanted = ["400", "500", "503"]
    // The RFCs define the other refusals of OAuth.
    if (tags[0] === "oauth") {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(wanted))
      continue
    }
    wanted.push("401", "429")
    if (security?.length) wanted.push("403")
    if (requestBody) wanted.push("413", "415", "422")
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(wanted))
  }
})

test("it says which credentials each operation takes, and which scopes an app needs", () => {
  const scopeOf = (path: string, method: string) => document.paths[`/api/v1${path}`]?.[method]?.security
  expect(scopeOf("/items", "get")).toContainEqual({ oauth2: ["read"] })
  expect(scopeOf("/items/{id}", "delete")).toContainEqual({ oauth2: ["delete"] })
  expect(scopeOf("/invoices", "post")).toEqual([{ bearer: [] }, { apiKey: [] }, { oauth2: ["write"] }])
  expect(scopeOf("/auth/login", "post")).toEqual([])
  expect(scopeOf("/items/reprice", "post")).toContainEqual({ oauth2: ["write", "read"] })
  expect(scopeOf("/api-keys", "get")).toEqual([{ bearer: [] }, { apiKey: [] }])
  expect(scopeOf("/users", "post")).toEqual([{ bearer: [] }])
})

test("it describes what webhooks get, with every type of event and the record of each kind", () => {
  const { event } = document.webhooks
  const body: object | undefined = event?.post?.requestBody?.content["application/json"]
  expect(body).toEqual({ schema: { $ref: "#/components/schemas/ReceivedEvent" } })
  const { Event, InvoiceEvent, ReceivedEvent } = document.components.schemas
  expect(ReceivedEvent?.anyOf).toEqual([
    { $ref: "#/components/schemas/Event" },
    { $ref: "#/components/schemas/WebhookEvent" },
  ])
  expect(Event?.anyOf).toContainEqual({ $ref: "#/components/schemas/InvoiceEvent" })
  expect(Event?.discriminator?.mapping).toMatchObject({
    "stock-movements": "#/components/schemas/StockMovementEvent",
    imports: "#/components/schemas/ImportEvent",
  })
  const { type, kind, record } = InvoiceEvent?.properties ?? {}
  expect(type?.enum).toContain("invoices.issued")
  expect(kind).toMatchObject({ const: "invoices" })
  expect(record?.anyOf).toEqual([{ $ref: "#/components/schemas/Invoice" }, { type: "null" }])
  const answer = document.paths["/api/v1/events"]?.get?.responses["200"] as { content: object }
  expect(Object.keys(answer.content)).toEqual(["application/json", "text/event-stream"])
})

test("it has a schema for a new record without the number that a dry run does not assign", () => {
  const { NewCustomerResponse, DryRunCustomer } = document.components.schemas
  expect(NewCustomerResponse?.properties?.data?.anyOf).toEqual([
    { $ref: "#/components/schemas/Customer" },
    { $ref: "#/components/schemas/DryRunCustomer" },
  ])
  expect(DryRunCustomer?.properties).toMatchObject({ customerNumber: { type: ["string", "null"] } })
  const created = document.paths["/api/v1/customers"]?.post?.responses["201"]
  expect(created).toMatchObject({ headers: { "Dry-Run": { $ref: "#/components/headers/Dry-Run" } } })
})

test("it names the kinds of the records that `expand` adds", () => {
  const { InvoiceExpanded } = document.components.schemas
  expect<object | undefined>(InvoiceExpanded?.properties).toEqual({
    customer: { type: "object", additionalProperties: { $ref: "#/components/schemas/Customer" } },
    salesOrder: { type: "object", additionalProperties: { $ref: "#/components/schemas/SalesOrder" } },
    recurringInvoice: {
      type: "object",
      additionalProperties: { $ref: "#/components/schemas/RecurringInvoice" },
    },
    "items.item": { type: "object", additionalProperties: { $ref: "#/components/schemas/Item" } },
  })
})

test("it says how many decimals a price has, and lists the words of a field that may be null apart from null", () => {
  const { sellingPrice } = document.components.schemas.Item?.properties ?? {}
  expect(sellingPrice).toMatchObject({ type: "number", "x-decimals": 4 })
  const { language } = document.components.schemas.Customer?.properties ?? {}
  expect(language?.anyOf).toEqual([{ type: "string", enum: ["en", "de", "fr"] }, { type: "null" }])
  const listing = JSON.stringify(document).match(/"(type":\["\w+","null"\],"enum|enum":\[[^\]]*null)/g)
  expect(listing).toBeNull()
})

test("every path in it exists, and none of its methods is 405", async () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { parameters }] of Object.entries(methods)) {
      // Signing out would end the session of this test. Each export starts a thread, and all have the same code.
      if (path.startsWith("/api/v1/auth/logout")) continue
      if (path.endsWith("/export") && path !== "/api/v1/items/export") continue
      const answer = await send(kontor.url + pathWithKey(path, parameters).replaceAll(/\{\w+\}/g, "none"), {
        method,
        headers: api.credential,
      })
      expect([405, 500]).not.toContain(answer.status)
      if (answer.status === 404)
        expect(answer.body.error.code).toBe(path === "/api/v1/setup" ? "ENDPOINT_NOT_FOUND" : "NOT_FOUND")
    }
})

describe("the examples", () => {
  test.each(["/items", "/customers", "/users", "/api-keys"])("of %s can be sent unchanged", async (path) => {
    const create = document.paths[`/api/v1${path}`]?.post
    const { id } = await api.create(path, create?.requestBody?.content["application/json"].example)
    const update = document.paths[`/api/v1${path}/{id}`]?.put
    const changed = await api.put(`${path}/${id}`, update?.requestBody?.content["application/json"].example)
    expect(changed.status).toBe(200)
  })
})

describe("/docs", () => {
  test("is a page that loads nothing from other sites and runs no inline script", () => {
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toStartWith("text/html")
    expect(page.text).toContain('src="/docs/scalar.js"')
    expect(page.text).not.toMatch(/(src|href)=["']https?:/)
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'")
  })

  test("shows every page of the guide, which /openapi.json does not carry", async () => {
    const { info } = (await send(`${kontor.url}/docs/openapi.json`)).body
    for await (const file of new Glob("*.md").scan(guide)) {
      const [title = ""] = (await Bun.file(`${guide}/${file}`).text()).split("\n")
      expect(title).toStartWith("# ")
      expect([file, info.description.includes(`${title}\n`)]).toEqual([file, true])
      expect(document.info.description).not.toContain(title)
    }
    expect(info.description).not.toMatch(/\]\([^)]*\.md/)
    // The executable does not contain the pictures.
    expect(info.description).not.toContain("![")
    expect(info.description).not.toContain("screenshots/")
    expect(info.description).not.toContain("127.0.0.1:7070")
  })

  test("has each page of the guide in Markdown, and /llms.txt leads to all of them and to the document", async () => {
    const index = await send(`${kontor.url}/llms.txt`)
    expect(index.headers.get("content-type")).toBe("text/plain; charset=utf-8")
    expect(index.text).toStartWith("# Kontor\n\n> ")
    expect(page.text).toContain('href="/llms.txt"')
    const linked = [...index.text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, url = ""]) => url)
    const files = [...new Glob("*.md").scanSync(guide)].map((file) => `${kontor.url}/docs/guide/${file}`)
    expect(linked.toSorted()).toEqual(
      [...files, `${kontor.url}/openapi.json`, `${kontor.url}/docs`].toSorted(),
    )
    for (const url of files) {
      const { status, headers, text } = await send(url)
      expect([url, status, headers.get("content-type")]).toEqual([url, 200, "text/markdown; charset=utf-8"])
      expect(text).toStartWith("# ")
      expect(text).not.toContain("127.0.0.1:7070")
      for (const [, to = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
        expect([url, to, files.includes(new URL(to, url).href)]).toEqual([url, to, true])
    }
    expect((await send(`${kontor.url}/docs/guide/none.md`)).status).toBe(404)
  })

  test("lets Scalar search the texts of the guide", async () => {
    const script = await send(`${kontor.url}/docs/scalar.js`)
    expect(script.text).toContain("guideSection(arguments[2],")
  })

  test("has its script inside the executable, compressed", async () => {
    const script = await send(`${kontor.url}/docs/scalar.js`)
    expect(script.headers.get("content-type")).toStartWith("text/javascript")
    expect(script.text.length).toBeGreaterThan(1_000_000)
  })
})
