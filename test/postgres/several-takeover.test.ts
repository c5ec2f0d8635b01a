import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, type Api } from "../support/api"
import { importer } from "../support/imports"
import { cleanUp } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
import { allowLoopback, receiver, stopReceivers } from "../support/receiver"
import { several, termsOf, type Several } from "../support/several"
import { until } from "../support/until"

/** A file with items whose codes begin with a word. */
const fileOf = (word: string, count: number): string =>
  ["itemCode,itemName,sellingPrice", ...Array.from({ length: count }, (_, i) => `${word}-${i},Lamp,10`)].join(
    "\n",
  )

const totalOf = async (api: Api, query: string): Promise<number> =>
  (await api.get(`/items?${query}&perPage=1`)).body.meta.total

describe.skipIf(!isPostgresInstalled())("another server takes over what the leader does", () => {
  let shop: Several

  beforeAll(async () => {
    shop = await several(3, allowLoopback)
  })
  afterAll(async () => {
    await cleanUp()
    stopReceivers()
    shop?.server.stop()
  })

  test("after the leader was killed, another one finishes its job and sends every event", async () => {
    const { leader, others } = shop.split()
    const [one, two] = others
    const target = receiver(async () => {
      await Bun.sleep(5)
      return new Response("ok")
    })
    await one!.api.create("/webhooks", { url: `${target.url}/kill`, types: ["items.created"] })
    const imports = importer(one!.api)
    const { body } = await imports.send("kind=items", fileOf("KILL", 400))
    await imports.wait(body.data.id, ["applying"])
    await until(() => target.hits.length > 0)
    await leader.stop("SIGKILL")
    expect(await imports.wait(body.data.id)).toMatchObject({ status: "finished", counts: { created: 400 } })
    expect(await totalOf(one!.api, "itemCode[like]=KILL-%25")).toBe(400)
    // The job may have ended just before the kill.
    await until(() => termsOf(one!) + termsOf(two!) > 0)
    expect([one, two].map((each) => termsOf(each!)).toSorted()).toEqual([0, 1])
    const sent = () => new Set(target.hits.map(({ event }) => event.recordId))
    await until(() => sent().size === 400)
    shop.members.splice(shop.members.indexOf(leader), 1)
  })

  test("a leader that lost its connection writes nothing of a job that another one has taken", async () => {
    const { leader, others } = shop.split()
    const [other] = others
    const api = apiWith(other!, leader.api.credential)
    // Rows without a number or an external ID always create a customer, so that a row that is written twice is seen.
    const names = Array.from({ length: 400 }, (_, i) => `Customer ${i}`)
    const imports = importer(api)
    const { id } = (await imports.send("kind=customers", ["name", ...names].join("\n"))).body.data
    const written = async () => (await api.get("/customers?perPage=1")).body.meta.total
    await until(async () => (await written()) > 20)
    process.kill(leader.process.pid, "SIGSTOP")
    try {
      shop.inDatabase((db) =>
        db.run(
          `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${0x4b4e544c}`,
        ),
      )
      await until(() => termsOf(other!) > 0)
      const before = await written()
      await until(async () => (await written()) > before)
    } finally {
      process.kill(leader.process.pid, "SIGCONT")
    }
    expect(await imports.wait(id)).toMatchObject({ status: "finished", counts: { created: 400 } })
    const stored = shop.inDatabase((db) => db.query("SELECT name FROM customers").values().flat())
    expect(stored.toSorted()).toEqual(names.toSorted())
    const numbers = shop.inDatabase((db) =>
      db.query("SELECT count(DISTINCT customer_number) FROM customers").values(),
    )
    expect(numbers).toEqual([[400]])
    expect([termsOf(leader), termsOf(other!)]).toEqual([1, 1])
  })

  test("after PostgreSQL was restarted, one of the servers is the leader again and goes on", async () => {
    const [one, two] = shop.members
    const terms = () => termsOf(one!) + termsOf(two!)
    const before = terms()
    const target = receiver()
    await one!.api.create("/webhooks", { url: target.url, types: ["items.created"] })
    shop.server.halt("immediate")
    // A leader that does not stop its work would fail to read the database now.
    await Bun.sleep(1_000)
    shop.server.start()
    await until(() => terms() === before + 1)
    for (const [i, member] of [one, two].entries()) {
      await until(async () => (await member!.api.get("/items")).status === 200)
      await member!.api.create("/items", { itemCode: `RESTART-${i}`, itemName: "x" })
    }
    await until(() => target.hits.length === 2)
    expect(await importer(two!.api).run("kind=items", fileOf("AGAIN", 5))).toMatchObject({
      status: "finished",
    })
    expect([one, two].map((each) => each!.process.exitCode)).toEqual([null, null])
  })
})
