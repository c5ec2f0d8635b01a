// Deliveries of orders: what leaves the stock, once, whatever comes first, and what follows for the order.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, send, signIn, type Api } from "../support/api"
import { adminEmail, adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"
import { readPdf } from "../support/pdf"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
type Named = Record<string, any>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  await api.put("/settings", { legalName: "Nordlicht GmbH", currency: "EUR", timeZone: "UTC" })
})
afterAll(cleanUp)

const deliver = (order: Named, body: object = {}) =>
  api.post("/deliveries/from-order", { salesOrder: order["id"], ...body })
const delivered = async (order: Named, ...quantities: number[]): Promise<Named> => {
  const items = order["items"]
    .map(({ id: orderLine }: Named, i: number) => ({ orderLine, quantity: quantities[i] ?? 0 }))
    .filter(({ quantity }: Named) => quantity > 0)
  const { status, body } = await deliver(order, quantities.length > 0 ? { items } : {})
  expect([status, body.error]).toEqual([201, undefined])
  return body.data
}
const invoiced = async (order: Named, quantity?: number): Promise<Named> => {
  const items = [{ orderLine: order["items"][0].id, quantity }]
  const { status, body } = await shop.bill(order["id"], quantity === undefined ? {} : { items })
  expect([status, body.error]).toEqual([201, undefined])
  return body.data
}
const cancelled = async (kind: string, { id }: Named): Promise<void> =>
  expect(await shop.status(kind, id, "cancelled")).toMatchObject({ status: 200 })

/** A submitted order of 5 of an item of which 20 are on hand, with a service if wanted. */
async function ordered({ withService = false } = {}) {
  const item = await shop.item()
  await shop.receive(item.id, 20)
  const service = withService ? [{ item: (await shop.item({ itemType: "Service" })).id, quantity: 1 }] : []
  const order: Named = await shop.submitted({ items: [{ item: item.id, quantity: 5 }, ...service] })
  return { item: item.id as string, order }
}
/** What is on hand and reserved of an item, and the status of the order with its delivery. */
async function stateOf({ item, order }: { item: string; order: Named }) {
  const { currentStock, reservedStock } = await shop.get("items", item)
  const { status, deliveryStatus, items } = await shop.get("sales-orders", order["id"])
  return [currentStock, reservedStock, status, deliveryStatus, items[0].deliveredQuantity]
}

