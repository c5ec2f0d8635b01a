import { html, type Html } from "../../../lib/html"
import type { PaperLine } from "../model"
import { amountOf, columnsIn, discountOf, type Worded } from "../shown"

/** The columns for code, discount and tax are shown only when a line has one. An amount has no quantity. */
export function lineTable({ paper, texts, formats }: Worded): Html {
  const { lines, currency, pricesIncludeTax } = paper
  const { hasCode, hasDiscount, hasTax } = columnsIn(lines)
  const cell = (label: string, value: Html | string | null) =>
    html`<td class="figure" data-label="${label}">${value}</td>`
  const quantity = ({ quantity, uom }: PaperLine) =>
    html`${formats.quantity(quantity)} <span class="unit">${uom}</span>`
  const row = (line: PaperLine) =>
    html`<tr>
      ${hasCode ? html`<td class="code" data-label="${texts.code}">${line.itemCode ?? ""}</td>` : null}
      <td class="item" data-label="${texts.item}">${line.itemName ?? line.description ?? ""}</td>
      ${cell(texts.quantity, line.isAmount ? null : quantity(line))}
      ${cell(texts.rate, line.isAmount ? null : formats.rate(line.rate))}
      ${hasDiscount ? cell(texts.discount, line.isAmount ? null : discountOf(line, formats)) : null}
      ${hasTax ? cell(texts.taxRate, formats.percent(line.taxRate)) : null}
      ${cell(texts.amount, formats.amount(amountOf(line, pricesIncludeTax)))}
    </tr> `
  const figure = (label: string) => html`<th scope="col" class="figure">${label}</th>`
  return html`<table class="lines">
    <thead>
      <tr>
        ${hasCode ? html`<th scope="col">${texts.code}</th>` : null}
        <th scope="col">${texts.item}</th>
        ${figure(texts.quantity)} ${figure(texts.rate)} ${hasDiscount ? figure(texts.discount) : null}
        ${hasTax ? figure(texts.taxRate) : null}
        <th scope="col" class="figure">${texts.amount} <span class="unit">${currency}</span></th>
      </tr>
    </thead>
    <tbody>
      ${lines.map(row)}
    </tbody>
  </table>`
}
