import { afterAll, beforeAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { apiWith, refusalOf } from "../support/api"
import { download, paperShop } from "../support/downloads"
import { cleanUp, emptyFolder } from "../support/kontor"

type Shop = Awaited<ReturnType<typeof paperShop>>
type Manifest = {
  files: { name: string; kind: string; records: number; bytes: number; sha256: string }[]
}

let shop: Shop
let archive: string
let invoice: { id: string; invoiceNumber: string }

beforeAll(async () => {
  shop = await paperShop()
  const { api, kontor } = shop
  invoice = await shop.issue()
  await download(kontor, api, `/invoices/${invoice.id}/pdf`)
  await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Scratched" })
  await api.create("/items", { itemCode: "DESK", itemName: "Schreibtisch" })
  // Its use is still in memory then.
  const { key } = await api.create("/api-keys", { name: "Web shop", scopes: ["read"] })
  await apiWith(kontor, { "x-api-key": key }).get("/items")
  const { bytes, headers, status } = await download(kontor, api, "/export.zip")
  expect(status).toBe(200)
  expect(headers.get("content-type")).toBe("application/zip")
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="kontor-\d{4}-\d\d-\d\d\.zip"$/)
  archive = join(emptyFolder(), "all.zip")
  writeFileSync(archive, bytes)
})
afterAll(cleanUp)

/** Runs Info-ZIP, as a person would. */
function unzip(...args: string[]): Buffer {
  const { success, stdout, stderr } = Bun.spawnSync(["unzip", ...args], { stdout: "pipe", stderr: "pipe" })
  if (!success) throw new Error(`unzip ${args.join(" ")}: ${stderr.toString()}${stdout.toString()}`)
  return stdout
}
const fileIn = (name: string): Buffer => unzip("-p", archive, name)
const manifest = (): Manifest => JSON.parse(fileIn("manifest.json").toString())
const recordsIn = (name: string): Record<string, unknown>[] =>
  fileIn(name)
    .toString()
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))

test("the archive is a ZIP file whose manifest comes last, and names each file with its hash", () => {
  expect(unzip("-t", archive).toString()).toContain("No errors detected")
  const names = unzip("-Z1", archive).toString().trimEnd().split("\n")
  expect(names.at(-1)).toBe("manifest.json")
  const { files, ...about } = manifest()
  expect(about).toEqual({
    format: "kontor-export",
    version: 1,
    kontor: expect.stringMatching(/^\d/),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  } as object)
  expect(files.map(({ name }) => name)).toEqual(names.slice(0, -1))
  for (const { name, records, bytes, sha256 } of files) {
    const content = fileIn(name)
    expect([name, content.length, Bun.SHA256.hash(content, "hex")]).toEqual([name, bytes, sha256])
    expect(recordsIn(name)).toHaveLength(records)
  }
})

test("it has the records of all kinds as the lists return them", async () => {
  const listed = [
    "items",
    "tax-codes",
    "customers",
    "sales-orders",
    "invoices",
    "credit-notes",
    "payments",
    "stock-movements",
    "users",
    "api-keys",
    "oauth-clients",
  ]
  for (const kind of listed) {
    const { data } = (await shop.api.get(`/${kind}?perPage=100&order=asc`)).body
    expect([kind, recordsIn(`${kind}.ndjson`)]).toEqual([kind, data])
  }
  expect(recordsIn("settings.ndjson")).toEqual([(await shop.api.get("/settings")).body.data])
})

test("it has the stored PDFs, e-invoices and logos", async () => {
  const papers = recordsIn("papers.ndjson")
  const pdf = papers.find(({ document, form }) => document === invoice.id && form === "pdf-en")
  const { sha256, bytes } = await download(shop.kontor, shop.api, `/invoices/${invoice.id}/pdf?language=en`)
  expect(Buffer.from(String(pdf?.content), "base64").equals(bytes)).toBe(true)
  expect(pdf?.sha256).toBe(sha256)
  const xml = papers.find(({ document, form }) => document === invoice.id && form === "cii-en16931")
  expect(Buffer.from(String(xml?.content), "base64").toString()).toContain(invoice.invoiceNumber)
  const { logo } = (await shop.api.get("/settings")).body.data
  expect(recordsIn("logos.ndjson")).toEqual([
    { hash: logo, type: "image/png", content: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) },
  ])
})

test("its export is in the audit log, also in that of the archive", async () => {
  const [entry] = (await shop.api.get("/audit-logs?action=exports.create")).body.data
  expect(entry).toMatchObject({ action: "exports.create", kind: "exports", outcome: "success" })
  expect(recordsIn("audit-logs.ndjson").at(-1)).toEqual(entry)
})

test("it has no secrets", () => {
  const names = manifest().files.map(({ name }) => name)
  const whole = names.map((name) => fileIn(name).toString()).join("")
  for (const word of ["passwordHash", "password_hash", "$argon2", "digest", "refresh"])
    expect(whole).not.toContain(word)
})

test("it is for an admin who signed in, without parameters", async () => {
  const { key } = await shop.api.create("/api-keys", {
    name: "All",
    scopes: ["read", "write", "delete", "admin"],
  })
  const answer = await apiWith(shop.kontor, { "x-api-key": key }).get("/export.zip")
  expect(refusalOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
  expect(refusalOf(await shop.api.get("/export.zip?format=csv"))).toMatchObject({
    status: 400,
    fields: ["format"],
  })
})
