// Measures the compiled binary against the physical limit on the same data, as ratios inside one run.
// The load comes from wrk (Debian package "wrk"); absolute numbers are noise on a shared machine.
import { Database } from "bun:sqlite"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { median, needWrk, scratch, startServer } from "./server"

const rows = 100_000
const rounds = 7
const seconds = 2
const bars: Record<string, number> = { get: 0.75, list: 1.0, create: 0.6 }

needWrk()
if (!(await Bun.file("dist/kontor").exists())) fail('Build the binary first: "bun run build".')

const { folder, remove } = scratch()
const file = join(folder, "kontor.db")
Bun.spawnSync(["dist/kontor", "migrate", "--db", file])
const ids = fill(new Database(file))
const kontor = await startServer(file)
const raw = await startRaw()

const works = {
  get: script(`path = prefix .. "/" .. ids[math.random(#ids)]; return wrk.format("GET", path)`),
  list: script(`return wrk.format("GET", prefix .. "?category=Category%207")`),
  create: script(
    `n = n + 1; return wrk.format("POST", prefix, nil, '{"itemCode":"B-' .. math.random(1e15) .. '","itemName":"Bench item","sellingPrice":12.5}')`,
  ),
}

console.log(`${rows} items, 32 connections, ${rounds} rounds of ${seconds} s each way, medians\n`)
let failed = false
for (const [work, lua] of Object.entries(works)) {
  const ratios: number[] = []
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? ["kontor", "raw"] : ["raw", "kontor"]
    const rate: Record<string, number> = {}
    for (const side of order) rate[side] = load(side === "kontor" ? kontor.url : raw.url, lua, side)
    ratios.push((rate.kontor ?? 0) / (rate.raw ?? 1))
    rates.push(rate.kontor ?? 0)
  }
  const ratio = median(ratios)
  const bar = bars[work] ?? 0
  failed ||= ratio < bar
  console.log(
    `${work.padEnd(8)} ${Math.round(median(rates)).toString().padStart(7)}/s   ÷ raw ${ratio.toFixed(2)}   bar ${bar.toFixed(2)}   ${ratio >= bar ? "pass" : "FAIL"}`,
  )
}
await kontor.stop()
raw.child.kill()
remove()
process.exit(failed ? 1 : 0)

function fill(db: Database): string[] {
  db.run("CREATE TABLE raw_items (id TEXT PRIMARY KEY, code TEXT, name TEXT, price INTEGER, created_at TEXT)")
  db.run(
    `INSERT INTO items (id, item_code, item_code_key, item_code_sort, item_name, item_name_sort, category, category_sort,
       item_type, uom, uom_sort, selling_price, cost_price, tax_rate, reorder_level, reorder_qty, images, is_active,
       version, created_at, updated_at)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
     SELECT printf('itm_%026d', i), 'C-' || i, 'c-' || i, 'c-' || i, 'Item number ' || i, 'item number ' || i,
       'Category ' || (i % 20), 'category ' || (i % 20), 'Product', 'Nos', 'nos', i * 100, i * 50, 0, 0, 0, '[]', 1, 1,
       strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + i, 'unixepoch'), '2026-01-01T00:00:00.000Z' FROM n`,
  )
  const some = db.query<{ id: string }, []>("SELECT id FROM items WHERE seq % 50 = 0").all()
  db.close()
  return some.map(({ id }) => id)
}

async function startRaw(): Promise<{ url: string; child: Bun.Subprocess }> {
  const child = Bun.spawn([process.execPath, "scripts/bench/raw.ts", file], {
    stdout: "pipe",
    stderr: "inherit",
  })
  const line = new TextDecoder().decode((await child.stdout.getReader().read()).value)
  return { url: `http://127.0.0.1:${line.trim()}`, child }
}

function script(request: string): string {
  const lua = join(folder, `${Math.random()}.lua`)
  writeFileSync(
    lua,
    `local n = 0\nlocal ids = {${ids.map((id) => `"${id}"`).join(",")}}\nlocal prefix\n` +
      `function init(args) prefix = args[1]; wrk.headers["Authorization"] = args[2]; wrk.headers["Content-Type"] = "application/json"; math.randomseed(os.time() + tonumber(tostring({}):sub(8)) % 1e6) end\n` +
      `function request() ${request.replace("path =", "local path =")} end\n`,
  )
  return lua
}

function load(url: string, lua: string, side: string): number {
  const prefix = side === "kontor" ? "/api/v1/items" : "/items"
  const { stdout } = Bun.spawnSync(
    ["wrk", "-t2", "-c32", `-d${seconds}s`, "-s", lua, url, "--", prefix, kontor.headers.authorization ?? ""],
    { env: process.env },
  )
  const text = stdout.toString()
  if (/Non-2xx/.test(text)) fail(`${side} refused requests:\n${text}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
