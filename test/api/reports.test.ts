import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { isPostgres } from "../support/engine"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { importOpening } from "../support/opening"
import { trade, type Trade } from "../support/trade"
import { figuresOf } from "../../src/shop/reports/page/lists"

type Month = Record<string, number> & { month: string }

let kontor: Kontor
let api: Api
let shop: Trade
let today: string
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  today = (await summary()).today
})
afterAll(cleanUp)

const summary = async (by = api) => {
  const answer = await by.get("/reports/summary")
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  return answer.body.data
}

/** A date, relative to today. */
const daysAgo = (days: number) =>
  new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

/** The first day of a month, relative to the current one. */
const monthsAgo = (months: number) => {
  const [year = 0, month = 0] = today.split("-").map(Number)
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10)
}
const dayBefore = (date: string) =>
  new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** An issued invoice of one line without tax. */
const invoiced = async (amount: number, invoiceDate: string, dueDate = invoiceDate) => {
  const [item, customer] = [await shop.item({ sellingPrice: amount }), await shop.customer()]
  const items = [{ item: item.id, quantity: 1 }]
  return api.create("/invoices", { customer: customer.id, items, invoiceDate, dueDate, status: "unpaid" })
}

test("an empty shop has twelve months of zeros and no nulls", async () => {
  const sales = { ordered: 0, orderCount: 0, invoiced: 0, invoiceCount: 0, cancelled: 0, cancelledCount: 0 }
  const credits = { credited: 0, creditCount: 0, reversed: 0, reversedCount: 0 }
  const zeros = { ...sales, ...credits, paid: 0, paymentCount: 0 }
  const months = Array.from({ length: 12 }, (_, i) => monthsAgo(11 - i).slice(0, 7))
  expect(await summary()).toEqual({
    currency: "USD",
    today,
    at: null,
    salesByMonth: months.map((month) => ({ month, ...zeros })),
    receivables: {
      total: 0,
      overdue: 0,
      buckets: ["notDue", "1-30", "31-60", "61-90", "over90"].map((label) => ({
        label,
        amount: 0,
        count: 0,
      })),
    },
    lowStock: { count: 0, items: [] },
    latestOrders: [],
    counts: {
      items: 0,
      customers: 0,
      openOrders: 0,
      openInvoices: 0,
      failedMessages: 0,
      uncertainMessages: 0,
      dueReminders: 0,
      recurringProblems: 0,
      recurringSkipped: 0,
    },
  })
})

