// The cost of documents against plain records, in server CPU per request: an order of 5 lines against an item, and a
// page of 20 orders with their lines against a page of 20 items. Rounds alternate; ratios are within one run.
import { join } from "node:path"
import { cpuOf, median, scratch, startServer } from "./server"

const rounds = 7
const perRound = 600
const atOnce = 32
const { folder, remove } = scratch()
const server = await startServer(join(folder, "k.db"))
const url = `${server.url}/api/v1`
const headers = { ...server.headers, "content-type": "application/json" }
const post = async (path: string, body: object) => {
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
  if (response.status > 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: Record<string, string> }).data
}

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
    `${name.padEnd(34)} ${Math.round(median(costs))} µs   × ${ratio.toFixed(2)}   limit ≤ ${bar}   ${ratio <= bar ? "pass" : "FAIL"}`,
  )
}
await server.stop()
remove()
process.exit(failed ? 1 : 0)

/** Server CPU per request, in microseconds. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const before = cpuOf(server.pid)
  for (let done = 0; done < perRound; done += atOnce) await Promise.all(Array.from({ length: atOnce }, work))
  return (cpuOf(server.pid) - before) / (Math.ceil(perRound / atOnce) * atOnce)
}
