import type { Database } from "../core/engine/engine"
import { inventedVatId } from "./vat-ids"
import { beforeCommit } from "../core/write/commit"
import { groupWriter, system, type Tx, type Writer } from "../core/write/writer"
import type { Caller } from "../core/caller"
import { business } from "../core/lib/clock"
import { checkDigitOf } from "../shared/barcode"
import { dateIn, later } from "../shared/dates"
import { newSecret } from "../core/lib/secret"
import { readKey } from "../office/api-keys/service"
import { billing } from "../shop/invoices/invoices"
import type { Customer } from "../shop/customers/model"
import type { Item } from "../shop/items/model"
import { invoicePayments as invoicePaymentKind, refundBody, writeOffBody } from "../trade/settlements/model"
import { readUser } from "../office/users/service"
import { readDraft } from "../core/kind/read"
import { kinds } from "../kinds"
import type { Services } from "../services"
import type { TaxTreatment } from "../shared/documents/tax"
import { demoMail, sendInvoices } from "./mail"
import { cities, goods, people, services as serviceNames, streets, terms } from "./words"
import { applicationBody, credit, type CreditNote } from "../shop/credit-notes/model"
import type { Invoice } from "../shop/invoices/model"
import type { Payment } from "../shop/payments/model"

type Random = () => number

type Shop = Services & { random: Random; caller: Caller }

const day = 86_400_000
const customerCount = 64
const orderCount = 310
const history = 300
/** The number of orders after which something is corrected: goods come back, or somebody pays in another way. */
const betweenCorrections = 16

/** The credentials of the demo shop, printed once. */
export type DemoAccess = { email: string; password: string; key: string }

/**
 * Fills a demo shop with about a year of data, through the same services as all other writes. The data is the same
 * every time and ends today; only the password and the key are new.
 */
export async function fillWithDemo(db: Database, services: Services): Promise<DemoAccess> {
  const random = seeded(20_260_301)
  const today = business.now()
  let moment = later(today, -history * day)
  const write: Writer = groupWriter(db, () => moment, beforeCommit(db))
  const { access, caller } = await makeOwner(services, write)
  const shop: Shop = { ...services, random, caller }
  const codes = await write((tx) => createTaxCodes(shop, tx))
  const items = await write((tx) => [...goodsOf(random, codes)].map((item) => createItem(shop, tx, item)))
  const customers = await write((tx) =>
    Array.from({ length: customerCount }, (_, i) =>
      services.customers.create(tx, readDraft(kinds.customers, customer(random, i)), caller),
    ),
  )
  await write((tx) => receiveAll(shop, tx, items))
  const sales: Sale[] = []
  for (let i = 0; i < orderCount; i++) {
    moment = later(today, -Math.floor(((orderCount - i) / orderCount) * (history - 1) * day))
    await write((tx) => {
      const sale = createOrder(shop, tx, i, { items, customers })
      if (sale) sales.push(sale)
      if (i % betweenCorrections === betweenCorrections - 1)
        correct(shop, tx, Math.floor(i / betweenCorrections), sales)
    })
  }
  moment = today
  const last = sales.map(({ invoice }) => invoice).slice(-20)
  await write((tx) => sendInvoices(services, tx, last, caller))
  return access
}

const company = {
  companyName: "Hafen & Söhne",
  legalName: "Hafen & Söhne Handelsgesellschaft mbH",
  address: { street: "Am Kai 1", city: "Hamburg", state: null, zipCode: "20457", country: "DE" },
  email: "office@hafen.example",
  vatId: "DE136695976",
  iban: "DE02120300000000202051",
  bic: "BYLADEM1001",
  bankName: "DKB",
  smtp: demoMail,
}

/** The tax codes of the demo shop: the rate of most items, and a reduced one. */
type Codes = { standard: string; reduced: string }

function createTaxCodes({ taxCodes }: Shop, tx: Tx): Codes {
  const create = (code: string, name: string, rate: number) =>
    taxCodes.create(tx, readDraft(kinds.taxCodes, { code, name, category: "S", rate })).id
  return { standard: create("S19", "Standard rate", 19), reduced: create("S7", "Reduced rate", 7) }
}

