// The state diagrams of docs/architecture.md, generated from the tables that the program uses. Run this file to write
// them.
import * as invoices from "../src/shop/invoices/rules"
import * as quotations from "../src/shop/quotations/rules"
import * as orders from "../src/shop/sales-orders/rules"

type Table = Record<string, readonly string[]>

/** A Mermaid diagram of a transition table; `automatic` lists the transitions that no caller requests. */
function diagramOf(table: Table, automatic: [from: string, to: string, why: string][]): string {
  const requested = Object.entries(table).flatMap(([from, targets]) =>
    targets.map((to) => `  ${from} --> ${to}`),
  )
  const final = Object.entries(table).flatMap(([from, targets]) =>
    targets.length === 0 && !automatic.some(([start]) => start === from) ? [`  ${from} --> [*]`] : [],
  )
  const labelled = automatic.map(([from, to, why]) => `  ${from} --> ${to}: ${why}`)
  return [
    "```mermaid",
    "stateDiagram-v2",
    `  [*] --> ${Object.keys(table)[0]}`,
    ...requested,
    ...labelled,
    ...final,
    "```",
  ].join("\n")
}

const { automaticStatuses } = orders

/** The diagrams by the name of their place in the document. */
export const diagrams: Record<string, string> = {
  quotation: diagramOf(quotations.transitions, []),
  "sales-order": diagramOf(orders.transitions, [
    ["submitted", automaticStatuses.submitted, "everything is invoiced"],
    ["completed", automaticStatuses.completed, "an invoice is cancelled"],
  ]),
  invoice: diagramOf(invoices.transitions, [
    ["unpaid", "partially_paid", "a payment or a credit"],
    ["unpaid", "paid", "paid in full"],
    ["partially_paid", "paid", "paid in full"],
    ["paid", "partially_paid", "a payment is voided"],
    ["paid", "unpaid", "the only payment is voided"],
    ["partially_paid", "unpaid", "the last payment is voided"],
    ["unpaid", "credited", "credited in full"],
    ["partially_paid", "credited", "credited in full"],
    ["paid", "credited", "credited in full"],
  ]),
}

/** Returns the document with the diagrams in their places. */
export function withDiagrams(document: string): string {
  let text = document
  for (const [name, diagram] of Object.entries(diagrams))
    text = text.replace(
      new RegExp(`(<!-- diagram: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`),
      (_, start: string, end: string) => `${start}${diagram}\n${end}`,
    )
  return text
}

if (import.meta.main) {
  const page = "docs/architecture.md"
  await Bun.write(page, withDiagrams(await Bun.file(page).text()))
}