describe("sales by month", () => {
  let before: Month[]
  /** The differences in the figures, month by month; unchanged months are left out. */
  const added = async () => {
    const now: Month[] = (await summary()).salesByMonth
    const grown = now.map(({ month, ...figures }, i) => [
      month,
      Object.fromEntries(
        Object.entries(figures)
          .map(([name, value]) => [name, Number((value - (before[i]?.[name] ?? 0)).toFixed(2))] as const)
          .filter(([, value]) => value !== 0),
      ),
    ])
    return Object.fromEntries(grown.filter(([, figures]) => Object.keys(figures as object).length > 0))
  }
  const month = (months: number) => monthsAgo(months).slice(0, 7)
  const begin = async () => void (before = (await summary()).salesByMonth)

  test("counts each document in the month of its own date, including tax", async () => {
    await begin()
    const item = await shop.item({ sellingPrice: 99.99, taxRate: 19 })
    const order = await shop.submitted({
      items: [{ item: item.id, quantity: 3, discount: 10 }],
      orderDate: monthsAgo(5),
    })
    const { body } = await shop.bill(order.id, { invoiceDate: monthsAgo(3) })
    await shop.pay(body.data.id, 100, { paymentDate: monthsAgo(2) })
    await shop.pay(body.data.id, 50.5, { paymentDate: monthsAgo(0) })
    // 3 × 99.99 × 0.9 = 269.973, and 19 % of 269.97 is 51.2943: 269.97 + 51.29.
    expect(await added()).toEqual({
      [month(5)]: { ordered: 321.26, orderCount: 1 },
      [month(3)]: { invoiced: 321.26, invoiceCount: 1 },
      [month(2)]: { paid: 100, paymentCount: 1 },
      [month(0)]: { paid: 50.5, paymentCount: 1 },
    })
  })

  test("counts submitted and completed orders, not drafts and cancelled ones", async () => {
    await begin()
    const items = [{ item: (await shop.item({ sellingPrice: 7 })).id, quantity: 1 }]
    const orderDate = monthsAgo(4)
    await shop.order({ items, orderDate })
    await shop.submitted({ items, orderDate })
    const closed = await shop.submitted({ items, orderDate })
    await shop.status("sales-orders", closed.id, "completed")
    const cancelled = await shop.submitted({ items, orderDate })
    await shop.status("sales-orders", cancelled.id, "cancelled")
    expect(await added()).toEqual({ [month(4)]: { ordered: 14, orderCount: 2 } })
  })

  test("counts issued invoices, not drafts and cancelled ones", async () => {
    await begin()
    const gone = await invoiced(1000, monthsAgo(6))
    await invoiced(30, monthsAgo(6))
    const customer = (await shop.customer()).id
    const items = [{ item: (await shop.item()).id, quantity: 1 }]
    await api.create("/invoices", { customer, items, invoiceDate: monthsAgo(6) })
    await shop.status("invoices", gone.id, "cancelled")
    expect(await added()).toEqual({ [month(6)]: { invoiced: 30, invoiceCount: 1 } })
  })

  test("does not count a deleted payment", async () => {
    const invoice = await invoiced(40, monthsAgo(8))
    await begin()
    const payment = await shop.pay(invoice.id, 40, { paymentDate: monthsAgo(7) })
    expect(await added()).toEqual({ [month(7)]: { paid: 40, paymentCount: 1 } })
    await api.delete(`/invoices/${invoice.id}/payments/${payment.body.data.id}`)
    expect(await added()).toEqual({})
  })

  test("begins with the first day of the first month and ends with the last day of the current one", async () => {
    await begin()
    await invoiced(1, dayBefore(monthsAgo(11)))
    await invoiced(2, monthsAgo(11))
    await invoiced(4, dayBefore(monthsAgo(-1)))
    await invoiced(8, monthsAgo(-1))
    expect(await added()).toEqual({
      [month(11)]: { invoiced: 2, invoiceCount: 1 },
      [month(0)]: { invoiced: 4, invoiceCount: 1 },
    })
  })

  test("adds up more invoices of one day than one query reads", async () => {
    await begin()
    const [item, customer] = [await shop.item({ sellingPrice: 0.01 }), await shop.customer()]
    const draft = { customer: customer.id, items: [{ item: item.id, quantity: 1 }], status: "unpaid" }
    const operation = { op: "create", body: { ...draft, invoiceDate: monthsAgo(9) } }
    // One query reads a thousand.
    const batches = isPostgres ? 12 : 22
    for (let i = 0; i < batches; i++) {
      const operations = Array.from({ length: 100 }, () => operation)
      expect((await api.post("/invoices/batch", { mode: "all", operations })).status).toBe(200)
    }
    expect(await added()).toEqual({ [month(9)]: { invoiced: batches, invoiceCount: 100 * batches } })
  })
})

