// How often a server waits for PostgreSQL while it writes. A way of half a millisecond makes each of them as much longer.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { countingProxy } from "../support/counting-proxy"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

const atOnce = 40

/**
 * A transaction asks with the lock and with the commit, and for what came while it waited or what a search text needs. The
 * server also has some writes of its own, such as those of jobs. It does not depend on how many orders share a transaction.
 */
const mostFor = (transactions: number): number => 4 * transactions + 40

describe.skipIf(!isPostgresInstalled())("exchanges with PostgreSQL", () => {
  let server: PostgresServer
  let proxy: Awaited<ReturnType<typeof countingProxy>>
  let one: Kontor & { api: Api }
  let other: Kontor & { api: Api }
  let customer = ""
  const items: string[] = []

  beforeAll(async () => {
    server = await postgres()
    server.createDatabase("shop")
    proxy = await countingProxy(server.port)
    const start = async (url: string) => {
      const kontor = await serve({ args: ["--db", url] })
      return { ...kontor, api: await signIn(kontor) }
    }
    one = await start(server.tcpUrl("shop", proxy.port))
    other = await start(server.tcpUrl("shop"))
    customer = (await one.api.create("/customers", { name: "Buyer" })).id
    for (const itemCode of ["A", "B", "C"])
      items.push((await one.api.create("/items", { itemCode, itemName: itemCode })).id)
  })
  afterAll(async () => {
    await cleanUp()
    proxy?.stop()
    server?.stop()
  })

  const createOrder = () =>
    one.api.create("/sales-orders", { customer, items: items.map((item) => ({ item, quantity: 2 })) })

  /** The exchanges of the connection that writes, and the transactions, so far. */
  async function written() {
    const text = await (await fetch(`${one.url}/metrics`)).text()
    const [, transactions] = /^kontor_transaction_duration_seconds_count (\d+)/m.exec(text) ?? []
    return { exchanges: proxy.exchangesOf("FOR UPDATE"), transactions: Number(transactions) }
  }

  async function countOf(work: () => Promise<unknown>) {
    const before = await written()
    await work()
    const after = await written()
    return {
      exchanges: after.exchanges - before.exchanges,
      transactions: after.transactions - before.transactions,
    }
  }

  const createTogether = () => Promise.all(Array.from({ length: atOnce }, createOrder))

  test("are few for orders that come together", async () => {
    const inTurn = async () => {
      for (let turn = 0; turn < 5; turn++) await createTogether()
    }
    await createTogether()
    const { exchanges, transactions } = await countOf(inTurn)
    expect(exchanges).toBeGreaterThan(transactions)
    expect(exchanges).toBeLessThanOrEqual(mostFor(transactions))
  })

  test("are few after another server has written", async () => {
    let made = 0
    const inTurn = async () => {
      for (let turn = 0; turn < 5; turn++) {
        await other.api.create("/items", { itemCode: `OTHER-${made++}`, itemName: "Other" })
        await createTogether()
      }
    }
    await inTurn()
    const { exchanges, transactions } = await countOf(inTurn)
    expect(exchanges).toBeLessThanOrEqual(mostFor(transactions))
  })
})
