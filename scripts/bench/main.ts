// Measures the compiled binary against what people would use instead, and prints one table:
//   bun run bench [--only create] [--without directus,pocketbase] [--write]
// `--only` runs the contests whose name holds the words; `--write` keeps the run in docs/performance.md.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { isMet, type Line } from "./bars"
import { measureCompany, measureLearning } from "./company"
import { makeShop } from "./data"
import { measureGrowth } from "./growth"
import { measureRates } from "./rates"
import { pageOf, plotOf } from "./report"
import { needWrk, scratch } from "./server"
import { measureStart } from "./start"

const { values } = parseArgs({
  options: { only: { type: "string" }, without: { type: "string" }, write: { type: "boolean" } },
})
const size = { items: 100_000, customers: 20_000, orders: 50_000 }

needWrk()
if (!(await Bun.file("dist/kontor").exists())) {
  console.error('Build the binary first: "bun run build".')
  process.exit(1)
}
const { folder, remove } = scratch()
const shop = join(folder, "shop.db")
makeShop(shop, size)
console.log(`${size.items} items, ${size.customers} customers, ${size.orders} orders, 32 connections\n`)
const choice = { only: values.only, without: values.without?.split(",") ?? [] }
const { lines: rates, leftOut } = await measureRates(folder, shop, size, choice)
const all: Line[] = [...rates]
if (values.only === undefined) {
  const company = await measureCompany(folder, shop, size)
  const { lines: growth, curve, largest } = await measureGrowth(folder)
  company.push(await measureLearning(folder, largest))
  const start = await measureStart(folder, largest)
  all.push(...company, ...growth, ...start)
  if (values.write) {
    const sections = [
      { title: "Against others", lines: rates },
      { title: "In company", lines: company },
      { title: "As the shop grows", lines: growth },
      { title: "Start and memory", lines: start },
    ]
    writeFileSync("docs/performance.md", pageOf(sections, leftOut, new Date().toISOString().slice(0, 10)))
    writeFileSync("docs/performance.svg", plotOf(curve))
  }
}
remove()
const missed = all.filter((line) => !isMet(line)).length
console.log(missed === 0 ? "\nEvery bar is met." : `\n${missed} of ${all.length} bars missed.`)
process.exit(missed === 0 ? 0 : 1)
