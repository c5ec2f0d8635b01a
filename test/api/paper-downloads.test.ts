// How the files of documents are downloaded: parameters, rights, headers, and what a download stores.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { gunzipSync } from "node:zlib"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { changeAhead, inFile } from "../support/file"
import { cleanUp } from "../support/kontor"
import { download, paperShop } from "../support/downloads"

const { kontor, api, shop, body, issue, formsOf, papersOf } = await paperShop()
let invoice: string
let note: string
let draft: string
let order: string

beforeAll(async () => {
  invoice = (await issue()).id
  note = (await api.create(`/invoices/${(await issue()).id}/credit-notes`, { reason: "Damaged" })).id
  draft = (await api.create("/invoices", body())).id
  order = (await shop.order(body())).id
})
afterAll(cleanUp)

const get = (path: string, headers: Record<string, string> = {}, by: Api = api) =>
  download(kontor, by, path, headers)

/** The paths of all files, and of the checks. */
const paths = () => [
  `/invoices/${invoice}/pdf`,
  `/invoices/${invoice}/xml`,
  `/invoices/${invoice}/e-invoice`,
  `/credit-notes/${note}/pdf`,
  `/credit-notes/${note}/xml`,
  `/credit-notes/${note}/e-invoice`,
  `/invoices/${draft}/pdf`,
  `/invoices/${draft}/e-invoice`,
  `/sales-orders/${order}/pdf`,
  ...[`/invoices/${invoice}`, `/credit-notes/${note}`, `/invoices/${draft}`, `/sales-orders/${order}`].map(
    (document) => `${document}/print`,
  ),
]

describe("a file", () => {
  test("is shown under the number of its document, which may contain slashes", async () => {
    const formats = { invoices: "R/{YYYY}/{####}" }
    const { numberFormats } = (await api.get("/settings")).body.data
    expect((await api.put("/settings", { numberFormats: { ...numberFormats, ...formats } })).status).toBe(200)
    const { id, invoiceNumber } = await issue()
    await api.put("/settings", { numberFormats })
    const name = invoiceNumber.replaceAll("/", "-")
    expect(name).toMatch(/^R-\d{4}-\d{4}$/)
    for (const [path, type, file] of [
      [`/invoices/${id}/pdf`, "application/pdf", `${name}.pdf`],
      [`/invoices/${id}/xml`, "application/xml; charset=utf-8", `${name}.xml`],
      [`/invoices/${draft}/pdf`, "application/pdf", "invoice-draft.pdf"],
      [
        `/sales-orders/${order}/pdf`,
        "application/pdf",
        `${(await shop.get("sales-orders", order)).orderNumber}.pdf`,
      ],
    ] as const) {
      const { status, headers } = await get(path)
      expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
        200,
        type,
        `inline; filename="${file}"`,
      ])
      expect(headers.get("x-content-type-options")).toBe("nosniff")
    }
  })

  test("has the hash of its bytes as ETag, and is not sent again to a client that has it", async () => {
    for (const path of paths().filter(
      (each) => !each.includes(draft) && /(notes|invoices).*(pdf|xml)$/.test(each),
    )) {
      const first = await get(path)
      expect([path, first.status, first.etag]).toEqual([path, 200, `"${first.sha256}"`])
      const again = await get(path, { "if-none-match": first.etag ?? "" })
      expect([path, again.status, again.bytes.length, again.etag]).toEqual([path, 304, 0, first.etag])
    }
  })

  test("can be asked for with HEAD", async () => {
    const { id } = await issue()
    for (const path of [`/invoices/${id}/pdf`, `/invoices/${id}/xml`, `/sales-orders/${order}/pdf`]) {
      const head = await api.call("HEAD", path, undefined, { "accept-encoding": "identity" })
      const full = await get(path, { "accept-encoding": "identity" })
      expect([path, head.status, head.text]).toEqual([path, 200, ""])
      for (const name of ["etag", "content-type", "content-disposition", "content-length", "cache-control"])
        expect([path, name, head.headers.get(name)]).toEqual([path, name, full.headers.get(name)])
    }
  })

  test("is compressed if it is XML, and not if it is a PDF", async () => {
    const raw = (path: string) =>
      fetch(`${kontor.url}/api/v1${path}`, {
        headers: { ...api.credential, "accept-encoding": "gzip" },
        decompress: false,
      })
    const xml = await raw(`/invoices/${invoice}/xml`)
    const plain = await get(`/invoices/${invoice}/xml`, { "accept-encoding": "identity" })
    expect([xml.headers.get("content-encoding"), xml.headers.get("etag")]).toEqual(["gzip", plain.etag])
    expect(gunzipSync(await xml.arrayBuffer()).equals(plain.bytes)).toBeTrue()
    expect(plain.headers.get("content-encoding")).toBeNull()
    expect((await raw(`/invoices/${invoice}/pdf`)).headers.get("content-encoding")).toBeNull()
  })

  test("is logged with its hash, in the name of the person who first downloaded it", async () => {
    const { id } = await issue()
    const document = `/invoices/${id}`
    expect(await formsOf(document)).toEqual(["cii-en16931"])
    const email = "first.paper@example.com"
    const password = "a fine password"
    const user = await api.create("/users", { email, name: "First", role: "viewer", password })
    const viewer = await signIn(kontor, email, password)
    const { sha256 } = await get(`${document}/pdf?language=fr`, {}, viewer)
    const [entry] = (await api.get(`${document}/history?perPage=1`)).body.data
    expect(entry).toMatchObject({
      action: "invoices.paper",
      actor: user.id,
      changes: { "pdf-fr": { from: null, to: sha256 } },
    })
    const before = inFile(kontor, (db) => db.query("SELECT count(*) FROM audit_logs").values())
    for (const path of ["pdf?language=fr", "xml"]) await get(`${document}/${path}`)
    expect(inFile(kontor, (db) => db.query("SELECT count(*) FROM audit_logs").values())).toEqual(before)
    expect(await shop.get("invoices", id)).toMatchObject({ version: 1 })
  })
})

