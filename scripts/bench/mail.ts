// The effect of mail on other requests: p99 of reads and of writes alone, and while 500 invoices are drawn and sent as fast
// as the settings allow, in one run. It is measured until all of them were sent.
//   bun scripts/bench/mail.ts [messages]
import { join } from "node:path"
import { scriptedServer, stopMailServers } from "../../test/support/mail-server"
import { isMet, type Line, show } from "./bars"
import { makeShop } from "./data"
import { median, needWrk, scratch, startServer } from "./server"
import { load, scriptOf } from "./wrk"

const messages = Number(process.argv[2] ?? 500)
const leastRounds = 4
needWrk()
const { folder, remove } = scratch()
const file = join(folder, "k.db")
makeShop(file, { items: 10_000, customers: 1, orders: 0 })
const server = await startServer(file)
const relay = await scriptedServer()

async function call(method: string, path: string, body: object): Promise<any> {
  const headers = { ...server.headers, "content-type": "application/json" }
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { data: any }).data
}

/** Issues invoices of which no PDF exists yet, and sends them. */
async function sendAll(): Promise<void> {
  const customer = await call("POST", "/customers", {
    name: "Kunde",
    customerNumber: "MAIL",
    email: "kunde@shop.example",
  })
  const lines = Array.from({ length: 5 }, (_, i) => ({ description: `Work ${i}`, quantity: 2, rate: 40 }))
  const body = { customer: customer.id, status: "unpaid", send: true, items: lines }
  const operations = Array.from({ length: messages }, () => ({ op: "create", body }))
  await call("POST", "/invoices/batch", { mode: "each", operations })
}

const scripts = {
  reads: scriptOf(folder, {
    lua: `return wrk.format("GET", "/api/v1/items?perPage=20")`,
    headers: server.headers,
  }),
  writes: scriptOf(folder, {
    lua: `return wrk.format("POST", "/api/v1/items", nil, '{"itemCode":"W-' .. unique() .. '","itemName":"Written","sellingPrice":12.5}')`,
    headers: server.headers,
  }),
}
type Kind = keyof typeof scripts
const kinds = Object.keys(scripts) as Kind[]

async function measured(isOver: () => boolean): Promise<Record<Kind, number[]>> {
  const found: Record<Kind, number[]> = { reads: [], writes: [] }
  for (let round = 0; round < leastRounds || !isOver(); round++)
    for (const kind of kinds)
      found[kind].push((await load(server, scripts[kind], { connections: 16, seconds: 3 })).p99)
  return found
}

const security = { security: "none", auth: "none", from: "shop@shop.example", perMinute: 1_000 }
await call("PUT", "/settings", { smtp: { host: "127.0.0.1", port: relay.port, ...security } })
const sent = () => relay.lines.filter((line) => line === ".").length
const alone = await measured(() => true)
await sendAll()
const before = sent()
const during = await measured(() => sent() === messages)
await server.stop()
await stopMailServers()
remove()
const lines: Line[] = kinds.map((kind) =>
  show({
    work: `p99 of ${kind} while ${messages - before} of ${messages} messages are sent ÷ alone`,
    value: median(during[kind]) / median(alone[kind]),
    atMost: 3,
    note: `${median(during[kind]).toFixed(1)} and ${median(alone[kind]).toFixed(1)} ms in ${during[kind].length} rounds`,
  }),
)
process.exit(lines.every(isMet) ? 0 : 1)
