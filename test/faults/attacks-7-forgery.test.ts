// OWASP API7:2023, server side request forgery: the server requests only the URLs of webhooks, which must lead to the
// internet. test/api/webhooks.test.ts has more of these.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { send, signIn, type Api } from "../support/api"
import { testAttacks } from "../support/attacks"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { sendRaw } from "../support/raw"
import { trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let visits = 0
const listener = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => (visits++, new Response("seen")) })
const trap = `http://127.0.0.1:${listener.port}`

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
})
afterAll(async () => {
  await listener.stop(true)
  await cleanUp()
})

describe("an image URL", () => {
  const picture = (url: string) =>
    admin.post("/items", { itemCode: `I-${url}`.slice(0, 64), itemName: "I", images: [url] })
  testAttacks([
    ["that is a file", () => picture("file:///etc/passwd"), 422, "VALIDATION_ERROR"],
    ["that is a script", () => picture("javascript:alert(1)"), 422, "VALIDATION_ERROR"],
    [
      "that is a data URL",
      () => picture("data:text/html,<script>alert(1)</script>"),
      422,
      "VALIDATION_ERROR",
    ],
    ["of gopher", () => picture("gopher://127.0.0.1:25/_MAIL"), 422, "VALIDATION_ERROR"],
    ["of ftp", () => picture("ftp://127.0.0.1/x"), 422, "VALIDATION_ERROR"],
    ["without a scheme", () => picture("//evil.example/x.png"), 422, "VALIDATION_ERROR"],
    ["with a line break", () => picture("https://a.example/\r\nX: 1"), 422, "VALIDATION_ERROR"],
    [
      "on the server's own computer is stored and not requested",
      () => picture(`${trap}/picture.png`),
      201,
      null,
    ],
    [
      "of a cloud metadata service is stored and not requested",
      () => picture("http://169.254.169.254/latest/meta-data"),
      201,
      null,
    ],
  ])
})

describe("the URL of a webhook", () => {
  const calling = (url: string) => admin.post("/webhooks", { url, types: ["*"] })
  const port = listener.port ?? 0
  testAttacks([
    ["on the server's own computer", () => calling(trap), 422, "VALIDATION_ERROR"],
    ["with https there", () => calling(`https://127.0.0.1:${port}/`), 422, "VALIDATION_ERROR"],
    ["by a name", () => calling(`https://localhost:${port}/`), 422, "VALIDATION_ERROR"],
    ["as a number", () => calling(`https://2130706433:${port}/`), 422, "VALIDATION_ERROR"],
    ["of a cloud metadata service", () => calling("https://169.254.169.254/"), 422, "VALIDATION_ERROR"],
    ["that is a file", () => calling("file:///etc/passwd"), 422, "VALIDATION_ERROR"],
    ["of gopher", () => calling("gopher://127.0.0.1:25/_MAIL"), 422, "VALIDATION_ERROR"],
    ["with a line break", () => calling("https://a.example/\r\nX: 1"), 422, "VALIDATION_ERROR"],
  ])
})

describe("a redirect URI", () => {
  const redirecting = (uri: string) =>
    admin.post("/oauth-clients", { name: "C", redirectUris: [uri], scopes: ["read"] })
  testAttacks([
    ["with http on another host", () => redirecting("http://shop.example/cb"), 422, "VALIDATION_ERROR"],
    ["that is a script", () => redirecting("javascript:alert(1)"), 422, "VALIDATION_ERROR"],
    ["that is a data URL", () => redirecting("data:text/html,x"), 422, "VALIDATION_ERROR"],
    ["that is a file", () => redirecting("file:///etc/passwd"), 422, "VALIDATION_ERROR"],
    ["with a fragment", () => redirecting("https://shop.example/cb#x"), 422, "VALIDATION_ERROR"],
    ["with a user name", () => redirecting("https://shop.example@evil.example/"), 422, "VALIDATION_ERROR"],
    ["with a backslash", () => redirecting("https://shop.example\\@evil.example/"), 422, "VALIDATION_ERROR"],
    [
      "that begins like a loopback address",
      () => redirecting("http://127.0.0.1.evil.example/cb"),
      422,
      "VALIDATION_ERROR",
    ],
    ["that is a path", () => redirecting("/cb"), 422, "VALIDATION_ERROR"],
    ["that is empty", () => redirecting(""), 422, "VALIDATION_ERROR"],
  ])
})

describe("a request that names another server", () => {
  const ask = (line: string, host = "localhost") =>
    sendRaw(kontor.url, `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  test.each([
    ["an absolute URL for a proxy", `GET ${trap}/ `],
    ["a CONNECT tunnel", `CONNECT 127.0.0.1:${listener.port}`],
    ["a host after two slashes", `GET //127.0.0.1:${listener.port}/`],
    ["a host after an @", `GET @127.0.0.1:${listener.port}/`],
  ])("%s is not forwarded", async (_, line) => {
    expect(await ask(line)).not.toContain("seen")
  })

  test("in X-Forwarded-Host or Origin gets no link to it", async () => {
    for (let i = 0; i < 3; i++) await trade(admin).item()
    const headers = {
      ...admin.credential,
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      origin: "https://evil.example",
    }
    const list = await send(`${kontor.url}/api/v1/items?perPage=1`, { headers })
    expect(list.headers.get("link")).toStartWith("</api/v1/items?")
    const made = await send(`${kontor.url}/api/v1/customers`, { headers, body: { name: "L" } })
    expect(made.headers.get("location")).toStartWith("/api/v1/customers/cus_")
    const metadata = await send(`${kontor.url}/.well-known/oauth-authorization-server`, { headers })
    expect(metadata.text).not.toContain("evil.example")
  })
})

test("the server has not requested any of these URLs, even when it displays them", async () => {
  const shop = trade(admin)
  const { id: item } = await shop.item({ images: [`${trap}/shown.png`], description: `${trap}/text` })
  await admin.put("/settings", { companyName: trap, companyAddress: `<img src="${trap}/letterhead">` })
  const { id } = await shop.invoice({ items: [{ item, quantity: 1 }], notes: `${trap}/notes` })
  expect((await admin.get(`/invoices/${id}/pdf`)).status).toBe(200)
  await admin.get("/reports/summary")
  await admin.get("/search?q=http")
  await Bun.sleep(200)
  expect(visits).toBe(0)
})
