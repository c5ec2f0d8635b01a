import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { gunzipSync } from "node:zlib"
import { apiWith, send, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let item: string
let order: string
let invoice: string

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  item = (await shop.item({ itemCode: "SMALL-1" })).id
  const lines = Array.from({ length: 10 }, () => ({ item, quantity: 1 }))
  order = (await shop.order({ items: lines, notes: "Ship on Monday" })).id
  invoice = (await shop.invoice({ items: [{ item, quantity: 1 }] })).id
})
afterAll(cleanUp)

/** Sends a request and returns the body as it was sent, without decompressing it. */
async function ask(path: string, headers: Record<string, string> = {}, request: RequestInit = {}) {
  const answer = await fetch(kontor.url + path, {
    ...request,
    headers: { "accept-encoding": "gzip", ...api.credential, ...headers },
    decompress: false,
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const isPacked = answer.headers.get("content-encoding") === "gzip"
  return {
    status: answer.status,
    headers: answer.headers,
    size: bytes.length,
    isPacked,
    text: new TextDecoder().decode(isPacked && bytes.length > 0 ? gunzipSync(bytes) : bytes),
  }
}
const identity = { "accept-encoding": "identity" }
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  ask(
    path,
    { "content-type": "application/json", ...headers },
    { method: "POST", body: JSON.stringify(body) },
  )

describe("a response of more than 1 kB", () => {
  test("is compressed, and has the same content as without compression", async () => {
    const [packed, plain] = [
      await ask(`/api/v1/sales-orders/${order}`),
      await ask(`/api/v1/sales-orders/${order}`, identity),
    ]
    expect([packed.isPacked, plain.isPacked]).toEqual([true, false])
    expect(packed.text).toBe(plain.text)
    expect(packed.size).toBeLessThan(plain.size / 3)
    for (const name of ["content-type", "etag", "cache-control", "vary"])
      expect(packed.headers.get(name)).toBe(plain.headers.get(name))
    expect(packed.headers.get("content-type")).toBe("application/json;charset=utf-8")
    expect(packed.headers.get("content-length")).toBe(String(packed.size))
  })

  test.each([
    ["gzip, deflate, br", true],
    ["br;q=1.0, gzip;q=0.8, *;q=0.1", true],
    ["*", true],
    ["identity", false],
    ["br", false],
    ["gzip;q=0", false],
    ["*, gzip;q=0", false],
    ["identity, gzip;q=0.5", false],
    ["", false],
  ])("to Accept-Encoding: %s is compressed: %p", async (accepted, isPacked) => {
    const answer = await ask(`/api/v1/sales-orders/${order}`, { "accept-encoding": accepted })
    expect([answer.status, answer.isPacked]).toEqual([200, isPacked])
    expect(JSON.parse(answer.text).data.id).toBe(order)
  })

  test("is counted in bytes, not in characters", async () => {
    const { id } = await shop.item({ description: "ж".repeat(300) })
    const plain = await ask(`/api/v1/items/${id}`, identity)
    expect(plain.size).toBeGreaterThan(1_000)
    expect(plain.text.length).toBeLessThan(1_000)
    expect((await ask(`/api/v1/items/${id}`)).isPacked).toBeTrue()
  })

  test("is compressed as a response to POST and PUT too", async () => {
    const created = await post("/api/v1/items", {
      itemCode: "LONG-1",
      itemName: "Long",
      description: "x ".repeat(600),
    })
    expect([created.status, created.isPacked]).toEqual([201, true])
    const { id } = JSON.parse(created.text).data
    const updated = await ask(
      `/api/v1/items/${id}`,
      { "content-type": "application/json" },
      { method: "PUT", body: JSON.stringify({ itemName: "Longer" }) },
    )
    expect([updated.status, updated.isPacked]).toEqual([200, true])
    expect(JSON.parse(updated.text).data.itemName).toBe("Longer")
  })

  test.each([
    ["a few errors", 20],
    ["the most errors that a response has", 100],
  ])("is compressed if it is an error: %s", async (_, count) => {
    const unknown = Object.fromEntries(
      Array.from({ length: count }, (__, i) => [`${"unknown".repeat(28)}${i}`, 1]),
    )
    const answer = await post("/api/v1/items", { itemCode: "E-1", itemName: "E", ...unknown })
    expect([answer.status, answer.isPacked]).toEqual([422, true])
    expect(JSON.parse(answer.text).error.details).toHaveLength(count)
  })

  test("is compressed if it is a document of 500 lines", async () => {
    const items = Array.from({ length: 500 }, (_, i) => ({ item, quantity: 1 + i }))
    const { id } = await shop.order({ items })
    const [packed, plain] = [
      await ask(`/api/v1/sales-orders/${id}`),
      await ask(`/api/v1/sales-orders/${id}`, identity),
    ]
    expect(plain.size).toBeGreaterThan(64 * 1024)
    expect(packed.isPacked).toBeTrue()
    expect(packed.text).toBe(plain.text)
    expect(packed.headers.get("content-length")).toBe(String(packed.size))
  })

  test("has the same headers for HEAD, and no body", async () => {
    const got = await ask(`/api/v1/sales-orders/${order}`)
    const head = await ask(`/api/v1/sales-orders/${order}`, {}, { method: "HEAD" })
    for (const name of [
      "content-encoding",
      "content-length",
      "content-type",
      "etag",
      "cache-control",
      "vary",
    ])
      expect(`${name}: ${head.headers.get(name)}`).toBe(`${name}: ${got.headers.get(name)}`)
    expect([head.status, head.size]).toEqual([200, 0])
  })
})

test("a response of at most 1 kB is not compressed", async () => {
  for (const path of [`/api/v1/items/${item}`, "/api/v1/items/itm_none", "/health"]) {
    const answer = await ask(path)
    expect([path, answer.isPacked]).toEqual([path, false])
    expect(answer.size).toBeLessThanOrEqual(1_000)
  }
  const removed = await ask(`/api/v1/items/${(await shop.item()).id}`, {}, { method: "DELETE" })
  expect([removed.status, removed.isPacked, removed.size]).toEqual([204, false, 0])
})

test("every response says that it depends on Accept-Encoding", async () => {
  for (const path of [
    "/api/v1/items",
    `/api/v1/items/${item}`,
    "/api/v1/items/itm_none",
    "/api/v1/nothing",
    "/openapi.json",
    "/docs",
    "/docs/page.js",
    "/console",
  ])
    expect([path, (await ask(path)).headers.get("vary")]).toEqual([path, "Accept-Encoding"])
})

describe("a list of 2 MB", () => {
  const perPage = 100
  const path = `/api/v1/items?category=Large&perPage=${perPage}`

  beforeAll(async () => {
    // Random text in Cyrillic letters, of two bytes each.
    const word = (i: number) =>
      Buffer.from(Bun.hash(String(i)).toString(36)).reduce(
        (text, c) => text + String.fromCharCode(0x400 + c),
        "",
      )
    for (let i = 0; i < perPage; i++) {
      const words = Array.from({ length: 1_000 }, (_, j) => word(i * 1_000 + j).slice(0, 10))
      await shop.item({ category: "Large", description: words.join("") })
    }
  })

  test("is compressed while it is sent", async () => {
    const [packed, plain] = [await ask(path), await ask(path, identity)]
    expect(plain.size).toBeGreaterThan(1_900_000)
    expect([packed.status, packed.isPacked, plain.isPacked]).toEqual([200, true, false])
    expect(packed.headers.get("content-length")).toBeNull()
    expect(packed.headers.get("content-type")).toBe("application/json;charset=utf-8")
    expect(packed.headers.get("x-content-type-options")).toBe("nosniff")
    expect(packed.text).toBe(plain.text)
    expect(JSON.parse(packed.text).data).toHaveLength(perPage)
    expect(packed.size).toBeLessThan(plain.size * 0.8)
  })

  test("does no harm when its client disconnects", async () => {
    const { hostname, port } = new URL(kontor.url)
    const drop = () =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(
            `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nAuthorization: ${api.credential["authorization"]}\r\n\r\n`,
          ),
        )
        socket.once("data", () => socket.destroy())
        socket.once("close", () => resolve())
      })
    await Promise.all(Array.from({ length: 20 }, drop))
    await Bun.sleep(200)
    expect((await ask(path)).isPacked).toBeTrue()
    expect(kontor.output.stderr).not.toContain('"level":"error"')
  })

  test("lets other clients in between, even if many ask for it", async () => {
    let [pending, between] = [40, 0]
    const large = Array.from({ length: pending }, async () => {
      const answer = await ask(path)
      pending--
      return `${answer.status} ${answer.isPacked}`
    })
    while (pending > 0) {
      const health = await fetch(`${kontor.url}/health`)
      if (pending > 0 && health.ok) between++
    }
    expect(new Set(await Promise.all(large))).toEqual(new Set(["200 true"]))
    // A response that is compressed at once lets at most two others in.
    expect(between).toBeGreaterThan(80)
  })
})

