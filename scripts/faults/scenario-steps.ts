import { buyer } from "../../test/support/downloads"
import type { Found } from "./client"
import type { Random } from "./random"
import { cancelInvoice, credit, pay, receipt, type Account } from "./scenario-money"
import { becomes, download, post, put, remove, type Step, type Steps } from "./scenario-step"

/** `shared` is the item of all scenarios. */
export function* scenarioSteps(random: Random, name: string, shared: string, sends: boolean): Steps {
  const item = yield post("/items", {
    itemCode: name,
    itemName: `Thing ${name}`,
    sellingPrice: random.between(1, 99_999) / 100,
    taxRate: random.pick([0, 7, 19, 20.5]),
  })
  const customer = yield post("/customers", {
    name: `Customer ${name}`,
    paymentTerms: "Net 30",
    address: buyer.address,
    taxTreatment: random.pick(["domestic", "domestic", "export"]),
  })
  const [itemPath, customerPath] = [`/items/${item.id}`, `/customers/${customer.id}`]
  yield post(
    "/stock-movements",
    { item: item.id, quantity: random.between(5, 500), reason: "receipt", note: name },
    [itemPath],
  )
  yield put(customerPath, { phone: `+49 30 ${random.between(100_000, 999_999)}`, creditLimit: 10_000_000 })
  if (random.chance(0.5)) yield setting(random, name)
  const account: Account = { customer, customerPath, invoices: [] }
  for (let orders = random.between(1, 3); orders > 0; orders--) {
    yield* order(random, { item, ...account, itemPath, shared, sends })
    if (random.chance(0.5)) yield* receipt(random, account)
  }
  // All scenarios use one user, who can have at most 50 active keys.
  if (random.chance(0.3)) {
    const key = yield post("/api-keys", { name, scopes: ["read"] })
    if (random.chance(0.9)) yield remove(`/api-keys/${key.id}`)
  }
  yield put(itemPath, { itemName: `Renamed ${name}`, sellingPrice: random.between(1, 500) })
}

/**
 * All scenarios share the settings, so each cancellation follows the last change. The footer belongs to the scenario:
 * without a difference nothing would be written, and a disk that fails could not refuse it.
 */
const setting = (random: Random, name: string): Step => ({
  method: "PUT",
  path: "/settings",
  body: { correctBy: random.pick(["cancel", "credit-note"]), documentFooter: `Changed by ${name}` },
})

type Shop = Account & { item: Found; itemPath: string; shared: string; sends: boolean }

function* order(random: Random, shop: Shop): Steps {
  const { item, customer, itemPath, customerPath, shared, sends } = shop
  const lines = [
    { item: item.id, quantity: random.between(1, 9), discount: random.pick([0, 0, 5, 12.5]) },
    { item: shared, quantity: random.between(1, 30_000) / 10_000, rate: 3.3333 },
    { item: item.id, quantity: 1 },
    { description: "Delivery", quantity: 1, rate: 4.99, discountAmount: 0.5 },
  ]
  const items = random.shuffled(lines).slice(0, random.between(1, 4))
  const pricesIncludeTax = customer.taxTreatment === "domestic" && random.chance(0.4)
  const draft = { customer: customer.id, items, pricesIncludeTax, notes: "as agreed" }
  const { id } = yield post("/sales-orders", draft)
  const path = `/sales-orders/${id}`
  if (random.chance(0.15)) return void (yield remove(path))
  if (random.chance(0.15)) return void (yield becomes(path, "cancelled"))
  yield becomes(path, "submitted", [itemPath, customerPath])
  if (sends && random.chance(0.3)) yield post(`${path}/send`, { to: "a@customer.example" }, [], "/messages")
  if (random.chance(0.15)) return void (yield becomes(path, "cancelled", [itemPath, customerPath]))
  const invoice = yield post(
    "/invoices/from-order",
    { salesOrder: id },
    [path, itemPath, customerPath],
    "/invoices",
  )
  shop.invoices.push(`/invoices/${invoice.id}`)
  if (random.chance(0.4)) yield* files(random, invoice)
  yield* settle(random, shop, invoice, path)
}

/** Downloads some forms of an issued invoice. A line without a tax category cannot be in an e-invoice. */
function* files(random: Random, { id, items }: Found): Steps {
  const isTaxed = (items as { taxCategory: string | null }[]).every(({ taxCategory }) => taxCategory !== null)
  const forms = ["pdf-en", "pdf-de", ...(isTaxed ? (["ubl-en16931"] as const) : [])] as const
  for (const form of random.shuffled(forms).slice(0, 2)) yield download(`/invoices/${id}`, form)
}

/** Pays, credits or cancels the invoice of an order. */
function* settle(random: Random, shop: Shop, invoice: Found, orderPath: string): Steps {
  const { itemPath, customerPath } = shop
  const invoicePath = `/invoices/${invoice.id}`
  const total = Number(invoice.total)
  const touches = [orderPath, itemPath]
  const paid = (amount: number) => pay(shop, invoice, amount)
  if (total > 0.02 && random.chance(0.5)) return void (yield* credit(random, shop, invoice, touches))
  if (total > 0.02) {
    const some = yield paid(Math.floor(total * 50) / 100)
    const payments = [`/payments/${some.id}`]
    if (random.chance(0.5))
      yield remove(`${invoicePath}/payments/${some.id}`, [invoicePath, customerPath, ...payments])
    else return void (yield paid(Number((total - Number(some.amount)).toFixed(2))))
  }
  if (random.chance(0.5)) {
    const touched = [...touches, customerPath]
    yield cancelInvoice(invoicePath, touched)
  }
}
