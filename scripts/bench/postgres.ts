// Kontor on PostgreSQL compared with a file, and two servers on one database compared with one, on the same data:
//   bun scripts/bench/postgres.ts [--only search] [--items NUMBER] [--rounds NUMBER] [--write]
// PostgreSQL runs on the same machine. `--only` runs the measurements whose name contains the text. `--write` stores the figures in docs/performance.md.
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { postgres, type PostgresServer } from "../../test/support/postgres"
import { isMet, show, type Line } from "./bars"
import { categories, customerId, lexicon, makeShop } from "./data"
import { writePart } from "./report"
import { learned, median, needWrk, scratch, startServer, type Server } from "./server"
import { load, scriptOf } from "./wrk"

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    items: { type: "string" },
    rounds: { type: "string" },
    write: { type: "boolean" },
  },
})
const items = Number(values.items ?? 100_000)
const size = { items, customers: items / 5, orders: items / 2 }
const rounds = Number(values.rounds ?? 7)
const connections = 32

/** The names of the servers on PostgreSQL, which their connections have too. */
const names = ["one", "other"]
type Named = Server & { name: string }

/** The bodies of wrk's request functions, and whether a second server should raise the rate. */
const works: Record<string, { lua: string; isRead: boolean }> = worksOf()

if (values.write && values.only !== "") {
  console.error("--write stores a full run, so it cannot be combined with --only.")
  process.exit(2)
}
needWrk()
const { folder, remove } = scratch()
// Commits are on the disk when they are answered, as those of a file.
const database = await postgres({ fsync: true, settings: ["shared_buffers = 512MB", "max_wal_size = 2GB"] })
try {
  const lines = await measure(database)
  const missed = lines.filter((line) => !isMet(line)).length
  if (values.write) writePart("postgres", { title: "PostgreSQL", lines })
  console.log(missed === 0 ? "\nEvery bar is met." : `\n${missed} of ${lines.length} bars missed.`)
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  database.stop()
  remove()
}

async function measure(server: PostgresServer): Promise<Line[]> {
  const [file, url] = [join(folder, "shop.db"), server.createDatabase("shop")]
  for (const shop of [file, url]) makeShop(shop, size)
  const named = (name: string) => `${url}&application_name=${name}`
  const onPostgres = []
  for (const name of names) onPostgres.push({ ...(await startServer(named(name))), name })
  const [one, other] = onPostgres as [Named, Named]
  const servers = [await startServer(file), one, other] as const
  for (const each of servers) await learned(each)
  const lines: Line[] = []
  for (const [work, { lua, isRead }] of Object.entries(works).filter(([name]) => name.includes(values.only)))
    lines.push(...(await compare(work, lua, servers, { isRead, database: server })))
  for (const each of servers) await each.stop()
  return lines
}

/**
 * The rates of a file, of one server on PostgreSQL and of two, in rounds that alternate. Two servers are measured twice: on
 * all cores, which they share with PostgreSQL and the load, and each on a core of its own with its connections and its load,
 * compared with one such server. The latter shows what a further machine adds.
 */
async function compare(
  work: string,
  lua: string,
  [file, one, other]: readonly [Server, Named, Named],
  { isRead, database }: { isRead: boolean; database: PostgresServer },
): Promise<Line[]> {
  const sides: Record<string, { used: readonly Server[]; areAlone: boolean }> = {
    file: { used: [file], areAlone: false },
    one: { used: [one], areAlone: false },
    two: { used: [one, other], areAlone: false },
    oneAlone: { used: [one], areAlone: true },
    twoAlone: { used: [one, other], areAlone: true },
  }
  const scripts = new Map(
    [file, one, other].map((each) => [each, scriptOf(folder, { lua, headers: each.headers })]),
  )
  const rates: Record<string, number[]> = Object.fromEntries(Object.keys(sides).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    const order = Object.entries(sides)
    for (const [name, { used, areAlone }] of round % 2 === 0 ? order : order.toReversed()) {
      for (const [core, server] of [one, other].entries()) place(database, server, areAlone ? core : null)
      const results = await Promise.all(
        used.map((each, core) =>
          load(each, scripts.get(each) ?? "", {
            connections: connections / (areAlone ? 2 : used.length),
            core: areAlone ? core : null,
          }),
        ),
      )
      // The first round is a warm-up.
      if (round > 0) rates[name]?.push(results.reduce((sum, { rate }) => sum + rate, 0))
    }
  }
  const ratio = (a: string, b: string) =>
    median((rates[a] ?? []).map((rate, i) => rate / (rates[b]?.[i] ?? NaN)))
  const figure = (name: string, words: string) => `${words} ${Math.round(median(rates[name] ?? []))}/s`
  const onOne = figure("one", "one server")
  return [
    show({
      work: `${work}: PostgreSQL ÷ SQLite`,
      value: ratio("one", "file"),
      note: `${onOne}, ${figure("file", "SQLite")}`,
    }),
    show({
      work: `${work}: two servers ÷ one, all on two cores`,
      value: ratio("two", "one"),
      note: `${figure("two", "two servers")}, ${onOne}`,
    }),
    show({
      work: `${work}: two servers ÷ one, each on its own core`,
      value: ratio("twoAlone", "oneAlone"),
      ...(isRead ? { atLeast: 1.6 } : {}),
      note: `${figure("twoAlone", "two servers")}, ${figure("oneAlone", "one server")}`,
    }),
  ]
}

/** Lets a server and its connections run on one core, or on all of them. */
function place(database: PostgresServer, { pid, name }: Named, core: number | null): void {
  const db = new PostgresDatabase(database.url("shop"))
  const found = db.query<{ pid: number }, [string]>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = ?",
  )
  const pids = [pid, ...found.all(name).map((each) => each.pid)]
  db.close()
  const cores = core === null ? `0-${availableParallelism() - 1}` : String(core)
  for (const each of pids) Bun.spawnSync(["taskset", "-a", "-c", "-p", cores, String(each)])
}

function worksOf(): typeof works {
  const get = (path: string) => `return wrk.format("GET", ${path})`
  const post = (path: string, body: string) => `return wrk.format("POST", "${path}", nil, ${body})`
  const listed = (words: readonly string[]) =>
    `({${words.map((word) => `"${word}"`).join(",")}})[random(${words.length})]`
  const anyOf = (prefix: string, count: number) => `string.format("${prefix}_%026d", random(${count}))`
  const line = `'{"quantity":2,"item":"' .. ${anyOf("itm", size.items)} .. '"}'`
  const lines = Array.from({ length: 5 }, () => line).join(" .. ',' .. ")
  const customer = anyOf(customerId(0).slice(0, 3), size.customers)
  return {
    get: { lua: get(`"/api/v1/items/" .. ${anyOf("itm", size.items)}`), isRead: true },
    "list of 20 with filter and total": {
      lua: get(`"/api/v1/items?category=" .. ${listed(categories)}`),
      isRead: true,
    },
    search: { lua: get(`"/api/v1/search?q=" .. ${listed(lexicon.slice(200, 400))}`), isRead: true },
    "create an item": {
      lua: post(
        "/api/v1/items",
        `'{"itemCode":"P-' .. unique() .. '","itemName":"Bench item","sellingPrice":12.5}'`,
      ),
      isRead: false,
    },
    "create an order of 5 lines": {
      lua: post(
        "/api/v1/sales-orders",
        `'{"customer":"' .. ${customer} .. '","items":[' .. ${lines} .. ']}'`,
      ),
      isRead: false,
    },
  }
}
