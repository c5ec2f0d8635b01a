// The last run as a Markdown page, and the cost by size as a chart.
import { readFileSync, writeFileSync } from "node:fs"
import { arch, cpus, platform, totalmem } from "node:os"
import { barOf, isMet, valueOf, type Line } from "./bars"
import { sizes, type Curve } from "./growth"

export type Section = { title: string; lines: Line[] }

const page = "docs/performance.md"
/** Parts that are measured less often, by scripts of their own. They stay when the others are written again. */
const parts = {
  postgres: { script: "scripts/bench/postgres.ts", mark: "part about PostgreSQL" },
  long: { script: "scripts/bench/large.ts", mark: "long form" },
} as const
type Part = keyof typeof parts

const marksOf = (part: Part): [begins: string, ends: string] => [
  `<!-- The ${parts[part].mark} begins. -->`,
  `<!-- The ${parts[part].mark} ends. -->`,
]

const table = ({ title, lines }: Section): string =>
  [
    `## ${title}`,
    "",
    "| test | value | limit | | |",
    "|---|---:|---|---|---|",
    ...lines.map((line) => {
      const verdict = barOf(line) === "stated" ? "" : isMet(line) ? "pass" : "**failed**"
      return `| ${line.work} | ${valueOf(line)} | ${barOf(line)} | ${verdict} | ${line.note ?? ""} |`
    }),
    "",
  ].join("\n")

const machine = (): string =>
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory (${platform()}, ${arch()})`

/** Returns a part with its marks; empty marks if it was never measured. */
function partOf(text: string, part: Part): string {
  const [begins, ends] = marksOf(part)
  const [from, to] = [text.indexOf(begins), text.indexOf(ends)]
  return from < 0 || to < 0 ? `${begins}\n${ends}` : text.slice(from, to + ends.length)
}

/** Writes a part into the page. */
export function writePart(part: Part, section: Section): void {
  const text = readFileSync(page, "utf8")
  const [begins, ends] = marksOf(part)
  const ran = `\`bun ${parts[part].script}\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}.`
  const [heading, ...rest] = table(section).split("\n")
  const written = [begins, heading, "", ran, ...rest, ends].join("\n")
  writeFileSync(
    page,
    text.replace(partOf(text, part), () => written),
  )
}

/** Writes the page of a whole run, and keeps the other parts. */
export function writePage(sections: Section[], skipped: readonly string[], date: string): void {
  const text = readFileSync(page, "utf8")
  const kept = [partOf(text, "postgres"), "", partOf(text, "long")]
  writeFileSync(page, pageOf(sections, skipped, date, kept))
}

function pageOf(sections: Section[], skipped: readonly string[], date: string, kept: string[]): string {
  return [
    "# Performance",
    "",
    `The last run of \`bun run bench\`, on ${date}: ${machine()}, shared with the load generator.`,
    "Absolute figures depend on the machine, so compare the ratios. Both sides of a ratio are measured in the same run, in",
    "alternating rounds; every second round has the reverse order. A figure is the median of seven or more rounds (for page",
    "10,000: the mean of 60 requests).",
    "",
    ...sections.map(table),
    ...skipped.map((why) => `- ${why}`),
    ...(skipped.length > 0 ? [""] : []),
    ...kept,
    "",
    "![CPU per request by number of items](performance.svg)",
    "",
    "## What is measured",
    "",
    "Kontor is measured as the compiled binary with all functions: credentials, limits, headers, audit log and search index.",
    "The response to a write is sent only when the write is on disk (`synchronous=FULL`). There are 32 connections, 100,000",
    "items, 20,000 customers and 50,000 orders. The baselines run on the same machine, with copies of the same data:",
    "",
    "- **raw** shows the limit of the platform: `Bun.serve` with prepared statements, no credential, no validation, no",
    "  extra headers, no audit log, no search; `synchronous=NORMAL` and one transaction per write. It stores the same rows",
    "  in the same tables, with the same indexes, and counts rows for totals.",
    "- **fastify** is a handwritten server: Fastify and better-sqlite3 on Node, with the same responses and headers, and a",
    "  schema for requests; `synchronous=NORMAL`, no credential, no audit log, no search.",
    "- **directus** and **pocketbase** are other products that could be used instead, each with a collection of the same",
    "  items and the indexes that its list needs.",
    "",
    "A baseline that cannot be installed is skipped with a message.",
    "",
  ].join("\n")
}

const width = 760
const height = 420
const margin = { left: 64, right: 170, top: 24, bottom: 48 }
const colours = ["#1971c2", "#2f9e44", "#e8590c", "#9c36b5", "#e03131"]

/** Both axes are logarithmic: a flat line is a cost that does not grow. */
export function plotOf(curve: Curve): string {
  const [least, most] = [10, 10_000]
  const x = (items: number) =>
    margin.left + ((Math.log10(items) - 4) / 2) * (width - margin.left - margin.right)
  const y = (cost: number) =>
    height -
    margin.bottom -
    ((Math.log10(cost) - Math.log10(least)) / Math.log10(most / least)) *
      (height - margin.top - margin.bottom)
  const text = (at: [number, number], words: string, rest = "") =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${rest}>${words}</text>`
  const grid = [10, 100, 1_000, 10_000].map(
    (cost) =>
      `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(cost)}" y2="${y(cost)}" stroke="#ced4da"/>` +
      text([margin.left - 8, y(cost) + 4], cost.toLocaleString("en"), 'text-anchor="end"'),
  )
  const marks = sizes.map((items) =>
    text([x(items), height - margin.bottom + 20], items.toLocaleString("en"), 'text-anchor="middle"'),
  )
  const apart = labelHeights(Object.values(curve).map((costs) => y(costs.at(-1) ?? 1)))
  const lines = Object.entries(curve).map(([work, costs], i) => {
    const points = costs.map((cost, k) => `${x(sizes[k] ?? 1).toFixed(1)},${y(cost).toFixed(1)}`)
    const dots = points.map((point) => {
      const [cx, cy] = point.split(",")
      return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colours[i]}"/>`
    })
    const label = text([x(1_000_000) + 12, (apart[i] ?? 0) + 4], work, `fill="${colours[i]}"`)
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colours[i]}" stroke-width="2"/>${dots.join("")}${label}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" fill="#343a40">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...grid,
    ...marks,
    text([margin.left, 16], "server CPU per request, µs"),
    text([(margin.left + width - margin.right) / 2, height - 8], "items in the shop", 'text-anchor="middle"'),
    ...lines,
    "</svg>",
    "",
  ].join("\n")
}

/** Moves overlapping labels apart and keeps their order. */
function labelHeights(wanted: number[]): number[] {
  const order = wanted.map((at, i) => ({ at, i })).toSorted((a, b) => a.at - b.at)
  for (const [k, label] of order.entries())
    label.at = Math.max(label.at, (order[k - 1]?.at ?? -Infinity) + 16)
  return order.toSorted((a, b) => a.i - b.i).map(({ at }) => at)
}
