import { html, type Html } from "../../lib/html"
import type { Formats } from "./formats"
import type { Sheet, SheetLine } from "./model"

/** The columns for code, discount and tax are shown only when a line has one. */
export function lineTable({ lines, currency, pricesIncludeTax }: Sheet, formats: Formats): Html {
  const hasCode = lines.some(({ itemCode }) => itemCode !== null)
  const hasDiscount = lines.some(({ discountAmount }) => discountAmount > 0)
  const hasTax = lines.some(({ taxRate }) => taxRate > 0)
  const cell = (label: string, value: Html | string) =>
    html`<td class="figure" data-label="${label}">${value}</td>`
  const row = (line: SheetLine) =>
    html`<tr>
      ${hasCode ? html`<td class="code" data-label="Code">${line.itemCode ?? ""}</td>` : null}
      <td class="item" data-label="Item">${line.itemName ?? line.description ?? ""}</td>
      ${cell("Quantity", html`${formats.quantity(line.quantity)} <span class="unit">${line.uom}</span>`)}
      ${cell("Rate", formats.rate(line.rate))}
      ${hasDiscount ? cell("Discount", discountOf(line, formats)) : null}
      ${hasTax ? cell("Tax rate", formats.percent(line.taxRate)) : null}
      ${cell("Amount", formats.amount(pricesIncludeTax ? (line.grossAmount ?? line.amount) : line.amount))}
    </tr> `
  return html`<table class="lines">
    <thead>
      <tr>
        ${hasCode ? html`<th scope="col">Code</th>` : null}
        <th scope="col">Item</th>
        <th scope="col" class="figure">Quantity</th>
        <th scope="col" class="figure">Rate</th>
        ${hasDiscount ? html`<th scope="col" class="figure">Discount</th>` : null}
        ${hasTax ? html`<th scope="col" class="figure">Tax rate</th>` : null}
        <th scope="col" class="figure">Amount <span class="unit">${currency}</span></th>
      </tr>
    </thead>
    <tbody>
      ${lines.map(row)}
    </tbody>
  </table>`
}

/** A discount as people give it: a percentage, or an amount if the percentage has many decimals. */
function discountOf({ discount, discountAmount }: SheetLine, formats: Formats): string {
  if (discountAmount === 0) return ""
  const isPlain = Math.abs(discount * 100 - Math.round(discount * 100)) < 1e-6
  return isPlain ? formats.percent(discount) : formats.amount(discountAmount)
}
