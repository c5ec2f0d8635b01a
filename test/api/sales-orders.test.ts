import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
const today = new Date().toISOString().slice(0, 10)

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

describe("POST /sales-orders", () => {
  test("returns the whole order: with rates, lines and totals", async () => {
    const customer = await shop.customer({ name: "Nordlicht", paymentTerms: "Net 30" })
    const desk = await shop.item({ itemName: "Desk", sellingPrice: 100, taxRate: 20, uom: "Pcs" })
    const lamp = await shop.item({ itemName: "Lamp", sellingPrice: 9.99, taxRate: 7 })
    const answer = await api.post("/sales-orders", {
      customer: customer.id,
      orderDate: "2026-03-01",
      deliveryDate: "2026-03-15",
      items: [
        { item: desk.id, quantity: 2, rate: 95, discount: 10 },
        { item: lamp.id, quantity: 1.5 },
      ],
      notes: "Back door",
    })
    const { data } = answer.body
    expect(answer.status).toBe(201)
    expect(answer.headers.get("location")).toBe(`/api/v1/sales-orders/${data.id}`)
    expect(data).toEqual({
      id: expect.stringMatching(/^so_[0-9a-z]{26}$/),
      orderNumber: "SO-2026-00001",
      numberSeries: "SO-2026",
      numberCounter: 1,
      revision: 1,
      status: "draft",
      invoiceStatus: "not_invoiced",
      allowedTransitions: ["submitted", "cancelled"],
      customer: customer.id,
      customerName: "Nordlicht",
      orderDate: "2026-03-01",
      deliveryDate: "2026-03-15",
      items: [
        {
          id: expect.stringMatching(/^sol_/),
          item: desk.id,
          itemCode: desk.itemCode,
          itemName: "Desk",
          description: null,
          uom: "Pcs",
          quantity: 2,
          rate: 95,
          discount: 10,
          amount: 171,
          discountAmount: 19,
          documentDiscount: 0,
          grossAmount: null,
          taxCode: null,
          taxCategory: "S",
          taxRate: 20,
          deliveredQuantity: 0,
          invoicedQuantity: 0,
          returnedQuantity: 0,
        },
        {
          id: expect.stringMatching(/^sol_/),
          item: lamp.id,
          itemCode: lamp.itemCode,
          itemName: "Lamp",
          description: null,
          uom: "Nos",
          quantity: 1.5,
          rate: 9.99,
          discount: 0,
          amount: 14.99,
          discountAmount: 0,
          documentDiscount: 0,
          grossAmount: null,
          taxCode: null,
          taxCategory: "S",
          taxRate: 7,
          deliveredQuantity: 0,
          invoicedQuantity: 0,
          returnedQuantity: 0,
        },
      ],
      paymentTerms: "Net 30",
      pricesIncludeTax: false,
      taxTreatment: "domestic",
      discount: 0,
      discountAmount: 0,
      isDiscountAmount: false,
      buyerReference: null,
      shippingAddress: null,
      notes: "Back door",
      externalId: null,
      metadata: {},
      currency: "USD",
      subtotal: 185.99,
      discountTotal: 19,
      taxTotal: 35.25,
      taxes: [
        { category: "S", rate: 20, base: 171, tax: 34.2, reason: null },
        { category: "S", rate: 7, base: 14.99, tax: 1.05, reason: null },
      ],
      total: 221.24,
      invoicedTotal: 0,
      invoices: [],
      deliveries: [],
      depositInvoices: [],
      depositTotal: 0,
      deductedTotal: 0,
      deliveryStatus: "not_delivered",
      submittedAt: null,
      completedAt: null,
      cancelledAt: null,
      cancelReason: null,
      amendedFrom: null,
      quotation: null,
      lastSentAt: null,
      createdBy: expect.stringMatching(/^usr_/),
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect((await api.get(`/sales-orders/${data.id}`)).body.data).toEqual(data)
  })

  test("the date is today, the number is of its year, and a deleted draft leaves a gap", async () => {
    const first = await shop.order()
    expect(first.orderDate).toBe(today)
    const old = await shop.order({ orderDate: "2019-12-31" })
    expect(old.orderNumber).toBe("SO-2019-00001")
    expect((await api.delete(`/sales-orders/${old.id}`)).status).toBe(204)
    expect((await shop.order({ orderDate: "2019-01-01" })).orderNumber).toBe("SO-2019-00002")
  })

  test("may be submitted immediately", async () => {
    const order = await shop.submitted()
    expect(order).toMatchObject({
      status: "submitted",
      submittedAt: expect.any(String),
      allowedTransitions: ["completed", "cancelled"],
    })
  })

  test.each([
    ["nothing", () => ({ customer: null, items: null }), ["customer", "items"]],
    ["no lines", () => ({ items: [] }), ["items"]],
    ["501 lines", () => ({ items: Array(501).fill({ item: "itm_x", quantity: 1 }) }), ["items"]],
    ["a customer that does not exist", () => ({ customer: "cus_none" }), ["customer"]],
    [
      "an item that does not exist",
      (item: string) => ({
        items: [
          { item, quantity: 1 },
          { item: "itm_none", quantity: 1 },
        ],
      }),
      ["items[1].item"],
    ],
    [
      "all errors of several lines",
      (item: string) => ({
        items: [
          { item: "itm_none", quantity: 1 },
          { item, quantity: -1 },
        ],
      }),
      ["items[0].item", "items[1].quantity"],
    ],
    ["a line without item and quantity", () => ({ items: [{}] }), ["items[0].item", "items[0].quantity"]],
    ["a line that is not an object", () => ({ items: [5] }), ["items[0]"]],
    ["no quantity", (item: string) => ({ items: [{ item, quantity: 0 }] }), ["items[0].quantity"]],
    ["a negative rate", (item: string) => ({ items: [{ item, quantity: 1, rate: -1 }] }), ["items[0].rate"]],
    [
      "a discount over 100",
      (item: string) => ({ items: [{ item, quantity: 1, discount: 100.01 }] }),
      ["items[0].discount"],
    ],
    [
      "an unknown field in a line",
      (item: string) => ({ items: [{ item, quantity: 1, colour: 1 }] }),
      ["items[0].colour"],
    ],
    [
      "read-only fields of a line",
      (item: string) => ({ items: [{ item, quantity: 1, amount: 5, id: "sol_1" }] }),
      ["items[0].id", "items[0].amount"],
    ],
    ["totals", () => ({ total: 5, orderNumber: "SO-1" }), ["orderNumber", "total"]],
    [
      "a delivery before the order",
      () => ({ orderDate: "2026-03-02", deliveryDate: "2026-03-01" }),
      ["deliveryDate"],
    ],
    ["a day that does not exist", () => ({ orderDate: "2026-02-30" }), ["orderDate"]],
    ["a status that is not allowed on create", () => ({ status: "completed" }), ["status"]],
    [
      "a total that is too large",
      (item: string) => ({ items: [{ item, quantity: 999_999_999, rate: 999_999_999 }] }),
      ["items"],
    ],
  ])("refuses %s and names the field", async (_, over, fields) => {
    const { id: item } = await shop.item()
    const body = { customer: (await shop.customer()).id, items: [{ item, quantity: 1 }], ...over(item) }
    const answer = await api.post("/sales-orders", body)
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(fields.toSorted())
  })

  test("an inactive customer or item cannot be used on a new document", async () => {
    const item = await shop.item({ isActive: false })
    const customer = await shop.customer({ isActive: false })
    const answer = await api.post("/sales-orders", {
      customer: customer.id,
      items: [{ item: item.id, quantity: 1 }],
    })
    expect(refusalOf(answer).fields).toEqual(["customer", "items[0].item"])
  })

  test("a total close to the limit is exact", async () => {
    const { id: item } = await shop.item()
    const order = await shop.order({ items: [{ item, quantity: 90_000_000, rate: 1_000_000 }] })
    expect(order.total).toBe(90_000_000_000_000)
  })
})

describe("PUT /sales-orders/{id}", () => {
  test("a draft accepts new lines, keeps lines with an id, and computes its totals again", async () => {
    const order = await shop.order()
    const other = await shop.item({ sellingPrice: 7 })
    const answer = await api.put(`/sales-orders/${order.id}`, {
      items: [
        { item: other.id, quantity: 1 },
        { ...order.items[0], quantity: 3 },
      ],
      notes: "Changed",
    })
    expect(answer.body.data).toMatchObject({ notes: "Changed", subtotal: 37, version: 2 })
    expect(
      answer.body.data.items.map(({ id, quantity }: { id: string; quantity: number }) => [id, quantity]),
    ).toEqual([
      [expect.stringMatching(/^sol_/), 1],
      [order.items[0].id, 3],
    ])
  })

  test("a line id of another order, or one given twice, is refused", async () => {
    const [one, two] = [await shop.order(), await shop.order()]
    const strange = await api.put(`/sales-orders/${one.id}`, { items: [two.items[0]] })
    expect(refusalOf(strange)).toMatchObject({ status: 422, fields: ["items[0].id"] })
    const twice = await api.put(`/sales-orders/${one.id}`, { items: [one.items[0], one.items[0]] })
    expect(refusalOf(twice)).toMatchObject({ status: 422, fields: ["items[1].id"] })
  })

  test("an inactive item may stay on its line, but not be on a new one", async () => {
    const item = await shop.item()
    const order = await shop.order({ items: [{ item: item.id, quantity: 1 }] })
    await api.put(`/items/${item.id}`, { isActive: false })
    expect(
      (await api.put(`/sales-orders/${order.id}`, { items: [{ ...order.items[0], quantity: 5 }] })).status,
    ).toBe(200)
    const added = await api.put(`/sales-orders/${order.id}`, {
      items: [order.items[0], { item: item.id, quantity: 1 }],
    })
    expect(refusalOf(added)).toMatchObject({ fields: ["items[1].item"] })
  })

  test("a line that stays keeps its rate and discount unless they are set", async () => {
    const order = await shop.order({
      items: [{ item: (await shop.item()).id, quantity: 1, rate: 7, discount: 10 }],
    })
    const [{ id, item }] = order.items
    const { data } = (await api.put(`/sales-orders/${order.id}`, { items: [{ id, item, quantity: 4 }] })).body
    expect(data.items[0]).toMatchObject({ id, quantity: 4, rate: 7, discount: 10 })
  })

  test("warns about read-only fields of a line", async () => {
    const order = await shop.order()
    const answer = await api.put(`/sales-orders/${order.id}`, {
      items: [{ ...order.items[0], amount: 999, itemName: "zzz" }],
      total: 7,
    })
    expect(answer.body.warnings.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      "items[0].amount",
      "items[0].itemName",
      "total",
    ])
  })

  test("a locked field is refused for any value", async () => {
    const order = await shop.submitted({ orderDate: "2026-01-01", deliveryDate: "2026-01-15" })
    await shop.status("sales-orders", order.id, "completed")
    const answer = await api.put(`/sales-orders/${order.id}`, {
      orderDate: "2026-02-01",
      customer: "cus_none",
    })
    expect(refusalOf(answer)).toMatchObject({ code: "DOCUMENT_LOCKED", fields: ["orderDate", "customer"] })
  })

  test("another customer brings its name and payment terms", async () => {
    const order = await shop.order()
    const customer = await shop.customer({ name: "Other", paymentTerms: "Net 7" })
    const { data } = (await api.put(`/sales-orders/${order.id}`, { customer: customer.id })).body
    expect(data).toMatchObject({ customer: customer.id, customerName: "Other", paymentTerms: "Net 7" })
  })

  const inStatus = {
    draft: () => shop.order(),
    submitted: () => shop.submitted(),
    completed: async () => {
      const { id } = await shop.submitted()
      await shop.bill(id)
      return shop.get("sales-orders", id)
    },
    cancelled: async () => {
      const { id } = await shop.order()
      return (await shop.status("sales-orders", id, "cancelled")).body.data
    },
  }

  test.each(Object.entries(inStatus))(
    "in %s: what GET returned can be sent back and changes nothing",
    async (_, make) => {
      const order = await make()
      const answer = await api.put(`/sales-orders/${order.id}`, order)
      expect([answer.status, answer.body.data, answer.body.warnings]).toEqual([200, order, undefined])
    },
  )

  test.each([
    ["completed", ["items", "customer", "orderDate", "paymentTerms", "deliveryDate"], ["notes"]],
    ["cancelled", ["items", "customer", "orderDate", "paymentTerms", "deliveryDate", "notes"], []],
  ] as const)(
    "in %s: other fields are locked, with one detail per field that differs",
    async (status, locked, open) => {
      const order = await inStatus[status]()
      const values: Record<string, unknown> = {
        items: [{ ...order.items[0], quantity: 99 }],
        customer: (await shop.customer()).id,
        orderDate: "2020-01-01",
        paymentTerms: "Cash",
        deliveryDate: "2999-01-01",
        notes: "New note",
      }
      const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, values[name]]))
      const answer = await api.put(`/sales-orders/${order.id}`, { ...order, ...pick(locked) })
      expect(refusalOf(answer)).toMatchObject({ status: 422, code: "DOCUMENT_LOCKED" })
      expect(refusalOf(answer).fields.toSorted()).toEqual(locked.toSorted())
      if (open.length > 0)
        expect((await api.put(`/sales-orders/${order.id}`, pick(open))).body.data).toMatchObject(pick(open))
    },
  )
})

