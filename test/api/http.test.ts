import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { refusalOf, send, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { sendRaw } from "../support/raw"

let kontor: Kontor
let api: Api
const item = { itemCode: "H-1", itemName: "Hammer" }
const json = { "content-type": "application/json" }

beforeAll(async () => {
  kontor = await serve({
    args: ["--cors-origins", "https://shop.example", "--allowed-hosts", "kontor.test,ab"],
  })
  api = await signIn(kontor)
})
afterAll(cleanUp)

const count = async () => (await api.get("/items")).body.meta.total

describe("every response under /api", () => {
  test.each([
    ["a list", "GET", "/api/v1/items", 200],
    ["a refusal", "GET", "/api/v1/items/itm_nothing", 404],
    ["a route that does not exist", "GET", "/api/v1/nothing", 404],
    ["another version of the API", "GET", "/api/v2/items", 404],
    ["a wrong method", "DELETE", "/api/v1/items", 405],
  ])("%s has a request id, no-store and nosniff, and is an envelope", async (_, method, path, status) => {
    const answer = await send(kontor.url + path, { method, headers: api.credential })
    expect(answer.status).toBe(status)
    expect(answer.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
    expect(answer.body.success).toBe(status === 200)
    if (status !== 200) {
      expect(answer.body.error).toEqual({
        code: expect.any(String),
        message: expect.any(String),
        params: expect.any(Object),
        details: expect.any(Array),
      })
    }
  })

  test("accepts a valid request id, and replaces an invalid one", async () => {
    const given = await api.get("/items", { "x-request-id": "abc.DEF_1-2" })
    expect(given.headers.get("x-request-id")).toBe("abc.DEF_1-2")
    const replaced = await api.get("/items", { "x-request-id": "a b" })
    expect(replaced.headers.get("x-request-id")).not.toBe("a b")
    const long = await api.get("/items", { "x-request-id": "x".repeat(65) })
    expect(long.headers.get("x-request-id")).not.toContain("xxx")
  })

  test("a wrong method lists the allowed ones in Allow", async () => {
    const answer = await api.call("POST", "/items/itm_1")
    expect(refusalOf(answer)).toMatchObject({ status: 405, code: "METHOD_NOT_ALLOWED" })
    expect(answer.headers.get("allow")).toBe("GET, HEAD, PUT, PATCH, DELETE")
  })

  test("HEAD responds like GET, without a body", async () => {
    const answer = await api.call("HEAD", "/items")
    expect([answer.status, answer.text]).toEqual([200, ""])
  })

  test.each(["%", "%zz", "%C3%28", "%E0%A4%A"])("a path with the escape %s is 400", async (id) => {
    for (const method of ["GET", "PUT", "DELETE"])
      expect(refusalOf(await api.call(method, `/items/${id}`))).toMatchObject({
        status: 400,
        code: "BAD_REQUEST",
      })
  })

  test("a path with an extra slash is not the path without it", async () => {
    expect(refusalOf(await api.get("/items/"))).toMatchObject({ status: 404, code: "ENDPOINT_NOT_FOUND" })
  })
})

describe("an unauthenticated caller", () => {
  test.each([
    ["a list", "GET", "/api/v1/items"],
    ["a route that does not exist", "GET", "/api/v1/nothing"],
    ["the prefix itself", "GET", "/api/v1"],
    ["a wrong method", "DELETE", "/api/v1/items"],
  ])("gets 401 and no more at %s", async (_, method, path) => {
    const answer = await send(kontor.url + path, { method })
    expect(refusalOf(answer)).toEqual({ status: 401, code: "UNAUTHORIZED", fields: [] })
    expect(answer.headers.get("www-authenticate")).toStartWith("Bearer")
  })

  test.each([
    ["with an invalid body", "{"],
    ["with a valid body", JSON.stringify(item)],
  ])("does not learn what a body should contain, even %s", async (_, body) => {
    const answer = await send(`${kontor.url}/api/v1/items`, { method: "POST", headers: json, body })
    expect(refusalOf(answer)).toEqual({ status: 401, code: "UNAUTHORIZED", fields: [] })
  })

  test.each([
    ["a forged token", { authorization: "Bearer abc.def.ghi" }, "INVALID_TOKEN"],
    ["a token with no signature", { authorization: `Bearer ${unsigned()}` }, "INVALID_TOKEN"],
    ["another scheme", { authorization: "Basic YTpi" }, "UNAUTHORIZED"],
    ["an API key that does not exist", { "x-api-key": "kon_nothing" }, "INVALID_API_KEY"],
  ])("with %s is refused", async (_, headers, code) => {
    expect(refusalOf(await send(`${kontor.url}/api/v1/items`, { headers }))).toMatchObject({
      status: 401,
      code,
    })
  })

  test("with an API key as a token learns which header it belongs in", async () => {
    const answer = await send(`${kontor.url}/api/v1/items`, {
      headers: { authorization: "Bearer kon_Ab12_x" },
    })
    expect(refusalOf(answer)).toMatchObject({ status: 401, code: "INVALID_TOKEN" })
    expect(JSON.stringify(answer.body)).toContain("X-API-Key")
  })

  test("two credentials in one request are refused", async () => {
    const answer = await api.get("/items", { "x-api-key": "kon_x" })
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: "BAD_REQUEST" })
  })
})