describe("a response that contains a secret is not compressed:", () => {
  const addresses = Array.from({ length: 50 }, (_, i) => `2001:db8:1234:5678:9abc:def0:1234:${1000 + i}`)

  test("a new API key", async () => {
    const made = await post("/api/v1/api-keys", { name: "Shop", scopes: ["read"], allowedIps: addresses })
    expect([made.status, made.isPacked]).toEqual([201, false])
    expect(made.size).toBeGreaterThan(1_000)
    const { id, key } = JSON.parse(made.text).data
    expect(key).toBeString()
    // The same record without the key.
    expect((await ask(`/api/v1/api-keys/${id}`)).isPacked).toBeTrue()
    const rotated = await post(`/api/v1/api-keys/${id}/rotate`, {})
    expect([rotated.status, rotated.isPacked]).toEqual([200, false])
  })

  test("a new OAuth client", async () => {
    const redirectUris = Array.from({ length: 10 }, (_, i) => `https://shop.example/${"a".repeat(150)}/${i}`)
    const made = await post("/api/v1/oauth-clients", { name: "Shop", redirectUris, scopes: ["read"] })
    expect([made.status, made.isPacked]).toEqual([201, false])
    expect(made.size).toBeGreaterThan(1_000)
    const { id } = JSON.parse(made.text).data
    const rotated = await post(`/api/v1/oauth-clients/${id}/rotate`, {})
    expect([rotated.status, rotated.isPacked]).toEqual([200, false])
  })

  test("the tokens of a session", async () => {
    const [email, password] = ["long@example.com", "correct horse battery"]
    await api.create("/users", { email, name: "𝔄".repeat(200), role: "viewer", password })
    const made = await post("/api/v1/auth/login", { email, password })
    expect([made.status, made.isPacked]).toEqual([200, false])
    expect(made.size).toBeGreaterThan(1_000)
    const { refreshToken } = JSON.parse(made.text).data
    const refreshed = await post("/api/v1/auth/refresh", { refreshToken })
    expect([refreshed.status, refreshed.isPacked]).toEqual([200, false])
    const console = await post("/console/session", { email, password }, { origin: kontor.url })
    expect([console.status, console.isPacked]).toEqual([200, false])
  })
})

