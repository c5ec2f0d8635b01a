// Requests that hold or leave behind much more than they send: streams that nobody reads, batches, lists of imports, jobs.
// For each, the memory of the server and its files are measured too.
import { readdirSync, statSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { customerId, itemId } from "../bench/data"
import { json } from "./cost-case"
import { isMeasured } from "./cost-cpu"
import { heldSince, measured, send, type Answer, type Limits, type Result, type Target } from "./cost-measure"
import { mostLines } from "./cost-shop-documents"
import { millis } from "./cost-watch"
import { memoryOf } from "./overload-run"

/** In MB: how much the memory and the files of the server may grow by one of these. */
const mostGrowth = { memory: 256, disk: 64 }

type Credential = Record<string, string>
type Setting = { admin: Credential; limits: Limits; isShort: boolean; folder: string }
type Ask = (
  method: string,
  path: string,
  body?: object | Uint8Array<ArrayBuffer>,
  headers?: Credential,
) => Promise<Answer>
type Tools = { ask: Ask; target: Target; admin: Credential; isShort: boolean }

type Scenario = {
  operation: string
  value: string
  /** True for one with a document of the maximum size. */
  isLargest?: boolean
  /** Prepares the shop, which is not measured, and returns what is. It resolves to a status. */
  prepare(tools: Tools): Promise<() => Promise<number>>
}

/** Creates an order of the maximum size, of about 0.8 MB, and returns its ID. */
async function heavyOrder(ask: Ask): Promise<string> {
  const line = { description: "x".repeat(1_000), quantity: 1, rate: 1 }
  const order = { customer: customerId(1), items: Array.from({ length: mostLines }, () => line) }
  return idIn((await ask("POST", "/sales-orders", order)).body)
}

/** 1,000 updates of such an order that change nothing, in 63 kB. */
const emptyUpdates = (id: string) => ({
  mode: "each",
  operations: Array.from({ length: 1_000 }, () => ({ op: "update", id, body: {} })),
})

const scenarios: readonly Scenario[] = [
  {
    operation: "GET /events",
    value: "5 streams with records of 500 lines that nobody reads",
    isLargest: true,
    async prepare({ ask, target, admin, isShort }) {
      const { body } = await ask("GET", "/events?after=latest")
      const id = await heavyOrder(ask)
      for (let i = 0; i < (isShort ? 20 : 100); i++)
        await ask("PUT", `/sales-orders/${id}`, { notes: `${i}` })
      return async () => {
        const streams = Array.from({ length: 5 }, () => unread(target.url, admin, nextIn(body)))
        await Bun.sleep(isShort ? 2_000 : 5_000)
        for (const stream of streams) stream.destroy()
        return 200
      }
    },
  },
  {
    operation: "POST /sales-orders/batch",
    value: "1,000 empty updates of 500 lines, with an Idempotency-Key",
    isLargest: true,
    async prepare({ ask }) {
      const updates = emptyUpdates(await heavyOrder(ask))
      const key = { "idempotency-key": crypto.randomUUID() }
      return async () => (await ask("POST", "/sales-orders/batch", updates, key)).status
    },
  },
  {
    operation: "POST /sales-orders/batch",
    value: "two batches of 1,000 empty updates of 500 lines at the same time",
    isLargest: true,
    async prepare({ ask }) {
      const updates = emptyUpdates(await heavyOrder(ask))
      return async () => {
        const both = await Promise.all([1, 2].map(() => ask("POST", "/sales-orders/batch", updates)))
        return Math.max(...both.map(({ status }) => status))
      }
    },
  },
  {
    operation: "POST /invoices/batch",
    value: "all of 100 invoices of 5 lines",
    prepare: ({ ask }) =>
      Promise.resolve(
        async () => (await ask("POST", "/invoices/batch", invoices(100, mostLines / 100))).status,
      ),
  },
  {
    operation: "GET /imports",
    value: "50 imports of 500 columns",
    async prepare({ ask }) {
      const titles = Array.from({ length: 498 }, (_, i) => `${i}`.padEnd(200, "ü"))
      const csv = new TextEncoder().encode(`itemCode,itemName,${titles.join(",")}\n${"x,".repeat(499)}x\n`)
      const file = { "content-type": "text/csv" }
      for (let i = 0; i < 50; i++) {
        const { body } = await ask("POST", "/imports?kind=items&dryRun=true", csv, file)
        await endOfJob(ask, `/imports/${idIn(body)}`)
      }
      return async () => (await ask("GET", "/imports")).status
    },
  },
  {
    operation: "POST /items/reprice",
    value: "all items, until the job has ended",
    prepare: ({ ask }) =>
      Promise.resolve(async () => {
        const wanted = { filter: { isActive: true }, change: { percent: 1 } }
        const { body, status } = await ask("POST", "/items/reprice", wanted)
        if (status === 202) await endOfJob(ask, `/jobs/${idIn(body)}`)
        return status
      }),
  },
]

const invoices = (count: number, lines: number) => ({
  mode: "all",
  operations: Array.from({ length: count }, (_, n) => ({
    op: "create",
    body: {
      customer: customerId(1),
      items: Array.from({ length: lines }, (_each, i) => ({ item: itemId(n * lines + i + 1), quantity: 1 })),
    },
  })),
})

/** Opens a stream of the events after a position, with their records, and reads nothing of it. */
function unread(url: string, credential: Credential, after: string): Socket {
  const { hostname, port } = new URL(url)
  const headers = { host: `${hostname}:${port}`, accept: "text/event-stream", ...credential }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  socket.pause()
  socket.write(`GET /api/v1/events?include=record&limit=100&after=${after} HTTP/1.1\r\n${lines.join("")}\r\n`)
  return socket
}

const nextIn = (body: unknown): string => (body as { meta: { next: string } }).meta.next
const idIn = (body: unknown): string => (body as { data: { id: string } }).data.id

async function endOfJob(ask: Ask, path: string): Promise<void> {
  for (;;) {
    const { body } = await ask("GET", path)
    const { status } = (body as { data: { status: string } }).data
    if (["finished", "failed", "cancelled"].includes(status)) return
    await Bun.sleep(20)
  }
}

/** Runs each and measures how long other clients had to wait, and how much the server has grown at most. */
export async function* heldResults(setting: Setting, targetNow: () => Target): AsyncGenerator<Result> {
  const { limits } = setting
  for (const scenario of scenarios) {
    const limit = scenario.isLargest ? limits.largestHold : limits.hold
    yield await measured(limit, () => resultOf(scenario, setting, targetNow()))
  }
}

async function resultOf(scenario: Scenario, setting: Setting, target: Target): Promise<Result> {
  const { operation, value } = scenario
  const { admin, folder, isShort } = setting
  const ask: Ask = (method, path, body, headers = {}) =>
    send(target.url, {
      method,
      path: `/api/v1${path}`,
      headers: { ...admin, ...(body ? json : {}), ...headers },
      ...(body ? { body: body instanceof Uint8Array ? body : JSON.stringify(body) } : {}),
    })
  const run = await scenario.prepare({ ask, target, admin, isShort })
  await heldSince(target, millis())
  const memory = memoryFrom(target.pid)
  const disk = sizeOf(folder)
  const from = millis()
  const status = await run()
  const hold = await heldSince(target, from)
  const grown = { memory: memory(), disk: sizeOf(folder) - disk }
  return { operation, parameter: growthOf(grown), value, hold, status, problem: problemOf(grown, status) }
}

const growthOf = ({ memory, disk }: typeof mostGrowth): string => `+${memory} MB memory, +${disk} MB disk`

function problemOf({ memory, disk }: typeof mostGrowth, status: number): string | null {
  if (status === 0 || status >= 500) return `returned ${status}`
  if (memory > mostGrowth.memory) return `its memory grew by ${memory} MB`
  return disk > mostGrowth.disk ? `its files grew by ${disk} MB` : null
}

/** Returns a function that tells by how many MB the memory of a process has grown at most; 0 where it is not known. */
function memoryFrom(pid: number): () => number {
  if (!isMeasured) return () => 0
  // From here on, the kernel measures the peak again.
  writeFileSync(`/proc/${pid}/clear_refs`, "5")
  const { now } = memoryOf(pid)
  return () => Math.max(0, memoryOf(pid).peak - now)
}

/** The size of all files in a folder, in MB. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true }) as string[]
  const bytes = files.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  return Math.round(bytes / 1024 ** 2)
}
