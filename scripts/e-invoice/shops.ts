import fc from "fast-check"
import { type Api } from "../../test/support/api"
import { makeCodes, makeCustomers, makeItems } from "../../test/support/shop-makers"
import { emptyModel, type Model, type Real } from "../../test/support/shop-story"
import { story } from "../../test/support/shop-steps"
import { trade } from "../../test/support/trade"
import type { Tax } from "../../test/support/shop-model"

/** An issued document. */
export type Issued = { kind: "invoices" | "credit-notes"; id: string }

const hostile = 'Desk <b> & "chair" ]]> é 日本語\n#SKONTO#'
const address = { street: "Kai 3", zipCode: "24103", city: "Kiel", country: "DE" }
const contact = { address, contactName: "Jan Möller", email: "jan@example.com", phone: "+49 431 12345" }

/** Everything that an e-invoice needs of the company. */
const company = {
  legalName: "Nordlicht & Söhne <GmbH>",
  address: { street: "Hafenstraße 12", zipCode: "20457", city: "Hamburg", country: "DE" },
  email: "office@example.com",
  phone: "+49 40 1234567",
  vatId: "DE123456789",
  taxNumber: "22/815/08154",
  registrationId: "HRB 12345",
  iban: "DE89370400440532013000",
  bic: "COBADEFFXXX",
  documentFooter: hostile,
}

export const furnish = async (api: Api, currency: string): Promise<void> => {
  const { status, text } = await api.put("/settings", { ...company, currency, defaultPaymentTerms: "Net 30" })
  if (status !== 200) throw new Error(text)
}

/** Sends with every new document what the stories do not have: a reference, an address of delivery, notes. */
const generous = (api: Api): Api => ({
  ...api,
  post: (path, body, headers) =>
    api.post(path, isDocument(path) ? { ...(body as object), ...extras } : body, headers),
})
const extras = { buyerReference: "04011000-12345-03", shippingAddress: address, notes: hostile }
const isDocument = (path: string): boolean => path === "/sales-orders" || path === "/invoices"

/** Random values without end, always the same for a seed. */
function* endless<T>(arbitrary: fc.Arbitrary<T>, seed: number): Generator<T> {
  for (let i = 0; ; i++) yield* fc.sample(arbitrary, { seed: seed + i, numRuns: 100 })
}

/**
 * Lets a shop live through random stories of the model-based test: orders, partial invoices, net and gross prices,
 * discounts, credit notes by quantity and by amount. Yields the issued documents of each story.
 */
export async function* tell(api: Api, seed: number): AsyncGenerator<Issued[]> {
  const given = generous(api)
  const shop = trade(given)
  const codes = await makeCodes(given)
  const freeTax = codes.at(-1) as Tax
  for (const steps of endless(story, seed)) {
    await api.put("/settings", {
      lockedUntil: null,
      correctBy: "cancel",
      invoiceFrom: "ordered",
      defaultTaxCode: freeTax.code,
    })
    const [items, customers] = [await makeItems(shop, codes), await makeCustomers(shop, contact)]
    const model = emptyModel()
    const real: Real = { shop, api: given, items, customers, codes, freeTax }
    for (const { run, at } of steps) await run(model, real, at)
    yield issuedIn(model)
  }
}

const issuedIn = ({ invoices, notes }: Model): Issued[] => [
  ...invoices.filter(({ issued }) => issued > 0).map(({ id }) => ({ kind: "invoices" as const, id })),
  ...notes.map(({ id }) => ({ kind: "credit-notes" as const, id })),
]

/** Lines whose quantities and rates have four decimals, of one category or of several that may be mixed. */
const plainSale = fc.record({
  category: fc.constantFrom("O", "G", "K", "mixed", "mixed"),
  isGross: fc.boolean(),
  lines: fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 200_000 }).map((n) => n / 10_000),
      rate: fc.integer({ min: 0, max: 90_000_000 }).map((n) => n / 10_000),
      discount: fc.constantFrom(0, 0, 7.5, 33.3333, 100),
      code: fc.nat({ max: 3 }),
      uom: fc.constantFrom("Std.", "Palette", "kg", "XPF"),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  /** The discount on the whole document. */
  off: fc.constantFrom(
    {},
    { discount: 5 },
    { discount: 33.3333 },
    { discount: 100 },
    { discountAmount: 1 },
    { discountAmount: 7 },
  ),
  credit: fc.constantFrom("none", "half", "whole", "amount"),
  /** What is paid of each deposit, as a part of it; without deposits nothing is ordered before. */
  deposits: fc.constantFrom<number[][]>([], [], [1], [0.37], [1, 1], [0.5, 0]),
  /** True if an order is invoiced in two parts. */
  isSplit: fc.boolean(),
})