describe("PUT /sales-orders/{id}/status", () => {
  test.each([
    ["draft to submitted", ["submitted"], 200, "submitted"],
    ["draft to cancelled", ["cancelled"], 200, "cancelled"],
    ["submitted to completed, not fully invoiced", ["submitted", "completed"], 200, "completed"],
    ["submitted to cancelled", ["submitted", "cancelled"], 200, "cancelled"],
    ["the same again", ["submitted", "submitted"], 200, "submitted"],
    ["draft straight to completed", ["completed"], 422, "INVALID_STATUS_TRANSITION"],
    ["back to draft", ["submitted", "draft"], 422, "INVALID_STATUS_TRANSITION"],
    ["out of completed", ["submitted", "completed", "submitted"], 422, "INVALID_STATUS_TRANSITION"],
    ["out of cancelled, which is final", ["cancelled", "draft"], 422, "INVALID_STATUS_TRANSITION"],
    ["to a status that does not exist", ["shipped"], 422, "VALIDATION_ERROR"],
    ["to a status of another kind", ["unpaid"], 422, "VALIDATION_ERROR"],
  ])("%s", async (_, path, status, outcome) => {
    const order = await shop.order()
    let last = await api.get(`/sales-orders/${order.id}`)
    for (const to of path) last = await shop.status("sales-orders", order.id, to)
    expect([last.status, last.body.data?.status ?? last.body.error.code]).toEqual([status, outcome])
    if (status === 422) expect(refusalOf(last).fields).toEqual(["status"])
  })

  test("an invalid transition lists the allowed ones", async () => {
    const order = await shop.order()
    const { error } = (await shop.status("sales-orders", order.id, "completed")).body
    expect(error.message).toContain("Allowed from draft: submitted, cancelled")
  })

  test("stores the reason of a cancellation, and refuses unknown fields", async () => {
    const order = await shop.order()
    expect(
      refusalOf(
        await api.put(`/sales-orders/${order.id}/status`, { status: "cancelled", why: 1, reason: 5 }),
      ),
    ).toMatchObject({ fields: ["why", "reason"] })
    const { data } = (await shop.status("sales-orders", order.id, "cancelled", { reason: "Too late" })).body
    expect(data).toMatchObject({ cancelReason: "Too late", cancelledAt: expect.any(String), version: 2 })
  })

  test("checks If-Match, and an unknown order is 404", async () => {
    const order = await shop.order()
    const stale = await api.put(
      `/sales-orders/${order.id}/status`,
      { status: "submitted" },
      { "if-match": '"9"' },
    )
    expect(stale.status).toBe(412)
    expect((await shop.status("sales-orders", "so_none", "submitted")).status).toBe(404)
  })

  test("submitting checks that customer and items are active", async () => {
    const [item, customer] = [await shop.item(), await shop.customer()]
    const order = await shop.order({ customer: customer.id, items: [{ item: item.id, quantity: 1 }] })
    await api.put(`/items/${item.id}`, { isActive: false })
    await api.put(`/customers/${customer.id}`, { isActive: false })
    expect(refusalOf(await shop.status("sales-orders", order.id, "submitted"))).toMatchObject({
      status: 422,
      code: "VALIDATION_ERROR",
      fields: ["customer", "items[0].item"],
    })
  })
})

