import type { Caller } from "../core/caller"
import { readDraft } from "../core/kind/read"
import type { Tx } from "../core/write/writer"
import { kinds } from "../kinds"
import type { Services } from "../services"
import { checkDigitOf } from "../shared/barcode"
import type { TaxTreatment } from "../shared/documents/tax"
import type { Item } from "../shop/items/model"
import { demoMail } from "./mail"
import { pick, type Random } from "./random"
import { inventedVatId } from "./vat-ids"
import { cities, goods, people, services as serviceNames, streets, terms } from "./words"

/** The services of the demo shop, its random numbers, and the owner. */
export type Shop = Services & { random: Random; caller: Caller }

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

export function createTaxCodes({ taxCodes }: Shop, tx: Tx): Codes {
  const create = (code: string, name: string, rate: number) =>
    taxCodes.create(tx, readDraft(kinds.taxCodes, { code, name, category: "S", rate })).id
  return { standard: create("S19", "Standard rate", 19), reduced: create("S7", "Reduced rate", 7) }
}

/** Sets what the company is called, and how it sends mail. */
export const nameCompany = ({ settings }: Services, tx: Tx): void => void settings.update(tx, company, null)

export const createItem = ({ items }: Shop, tx: Tx, item: Record<string, unknown>): Item =>
  items.create(tx, readDraft(kinds.items, item))

/** An EAN of the numbers that each shop may use for itself. */
function ownBarcode(n: number): string {
  const digits = `200${String(n).padStart(9, "0")}`
  return `${digits}${checkDigitOf(digits)}`
}

export function* goodsOf(random: Random, { standard, reduced }: Codes): Generator<Record<string, unknown>> {
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

export function customerOf(random: Random, i: number): Record<string, unknown> {
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