describe("A delivery", () => {
  test("takes goods out of stock and gives back what was reserved, also in parts", async () => {
    const sale = await ordered()
    const first = await delivered(sale.order, 2)
    expect(first).toMatchObject({
      status: "delivered",
      deliveryNumber: expect.stringMatching(/^DN-\d{4}-\d{5}$/),
      orderNumber: sale.order["orderNumber"],
      allowedTransitions: ["cancelled"],
      items: [{ orderLine: sale.order["items"][0].id, item: sale.item, quantity: 2 }],
    })
    expect(first["items"][0]).not.toHaveProperty("rate")
    expect(await stateOf(sale)).toEqual([18, 3, "submitted", "partially_delivered", 2])
    await delivered(sale.order)
    expect(await stateOf(sale)).toEqual([15, 0, "submitted", "delivered", 5])
    const order = await shop.get("sales-orders", sale.order["id"])
    expect(order.deliveries).toHaveLength(2)
    const [movement] = (await api.get(`/stock-movements?item=${sale.item}&sort=createdAt&order=desc`)).body
      .data
    expect(movement).toMatchObject({ reason: "delivery", quantity: -3, sourceType: "delivery" })
  })

  test("of more than is left, of a draft and of a cancelled order is refused, and nothing is stored", async () => {
    const sale = await ordered()
    const items = [{ orderLine: sale.order["items"][0].id, quantity: 5.5 }]
    const answer = await deliver(sale.order, { items })
    expect(refusalOf(answer)).toMatchObject({
      status: 422,
      code: "OVER_DELIVERED",
      fields: ["items[0].quantity"],
    })
    expect(answer.body.error.details[0]).toMatchObject({
      message: "ordered 5, delivered 0, remaining 5",
      params: { max: 5 },
    })
    await delivered(sale.order)
    expect(refusalOf(await deliver(sale.order))).toMatchObject({ code: "OVER_DELIVERED", fields: ["items"] })
    const draft = await shop.order()
    expect(refusalOf(await deliver(draft))).toMatchObject({ code: "ORDER_NOT_SUBMITTED" })
    await cancelled("sales-orders", draft)
    expect(refusalOf(await deliver(draft))).toMatchObject({ code: "ORDER_CANCELLED" })
    expect(refusalOf(await deliver({ id: "so_none" }))).toMatchObject({ status: 422, fields: ["salesOrder"] })
    expect(await stateOf(sale)).toEqual([15, 0, "submitted", "delivered", 5])
  })

  test("of goods that are not there is refused if the settings forbid it", async () => {
    const item = await shop.item()
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 2 }] })
    await api.put("/settings", { allowNegativeStock: false })
    expect(refusalOf(await deliver(order))).toMatchObject({ status: 422, code: "INSUFFICIENT_STOCK" })
    await api.put("/settings", { allowNegativeStock: true })
    // What left with the delivery is not missing again when it is invoiced.
    await delivered(order)
    await api.put("/settings", { allowNegativeStock: false })
    await invoiced(order)
    await api.put("/settings", { allowNegativeStock: true })
    expect((await shop.get("items", item.id)).currentStock).toBe(-2)
  })

  test("leaves services and lines without an item out, unless they are named", async () => {
    const sale = await ordered({ withService: true })
    expect((await delivered(sale.order))["items"]).toHaveLength(1)
    expect(await stateOf(sale)).toEqual([15, 0, "submitted", "delivered", 5])
    const line = sale.order["items"][1].id
    expect((await deliver(sale.order, { items: [{ orderLine: line, quantity: 1 }] })).status).toBe(201)
    const free = await shop.submitted({ items: [{ description: "Assembly", quantity: 1, rate: 10 }] })
    expect(refusalOf(await deliver(free))).toMatchObject({ code: "OVER_DELIVERED", fields: ["items"] })
    const { items } = await delivered(free, 1)
    expect(items[0]).toMatchObject({ item: null, description: "Assembly" })
  })
})

describe("Goods leave once", () => {
  test("when they are delivered first and invoiced then, or the other way round", async () => {
    const one = await ordered()
    await delivered(one.order, 3)
    await invoiced(one.order, 4)
    expect(await stateOf(one)).toEqual([16, 1, "submitted", "partially_delivered", 3])
    await delivered(one.order)
    expect(await stateOf(one)).toEqual([15, 0, "submitted", "delivered", 5])
    await invoiced(one.order)
    expect(await stateOf(one)).toEqual([15, 0, "completed", "delivered", 5])
  })

  test("and come back once, when neither a delivery nor an invoice takes them any more", async () => {
    const sale = await ordered()
    const delivery = await delivered(sale.order, 4)
    const invoice = await invoiced(sale.order, 3)
    await cancelled("deliveries", delivery)
    expect(await stateOf(sale)).toEqual([17, 2, "submitted", "not_delivered", 0])
    const again = await delivered(sale.order)
    await cancelled("invoices", invoice)
    expect(await stateOf(sale)).toEqual([15, 0, "submitted", "delivered", 5])
    await cancelled("deliveries", again)
    expect(await stateOf(sale)).toEqual([20, 5, "submitted", "not_delivered", 0])
  })

  test("also when some of them are returned with a credit note", async () => {
    const sale = await ordered()
    const delivery = await delivered(sale.order)
    const invoice = await invoiced(sale.order)
    const items = [{ invoiceLine: invoice["items"][0].id, quantity: 2 }]
    const credit = { reason: "Broken", restock: true, items }
    expect((await api.post(`/invoices/${invoice["id"]}/credit-notes`, credit)).status).toBe(201)
    expect(await stateOf(sale)).toEqual([17, 0, "completed", "delivered", 5])
    await cancelled("deliveries", delivery)
    expect(await stateOf(sale)).toEqual([17, 0, "completed", "not_delivered", 0])
  })
})

