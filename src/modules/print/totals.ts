import { html, type Html } from "../../lib/html"
import type { TaxCategory } from "../../shared/tax"
import type { TaxRow } from "../documents/model"
import type { Formats } from "./formats"
import type { Sheet } from "./model"

const categoryNames: Record<TaxCategory, string> = {
  S: "Tax",
  Z: "Zero rated",
  E: "Exempt from tax",
  AE: "Reverse charge",
  K: "Intra-Community supply",
  G: "Export",
  O: "Not subject to tax",
}
const nameOf = ({ category }: TaxRow): string => (category === null ? "Tax" : categoryNames[category])

/**
 * The totals of a document. On a document whose prices include tax, the lines add up to the total, so the tax is below
 * it.
 */
export function totals(sheet: Sheet, formats: Formats): Html {
  const { subtotal, discountTotal, total, payment, pricesIncludeTax } = sheet
  const row = (label: string, amount: number, kind = "") =>
    html`<tr class="${kind}">
      <th scope="row">${label}</th>
      <td class="figure">${formats.money(amount)}</td>
    </tr> `
  const charged = pricesIncludeTax ? total : subtotal
  const taxes = taxLabels(sheet, formats).map(([label, tax]) => row(label, tax))
  const sum = row("Total", total, "total")
  return html`<table class="totals">
    <tbody>
      ${discountTotal > 0 ? [row("Before discount", charged + discountTotal), row("Discount", -discountTotal)] : null}
      ${pricesIncludeTax ? [sum, row("Total without tax", subtotal), ...taxes] : [row("Subtotal", subtotal), ...taxes, sum]}
      ${payment && settledRows(payment, row)}
    </tbody>
  </table>`
}

/** What was paid and credited, and what is left to pay. */
const settledRows = (
  { paid, credited, balance }: NonNullable<Sheet["payment"]>,
  row: (label: string, amount: number, kind?: string) => Html,
): Html[] => [
  row("Paid", paid),
  ...(credited > 0 ? [row("Credited", credited)] : []),
  row("Balance due", balance, "balance"),
]

/** The tax per category and rate. A document without any tax and category has one row. */
function taxLabels({ taxes, pricesIncludeTax }: Sheet, formats: Formats): [label: string, tax: number][] {
  if (taxes.every(({ category, rate }) => category === null && rate === 0)) return [["Tax", 0]]
  return taxes.map((each) => {
    const name = pricesIncludeTax && each.rate > 0 ? "Includes tax" : nameOf(each)
    return [`${name} ${formats.percent(each.rate)} on ${formats.money(each.base)}`, each.tax]
  })
}

/** Why no tax is charged, and that the prices include tax. */
export function remarks({ taxes, pricesIncludeTax }: Sheet): Html | null {
  const reasons = [...new Set(taxes.map(({ reason }) => reason).filter((reason) => reason !== null))]
  const all = [...(pricesIncludeTax ? ["Prices include tax."] : []), ...reasons]
  return all.length > 0
    ? html`<section class="remarks">${all.map((text) => html`<p>${text}</p>`)}</section>`
    : null
}