describe("the Host header", () => {
  const ask = (host: string) =>
    sendRaw(kontor.url, `GET /api/v1/items HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)

  test.each([
    ["localhost", "Host: localhost\r\n"],
    ["an address", "Host: 192.0.2.7:7070\r\n"],
    ["an IPv6 address", "Host: [::1]:7070\r\n"],
    ["an allowed name", "Host: kontor.test\r\n"],
    ["an allowed name of two letters", "Host: ab\r\n"],
  ])("may be %s", async (_, host) => {
    expect(await ask(host)).toStartWith("HTTP/1.1 401")
  })

  test.each([
    ["a foreign name", "Host: evil.example\r\n"],
    ["a single letter", "Host: a\r\n"],
    ["empty", "Host: \r\n"],
    ["a name that only begins like an allowed one", "Host: kontor.test.evil.example\r\n"],
  ])("is refused when it is %s", async (_, host) => {
    const answer = await ask(host)
    expect(answer).toStartWith("HTTP/1.1 400")
    if (answer.includes("{")) expect(answer).toContain('"BAD_REQUEST"')
  })

  test("cannot be used to bypass the check", async () => {
    for (const host of ["a", "", "ab", "x/api/v1", "localhost/"]) {
      const answer = await sendRaw(
        kontor.url,
        `GET /zz/api/v1/items HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).not.toStartWith("HTTP/1.1 200")
    }
  })
})

describe("a body", () => {
  const cases: [string, Record<string, string>, string | Uint8Array, number, string][] = [
    ["that is not JSON", json, "{", 400, "INVALID_JSON"],
    ["that is empty", json, "", 400, "INVALID_JSON"],
    ["that is an array", json, "[]", 400, "INVALID_JSON"],
    ["that is null", json, "null", 400, "INVALID_JSON"],
    [
      "that is not UTF-8",
      json,
      new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      400,
      "INVALID_JSON",
    ],
    [
      "that begins with a byte order mark",
      json,
      '\uFEFF{"itemCode":"B-1","itemName":"Bom"}',
      400,
      "INVALID_JSON",
    ],
    ["nested 33 deep", json, `{"a":${"[".repeat(32)}${"]".repeat(32)}}`, 400, "INVALID_JSON"],
    ["nested 20,000 deep", json, `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, 400, "INVALID_JSON"],
    ["of another type", { "content-type": "text/plain" }, "{}", 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "with another charset",
      { "content-type": "application/json; charset=latin1" },
      "{}",
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "that is a form",
      { "content-type": "application/x-www-form-urlencoded" },
      "itemCode=1",
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "with Content-Encoding: identity",
      { ...json, "content-encoding": "identity" },
      "{}",
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "with an unclosed quote",
      { "content-type": 'application/json; charset="utf-8' },
      "{}",
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    ["that is compressed", { ...json, "content-encoding": "gzip" }, "{}", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["over 1 MiB", json, `{"itemCode":"${"x".repeat(1024 * 1024)}"}`, 413, "PAYLOAD_TOO_LARGE"],
    ["over 8 MiB", json, `{"itemCode":"${"x".repeat(8 * 1024 * 1024)}"}`, 413, "PAYLOAD_TOO_LARGE"],
  ]
  test.each(cases)("%s is refused and nothing is stored", async (_, headers, body, status, code) => {
    const before = await count()
    const answer = await send(`${kontor.url}/api/v1/items`, {
      method: "POST",
      headers: { ...api.credential, ...headers },
      body,
    })
    expect(refusalOf(answer)).toMatchObject({ status, code })
    expect(await count()).toBe(before)
  })

  test("that never ends is cut off at 1 MiB with a response", async () => {
    const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`
    const head = `POST /api/v1/items HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${api.credential.authorization}\r\n`
    const answer = await sendRaw(
      kontor.url,
      `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(80)}`,
    )
    expect(answer).toStartWith("HTTP/1.1 413")
    expect(answer).toContain("PAYLOAD_TOO_LARGE")
  })

  test("of a PATCH may be application/merge-patch+json, which a PUT refuses", async () => {
    const { id } = await api.create("/items", { itemCode: "MERGE", itemName: "Merge" })
    const type = { "content-type": "application/merge-patch+json" }
    const patched = await api.patch(`/items/${id}`, '{"itemName":"Patch"}', type)
    expect(patched).toMatchObject({ status: 200, body: { data: { itemName: "Patch" } } })
    expect((await api.put(`/items/${id}`, '{"itemName":"Put"}', type)).status).toBe(415)
  })

  test("nested 32 deep is accepted", async () => {
    const deep = `{"a":${"[".repeat(31)}${"]".repeat(31)}}`
    const answer = await api.post("/items", deep, json)
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["a", "itemCode", "itemName"] })
  })

  test("with charset utf-8 is accepted", async () => {
    const answer = await api.post("/items", JSON.stringify({ itemCode: "CS-1", itemName: "Charset" }), {
      "content-type": "application/json; charset=utf-8",
    })
    expect(answer.status).toBe(201)
  })

  test("cannot access object prototypes", async () => {
    const answer = await api.post(
      "/items",
      '{"__proto__":{"x":1},"constructor":1,"itemCode":"P-1","itemName":"P"}',
      json,
    )
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["__proto__", "constructor"] })
  })
})