describe("If-None-Match", () => {
  test("with the ETag of the record gets 304, with all headers and without a body", async () => {
    const first = await ask(`/api/v1/items/${item}`)
    const etag = first.headers.get("etag") ?? ""
    const again = await ask(`/api/v1/items/${item}`, { "if-none-match": etag })
    expect([again.status, again.text]).toEqual([304, ""])
    expect(again.headers.get("etag")).toBe(etag)
    expect(again.headers.get("cache-control")).toBe("private, no-cache")
    expect(again.headers.get("vary")).toBe("Accept-Encoding")
    expect(again.headers.get("content-encoding")).toBeNull()
    expect(again.headers.get("content-length")).toBeNull()
    for (const name of ["x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"])
      expect([name, again.headers.has(name)]).toEqual([name, true])
  })

  test("may be weak, a list or *, and must contain the whole tag", async () => {
    const etag = (await ask(`/api/v1/items/${item}`)).headers.get("etag") ?? ""
    const status = async (given: string) =>
      (await ask(`/api/v1/items/${item}`, { "if-none-match": given })).status
    for (const given of [`W/${etag}`, `"x", ${etag}`, `"a,b",W/"c" , W/${etag}`, "*"])
      expect([given, await status(given)]).toEqual([given, 304])
    for (const given of ['"x"', etag.replaceAll('"', ""), etag.replace(/"$/, '0"'), "", '"*"'])
      expect([given, await status(given)]).toEqual([given, 200])
  })

  test("gets the record after it was updated", async () => {
    const { id } = await shop.item()
    const etag = (await ask(`/api/v1/items/${id}`)).headers.get("etag") ?? ""
    await api.put(`/items/${id}`, { itemName: "New name" })
    const again = await ask(`/api/v1/items/${id}`, { "if-none-match": etag })
    expect(again.status).toBe(200)
    expect(JSON.parse(again.text).data.itemName).toBe("New name")
    expect(again.headers.get("etag")).not.toBe(etag)
  })

  test("has no effect on a part of a record, which must not be stored", async () => {
    const answer = await ask(`/api/v1/items/${item}?fields=itemCode`, { "if-none-match": "*" })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text).data).toEqual({ itemCode: "SMALL-1" })
    expect(answer.headers.get("cache-control")).toBe("no-store")
  })

  test("has no effect on errors: a missing record is 404, and a caller without a credential gets 401", async () => {
    const headers = { "if-none-match": "*", ...identity }
    expect((await ask("/api/v1/items/itm_none", headers)).status).toBe(404)
    expect((await send(`${kontor.url}/api/v1/items/${item}`, { headers })).status).toBe(401)
    expect((await ask(`/api/v1/items/${item}?colour=red`, headers)).status).toBe(400)
  })

  test("may be sent with HEAD", async () => {
    const answer = await ask(`/api/v1/items/${item}`, { "if-none-match": "*" }, { method: "HEAD" })
    expect(answer.status).toBe(304)
  })

  test("and If-Match take the same ETag, compressed or not", async () => {
    const packed = await ask(`/api/v1/sales-orders/${order}`)
    expect(packed.isPacked).toBeTrue()
    const etag = packed.headers.get("etag") ?? ""
    const plain = await ask(`/api/v1/sales-orders/${order}`, { ...identity, "if-none-match": etag })
    expect(plain.status).toBe(304)
    const updated = await api.put(
      `/sales-orders/${order}`,
      { notes: "Ship on Tuesday" },
      { "if-match": etag },
    )
    expect(updated.status).toBe(200)
    expect(updated.headers.get("etag")).not.toBe(etag)
  })
})

describe("clients may store", () => {
  test("single records of the business, if they ask again each time", async () => {
    const customer = (await shop.customer()).id
    for (const path of [
      `/items/${item}`,
      `/customers/${customer}`,
      `/sales-orders/${order}`,
      `/invoices/${invoice}`,
    ]) {
      const answer = await ask(`/api/v1${path}`)
      expect([path, answer.headers.get("cache-control")]).toEqual([path, "private, no-cache"])
      const etag = answer.headers.get("etag") ?? ""
      const again = await ask(`/api/v1${path}`, { "if-none-match": etag })
      expect([path, again.status]).toEqual([path, 304])
    }
  })

  test("the files of issued documents, if they ask again each time", async () => {
    for (const path of [`/invoices/${invoice}/pdf`, `/invoices/${invoice}/pdf?language=de`]) {
      const answer = await ask(`/api/v1${path}`)
      expect([path, answer.headers.get("cache-control")]).toEqual([path, "private, no-cache"])
      for (const given of [answer.headers.get("etag") ?? "", `W/${answer.headers.get("etag")}`, "*"]) {
        const again = await ask(`/api/v1${path}`, { "if-none-match": given })
        expect([path, given, again.status, again.text]).toEqual([path, given, 304, ""])
        for (const name of ["etag", "cache-control", "vary"])
          expect(again.headers.get(name)).toBe(answer.headers.get(name))
      }
      expect((await ask(`/api/v1${path}`, { "if-none-match": '"x"' })).status).toBe(200)
    }
  })

  test("nothing else", async () => {
    const made = await post("/api/v1/api-keys", { name: "Cache", scopes: ["read"] })
    const client = await post("/api/v1/oauth-clients", {
      name: "Cache",
      redirectUris: ["https://shop.example/"],
      scopes: ["read"],
    })
    const issued = await shop.status("invoices", invoice, "unpaid")
    expect(issued.status).toBe(200)
    const payment = (await shop.pay(invoice, 1)).body.data.id
    const movement = (await shop.receive(item, 1)).id
    const { customer } = await shop.get("invoices", invoice)
    const draft = (await api.create("/invoices", { customer, items: [{ item, quantity: 1 }] })).id
    const first = async (list: string) => (await api.get(`/${list}?perPage=1`)).body.data[0].id
    for (const path of [
      "/items",
      `/items/${item}/history`,
      `/invoices/${invoice}/e-invoice`,
      `/invoices/${draft}/pdf`,
      `/sales-orders/${order}/pdf`,
      `/invoices/${invoice}/payments/${payment}`,
      `/stock-movements/${movement}`,
      `/api-keys/${JSON.parse(made.text).data.id}`,
      `/oauth-clients/${JSON.parse(client.text).data.id}`,
      `/users/${await first("users")}`,
      `/audit-logs/${await first("audit-logs")}`,
      "/settings",
      "/auth/me",
      "/reports/summary",
      "/search?q=thing",
    ]) {
      const answer = await ask(`/api/v1${path}`, { "if-none-match": "*" })
      expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([path, 200, "no-store"])
    }
  })
})

describe("the OpenAPI document", () => {
  test("is compressed, has an ETag, and is not sent again if it has not changed", async () => {
    const [packed, plain] = [await ask("/openapi.json"), await ask("/openapi.json", identity)]
    expect([packed.isPacked, plain.isPacked]).toEqual([true, false])
    expect(packed.text).toBe(plain.text)
    expect(packed.size).toBeLessThan(plain.size / 8)
    expect(JSON.parse(plain.text).openapi).toStartWith("3.1")
    const etag = packed.headers.get("etag") ?? ""
    expect(etag).toMatch(/^"\w+"$/)
    expect(plain.headers.get("etag")).toBe(etag)
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await ask("/openapi.json", { "if-none-match": given })
      expect([again.status, again.text]).toEqual([304, ""])
      expect(again.headers.get("etag")).toBe(etag)
      expect(again.headers.get("cache-control")).toBe("private, no-cache")
    }
    expect((await ask("/openapi.json", { "if-none-match": '"x"' })).status).toBe(200)
    expect(plain.headers.get("cache-control")).toBe("private, no-cache")
  })

  test("declares 304 and If-None-Match for the GETs that support them", async () => {
    const { paths } = JSON.parse((await ask("/openapi.json")).text)
    type Described = { parameters?: { name?: string; $ref?: string }[]; responses: Record<string, unknown> }
    const supports = ({ parameters = [], responses }: Described) =>
      [
        parameters.some(({ name, $ref = "" }) => (name ?? $ref).endsWith("If-None-Match")),
        "304" in responses,
      ].join()
    const kinds = ["items", "customers", "sales-orders", "invoices"]
    for (const kind of kinds) expect(supports(paths[`/api/v1/${kind}/{id}`].get)).toBe("true,true")
    for (const kind of ["users", "api-keys", "stock-movements"])
      expect(supports(paths[`/api/v1/${kind}/{id}`].get)).toBe("false,false")
    for (const file of [
      "invoices/{id}/pdf",
      "invoices/{id}/xml",
      "credit-notes/{id}/pdf",
      "credit-notes/{id}/xml",
    ])
      expect([file, supports(paths[`/api/v1/${file}`].get)]).toEqual([file, "true,true"])
    for (const path of ["items", "invoices/{id}/e-invoice", "sales-orders/{id}/pdf"])
      expect([path, supports(paths[`/api/v1/${path}`].get)]).toEqual([path, "false,false"])
  })

  test("and the files of its page are uncompressed for clients that do not accept gzip", async () => {
    for (const path of ["/docs/openapi.json", "/docs/page.js", "/docs/page.css", "/docs/scalar.js"]) {
      const [packed, plain] = [await ask(path), await ask(path, { "accept-encoding": "gzip;q=0" })]
      expect([path, packed.isPacked, plain.isPacked]).toEqual([path, true, false])
      expect(packed.text === plain.text).toBeTrue()
    }
  })
})

test("a page of another origin may send If-None-Match", async () => {
  const other = await serve({ args: ["--cors-origins", "https://shop.example"] })
  const asked = await send(`${other.url}/api/v1/items`, {
    method: "OPTIONS",
    headers: { origin: "https://shop.example", "access-control-request-method": "GET" },
  })
  expect(asked.headers.get("access-control-allow-headers")).toContain("If-None-Match")
  expect(asked.headers.get("vary")).toBe("Accept-Encoding, Origin")
  const anonymous = apiWith(other, { origin: "https://shop.example" })
  expect((await anonymous.get("/items")).headers.get("vary")).toBe("Accept-Encoding, Origin")
  await other.stop()
})
