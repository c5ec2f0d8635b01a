// The effect of backups on other requests: p99 of writes alone and while backups are created one after the other, in
// one run.
//   bun scripts/bench/backup.ts [items]
import { join } from "node:path"
import { isMet, show } from "./bars"
import { makeShop } from "./data"
import { median, needWrk, scratch, startServer } from "./server"
import { load, scriptOf } from "./wrk"

const items = Number(process.argv[2] ?? 100_000)
const rounds = 5
needWrk()
const { folder, remove } = scratch()
const file = join(folder, "k.db")
makeShop(file, { items, customers: 1, orders: 0 })
const server = await startServer(file)
const script = scriptOf(folder, {
  lua: `return wrk.format("POST", "/api/v1/items", nil, '{"itemCode":"W-' .. unique() .. '","itemName":"Written","sellingPrice":12.5}')`,
  headers: server.headers,
})
const p99 = async () => (await load(server, script, { connections: 16, seconds: 4 })).p99

const alone: number[] = []
const during: number[] = []
let backups = 0
for (let round = 0; round < rounds; round++) {
  alone.push(await p99())
  let isCopying = true
  const copying = (async () => {
    while (isCopying) {
      const answer = await fetch(`${server.url}/api/v1/backups`, { method: "POST", headers: server.headers })
      if (answer.ok) backups++
      await answer.arrayBuffer()
    }
  })()
  during.push(await p99())
  isCopying = false
  await copying
}
await server.stop()
remove()
const line = show({
  work: `p99 of writes during ${backups} backups ÷ alone`,
  value: median(during) / median(alone),
  atMost: 2,
  note: `${median(during).toFixed(1)} and ${median(alone).toFixed(1)} ms`,
})
process.exit(isMet(line) ? 0 : 1)