async function makeOwner(services: Services, write: Writer): Promise<{ access: DemoAccess; caller: Caller }> {
  const email = "demo@example.com"
  const password = newSecret().slice(0, 16)
  const draft = await readUser({ email, name: "Demo Owner", role: "admin", password }, "kontor")
  return write((tx) => {
    const admin = services.users.create(tx, draft)
    const owner = { userId: admin.id, role: admin.role, plan: "enterprise" as const }
    const input = {
      name: "Demo key",
      scopes: ["read", "write", "delete", "admin", "webhooks"],
      expiresAt: null,
    }
    const { key } = services.apiKeys.create(tx, readKey(input), owner)
    services.settings.update(tx, company, null)
    return { access: { email, password, key }, caller: callerFor(admin) }
  })
}

const createItem = ({ items }: Shop, tx: Tx, item: Record<string, unknown>): Item =>
  items.create(tx, readDraft(kinds.items, item))

/** Receives the opening stock. Every ninth item almost sells out, so that some items need reordering. */
function receiveAll({ stockMovements, random, caller }: Shop, tx: Tx, items: readonly Item[]): void {
  for (const [i, { id: item, itemType }] of items.entries()) {
    if (itemType === "Service") continue
    const quantity = (i % 9 === 4 ? 25 : 80) + Math.floor(random() * (i % 9 === 4 ? 12 : 180))
    const movement = { item, quantity, reason: "receipt", note: "Opening stock" }
    stockMovements.create(tx, readDraft(kinds.stockMovements, movement), caller)
  }
}

type Stock = { items: readonly Item[]; customers: readonly Customer[] }

/** Creates one order and, for most orders, its invoice and payment. Returns the invoice, if there is one. */
function createOrder(shop: Shop, tx: Tx, i: number, stock: Stock): Sale | null {
  const { salesOrders, random, caller } = shop
  const order = salesOrders.create(tx, readDraft(kinds.salesOrders, orderOf(shop, tx, i, stock)), caller)
  const chance = i > orderCount - 12 ? random() * 0.4 : random()
  if (chance < 0.06) return null
  const setStatus = (status: "submitted" | "cancelled") =>
    salesOrders.changeStatus(tx, order.id, { status, reason: null, override: true, caller })
  setStatus(chance < 0.1 ? "cancelled" : "submitted")
  if (chance < 0.22) return null
  const [line] = order.items
  const part =
    chance < 0.3 && line && line.quantity > 1 ? { items: [{ orderLine: line.id, quantity: 1 }] } : {}
  return createInvoice(
    shop,
    tx,
    { salesOrder: order.id, invoiceDate: order.orderDate, ...part },
    i < orderCount * 0.8,
  )
}

/** An order. Private customers see prices with tax. Some orders have a discount on everything. */
function orderOf({ random }: Shop, tx: Tx, i: number, { items, customers }: Stock): Record<string, unknown> {
  const { id, type, taxTreatment } = pick(random, customers)
  return {
    customer: id,
    pricesIncludeTax: type === "Individual" && taxTreatment === "domestic",
    orderDate: dateIn("UTC", tx.now),
    deliveryDate: dateIn("UTC", later(tx.now, (3 + Math.floor(random() * 18)) * day)),
    items: Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
      item: pick(random, items).id,
      quantity: 1 + Math.floor(random() * 8),
      ...(random() < 0.2 ? { discount: pick(random, [5, 10, 15]) } : {}),
    })),
    ...(random() < 0.15 ? { notes: pick(random, notes) } : {}),
    ...(i % 17 === 5 ? { discount: i % 2 === 0 ? 5 : 10 } : {}),
  }
}

const notes = ["Deliver to the back door.", "Call before delivery.", "Gift wrapping, please."]

/** Invoices an order. Most old invoices are paid. */
function createInvoice(
  { invoices, payments, random, caller }: Shop,
  tx: Tx,
  input: object,
  isOld: boolean,
): Sale {
  const invoice = invoices.fromOrder(tx, billing.read({ ...input }), caller)
  if (invoice.total === 0 || random() < (isOld ? 0.06 : 0.5)) return { invoice, balance: invoice.total }
  const amount = random() < 0.15 ? Math.max(0.01, Math.round(invoice.total * 50) / 100) : invoice.total
  const method = pick(random, ["Bank transfer", "Card", "Cash", "voucher"])
  const payment = { amount, paymentDate: invoice.invoiceDate, method }
  payments.ofInvoice.create(tx, invoice.id, readDraft(invoicePaymentKind, payment), caller)
  return { invoice, balance: Math.round((invoice.total - amount) * 100) / 100 }
}

/** An EAN of the numbers that each shop may use for itself. */
function ownBarcode(n: number): string {
  const digits = `200${String(n).padStart(9, "0")}`
  return `${digits}${checkDigitOf(digits)}`
}