describe("the query string", () => {
  test.each([
    ["an unknown parameter on a list", "/items?colour=red"],
    ["an unknown parameter on a record", "/items/itm_1?colour=red"],
    ["a parameter given more than once", "/items?page=1&page=2"],
    ["a parameter given more than once, once escaped", "/items?page=1&p%61ge=2"],
    ["a bad escape", "/items?search=%ZZ"],
    ["an escape that is not UTF-8", "/items?search=%FF"],
    ["a NUL", "/items?search=%00"],
  ])("with %s is 400", async (_, path) => {
    expect(refusalOf(await api.get(path))).toMatchObject({ status: 400, code: "INVALID_QUERY" })
  })

  test("of a write may only ask for a dry run", async () => {
    const answer = await api.post("/items?dry=true", { itemCode: "Q-1", itemName: "Query" })
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: "INVALID_QUERY", fields: ["dry"] })
    expect((await api.get("/items?itemCode=Q-1")).body.data).toEqual([])
  })
})

describe("other origins", () => {
  const preflight = (origin: string) =>
    send(`${kontor.url}/api/v1/items`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    })

  test("a listed origin may send a preflight without a credential, and sees our headers", async () => {
    const asked = await preflight("https://shop.example")
    expect(asked.status).toBe(204)
    expect(asked.headers.get("access-control-allow-origin")).toBe("https://shop.example")
    expect(asked.headers.get("access-control-allow-methods")).toContain("PUT")
    const answer = await api.get("/items", { origin: "https://shop.example" })
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://shop.example")
    expect(answer.headers.get("vary")).toBe("Accept-Encoding, Origin")
    const exposed = answer.headers.get("access-control-expose-headers")
    for (const name of ["X-Request-Id", "Dry-Run", "Deprecation", "Kontor-Warning"])
      expect(exposed).toContain(name)
    // A page goes on with a stream of events after its last one.
    expect(asked.headers.get("access-control-allow-headers")).toContain("Last-Event-ID")
  })

  test.each(["https://evil.example", "https://shop.example.evil", "null"])(
    "%s is not allowed anywhere",
    async (origin) => {
      expect((await preflight(origin)).headers.get("access-control-allow-origin")).toBeNull()
      expect((await api.get("/items", { origin })).headers.get("access-control-allow-origin")).toBeNull()
    },
  )
})

