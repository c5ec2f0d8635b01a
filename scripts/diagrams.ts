// The state diagrams of the README, made from the very tables that the program uses. Run it to write them anew.
import * as invoices from "../src/modules/invoices/rules"
import * as orders from "../src/modules/sales-orders/rules"

type Table = Record<string, readonly string[]>

/** A Mermaid diagram of a transition table; `others` are the ways that nobody asks for. */
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

/** What the README must hold, by the name of its place. */
export const diagrams: Record<string, string> = {
  "sales-order": diagramOf(orders.transitions, [
    ["submitted", automaticStatuses.submitted, "all is invoiced"],
    ["completed", automaticStatuses.completed, "an invoice of it is cancelled"],
  ]),
  invoice: diagramOf(invoices.transitions, [
    ["unpaid", "partially_paid", "a payment"],
    ["unpaid", "paid", "paid in full"],
    ["partially_paid", "paid", "paid in full"],
    ["paid", "partially_paid", "a payment is removed"],
    ["partially_paid", "unpaid", "the last payment is removed"],
  ]),
}

/** The README with the diagrams in their places. */
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
