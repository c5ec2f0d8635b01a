import {
  type LineTax,
  type Reasons,
  type StoredTax,
  taxOfLine,
  type TaxedItem,
  type TaxRules,
} from "../../../shared/documents/line"
import { categoryByRate } from "../../../shared/documents/tax"
import type { Item, TaxCode } from "../../../console/api/types"
import type { LineValues } from "./line-values"

export type { LineTax }

/** How the lines of a document are taxed while the user edits it. */
export type FormTaxRules = TaxRules &
  Reasons & {
    codes: readonly TaxCode[]
    /** The tax that the server gives to stored lines that are taxed again, by their ids, as soon as it is known. */
    retaxed: ReadonlyMap<string, StoredTax> | null
    find: (item: string) => Item | undefined
  }

/** Finds a tax code. The codes may not be loaded yet: an item shows the rate of its code. */
export const codeFinder =
  (codes: readonly TaxCode[]): FormTaxRules["findCode"] =>
  (id: string, item: TaxedItem | null) => {
    const rate = item?.taxRate ?? 0
    return codes.find((each) => each.id === id) ?? { id, category: categoryByRate(rate), rate, reason: null }
  }

/** Returns the tax that the server would store for a line. */
export function taxOfValues(line: LineValues, rules: FormTaxRules): LineTax {
  const item = rules.find(line.item)
  const { taxCode = null, taxRate = 0, itemType } = item ?? {}
  const retaxed = rules.retaxed?.get(line.id ?? "")
  const isKnown = rules.isRetaxed && retaxed !== undefined
  return taxOfLine(
    {
      code: line.taxCode,
      stored: line.stored && isKnown ? retaxed : line.stored,
      hasOwnCode: isKnown || hasOwnCode(line, item, rules.defaultTaxCode),
      item: line.isFree ? null : { taxCode, taxRate, hasStock: itemType !== "Service" },
    },
    rules,
  )
}

/** True if a stored line has a tax code that is neither that of its item nor the default one. */
function hasOwnCode({ stored, isFree }: LineValues, item: Item | undefined, defaultTaxCode: string | null) {
  if (!stored?.taxCode) return false
  return stored.taxCode !== (isFree ? defaultTaxCode : item?.taxCode)
}
