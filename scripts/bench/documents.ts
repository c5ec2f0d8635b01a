// What documents cost against plain records, in server CPU a request: an order of 5 lines against an item, and a page of
// 20 orders with their lines against a page of 20 items. Rounds alternate; ratios inside one run.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const rounds = 7
const perRound = 600
const atOnce = 32
const folder = mkdtempSync(join(tmpdir(), "kontor-documents-"))
const env = {
  ...process.env,
  KONTOR_ADMIN_EMAIL: "bench@example.com",
  KONTOR_ADMIN_PASSWORD: "bench bench bench",
  KONTOR_PLANS: "enterprise=100000000:unlimited",
}
const kontor = Bun.spawn(
  ["dist/kontor", "serve", "--db", join(folder, "k.db"), "--port", "0", "--log-level", "error"],
  {
    env,
    stdout: "pipe",
    stderr: "inherit",
  },
)
const first = await kontor.stdout.getReader().read()
const url = `${/http:\S+/.exec(new TextDecoder().decode(first.value))?.[0] ?? ""}/api/v1`
const headers: Record<string, string> = { "content-type": "application/json" }
const post = async (path: string, body: object) => {
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
  if (response.status > 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: Record<string, string> }).data
}
const { token } = await post("/auth/login", {
  email: env.KONTOR_ADMIN_EMAIL,
  password: env.KONTOR_ADMIN_PASSWORD,
})
headers.authorization = `Bearer ${token}`

let made = 0
const item = () => post("/items", { itemCode: `B-${++made}`, itemName: "Bench item", sellingPrice: 12.5 })
const items = await Promise.all(Array.from({ length: 50 }, item))
const customer = (await post("/customers", { name: "Bench customer" })).id
const order = () =>
  post("/sales-orders", {
    customer,
    items: Array.from({ length: 5 }, (_, i) => ({ item: items[(made + i) % 50]?.id, quantity: 1 + i })),
  })
const list = (kind: string) => async () =>
  void (await (await fetch(`${url}/${kind}?perPage=20`, { headers })).arrayBuffer())

const pairs = [
  { name: "order of 5 lines ÷ item, create", big: order, small: item, bar: 3 },
  { name: "page of 20 orders ÷ 20 items", big: list("sales-orders"), small: list("items"), bar: 3 },
]
let failed = false
for (const { name, big, small, bar } of pairs) {
  const ratios: number[] = []
  const costs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? ["big", "small"] : ["small", "big"]
    const spent: Record<string, number> = {}
    for (const side of order) spent[side] = await cost(side === "big" ? big : small)
    const [a = 0, b = 1] = [spent.big, spent.small]
    ratios.push(a / b)
    costs.push(a)
  }
  const ratio = median(ratios)
  failed ||= ratio > bar
  console.log(
    `${name.padEnd(34)} ${Math.round(median(costs))} µs   × ${ratio.toFixed(2)}   bar ≤ ${bar}   ${ratio <= bar ? "pass" : "FAIL"}`,
  )
}
kontor.kill()
rmSync(folder, { recursive: true, force: true })
process.exit(failed ? 1 : 0)

/** Server CPU microseconds a request. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const before = ticks()
  for (let done = 0; done < perRound; done += atOnce) await Promise.all(Array.from({ length: atOnce }, work))
  return ((ticks() - before) * 10_000) / (Math.ceil(perRound / atOnce) * atOnce)
}

/** User and system time of the server, in ticks of 10 ms. */
function ticks(): number {
  const fields = readFileSync(`/proc/${kontor.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return Number(fields[11]) + Number(fields[12])
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