test("a client that disconnects in the middle of its body does not cause a server error", async () => {
  const { hostname, port } = new URL(kontor.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /api/v1/items HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${api.credential.authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  )
  await Bun.sleep(100)
  socket.destroy()
  await Bun.sleep(100)
  expect((await send(`${kontor.url}/health`)).status).toBe(200)
})

describe("a long URL", () => {
  const ofLength = (length: number) => "/items?itemName=".padEnd(length - "/api/v1".length, "a")

  test("of up to 16 KiB is read, and a longer one is refused with an envelope", async () => {
    expect(refusalOf(await api.get(ofLength(16_384)))).toMatchObject({ status: 422, fields: ["itemName"] })
    for (const length of [16_385, 20_000, 60_000]) {
      const answer = await api.get(ofLength(length))
      expect(refusalOf(answer)).toEqual({ status: 414, code: "URI_TOO_LONG", fields: [] })
      expect(answer.headers.get("x-request-id")).toMatch(/./)
    }
    expect(refusalOf(await send(`${kontor.url}/${"a".repeat(20_000)}`))).toMatchObject({ status: 414 })
  })

  test("is refused before the credential is checked, and does not affect the next request", async () => {
    expect((await send(`${kontor.url}/api/v1${ofLength(20_000)}`)).status).toBe(414)
    expect((await api.get("/items")).status).toBe(200)
  })

  test("that is longer than the HTTP parser accepts gets 431", async () => {
    const head = `GET /api/v1/${"a".repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    expect(await sendRaw(kontor.url, head)).toStartWith("HTTP/1.1 431")
  })
})

test("/health and /ready respond without a credential", async () => {
  expect((await send(`${kontor.url}/health`)).body).toEqual({ success: true, data: { status: "ok" } })
  expect((await send(`${kontor.url}/ready`)).body).toEqual({ success: true, data: { status: "ready" } })
})

test("no refusal above logged a stack, SQL or a secret", () => {
  expect(kontor.output.stderr).not.toMatch(/SELECT |INSERT |\bat .*\.ts:|eyJ|correct horse/)
  expect(kontor.output.stderr).not.toContain('"level":"error"')
})

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${part({ alg: "none" })}.${part({ sub: "usr_1", sid: "ses_1", exp: 4_000_000_000 })}.`
}

describe("a request that is not valid HTTP", () => {
  const host = () => `Host: ${new URL(kontor.url).host}\r\n`
  const ask = async (text: string) => {
    const [head = "", body = ""] = (await sendRaw(kontor.url, text)).split("\r\n\r\n")
    return { status: head.split(" ")[1], body }
  }
  const askAt = (line: string, headers = "") => ask(`${line}\r\n${host()}${headers}Connection: close\r\n\r\n`)

  test.each([
    ["an escape that is none", "GET /api/v1/items/%zz HTTP/1.1", "400", "BAD_REQUEST"],
    ["an escape that is no UTF-8", "GET /api/v1/items/%ff HTTP/1.1", "400", "BAD_REQUEST"],
    ["a method that no path has", "PROPFIND /api/v1/items HTTP/1.1", "405", "METHOD_NOT_ALLOWED"],
    ["a long URL", `GET /api/v1/items?x=${"a".repeat(20_000)} HTTP/1.1`, "414", "URI_TOO_LONG"],
  ])("gets an envelope if it can be read: with %s", async (_, line, status, code) => {
    const credential = Object.entries(api.credential).map(([name, value]) => `${name}: ${value}\r\n`)
    const answer = await askAt(line, credential.join(""))
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(`"code":"${code}"`)])
  })

  // A newer parser may do more; then the guide has to say so (docs/guide/errors.md).
  test.each([
    ["GARBAGE", "", "400"],
    ["GET /api/v1/items HTTP/1.1", "bad header\r\n", "400"],
    ["POST /api/v1/items HTTP/1.1", "Content-Length: abc\r\n", "400"],
    ["POST /api/v1/items HTTP/1.1", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "400"],
    ["GET /api/v1/items HTTP/2.0", "", "505"],
    ["get /api/v1/items HTTP/1.1", "", undefined],
  ])("has no body of ours if the parser refuses it: %s %s", async (line, headers, status) => {
    expect(await askAt(line, headers)).toEqual({ status, body: "" })
  })

  test("is one without a host in HTTP/1.1, and may have none in HTTP/1.0", async () => {
    expect(await ask("GET /api/v1/items HTTP/1.1\r\n\r\n")).toEqual({ status: "400", body: "" })
    expect(await ask("GET /api/v1/items HTTP/1.0\r\n\r\n")).toMatchObject({
      status: "400",
      body: expect.stringContaining("BAD_REQUEST"),
    })
  })
})
