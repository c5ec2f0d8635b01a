// OWASP API8:2023, security misconfiguration: headers, origins, hosts, paths, content types, and request smuggling.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { send, signIn, type Api } from "../support/api"
import { showsNothing, testAttacks } from "../support/attacks"
import { download } from "../support/downloads"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { askUrl, clientOf, pkce } from "../support/oauth"
import { sendRaw } from "../support/raw"
import { trade } from "../support/trade"

let kontor: Kontor
let admin: Api
const draft = '{"itemCode":"CT","itemName":"CT"}'

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
})
afterAll(cleanUp)

const ask = (path: string, headers: Record<string, string> = {}) =>
  send(kontor.url + path, { headers: { ...admin.credential, ...headers } })

describe("a foreign origin", () => {
  const preflight = {
    "access-control-request-method": "DELETE",
    "access-control-request-headers": "authorization",
  }
  test.each(["https://evil.example", "null", "http://localhost", "file://", "*"])(
    "%s is not allowed on any path",
    async (origin) => {
      for (const path of ["/api/v1/items", "/oauth/token", "/console/session", "/health", "/openapi.json"]) {
        const asked = await send(kontor.url + path, { method: "OPTIONS", headers: { origin, ...preflight } })
        const answer = await ask(path, { origin })
        for (const { headers } of [asked, answer]) {
          expect(headers.get("access-control-allow-origin")).toBeNull()
          expect(headers.get("access-control-allow-credentials")).toBeNull()
        }
      }
    },
  )
})

