import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { operationsOf, problemBy, type Document } from "../../scripts/faults/fuzz-document"
import { send, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"

type Parameter = {
  name: string
  in: string
  schema: { $ref?: string; enum?: string[]; examples?: string[]; anyOf?: { enum?: string[] }[] }
  example?: unknown
}
type Operation = {
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: { $ref?: string } }> }>
}

let kontor: Kontor
let api: Api
let text: string
let document: any
let operations: { path: string; method: string; operation: Operation }[]

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  text = (await send(`${kontor.url}/openapi.json`)).text
  document = JSON.parse(text)
  operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
})
afterAll(cleanUp)

const operation = (id: string) =>
  operations.find((each) => each.operation.operationId === id)?.operation as Operation

/** Follows a reference inside the document. */
const resolve = (part: any): any =>
  part?.$ref
    ? (part.$ref as string)
        .slice(2)
        .split("/")
        .reduce((at, key) => at[key], document)
    : part

/** All schemas in a schema, at any depth, with references followed. */
function schemasIn(part: any, seen = new Set<unknown>()): any[] {
  const found = resolve(part)
  if (typeof found !== "object" || found === null || seen.has(found)) return []
  seen.add(found)
  return [found, ...Object.values(found).flatMap((inner) => schemasIn(inner, seen))]
}

const parametersOf = (id: string): Parameter[] => (operation(id).parameters ?? []).map(resolve)
const changes = () => operations.filter(({ method }) => method === "put" || method === "patch")
const bodyOf = ({ requestBody }: Operation) => requestBody?.content["application/json"]?.schema

test("it has at most 4 kB per operation on average", () => {
  expect(Buffer.byteLength(text) / operations.length).toBeLessThanOrEqual(4_000)
})

test("operations have natural plurals", () => {
  expect(operations.map((each) => each.operation.operationId)).toContain("listAuditEntries")
  expect(text).not.toContain("Entrys")
})

describe("a body that changes a record", () => {
  test("has no default, at any depth: a generated client would send it", () => {
    expect(changes().length).toBeGreaterThan(15)
    for (const { operation: each } of changes())
      expect([each.operationId, schemasIn(bodyOf(each)).filter((schema) => "default" in schema)]).toEqual([
        each.operationId,
        [],
      ])
  })

  test("is a plain object with properties, none of which is required in a merge", () => {
    for (const id of ["patchItem", "patchCustomer", "patchSalesOrder", "patchInvoice", "patchSettings"]) {
      const schema = resolve(bodyOf(operation(id)))
      expect([id, schema.type, schema.required]).toEqual([id, "object", undefined])
      expect(Object.keys(schema.properties).length).toBeGreaterThan(5)
      for (const combination of ["allOf", "anyOf", "oneOf"]) expect(schema).not.toHaveProperty(combination)
    }
  })

  test.each(["SalesOrder", "Invoice"])("keeps a line of %s by its id, which is writable", (kind) => {
    const line = resolve(resolve(bodyOf(operation(`update${kind}`))).properties.items.items)
    expect([line.type, line.required]).toEqual(["object", ["quantity"]])
    expect(line.properties.id).toMatchObject({ type: "string" })
    expect(line.properties.id).not.toHaveProperty("readOnly")
    const read = resolve(document.components.schemas[kind].properties.items.items)
    expect(read.properties.id).not.toHaveProperty("readOnly")
    expect(read.required).toEqual(Object.keys(read.properties))
  })
})

