import { html, type Html } from "../../../lib/html"
import type { Current } from "../contents"
import { remarksOf, sumsOf, type Sum, type Worded } from "../shown"

/** The totals of a document, and what is left to pay of it. */
export function totals(worded: Worded, payment: Current["payment"]): Html {
  const { texts, formats } = worded
  const row = ({ label, amount }: Sum, kind: string) =>
    html`<tr class="${kind}">
      <th scope="row">${label}</th>
      <td class="figure">${formats.money(amount)}</td>
    </tr> `
  const balance = payment && row({ label: texts.balance, amount: payment.balance }, "balance")
  return html`<table class="totals">
    <tbody>
      ${sumsOf(worded).map((sum) => row(sum, sum.isTotal ? "total" : ""))}
      ${payment && settledSums(worded, payment).map((sum) => row(sum, ""))} ${balance}
    </tbody>
  </table>`
}

/** What was paid and credited. */
const settledSums = ({ texts }: Worded, { paid, credited }: NonNullable<Current["payment"]>): Sum[] => [
  { label: texts.paid, amount: paid },
  ...(credited > 0 ? [{ label: texts.credited, amount: credited }] : []),
]

/** Why no tax is charged, and that the prices include tax. */
export function remarks(worded: Worded): Html | null {
  const all = remarksOf(worded)
  return all.length > 0
    ? html`<section class="remarks">${all.map((text) => html`<p>${text}</p>`)}</section>`
    : null
}