describe("stock", () => {
  test("is reserved by submitting, with a warning when it is short, and released by cancelling", async () => {
    const item = await shop.item({ itemCode: "SHORT" })
    await shop.receive(item.id, 5)
    const order = await shop.order({
      items: [
        { item: item.id, quantity: 3 },
        { item: item.id, quantity: 4 },
      ],
    })
    const submitted = await shop.status("sales-orders", order.id, "submitted")
    expect(submitted.body.warnings).toEqual([
      {
        code: "INSUFFICIENT_STOCK",
        field: "items[1].quantity",
        message: "SHORT: 4 ordered, 2 available.",
        params: { itemCode: "SHORT", ordered: 4, available: 2 },
      },
    ])
    expect(await shop.get("items", item.id)).toMatchObject({
      currentStock: 5,
      reservedStock: 7,
      availableStock: -2,
    })
    await shop.status("sales-orders", order.id, "cancelled")
    expect(await shop.get("items", item.id)).toMatchObject({
      currentStock: 5,
      reservedStock: 0,
      availableStock: 5,
    })
  })

  test("completing an order releases the rest", async () => {
    const item = await shop.item()
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 10 }] })
    await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 4 }] })
    expect(await shop.get("items", item.id)).toMatchObject({ currentStock: -4, reservedStock: 6 })
    await shop.status("sales-orders", order.id, "completed")
    expect(await shop.get("items", item.id)).toMatchObject({ currentStock: -4, reservedStock: 0 })
  })

  test("a service has none", async () => {
    const item = await shop.item({ itemType: "Service" })
    await shop.submitted({ items: [{ item: item.id, quantity: 10 }] })
    expect(await shop.get("items", item.id)).toMatchObject({
      currentStock: 0,
      reservedStock: 0,
      isLowStock: false,
    })
    const refused = await api.post("/stock-movements", { item: item.id, quantity: 1, reason: "receipt" })
    expect(refusalOf(refused)).toEqual({ status: 422, code: "NOT_A_STOCK_ITEM", fields: ["item"] })
    expect(refusalOf(await api.put(`/items/${item.id}`, { itemType: "Product" }))).toMatchObject({
      status: 422,
      fields: ["itemType"],
    })
  })

  test("is low when it is below 0, also without a reorder level, and the warning of an order tells by how much", async () => {
    const item = await shop.item()
    expect((await shop.get("items", item.id)).isLowStock).toBeFalse()
    await shop.submitted({ items: [{ item: item.id, quantity: 3 }] })
    expect(await shop.get("items", item.id)).toMatchObject({ availableStock: -3, isLowStock: true })
    const order = { customer: (await shop.customer()).id, items: [{ item: item.id, quantity: 1 }] }
    const { body } = await api.post("/sales-orders", { ...order, status: "submitted" })
    expect(body.warnings[0].message).toBe(`${item.itemCode}: 1 ordered, -3 available.`)
  })

  test("is low when the available stock reaches the reorder level", async () => {
    const item = await shop.item({ reorderLevel: 5 })
    await shop.receive(item.id, 10)
    expect((await shop.get("items", item.id)).isLowStock).toBeFalse()
    await shop.submitted({ items: [{ item: item.id, quantity: 5 }] })
    expect((await shop.get("items", item.id)).isLowStock).toBeTrue()
  })
})

