import type { Api } from "./api"

let made = 0

/** Creates the records that tests need, with minimal arguments. */
export const trade = (api: Api) => ({
  item: (over: object = {}) =>
    api.create("/items", { itemCode: `T-${++made}`, itemName: `Thing ${made}`, sellingPrice: 10, ...over }),
  customer: (over: object = {}) => api.create("/customers", { name: `Customer ${++made}`, ...over }),
  receive: (item: string, quantity: number) =>
    api.create("/stock-movements", { item, quantity, reason: "receipt" }),
  async order(over: object = {}) {
    const { customer, items, ...rest } = over as { customer?: string; items?: object[] }
    return api.create("/sales-orders", {
      customer: customer ?? (await this.customer()).id,
      items: items ?? [{ item: (await this.item()).id, quantity: 2 }],
      ...rest,
    })
  },
  submitted(over: object = {}) {
    return this.order({ ...over, status: "submitted" })
  },
  bill: (salesOrder: string, over: object = {}) => api.post("/invoices/from-order", { salesOrder, ...over }),
  async invoice(over: object = {}) {
    const { id } = await this.submitted(over)
    return (await this.bill(id)).body.data
  },
  pay: (invoice: string, amount: number, over: object = {}) =>
    api.post(`/invoices/${invoice}/payments`, { amount, ...over }),
  status: (kind: string, id: string, status: string, over: object = {}) =>
    api.put(`/${kind}/${id}/status`, { status, ...over }),
  get: async (kind: string, id: string) => (await api.get(`/${kind}/${id}`)).body.data,
})

export type Trade = ReturnType<typeof trade>
