import type { TaxCategory } from "../../shared/tax"
import { number } from "../../console/format"
import { t } from "../../console/texts"

/** Returns the name of a category that says why no tax is charged; null for other categories. */
export const untaxedName = (category: TaxCategory | null): string | null =>
  category === null || category === "S" ? null : t(($) => $.values.taxCategory[category])

/** Returns a tax rate, with the category if that says why no tax is charged: 0 % (Reverse charge). */
export function taxRateText(category: TaxCategory | null, rate: number): string {
  const name = untaxedName(category)
  return name ? `${number(rate)} % (${name})` : `${number(rate)} %`
}