describe("/stock-movements", () => {
  test("a receipt increases the stock and is in the ledger", async () => {
    const item = await shop.item()
    const first = await shop.receive(item.id, 10.5)
    expect(first).toEqual({
      id: expect.stringMatching(/^stk_/),
      item: item.id,
      quantity: 10.5,
      reason: "receipt",
      note: null,
      externalId: null,
      metadata: {},
      balanceAfter: 10.5,
      sourceType: null,
      sourceId: null,
      createdBy: expect.stringMatching(/^usr_/),
      createdAt: expect.any(String),
    })
    await api.create("/stock-movements", {
      item: item.id,
      quantity: -0.5,
      reason: "adjustment",
      note: "Broken\nglass",
    })
    const { data } = (await api.get(`/stock-movements?item=${item.id}&order=asc`)).body
    expect(data.map(({ balanceAfter }: { balanceAfter: number }) => balanceAfter)).toEqual([10.5, 10])
    expect((await shop.get("items", item.id)).currentStock).toBe(10)
    expect((await api.get(`/stock-movements/${first.id}`)).body.data).toEqual(first)
  })

  test.each([
    ["nothing", {}, ["item", "quantity", "reason"]],
    ["no quantity", { item: "real", quantity: 0, reason: "adjustment" }, ["quantity"]],
    ["a negative receipt", { item: "real", quantity: -1, reason: "receipt" }, ["quantity"]],
    ["a negative return", { item: "real", quantity: -1, reason: "return" }, ["quantity"]],
    ["a reason that only the server sets", { item: "real", quantity: 1, reason: "invoice" }, ["reason"]],
    ["an item that does not exist", { item: "itm_none", quantity: 1, reason: "receipt" }, ["item"]],
    ["an empty item", { item: "", quantity: 1, reason: "receipt" }, ["item"]],
    ["a balance", { item: "real", quantity: 1, reason: "receipt", balanceAfter: 5 }, ["balanceAfter"]],
  ])("refuses %s", async (_, body, fields) => {
    const { id } = await shop.item()
    const given = "item" in body && body.item === "real" ? { ...body, item: id } : body
    const answer = await api.post("/stock-movements", given)
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    expect(refusalOf(answer).fields.toSorted()).toEqual(fields.toSorted())
  })

  test("the ledger cannot be updated or deleted", async () => {
    const { id } = await shop.receive((await shop.item()).id, 1)
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect((await api.call(method, `/stock-movements/${id}`)).status).toBe(405)
  })
})