test("the path that printed a document redirects to its PDF, in the same language", async () => {
  for (const document of [`/invoices/${invoice}`, `/credit-notes/${note}`, `/sales-orders/${order}`])
    for (const query of ["", "?language=fr"])
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, text } = await api.call(method, `${document}/print${query}`)
        expect([status, headers.get("location"), text]).toEqual([302, `/api/v1${document}/pdf${query}`, ""])
      }
})

describe("a wrong parameter is refused with the allowed values:", () => {
  test.each([
    ["pdf?language=es", "language", ["en", "de", "fr"]],
    ["pdf?language=", "language", ["en", "de", "fr"]],
    ["pdf?language=EN", "language", ["en", "de", "fr"]],
    ["print?language=es", "language", ["en", "de", "fr"]],
    ["xml?format=pdf", "format", ["cii", "ubl"]],
    ["xml?profile=facturx", "profile", ["en16931", "xrechnung"]],
    ["e-invoice?profile=", "profile", ["en16931", "xrechnung"]],
  ])("%s", async (path, field, allowed) => {
    for (const document of [`/invoices/${invoice}`, `/credit-notes/${note}`]) {
      const answer = await api.get(`${document}/${path}`)
      expect(refusalOf(answer)).toEqual({ status: 400, code: "INVALID_QUERY", fields: [field] })
      expect(answer.body.error.details[0]).toMatchObject({ params: { allowed } })
      for (const value of allowed) expect(answer.body.error.details[0].message).toContain(value)
    }
  })

  test.each([
    "pdf?format=cii",
    "print?format=pdf",
    "pdf?language=de&language=fr",
    "xml?language=de",
    "xml?format=cii&format=ubl",
    "e-invoice?format=ubl",
    "pdf?dryRun=true",
  ])("%s", async (path) => {
    const { status, code } = refusalOf(await api.get(`/invoices/${invoice}/${path}`))
    expect([status, code]).toEqual([400, "INVALID_QUERY"])
  })
})