describe("receivables", () => {
  const cases: [why: string, age: number, label: string][] = [
    ["due tomorrow", -1, "notDue"],
    ["due today", 0, "notDue"],
    ["due yesterday", 1, "1-30"],
    ["due 30 days ago", 30, "1-30"],
    ["due 31 days ago", 31, "31-60"],
    ["due 60 days ago", 60, "31-60"],
    ["due 61 days ago", 61, "61-90"],
    ["due 90 days ago", 90, "61-90"],
    ["due 91 days ago", 91, "over90"],
    ["due two years ago", 730, "over90"],
  ]
  const buckets = async () => {
    const { receivables } = await summary()
    const each = receivables.buckets.map(({ label, amount, count }: Record<string, unknown>) => [
      label,
      { amount, count },
    ])
    return { ...receivables, buckets: Object.fromEntries(each) }
  }

  test.each(cases)("an invoice %s is in its bucket with its balance", async (_, age, label) => {
    const before = await buckets()
    const invoice = await invoiced(12.3, daysAgo(Math.max(age, 0)), daysAgo(age))
    await shop.pay(invoice.id, 2.2)
    const after = await buckets()
    for (const [name, { amount, count }] of Object.entries<{ amount: number; count: number }>(
      before.buckets,
    )) {
      const grows = name === label
      expect([name, after.buckets[name].count]).toEqual([name, count + (grows ? 1 : 0)])
      expect(after.buckets[name].amount).toBeCloseTo(amount + (grows ? 10.1 : 0), 6)
    }
    expect(after.total).toBeCloseTo(before.total + 10.1, 6)
    expect(after.overdue).toBeCloseTo(before.overdue + (label === "notDue" ? 0 : 10.1), 6)
  })

  test("do not include paid, cancelled and draft invoices", async () => {
    const before = await summary()
    const [paid, cancelled] = [await invoiced(5, daysAgo(40)), await invoiced(6, daysAgo(40))]
    const during = await summary()
    expect(during.receivables.total).toBeCloseTo(before.receivables.total + 11, 6)
    expect(during.counts.openInvoices).toBe(before.counts.openInvoices + 2)
    await shop.pay(paid.id, 5)
    await shop.status("invoices", cancelled.id, "cancelled")
    const customer = (await shop.customer()).id
    const items = [{ item: (await shop.item()).id, quantity: 1 }]
    await api.create("/invoices", { customer, items })
    const after = await summary()
    expect(after.receivables).toEqual(before.receivables)
    expect(after.counts.openInvoices).toBe(before.counts.openInvoices)
  })

  test("are the sum of the customers' outstanding balances", async () => {
    const { body } = await api.get(
      "/customers?perPage=100&outstandingBalance[gt]=0&fields=outstandingBalance",
    )
    const owed = body.data.reduce(
      (sum: number, { outstandingBalance }: { outstandingBalance: number }) => sum + outstandingBalance,
      0,
    )
    expect(body.meta.hasMore).toBeFalse()
    expect((await summary()).receivables.total).toBeCloseTo(owed, 6)
  })
})

describe("low stock", () => {
  // Another shop, because the items of the other tests have less than nothing in stock.
  let store: Trade
  let keeper: Api
  const lowStock = async () => (await summary(keeper)).lowStock
  beforeAll(async () => {
    keeper = await signIn(await serve())
    store = trade(keeper)
  })

  test("lists the items with the least stock relative to their reorder level first", async () => {
    const before = await lowStock()
    expect(before).toEqual({ count: 0, items: [] })
    const stocked = async (itemCode: string, stock: number, over: object = {}) => {
      const item = await store.item({ itemCode, reorderLevel: 10, ...over })
      if (stock > 0) await store.receive(item.id, stock)
      return item
    }
    await stocked("LOW-HALF", 5)
    await stocked("LOW-EQUAL", 10)
    await stocked("FULL", 10.5)
    await stocked("NO-LEVEL", 0, { reorderLevel: 0 })
    const below = await stocked("BELOW", 0, { reorderLevel: 0 })
    await store.submitted({ items: [{ item: below.id, quantity: 1 }] })
    await stocked("SERVICE", 0, { itemType: "Service" })
    await stocked("RETIRED", 0, { isActive: false })
    await stocked("LOW-SMALL", 40, { reorderLevel: 1_000, uom: "Kg" })
    const reserved = await stocked("LOW-RESERVED", 12)
    await store.submitted({ items: [{ item: reserved.id, quantity: 14 }] })
    const { count, items } = await lowStock()
    expect(count).toBe(5)
    expect(items.map(({ itemCode }: { itemCode: string }) => itemCode)).toEqual([
      "BELOW",
      "LOW-RESERVED",
      "LOW-SMALL",
      "LOW-HALF",
      "LOW-EQUAL",
    ])
    expect(items[1]).toEqual({
      id: reserved.id,
      itemCode: "LOW-RESERVED",
      itemName: reserved.itemName,
      uom: "Nos",
      currentStock: 12,
      reservedStock: 14,
      availableStock: -2,
      reorderLevel: 10,
    })
    const list = await keeper.get("/items?isLowStock=true&isActive=true")
    expect(list.body.meta.total).toBe(5)
  })

  test("counts all of them but lists ten", async () => {
    for (let i = 0; i < 8; i++) await store.item({ reorderLevel: 5 })
    const { count, items } = await lowStock()
    expect([count, items.length]).toEqual([13, 10])
  })
})

