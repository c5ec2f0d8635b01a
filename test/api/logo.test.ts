import { afterAll, beforeAll, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { jpeg, png } from "../support/images"
import { cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api
const logo = png()
const hash = Bun.SHA256.hash(logo, "hex")

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

const put = (image: Uint8Array, type = "image/png", headers: Record<string, string> = {}) =>
  api.put("/settings/logo", image, { "content-type": type, ...headers })
const bytesOf = async (by: Api) => {
  const answer = await fetch(`${kontor.url}/api/v1/settings/logo`, { headers: by.credential })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const storedLogo = async () => (await api.get("/settings")).body.data.logo

test("there is no logo at first", async () => {
  expect(refusalOf(await api.get("/settings/logo"))).toMatchObject({ status: 404, code: "NOT_FOUND" })
  expect(await storedLogo()).toBeNull()
  expect((await api.delete("/settings/logo")).status).toBe(204)
})

test("a logo is stored by its hash, with a version and an audit entry", async () => {
  const { version } = (await api.get("/settings")).body.data
  const answer = await put(logo)
  expect(answer).toMatchObject({ status: 200, body: { data: { logo: hash, version: version + 1 } } })
  expect(answer.headers.get("etag")).toBe(`"${version + 1}.0"`)
  const [{ changes }] = (await api.get("/audit-logs?action=settings.update&perPage=1")).body.data
  expect(changes).toEqual({ logo: { from: null, to: hash } })
  const again = await put(logo)
  expect(again).toMatchObject({ status: 200, body: { data: { version: version + 1 } } })
  expect(refusalOf(await put(png(10, 10), "image/png", { "if-match": `"${version}"` }))).toMatchObject({
    status: 412,
  })
  expect(await storedLogo()).toBe(hash)
})

test("every role and a key that may read gets the bytes, with headers that make them only an image", async () => {
  const password = "correct horse battery"
  await api.create("/users", { email: "viewer@example.com", name: "V", role: "viewer", password })
  const viewer = await signIn(kontor, "viewer@example.com", password)
  const { key } = await api.create("/api-keys", { name: "K", scopes: ["read"] })
  for (const by of [api, viewer, apiWith(kontor, { "x-api-key": key })]) {
    const { status, headers, bytes } = await bytesOf(by)
    expect(status).toBe(200)
    expect(bytes.equals(logo)).toBe(true)
    expect(headers.get("content-type")).toBe("image/png")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox")
    expect(headers.get("cache-control")).toBe("no-store")
  }
  expect((await send(`${kontor.url}/api/v1/settings/logo`)).status).toBe(401)
  expect((await viewer.put("/settings/logo", logo, { "content-type": "image/png" })).status).toBe(403)
  expect((await viewer.delete("/settings/logo")).status).toBe(403)
})

test.each([
  ["a text", Buffer.from("<script>alert(1)</script>"), "image/png", 422],
  ["nothing", new Uint8Array(), "image/png", 422],
  ["a JPEG that is called a PNG", jpeg(), "image/png", 422],
  ["an image that is too wide", jpeg(4_001, 10), "image/jpeg", 422],
  ["an image that is too high", jpeg(10, 4_001), "image/jpeg", 422],
  ["an image without a width", jpeg(0, 10), "image/jpeg", 422],
  ["a JPEG that was cut off", jpeg().subarray(0, -2), "image/jpeg", 422],
  ["an image in the colors of printers (CMYK)", jpeg(120, 40, 4), "image/jpeg", 422],
  ["an SVG", Buffer.from("<svg/>"), "image/svg+xml", 415],
  ["an image as JSON", logo, "application/json", 415],
  ["256 KiB and a byte", Buffer.concat([logo, Buffer.alloc(256 * 1024 + 1 - logo.length)]), "image/png", 413],
])("%s is refused", async (_, image, type, status) => {
  expect((await put(image, type)).status).toBe(status)
  expect(await storedLogo()).toBe(hash)
})

test("a compressed body is refused", async () => {
  expect((await put(logo, "image/png", { "content-encoding": "gzip" })).status).toBe(415)
})

test("a body of unknown length is read only up to the limit", async () => {
  const part = new Uint8Array(64 * 1024)
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      sent += part.length
      if (sent > 64 * 1024 * 1024) controller.close()
      else controller.enqueue(part)
    },
  })
  const answer = await fetch(`${kontor.url}/api/v1/settings/logo`, {
    method: "PUT",
    headers: { ...api.credential, "content-type": "image/png" },
    body,
  }).catch(() => null)
  // The server may close the connection before the client has read the response.
  expect(answer?.status ?? 413).toBe(413)
  expect(sent).toBeLessThan(64 * 1024 * 1024)
  expect(await storedLogo()).toBe(hash)
})

test("the largest image is accepted, and a JPEG too", async () => {
  const whole = Buffer.concat([jpeg(4_000, 4_000), Buffer.alloc(256 * 1024)]).subarray(0, 256 * 1024)
  expect(await put(whole, "image/jpeg; charset=binary")).toMatchObject({ status: 200 })
  expect((await bytesOf(api)).headers.get("content-type")).toBe("image/jpeg")
})

test("the logo cannot be set with the other settings", async () => {
  const before = await storedLogo()
  const answer = await api.put("/settings", { logo: hash })
  expect(answer.body).toMatchObject({
    data: { logo: before },
    warnings: [{ code: "READ_ONLY_FIELD", field: "logo" }],
  })
})

test("a removed logo stays in the file for the documents that show it", async () => {
  await put(logo)
  const { version } = (await api.get("/settings")).body.data
  expect((await api.delete("/settings/logo", { "if-match": `"${version - 1}"` })).status).toBe(412)
  expect((await api.delete("/settings/logo")).status).toBe(204)
  expect(await storedLogo()).toBeNull()
  expect((await api.get("/settings/logo")).status).toBe(404)
  const kept = inFile(kontor, (db) => db.query("SELECT type FROM logos WHERE hash = ?").get(hash))
  expect(kept).toEqual({ type: "image/png" })
})
