import { afterAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { cleanUp, serve } from "../support/kontor"
import { trade } from "../support/trade"

const api = await signIn(await serve())
const shop = trade(api)
afterAll(cleanUp)

type Entry = { action: string; changes: Record<string, { from: unknown; to: unknown }> }

describe("the history of a payment", () => {
  test("tells which parts were allocated, refunded and voided after it was recorded", async () => {
    const [first, second] = [await shop.invoice(), await shop.invoice()]
    const { customer } = first
    const payment = await api.create("/payments", {
      customer,
      amount: 15,
      allocations: [{ invoice: first.id, amount: 10 }],
    })
    const path = `/payments/${payment.id}`
    const { id } = await api.create(`${path}/allocations`, { invoice: first.id, amount: 4 })
    expect((await api.post(`${path}/allocations`, { invoice: second.id, amount: 1 })).status).toBe(422)
    await api.create(`${path}/refunds`, { amount: 1 })
    await api.delete(`${path}/allocations/${id}`)
    const allocation = { invoice: first.id, invoiceNumber: first.invoiceNumber, allocation: id }
    expect(await changesOf(path)).toEqual([
      ["payments.create", { amount: 15, customer }, {}],
      ["payments.allocation", { ...allocation, amount: 4 }, {}],
      ["payments.refund", { amount: 1, refund: expect.any(String) }, {}],
      ["payments.allocation-removed", {}, { ...allocation, amount: 4 }],
    ])
  })

  test("tells that the part for an invoice was voided through the invoice", async () => {
    const invoice = await shop.invoice()
    const { id } = await api.create("/payments", { customer: invoice.customer, amount: 25 })
    await api.delete(`/invoices/${invoice.id}/payments/${id}`)
    expect((await changesOf(`/payments/${id}`)).at(-1)).toMatchObject([
      "payments.allocation-removed",
      {},
      { invoice: invoice.id, amount: 20 },
    ])
  })
})

/** The actions of a history, oldest first, with the values after and before them. */
async function changesOf(path: string) {
  const entries: Entry[] = (await api.get(`${path}/history`)).body.data
  const given = (side: "from" | "to", { changes }: Entry) =>
    Object.fromEntries(
      Object.entries(changes).flatMap(([name, change]) =>
        change[side] === null ? [] : [[name, change[side]]],
      ),
    )
  return entries.map((entry) => [entry.action, given("to", entry), given("from", entry)]).toReversed()
}
