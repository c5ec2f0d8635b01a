// The statement of a customer: what was owed before a period, what changed it, and what is owed at its end.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
type Named = Record<string, any>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(cleanUp)

const statement = async (customer: string, query = ""): Promise<Named> => {
  const { status, body } = await api.get(`/customers/${customer}/statement${query}`)
  expect(status).toBe(200)
  return body.data
}
const year = new Date().getFullYear()
const day = (monthAndDay: string) => `${year - 1}-${monthAndDay}`
const whole = `?from=2000-01-01&to=${year}-12-31`

/** An issued invoice of 100, with its due date on its own date. */
const issued = (customer: string, invoiceDate: string): Promise<Named> =>
  api.create("/invoices", {
    customer,
    items: [{ description: "Work", quantity: 1, rate: 100 }],
    invoiceDate,
    dueDate: invoiceDate,
    status: "unpaid",
  })

/** A customer with one movement of each kind, in this order. */
async function busyCustomer() {
  const { id: customer, customerNumber } = await shop.customer({ name: "Statement KG" })
  const first = await issued(customer, day("01-10"))
  const paid = await shop.pay(first.id, 60, { paymentDate: day("01-20"), reference: "T-1" })
  await api.create(`/invoices/${first.id}/write-offs`, {
    amount: 5,
    reason: "Bank charges",
    writeOffDate: day("02-01"),
  })
  const second = await issued(customer, day("02-10"))
  const credit = await api.create(`/invoices/${second.id}/credit-notes`, {
    creditNoteDate: day("03-01"),
    reason: "Damaged",
  })
  const over = await api.create("/payments", { customer, amount: 50, paymentDate: day("03-10") })
  await api.create(`/payments/${over.id}/refunds`, { amount: 15, refundDate: day("03-20"), reference: "R-9" })
  // Neither counts: one was voided, the other cancelled before anything was paid.
  const wrong = await api.create("/payments", { customer, amount: 7, paymentDate: day("03-15") })
  await api.delete(`/payments/${wrong.id}`)
  const { id: undone } = await issued(customer, day("03-16"))
  await api.put("/settings", { correctBy: "cancel" })
  await shop.status("invoices", undone, "cancelled", { reason: "Twice" })
  return { customer, customerNumber, first, paid, second, credit, over }
}

describe("a statement", () => {
  test("has every movement with the balance after it, and ends with what the customer owes", async () => {
    const { customer, first, second, credit, over } = await busyCustomer()
    const found = await statement(customer, whole)
    expect(found).toMatchObject({ customer, currency: "USD", from: "2000-01-01", opening: 0, closing: 0 })
    expect(
      found["movements"].map(({ date, kind, number, amount, balance }: Named) => [
        date.slice(5),
        kind,
        number,
        amount,
        balance,
      ]),
    ).toEqual([
      ["01-10", "invoices", first["invoiceNumber"], 100, 100],
      ["01-20", "payments", "T-1", -60, 40],
      ["02-01", "write-offs", first["invoiceNumber"], -5, 35],
      ["02-10", "invoices", second["invoiceNumber"], 100, 135],
      ["03-01", "credit-notes", credit["creditNoteNumber"], -100, 35],
      ["03-10", "payments", null, -50, -15],
      ["03-20", "refunds", "R-9", 15, 0],
    ])
    expect(found["movements"][0].record).toBe(first["id"])
    expect(found["movements"][5].record).toBe(over["id"])
  })

  test("begins with what was owed before its first day, and ends with its last day", async () => {
    const { customer, customerNumber } = await busyCustomer()
    const period = `?from=${day("01-20")}&to=${day("02-10")}`
    const found = await statement(customer, period)
    expect(found).toMatchObject({ opening: 100, closing: 135 })
    expect(found["movements"]).toHaveLength(3)
    expect(
      (await api.get(`/customers/by/customerNumber/${customerNumber}/statement${period}`)).body.data,
    ).toEqual(found)
    // Without a period it is that of the year until today.
    expect(await statement(customer)).toMatchObject({
      from: `${year}-01-01`,
      opening: 0,
      movements: [],
      closing: 0,
    })
  })

  test("is a CSV file with both balances", async () => {
    const { customer } = await busyCustomer()
    const answer = await api.get(
      `/customers/${customer}/statement?format=csv&from=${day("01-20")}&to=${day("02-01")}`,
    )
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    const rows = answer.text.trim().split("\r\n")
    expect(rows.map((row) => row.replace(/\w+_\w{26}/, "id"))).toEqual([
      "date,kind,record,number,amount,balance",
      `${day("01-20")},opening,,,,100`,
      `${day("01-20")},payments,id,T-1,-60,40`,
      expect.stringMatching(new RegExp(`^${day("02-01")},write-offs,id,INV-\\S+,-5,35$`)),
      `${day("02-01")},closing,,,,35`,
    ])
  })

  test("refuses wrong queries, and callers who may not read both customers and invoices", async () => {
    const { id } = await shop.customer()
    const refused = async (query: string) => refusalOf(await api.get(`/customers/${id}/statement${query}`))
    for (const [query, field] of [
      ["?from=2026-02-30", "from"],
      ["?to=soon", "to"],
      ["?from=2026-02-01&to=2026-01-01", "from"],
      ["?format=xlsx", "format"],
      ["?language=es", "language"],
      ["?day=1", "day"],
    ] as const)
      expect(JSON.stringify(await refused(query))).toContain(`"${field}"`)
    expect((await api.get("/customers/cus_01kb2qk3dvb6r8h5m9x4w7z2nc/statement")).status).toBe(404)
  })
})
