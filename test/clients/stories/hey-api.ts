// The same story told with the client that @hey-api/openapi-ts generates in ./hey-api.
import type { Seller } from "./books"
import { client } from "./hey-api/client.gen"
import {
  addPayment,
  changeSalesOrderStatus,
  createCustomer,
  createInvoiceFromOrder,
  createInvoice,
  createItem,
  createSalesOrder,
  creditInvoice,
  listCustomers,
  listInvoices,
  listItems,
  listSalesOrders,
  patchCustomer,
  patchItem,
  updateSalesOrder,
} from "./hey-api/sdk.gen"
import type { Error as Refusal, Item, ItemChange, ItemDraft, ItemList } from "./hey-api/types.gen"
import { sameBut, tell, type Fetch, type Told } from "./told"

export async function story(url: string, token: string, fetch: Fetch): Promise<Told> {
  // The client would send a plain text with every way to authenticate, and the server accepts only one.
  client.setConfig({
    baseUrl: url,
    fetch: fetch as typeof globalThis.fetch,
    auth: ({ scheme }) => (scheme === "bearer" ? token : undefined),
  })

  const create = async (body: ItemDraft): Promise<Item> => {
    const headers = { "Idempotency-Key": `hey-${body.itemCode}` }
    const { data } = await createItem({ body, headers, throwOnError: true })
    return data.data
  }
  const desk = await create({
    itemCode: "H-DESK",
    itemName: "Desk",
    sellingPrice: 450,
    costPrice: 280,
    taxRate: 20,
    reorderLevel: 5,
    isActive: true,
    images: ["https://example.com/desk.jpg"],
  })
  for (const [i, sellingPrice] of [10, 20, 30, 40].entries())
    await create({ itemCode: `H-LAMP-${i}`, itemName: "Lamp", sellingPrice })
  const made = await createCustomer({
    body: { name: "Nordlicht", address: { city: "Kiel" } },
    throwOnError: true,
  })
  const customer = made.data.data

  const filtered = await listItems({
    query: {
      "sellingPrice[gte]": 20,
      "sellingPrice[lt]": 400,
      "itemCode[like]": "H-%",
      sort: "sellingPrice",
      order: "asc",
    },
    throwOnError: true,
  })
  const found = filtered.data.data.map(({ itemCode }) => itemCode ?? "")

  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const { data }: { data: ItemList } = await listItems({
      query: { perPage: 2, "itemCode[like]": "H-%", fields: "itemCode", ...(cursor ? { cursor } : {}) },
      throwOnError: true,
    })
    pages.push(data.data.map(({ itemCode }) => itemCode ?? ""))
    cursor = data.meta.nextCursor
  } while (cursor !== null)

  const patched = await patchItem({
    path: { id: desk.id },
    headers: { "If-Match": `"${desk.version}"` },
    body: { sellingPrice: 429 },
    throwOnError: true,
  })

  const ordered = await createSalesOrder({
    body: { customer: customer.id, items: [{ item: desk.id, quantity: 1, rate: 400, discount: 5 }] },
    throwOnError: true,
  })
  const order = ordered.data.data
  const [line] = order.items
  if (!line) throw new Error("The order has no line.")
  const changed = await updateSalesOrder({
    path: { id: order.id },
    body: { items: [{ id: line.id, item: line.item, quantity: 3 }] },
    throwOnError: true,
  })

  const { error, response } = await createItem({ body: { itemCode: "H-DESK", itemName: "" } })
  if (!error) throw new Error("The item was not refused.")
  const code: Refusal["error"]["code"] = error.error.code

  const tried = { query: { dryRun: true }, throwOnError: true } as const
  const triedCustomer = await createCustomer({ ...tried, body: { name: "Dry" } })
  const body = { customer: customer.id, items: [{ item: desk.id, quantity: 1, rate: 400 }] }
  const triedOrder = await createSalesOrder({ ...tried, body })
  const triedInvoice = await createInvoice({ ...tried, body: { ...body, status: "unpaid" } })
  await patchCustomer({ ...tried, path: { id: customer.id }, body: { name: "Dry" } })
  const left = [
    await listCustomers({ query: { name: "Dry" }, throwOnError: true }),
    await listSalesOrders({ query: { customer: customer.id }, throwOnError: true }),
    await listInvoices({ query: { customer: customer.id }, throwOnError: true }),
  ]

  // @ts-expect-error A list has no such filter.
  await listItems({ query: { "sellingPrice[near]": 20 } })
  // @ts-expect-error An item has no such field.
  void ({ sellingPirce: 1 } satisfies ItemChange)

  return {
    found,
    pages,
    price: patched.data.data.sellingPrice,
    otherFields: sameBut(["sellingPrice", "version", "updatedAt"], desk, patched.data.data),
    line: tell(line, changed.data.data.items[0]),
    refusal: { status: response?.status, code, fields: error.error.details.map(({ field }) => field) },
    dryRuns: {
      numbers: [
        triedCustomer.data.data.customerNumber,
        triedOrder.data.data.orderNumber,
        triedInvoice.data.data.invoiceNumber,
      ],
      total: triedInvoice.data.data.total,
      left: left.map(({ data }) => data.data.length),
    },
  }
}

/** Sells with this client. Its `fetch` repeats what has failed. */
export function seller(url: string, apiKey: string, fetch: Fetch): Seller {
  client.setConfig({
    baseUrl: url,
    fetch: fetch as typeof globalThis.fetch,
    auth: ({ type }) => (type === "apiKey" ? apiKey : undefined),
  })
  const throwing = { throwOnError: true } as const
  return {
    async item(itemCode, sellingPrice) {
      const body = { itemCode, itemName: itemCode, itemType: "Service", sellingPrice } as const
      return (await createItem({ ...throwing, body })).data.data.id
    },
    customer: async (name) => (await createCustomer({ ...throwing, body: { name } })).data.data.id,
    order: async (customer, items) =>
      (await createSalesOrder({ ...throwing, body: { customer, items } })).data.data.id,
    submit: async (id) =>
      void (await changeSalesOrderStatus({ ...throwing, path: { id }, body: { status: "submitted" } })),
    invoice: async (salesOrder) =>
      (await createInvoiceFromOrder({ ...throwing, body: { salesOrder } })).data.data,
    pay: async (id, amount) =>
      void (await addPayment({ ...throwing, path: { id }, body: { amount, method: "Card" } })),
    credit: async (id) =>
      void (await creditInvoice({ ...throwing, path: { id }, body: { reason: "Returned" } })),
  }
}
