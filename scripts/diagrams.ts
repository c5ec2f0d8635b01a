// The state diagrams of the README, generated from the program's transition tables. Run it to update them.
import * as invoices from "../src/modules/invoices/rules"
import * as orders from "../src/modules/sales-orders/rules"

type Table = Record<string, readonly string[]>

/** A Mermaid diagram of a transition table; `others` are the automatic transitions. */
function diagramOf(table: Table, others: [from: string, to: string, why: string][]): string {
  const asked = Object.entries(table).flatMap(([from, ways]) => ways.map((to) => `  ${from} --> ${to}`))
  const final = Object.entries(table).flatMap(([from, ways]) =>
    ways.length === 0 && !others.some(([start]) => start === from) ? [`  ${from} --> [*]`] : [],
  )
  const own = others.map(([from, to, why]) => `  ${from} --> ${to}: ${why}`)
  return [
    "```mermaid",
    "stateDiagram-v2",
    `  [*] --> ${Object.keys(table)[0]}`,
    ...asked,
    ...own,
    ...final,
    "```",
  ].join("\n")
}

const { automaticStatuses } = orders

/** The diagrams of the README, by name. */
export const diagrams: Record<string, string> = {
  "sales-order": diagramOf(orders.transitions, [
    ["submitted", automaticStatuses.submitted, "fully invoiced"],
    ["completed", automaticStatuses.completed, "an invoice is cancelled"],
  ]),
  invoice: diagramOf(invoices.transitions, [
    ["unpaid", "partially_paid", "a payment is recorded"],
    ["unpaid", "paid", "paid in full"],
    ["partially_paid", "paid", "paid in full"],
    ["paid", "partially_paid", "a payment is deleted"],
    ["partially_paid", "unpaid", "the last payment is deleted"],
  ]),
}

/** Puts the diagrams into the README. */
export function withDiagrams(readme: string): string {
  let text = readme
  for (const [name, diagram] of Object.entries(diagrams))
    text = text.replace(
      new RegExp(`(<!-- diagram: ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`),
      (_, start: string, end: string) => start + diagram + end,
    )
  return text
}

if (import.meta.main) await Bun.write("README.md", withDiagrams(await Bun.file("README.md").text()))