function* goodsOf(random: Random, { standard, reduced }: Codes): Generator<Record<string, unknown>> {
  let count = 0
  for (const { category, prefix, names, variants, from, to } of goods)
    for (const [n, name] of names.entries())
      for (const [v, variant] of variants.entries()) {
        const sellingPrice = Math.round((from + random() * (to - from)) * 100) / 100
        yield {
          itemCode: `${prefix}-${String((n + 1) * 10 + v).padStart(3, "0")}`,
          itemName: `${name} ${variant}`,
          barcode: ownBarcode(++count),
          category,
          itemType: category === "Supplies" ? "Consumable" : "Product",
          sellingPrice,
          costPrice: Math.round(sellingPrice * 62) / 100,
          taxCode: category === "Plants" ? reduced : standard,
          reorderLevel: 10,
          reorderQty: 50,
        }
      }
  for (const [n, name] of serviceNames.entries())
    yield {
      itemCode: `SRV-${n + 1}`,
      itemName: name,
      category: "Services",
      itemType: "Service",
      uom: "Hour",
      sellingPrice: 45 + n * 5,
      taxCode: standard,
    }
}

function customer(random: Random, i: number): Record<string, unknown> {
  const name = people[i % people.length] ?? "Nord"
  const [city, zipCode, country] = cities[i % cities.length] ?? ["Hamburg", "20095", "DE"]
  const suffix = pick(random, ["GmbH", "& Sons", "Studio", "Trading", "Café", "Workshop"])
  const slug = name
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase()
  return {
    name: `${name} ${suffix}`,
    email: `office@${slug}${i}.example`,
    phone: `+49 40 ${100_000 + i * 137}`,
    type: suffix === "Café" ? "Individual" : "Company",
    address: { street: `${pick(random, streets)} ${1 + Math.floor(random() * 90)}`, city, zipCode, country },
    creditLimit: pick(random, [null, 2_000, 5_000, 10_000, 25_000]),
    paymentTerms: pick(random, terms),
    taxId: inventedVatId(country ?? "DE", 100_000_000 + i * 7_919),
    taxTreatment: treatmentOf(country ?? "DE", i),
  }
}

/** Goods for another country of the EU are free of tax, and those for other countries are exports. */
function treatmentOf(country: string, i: number): TaxTreatment {
  if (country === "DE") return i % 16 === 5 ? "reverse-charge" : "domestic"
  return ["CH", "GB", "NO", "US"].includes(country) ? "export" : "intra-community"
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const callerFor = ({
  id,
  email,
  name,
  role,
  plan,
}: {
  id: string
  email: string
  name: string
  role: Caller["role"]
  plan: Caller["plan"] | null
}): Caller => ({
  kind: "user",
  userId: id,
  email,
  name,
  role,
  scopes: ["read", "write", "delete", "admin"],
  plan: plan ?? "enterprise",
  subject: `user:${id}`,
  credentialId: system.name ?? "",
  credentialName: email,
  endsAt: Infinity,
  generation: 0,
  blocked: null,
})

/** A random number generator that returns the same numbers in every run. */
function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** An invoice of the demo shop, and what is left to pay of it. */
type Sale = { invoice: Invoice; balance: number }

/** Something that people correct. It removes the sales from the list that it has corrected. */
type Correction = (shop: Shop, tx: Tx, sales: Sale[]) => void

const isPaid = ({ balance }: Sale): boolean => balance === 0
const isOpen = ({ balance }: Sale): boolean => balance > 0
const hasSeveral = ({ invoice }: Sale): boolean => (invoice.items[0]?.quantity ?? 0) > 1

const corrections: readonly Correction[] = [
  returnGoods,
  reducePaid,
  paySeveral,
  creditOpen,
  payAhead,
  applyCredit,
  reduceOpen,
  payByMistake,
  writeOffRest,
]

/** Corrects some of the latest sales: another kind of correction on each turn. */
function correct(shop: Shop, tx: Tx, turn: number, sales: Sale[]): void {
  corrections[turn % corrections.length]?.(shop, tx, sales)
}

/** A customer sends one piece back and gets the money back. */
function returnGoods(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, (each) => isPaid(each) && hasSeveral(each))
  if (!sale) return
  const { id, unapplied } = creditOne(shop, tx, sale, { reason: "Returned", restock: true, quantity: 1 })
  shop.creditNotes.refund(
    tx,
    id,
    refundBody.read({ amount: unapplied, method: "Bank transfer" }),
    shop.caller,
  )
}

