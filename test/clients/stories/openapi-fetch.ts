// A story told with openapi-fetch and the types of openapi-typescript. The test generates ./openapi-fetch/schema from
// the document of the server, type-checks this file and runs it.
import createClient from "openapi-fetch"
import type { Seller } from "./books"
import { sameBut, tell, type Fetch, type Told } from "./told"
import type { components, paths } from "./openapi-fetch/schema"

type Schemas = components["schemas"]

export async function story(url: string, token: string, fetch: Fetch): Promise<Told> {
  const client = createClient<paths>({ baseUrl: url, fetch, headers: { Authorization: `Bearer ${token}` } })

  const createItem = async (body: Schemas["ItemDraft"]): Promise<Schemas["Item"]> => {
    const { data, error } = await client.POST("/api/v1/items", {
      params: { header: { "Idempotency-Key": `fetch-${body.itemCode}` } },
      body,
    })
    if (error) throw new Error(error.error.message)
    return data.data
  }
  const desk = await createItem({
    itemCode: "F-DESK",
    itemName: "Desk",
    sellingPrice: 450,
    costPrice: 280,
    taxRate: 20,
    reorderLevel: 5,
    isActive: true,
    images: ["https://example.com/desk.jpg"],
  })
  for (const [i, sellingPrice] of [10, 20, 30, 40].entries())
    await createItem({ itemCode: `F-LAMP-${i}`, itemName: "Lamp", sellingPrice })
  const made = await client.POST("/api/v1/customers", {
    body: { name: "Nordlicht", address: { city: "Kiel" } },
  })
  if (made.error) throw new Error(made.error.error.message)
  const customer = made.data.data

  const filtered = await client.GET("/api/v1/items", {
    params: {
      query: {
        "sellingPrice[gte]": 20,
        "sellingPrice[lt]": 400,
        "itemCode[like]": "F-%",
        sort: "sellingPrice",
        order: "asc",
      },
    },
  })
  const found = filtered.data?.data.map(({ itemCode }) => itemCode ?? "") ?? []

  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const page: { data?: Schemas["ItemList"] } = await client.GET("/api/v1/items", {
      params: {
        query: { perPage: 2, "itemCode[like]": "F-%", fields: "itemCode", ...(cursor ? { cursor } : {}) },
      },
    })
    pages.push(page.data?.data.map(({ itemCode }) => itemCode ?? "") ?? [])
    cursor = page.data?.meta.nextCursor ?? null
  } while (cursor !== null)

  const patched = await client.PATCH("/api/v1/items/{id}", {
    params: { path: { id: desk.id }, header: { "If-Match": `"${desk.version}"` } },
    body: { sellingPrice: 429 },
  })
  if (patched.error) throw new Error(patched.error.error.message)

  const ordered = await client.POST("/api/v1/sales-orders", {
    body: { customer: customer.id, items: [{ item: desk.id, quantity: 1, rate: 400, discount: 5 }] },
  })
  if (ordered.error) throw new Error(ordered.error.error.message)
  const order = ordered.data.data
  const [line] = order.items
  if (!line) throw new Error("The order has no line.")
  const changed = await client.PUT("/api/v1/sales-orders/{id}", {
    params: { path: { id: order.id } },
    body: { items: [{ id: line.id, item: line.item, quantity: 3 }] },
  })

  const { error, response } = await client.POST("/api/v1/items", {
    body: { itemCode: "F-DESK", itemName: "" },
  })
  if (!error) throw new Error("The item was not refused.")
  const code: Schemas["Error"]["error"]["code"] = error.error.code
  const details: Schemas["Error"]["error"]["details"] = error.error.details

  const tried = { params: { query: { dryRun: true } } }
  const triedCustomer = await client.POST("/api/v1/customers", { ...tried, body: { name: "Dry" } })
  const body = { customer: customer.id, items: [{ item: desk.id, quantity: 1, rate: 400 }] }
  const triedOrder = await client.POST("/api/v1/sales-orders", { ...tried, body })
  const triedInvoice = await client.POST("/api/v1/invoices", {
    ...tried,
    body: { ...body, status: "unpaid" },
  })
  const triedChange = await client.PATCH("/api/v1/customers/{id}", {
    params: { path: { id: customer.id }, query: { dryRun: true } },
    body: { name: "Dry" },
  })
  if (triedCustomer.error ?? triedOrder.error ?? triedInvoice.error ?? triedChange.error)
    throw new Error("A dry run was refused.")
  const left = [
    await client.GET("/api/v1/customers", { params: { query: { name: "Dry" } } }),
    await client.GET("/api/v1/sales-orders", { params: { query: { customer: customer.id } } }),
    await client.GET("/api/v1/invoices", { params: { query: { customer: customer.id } } }),
  ]

  // @ts-expect-error A list has no such filter.
  await client.GET("/api/v1/items", { params: { query: { "sellingPrice[near]": 20 } } })
  // @ts-expect-error An item has no such field.
  void ({ sellingPirce: 1 } satisfies Schemas["ItemChange"])

  return {
    found,
    pages,
    price: patched.data.data.sellingPrice,
    otherFields: sameBut(["sellingPrice", "version", "updatedAt"], desk, patched.data.data),
    line: tell(line, changed.data?.data.items[0]),
    refusal: { status: response.status, code, fields: details.map(({ field }) => field) },
    dryRuns: {
      numbers: [
        triedCustomer.data.data.customerNumber,
        triedOrder.data.data.orderNumber,
        triedInvoice.data.data.invoiceNumber,
      ],
      total: triedInvoice.data.data.total,
      left: left.map(({ data }) => data?.data.length ?? -1),
    },
  }
}

/** Sells with this client. Its `fetch` repeats what has failed. */
export function seller(url: string, apiKey: string, fetch: Fetch): Seller {
  const client = createClient<paths>({ baseUrl: url, fetch, headers: { "X-API-Key": apiKey } })
  const made = <T>({ data, error }: { data?: { data: T }; error?: { error: { message: string } } }): T => {
    if (!data) throw new Error(error?.error.message)
    return data.data
  }
  return {
    item: async (itemCode, sellingPrice) =>
      made(
        await client.POST("/api/v1/items", {
          body: { itemCode, itemName: itemCode, itemType: "Service", sellingPrice },
        }),
      ).id,
    customer: async (name) => made(await client.POST("/api/v1/customers", { body: { name } })).id,
    order: async (customer, items) =>
      made(await client.POST("/api/v1/sales-orders", { body: { customer, items } })).id,
    submit: async (id) =>
      void made(
        await client.PUT("/api/v1/sales-orders/{id}/status", {
          params: { path: { id } },
          body: { status: "submitted" },
        }),
      ),
    invoice: async (salesOrder) =>
      made(await client.POST("/api/v1/invoices/from-order", { body: { salesOrder } })),
    pay: async (id, amount) =>
      void made(
        await client.POST("/api/v1/invoices/{id}/payments", {
          params: { path: { id } },
          body: { amount, method: "Card" },
        }),
      ),
    credit: async (id) =>
      void made(
        await client.POST("/api/v1/invoices/{id}/credit-notes", {
          params: { path: { id } },
          body: { reason: "Returned" },
        }),
      ),
  }
}
