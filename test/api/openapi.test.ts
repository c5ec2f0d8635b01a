import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Glob } from "bun"
import { pathWithKey } from "../../scripts/faults/fuzz-document"
import { send, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, program, run, serve, type Kontor } from "../support/kontor"
import { tagsByName } from "../../src/core/http/openapi/tags"
import { kindList } from "../../src/kinds"

const guide = `${import.meta.dir}/../../docs/guide`

type Schema = { enum?: string[]; anyOf?: object[] }

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
  components: { schemas: Record<string, { properties?: Record<string, Schema> }> }
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

test("it says which scope an app needs for each operation", () => {
  const scopeOf = (path: string, method: string) => document.paths[`/api/v1${path}`]?.[method]?.security
  expect(scopeOf("/items", "get")).toContainEqual({ oauth2: ["read"] })
  expect(scopeOf("/items/{id}", "delete")).toContainEqual({ oauth2: ["delete"] })
  expect(scopeOf("/invoices", "post")).toEqual([{ bearer: [] }, { apiKey: [] }, { oauth2: ["write"] }])
  expect(scopeOf("/auth/login", "post")).toEqual([])
})

test("it describes what webhooks get, with every type of event and the record of each kind", () => {
  const { event } = document.webhooks
  const body: object | undefined = event?.post?.requestBody?.content["application/json"]
  expect(body).toEqual({ schema: { $ref: "#/components/schemas/Event" } })
  const { type, kind, record } = document.components.schemas.Event?.properties ?? {}
  expect(type?.enum).toContain("invoices.issued")
  expect(kind?.enum).toContain("stock-movements")
  expect(record?.anyOf).toContainEqual({ $ref: "#/components/schemas/Invoice" })
  const answer = document.paths["/api/v1/events"]?.get?.responses["200"] as { content: object }
  expect(Object.keys(answer.content)).toEqual(["application/json", "text/event-stream"])
})

test("it says how many decimals a price has, and lists the words of a field that may be null apart from null", () => {
  const { sellingPrice } = document.components.schemas.Item?.properties ?? {}
  expect(sellingPrice).toMatchObject({ type: "number", "x-decimals": 4 })
  const { language } = document.components.schemas.Customer?.properties ?? {}
  expect(language?.anyOf).toEqual([{ type: "string", enum: ["en", "de", "fr"] }, { type: "null" }])
})

test("every path in it exists, and none of its methods is 405", async () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { parameters }] of Object.entries(methods)) {
      // Signing out would end the session of this test.
      if (path.startsWith("/api/v1/auth/logout")) continue
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
