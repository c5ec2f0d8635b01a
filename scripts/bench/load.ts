// The effect of other work on reads: their p99 alone, and while other clients keep the server busy.
import { show, type Line } from "./bars"
import { itemId, numbered, random, type Size } from "./data"
import { learned, median, startServer, type Server } from "./server"
import { load, scriptOf } from "./wrk"

const rounds = 7
const connections = 8

export async function measureLoad(folder: string, shop: string, size: Size): Promise<Line[]> {
  const server = await startServer(shop, ["--trusted-proxies", "127.0.0.1"])
  await learned(server)
  const script = scriptOf(folder, {
    lua: `return wrk.format("GET", string.format("/api/v1/items/${itemId(0).slice(0, 4)}%026d", random(${size.items})))`,
    headers: server.headers,
  })
  const p99 = async (seconds = 2) => (await load(server, script, { connections, seconds })).p99
  const others: Record<string, Other> = {
    "16 clients sign in": { work: (isOver) => together(16, isOver, () => logIn(server)) },
    "a backup is created": { work: (isOver) => together(1, isOver, () => backUp(server)) },
    "a list of 100,000 is read": { work: (isOver) => together(1, isOver, () => crawl(server, isOver)) },
    "100,000 items are exported": {
      work: (isOver) => together(1, isOver, () => exportItems(server, isOver)),
      atMost: 3,
    },
    "PDFs are created": {
      work: (isOver) => together(8, isOver, () => drawOrder(server, size)),
      atMost: 3,
    },
  }
  const lines: Line[] = []
  for (const [name, { work, atMost }] of Object.entries(others)) {
    const alone: number[] = []
    const during: number[] = []
    for (let round = 0; round < rounds; round++) {
      alone.push(await p99())
      let isOver = false
      const others = work(() => isOver)
      during.push(await p99())
      isOver = true
      await others
    }
    lines.push(lineOf(name, alone, during, atMost))
  }
  await server.stop()
  return lines
}

/** The server loads the words of all records after its start: reads during that time against reads after it. */
export async function measureVocabulary(folder: string, largest: string): Promise<Line> {
  const alone: number[] = []
  const during: number[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(largest)
    const script = scriptOf(folder, {
      lua: `return wrk.format("GET", string.format("/api/v1/items/itm_%026d", random(1000000)))`,
      headers: server.headers,
    })
    during.push((await load(server, script, { connections, seconds: 2 })).p99)
    await learned(server)
    alone.push((await load(server, script, { connections, seconds: 2 })).p99)
    await server.stop()
  }
  return lineOf("the words of 1,000,000 items are loaded", alone, during)
}

/** The work of other clients, and how many times as long reads may take during it. */
type Other = { work: (isOver: () => boolean) => Promise<void>; atMost?: number }

function lineOf(name: string, alone: number[], during: number[], atMost = 5): Line {
  const note = `${median(during).toFixed(2)} and ${median(alone).toFixed(2)} ms`
  return show({
    work: `p99 of get while ${name} ÷ alone`,
    value: median(during) / median(alone),
    atMost,
    note,
  })
}

/** Exports all items, until it is over. */
async function exportItems({ url, headers }: Server, isOver: () => boolean): Promise<void> {
  const answer = await fetch(`${url}/api/v1/items/export?format=csv`, { headers })
  if (!answer.ok) throw new Error(`The export returned ${answer.status}.`)
  for await (const _ of answer.body as unknown as AsyncIterable<Uint8Array>) if (isOver()) break
}

async function together(count: number, isOver: () => boolean, work: () => Promise<void>): Promise<void> {
  const one = async () => {
    while (!isOver()) await work()
  }
  await Promise.all(Array.from({ length: count }, one))
}

let addresses = 0

async function logIn({ url }: Server): Promise<void> {
  const n = ++addresses
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
    },
    body: JSON.stringify({ email: "bench@example.com", password: "bench bench bench" }),
  })
  await response.arrayBuffer()
}

async function backUp({ url, headers }: Server): Promise<void> {
  const response = await fetch(`${url}/api/v1/backups`, { method: "POST", headers })
  if (!response.ok) throw new Error(`The backup failed: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Orders are drawn at each download, so the thread that draws PDFs always has work. */
async function drawOrder({ url, headers }: Server, { orders }: Size): Promise<void> {
  const order = numbered("so", 1 + Math.floor(orders * random()))
  const response = await fetch(`${url}/api/v1/sales-orders/${order}/pdf`, { headers })
  if (!response.ok) throw new Error(`The PDF failed: ${await response.text()}`)
  await response.arrayBuffer()
}

async function crawl({ url, headers }: Server, isOver: () => boolean): Promise<void> {
  let cursor: string | null = ""
  while (cursor !== null && !isOver()) {
    const response = await fetch(
      `${url}/api/v1/items?perPage=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      { headers },
    )
    const { meta } = (await response.json()) as { meta: { nextCursor: string | null } }
    cursor = meta.nextCursor
  }
}
