import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(cleanUp)

const byNumber = (invoice: any) => `/invoices/by/invoiceNumber/${invoice.invoiceNumber}`

test("every path with the id of a record that has keys exists with each key too", async () => {
  const { paths } = (await send(`${kontor.url}/openapi.json`)).body
  const withId = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) => {
    const [, kind, rest] = /^\/api\/v1\/([\w-]+)\/\{id\}(.*)$/.exec(path) ?? []
    const names = Object.keys(paths).flatMap(
      (each) => new RegExp(`^/api/v1/${kind}/by/(\\w+)/\\{value\\}$`).exec(each)?.[1] ?? [],
    )
    return names.flatMap((name) =>
      Object.keys(methods).map((method) => ({
        method,
        rest,
        path: `/api/v1/${kind}/by/${name}/{value}${rest}`,
      })),
    )
  })
  expect(withId.length).toBeGreaterThan(90)
  const missing = withId.filter(({ method, path, rest }) => {
    const shared = path.replace(/\/by\/\w+/, "/by/{field}")
    const operation = paths[path]?.[method] ?? paths[shared]?.[method]
    const [field] = operation?.parameters ?? []
    const keys = rest === "" ? [path.split("/").at(5)] : field?.schema.enum
    return !keys?.includes(path.split("/").at(5))
  })
  expect(missing).toEqual([])
})

describe("a path with a key", () => {
  test("reads what the path with the id reads", async () => {
    const invoice = await shop.invoice({ externalId: "o 1/2" })
    await shop.pay(invoice.id, 1)
    const order = `/sales-orders/by/externalId/${encodeURIComponent("o 1/2")}`
    for (const [byKey, byId] of [
      [byNumber(invoice), `/invoices/${invoice.id}`],
      [order, `/sales-orders/${invoice.salesOrder}`],
    ] as const)
      for (const rest of [
        "/history",
        "/e-invoice",
        ...(byKey === order ? [] : ["/payments", "/write-offs"]),
      ]) {
        const { status, body } = await api.get(byKey + rest)
        expect([rest, status]).toEqual([rest, 200])
        expect(body).toEqual((await api.get(byId + rest)).body)
      }
    const pdf = await send(`${kontor.url}/api/v1${byNumber(invoice)}/pdf`, { headers: api.credential })
    const same = await api.get(`/invoices/${invoice.id}/pdf`, {
      "if-none-match": pdf.headers.get("etag") as string,
    })
    expect([pdf.status, same.status]).toEqual([200, 304])
    const next = (await api.get(`${byNumber(invoice)}/history?perPage=1`)).headers.get("link")
    expect(next).toContain(`${byNumber(invoice)}/history?`)
  })

  test("writes what the path with the id writes, with its ETag, key and dry run", async () => {
    const order = await shop.order()
    const path = `/sales-orders/by/orderNumber/${order.orderNumber}`
    const status = (value: string, headers?: Record<string, string>) =>
      api.put(`${path}/status`, { status: value }, headers)
    expect((await status("submitted", { "if-match": '"9"' })).status).toBe(412)
    expect((await status("submitted", { "if-match": '"1"' })).body.data.status).toBe("submitted")
    const invoice = (await shop.bill(order.id)).body.data
    const pay = (headers?: Record<string, string>, query = "") =>
      api.post(`${byNumber(invoice)}/payments${query}`, { amount: 2 }, headers)
    const tried = await pay({}, "?dryRun=true")
    expect([tried.status, tried.headers.get("dry-run")]).toEqual([201, "true"])
    const once = await pay({ "idempotency-key": "once" })
    expect(once.headers.get("location")).toBe(`/api/v1/invoices/${invoice.id}/payments/${once.body.data.id}`)
    expect((await pay({ "idempotency-key": "once" })).body).toEqual(once.body)
    expect((await api.get(`${byNumber(invoice)}/payments`)).body.data).toHaveLength(1)
    expect((await api.call("DELETE", `${byNumber(invoice)}/payments/${once.body.data.id}`)).status).toBe(204)
    const draft = await shop.order({ externalId: "to delete" })
    expect(
      (await api.call("PATCH", "/sales-orders/by/externalId/to%20delete", { notes: "x" })).body.data.id,
    ).toBe(draft.id)
    expect((await api.call("DELETE", "/sales-orders/by/externalId/to%20delete")).status).toBe(204)
    expect((await api.get(`/sales-orders/${draft.id}`)).status).toBe(404)
    const note = await api.create(`${byNumber(invoice)}/credit-notes`, { reason: "Returned" })
    const named = await api.put(`/credit-notes/by/creditNoteNumber/${note.creditNoteNumber}`, {
      notes: "Seen",
    })
    expect(named.body.data).toMatchObject({ id: note.id, notes: "Seen" })
  })

  test("without a record is 404 as GET by the key is, after the same checks of the caller", async () => {
    const asked = (answer: Answer) => answer.body.error
    const missing = asked(await api.get("/invoices/by/invoiceNumber/none"))
    expect(missing).toMatchObject({ code: "NOT_FOUND", params: { kind: "invoices", id: "none" } })
    for (const answer of [
      await api.get("/invoices/by/invoiceNumber/none/pdf"),
      await api.get("/invoices/by/invoiceNumber/none/history"),
      await api.put("/invoices/by/invoiceNumber/none/status", { status: "cancelled" }),
      await api.post("/invoices/by/invoiceNumber/none/credit-notes", { reason: "x" }),
      await api.call("DELETE", "/invoices/by/invoiceNumber/none"),
    ])
      expect([answer.status, asked(answer)]).toEqual([404, missing])
    // An id is not a key, and a key is not an id.
    const { id } = await shop.invoice()
    const stale = { "if-match": '"99"' }
    const path = `/invoices/by/externalId/${id}/status`
    expect((await api.put(path, { status: "cancelled" }, stale)).status).toBe(404)
    expect((await shop.get("invoices", id)).status).toBe("unpaid")
    expect(refusalOf(await api.get("/invoices/by/customerName/none/pdf")).code).toBe("ENDPOINT_NOT_FOUND")
    expect((await api.post(`/invoices/by/invoiceNumber/none/pdf`, {})).status).toBe(405)
    await api.create("/users", {
      email: "s@example.com",
      name: "S",
      role: "sales",
      password: "a fine password",
    })
    const sales = await signIn(kontor, "s@example.com", "a fine password")
    for (const number of ["none", (await shop.customer()).customerNumber])
      expect(
        refusalOf(await sales.post(`/customers/by/customerNumber/${number}/merge`, { from: "cus_x" })),
      ).toMatchObject({ status: 403, code: "FORBIDDEN" })
  })

  test("shows a credential that may not read only what the path with the id shows", async () => {
    const { key } = await api.create("/api-keys", { name: "Till", scopes: ["write"] })
    const blind = apiWith(kontor, { "x-api-key": key })
    const { orderNumber } = await shop.order()
    const path = `/sales-orders/by/orderNumber/${orderNumber}`
    const made = await blind.post(`${path}/duplicate`, {})
    expect(Object.keys(made.body.data)).toEqual(["id", "orderNumber", "version", "updatedAt"])
    expect((await blind.get(`${path}/pdf`)).status).toBe(403)
  })
})
