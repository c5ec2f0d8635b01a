// The most expensive credit notes and payments: of the largest invoices, and over as many invoices as possible.
import { read, step, write, type Case, type Context } from "./cost-case"
import { largestInvoice } from "./cost-shop-documents"
import type { Size } from "./cost-shop-size"
import { largestPayment, mostAllocations, openInvoice, payer } from "./cost-shop-money"

type Found = { id: string; items: { id: string; amount: number }[]; allocations: { id: string }[] }
type Ask = (sent: ReturnType<typeof write>) => Promise<Found>

export function* moneyCases(
  { ask: send, isShort }: Context,
  { openInvoices, largest }: Pick<Size, "openInvoices" | "largest">,
): Generator<Case> {
  // The cases of documents use the others.
  let used = Math.floor(largest * 0.6)
  const nextInvoice = () => `/invoices/${largestInvoice(++used)}`
  const ask: Ask = async (sent) => ((await send(sent)) as { data: Found }).data
  yield* creditCases(ask, nextInvoice)
  yield* repeatedCases(ask, nextInvoice(), isShort ? 97 : 997)
  yield* paymentCases(ask, openInvoices)
}

function* creditCases(ask: Ask, nextInvoice: () => string): Generator<Case> {
  const issued = async (): Promise<string> => {
    const path = nextInvoice()
    await ask(write("PUT", `${path}/status`, { status: "unpaid" }))
    return path
  }
  const whole = { reason: "Returned", restock: true }
  const credited = async () => (await ask(write("POST", `${await issued()}/credit-notes`, whole))).id
  const credit = "POST /invoices/{id}/credit-notes"
  yield step(credit, "500 lines, restocked", async () =>
    write("POST", `${await issued()}/credit-notes`, whole),
  )
  yield step(credit, "500 amounts", async () => {
    const path = await issued()
    const { items } = await ask(read(path))
    const amounts = items.map(({ id }) => ({ invoiceLine: id, amount: 0.01 }))
    return write("POST", `${path}/credit-notes`, { reason: "Price", items: amounts })
  })
  yield step("GET /credit-notes/{id}", "500 lines", async () => read(`/credit-notes/${await credited()}`))
  yield step("GET /credit-notes/{id}/print", "500 lines", async () =>
    read(`/credit-notes/${await credited()}/print`),
  )
  yield step("PUT /credit-notes/{id}", "500 lines", async () =>
    write("PUT", `/credit-notes/${await credited()}`, { notes: "changed" }),
  )
  yield step("PUT /invoices/{id}/status", "cancelled by a credit note of 500 lines", async () => {
    const path = await issued()
    await ask(write("PUT", "/settings", { correctBy: "credit-note" }))
    return write("PUT", `${path}/status`, { status: "cancelled" })
  })
}

/** The last credit notes that an invoice can have. */
function* repeatedCases(ask: Ask, path: string, earlier: number): Generator<Case> {
  let lines: string[] | undefined
  let count = 0
  const next = () => {
    const invoiceLine = lines?.[Math.floor(count++ / 50)]
    return write("POST", `${path}/credit-notes`, { reason: "Price", items: [{ invoiceLine, amount: 0.01 }] })
  }
  yield step("POST /invoices/{id}/credit-notes", `after ${earlier} credit notes`, async () => {
    if (!lines) {
      const { items } = await ask(write("PUT", `${path}/status`, { status: "unpaid" }))
      lines = items.map(({ id }) => id)
      for (let i = 0; i < earlier; i++) await ask(next())
    }
    return next()
  })
  yield step("GET /invoices/{id}", `${earlier} credit notes`, () => read(path))
  const id = path.slice("/invoices/".length)
  yield step("GET /credit-notes", `${earlier} of one invoice`, () =>
    read(`/credit-notes?invoice=${id}&perPage=100`),
  )
}

function* paymentCases(ask: Ask, openInvoices: number): Generator<Case> {
  let next = openInvoices
  /** Allocations to the newest invoices, which no other payment pays. */
  const allocations = (amount = 1) =>
    Array.from({ length: mostAllocations }, () => ({ invoice: openInvoice(next--), amount }))
  const body = { customer: payer, amount: mostAllocations }
  const many = (amount?: number) => write("POST", "/payments", { ...body, allocations: allocations(amount) })
  const what = "500 allocations"
  yield step("POST /payments", what, () => many())
  yield step("POST /payments", "the 500 oldest of very many open invoices", () =>
    write("POST", "/payments", body),
  )
  yield step("GET /payments/{id}", what, () => read(`/payments/${largestPayment}`))
  yield step("GET /payments", "100 of 500 allocations", () => read("/payments?order=asc&perPage=100"))
  yield step("GET /invoices", "100 of 100 payments", () =>
    read(`/invoices?customer=${payer}&status=paid&order=desc&perPage=100`),
  )
  yield step("DELETE /payments/{id}", what, async () => ({
    ...read(`/payments/${(await ask(many())).id}`),
    method: "DELETE",
  }))
  yield step("DELETE /payments/{id}/allocations/{allocationId}", what, async () => {
    const payment = await ask(many())
    const path = `/payments/${payment.id}/allocations/${payment.allocations[0]?.id}`
    return { ...read(path), method: "DELETE" }
  })
  yield step("POST /payments/{id}/allocations", `again to one of ${what}`, async () => {
    const given = allocations(0.5)
    const payment = await ask(write("POST", "/payments", { ...body, allocations: given }))
    return write("POST", `/payments/${payment.id}/allocations`, { ...given[0], amount: 0.25 })
  })
  yield step("GET /customers/{id}", "very many open invoices", () => read(`/customers/${payer}`))
  yield step("PUT /customers/{id}", "very many open invoices", () =>
    write("PUT", `/customers/${payer}`, { name: "The payer" }),
  )
}