describe("An order", () => {
  test("that is invoiced but not delivered yet stays open, and completes with the last delivery", async () => {
    const sale = await ordered({ withService: true })
    await delivered(sale.order, 1)
    await invoiced(sale.order)
    expect(await stateOf(sale)).toEqual([15, 0, "submitted", "partially_delivered", 1])
    expect(refusalOf(await shop.bill(sale.order["id"]))).toMatchObject({ code: "ORDER_ALREADY_INVOICED" })
    const { deliveryNumber } = await delivered(sale.order)
    expect(await stateOf(sale)).toEqual([15, 0, "completed", "delivered", 5])
    const { data } = (await api.get("/events?types=sales-orders.completed&limit=1000")).body
    expect(data.filter(({ recordId }: Named) => recordId === sale.order["id"])).toHaveLength(1)
    expect(deliveryNumber).toBeString()
  })

  test("without deliveries completes as before, and what was invoiced can still be delivered", async () => {
    const sale = await ordered()
    await invoiced(sale.order, 2)
    expect(await shop.status("sales-orders", sale.order["id"], "completed")).toMatchObject({ status: 200 })
    const items = [{ orderLine: sale.order["items"][0].id, quantity: 3 }]
    const answer = await deliver(sale.order, { items })
    expect(refusalOf(answer)).toMatchObject({ code: "OVER_DELIVERED" })
    expect(answer.body.error.details[0].message).toBe("invoiced 2, delivered 0, remaining 2")
    const delivery = await delivered(sale.order)
    expect(await stateOf(sale)).toEqual([18, 0, "completed", "partially_delivered", 2])
    await cancelled("deliveries", delivery)
    expect(await stateOf(sale)).toEqual([18, 0, "completed", "not_delivered", 0])
  })

  test("with deliveries is neither cancelled nor amended nor deleted", async () => {
    const { order } = await ordered()
    const delivery = await delivered(order, 1)
    const { id } = order as { id: string }
    expect(refusalOf(await shop.status("sales-orders", id, "cancelled"))).toMatchObject({
      code: "ORDER_HAS_DELIVERIES",
      fields: ["status"],
    })
    expect(refusalOf(await api.post(`/sales-orders/${id}/amend`))).toMatchObject({
      code: "ORDER_HAS_DELIVERIES",
    })
    await cancelled("deliveries", delivery)
    await cancelled("sales-orders", order)
    expect(refusalOf(await api.delete(`/sales-orders/${id}`))).toMatchObject({ code: "DOCUMENT_LOCKED" })
  })

  test("is invoiced by what is delivered, if the settings say so", async () => {
    await api.put("/settings", { invoiceFrom: "delivered" })
    const sale = await ordered({ withService: true })
    const goods = await ordered()
    expect(refusalOf(await shop.bill(goods.order["id"]))).toMatchObject({
      code: "OVER_INVOICED",
      fields: ["items"],
    })
    await delivered(sale.order, 2)
    const items = [{ orderLine: sale.order["items"][0].id, quantity: 3 }]
    const answer = await shop.bill(sale.order["id"], { items })
    expect(refusalOf(answer)).toMatchObject({ code: "OVER_INVOICED", fields: ["items[0].quantity"] })
    expect(answer.body.error.details[0].message).toBe("delivered 2, invoiced 0, remaining 2")
    const invoice = await invoiced(sale.order)
    expect(invoice["items"].map(({ quantity }: Named) => quantity)).toEqual([2, 1])
    await delivered(sale.order)
    expect((await invoiced(sale.order))["total"]).toBe(30)
    expect(await stateOf(sale)).toEqual([15, 0, "completed", "delivered", 5])
    await api.put("/settings", { invoiceFrom: "ordered" })
  })
})

test("A delivery is sent back as it was read without a warning, and found by the city that it went to", async () => {
  const customer = await shop.customer({ shippingAddress: { city: "Kiel", country: "DE" } })
  const item = await shop.item()
  const order = await shop.submitted({ customer: customer.id, items: [{ item: item.id, quantity: 1 }] })
  const { id } = await delivered(order)
  const { data } = (await api.get(`/deliveries/${id}`)).body
  const answer = await api.put(`/deliveries/${id}`, data)
  expect([answer.status, answer.body.warnings, answer.body.data.version]).toEqual([200, undefined, 1])
  expect((await api.put(`/deliveries/${id}`, { items: [] })).body.warnings).toMatchObject([
    { field: "items" },
  ])
  const found = await api.get("/deliveries?shippingAddress.city=Kiel")
  expect(found.body.data.map((each: Named) => each["id"])).toEqual([id])
})

