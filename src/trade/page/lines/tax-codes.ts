import type { TaxCategory } from "../../../shared/documents/tax"
import { number } from "../../../console/format"
import { t } from "../../../console/texts"
import { useRead } from "../../../console/api/hooks"
import type { TaxCode } from "../../../console/api/types"

/** Returns the name of a category that says why no tax is charged; null for other categories. */
export const untaxedName = (category: TaxCategory | null): string | null =>
  category === null || category === "S" ? null : t(($) => $.values.taxCategory[category])

/** Returns a tax rate, with the category if that says why no tax is charged: 0 % (Reverse charge). */
export function taxRateText(category: TaxCategory | null, rate: number): string {
  const name = untaxedName(category)
  return name ? `${number(rate)} % (${name})` : `${number(rate)} %`
}

const none: readonly TaxCode[] = []

const useQuery = () => useRead<TaxCode[]>("/tax-codes?perPage=100&sort=code&order=asc")

/** Reads the tax codes, also the inactive ones: stored lines may have them. */
export function useTaxCodes(): readonly TaxCode[] {
  const { data } = useQuery()
  // Always the same empty list: lines render again if it changes.
  return data && data.length > 0 ? data : none
}

/** True if the shop has no tax code that a line could have; false as long as this is not known. */
export const useLacksTaxCodes = (): boolean => useQuery().data?.every(({ isActive }) => !isActive) ?? false
