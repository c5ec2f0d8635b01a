// A batch of 1,000 items against 1,000 single creates that share commits, and how much work other clients wait for meanwhile.
import { millis, watchOf } from "../faults/cost-watch"
import { show, type Line } from "./bars"
import { cpuOf, learned, median, startServer, type Server } from "./server"

const rounds = 7
const count = 1_000
/** The number of single creates that wait for one commit. */
const together = 100

export async function measureBatch(shop: string): Promise<Line[]> {
  const server = await startServer(shop)
  await learned(server)
  const [single, batch, waits] = [[], [], []] as [number[], number[], number[]]
  const watch = watchOf(server.url, server.pid)
  for (let round = -1; round < rounds; round++) {
    const singleCpu = await cpuFor(server, () => createSingly(server))
    const began = millis()
    const batchCpu = await cpuFor(server, () => createTogether(server))
    const wait = await watch.mostSince(began)
    // The first round warms the server up.
    if (round < 0) continue
    single.push(singleCpu)
    batch.push(batchCpu)
    waits.push(wait)
  }
  watch.stop()
  await server.stop()
  const each = (cpu: number[]) => Math.round(median(cpu) / count)
  return [
    show({
      work: "CPU of a batch of 1,000 items ÷ 1,000 creates",
      value: median(batch) / median(single),
      atMost: 1.3,
      note: `${each(batch)} and ${each(single)} µs of CPU an item`,
    }),
    show({
      work: "longest wait beside a batch of 1,000 items",
      value: median(waits),
      unit: " ms",
      atMost: 50,
      note: "of CPU time of the server",
    }),
  ]
}

async function cpuFor({ pid }: Server, work: () => Promise<void>): Promise<number> {
  const before = cpuOf(pid)
  await work()
  return cpuOf(pid) - before
}

let made = 0
const newItem = () => ({
  itemCode: `B-${process.pid}-${++made}`,
  itemName: `Batch ${made}`,
  sellingPrice: 12.5,
})

async function createSingly(server: Server): Promise<void> {
  for (let from = 0; from < count; from += together)
    await Promise.all(Array.from({ length: together }, () => post(server, "/items", newItem())))
}

const createTogether = (server: Server): Promise<void> =>
  post(server, "/items/batch", {
    mode: "each",
    operations: Array.from({ length: count }, () => ({ op: "create", body: newItem() })),
  })

async function post({ url, headers }: Server, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${path} failed: ${await response.text()}`)
  await response.arrayBuffer()
}