test("A delivery is cancelled once, not by a web shop, and only how it was sent and its notes can change", async () => {
  const sale = await ordered()
  const { id } = (await delivered(sale.order)) as { id: string }
  const email = "till@example.com"
  await api.create("/users", { email, name: "Till", role: "shop", password: adminPassword })
  const till = await signIn(kontor, email)
  const body = { status: "cancelled", reason: "Wrong address" }
  expect(refusalOf(await till.put(`/deliveries/${id}/status`, body))).toMatchObject({ code: "FORBIDDEN" })
  const sent = { carrier: "DHL", trackingNumber: "123", notes: "Ring twice", externalId: "D-1" }
  expect(await till.put(`/deliveries/${id}`, sent)).toMatchObject({ status: 200, body: { data: sent } })
  const found = (await api.get("/deliveries/by/externalId/D-1")).body.data
  expect(found).toMatchObject({ id, version: 2 })
  expect((await api.get(`/search?q=${found.deliveryNumber}`)).body.data.deliveries[0]).toMatchObject({ id })
  const refused = await api.put(`/deliveries/${id}`, { notes: "Late" }, { "if-match": '"1"' })
  expect(refused.status).toBe(412)
  expect(await api.put(`/deliveries/${id}/status`, body)).toMatchObject({
    status: 200,
    body: { data: { status: "cancelled", cancelReason: "Wrong address", allowedTransitions: [] } },
  })
  expect((await api.put(`/deliveries/${id}/status`, body)).status).toBe(200)
  expect(refusalOf(await api.put(`/deliveries/${id}/status`, { status: "delivered" }))).toMatchObject({
    code: "INVALID_STATUS_TRANSITION",
  })
  expect(refusalOf(await api.put(`/deliveries/${id}`, { notes: "More" }))).toMatchObject({
    code: "DOCUMENT_LOCKED",
    fields: ["notes"],
  })
  const { data } = (await api.get("/events?types=deliveries.*&limit=1000")).body
  const own = data.filter(({ recordId }: Named) => recordId === id)
  expect(own.map(({ type }: Named) => type).toSorted()).toEqual([
    "deliveries.cancelled",
    "deliveries.created",
    "deliveries.delivered",
    "deliveries.updated",
    "deliveries.updated",
  ])
})

test("The delivery note has no prices, in the language of the customer, and the same note after the customer moved", async () => {
  const customer = await shop.customer({ name: "Müller KG", language: "de", paymentTerms: "Net 30" })
  const item = await shop.item({ itemName: "Schreibtisch", sellingPrice: 449.9 })
  const order = await shop.submitted({ customer: customer.id, items: [{ item: item.id, quantity: 3 }] })
  const { body } = await deliver(order, {
    carrier: "DHL",
    trackingNumber: "0034",
    deliveryDate: "2026-03-02",
  })
  await api.put(`/customers/${customer.id}`, { name: "Meier KG" })
  const login = { email: adminEmail, password: adminPassword }
  const { token } = (await send(`${kontor.url}/api/v1/auth/login`, { body: login })).body.data
  const answer = await fetch(`${kontor.url}/api/v1/deliveries/${body.data.id}/pdf`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { text } = await readPdf(await answer.bytes())
  for (const part of [
    `Lieferschein\n${body.data.deliveryNumber}`,
    "02.03.2026",
    "Müller KG",
    "Schreibtisch",
    "DHL",
    "0034",
    order.orderNumber,
    "Ware erhalten: Datum, Unterschrift",
  ])
    expect(text).toContain(part)
  for (const price of ["449", "1.349", "EUR", "€", "Gesamt", "Übertrag"]) expect(text).not.toContain(price)
})

test("The numbers have no gaps, and the checks find nothing", async () => {
  const { order } = await ordered()
  await deliver(order, { items: [{ orderLine: order["items"][0].id, quantity: 99 }] })
  expect((await api.post("/deliveries/from-order?dryRun=true", { salesOrder: order["id"] })).status).toBe(201)
  await delivered(order)
  const { data } = (await api.get("/deliveries?perPage=100&fields=numberCounter,numberSeries")).body
  const years = Map.groupBy(data as Named[], ({ numberSeries }) => numberSeries).values()
  for (const of of years)
    expect(of.map(({ numberCounter }) => numberCounter).toSorted((a, b) => a - b)).toEqual(
      of.map((_, i) => i + 1),
    )
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0, stderr: "" })
})