/** A customer who has paid gets a part of the price back with the next invoice. */
function reducePaid(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, isPaid)
  if (sale) creditOne(shop, tx, sale, { reason: "Scratched", amount: tenthOf(sale) })
}

/** A part of the price of an open invoice is not charged. */
function reduceOpen(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, isOpen)
  if (sale) creditOne(shop, tx, sale, { reason: "Delivered late", amount: tenthOf(sale) })
}

/** An open invoice is credited completely, and the goods come back. */
function creditOpen({ creditNotes, caller }: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, isOpen)
  if (!sale) return
  const all = credit.read({ reason: "Not accepted by the customer", restock: true })
  creditNotes.credit(tx, sale.invoice.id, all, caller)
}

/** The credit of one invoice pays a part of another. */
function applyCredit(shop: Shop, tx: Tx, sales: Sale[]): void {
  const isMatch = (paid: Sale) => (open: Sale) => isOpen(open) && isSameCustomer(paid, open)
  const paid = take(sales, (each) => isPaid(each) && sales.some(isMatch(each)))
  const open = paid && take(sales, isMatch(paid))
  if (!open) return
  const { id, unapplied } = creditOne(shop, tx, paid, { reason: "Wrong colour", amount: tenthOf(paid) })
  const part = { invoice: open.invoice.id, amount: Math.min(unapplied, open.balance) }
  shop.creditNotes.apply(tx, id, applicationBody.read(part), shop.caller)
}

/** One transfer pays two invoices. */
function paySeveral(shop: Shop, tx: Tx, sales: Sale[]): void {
  const isMatch = (one: Sale) => (other: Sale) => other !== one && isOpen(other) && isSameCustomer(one, other)
  const first = take(sales, (each) => isOpen(each) && sales.some(isMatch(each)))
  const second = first && take(sales, isMatch(first))
  if (second) pay(shop, tx, [first, second], 0)
}

/** A customer pays more than the invoice. */
function payAhead(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, isOpen)
  if (sale) pay(shop, tx, [sale], 150)
}

/** A transfer arrives less the charges of the bank, which are written off. */
function writeOffRest(shop: Shop, tx: Tx, sales: Sale[]): void {
  const charges = 2.5
  const sale = take(sales, (each) => each.balance > charges)
  if (!sale) return
  pay(shop, tx, [{ ...sale, balance: Math.round((sale.balance - charges) * 100) / 100 }], 0)
  const body = writeOffBody.read({ amount: charges, reason: "Bank charges" })
  shop.invoices.writeOffs.create(tx, sale.invoice.id, body, shop.caller)
}

/** A payment is recorded for the wrong invoice, and voided. */
function payByMistake(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = sales.findLast(isOpen)
  if (sale) shop.payments.remove(tx, pay(shop, tx, [sale], 0).id, null, shop.caller)
}

/** Returns the latest sale of a kind, which is then no longer corrected. */
function take(sales: Sale[], isWanted: (sale: Sale) => boolean): Sale | undefined {
  const index = sales.findLastIndex(isWanted)
  return index < 0 ? undefined : sales.splice(index, 1)[0]
}

const isSameCustomer = (one: Sale, other: Sale): boolean => one.invoice.customer === other.invoice.customer

/** A tenth of what the first line of an invoice costs. */
function tenthOf({ invoice: { items } }: Sale): number {
  const [line] = items
  return Math.max(0.01, Math.round((line?.grossAmount ?? line?.amount ?? 0) * 10) / 100)
}

type Part = { reason: string; restock?: boolean } & ({ quantity: number } | { amount: number })

/** Credits a part of the first line of an invoice. */
function creditOne(
  { creditNotes, caller }: Shop,
  tx: Tx,
  { invoice }: Sale,
  { reason, restock = false, ...part }: Part,
): CreditNote {
  const items = [{ invoiceLine: invoice.items[0]?.id, ...part }]
  return creditNotes.credit(tx, invoice.id, credit.read({ reason, restock, items }), caller)
}

/** Records one payment for what is left to pay of some invoices, and `more`. */
function pay({ payments, caller }: Shop, tx: Tx, sales: readonly Sale[], more: number): Payment {
  const allocations = sales.map(({ invoice, balance }) => ({ invoice: invoice.id, amount: balance }))
  const cents = sales.reduce((sum, { balance }) => sum + Math.round(balance * 100), more * 100)
  const customer = sales[0]?.invoice.customer
  const body = { customer, amount: cents / 100, method: "Bank transfer", allocations }
  return payments.create(tx, readDraft(kinds.payments, body), caller)
}
