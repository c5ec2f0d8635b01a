import type { Api } from "./api"
import * as rules from "./shop-model"
import type { Tax } from "./shop-model"
import type { Customer, Item } from "./shop-story"
import type { Trade } from "./trade"

/** So much that no operation is refused. */
export const creditLimit = 1_000_000

/** The codes that lines name; the last is the default of lines without an item. */
export async function makeCodes(api: Api): Promise<Tax[]> {
  const given = [
    { code: "T19", category: "S", rate: 19 },
    { code: "T0", category: "Z", rate: 0 },
    { code: "TE", category: "E", rate: 0, reason: "Exempt by law" },
    { code: "TAE", category: "AE", rate: 0 },
    { code: "T7", category: "S", rate: 7 },
  ]
  const made = await Promise.all(given.map((body) => api.create("/tax-codes", { name: body.code, ...body })))
  return made.map(({ id, category, rate }) => ({ code: id, category, rate }))
}

/** Products with tax rates and tax codes, and a service. */
export async function makeItems(shop: Trade, [standard, zero]: Tax[]): Promise<Item[]> {
  const given = [{ taxRate: 0 }, { taxRate: 7 }, { taxCode: standard?.code }, { taxCode: zero?.code }]
  const service = { taxRate: 19, itemType: "Service" }
  const made = await Promise.all([...given, service].map((body) => shop.item(body)))
  return made.map(({ id, taxCode, taxRate, itemType }) => {
    const category = taxCode === zero?.code ? "Z" : taxRate > 0 ? "S" : null
    return { id, tax: { code: taxCode, category, rate: taxRate }, hasStock: itemType !== "Service" }
  })
}

/** A customer of each treatment, and one without a tax ID. `more` are other fields of all of them. */
export async function makeCustomers(shop: Trade, more: object = {}): Promise<Customer[]> {
  const given = [rules.treatments[0], ...rules.treatments]
  return Promise.all(
    given.map(async (treatment, i) => {
      const taxReason = treatment.name === "exempt" ? { taxReason: "Small business" } : {}
      const taxId = i > 0 ? { taxId: "DE123456789" } : {}
      const tax = { taxTreatment: treatment.name, ...taxReason, ...taxId }
      const { id } = await shop.customer({ creditLimit, ...tax, ...more })
      return { id, treatment, hasTaxId: i > 0 }
    }),
  )
}
