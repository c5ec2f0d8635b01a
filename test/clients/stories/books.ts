/** What the story needs of a client. Each function sends one request. */
export type Seller = {
  item(code: string, price: number): Promise<string>
  customer(name: string): Promise<string>
  order(customer: string, items: { item: string; quantity: number }[]): Promise<string>
  submit(order: string): Promise<void>
  invoice(order: string): Promise<{ id: string; total: number }>
  pay(invoice: string, amount: number): Promise<void>
  credit(invoice: string): Promise<void>
}

/** A fifth of the requests fails: most of them after they were executed. */
export const everyFifth = [
  { drop: "after", rate: 0.1 },
  { drop: "before", rate: 0.06 },
  { status: 503, rate: 0.05 },
]

/** Sells for a day: orders that are invoiced and paid, some in parts, and one that is credited. */
export async function sell(seller: Seller): Promise<void> {
  const [desk, lamp] = [await seller.item("B-DESK", 450), await seller.item("B-LAMP", 39.9)]
  for (let i = 0; i < 4; i++) {
    const customer = await seller.customer(`Buyer ${i}`)
    const order = await seller.order(customer, [
      { item: desk, quantity: 1 + i },
      { item: lamp, quantity: 3 },
    ])
    await seller.submit(order)
    const { id, total } = await seller.invoice(order)
    if (i === 3) await seller.credit(id)
    else await seller.pay(id, i === 2 ? 100 : total)
  }
}

type Row = Record<string, unknown>

/** What the books say: of each kind the number of records, and what is left to pay of the new invoices. */
export async function booksOf(url: string, apiKey: string): Promise<object> {
  const get = async (path: string) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { "x-api-key": apiKey } })
    return (await response.json()) as { data: Row[]; meta: { total: number } }
  }
  const kinds = [
    "items",
    "customers",
    "sales-orders",
    "invoices",
    "credit-notes",
    "payments",
    "stock-movements",
  ]
  const totals: Row = {}
  for (const kind of kinds) totals[kind] = (await get(`/${kind}?perPage=1`)).meta.total
  const fields = "invoiceNumber,customerName,status,total,balance,amountPaid,creditedTotal"
  const { data: invoices } = await get(
    `/invoices?customerName[like]=Buyer%25&sort=invoiceNumber&order=asc&fields=${fields}`,
  )
  const { data: customers } = await get(
    "/customers?name[like]=Buyer%25&sort=name&fields=name,outstandingBalance,openOrdersValue,creditBalance",
  )
  return { totals, invoices, customers }
}
