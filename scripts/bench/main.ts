// Measures the compiled binary against alternatives and prints one table:
//   bun run bench [--only create] [--without directus,pocketbase] [--write]
// `--only` runs the measurements whose name contains one of the texts, separated by commas; `--write` stores a full run
// in docs/performance.md.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { isMet, type Line } from "./bars"
import { measureBatch } from "./batch"
import { measureExport } from "./export"
import { measureLoad, measureVocabulary } from "./load"
import { makeShop } from "./data"
import { measureImport } from "./import"
import { makeLargest, measureGrowth, type Curve } from "./growth"
import { measureRates, rateNames } from "./rates"
import { measurePdf } from "./pdf"
import { plotOf, writePage } from "./report"
import { needWrk, scratch } from "./server"
import { measureStart } from "./start"

const { values } = parseArgs({
  options: { only: { type: "string" }, without: { type: "string" }, write: { type: "boolean" } },
})
const only = values.only?.split(",") ?? [""]
const isWanted = (name: string) => only.some((text) => name.includes(text))
const wantedRates = rateNames.filter(isWanted)
/** The other measurements, each run as a whole. */
const wanted = {
  load: isWanted("reads under load"),
  batch: isWanted("batch"),
  growth: isWanted("growth"),
  start: isWanted("start and memory"),
  pdf: isWanted("pdf"),
  export: isWanted("export"),
  import: isWanted("import"),
}

const names = [
  ...rateNames,
  "reads under load",
  "batch",
  "growth",
  "start and memory",
  "pdf",
  "export",
  "import",
]
for (const text of only)
  if (!names.some((name) => name.includes(text)))
    fail(`--only ${JSON.stringify(text)} matches nothing. The measurements are: ${names.join("; ")}.`)
if (values.write && values.only !== undefined)
  fail("--write stores a full run, so it cannot be combined with --only.")
needWrk()
if (!(await Bun.file("dist/kontor").exists())) fail('Build the binary first: "bun run build".')

const size = { items: 100_000, customers: 20_000, orders: 50_000 }
const { folder, remove } = scratch()
const shop = join(folder, "shop.db")
const rates: Line[] = []
const load: Line[] = []
const batch: Line[] = []
const growth: Line[] = []
const start: Line[] = []
const pdf: Line[] = []
const exports: Line[] = []
const imports: Line[] = []
const skippedBaselines: string[] = []
let curve: Curve | null = null
if (wantedRates.length > 0 || wanted.load || wanted.batch || wanted.export) {
  makeShop(shop, size)
  console.log(`${size.items} items, ${size.customers} customers, ${size.orders} orders, 32 connections\n`)
}
if (wantedRates.length > 0) {
  const without = values.without?.split(",") ?? []
  const measured = await measureRates(folder, shop, size, { only: wantedRates, without })
  rates.push(...measured.lines)
  skippedBaselines.push(...measured.skippedBaselines)
}
if (wanted.load) load.push(...(await measureLoad(folder, shop, size)))
// Before the batches, which add items to the shop.
if (wanted.export) exports.push(...(await measureExport(shop)))
if (wanted.batch) batch.push(...(await measureBatch(shop)))
if (wanted.growth) {
  const measured = await measureGrowth(folder)
  growth.push(...measured.lines)
  curve = measured.curve
}
if (wanted.load || wanted.start) {
  const largest = makeLargest(folder)
  if (wanted.load) load.push(await measureVocabulary(folder, largest))
  if (wanted.start) start.push(...(await measureStart(folder, largest)))
}
if (wanted.pdf) pdf.push(...(await measurePdf()))
if (wanted.import) imports.push(...(await measureImport(folder)))
if (values.write && curve) {
  const sections = [
    { title: "Against others", lines: rates },
    { title: "Reads under load", lines: load },
    { title: "Batches", lines: batch },
    { title: "As the shop grows", lines: growth },
    { title: "Start and memory", lines: start },
    { title: "PDF", lines: pdf },
    { title: "Exports", lines: exports },
    { title: "Imports", lines: imports },
  ]
  writePage(sections, skippedBaselines, new Date().toISOString().slice(0, 10))
  writeFileSync("docs/performance.svg", plotOf(curve))
}
remove()
const all = [...rates, ...load, ...batch, ...growth, ...start, ...pdf, ...exports, ...imports]
const missed = all.filter((line) => !isMet(line)).length
console.log(missed === 0 ? "\nEvery bar is met." : `\n${missed} of ${all.length} bars missed.`)
process.exit(missed === 0 ? 0 : 1)

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
