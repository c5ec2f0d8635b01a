// The cost of an import of 100,000 items: the time that it takes, the memory of the server above idle, and the p99 of
// other requests while the file is checked and while the items are written.
import { join } from "node:path"
import { show, type Line } from "./bars"
import { itemId, makeShop } from "./data"
import { learned, median, residentOf, startServer, type Server } from "./server"
import { load, scriptOf } from "./wrk"

const rows = 100_000
const known = 1_000
const rounds = 7

export async function measureImport(folder: string): Promise<Line[]> {
  const file = join(folder, "import.db")
  makeShop(file, { items: known, customers: 1, orders: 0 })
  const server = await startServer(file)
  await learned(server)
  const lines = [...(await measureAlone(server)), ...(await measureWaits(folder, server))]
  await server.stop()
  return lines
}

/** The time and the memory of an import while there are no other requests. */
async function measureAlone(server: Server): Promise<Line[]> {
  const idle = residentOf(server.pid)
  let most = idle
  const began = performance.now()
  const id = await startImport(server, "A")
  for (let status = ""; !isOver(status); await Bun.sleep(100)) {
    status = await statusOf(server, id)
    most = Math.max(most, residentOf(server.pid))
  }
  const seconds = (performance.now() - began) / 1000
  return [
    show({ work: "import of 100,000 items", value: seconds, unit: " s" }),
    show({
      work: "memory of an import of 100,000 items above idle",
      value: most - idle,
      unit: " MB",
      atMost: 150,
      note: `${most} and ${idle} MB`,
    }),
  ]
}

/** The p99 of reads while an import checks its file, and while it writes, against reads before and after it. */
async function measureWaits(folder: string, server: Server): Promise<Line[]> {
  const script = scriptOf(folder, {
    lua: `return wrk.format("GET", string.format("/api/v1/items/${itemId(0).slice(0, 4)}%026d", random(${known})))`,
    headers: server.headers,
  })
  const p99 = async () => (await load(server, script, { connections: 8, seconds: 2 })).p99
  const alone: number[] = []
  for (let round = 0; round < rounds; round++) alone.push(await p99())
  const id = await startImport(server, "B")
  const during: Record<string, number[]> = { checking: [], applying: [] }
  for (const [stage, times] of Object.entries(during)) {
    for (let status = ""; status !== stage; await Bun.sleep(20)) {
      status = await statusOf(server, id)
      if (isOver(status)) throw new Error(`The import ended before it was measured while ${stage}.`)
    }
    while (times.length < rounds && (await statusOf(server, id)) === stage) times.push(await p99())
  }
  await fetch(`${server.url}/api/v1/imports/${id}/cancel`, { method: "POST", headers: server.headers })
  for (let round = 0; round < rounds; round++) alone.push(await p99())
  return Object.entries(during).map(([stage, times]) =>
    show({
      work: `p99 of get while an import is ${stage} ÷ alone`,
      value: median(times) / median(alone),
      atMost: 3,
      note: `${median(times).toFixed(2)} and ${median(alone).toFixed(2)} ms`,
    }),
  )
}

const isOver = (status: string): boolean => status === "finished"

async function startImport({ url, headers }: Server, prefix: string): Promise<string> {
  const lines = Array.from(
    { length: rows },
    (_, i) => `${prefix}-${i},Imported thing number ${i},Imported,${i % 900}.5,"A thing, imported"\n`,
  )
  const response = await fetch(`${url}/api/v1/imports?kind=items`, {
    method: "POST",
    headers: { ...headers, "content-type": "text/csv" },
    body: `itemCode,itemName,category,sellingPrice,description\n${lines.join("")}`,
  })
  if (!response.ok) throw new Error(`The import was refused: ${await response.text()}`)
  return ((await response.json()) as { data: { id: string } }).data.id
}

async function statusOf({ url, headers }: Server, id: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/imports/${id}`, { headers })
  const { data } = (await response.json()) as { data: { status: string; error: unknown } }
  if (data.status === "failed") throw new Error(`The import failed: ${JSON.stringify(data.error)}`)
  return data.status
}
