import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { send } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let page: string
let assets: string[]

beforeAll(async () => {
  kontor = await serve()
  page = (await send(`${kontor.url}/console/`)).text
  assets = [...page.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "")
})
afterAll(cleanUp)

const raw = (path: string, headers: Record<string, string> = {}) =>
  fetch(kontor.url + path, { headers: { "accept-encoding": "identity", ...headers }, decompress: false })

describe("the console's page", () => {
  test.each(["/", "/setup", "/console", "/console/", "/console/orders/so_1", "/console/settings/api-keys"])(
    "%s is the same page, with a policy that blocks inline scripts and scripts of other origins",
    async (path) => {
      const answer = await send(kontor.url + path)
      expect(answer).toMatchObject({ status: 200, text: page })
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
      const policy = answer.headers.get("content-security-policy") ?? ""
      expect(policy).toContain("default-src 'none'; script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(/script-src[^;]*unsafe/.test(policy)).toBeFalse()
      expect(answer.headers.get("cache-control")).toBe("no-cache")
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
    },
  )

  test("has no inline script, no inline handler, and no URL of another host", () => {
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|\son\w+=|https?:\/\//)
    expect(assets.length).toBeGreaterThan(1)
  })

  test("is not sent again if it has not changed", async () => {
    const etag = (await send(`${kontor.url}/console/`)).headers.get("etag") ?? ""
    const again = await send(`${kontor.url}/console/`, { headers: { "if-none-match": etag } })
    expect([again.status, again.text]).toEqual([304, ""])
  })
})

describe("the console's files", () => {
  test("can be cached forever, because their names change with their content", async () => {
    for (const path of assets) {
      const { status, headers } = await raw(path)
      expect([path, status, headers.get("cache-control")]).toEqual([
        path,
        200,
        "public, max-age=31536000, immutable",
      ])
    }
  })

  test("are compressed as the client accepts it, and uncompressed for other clients", async () => {
    const path = assets.find((each) => each.endsWith(".js")) ?? ""
    const bytes = async (encoding: string) => {
      const answer = await raw(path, { "accept-encoding": encoding })
      return { as: answer.headers.get("content-encoding"), bytes: new Uint8Array(await answer.arrayBuffer()) }
    }
    const [plain, gzip, brotli] = [
      await bytes("identity"),
      await bytes("gzip, deflate"),
      await bytes("gzip, br"),
    ]
    expect([plain.as, gzip.as, brotli.as]).toEqual([null, "gzip", "br"])
    expect(Buffer.from(gunzipSync(gzip.bytes)).equals(Buffer.from(plain.bytes))).toBeTrue()
    expect(Buffer.from(brotliDecompressSync(brotli.bytes)).equals(Buffer.from(plain.bytes))).toBeTrue()
    expect(brotli.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect((await bytes("br;q=0, gzip")).as).toBe("gzip")
    expect((await bytes("br;q=0, gzip;q=0")).as).toBeNull()
  })

  test("that do not exist are 404, and nothing outside their folder is served", async () => {
    for (const path of ["/console/assets/none.js", "/console/assets/..%2f..%2fpackage.json"])
      expect((await send(kontor.url + path)).status).toBe(404)
  })

  test("are public, and do not count against a limit", async () => {
    const { headers } = await raw(assets[0] ?? "")
    expect(headers.get("x-ratelimit-limit")).toBeNull()
  })
})