describe("the credit limit", () => {
  const debtor = async (creditLimit: number | null) => (await shop.customer({ creditLimit })).id
  const orderOf = async (customer: string, rate: number) =>
    shop.order({ customer, items: [{ item: (await shop.item()).id, quantity: 1, rate }] })
  const submit = (id: string, over: object = {}, by = api) =>
    by.put(`/sales-orders/${id}/status`, { status: "submitted", ...over })

  test("counts open invoices, orders that are not invoiced, and this order", async () => {
    const customer = await debtor(100)
    const first = await orderOf(customer, 60)
    expect((await submit(first.id)).status).toBe(200)
    await shop.bill(first.id)
    const second = await orderOf(customer, 30)
    expect((await submit(second.id)).status).toBe(200)
    expect(await shop.get("customers", customer)).toMatchObject({
      outstandingBalance: 60,
      openOrdersValue: 30,
      creditAvailable: 10,
    })
    const third = await orderOf(customer, 10.01)
    const refused = await submit(third.id)
    expect(refusalOf(refused)).toEqual({ status: 422, code: "CREDIT_LIMIT_EXCEEDED", fields: ["customer"] })
    expect((await shop.get("sales-orders", third.id)).status).toBe("draft")
    expect((await submit((await orderOf(customer, 10)).id)).status).toBe(200)
  })

  test.each([[null], [0]])("a limit of %p is no limit", async (limit) => {
    expect((await submit((await orderOf(await debtor(limit), 1_000_000)).id)).status).toBe(200)
  })

  test("a manager can override it, which is logged; a sales user cannot", async () => {
    const order = await orderOf(await debtor(1), 50)
    await api.create("/users", {
      email: "seller@example.com",
      name: "S",
      role: "sales",
      password: "a fine password",
    })
    const seller = await signIn(kontor, "seller@example.com", "a fine password")
    expect(refusalOf(await submit(order.id, { override: true }, seller))).toMatchObject({
      status: 422,
      code: "CREDIT_LIMIT_EXCEEDED",
    })
    await api.create("/users", {
      email: "boss@example.com",
      name: "B",
      role: "manager",
      password: "a fine password",
    })
    const manager = await signIn(kontor, "boss@example.com", "a fine password")
    expect((await submit(order.id, { override: true }, manager)).status).toBe(200)
    const [entry] = (await api.get(`/audit-logs?recordId=${order.id}&perPage=1`)).body.data
    expect(entry).toMatchObject({
      action: "sales-orders.status",
      changes: { creditOverride: { from: false, to: true } },
    })
  })

  test("can only warn, or be off, depending on the settings", async () => {
    const customer = await debtor(1)
    await api.put("/settings", { creditPolicy: "warn" })
    const warned = await submit((await orderOf(customer, 50)).id)
    expect([
      warned.status,
      warned.body.warnings?.some(({ code }: { code: string }) => code === "CREDIT_LIMIT_EXCEEDED"),
    ]).toEqual([200, true])
    await api.put("/settings", { creditPolicy: "off" })
    const quiet = await submit((await orderOf(customer, 50)).id)
    expect([
      quiet.status,
      quiet.body.warnings?.some(({ code }: { code: string }) => code === "CREDIT_LIMIT_EXCEEDED"),
    ]).not.toEqual([200, true])
    await api.put("/settings", { creditPolicy: null })
  })

  test("applies when an order is created and submitted in one request, and nothing is stored", async () => {
    const customer = await debtor(1)
    const before = (await api.get("/sales-orders?perPage=1")).body.meta.total
    const refused = await api.post("/sales-orders", {
      customer,
      status: "submitted",
      items: [{ item: (await shop.item()).id, quantity: 1, rate: 9 }],
    })
    expect(refusalOf(refused)).toMatchObject({ code: "CREDIT_LIMIT_EXCEEDED" })
    expect((await api.get("/sales-orders?perPage=1")).body.meta.total).toBe(before)
  })

  test("twenty concurrent submits cannot exceed it together", async () => {
    const customer = await debtor(100)
    const made = await Promise.all(Array.from({ length: 20 }, () => orderOf(customer, 10)))
    const answers = await Promise.all(made.map(({ id }) => submit(id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(await shop.get("customers", customer)).toMatchObject({ openOrdersValue: 100, creditAvailable: 0 })
  })
})

describe("copies", () => {
  test("duplicate creates a new draft with today's date", async () => {
    const order = await shop.submitted({ orderDate: "2020-01-01", notes: "Again" })
    const answer = await api.post(`/sales-orders/${order.id}/duplicate`)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      status: "draft",
      orderDate: today,
      notes: "Again",
      amendedFrom: null,
      total: order.total,
    })
    expect(answer.body.data.id).not.toBe(order.id)
    expect((await shop.get("sales-orders", order.id)).status).toBe("submitted")
  })

  test("copies keep empty payment terms", async () => {
    const customer = await shop.customer({ paymentTerms: "Net 30" })
    const order = await shop.order({ customer: customer.id })
    await api.put(`/sales-orders/${order.id}`, { paymentTerms: null })
    expect((await api.post(`/sales-orders/${order.id}/duplicate`)).body.data.paymentTerms).toBeNull()
  })

  test("amend cancels and copies, and the copy refers to the original", async () => {
    const order = await shop.submitted()
    const answer = await api.post(`/sales-orders/${order.id}/amend`)
    expect([answer.status, answer.body.data.status, answer.body.data.amendedFrom]).toEqual([
      201,
      "draft",
      order.id,
    ])
    expect((await shop.get("sales-orders", order.id)).status).toBe("cancelled")
    expect(refusalOf(await api.post(`/sales-orders/${order.id}/amend`, { colour: 1 }))).toMatchObject({
      status: 422,
    })
  })

  test("an invoiced order cannot be amended", async () => {
    const order = await shop.submitted({ items: [{ item: (await shop.item()).id, quantity: 2 }] })
    await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 1 }] })
    expect(refusalOf(await api.post(`/sales-orders/${order.id}/amend`))).toMatchObject({
      status: 422,
      code: "ORDER_HAS_INVOICES",
    })
  })
})

