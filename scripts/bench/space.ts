// The space that a shop needs: creates orders, invoices with their PDFs, and payments through the API, and prints what one
// order added, by kind, and what 50 orders a day add in a year.
//   bun scripts/bench/space.ts [--orders 1500]
import { statSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { scratch, startServer } from "./server"

const { values } = parseArgs({ options: { orders: { type: "string", default: "1500" } } })
const orders = Number(values.orders)
const perDay = 50
const linesPerOrder = 3
const atOnce = 8

type Stats = { bytes: number; unused: number; groups: { name: string; bytes: number }[] }
type Made = { id: string; total: number }

const { folder, remove } = scratch()
const file = join(folder, "k.db")
const server = await startServer(file)
const url = `${server.url}/api/v1`

async function call(method: string, path: string, body?: object): Promise<Made> {
  const headers = { ...server.headers, "content-type": "application/json" }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (response.status > 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  const isJson = response.headers.get("content-type")?.includes("json")
  return isJson
    ? ((await response.json()) as { data: Made }).data
    : (await response.arrayBuffer(), { id: "", total: 0 })
}

async function some(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const one = async () => {
    for (let i = next++; i < count; i = next++) await work(i)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

function kontor(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["dist/kontor", ...args, "--db", file])
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString()
}
const stats = (): Stats => JSON.parse(kontor("stats", "--json"))

await call("PUT", "/settings", {
  legalName: "Nordlicht Möbel GmbH",
  address: { street: "Hafenstraße 12", zipCode: "20457", city: "Hamburg", country: "DE" },
  email: "buero@nordlicht.example",
  phone: "+49 40 1234567",
  vatId: "DE136695976",
  iban: "DE89370400440532013000",
  currency: "EUR",
  defaultPaymentTerms: "Net 30",
})
const items: string[] = []
await some(400, async (i) => {
  const { id } = await call("POST", "/items", {
    itemCode: `NM-${1000 + i}`,
    itemName: `${["Tisch", "Stuhl", "Regal", "Lampe"][i % 4]} Modell ${i}`,
    description: "Eiche massiv, geölt, in Deutschland gefertigt. Lieferung in zwei Wochen.",
    sellingPrice: 49.9 + i,
    taxRate: 19,
  })
  items.push(id)
  await call("POST", "/stock-movements", { item: id, quantity: 100_000, reason: "receipt" })
})
const customers: string[] = []
await some(500, async (i) => {
  const { id } = await call("POST", "/customers", {
    name: `Kundin ${i} Müller-Schmidt`,
    email: `kundin-${i}@example.com`,
    phone: `+49 40 ${100_000 + i}`,
    address: { street: `Lange Straße ${i}`, city: "Bremen", zipCode: "28195", country: "DE" },
  })
  customers.push(id)
})

const before = stats()
await some(orders, async (i) => {
  const order = await call("POST", "/sales-orders", {
    customer: customers[(i * 7) % customers.length],
    status: "submitted",
    items: Array.from({ length: linesPerOrder }, (_, line) => ({
      item: items[(i * 3 + line * 11) % items.length],
      quantity: 1 + (line % 2),
    })),
  })
  const invoice = await call("POST", "/invoices/from-order", { salesOrder: order.id })
  await call("GET", `/invoices/${invoice.id}/pdf`)
  await call("POST", `/invoices/${invoice.id}/payments`, { amount: invoice.total, method: "Bank transfer" })
})
// A search writes what waits for the search tables.
await call("GET", "/search?q=tisch")
const after = stats()
console.log(kontor("stats"))

const ofYear = (bytes: number) => (bytes / orders) * perDay * 365
const shown = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`.padStart(8)
console.log(
  `\nOne order of ${linesPerOrder} lines with its invoice, PDF and payment adds, and ${perDay} of them a day in a year:\n`,
)
for (const { name, bytes } of after.groups) {
  const added = bytes - (before.groups.find((group) => group.name === name)?.bytes ?? 0)
  console.log(
    `${name.padEnd(22)} ${`${(added / orders / 1_000).toFixed(1)} kB`.padStart(9)} ${shown(ofYear(added))}`,
  )
}
const added = after.bytes - after.unused - (before.bytes - before.unused)
console.log(
  `${"All".padEnd(22)} ${`${(added / orders / 1_000).toFixed(1)} kB`.padStart(9)} ${shown(ofYear(added))}`,
)
const backup = join(folder, "backup.db")
kontor("backup", backup)
console.log(
  `\nA backup has ${Math.round((statSync(backup).size / after.bytes) * 100)} % of the size of the file.`,
)
await server.stop()
remove()
