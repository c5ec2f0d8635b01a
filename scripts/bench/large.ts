// The long form of the benchmark: one file with 10,000,000 items, compared with 100,000 items in the same run.
//   bun scripts/bench/large.ts [--items NUMBER] [--file FILE] [--write]
// `--file` keeps the large shop, and uses it again if it exists: it takes half an hour to create. `--write` stores the
// figures in docs/performance.md.
import { copyFileSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { syncFile } from "../../src/core/engine/backup/files"
import { isMet, show, type Line } from "./bars"
import { categories, itemId, makeShop } from "./data"
import { costOf, requestsOf } from "./growth"
import { writePart } from "./report"
import { learned, median, needWrk, scratch, startServer, type Server } from "./server"
import { load, scriptOf } from "./wrk"

const { values } = parseArgs({
  options: { items: { type: "string" }, file: { type: "string" }, write: { type: "boolean" } },
})
const items = Number(values.items ?? 10_000_000)
const rounds = 5
needWrk()
const { folder, remove } = scratch()
const lines = await measure()
remove()
const missed = lines.filter((line) => !isMet(line)).length
if (values.write) writePart("long", { title: `With ${items.toLocaleString("en")} items`, lines })
console.log(missed === 0 ? "\nEvery bar is met." : `\n${missed} of ${lines.length} bars missed.`)
process.exit(missed === 0 ? 0 : 1)

async function measure(): Promise<Line[]> {
  const size = { customers: 20_000, orders: 10_000 }
  const [small, large] = [join(folder, "small.db"), values.file ?? join(folder, "large.db")]
  makeShop(small, { ...size, items: 100_000 })
  const fill = existsSync(large) ? [] : [fillRate(large, () => makeShop(large, { ...size, items }))]
  const servers = [await startServer(small), await startServer(large)] as const
  await Promise.all(servers.map(learned))
  await readOnce(large)
  const costs = await measureCosts(servers)
  const waits = await measureLists(servers[1])
  await Promise.all(servers.map((server) => server.stop()))
  return [...fill, ...costs, ...waits, await measureBackup(large)]
}

/** Reads a file, so that the system has it in memory as it has the small one. */
async function readOnce(file: string): Promise<void> {
  for await (const _ of Bun.file(file).stream());
}

function fillRate(file: string, fill: () => void): Line {
  const began = performance.now()
  fill()
  const seconds = (performance.now() - began) / 1000
  const note = `${(Bun.file(file).size / 1e9).toFixed(1)} GB`
  return show({ work: "items per second while the file is filled", value: items / seconds, note })
}

/** The CPU per request compared with the small shop. */
async function measureCosts(servers: readonly [Server, Server]): Promise<Line[]> {
  const [small, large] = servers
  const requests = [await requestsOf(small, 100_000), await requestsOf(large, items)] as const
  const counts = { get: 4_000, "first page": 1_000, create: 1_500, search: 300 } as const
  const measured: Line[] = []
  for (const [work, count] of Object.entries(counts) as [keyof typeof counts, number][]) {
    const costs: [number[], number[]] = [[], []]
    for (let round = 0; round <= rounds; round++)
      for (const i of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const cost = await costOf(servers[i], requests[i][work], count)
        // The first round is a warm-up.
        if (round > 0) costs[i].push(cost)
      }
    const [before, after] = costs.map(median) as [number, number]
    const note = `${Math.round(before)} → ${Math.round(after)} µs of CPU`
    measured.push(show({ work: `${work} ÷ at 100,000`, value: after / before, atMost: 2, note }))
  }
  return measured
}

/** The p99 of reads while lists run that count, skip, filter and sort many records, and writes that end every cache. */
async function measureLists(server: Server): Promise<Line[]> {
  const script = scriptOf(folder, {
    lua: `return wrk.format("GET", string.format("/api/v1/items/${itemId(0).slice(0, 4)}%026d", random(${items})))`,
    headers: server.headers,
  })
  const p99 = async () => (await load(server, script, { connections: 8, seconds: 4 })).p99
  const lists: Record<string, string> = {
    "first page": "/items",
    "page of a category": `/items?category=${categories[3]}`,
    "page far behind": `/items?page=${Math.floor(items / 25)}`,
    "unindexed filter": "/items?sellingPrice[lt]=0.01",
    "unindexed sort": "/items?sort=sellingPrice",
  }
  const alone: number[] = []
  const measured: Line[] = []
  for (const [name, path] of Object.entries(lists)) {
    alone.push(await p99())
    const running = runLists(server, path)
    const during = [await p99(), await p99(), await p99()]
    const took = await running.stop()
    const [p, base] = [median(during), median(alone)]
    const note = `${p.toFixed(2)} and ${base.toFixed(2)} ms; the list takes ${Math.round(took)} ms`
    measured.push(show({ work: `p99 of get during: ${name} ÷ alone`, value: p / base, atMost: 5, note }))
  }
  return measured
}

/** Requests a list again and again, four at a time, each after a write. */
function runLists({ url, headers }: Server, path: string) {
  let isRunning = true
  const times: number[] = []
  const one = async (worker: number) => {
    for (let i = 0; isRunning; i++) {
      const item = { itemCode: `L-${Date.now()}-${worker}-${i}`, itemName: "Written", sellingPrice: 5 }
      await fetch(`${url}/api/v1/items`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(item),
      })
      const began = performance.now()
      const response = await fetch(`${url}/api/v1${path}`, { headers })
      await response.arrayBuffer()
      // A scan of too many records is refused when it has reached the limit.
      if (!response.ok && response.status !== 422) throw new Error(`${path}: ${response.status}`)
      times.push(performance.now() - began)
    }
  }
  const workers = Promise.all([1, 2, 3, 4].map(one))
  return {
    async stop(): Promise<number> {
      isRunning = false
      await workers
      return median(times)
    },
  }
}

/** A checked backup compared with a plain copy, each on the disk at its end. */
async function measureBackup(file: string): Promise<Line> {
  const target = join(folder, "copy.db")
  const timed = async (work: () => void | Promise<void>): Promise<number> => {
    const began = performance.now()
    await work()
    rmSync(target, { force: true })
    return (performance.now() - began) / 1000
  }
  const copy = () =>
    timed(() => {
      copyFileSync(file, target)
      syncFile(target)
    })
  const backup = () =>
    timed(async () => {
      const child = Bun.spawn(["dist/kontor", "backup", target, "--db", file], { stdout: "ignore" })
      if ((await child.exited) !== 0) throw new Error("The backup failed.")
    })
  const first = await copy()
  const checked = await backup()
  const plain = (first + (await copy())) / 2
  const note = `${checked.toFixed(0)} and ${plain.toFixed(0)} s for ${(Bun.file(file).size / 1e9).toFixed(1)} GB`
  return show({ work: "a checked backup ÷ a plain copy", value: checked / plain, atMost: 1.5, note })
}