/** Sells without the model, in any currency: untaxed documents, exports, odd quantities. Yields the documents. */
export async function* sell(api: Api, seed: number): AsyncGenerator<Issued[]> {
  const shop = trade(api)
  const code = (name: string, category: string, rate = 0, reason: string | null = null) =>
    api.create("/tax-codes", { code: name, name, category, rate, reason })
  const mixed = [
    await code("M19", "S", 19),
    await code("M5", "S", 5.5),
    await code("ME", "E", 0, hostile.split("\n")[0]),
    await code("MZ", "Z"),
  ]
  const single = {
    O: await code("MO", "O", 0, "Outside the scope of VAT"),
    G: await code("MG", "G"),
    K: await code("MK", "K"),
  }
  const customer = await shop.customer({ ...contact, taxId: "FR12345678901" })
  for (const sale of endless(plainSale, seed)) {
    const taxCode = (at: number) =>
      sale.category === "mixed" ? mixed[at].id : single[sale.category as keyof typeof single].id
    const items = sale.lines.map(({ code: at, uom, ...line }) => ({
      ...line,
      uom,
      description: hostile,
      taxCode: taxCode(at),
    }))
    const head = { customer: customer.id, pricesIncludeTax: sale.isGross, ...extras }
    const isOrdered = sale.deposits.length > 0
    const { status, body } = isOrdered
      ? await api.post("/sales-orders", { ...head, status: "submitted", items, ...sale.off })
      : await api.post("/invoices", { ...head, status: "unpaid", items, ...sale.off })
    // A discount that is more than the lines is refused.
    if (status === 422) continue
    const issued = isOrdered ? await supply(api, body.data, sale) : [body.data]
    const last = issued.at(-1)
    yield [
      ...issued.map(({ id }) => ({ kind: "invoices" as const, id })),
      ...(last ? await credit(api, last, sale.credit) : []),
    ]
  }
}

type Ordered = Made & { total: number; currency: string }

/** Asks for deposits on an order, of which a part is paid, and invoices it in one or two parts. */
async function supply(
  api: Api,
  { id: order, items, total, currency }: Ordered,
  { deposits, isSplit }: { deposits: number[]; isSplit: boolean },
): Promise<Made[]> {
  const made: Ordered[] = []
  const add = async (path: string, body: object) => {
    const { status, body: answer, text } = await api.post(path, body)
    if (status !== 201) throw new Error(text)
    if (!path.endsWith("/payments")) made.push(answer.data)
    return answer.data
  }
  for (const paid of total > 0 ? deposits : []) {
    const deposit = await add(`/sales-orders/${order}/deposit-invoices`, { percent: 35 }).catch(() => null)
    // A third of a cent is no deposit.
    if (!deposit) continue
    const amount = Number((deposit.total * paid).toFixed(currency === "JPY" ? 0 : 2))
    if (amount > 0) await add(`/invoices/${deposit.id}/payments`, { amount })
  }
  const [first] = items
  const part = { orderLine: first?.id, quantity: Math.ceil((first?.quantity ?? 0) * 5_000) / 10_000 }
  if (isSplit) await add("/invoices/from-order", { salesOrder: order, items: [part] })
  const { status, body } = await api.post("/invoices/from-order", { salesOrder: order })
  if (status === 201) made.push(body.data)
  return made
}

type Made = {
  id: string
  items: { id: string; quantity: number; amount: number; grossAmount: number | null }[]
}

async function credit(api: Api, { id: invoice, items }: Made, how: string): Promise<Issued[]> {
  const [first] = items
  const charged = first?.grossAmount ?? first?.amount ?? 0
  if (how === "none" || !first || charged === 0) return []
  const part = how === "half" ? { quantity: Math.ceil(first.quantity * 5_000) / 10_000 } : { amount: charged }
  const lines = how === "whole" ? {} : { items: [{ invoiceLine: first.id, ...part }] }
  const { status, body, text } = await api.post(`/invoices/${invoice}/credit-notes`, {
    reason: "Damaged <goods> & more",
    ...lines,
  })
  if (status !== 201) throw new Error(text)
  return [{ kind: "credit-notes", id: body.data.id }]
}