test("the eight newest orders are listed, newest first, regardless of their dates", async () => {
  const made = []
  for (let i = 0; i < 9; i++)
    made.push(await shop.order({ orderDate: daysAgo(i % 2 ? 300 : 0), notes: `Number ${i}` }))
  await shop.status("sales-orders", made[8].id, "cancelled")
  const { latestOrders } = await summary()
  expect(latestOrders).toHaveLength(8)
  expect(latestOrders.map(({ id }: { id: string }) => id)).toEqual(
    made
      .slice(1)
      .toReversed()
      .map(({ id }) => id),
  )
  const { id, orderNumber, customerName, orderDate } = made[8]
  expect(latestOrders[0]).toEqual({
    id,
    orderNumber,
    customerName,
    status: "cancelled",
    orderDate,
    total: 20,
  })
})

test("each figure of the dashboard is the sum of the list that it opens", async () => {
  const customer = (await shop.customer()).id
  const issue = (rate: number, over: object = {}) =>
    api.create("/invoices", {
      customer,
      items: [{ description: "Work", quantity: 1, rate }],
      status: "unpaid",
      ...over,
    })
  const due = (days: number) => ({ invoiceDate: daysAgo(days), dueDate: daysAgo(days) })
  // What no figure counts: a draft, and what was cancelled with and without a credit note.
  await issue(1_000, { status: "draft" })
  await shop.order({ customer })
  await shop.submitted({ customer })
  await shop.status("invoices", (await issue(2_000)).id, "cancelled")
  await api.put("/settings", { correctBy: "credit-note" })
  await shop.status("invoices", (await issue(4_000)).id, "cancelled")
  await api.put("/settings", { correctBy: "cancel" })
  // What only some count: a date later in this month, a part that is written off, a credited invoice that is open again.
  await issue(8_000, { invoiceDate: dayBefore(monthsAgo(-1)) })
  const reduced = await issue(160, due(45))
  await api.create(`/invoices/${reduced.id}/write-offs`, { amount: 60, reason: "Rounding" })
  const credited = await issue(320, due(75))
  const payment = (await shop.pay(credited.id, 320)).body.data
  await api.create(`/invoices/${credited.id}/credit-notes`, { reason: "Returned" })
  await api.delete(`/payments/${payment.id}`)
  expect(await shop.get("invoices", credited.id)).toMatchObject({ status: "credited", balance: 320 })
  await api.create("/payments", { customer, amount: 640, allocations: [] })
  await importOpening(api, [{ invoiceNumber: "RE/fig", customer, invoiceDate: daysAgo(0), balance: 1_280 }])

  const figures = figuresOf(await summary())
  expect(figures.length).toBe(12 * 4 + 5 + 2)
  for (const { name, amount, list } of figures) {
    const { kind, filters, sum } = list
    const { body } = await api.get(`/${kind}?${filters}&sum=${sum}&perPage=1&fields=id`)
    expect([name, body.meta?.sums[sum]]).toEqual([name, amount])
  }
  const month = today.slice(0, 7)
  for (const name of [`ordered ${month}`, `invoiced ${month}`, `paid ${month}`, "overdue", "31-60", "open"])
    expect(figures.find((each) => each.name === name)?.amount).toBeGreaterThan(0)
})

test("the counts are equal to the totals of the lists", async () => {
  const { counts } = await summary()
  const totals: [name: string, list: string][] = [
    ["items", "/items"],
    ["customers", "/customers"],
    ["openOrders", "/sales-orders?status=submitted"],
    ["openInvoices", "/invoices?status[in]=unpaid,partially_paid"],
  ]
  for (const [name, list] of totals) {
    const { total } = (await api.get(`${list}${list.includes("?") ? "&" : "?"}perPage=1`)).body.meta
    expect([name, counts[name]]).toEqual([name, total])
    expect(total).toBeGreaterThan(0)
  }
})

