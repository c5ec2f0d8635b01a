import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api, type Answer } from "../support/api"
import { download } from "../support/downloads"
import { exportsOf } from "../support/exports"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { readPdf } from "../support/pdf"
import { trade, type Trade } from "../support/trade"

/** The discount on a whole document. test/api/model.test.ts compares random sequences of operations with a model. */
let kontor: Kontor
let api: Api
let shop: Trade
let lines: { net: object[]; gross: object[] }

type Line = Record<string, any> & { id: string }
type Document = Record<string, any> & { id: string; items: Line[] }

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  const code = async (rate: number) =>
    (await api.create("/tax-codes", { code: `T${rate}`, name: `${rate} %`, category: "S", rate })).id
  const [full, reduced] = [await code(19), await code(7)]
  const free = (description: string, taxCode: string, quantity: number, rate: number) => ({
    description,
    taxCode,
    quantity,
    rate,
  })
  const gift = free("Gift", full, 1, 0)
  lines = {
    net: [free("Desk", full, 2, 100), free("Book", reduced, 1, 50), gift],
    gross: [free("Desk", full, 2, 119), free("Book", reduced, 1, 107), gift],
  }
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

const order = (body: object): Promise<Document> => shop.order({ items: lines.net, ...body })
const put = async (id: string, body: object): Promise<Document> => {
  const answer = await api.put(`/sales-orders/${id}`, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data
}
const problemsOf = ({ status, body }: Answer): string[] => {
  expect(status).toBe(422)
  return body.error.details.map(({ field, code, message }: Record<string, string>) =>
    [field, code, message].join(" | "),
  )
}
const shares = ({ items }: Document) => items.map(({ documentDiscount }) => documentDiscount)
const amounts = ({ items }: Document) => items.map(({ amount }) => amount)

describe("the discount on a whole document", () => {
  test("in percent is spread over the lines by amount, and lowers the taxes", async () => {
    const made = await order({ discount: 10 })
    expect(made).toMatchObject({
      discount: 10,
      discountAmount: 25,
      isDiscountAmount: false,
      subtotal: 225,
      discountTotal: 25,
      taxes: [
        { rate: 19, base: 180, tax: 34.2 },
        { rate: 7, base: 45, tax: 3.15 },
      ],
      total: 262.35,
    })
    expect([shares(made), amounts(made)]).toEqual([
      [20, 5, 0],
      [180, 45, 0],
    ])
    expect(made.items[0]).toMatchObject({ rate: 100, discount: 0, discountAmount: 0, grossAmount: null })
  })

  test("as an amount is remembered as one, and shows the percentage; the largest remainder gets the last cent", async () => {
    const made = await order({ discountAmount: 33.33 })
    expect(made).toMatchObject({ discount: 13.332, discountAmount: 33.33, isDiscountAmount: true })
    expect([shares(made), made.subtotal]).toEqual([[26.66, 6.67, 0], 216.67])
  })

  test("includes tax if the prices do, and the total is the typed prices less the discount", async () => {
    const made = await order({ items: lines.gross, pricesIncludeTax: true, discount: 10 })
    expect(made).toMatchObject({
      discountAmount: 34.5,
      total: 310.5,
      subtotal: 270,
      taxes: [
        { rate: 19, base: 180, tax: 34.2 },
        { rate: 7, base: 90, tax: 6.3 },
      ],
    })
    expect(made.items.map(({ grossAmount, documentDiscount }) => [grossAmount, documentDiscount])).toEqual([
      [214.2, 23.8],
      [96.3, 10.7],
      [0, 0],
    ])
  })

  test("comes after the discounts of lines, and `discountTotal` contains both", async () => {
    const [desk, ...others] = lines.net
    const made = await order({ items: [{ ...desk, discount: 25 }, ...others], discount: 10 })
    expect(made).toMatchObject({ discountAmount: 20, discountTotal: 70, subtotal: 180 })
    expect(made.items[0]).toMatchObject({
      discount: 25,
      discountAmount: 50,
      documentDiscount: 15,
      amount: 135,
    })
  })

  test("may be 100 %: an invoice over 0 is paid at once, and can be cancelled", async () => {
    const customer = (await shop.customer()).id
    const body = { customer, items: lines.net, discount: 100, status: "unpaid" }
    const invoice = await api.create("/invoices", body)
    expect(invoice).toMatchObject({ status: "paid", discountAmount: 250, total: 0, taxTotal: 0 })
    expect((await shop.status("invoices", invoice.id, "cancelled")).status).toBe(200)
  })

  test("of lines without a price is 0, and a percentage stays for lines that come later", async () => {
    const made = await order({ items: [lines.net[2]], discount: 10 })
    expect(made).toMatchObject({ discount: 10, discountAmount: 0, total: 0 })
    expect(await put(made.id, { items: lines.net })).toMatchObject({ discountAmount: 25 })
  })

  test("is spread over 500 lines to the cent", async () => {
    const items = Array.from({ length: 500 }, (_, i) => ({
      ...lines.net[i % 2],
      quantity: 1,
      rate: (i % 7) + 0.33,
    }))
    const made = await order({ items, discountAmount: 99.99 })
    const full = items.reduce((all, { rate }) => all + Math.round(rate * 100), 0)
    const sum = shares(made).reduce((all, share) => all + Math.round(share * 100), 0)
    expect([sum, Math.round(made.subtotal * 100)]).toEqual([9_999, full - 9_999])
  })
})

describe("a change", () => {
  test("of the lines calculates a percentage again, and keeps an amount as long as it is not larger", async () => {
    const [desk, book] = lines.net
    const [byPercent, byAmount] = [await order({ discount: 10 }), await order({ discountAmount: 60 })]
    expect(await put(byPercent.id, { items: [book] })).toMatchObject({ discount: 10, discountAmount: 5 })
    expect(await put(byAmount.id, { items: [desk] })).toMatchObject({ discount: 30, discountAmount: 60 })
    const refused = await api.put(`/sales-orders/${byAmount.id}`, { items: [book] })
    expect(problemsOf(refused)).toEqual(["discountAmount | TOO_LARGE | must be at most 50.00 USD"])
    expect(await shop.get("sales-orders", byAmount.id)).toMatchObject({ total: 166.6, version: 2 })
  })

  test("of the percentage or of the amount counts, and what is sent back unchanged does not", async () => {
    const made = await order({ discount: 10 })
    expect(await put(made.id, { ...made, discountAmount: 50 })).toMatchObject({
      discount: 20,
      discountAmount: 50,
      isDiscountAmount: true,
      version: 2,
    })
    const stored = await put(made.id, { discount: 5 })
    expect(stored).toMatchObject({ discountAmount: 12.5, isDiscountAmount: false, version: 3 })
    expect(await put(made.id, stored)).toMatchObject({ version: 3 })
    expect(await put(made.id, { discount: 5, discountAmount: 12.5 })).toMatchObject({ version: 3 })
    expect(await put(made.id, { discount: 4, discountAmount: 10 })).toMatchObject({
      discount: 4,
      isDiscountAmount: false,
    })
    expect(
      problemsOf(await api.put(`/sales-orders/${made.id}`, { discount: 8, discountAmount: 10.5 })),
    ).toEqual(["discountAmount | RULE | is not the amount of discount; send one of the two"])
  })

  test.each([
    [{ discount: 0 }],
    [{ discount: null }],
    [{ discountAmount: 0 }],
    [{ discountAmount: null }],
    [{ discount: null, discountAmount: null }],
  ])("to %p clears it, whichever was given", async (cleared) => {
    for (const given of [{ discount: 10 }, { discountAmount: 10 }]) {
      const made = await order(given)
      const after = await put(made.id, cleared)
      expect(after).toMatchObject({ discount: 0, discountAmount: 0, isDiscountAmount: false, total: 291.5 })
      expect(shares(after)).toEqual([0, 0, 0])
    }
  })

  test("of a discount is told with the lines in the event, and in the history", async () => {
    const made = await order({})
    await put(made.id, { discount: 10 })
    const { data } = (await api.get(`/sales-orders/${made.id}/history`)).body
    expect(data.find(({ action }: { action: string }) => action.endsWith("update")).changes).toMatchObject({
      discount: { from: 0, to: 10 },
      discountAmount: { from: 0, to: 25 },
    })
    const events = (await api.get("/events?types=sales-orders.updated&limit=1000")).body.data
    const event = events.findLast(({ recordId }: { recordId: string }) => recordId === made.id)
    expect(event.changed).toEqual(expect.arrayContaining(["discount", "discountAmount", "items", "total"]))
  })

  test("of a discount that takes nothing off any line is told without the lines", async () => {
    const free = lines.net.map((line) => ({ ...line, discount: 100 }))
    const made = await order({ items: free })
    await put(made.id, { discount: 100 })
    const { data } = (await api.get("/events?types=sales-orders.updated&limit=1000")).body
    const event = data.findLast(({ recordId }: { recordId: string }) => recordId === made.id)
    expect(event.changed).toEqual(["discount"])
  })

  test("keeps the lines, so that a document that is sent back with its lines does not change", async () => {
    const made = await order({ discount: 10, items: lines.gross, pricesIncludeTax: true })
    const { version, items } = await put(made.id, { ...made, items: made.items })
    expect([version, items]).toEqual([1, made.items])
    const withoutIds = lines.gross.map((line) => ({ ...line }))
    expect(await put(made.id, { items: withoutIds })).toMatchObject({ version: 1, items: made.items })
  })

  test("of an issued invoice or of a completed order is refused, and sending it back is not", async () => {
    const submitted = await order({ discount: 10, status: "submitted" })
    const invoice = (await shop.bill(submitted.id)).body.data
    const completed = await shop.get("sales-orders", submitted.id)
    expect(await put(completed.id, completed)).toMatchObject({ version: completed.version })
    for (const body of [{ discount: 5 }, { discountAmount: 1 }]) {
      const answer = await api.put(`/sales-orders/${completed.id}`, body)
      expect(refusalOf(answer)).toEqual({ status: 422, code: "DOCUMENT_LOCKED", fields: Object.keys(body) })
    }
    expect((await api.put(`/invoices/${invoice.id}`, invoice)).body.data.version).toBe(invoice.version)
  })

  test.each([
    [{ discount: 101 }, "discount | TOO_LARGE | must be at most 100"],
    [{ discount: -1 }, "discount | TOO_SMALL | must be at least 0"],
    [{ discount: "5" }, "discount | TYPE | must be a number"],
    [{ discount: 1.00001 }, "discount | FORMAT | must have at most 4 decimals"],
    [{ discountAmount: -1 }, "discountAmount | TOO_SMALL | must be at least 0"],
    [{ discountAmount: 250.01 }, "discountAmount | TOO_LARGE | must be at most 250.00 USD"],
    [{ discountAmount: 1.005 }, "discountAmount | FORMAT | must have at most 2 decimals"],
    [
      { discount: 10, discountAmount: 20 },
      "discountAmount | RULE | is not the amount of discount; send one of the two",
    ],
  ])("to %p is refused, for new documents too", async (body, problem) => {
    const made = await order({})
    const customer = made.customer
    for (const kind of ["sales-orders", "invoices"])
      expect(problemsOf(await api.post(`/${kind}`, { customer, items: lines.net, ...body }))).toEqual([
        problem,
      ])
    expect(problemsOf(await api.put(`/sales-orders/${made.id}`, body))).toEqual([problem])
  })

  test("with wrong lines is told by the lines", async () => {
    const customer = (await shop.customer()).id
    const items = [{ ...lines.net[0], quantity: 0 }]
    const answer = await api.post("/sales-orders", { customer, items, discountAmount: 10 })
    expect(problemsOf(answer)).toEqual(["items[0].quantity | TOO_SMALL | must be greater than 0"])
  })

  test("in a dry run shows the amounts, and stores nothing", async () => {
    const made = await order({})
    const tried = await api.put(`/sales-orders/${made.id}?dryRun=true`, { discount: 10 })
    expect(tried.body.data).toMatchObject({ discountAmount: 25, total: 262.35 })
    expect(await shop.get("sales-orders", made.id)).toEqual(made)
  })

  test("by another key creates a document with it and changes it", async () => {
    const customer = (await shop.customer()).id
    const path = "/sales-orders/by/externalId/web-1"
    const made = await api.put(path, { customer, items: lines.net, discountAmount: 25 })
    expect([made.status, made.body.data.isDiscountAmount]).toEqual([201, true])
    expect((await api.put(path, { discount: 20 })).body.data).toMatchObject({
      discountAmount: 50,
      subtotal: 200,
    })
  })

  test("to a customer who is not domestic takes the tax out of the amount, line by line", async () => {
    const made = await order({ items: lines.gross, pricesIncludeTax: true, discountAmount: 34.5 })
    const customer = (await shop.customer({ taxTreatment: "export" })).id
    for (const body of [{ customer }, { customer, discountAmount: 34.5 }]) {
      const { data } = (await api.put(`/sales-orders/${made.id}?dryRun=true`, body)).body
      expect(data).toMatchObject({ pricesIncludeTax: false, discountAmount: 30, subtotal: 270 })
    }
    const whole = await order({ items: lines.gross, pricesIncludeTax: true, discountAmount: 345 })
    expect(await put(whole.id, { customer })).toMatchObject({ discountAmount: 300, subtotal: 0 })
  })

  test("of the kind of prices keeps the typed amount", async () => {
    const made = await order({ discountAmount: 50 })
    expect(await put(made.id, { pricesIncludeTax: true })).toMatchObject({ discountAmount: 50, total: 200 })
  })
})

describe("copies and parts", () => {
  test.each([[{ discount: 10 }], [{ discountAmount: 33.33 }]])(
    "of an order with %p keep it",
    async (given) => {
      const made = await order(given)
      const { discount, discountAmount, isDiscountAmount, total } = made
      const same = { discount, discountAmount, isDiscountAmount, total, status: "draft" }
      const copied = await api.post(`/sales-orders/${made.id}/duplicate`)
      expect(copied.body.data).toMatchObject(same)
      await shop.status("sales-orders", made.id, "submitted")
      expect((await api.post(`/sales-orders/${made.id}/amend`)).body.data).toMatchObject(same)
    },
  )

  test.each([[false], [true]])(
    "of an order add up to it, also after one was cancelled and credited (prices with tax: %p)",
    async (pricesIncludeTax) => {
      const items = (pricesIncludeTax ? lines.gross : lines.net).map((line) => ({ ...line, quantity: 3 }))
      const made = await order({ items, pricesIncludeTax, discountAmount: 99.99, status: "submitted" })
      const part = async (quantities: number[]): Promise<Document> => {
        const taken = quantities.flatMap((quantity, i) =>
          quantity > 0 ? [{ orderLine: made.items[i]?.id, quantity }] : [],
        )
        const answer = await shop.bill(made.id, { items: taken })
        expect(answer).toMatchObject({ status: 201 })
        return answer.body.data
      }
      const first = await part([1, 2, 0])
      const second = await part([1, 0, 1])
      await shop.status("invoices", first.id, "cancelled")
      const third = await part([1, 1, 1])
      const rest = (await shop.bill(made.id)).body.data as Document
      const parts = [second, third, rest]
      const sum = (of: (document: Document) => number) =>
        parts.reduce((all, each) => all + Math.round(of(each) * 100), 0)
      const names = ["discountAmount", "discountTotal", "subtotal", "taxTotal", "total"] as const
      expect(names.map((name) => sum((each) => each[name]))).toEqual(
        names.map((name) => Math.round(made[name] * 100)),
      )
      for (const rate of [19, 7])
        expect(sum(({ taxes }) => taxes.find((tax: Line) => tax.rate === rate)?.tax ?? 0)).toBe(
          Math.round(made.taxes.find((tax: Line) => tax.rate === rate).tax * 100),
        )
      expect(parts.map(({ discount, isDiscountAmount }) => [discount, isDiscountAmount])).toEqual(
        Array(3).fill([made.discount, true]),
      )
      const notes = []
      const [line] = third.items as [Line]
      for (const body of [{ items: [{ invoiceLine: line.id, quantity: 0.3 }] }, {}])
        notes.push(await api.create(`/invoices/${third.id}/credit-notes`, { reason: "Returned", ...body }))
      for (const name of names)
        expect(notes.reduce((all, note) => all + Math.round(note[name] * 100), 0)).toBe(
          Math.round(third[name] * 100),
        )
      expect(await shop.get("invoices", third.id)).toMatchObject({ status: "credited", balance: 0 })
    },
  )

  test("of an invoice by an amount have no discount, and at most the money after it", async () => {
    const customer = (await shop.customer()).id
    const invoice = await api.create("/invoices", {
      customer,
      items: lines.net,
      discount: 10,
      status: "unpaid",
    })
    const credit = (amount: number) =>
      api.post(`/invoices/${invoice.id}/credit-notes`, {
        reason: "Scratched",
        items: [{ invoiceLine: invoice.items[0].id, amount }],
      })
    expect(refusalOf(await credit(180.01))).toMatchObject({ code: "OVER_CREDITED" })
    const { data } = (await credit(80)).body
    expect(data).toMatchObject({ discount: 0, discountAmount: 0, isDiscountAmount: false, subtotal: 80 })
    // What is left: 100 of the desks, for which 180 were charged.
    const rest = await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Returned" })
    expect(rest).toMatchObject({ discount: 10, discountAmount: 25, subtotal: 145 })
    expect(rest.items[0]).toMatchObject({ amount: 100, documentDiscount: 20, discountAmount: 80 })
  })
})

describe("in other currencies", () => {
  test.each([
    ["JPY", 333, 333],
    ["KWD", 33.333, 33.333],
  ])("%s: %p", async (currency, discountAmount, stored) => {
    const other = await serve()
    const there = await signIn(other)
    await there.put("/settings", { currency })
    const customer = (await there.create("/customers", { name: "Far" })).id
    const items = [
      { description: "A", quantity: 1, rate: 1_000 },
      { description: "B", quantity: 1, rate: 2_000 },
    ]
    const made = await there.create("/sales-orders", { customer, items, discountAmount })
    expect(made.discountAmount).toBe(stored)
    expect(shares(made)).toEqual(currency === "JPY" ? [111, 222] : [11.111, 22.222])
    const tooFine = await there.post("/sales-orders", { customer, items, discountAmount: 0.0005 })
    expect(refusalOf(tooFine)).toMatchObject({ status: 422, fields: ["discountAmount"] })
  })
})

describe("on paper", () => {
  test.each([
    ["en", "Sum of the lines", "Discount 10%"],
    ["de", "Summe der Positionen", "Rabatt 10 %"],
    ["fr", "Total des lignes", "Remise 10 %"],
  ])("in %s it stands between the sum of the lines and the subtotal", async (language, sum, discount) => {
    const made = await order({ discount: 10 })
    const { bytes } = await download(kontor, api, `/sales-orders/${made.id}/pdf?language=${language}`)
    const { text } = await readPdf(new Uint8Array(bytes))
    const places = [sum, discount].map((words) => text.replaceAll("\u202f", " ").indexOf(words))
    expect(places.every((at) => at > 0)).toBe(true)
    expect(places[0]).toBeLessThan(places[1] ?? 0)
  })
})

test("exports have its columns, and those of the shares with a row per line", async () => {
  const made = await order({ discount: 10 })
  const query = `orderNumber=${made.orderNumber}&lines=rows`
  const columns = "discount,discountAmount,isDiscountAmount,items.documentDiscount,items.amount"
  const rows = await exportsOf(kontor, api).rows("sales-orders", `${query}&fields=${columns}&titles=en`)
  expect(rows[0]?.slice(0, 3)).toEqual(["Discount", "Discount amount", "Discount given as an amount"])
  expect(rows.slice(1)).toEqual([
    ["10", "25", "false", "20", "180"],
    ["10", "25", "false", "5", "45"],
    ["10", "25", "false", "0", "0"],
  ])
})

test("a paid gift voucher is a payment with the method voucher, which lists and counts find", async () => {
  const invoice = await shop.invoice({ items: lines.net, discount: 10 })
  expect((await shop.pay(invoice.id, 50, { method: "voucher" })).status).toBe(201)
  expect(await shop.get("invoices", invoice.id)).toMatchObject({ status: "partially_paid", amountPaid: 50 })
  const found = (await api.get("/payments?method=voucher")).body.data
  expect(found.map(({ amount }: { amount: number }) => amount)).toEqual([50])
  const { data } = (await api.get("/payments/values?field=method")).body
  expect(data).toContainEqual({ value: "voucher", count: 1 })
})