describe("the filters of a list", () => {
  const operators = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "like"]
  const lists = () => operations.flatMap(({ operation: { operationId: id } }) => (isList(id) ? [id] : []))
  const isList = (id: string) => parametersOf(id).some(({ name }) => name === "cursor")

  test("are declared as parameters, each field with each operator", () => {
    expect(lists().length).toBeGreaterThan(15)
    for (const id of lists()) {
      const parameters = parametersOf(id)
      const names = parameters.map(({ name }) => name)
      const places = parameters.map(({ name, in: place }) => `${place} ${name}`)
      expect([id, new Set(places).size]).toEqual([id, places.length])
      const sorted = parameters.find(({ name }) => name === "sort")?.schema.anyOf?.[0]?.enum ?? []
      expect(sorted).toContain("createdAt")
      const fields = sorted.filter((name: string) => !name.includes("."))
      const wanted = fields.flatMap((field) => [field, ...operators.map((each) => `${field}[${each}]`)])
      expect([id, wanted.filter((name) => !names.includes(name))]).toEqual([id, []])
    }
  })

  test("are accepted by the server under these names, and only these", async () => {
    const values: Record<string, string> = {
      NumberFilter: "1",
      IntegerFilter: "1",
      BooleanFilter: "true",
      NullFilter: "true",
      DateFilter: "2026-03-01",
      TimestampFilter: "2026-03-01",
      StatusFilter: "draft",
    }
    for (const { name, schema } of parametersOf("listSalesOrders")) {
      const component = schema.$ref?.split("/").at(-1) ?? ""
      if (!component.endsWith("Filter")) continue
      const field = name.replace(/[[.].*/, "")
      const own = resolve(document.components.schemas.SalesOrder.properties[field])
      const typical = { number: "1", integer: "1", boolean: "true" }[String(own.type)] ?? own.examples?.[0]
      const value = values[component] ?? own.enum?.[0] ?? typical ?? "x"
      const answer = await api.get(`/sales-orders?${name}=${value}`)
      expect([name, answer.status]).toEqual([name, 200])
    }
    expect((await api.get("/sales-orders?orderDate[near]=2026-03-01")).status).toBe(400)
  })

  test("have one schema per type of field", () => {
    const refOf = (name: string) =>
      parametersOf("listItems").find((each) => each.name === name)?.schema.$ref ?? ""
    expect(refOf("sellingPrice[gte]")).toBe("#/components/schemas/NumberFilter")
    expect(refOf("costPrice[lt]")).toBe(refOf("sellingPrice[gte]"))
    expect(refOf("itemName[gte]")).toBe("#/components/schemas/TextFilter")
    for (const { name, schema } of parametersOf("listItems"))
      if (name.endsWith("]")) expect([name, schema.$ref]).toEqual([name, expect.stringMatching(/Filter$/)])
  })

  test("are shown once each by the reference, where they would be too long to read", async () => {
    const shown = (await send(`${kontor.url}/docs/openapi.json`)).body.paths["/api/v1/invoices"].get
    const names = (shown.parameters as Parameter[]).map((each) => resolve(each).name)
    expect(names).toContain("invoiceDate")
    expect(names.filter((name) => name.includes("["))).toEqual([])
  })
})

test("the example of a body is valid by the schema of the body", () => {
  const known = operationsOf(document as Document)
  const examples = operations.flatMap(({ operation: { operationId, requestBody } }) => {
    const example = requestBody?.content["application/json"]?.example
    return example === undefined ? [] : [{ operationId, example }]
  })
  expect(examples.length).toBeGreaterThan(30)
  for (const { operationId, example } of examples)
    expect([operationId, known.find(({ id }) => id === operationId)?.isBodyValid(example) ?? true]).toEqual([
      operationId,
      true,
    ])
})

test("what is sent to a webhook matches the document, also that of a test", async () => {
  const { schema } = document.webhooks.event.post.requestBody.content["application/json"]
  await api.create("/items", { itemCode: "EVENT", itemName: "Event" })
  const { id } = await api.create("/webhooks", { url: "https://none.invalid/events", types: ["items.*"] })
  const { request } = (await api.post(`/webhooks/${id}/test`)).body.data
  const events = (await api.get("/events?include=record")).body.data
  expect(events.length).toBeGreaterThan(0)
  for (const sent of [JSON.parse(request), ...events])
    expect([sent.type, problemBy(document, schema, sent)]).toEqual([sent.type, null])
  expect(problemBy(document, schema, { ...events[0], type: "webhooks.test" })).not.toBeNull()
})