test("with many concurrent requests and writes, each caller sees its own write", async () => {
  const counted = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const before = (await summary()).counts.customers
      await shop.customer()
      return (await summary()).counts.customers > before
    }),
  )
  expect(counted).not.toContain(false)
})

test("writes of another process are visible immediately, and rows are found at any distance", async () => {
  const other = await serve()
  const owner = await signIn(other)
  const stall = trade(owner)
  const service = await stall.item({ itemType: "Service" })
  const { id } = await stall.invoice({ items: [{ item: service.id, quantity: 1 }] })
  await stall.pay(id, 3, { paymentDate: today })
  const item = await stall.item({ reorderLevel: 5 })
  const before = (await owner.get("/reports/summary")).body.data
  expect([before.salesByMonth[11].paid, before.lowStock.count]).toEqual([3, 1])
  inFile(other, (db) => {
    db.run("UPDATE payments SET seq = 4500")
    db.run("UPDATE items SET seq = 5000, reorder_level = 90000 WHERE id = ?", [item.id])
  })
  const after = (await owner.get("/reports/summary")).body.data
  expect(after.salesByMonth).toEqual(before.salesByMonth)
  expect(after.lowStock.items).toEqual([{ ...before.lowStock.items[0], reorderLevel: 9 }])
})

test("a currency without decimals has none, and the date is in the instance's time zone", async () => {
  const other = await serve()
  const owner = await signIn(other)
  await owner.put("/settings", { currency: "JPY", timeZone: "Pacific/Kiritimati" })
  const stall = trade(owner)
  const item = await stall.item({ sellingPrice: 1_234 })
  const invoice = await stall.invoice({ items: [{ item: item.id, quantity: 1 }] })
  const { data } = (await owner.get("/reports/summary")).body
  expect([data.currency, data.today]).toEqual(["JPY", invoice.invoiceDate])
  expect(data.salesByMonth[11]).toMatchObject({ ordered: 1_234, invoiced: 1_234, invoiceCount: 1 })
  expect(data.receivables.total).toBe(1_234)
})

describe("access", () => {
  const password = "a fine password"
  test.each(["viewer", "sales", "shop", "accountant", "manager", "admin"])(
    "%s sees every part",
    async (role) => {
      const email = `${role}.reports@example.com`
      await api.create("/users", { email, name: role, role, password })
      const person = await signIn(kontor, email, password)
      expect(await summary(person)).toEqual(await summary())
    },
  )

  test("a key with read, but not a key without", async () => {
    const keyed = async (scopes: string[]) =>
      apiWith(kontor, { "x-api-key": (await api.create("/api-keys", { name: "K", scopes })).key })
    expect((await summary(await keyed(["read"]))).today).toBe(today)
    const refused = await (await keyed(["write", "delete", "admin"])).get("/reports/summary")
    expect(refusalOf(refused)).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" })
  })

  test("nobody without a credential", async () => {
    expect((await send(`${kontor.url}/api/v1/reports/summary`)).status).toBe(401)
  })

  test("a parameter that does not exist is refused", async () => {
    expect(refusalOf(await api.get("/reports/summary?months=6"))).toEqual({
      status: 400,
      code: "INVALID_QUERY",
      fields: ["months"],
    })
  })
})