describe("DELETE /sales-orders/{id}", () => {
  test.each([
    ["a draft", [], 204],
    ["a cancelled one that was never invoiced", ["submitted", "cancelled"], 204],
    ["a submitted one", ["submitted"], 422],
    ["a completed one", ["submitted", "completed"], 422],
  ])("%s", async (_, path, status) => {
    const order = await shop.order()
    for (const to of path) await shop.status("sales-orders", order.id, to)
    const answer = await api.delete(`/sales-orders/${order.id}`)
    expect(answer.status).toBe(status)
    if (status === 422) expect(refusalOf(answer).code).toBe("DOCUMENT_LOCKED")
  })

  test("the refusal says what is possible instead, and that works", async () => {
    const refusedOf = async (id: string) => (await api.delete(`/sales-orders/${id}`)).body.error.message
    const become = async (kind: string, id: string, to: string) =>
      expect((await shop.status(kind, id, to)).status).toBe(200)

    const submitted = await shop.submitted()
    expect(await refusedOf(submitted.id)).toContain("it is submitted; cancel it instead")
    await become("sales-orders", submitted.id, "cancelled")

    const { salesOrder, id } = await shop.invoice()
    expect(await refusedOf(salesOrder)).toContain("cancelling one of its invoices reopens it")
    await become("invoices", id, "cancelled")
    expect(await refusedOf(salesOrder)).toContain("cancel it instead")
    await become("sales-orders", salesOrder, "cancelled")

    const partly = await shop.submitted()
    const line = { orderLine: partly.items[0].id, quantity: 1 }
    const part = (await shop.bill(partly.id, { items: [line] })).body.data
    expect(await refusedOf(partly.id)).toContain("cancel its invoices, then cancel it")
    await become("invoices", part.id, "cancelled")
    await become("sales-orders", partly.id, "cancelled")

    const closed = await shop.submitted()
    await become("sales-orders", closed.id, "completed")
    expect(await refusedOf(closed.id)).toContain("it is completed, which is final; duplicate it")
    expect((await api.post(`/sales-orders/${closed.id}/duplicate`)).status).toBe(201)
  })

  test("a cancelled order that was invoiced before cannot be deleted", async () => {
    const order = await shop.submitted()
    const invoice = (await shop.bill(order.id)).body.data
    await shop.status("invoices", invoice.id, "cancelled")
    await shop.status("sales-orders", order.id, "cancelled")
    expect(refusalOf(await api.delete(`/sales-orders/${order.id}`))).toMatchObject({
      status: 422,
      code: "DOCUMENT_LOCKED",
    })
  })

  test("a record that a document uses cannot be deleted", async () => {
    const order = await shop.order()
    for (const path of [`/items/${order.items[0].item}`, `/customers/${order.customer}`]) {
      const refused = await api.delete(path)
      expect(refusalOf(refused)).toMatchObject({ status: 422, code: "RECORD_IN_USE", fields: ["id"] })
      expect(refused.body.error.message).toContain("Deactivate it instead")
    }
  })
})

