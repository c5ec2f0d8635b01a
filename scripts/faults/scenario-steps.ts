import type { Found } from "./client"
import type { Random } from "./random"

/**
 * One write. `record` is the path of the record in the response, when a POST did not create it. `touches` are the other
 * records that the write changes.
 */
export type Step = {
  method: "POST" | "PUT" | "DELETE"
  path: string
  body?: object
  record?: string
  touches?: string[]
}

/**
 * The writes of a small business for one customer, one at a time. All records belong to this scenario, except `shared`.
 */
export type Steps = Generator<Step, void, Found>

/** `shared` is the item of all scenarios. `isPlain` leaves out what the first release could not store. */
type Options = { shared: string; isPlain: boolean }

export function* scenarioSteps(random: Random, name: string, { shared, isPlain }: Options): Steps {
  const item = yield post("/items", {
    itemCode: name,
    itemName: `Thing ${name}`,
    sellingPrice: random.between(1, 99_999) / 100,
    taxRate: random.pick([0, 7, 19, 20.5]),
  })
  const customer = yield post("/customers", {
    name: `Customer ${name}`,
    paymentTerms: "Net 30",
    ...(isPlain ? {} : { taxTreatment: random.pick(["domestic", "domestic", "export"]) }),
  })
  const [itemPath, customerPath] = [`/items/${item.id}`, `/customers/${customer.id}`]
  yield post(
    "/stock-movements",
    { item: item.id, quantity: random.between(5, 500), reason: "receipt", note: name },
    [itemPath],
  )
  yield put(customerPath, { phone: `+49 30 ${random.between(100_000, 999_999)}`, creditLimit: 10_000_000 })
  for (let orders = random.between(1, 3); orders > 0; orders--)
    yield* order(random, { item, customer, itemPath, customerPath, shared, isPlain })
  // All scenarios use one user, who can have at most 50 active keys.
  if (random.chance(0.3)) {
    const key = yield post("/api-keys", { name, scopes: ["read"] })
    if (random.chance(0.7)) yield remove(`/api-keys/${key.id}`)
  }
  yield put(itemPath, { itemName: `Renamed ${name}`, sellingPrice: random.between(1, 500) })
}

type Shop = Options & { item: Found; customer: Found; itemPath: string; customerPath: string }

function* order(random: Random, shop: Shop): Steps {
  const { item, customer, itemPath, customerPath, shared, isPlain } = shop
  const lines = [
    { item: item.id, quantity: random.between(1, 9), discount: random.pick([0, 0, 5, 12.5]) },
    { item: shared, quantity: random.between(1, 30_000) / 10_000, rate: 3.3333 },
    { item: item.id, quantity: 1 },
    ...(isPlain ? [] : [{ description: "Delivery", quantity: 1, rate: 4.99, discountAmount: 0.5 }]),
  ]
  const items = random.shuffled(lines).slice(0, random.between(1, 4))
  const pricesIncludeTax = !isPlain && customer.taxTreatment === "domestic" && random.chance(0.4)
  const draft = { customer: customer.id, items, pricesIncludeTax, notes: "as agreed" }
  const { id } = yield post("/sales-orders", draft)
  const path = `/sales-orders/${id}`
  if (random.chance(0.15)) return void (yield remove(path))
  if (random.chance(0.15)) return void (yield becomes(path, "cancelled"))
  yield becomes(path, "submitted", [itemPath, customerPath])
  if (random.chance(0.15)) return void (yield becomes(path, "cancelled", [itemPath, customerPath]))
  const invoice = yield post(
    "/invoices/from-order",
    { salesOrder: id },
    [path, itemPath, customerPath],
    "/invoices",
  )
  const invoicePath = `/invoices/${invoice.id}`
  const total = Number(invoice.total)
  const pay = (amount: number) =>
    post(`${invoicePath}/payments`, { amount, method: "cash" }, [invoicePath, customerPath], null)
  if (total > 0.02) {
    const part = yield pay(Math.floor(total * 50) / 100)
    if (random.chance(0.5)) yield remove(`${invoicePath}/payments/${part.id}`, [invoicePath, customerPath])
    else return void (yield pay(Number((total - Number(part.amount)).toFixed(2))))
  }
  if (random.chance(0.5)) yield becomes(invoicePath, "cancelled", [path, itemPath, customerPath])
}

/** `collection` is the path of the record's list; null when the record is only part of another. */
const post = (
  path: string,
  body: object,
  touches: string[] = [],
  collection: string | null = path,
): Step => ({
  method: "POST",
  path,
  body,
  touches,
  ...(collection === null ? {} : { record: `${collection}/` }),
})
const put = (path: string, body: object): Step => ({ method: "PUT", path, body, record: path })
const becomes = (record: string, status: string, touches: string[] = []): Step => ({
  method: "PUT",
  path: `${record}/status`,
  body: { status },
  record,
  touches,
})
const remove = (path: string, touches: string[] = []): Step => ({
  method: "DELETE",
  path,
  touches: [path, ...touches].filter((each) => !each.includes("/payments/")),
})
