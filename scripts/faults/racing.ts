import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { buyer } from "../../test/support/downloads"
import { run, serve } from "../../test/support/kontor"
import { postgres, type PostgresServer } from "../../test/support/postgres"
import { clientOf, signIn, type Client, type Found } from "./client"
import { completeShop } from "./crash"
import { readFeed, recordProblems } from "./feed"
import { raceOnce, type Stage } from "./racing-steps"
import { randomFrom } from "./random"
import { documentProblems, snapshotOf, type Snapshot } from "./verify"

type Options = {
  seed: number
  /** How many races there are. */
  races: number
  /** How many servers of Kontor use the database. */
  servers?: number
  writers?: number
  /** If false, a write does not wait for those of other servers. The books are wrong then, which the test must find. */
  isLocked?: boolean
}
type Outcome = Pick<Stage, "answers" | "problems">

/**
 * Clients race for the same few orders, invoices, payments and credit notes on several servers of Kontor, which share a
 * PostgreSQL database. Afterwards the books must be right.
 */
export async function racing(options: Options): Promise<Outcome> {
  const server = await postgres({ settings: ["max_connections = 60"] })
  try {
    return await racingOn(server, options)
  } finally {
    server.stop()
  }
}

async function racingOn(
  server: PostgresServer,
  { seed, races, servers = 3, writers = 8, isLocked = true }: Options,
): Promise<Outcome> {
  const url = server.createDatabase("shop")
  await run(["migrate", "--db", url])
  if (!isLocked) inDatabase(url, unlock)
  const kontors = []
  for (let i = 0; i < servers; i++) kontors.push(await serve({ args: ["--db", url] }))
  const credential = await signIn(kontors[0]?.url ?? "")
  const clients = kontors.map((kontor) => clientOf(kontor.url, credential))
  const stage = await stageOf(clients, seed)
  let left = races
  const work = async () => {
    while (left-- > 0) await raceOnce(stage)
  }
  await Promise.all(Array.from({ length: writers }, work))
  const found = await Promise.all(clients.map(snapshotOf))
  const snapshot = found[0] as Snapshot
  stage.problems.push(
    ...bookProblems(snapshot),
    ...documentProblems(snapshot),
    ...recordProblems(await readFeed(clients[0] as Client), snapshot),
    ...(found.some((each) => !Bun.deepEquals(each, snapshot)) ? ["The servers show different records."] : []),
  )
  for (const kontor of kontors) await kontor.stop()
  if (!isLocked) inDatabase(url, lock)
  const check = await run(["check", "--db", url])
  if (check.code !== 0) stage.problems.push(`kontor check: ${check.stdout}${check.stderr}`)
  return stage
}

/** A shop with few customers and items. Invoices cannot take stock below 0, and one customer has little credit. */
async function stageOf(clients: readonly Client[], seed: number): Promise<Stage> {
  const client = clients[0] as Client
  await completeShop(client)
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await client.call("POST", path, body)
    if (answer.status !== 201) throw new Error(`POST ${path} returned ${JSON.stringify(answer.body)}`)
    return answer.body.data.id
  }
  await client.call("PUT", "/settings", { allowNegativeStock: false, creditPolicy: "block" })
  const limited = await create("/customers", { name: "Limited", address: buyer.address, creditLimit: 500 })
  const customers = [limited, await create("/customers", { name: "Unlimited", address: buyer.address })]
  const items: string[] = []
  for (const i of [1, 2, 3]) {
    // The tax of each piece is a whole number of cents, so an order costs the same if it is invoiced in parts.
    const body = { itemCode: `RACE-${i}`, itemName: `Race ${i}`, sellingPrice: 10 * i }
    const item = await create("/items", body)
    await create("/stock-movements", { item, quantity: 5, reason: "receipt" })
    items.push(item)
  }
  const records = { orders: [], deliveries: [], invoices: [], notes: [] }
  const random = randomFrom(seed)
  return { clients, random, customers, limited, items, ...records, answers: {}, problems: [] }
}

type Line = { item: string | null; quantity: number } & Record<
  "invoicedQuantity" | "returnedQuantity" | "deliveredQuantity",
  number
>

/** What must be true of the records, counted again from those that they consist of. */
function bookProblems(snapshot: Snapshot): string[] {
  const of = (kind: string) =>
    [...snapshot].filter(([path]) => path.split("/")[1] === kind && path.split("/").length === 3)
  const records = (kind: string) => of(kind).map(([, record]) => record)
  const number = (record: Found, field: string) => Number(record[field])
  const problems: string[] = []
  const claim = (isTrue: boolean, problem: string) => isTrue || problems.push(problem)
  for (const order of records("sales-orders"))
    for (const { quantity, invoicedQuantity, deliveredQuantity } of order.items as Line[]) {
      claim(invoicedQuantity <= quantity, `${order.id} is invoiced with ${invoicedQuantity} of ${quantity}`)
      claim(
        deliveredQuantity <= quantity,
        `${order.id} is delivered with ${deliveredQuantity} of ${quantity}`,
      )
    }
  for (const invoice of records("invoices")) {
    const sum = ["amountPaid", "creditApplied", "creditTaken"].reduce(
      (all, field) => all + number(invoice, field),
      0,
    )
    claim(sum <= number(invoice, "total") + 0.001, `${invoice.id} is paid with ${sum} of ${invoice.total}`)
  }
  for (const item of records("items")) {
    const moved = records("stock-movements").filter((movement) => movement.item === item.id)
    const stock = moved.reduce((all, movement) => all + number(movement, "quantity"), 0)
    claim(
      stock === number(item, "currentStock"),
      `${item.id} has ${item.currentStock}, but ${stock} were moved`,
    )
    claim(stock >= 0 || item.itemCode === "SHARED", `${item.id} has the stock ${stock}`)
  }
  for (const customer of records("customers")) {
    const limit = number(customer, "creditLimit")
    const used = number(customer, "outstandingBalance") + number(customer, "openOrdersValue")
    const owed = Math.round((used - number(customer, "creditBalance")) * 100) / 100
    claim(limit === 0 || owed <= limit, `${customer.id} owes ${owed}, and has the limit ${limit}`)
  }
  return problems
}

function inDatabase(url: string, work: (db: PostgresDatabase) => void): void {
  const db = new PostgresDatabase(url)
  work(db)
  db.close()
}

/** Replaces the row that every write locks by a view without a table, so that nothing is locked. */
function unlock(db: PostgresDatabase): void {
  db.run("ALTER TABLE write_lock RENAME TO real_write_lock")
  db.run("CREATE VIEW write_lock AS SELECT 1::bigint AS id, -1::bigint AS writer")
  db.run("CREATE RULE unlocked AS ON UPDATE TO write_lock DO INSTEAD NOTHING")
}

function lock(db: PostgresDatabase): void {
  db.run("DROP VIEW write_lock; ALTER TABLE real_write_lock RENAME TO write_lock")
}