describe("GET /sales-orders", () => {
  test("contains the lines, filters by date, status and customer, and finds by number and name", async () => {
    const customer = await shop.customer({ name: "Zürich Möbel AG" })
    const order = await shop.order({ customer: customer.id, orderDate: "2015-06-15" })
    const found = async (query: string) => (await api.get(`/sales-orders?${query}`)).body.data
    expect(await found("orderDate[gte]=2015-06-01&orderDate[lte]=2015-06-30")).toEqual([order])
    expect(await found(`customer=${customer.id}&status=draft`)).toEqual([order])
    expect(await found(`customer=${customer.id}&status=unpaid`)).toEqual([])
    expect(await found("search=zurich+mobel")).toEqual([order])
    expect(await found(`search=${order.orderNumber}`)).toEqual([order])
    expect(await found(`customer=${customer.id}&total[gte]=20&total[lt]=20.01`)).toEqual([order])
    expect(await found(`customer=${customer.id}&invoiceStatus=invoiced`)).toEqual([])
    expect(await found(`customer=${customer.id}&fields=id,items`)).toEqual([
      { id: order.id, items: order.items },
    ])
  })

  test("every scalar field can be sorted and filtered", async () => {
    const [record] = (await api.get("/sales-orders?perPage=1")).body.data
    for (const [name, value] of Object.entries(record)) {
      if ((typeof value === "object" && value !== null) || name === "shippingAddress") continue
      expect((await api.get(`/sales-orders?sort=${name}&perPage=2`)).status).toBe(200)
      for (const operator of ["eq", "ne", "gt", "in", "like"])
        if (value !== null)
          expect(
            (
              await api.get(
                `/sales-orders?${name}[${operator}]=${encodeURIComponent(String(value))}&perPage=1`,
              )
            ).status,
          ).toBe(200)
    }
  })

  test("the new name of an order's customer is found, and the old name is not", async () => {
    const [old, fresh] = [
      await shop.customer({ name: "Vorher GmbH" }),
      await shop.customer({ name: "Nachher GmbH" }),
    ]
    const order = await shop.order({ customer: old.id })
    await api.put(`/sales-orders/${order.id}`, { customer: fresh.id })
    expect((await api.get("/sales-orders?search=vorher")).body.data).toEqual([])
    expect((await api.get("/sales-orders?search=nachher")).body.data).toHaveLength(1)
  })
})

