import { categoryByRate, categoryByTreatment, type TaxCategory, type TaxTreatment } from "../../shared/tax"
import { taxReasons } from "../../shared/tax-reasons"
import type { Language } from "../../shared/languages"
import type { Item, TaxCode } from "../../console/api/types"
import type { LineValues, StoredFigures } from "./line-values"

/** How the lines of a document are taxed. */
export type Taxation = {
  codes: readonly TaxCode[]
  treatment: TaxTreatment
  /** The tax code of a line without an item for which none is chosen. */
  defaultTaxCode: string | null
  /** True if stored lines are taxed anew, because the document has a customer with another treatment. */
  isRetaxed: boolean
  /** The tax that the server then gives to stored lines, by their ids, as soon as it is known. */
  retaxed: ReadonlyMap<string, StoredTax> | null
  /** Why sales to an exempt customer are not taxed. */
  taxReason: string | null
  /** The language of the document. */
  language: Language
  find: (item: string) => Item | undefined
}

export type StoredTax = Pick<StoredFigures, "taxCode" | "taxCategory" | "taxRate">

/** The tax of a line, and what it follows from. */
export type LineTax = {
  taxCode: string | null
  taxCategory: TaxCategory | null
  taxRate: number
  from: "code" | "stored" | "customer" | "item" | "default"
}

/** Returns the tax that the server would store for a line: by its own tax code, by its customer, or by its item. */
export function taxOfLine(line: LineValues, taxation: Taxation): LineTax {
  const { treatment, defaultTaxCode, codes } = taxation
  if (line.taxCode !== null) return { ...byCode(line.taxCode, codes), from: "code" }
  const item = taxation.find(line.item)
  const stored = storedTax(line, item, taxation)
  if (stored) {
    const { taxCode, taxCategory, taxRate } = stored
    return { taxCode, taxCategory, taxRate, from: "stored" }
  }
  const category = categoryByTreatment(treatment, line.isFree || item?.itemType === "Service")
  if (category) return { taxCode: null, taxCategory: category, taxRate: 0, from: "customer" }
  const from = line.isFree ? "default" : "item"
  const code = line.isFree ? defaultTaxCode : (item?.taxCode ?? null)
  if (code !== null) return { ...byCode(code, codes, item), from }
  const taxRate = item?.taxRate ?? 0
  return { taxCode: null, taxCategory: categoryByRate(taxRate), taxRate, from }
}

/** Returns the tax that a stored line keeps, or that the server gives to it; null if it has to be determined. */
function storedTax(line: LineValues, item: Item | undefined, taxation: Taxation): StoredTax | null {
  const { isRetaxed, retaxed, defaultTaxCode } = taxation
  if (!line.stored || !isRetaxed) return line.stored
  const known = retaxed?.get(line.id ?? "")
  return known ?? (hasOwnCode(line, item, defaultTaxCode) ? line.stored : null)
}

/** True if a stored line has a tax code that is neither that of its item nor the default one. */
function hasOwnCode({ stored, isFree }: LineValues, item: Item | undefined, defaultTaxCode: string | null) {
  if (!stored?.taxCode) return false
  return stored.taxCode !== (isFree ? defaultTaxCode : item?.taxCode)
}

/** The codes may not be loaded yet. An item shows the rate of its code. */
function byCode(id: string, codes: readonly TaxCode[], item?: Item) {
  const code = codes.find((each) => each.id === id)
  const taxRate = code?.rate ?? item?.taxRate ?? 0
  return { taxCode: id, taxCategory: code?.category ?? categoryByRate(taxRate), taxRate }
}

/** Returns why no tax is charged on a line; null if it is, or if no reason is known. */
export function reasonOf({ taxCode, taxCategory }: LineTax, taxation: Taxation): string | null {
  const { codes, taxReason, language } = taxation
  const own = codes.find(({ id }) => id === taxCode)?.reason
  if (own) return own
  if (taxCategory === "E" && taxCode === null) return taxReason
  return taxCategory === "AE" || taxCategory === "K" || taxCategory === "G"
    ? taxReasons[language][taxCategory]
    : null
}
