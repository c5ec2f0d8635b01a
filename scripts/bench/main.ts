// Measures the compiled binary against the physical limit on the same data, as ratios inside one run.
// The load comes from wrk (Debian package "wrk"); absolute numbers are noise on a shared machine.
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const rows = 100_000
const rounds = 7
const seconds = 2
const bars: Record<string, number> = { get: 0.75, list: 1.0, create: 0.6 }

if (!Bun.which("wrk")) fail('The load generator "wrk" is missing. On Debian: apt-get install wrk')
if (!(await Bun.file("dist/kontor").exists())) fail('Build the binary first: "bun run build".')

const folder = mkdtempSync(join(tmpdir(), "kontor-bench-"))
const file = join(folder, "kontor.db")
const env = {
  ...process.env,
  KONTOR_ADMIN_EMAIL: "bench@example.com",
  KONTOR_ADMIN_PASSWORD: "bench bench bench",
  KONTOR_PLANS: "enterprise=100000000:unlimited",
}

Bun.spawnSync(["dist/kontor", "migrate", "--db", file])
const ids = fill(new Database(file))
const kontor = await start(["dist/kontor", "serve", "--db", file, "--port", "0", "--log-level", "error"])
const raw = await start([process.execPath, "scripts/bench/raw.ts", file])
const login = await fetch(`${kontor.url}/api/v1/auth/login`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ email: env.KONTOR_ADMIN_EMAIL, password: env.KONTOR_ADMIN_PASSWORD }),
})
const { data } = (await login.json()) as { data: { token: string } }

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
kontor.child.kill()
raw.child.kill()
rmSync(folder, { recursive: true, force: true })
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

async function start(command: string[]): Promise<{ url: string; child: Bun.Subprocess }> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit", env })
  for await (const chunk of child.stdout as unknown as AsyncIterable<Uint8Array>) {
    const port = /(\d+)\s*$/.exec(new TextDecoder().decode(chunk).split("\n")[0] ?? "")?.[1]
    if (port) return { url: `http://127.0.0.1:${port}`, child }
  }
  return fail(`${command[0]} did not start.`)
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
    ["wrk", "-t2", "-c32", `-d${seconds}s`, "-s", lua, url, "--", prefix, `Bearer ${data.token}`],
    { env: process.env },
  )
  const text = stdout.toString()
  if (/Non-2xx/.test(text)) fail(`${side} refused requests:\n${text}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0)
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