test("a change of the currency and concurrent documents are consistent", async () => {
  const other = await serve()
  const money = await signIn(other)
  const place = trade(money)
  const [item, customer] = [await place.item({ sellingPrice: 12.34 }), await place.customer()]
  const body = { customer: customer.id, items: [{ item: item.id, quantity: 1 }] }
  await Promise.all([
    money.put("/settings", { currency: "JPY" }),
    ...Array.from({ length: 6 }, () => money.post("/sales-orders", body)),
    money.put("/settings", { currency: "KWD" }),
  ])
  const { currency } = (await money.get("/settings")).body.data
  const { data } = (await money.get("/sales-orders")).body
  for (const order of data)
    expect([order.currency, order.total]).toEqual([
      currency,
      { USD: 12.34, JPY: 12, KWD: 12.34 }[currency as "USD"],
    ])
  expect(await run(["check"], { cwd: other.cwd })).toMatchObject({ code: 0 })
})

test("a limit of 0 is no limit, and the available credit is null", async () => {
  const customer = await shop.customer({ creditLimit: 0 })
  await shop.submitted({ customer: customer.id })
  expect((await shop.get("customers", customer.id)).creditAvailable).toBeNull()
})

test("patterns with hyphens and wildcards find numbers", async () => {
  const order = await shop.order()
  const found = (
    await api.get(
      `/sales-orders?orderNumber[like]=${order.orderNumber.slice(0, 8).toLowerCase()}%25&perPage=1`,
    )
  ).body
  expect(found.meta.total).toBeGreaterThan(0)
})

test("stock that is too large to count is refused and nothing is stored", async () => {
  const { id } = await shop.item()
  for (let i = 0; i < 100; i++) await shop.receive(id, 999_999_999.9999)
  expect(
    refusalOf(
      await api.post("/stock-movements", { item: id, quantity: 999_999_999.9999, reason: "receipt" }),
    ),
  ).toMatchObject({ status: 422, fields: ["quantity"] })
  expect((await shop.get("items", id)).currentStock).toBe(99_999_999_999.99)
})

test("the currency cannot be updated once there are documents", async () => {
  expect(refusalOf(await api.put("/settings", { currency: "EUR" }))).toMatchObject({
    status: 422,
    fields: ["currency"],
  })
})

test("orders cannot reserve more stock than can be counted", async () => {
  const { id } = await shop.item()
  const lines = Array.from({ length: 500 }, () => ({ item: id, quantity: 999_999_999.9999, rate: 0 }))
  const { id: order } = await shop.order({ items: lines })
  const answer = await shop.status("sales-orders", order, "submitted")
  expect(refusalOf(answer)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["items"] })
  expect((await shop.get("items", id)).reservedStock).toBe(0)
})
