import type { Database } from "bun:sqlite"
import type { createApp } from "../app"
import { groupWriter, system, type Tx, type Writer } from "../db/writer"
import type { Caller } from "../http/caller"
import { dateIn, later, wallClock } from "../lib/clock"
import { newSecret } from "../lib/secret"
import { readNewPassword } from "../modules/users/service"
import { beforeCommit } from "./database"
import { cities, goods, people, services, streets, terms } from "./demo-words"

type Services = ReturnType<typeof createApp>["services"]
type Random = () => number

const day = 86_400_000
const customerCount = 64
const orderCount = 320
const history = 300

/** What is printed, once: how to get in. */
export type DemoAccess = { email: string; password: string; key: string }

/**
 * A shop with a year behind it, made through the same services as everything else. The story is the same every time
 * and ends today; only the password and the key are new.
 */
export async function fillWithDemo(db: Database, made: Services): Promise<DemoAccess> {
  const random = seeded(20_260_301)
  const today = wallClock()
  let moment = later(today, -history * day)
  const write: Writer = groupWriter(db, () => moment, beforeCommit(db))
  const email = "demo@example.com"
  const password = newSecret().slice(0, 16)
  const hashed = await readNewPassword(password, "kontor")

  const { caller, key } = await write((tx) => {
    const admin = made.users.create(tx, { email, name: "Demo Owner", role: "admin" }, hashed)
    const owner = { userId: admin.id, role: admin.role, plan: "enterprise" as const }
    const input = { name: "Demo key", scopes: ["read", "write", "delete", "admin"], expiresAt: null }
    const { key: text } = made.keys.create(tx, input, owner)
    made.settings.update(
      tx,
      { companyName: "Hafen & Söhne", companyAddress: "Am Kai 1\n20457 Hamburg" },
      null,
    )
    return { caller: callerFor(admin), key: text }
  })

  const items = await write((tx) => [...catalogue(random)].map((item) => made.catalogue.create(tx, item)))
  const customers = await write((tx) =>
    Array.from({ length: customerCount }, (_, i) => made.clients.create(tx, customer(random, i))),
  )
  await write((tx) => {
    // Every ninth sells out nearly, so that there is something to order.
    for (const [i, { id, itemType }] of items.entries())
      if (itemType !== "Service")
        receive(tx, id, (i % 9 === 4 ? 25 : 80) + Math.floor(random() * (i % 9 === 4 ? 12 : 180)))
  })

  for (let i = 0; i < orderCount; i++) {
    moment = later(today, -Math.floor(((orderCount - i) / orderCount) * (history - 1) * day))
    await write((tx) => tradeOnce(tx, i))
  }
  return { email, password, key }

  function receive(tx: Tx, item: string, quantity: number): void {
    made.stock.create(tx, { item, quantity, reason: "receipt", note: "Opening stock" }, caller)
  }

  /** One order and what becomes of it. */
  function tradeOnce(tx: Tx, i: number): void {
    const orderDate = dateIn("UTC", tx.now)
    const order = made.orders.create(
      tx,
      {
        customer: pick(random, customers).id,
        orderDate,
        deliveryDate: dateIn("UTC", later(tx.now, (3 + Math.floor(random() * 18)) * day)),
        items: Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
          item: pick(random, items).id,
          quantity: 1 + Math.floor(random() * 8),
          ...(random() < 0.2 ? { discount: pick(random, [5, 10, 15]) } : {}),
        })),
        ...(random() < 0.15
          ? {
              notes: pick(random, [
                "Deliver to the back door.",
                "Call before delivery.",
                "Gift wrapping, please.",
              ]),
            }
          : {}),
      },
      caller,
    )
    const fate = i > orderCount - 12 ? random() * 0.4 : random()
    if (fate < 0.06) return
    const move = (to: "submitted" | "cancelled") =>
      made.orders.changeStatus(tx, order.id, { to, caller, override: true }, null)
    if (fate < 0.1) return void move("cancelled")
    move("submitted")
    if (fate < 0.22) return
    const [line] = order.items
    const part =
      fate < 0.3 && line && line.quantity > 1 ? { items: [{ orderLine: line.id, quantity: 1 }] } : {}
    const invoice = made.bills.fromOrder(
      tx,
      { salesOrder: order.id, invoiceDate: orderDate, ...part },
      caller,
    )
    const isOld = i < orderCount * 0.8
    if (invoice.total === 0 || random() < (isOld ? 0.06 : 0.5)) return
    const amount = random() < 0.15 ? Math.max(0.01, Math.round(invoice.total * 50) / 100) : invoice.total
    made.paid.create(
      tx,
      invoice.id,
      { amount, paymentDate: orderDate, method: pick(random, ["Bank transfer", "Card", "Cash"]) },
      caller,
    )
  }
}

function* catalogue(random: Random): Generator<Record<string, unknown>> {
  for (const { category, prefix, names, variants, from, to } of goods)
    for (const [n, name] of names.entries())
      for (const [v, variant] of variants.entries()) {
        const sellingPrice = Math.round((from + random() * (to - from)) * 100) / 100
        yield {
          itemCode: `${prefix}-${String((n + 1) * 10 + v).padStart(3, "0")}`,
          itemName: `${name} ${variant}`,
          category,
          itemType: category === "Supplies" ? "Consumable" : "Product",
          sellingPrice,
          costPrice: Math.round(sellingPrice * 62) / 100,
          taxRate: 19,
          reorderLevel: 10,
          reorderQty: 50,
        }
      }
  for (const [n, name] of services.entries())
    yield {
      itemCode: `SRV-${n + 1}`,
      itemName: name,
      category: "Services",
      itemType: "Service",
      uom: "Hour",
      sellingPrice: 45 + n * 5,
      taxRate: 19,
    }
}

function customer(random: Random, i: number): Record<string, unknown> {
  const name = people[i % people.length] ?? "Nord"
  const [city, zipCode, country] = cities[i % cities.length] ?? ["Hamburg", "20095", "DE"]
  const suffix = pick(random, ["GmbH", "& Sons", "Studio", "Trading", "Café", "Workshop"])
  const slug = name
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase()
  return {
    name: `${name} ${suffix}`,
    email: `office@${slug}${i}.example`,
    phone: `+49 40 ${100_000 + i * 137}`,
    type: suffix === "Café" ? "Individual" : "Company",
    address: { street: `${pick(random, streets)} ${1 + Math.floor(random() * 90)}`, city, zipCode, country },
    creditLimit: pick(random, [null, 2_000, 5_000, 10_000, 25_000]),
    paymentTerms: pick(random, terms),
    taxId: `${country}${100_000_000 + i * 7_919}`,
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const callerFor = ({
  id,
  email,
  name,
  role,
  plan,
}: {
  id: string
  email: string
  name: string
  role: Caller["role"]
  plan: Caller["plan"] | null
}): Caller => ({
  kind: "user",
  userId: id,
  email,
  name,
  role,
  scopes: ["read", "write", "delete", "admin"],
  plan: plan ?? "enterprise",
  subject: `user:${id}`,
  credentialId: system.name ?? "",
  credentialName: email,
  endsAt: Infinity,
  asOf: 0,
  blocked: null,
})

/** A small generator of numbers that are the same in every run. */
function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