describe("a response", () => {
  test("is a named envelope, of every operation of the API", () => {
    const unnamed = operations.flatMap(({ path, operation: { operationId, responses } }) =>
      Object.entries(responses).flatMap(([status, response]) => {
        const schema = resolve(response).content?.["application/json"]?.schema
        return schema && !schema.$ref && path.startsWith("/api/") ? [`${operationId} ${status}`] : []
      }),
    )
    expect(unnamed).toEqual([])
    const nameOf = (id: string, status: string) =>
      operation(id).responses[status]?.content?.["application/json"]?.schema.$ref?.split("/").at(-1)
    expect(nameOf("createItem", "201")).toBe("ItemResponse")
    expect(nameOf("listItems", "200")).toBe("ItemList")
    expect(nameOf("getToken", "200")).toBe("TokenResponse")
  })

  test("to a request with `fields` matches the document, and only there may fields be missing", async () => {
    const { id } = await api.create("/items", { itemCode: "PART", itemName: "Part" })
    const known = operationsOf(document as Document)
    const problemOf = (operationId: string, body: unknown, form: "slim" | "whole") =>
      known
        .find((each) => each.id === operationId)
        ?.answers.get(200)
        ?.problemOf(body, form)
    const partial = (await api.get("/items?itemCode=PART&fields=itemCode,images")).body
    expect(partial.data).toEqual([{ itemCode: "PART", images: [] }])
    expect(problemOf("listItems", partial, "slim")).toBeNull()
    expect(problemOf("listItems", partial, "whole")).toContain("required")
    expect(problemOf("getItem", (await api.get(`/items/${id}?fields=id`)).body, "slim")).toBeNull()
    for (const form of ["slim", "whole"] as const)
      expect(problemOf("getItem", (await api.get(`/items/${id}`)).body, form)).toBeNull()
    expect(problemOf("getItem", { success: true, data: { noField: 1 } }, "slim")).not.toBeNull()
  })

  test("that can be a file of several types declares all of them", () => {
    const typesOf = (id: string) => Object.keys(operation(id).responses["200"]?.content ?? {})
    const [csv, xlsx, ndjson] = typesOf("exportItems")
    expect([csv, ndjson]).toEqual(["text/csv", "application/x-ndjson"])
    expect(xlsx).toEndWith("spreadsheetml.sheet")
    expect(typesOf("getImportFaults")).toEqual(["text/csv", "application/x-ndjson"])
  })

  test("that refuses too many requests declares Retry-After", () => {
    for (const { path, operation: each } of operations) {
      if (path.startsWith("/.well-known")) continue
      for (const status of ["429", "503"])
        expect([each.operationId, resolve(each.responses[status]).headers]).toEqual([
          each.operationId,
          expect.objectContaining({ "Retry-After": { $ref: "#/components/headers/Retry-After" } }),
        ])
    }
  })
})

test("the example of `fields` works in every list", async () => {
  for (const { path, operation: each } of operations) {
    const fields = parametersOf(each.operationId).find(({ name }) => name === "fields")
    if (!fields || path.includes("{")) continue
    // Each export starts a thread, and all have the same code.
    if (path.endsWith("/export") && path !== "/api/v1/items/export") continue
    const answer = await api.get(`${path.slice("/api/v1".length)}?fields=${fields.schema.examples?.[0]}`)
    expect([each.operationId, answer.status]).toEqual([each.operationId, 200])
  }
})

test("each POST has its own example of an Idempotency-Key", () => {
  const keys = operations.flatMap(({ operation: each }) =>
    (each.parameters ?? [])
      .map(resolve)
      .filter(({ name }: Parameter) => name === "Idempotency-Key")
      .map(({ example }: Parameter) => example),
  )
  expect(keys.length).toBeGreaterThan(10)
  expect(new Set(keys).size).toBe(keys.length)
})

describe("OAuth", () => {
  test("is described with its endpoints and its security scheme", () => {
    for (const id of ["authorize", "getToken", "revokeToken", "introspectToken"])
      expect([id, operation(id) !== undefined]).toEqual([id, true])
    expect(document.paths["/oauth/token"].post.requestBody.content).toHaveProperty([
      "application/x-www-form-urlencoded",
    ])
    expect(document.components.securitySchemes.oauth2).toMatchObject({
      type: "oauth2",
      flows: {
        authorizationCode: {
          authorizationUrl: `${kontor.url}/oauth/authorize`,
          tokenUrl: `${kontor.url}/oauth/token`,
        },
      },
    })
    expect(Object.keys(document.components.securitySchemes.oauth2.flows.authorizationCode.scopes)).toEqual([
      "read",
      "write",
      "delete",
      "admin",
      "webhooks",
    ])
  })

  test("refuses as the document says", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const { required } = resolve(
      resolve(operation("getToken").responses["401"]).content["application/json"].schema,
    )
    for (const path of ["token", "revoke", "introspect"]) {
      const answer = await send(`${kontor.url}/oauth/${path}`, { headers: form, body: "client_id=none" })
      expect([answer.status, Object.keys(answer.body)]).toEqual([401, required])
    }
  })
})

test("the server is the public URL, and the paths begin with /api/v1", async () => {
  expect(document.servers[0].url).toBe(kontor.url)
  expect(Object.keys(document.paths)).toContain("/api/v1/items")
  const behindProxy = await serve({ args: ["--public-url", "https://kontor.example"] })
  const { servers } = (await send(`${behindProxy.url}/openapi.json`)).body
  expect(servers[0].url).toBe("https://kontor.example")
})