describe("a body with another content type", () => {
  const typed = (type: string, body = draft) => admin.post("/items", body, { "content-type": type })
  testAttacks([
    ["text, which a foreign page can send", () => typed("text/plain"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "a form",
      () => typed("application/x-www-form-urlencoded", "itemCode=CT&itemName=CT"),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "a form with files",
      () => typed("multipart/form-data; boundary=x", "--x--"),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "XML with an entity",
      () => typed("application/xml", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    ["YAML", () => typed("application/yaml", "itemCode: CT"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["another JSON type", () => typed("application/merge-patch+json"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["JSON in UTF-16", () => typed("application/json; charset=utf-16"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["two types", () => typed("application/json, text/plain"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["JSON with a comment", () => typed("application/json", `${draft}//`), 400, "INVALID_JSON"],
    ["JSON twice", () => typed("application/json", draft + draft), 400, "INVALID_JSON"],
    ["a list", () => typed("application/json", `[${draft}]`), 400, "INVALID_JSON"],
    ["a text", () => typed("application/json", '"x"'), 400, "INVALID_JSON"],
    ["nothing", () => typed("application/json", ""), 400, "INVALID_JSON"],
    [
      "NaN",
      () => typed("application/json", '{"itemCode":"CT","itemName":"CT","sellingPrice":NaN}'),
      400,
      "INVALID_JSON",
    ],
  ])

  test("has created nothing", async () => {
    expect((await admin.get("/items?itemCode=CT")).body.data).toEqual([])
  })
})

describe("a path that is similar to a route", () => {
  const raw = async (path: string) => {
    const answer = await sendRaw(
      kontor.url,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${admin.credential.authorization}\r\nConnection: close\r\n\r\n`,
    )
    return { status: Number(answer.split(" ")[1] ?? 0), text: answer }
  }
  test.each([
    ["with two slashes in front", "//api/v1/items", 404],
    ["with two slashes within", "/api//v1/items", 404],
    ["with a slash at the end", "/api/v1/items/", 404],
    ["with an escaped slash", "/api%2fv1/items", 404],
    ["in capitals", "/API/v1/items", 404],
    ["with a path parameter", "/api/v1/items;a=b", 404],
    ["with an escaped letter", "/api/v1/%69tems", 404],
    ["with escaped dots to a file", "/api/v1/%2e%2e/%2e%2e/etc/passwd", 404],
    ["with dots to a file", "/console/../../../etc/passwd", 404],
    ["with escaped dots and slashes", "/console/..%2f..%2f..%2fetc%2fpasswd", 404],
    ["with a NUL", "/api/v1/items%00.json", 404],
    ["with an incomplete escape", "/api/v1/items/%E0%A4%A", 400],
    ["with no slash in front", "api/v1/items", 400],
  ])("%s does not match it", async (_, path, status) => {
    const answer = await raw(path)
    expect(answer.text).not.toContain("root:")
    expect(answer.text).not.toContain('"meta"')
    // The console returns the same page at every path below /console.
    if (path.startsWith("/console")) expect([200, 400, 404]).toContain(answer.status)
    else expect([status, 400]).toContain(answer.status)
  })

  // By the URL standard these are normalized to /api/v1/items. They must be protected like it.
  test.each([
    "/api\\v1\\items",
    "/x/../api/v1/items",
    "/%2e/api/v1/items",
    "/console/%2e%2e/api/v1/items",
    "/api/v1/./items",
  ])("%s is protected like the normalized path", async (path) => {
    const answer = await sendRaw(
      kontor.url,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toStartWith("HTTP/1.1 401")
  })
})

describe("two requests in one", () => {
  const smuggled = "GET /api/v1/auth/me HTTP/1.1\r\nHost: localhost\r\nX-Smuggled: yes\r\n\r\n"
  const post = (headers: string, body: string) =>
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`
  test.each([
    [
      "by both a length and chunks",
      post(`Content-Length: ${smuggled.length + 5}\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${smuggled}`),
    ],
    ["by two lengths", post(`Content-Length: 2\r\nContent-Length: ${smuggled.length}`, `{}${smuggled}`)],
    ["by a length with a sign", post("Content-Length: +2", `{}${smuggled}`)],
    ["by a negative length", post("Content-Length: -1", `{}${smuggled}`)],
    ["by a length in hexadecimal", post("Content-Length: 0x2", `{}${smuggled}`)],
    ["by an unknown transfer encoding", post("Transfer-Encoding: xchunked", `0\r\n\r\n${smuggled}`)],
    [
      "by two transfer encodings",
      post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", `0\r\n\r\n${smuggled}`),
    ],
    ["by a space before the colon", post("Transfer-Encoding : chunked", `0\r\n\r\n${smuggled}`)],
    ["by an invalid chunk size", post("Transfer-Encoding: chunked", `zz\r\n${smuggled}`)],
    ["by a folded header", post("X-A: b\r\n Transfer-Encoding: chunked", `0\r\n\r\n${smuggled}`)],
    ["by a NUL in a header", post("X-A: b\0c\r\nContent-Length: 0", smuggled)],
  ])("%s get at most one response", async (_, bytes) => {
    const answer = await sendRaw(kontor.url, bytes)
    const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
    expect(statuses.length).toBeLessThanOrEqual(1)
    for (const status of statuses) expect([400, 401, 411, 413, 415, 422, 501]).toContain(status)
    expect((await admin.get("/items")).status).toBe(200)
  })

  test("pipelined on one connection get separate responses", async () => {
    const one = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
    const answer = await sendRaw(
      kontor.url,
      one("/api/v1/items", `Authorization: ${admin.credential.authorization}\r\n`) + one("/api/v1/items"),
    )
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    expect(statuses).toEqual([200, 401])
  })

  test("a request ID or a search cannot inject a header", async () => {
    const answer = await ask("/api/v1/items?search=%0d%0aSet-Cookie:%20a=b", {
      "x-request-id": "a%0d%0aSet-Cookie",
    })
    expect(answer.headers.get("set-cookie")).toBeNull()
  })
})

describe("the headers of every page", () => {
  test.each(["/", "/console", "/console/items", "/setup"])(
    "%s cannot be framed and runs only our scripts",
    async (path) => {
      const { headers } = await send(kontor.url + path)
      const policy = headers.get("content-security-policy") ?? ""
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
        expect(policy).toContain(part)
      expect(policy).not.toMatch(/script-src[^;]*unsafe|\*/)
      expect(headers.get("x-content-type-options")).toBe("nosniff")
    },
  )

  test("a PDF runs no script and links to nothing, with any content", async () => {
    const evil = ")>> /OpenAction << /S /JavaScript /JS (app.alert(1)) >> https://evil.example"
    const shop = trade(admin)
    const { id } = await shop.invoice({
      customer: (await shop.customer({ name: evil, address: { street: evil }, taxId: evil.slice(0, 60) })).id,
      items: [{ item: (await shop.item({ itemName: evil })).id, quantity: 1 }],
      notes: evil,
    })
    const { status, headers, bytes } = await download(kontor, admin, `/invoices/${id}/pdf`)
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(bytes.toString("latin1")).not.toMatch(/\/(OpenAction|AA|JavaScript|JS|Launch|URI|GoToR)\b/)
  })

  test("the consent page cannot be framed", async () => {
    const { headers } = await send(kontor.url + askUrl(await clientOf(admin), pkce().challenge))
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  })

  test("no page, including error pages, can have another base URL or send a form to another site", async () => {
    const consent = askUrl(await clientOf(admin), pkce().challenge)
    const pages: [string, string, method?: string][] = [
      ["/console", "form-action 'self'"],
      ["/docs", "form-action 'none'"],
      [consent, "form-action 'self'"],
      ["/oauth/authorize", "form-action 'self'"],
      ["/oauth/authorize", "form-action 'none'", "PUT"],
    ]
    for (const [path, formAction, method = "GET"] of pages) {
      const { headers } = await send(kontor.url + path, { method, headers: admin.credential })
      expect(headers.get("content-type")).toStartWith("text/html")
      const policy = headers.get("content-security-policy") ?? ""
      expect(`${path} ${policy}`).toContain("base-uri 'none'")
      expect(`${path} ${policy}`).toContain(formAction)
      expect(`${path} ${policy}`).toContain("frame-ancestors")
    }
  })

  test("no response names the server software", async () => {
    for (const path of ["/", "/api/v1/items", "/api/v1/nothing", "/health", "/docs", "/oauth/token"]) {
      const { headers } = await ask(path)
      expect([headers.get("server"), headers.get("x-powered-by")]).toEqual([null, null])
    }
  })

  test("private responses are not cached", async () => {
    for (const path of [
      "/api/v1/items",
      "/api/v1/auth/me",
      "/api/v1/reports/summary",
      "/api/v1/nothing",
      "/oauth/token",
    ])
      expect((await ask(path)).headers.get("cache-control")).toBe("no-store")
  })
})

test("no error reveals internals", async () => {
  for (const path of [
    "/api/v1/items/%00",
    "/api/v1/items?sort=';DROP TABLE items",
    "/api/v1/search?q='",
    "/api/v1/items/a'b",
    "/%ff",
  ])
    showsNothing(await ask(path))
  expect(kontor.output.stderr).not.toContain('"level":"error"')
})
