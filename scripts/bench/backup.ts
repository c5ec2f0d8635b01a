// What a backup does to everybody else: p99 of writes alone and while copies are made one after the other, in one run.
import { Database } from "bun:sqlite"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { median, needWrk, scratch, startServer } from "./server"

const items = Number(process.argv[2] ?? 100_000)
const rounds = 5
const seconds = 4
const bar = 2
needWrk()
const { folder, remove } = scratch()
const file = join(folder, "k.db")
Bun.spawnSync(["dist/kontor", "migrate", "--db", file])
fill(new Database(file))
const server = await startServer(file)
const lua = join(folder, "post.lua")
writeFileSync(
  lua,
  `math.randomseed(os.time() + tonumber(tostring({}):sub(8)) % 1e6)
  function request() return wrk.format("POST", nil, nil, '{"itemCode":"W-' .. math.random(1e15) .. '","itemName":"Written","sellingPrice":12.5}') end`,
)

const alone: number[] = []
const during: number[] = []
let copies = 0
for (let round = 0; round < rounds; round++) {
  alone.push(await p99())
  let isCopying = true
  const copying = (async () => {
    while (isCopying) {
      const answer = await fetch(`${server.url}/api/v1/backups`, { method: "POST", headers: server.headers })
      if (answer.ok) copies++
      await answer.arrayBuffer()
    }
  })()
  during.push(await p99())
  isCopying = false
  await copying
}
await server.stop()
remove()
const ratio = median(during) / median(alone)
console.log(
  `${items} items; p99 of writes alone ${median(alone).toFixed(1)} ms, while ${copies} copies were made ${median(during).toFixed(1)} ms: × ${ratio.toFixed(2)}   bar ≤ ${bar}   ${ratio <= bar ? "pass" : "FAIL"}`,
)
process.exit(ratio <= bar ? 0 : 1)

async function p99(): Promise<number> {
  const wrk = Bun.spawn(
    [
      "wrk",
      "-t1",
      "-c16",
      `-d${seconds}s`,
      "--latency",
      "-s",
      lua,
      "-H",
      `Authorization: ${server.headers.authorization}`,
      "-H",
      "Content-Type: application/json",
      `${server.url}/api/v1/items`,
    ],
    { stdout: "pipe" },
  )
  const text = await new Response(wrk.stdout).text()
  const [, value = "0", unit = "ms"] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? 1)
}

function fill(db: Database): void {
  db.run(
    `INSERT INTO items (id, item_code, item_code_key, item_code_sort, item_name, item_name_sort, item_type, uom, uom_sort,
       selling_price, cost_price, tax_rate, reorder_level, reorder_qty, images, is_active, version, created_at, updated_at)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${items})
     SELECT printf('itm_%026d', i), 'C-' || i, 'c-' || i, 'c-' || i, 'Item number ' || i, 'item number ' || i, 'Product',
       'Nos', 'nos', i * 100, i * 50, 0, 0, 0, '[]', 1, 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n`,
  )
  db.close()
}