describe("who may download", () => {
  const password = "a fine password"

  test.each(["viewer", "sales", "shop", "accountant", "manager", "admin"])("%s", async (role) => {
    const email = `${role}.paper@example.com`
    await api.create("/users", { email, name: role, role, password })
    const person = await signIn(kontor, email, password)
    const { id } = await issue()
    // This person is the first, so the download is stored.
    for (const path of [...paths(), `/invoices/${id}/pdf`, `/invoices/${id}/xml?format=ubl`])
      expect([path, (await get(path, {}, person)).status]).toEqual([path, 200])
    expect(await formsOf(`/invoices/${id}`)).toEqual(["cii-en16931", "pdf-en", "ubl-en16931"])
  })

  test("a key that may only read, but not one that may not", async () => {
    const keyed = async (scopes: string[]) =>
      apiWith(kontor, { "x-api-key": (await api.create("/api-keys", { name: "K", scopes })).key })
    const [reader, writer] = [await keyed(["read"]), await keyed(["write", "delete", "admin"])]
    const { id } = await issue()
    for (const path of [...paths(), `/invoices/${id}/pdf`, `/invoices/${id}/xml?format=ubl`]) {
      expect(refusalOf(await writer.get(path))).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" })
      expect([path, (await get(path, {}, reader)).status]).toEqual([path, 200])
    }
  })

  test("nobody without a credential", async () => {
    for (const path of paths()) expect((await send(`${kontor.url}/api/v1${path}`)).status).toBe(401)
  })

  test.each([
    ["a key that was revoked", "DELETE FROM api_keys WHERE name = 'Gone'", 401],
    ["a key of a person who was deactivated", "UPDATE users SET is_active = 0 WHERE name = 'Gone'", 401],
    ["a key that lost its scope", `UPDATE api_keys SET scopes = '["write"]' WHERE name = 'Gone'`, 403],
  ])("not %s meanwhile: nothing is stored", async (_, sql, status) => {
    const email = `${crypto.randomUUID()}@example.com`
    await api.create("/users", { email, name: "Gone", role: "accountant", password })
    const person = await signIn(kontor, email, password)
    const { id } = await issue()
    for (const path of ["pdf", "xml?format=ubl"]) {
      inFile(kontor, (db) => db.run("UPDATE users SET is_active = 1"))
      const { key } = await person.create("/api-keys", { name: "Gone", scopes: ["read"] })
      const answer = await changeAhead(
        kontor,
        (db) => expect(db.run(sql).changes).toBeGreaterThan(0),
        () => get(`/invoices/${id}/${path}`, {}, apiWith(kontor, { "x-api-key": key })),
      )
      expect([path, answer.status]).toEqual([path, status])
    }
    expect(papersOf(id)).toEqual(["cii-en16931"])
  })
})

test("a document that does not exist, or is of another kind, is 404", async () => {
  for (const path of [
    "/invoices/none/pdf",
    "/invoices/none/xml",
    "/invoices/none/e-invoice",
    "/credit-notes/none/pdf",
    "/credit-notes/none/xml",
    "/credit-notes/none/e-invoice",
    "/sales-orders/none/pdf",
    "/invoices/none/print",
    "/credit-notes/none/print",
    "/sales-orders/none/print",
    `/invoices/${order}/pdf`,
    `/invoices/${note}/xml`,
    `/credit-notes/${invoice}/pdf`,
    `/sales-orders/${invoice}/pdf`,
    `/sales-orders/${invoice}/print`,
  ])
    expect([path, refusalOf(await api.get(path))]).toEqual([
      path,
      expect.objectContaining({ status: 404, code: "NOT_FOUND" }),
    ])
  expect((await api.get(`/sales-orders/${order}/xml`)).status).toBe(404)
})