describe("GET /reports/summary?at=", () => {
  const receivables = async (at: string) => {
    const { status, body } = await api.get(`/reports/summary?at=${at}`)
    expect(status).toBe(200)
    return body.data.receivables.total as number
  }
  /** What the receivables of some days were more than those before a test. */
  const growth = async (days: readonly string[]) => {
    const before = await Promise.all(days.map(receivables))
    return async () => {
      const after = await Promise.all(days.map(receivables))
      return after.map((total, i) => Math.round((total - (before[i] ?? 0)) * 100) / 100)
    }
  }
  const days = () => [40, 30, 20, 10, 1, 0].map(daysAgo)

  test("counts documents, payments and credits from their own dates on", async () => {
    const grown = await growth(days())
    const invoice = await invoiced(100, daysAgo(35), daysAgo(25))
    expect(await grown()).toEqual([0, 100, 100, 100, 100, 100])
    expect(await shop.pay(invoice.id, 30, { paymentDate: daysAgo(15) })).toMatchObject({ status: 201 })
    expect(await grown()).toEqual([0, 100, 100, 70, 70, 70])
    const items = [{ invoiceLine: invoice.items[0].id, amount: 50 }]
    const credit = { reason: "Late", creditNoteDate: daysAgo(5), items }
    expect(await api.post(`/invoices/${invoice.id}/credit-notes`, credit)).toMatchObject({ status: 201 })
    expect(await grown()).toEqual([0, 100, 100, 70, 20, 20])
    const { body } = await api.get(`/reports/summary?at=${daysAgo(20)}`)
    expect(body.data).toMatchObject({
      at: daysAgo(20),
      salesByMonth: null,
      lowStock: null,
      latestOrders: null,
    })
    const aged = body.data.receivables.buckets.find(({ label }: { label: string }) => label === "1-30")
    expect(aged.amount).toBeGreaterThanOrEqual(100)
  })

  test("counts what was voided or cancelled until the day before", async () => {
    const grown = await growth(days())
    const [kept, cancelled] = [await invoiced(200, daysAgo(35)), await invoiced(40, daysAgo(35))]
    const payment = await shop.pay(kept.id, 60, { paymentDate: daysAgo(25) })
    await shop.status("invoices", cancelled.id, "cancelled")
    expect(await grown()).toEqual([0, 240, 180, 180, 180, 140])
    expect(await api.delete(`/invoices/${kept.id}/payments/${payment.body.data.id}`)).toMatchObject({
      status: 204,
    })
    expect(await grown()).toEqual([0, 240, 180, 180, 180, 200])
  })

  test("lets an invoice that was cancelled by a credit note stand until the date of the note", async () => {
    await api.put("/settings", { correctBy: "credit-note" })
    const grown = await growth(days())
    const invoice = await invoiced(70, daysAgo(35))
    const month = async (name: string) => {
      const { salesByMonth } = await summary()
      return (salesByMonth as Month[]).find((each) => each.month === name) as Month
    }
    const [then, now] = [daysAgo(35).slice(0, 7), today.slice(0, 7)]
    const [sold, corrected] = [await month(then), await month(now)]
    await shop.status("invoices", invoice.id, "cancelled")
    await api.put("/settings", { correctBy: "cancel" })
    expect(await grown()).toEqual([0, 70, 70, 70, 70, 0])
    expect((await month(then)).invoiced).toBe(sold.invoiced as number)
    const after = await month(now)
    expect(after.credited).toBeCloseTo((corrected.credited ?? 0) + 70, 2)
    expect(after.creditCount).toBe((corrected.creditCount ?? 0) + 1)
  })

  test("counts an invoice of 0 that was cancelled by a credit note, as its credit note", async () => {
    const counts = async () => {
      const { invoiceCount, creditCount } = (await summary()).salesByMonth.at(-1)
      return [invoiceCount, creditCount]
    }
    const [invoiceCount, creditCount] = await counts()
    await api.put("/settings", { correctBy: "credit-note" })
    const gift = await invoiced(0, today)
    await shop.status("invoices", gift.id, "cancelled")
    await api.put("/settings", { correctBy: "cancel" })
    expect(await counts()).toEqual([invoiceCount + 1, creditCount + 1])
  })

  test("follows the time zone", async () => {
    const grown = await growth([today])
    const invoice = await invoiced(30, daysAgo(3))
    await shop.status("invoices", invoice.id, "cancelled")
    expect(await grown()).toEqual([0])
    // There, today ended at 10 o'clock UTC, and what was cancelled after that still counted.
    const isOver = new Date().getUTCHours() >= 10
    await api.put("/settings", { timeZone: "Pacific/Kiritimati" })
    const [total = 0] = await grown()
    expect(total >= 30).toBe(isOver)
    await api.put("/settings", { timeZone: "UTC" })
    expect(await grown()).toEqual([0])
  })

  test("refuses what is not a date", async () => {
    for (const at of ["", "2026-02-30", "yesterday", "2026-03-01T00:00:00Z"])
      expect(refusalOf(await api.get(`/reports/summary?at=${at}`))).toMatchObject({ status: 400 })
  })
})
