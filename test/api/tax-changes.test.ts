import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let desk: string
let reduced: string
let standard: string

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  desk = (await shop.item({ itemName: "Desk", sellingPrice: 119, taxRate: 19 })).id
  reduced = (await api.create("/tax-codes", { code: "R7", name: "Reduced", category: "S", rate: 7 })).id
  standard = (await api.create("/tax-codes", { code: "S19", name: "Standard", category: "S", rate: 19 })).id
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

const reverseCharge = { taxTreatment: "reverse-charge", taxId: "ATU12345678" }

/** Creates a gross order of a domestic customer, who then gets another treatment. */
async function changedOrder(items: object[] = [{ item: desk, quantity: 2, rate: 119 }], over: object = {}) {
  const customer = await shop.customer()
  const order = await shop.order({ customer: customer.id, pricesIncludeTax: true, items, ...over })
  expect(order.taxTreatment).toBe("domestic")
  expect(await api.put(`/customers/${customer.id}`, reverseCharge)).toMatchObject({ status: 200 })
  return order
}

const isNet = {
  taxTreatment: "reverse-charge",
  pricesIncludeTax: false,
  total: 200,
  taxes: [{ category: "AE", rate: 0, base: 200, tax: 0 }],
  items: [{ rate: 100, taxCategory: "AE", taxRate: 0, grossAmount: null }],
}

describe("a customer that gets another treatment", () => {
  test("changes a draft when its lines are sent again, unchanged as they were read", async () => {
    const order = await changedOrder()
    const { status, body } = await api.put(
      `/sales-orders/${order.id}`,
      await shop.get("sales-orders", order.id),
    )
    expect(status).toBe(200)
    expect(body.data).toMatchObject(isNet)
  })

  test("changes a draft when the same customer is sent again", async () => {
    const order = await changedOrder()
    const { body } = await api.put(`/sales-orders/${order.id}`, { customer: order.customer })
    expect(body.data).toMatchObject(isNet)
  })

  test("does not change a draft of which only the notes are updated, and submitting it warns", async () => {
    const order = await changedOrder()
    const { body } = await api.put(`/sales-orders/${order.id}`, { notes: "By bike" })
    expect(body.data).toMatchObject({ taxTreatment: "domestic", pricesIncludeTax: true, total: 238 })
    const submitted = await shop.status("sales-orders", order.id, "submitted")
    expect(submitted.body.warnings).toContainEqual(
      expect.objectContaining({
        code: "TAX_TREATMENT_CHANGED",
        field: "taxTreatment",
        params: expect.objectContaining({ taxTreatment: "domestic", current: "reverse-charge" }),
      }),
    )
    const invoice = await shop.bill(order.id)
    expect(invoice.body.data).toMatchObject({ taxTreatment: "domestic", total: 238 })
    expect(invoice.body.warnings).toMatchObject([
      { code: "TAX_TREATMENT_CHANGED" },
      { code: "BUYER_ADDRESS_MISSING" },
    ])
  })

  test("leaves a submitted order alone that is sent back as it was read", async () => {
    const order = await changedOrder(undefined, { status: "submitted" })
    const read = await shop.get("sales-orders", order.id)
    const { status, body } = await api.put(`/sales-orders/${order.id}`, read)
    expect(status).toBe(200)
    expect(body.data).toEqual(read)
  })

  test.each(["duplicate", "amend"])("makes a copy net by %s, with converted prices", async (how) => {
    const order = await changedOrder([{ item: desk, quantity: 2, rate: 119, discountAmount: 23.8 }], {
      status: "submitted",
    })
    const { status, body } = await api.post(`/sales-orders/${order.id}/${how}`)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      taxTreatment: "reverse-charge",
      pricesIncludeTax: false,
      total: 180,
      items: [{ rate: 100, discountAmount: 20, taxCategory: "AE" }],
    })
  })
})

describe("a tax code that became inactive", () => {
  const old = async () => {
    const { id } = await api.create("/tax-codes", {
      code: `OLD-${crypto.randomUUID().slice(0, 8)}`,
      name: "Old",
      category: "S",
      rate: 5,
    })
    const order = await shop.order({ items: [{ item: desk, quantity: 1, rate: 100, taxCode: id }] })
    await api.put(`/tax-codes/${id}`, { isActive: false })
    return { id, order }
  }

  test.each(["duplicate", "amend"])("stays on the lines of a copy by %s", async (how) => {
    const { id, order } = await old()
    const { status, body } = await api.post(`/sales-orders/${order.id}/${how}`)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ total: 105, items: [{ taxCode: id, taxRate: 5 }] })
  })

  test("stays on a line that is sent again without its id, and is refused on another line", async () => {
    const { id, order } = await old()
    const line = { item: desk, quantity: 1, rate: 100, taxCode: id }
    const same = await api.put(`/sales-orders/${order.id}`, { items: [line] })
    expect(same.body.data).toMatchObject({ version: 1, items: [{ id: order.items[0].id, taxCode: id }] })
    const other = await api.put(`/sales-orders/${order.id}`, { items: [{ ...line, quantity: 2 }] })
    expect(refusalOf(other)).toMatchObject({ status: 422 })
    expect(other.body.error.details).toMatchObject([
      { field: "items[0].taxCode", params: { rule: "INACTIVE" } },
    ])
  })
})

describe("a tax code of null", () => {
  test("takes the tax code of a line away, which then has the tax of its item", async () => {
    const order = await shop.order({ items: [{ item: desk, quantity: 1, rate: 100, taxCode: reduced }] })
    expect(order.total).toBe(107)
    const { id } = order.items[0]
    const items = [{ id, item: desk, quantity: 1, taxCode: null }]
    const { body } = await api.put(`/sales-orders/${order.id}`, { items })
    expect(body.data).toMatchObject({ total: 119, items: [{ id, taxCode: null, taxRate: 19 }] })
  })

  test("means that a line without an item does not take the default tax code, and a copy does not either", async () => {
    expect(await api.put("/settings", { defaultTaxCode: standard })).toMatchObject({ status: 200 })
    const line = { description: "Deposit", quantity: 1, rate: 10 }
    const order = await shop.order({ items: [line, { ...line, taxCode: null }] })
    const taxed = { taxCode: standard, taxRate: 19 }
    const untaxed = { taxCode: null, taxCategory: null, taxRate: 0 }
    expect(order.items).toMatchObject([taxed, untaxed])
    const copy = await api.post(`/sales-orders/${order.id}/duplicate`)
    expect(copy.body.data.items).toMatchObject([taxed, untaxed])
    const read = await shop.get("sales-orders", order.id)
    const again = await api.put(`/sales-orders/${order.id}`, read)
    expect(again.body.data).toEqual(read)
    const cleared = { ...read.items[0], taxCode: null }
    const { body } = await api.put(`/sales-orders/${order.id}`, { items: [cleared, read.items[1]] })
    expect(body.data.items).toMatchObject([untaxed, untaxed])
    await api.put("/settings", { defaultTaxCode: null })
  })
})
