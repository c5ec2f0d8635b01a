// OWASP API10:2023, unsafe consumption of APIs. The server calls only webhooks, and uses only the status of their
// responses. Its external input is the client address from a proxy, names of apps, and files. Files are in
// test/cli/restore.test.ts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { apiWith, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

let kontor: Kontor
let admin: Api

beforeAll(async () => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
  admin = await signIn(kontor)
})
afterAll(cleanUp)

describe("a client address from a proxy", () => {
  const seenAs = async (forwarded: string): Promise<string> => {
    const { id, key } = await admin.create("/api-keys", { name: "P", scopes: ["read"] })
    await apiWith(kontor, { "x-api-key": key }).get("/items", { "x-forwarded-for": forwarded })
    return (await admin.get(`/api-keys/${id}`)).body.data.lastUsedIp
  }
  test.each([
    ["is used", "203.0.113.9", "203.0.113.9"],
    ["is the last hop, not what the client wrote before", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["can be IPv6", "2001:db8::1", "2001:db8::1"],
    ["is ignored when it is not an address", "evil", "127.0.0.1"],
    ["is ignored when it is SQL", "' OR 1=1 --", "127.0.0.1"],
    ["is ignored when it is markup", "<script>alert(1)</script>", "127.0.0.1"],
    ["is ignored when it is empty", ",,,", "127.0.0.1"],
    ["is ignored when it has 5,000 characters", "1".repeat(5_000), "127.0.0.1"],
  ])("%s", async (_, forwarded, address) => {
    expect(await seenAs(forwarded)).toBe(address)
  })

  test("allows an API key with allowed addresses only by its last hop", async () => {
    const { key } = await admin.create("/api-keys", {
      name: "P",
      scopes: ["read"],
      allowedIps: ["203.0.113.9"],
    })
    const from = async (forwarded: string) =>
      (await apiWith(kontor, { "x-api-key": key }).get("/items", { "x-forwarded-for": forwarded })).status
    expect(await from("203.0.113.9")).toBe(200)
    expect(await from("203.0.113.9, 198.51.100.1")).toBe(403)
  })
})

test.skipIf(process.platform !== "linux")("the server opens no outgoing connections", async () => {
  const shop = trade(admin)
  await shop.item({ images: ["http://192.0.2.1/never.png"] })
  await shop.invoice()
  const port = Number(new URL(kontor.url).port)
  const folder = `/proc/${kontor.process.pid}`
  const inodes = new Set(
    readdirSync(`${folder}/fd`).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/fd/${name}`))?.[1] ?? []
      } catch {
        return []
      }
    }),
  )
  const rows = ["tcp", "tcp6", "udp", "udp6"].flatMap((kind) =>
    readFileSync(`${folder}/net/${kind}`, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.trim().split(/\s+/)),
  )
  const ports = rows
    .filter((row) => inodes.has(row[9] ?? ""))
    .map((row) => parseInt(row[1]?.split(":")[1] ?? "", 16))
  expect(ports.length).toBeGreaterThan(0)
  expect(new Set(ports)).toEqual(new Set([port]))
})
