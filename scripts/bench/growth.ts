// The server CPU per request as the shop grows: the same requests with 10,000, 100,000 and 1,000,000 items.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { show, type Line } from "./bars"
import { itemId, lexicon, makeShop } from "./data"
import { cpuOf, learned, median, startServer, type Server } from "./server"

export const sizes = [10_000, 100_000, 1_000_000] as const
const rounds = 7
const operations = ["get", "first page", "middle by cursor", "create", "search"] as const
type WorkName = (typeof operations)[number]
/** CPU per request in µs, for each operation and size. */
export type Curve = Record<WorkName, number[]>

/** The maximum cost at the largest size, as a multiple of the smallest. */
const bars: Partial<Record<WorkName, number>> = { get: 2, "first page": 2, create: 2, search: 2.5 }
/** Requests per round: enough for the kernel's clock resolution of 10 ms. */
const counts: Record<WorkName, number> = {
  get: 4_000,
  "first page": 1_000,
  "middle by cursor": 1_000,
  create: 1_500,
  search: 600,
}

/** Returns the file of the largest shop. Creates it if no other measurement has created it. */
export const makeLargest = (folder: string): string => makeShopOf(folder, 1_000_000)

function makeShopOf(folder: string, items: number): string {
  const file = join(folder, `shop-${items}.db`)
  if (!existsSync(file)) makeShop(file, { items, customers: 20_000, orders: 10_000 })
  return file
}

export async function measureGrowth(folder: string): Promise<{ lines: Line[]; curve: Curve }> {
  const files = sizes.map((items) => makeShopOf(folder, items))
  const servers = await Promise.all(files.map((file) => startServer(file)))
  await Promise.all(servers.map(learned))
  const requests = await Promise.all(servers.map((server, i) => requestsOf(server, sizes[i] ?? 0)))

  const curve = {} as Curve
  for (const work of operations) {
    const costs: number[][] = sizes.map(() => [])
    for (let round = 0; round <= rounds; round++)
      for (const i of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
        const cost = await costOf(servers[i] as Server, requests[i]?.[work] ?? fail(), counts[work])
        // The first round is a warm-up.
        if (round > 0) costs[i]?.push(cost)
      }
    curve[work] = costs.map(median)
  }
  const lines = operations.flatMap((work) => {
    const [small = 0, , large = 0] = curve[work]
    const note = `${Math.round(small)} → ${Math.round(large)} µs of CPU`
    const atMost = bars[work]
    return atMost === undefined
      ? []
      : [show({ work: `${work} at 1,000,000 items ÷ at 10,000`, value: large / small, atMost, note })]
  })
  const [first = 1, middle = 0] = [curve["first page"][2], curve["middle by cursor"][2]]
  lines.push(
    show({
      work: "cursor page in the middle of 1,000,000 ÷ first page",
      value: middle / first,
      atMost: 2,
      note: `${Math.round(middle)} and ${Math.round(first)} µs of CPU`,
    }),
  )
  const largest = servers[2] as Server
  const far = () => read(largest, "/items?page=10000")
  await costOf(largest, far, 5)
  lines.push(
    show({
      work: "page 10,000 by number, of 1,000,000",
      value: (await costOf(largest, far, 60, 1)) / 1000,
      unit: " ms",
      atMost: 10,
    }),
  )
  await Promise.all(servers.map((server) => server.stop()))
  return { lines, curve }
}

/** Server CPU per request, in µs. */
export async function costOf(
  server: Server,
  request: () => Promise<void>,
  count: number,
  atOnce = 32,
): Promise<number> {
  const before = cpuOf(server.pid)
  for (let done = 0; done < count; done += atOnce) await Promise.all(Array.from({ length: atOnce }, request))
  return (cpuOf(server.pid) - before) / (Math.ceil(count / atOnce) * atOnce)
}

export async function requestsOf(
  server: Server,
  items: number,
): Promise<Record<WorkName, () => Promise<void>>> {
  const { data } = await answer<{ meta: { nextCursor: string } }>(
    server,
    `/items?page=${Math.floor(items / 40)}`,
  )
  const cursor = encodeURIComponent(data.meta.nextCursor)
  const any = (n: number) => 1 + Math.floor(Math.random() * n)
  // Words from the middle of the lexicon: neither very frequent nor very rare.
  const words = lexicon.slice(200, 2_000)
  // A file that is kept has the items of earlier runs.
  const run = Date.now().toString(36)
  let made = 0
  return {
    get: () => read(server, `/items/${itemId(any(items))}`),
    "first page": () => read(server, "/items"),
    "middle by cursor": () => read(server, `/items?cursor=${cursor}`),
    create: async () => {
      const response = await fetch(`${server.url}/api/v1/items`, {
        method: "POST",
        headers: { ...server.headers, "content-type": "application/json" },
        body: JSON.stringify({ itemCode: `G-${run}-${++made}`, itemName: "Grown item", sellingPrice: 12.5 }),
      })
      if (response.status !== 201) fail(await response.text())
      await response.arrayBuffer()
    },
    search: () => read(server, `/search?q=${words[any(words.length) - 1]}`),
  }
}

async function read(server: Server, path: string): Promise<void> {
  const response = await fetch(`${server.url}/api/v1${path}`, { headers: server.headers })
  if (!response.ok) fail(`${path}: ${await response.text()}`)
  await response.arrayBuffer()
}

async function answer<T>(server: Server, path: string): Promise<{ data: T }> {
  const response = await fetch(`${server.url}/api/v1${path}`, { headers: server.headers })
  return { data: (await response.json()) as T }
}

function fail(message = "There is no such request."): never {
  throw new Error(message)
}
