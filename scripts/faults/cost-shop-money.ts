// A customer with very many open invoices, and payments with the maximum number of allocations.
import type { Database } from "../../src/core/engine/engine"
import type { Buyer, Seller } from "../../src/trade/documents/parties"
import { customerId, inserter, numbered } from "../bench/data"
import { createdAt, filler, stamps } from "./cost-rows"
import type { Size } from "./cost-shop-size"

/** The maximum number of invoices that one payment pays. */
export const mostAllocations = 500
export const payer = customerId(3)
export const openInvoice = (i: number): string => numbered("inv", 3_000_000 + i)
const paidInvoice = (i: number): string => numbered("inv", 4_000_000 + i)
export const largestPayment = numbered("pay", 1)

export function fillMoney(db: Database, { openInvoices, payments }: Size): void {
  db.query("INSERT INTO seller_versions (id, body) VALUES ('slr_cost', ?)").run(JSON.stringify(seller))
  const invoice = issuedFiller(db)
  for (let i = 1; i <= openInvoices; i++) invoice(openInvoice(i), i, unpaid)
  db.query("UPDATE customers SET outstanding_balance = ? WHERE id = ?").run(openInvoices * price, payer)
  for (let i = 1; i <= mostAllocations; i++) invoice(paidInvoice(i), openInvoices + i, paid)
  fillPayments(db, payments)
}

const seller: Seller = {
  legalName: "Company",
  address: null,
  email: null,
  phone: null,
  website: null,
  vatId: null,
  taxNumber: null,
  registrationId: null,
  iban: null,
  bic: null,
  bankName: null,
  documentFooter: null,
  logo: null,
}
const buyer: Buyer = {
  customerNumber: "OLD-3",
  name: "Payer",
  contactName: null,
  email: null,
  phone: null,
  address: null,
  taxId: null,
}

/** The total of each invoice, in cents. */
const price = 100
type Settled = { status: string; amount_paid: number; balance: number; paid_at: string | null }
const unpaid: Settled = { status: "unpaid", amount_paid: 0, balance: price, paid_at: null }
const paid: Settled = { status: "paid", amount_paid: price, balance: 0, paid_at: createdAt(1) }

function issuedFiller(db: Database) {
  const insert = filler(db, "invoices", {
    customer: payer,
    customer_name: "Payer",
    number_series: "OPEN",
    seller_version: "slr_cost",
    buyer: JSON.stringify(buyer),
    language: "en",
    currency: "USD",
    subtotal: price,
    discount_total: 0,
    tax_total: 0,
    total: price,
    version: 1,
  })
  const line = inserter(db, "invoice_lines", {
    position: 0,
    description: "Delivery",
    uom: "Nos",
    quantity: 10_000,
    rate: 10_000,
    discount: 0,
    amount: price,
    discount_amount: 0,
    tax_rate: 0,
    is_discount_amount: 0,
    has_own_tax_code: 0,
  })
  return (id: string, i: number, settled: Settled): void => {
    const day = createdAt(i).slice(0, 10)
    const number = { invoice_number: `OPEN-${String(i).padStart(5, "0")}`, number_counter: i }
    const dates = { invoice_date: day, due_date: day, issued_at: createdAt(i) }
    insert({ id, ...number, ...dates, ...settled, ...stamps(i) })
    line({ id: numbered("inl", 900_000_000 + i), invoice: id })
  }
}

/** Each of these payments pays a cent of each of the paid invoices. */
function fillPayments(db: Database, count: number): void {
  const [amount, allocated] = [mostAllocations, mostAllocations]
  const named = { customer: payer, customer_name: "Payer" }
  const settled = { ...named, amount, allocated, refunded: 0, unallocated: 0, version: 1 }
  const payment = filler(db, "payments", settled)
  const allocation = inserter(db, "settlements", { kind: "allocation", amount: 1 })
  for (let j = 1; j <= count; j++) {
    const id = numbered("pay", j)
    const date = createdAt(j).slice(0, 10)
    payment({ id, payment_date: date, ...stamps(j) })
    for (let i = 1; i <= mostAllocations; i++)
      allocation({
        id: numbered("alc", j * 1_000 + i),
        payment: id,
        invoice: paidInvoice(i),
        date,
        created_at: createdAt(j),
      })
  }
}
