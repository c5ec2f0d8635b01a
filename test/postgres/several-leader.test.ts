import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, type Api } from "../support/api"
import { importer } from "../support/imports"
import { cleanUp } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
import { allowLoopback, receiver, stopReceivers, until } from "../support/receiver"
import { several, termsOf, type Several } from "../support/several"

/** A file with items whose codes begin with a word. */
const fileOf = (word: string, count: number): string =>
  ["itemCode,itemName,sellingPrice", ...Array.from({ length: count }, (_, i) => `${word}-${i},Lamp,10`)].join(
    "\n",
  )

const totalOf = async (api: Api, query: string): Promise<number> =>
  (await api.get(`/items?${query}&perPage=1`)).body.meta.total

describe.skipIf(!isPostgresInstalled())("one of several servers does the work in the background", () => {
  let shop: Several

  beforeAll(async () => {
    shop = await several(3, allowLoopback)
  })
  afterAll(async () => {
    await cleanUp()
    stopReceivers()
    shop?.server.stop()
  })

  test("servers that start at once on an empty database create it and its admin once, and one becomes the leader", async () => {
    expect(shop.members.map(termsOf).toSorted()).toEqual([0, 0, 1])
    const admins = shop.inDatabase((db) => db.query("SELECT email FROM users").values())
    expect(admins).toEqual([["admin@example.com"]])
  })

  test("a job that another server accepts begins at once", async () => {
    const [other] = shop.split().others
    const imports = importer(other!.api)
    const began = performance.now()
    expect(await imports.run("kind=items", fileOf("FIRST", 20))).toMatchObject({ status: "finished" })
    // The leader also looks for jobs once a minute.
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(await totalOf(other!.api, "itemCode[like]=FIRST-%25")).toBe(20)
  })

  test("a job that is cancelled on another server stops", async () => {
    const { leader, others } = shop.split()
    const [other] = others
    const imports = importer(other!.api)
    const { body } = await imports.send("kind=items", fileOf("CANCEL", 1_000))
    await imports.wait(body.data.id, ["applying"])
    expect((await other!.api.post(`/imports/${body.data.id}/cancel`)).status).toBe(200)
    const written = await totalOf(other!.api, "itemCode[like]=CANCEL-%25")
    expect(written).toBeLessThan(1_000)
    // The lane is free for the next one, and nothing of the cancelled one is written any more.
    await importer(leader.api).run("kind=items", fileOf("NEXT", 5))
    expect(await totalOf(other!.api, "itemCode[like]=CANCEL-%25")).toBe(written)
  })

  test("a long poll and a stream of one server end with what another one writes", async () => {
    const [one, two] = shop.split().others
    const { next } = (await one!.api.get("/events?after=latest")).body.meta
    const polled = one!.api.get(`/events?after=${next}&wait=20`)
    const stream = await fetch(`${one!.url}/api/v1/events?after=${next}`, {
      headers: { ...one!.api.credential, accept: "text/event-stream" },
    })
    const streamed = (async () => {
      let text = ""
      for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        if (text.includes("items.created")) return text
      }
      return text
    })()
    await Bun.sleep(100)
    const item = await two!.api.create("/items", { itemCode: "WAKE", itemName: "Wake" })
    expect((await polled).body.data).toMatchObject([{ type: "items.created", recordId: item.id }])
    expect(await streamed).toContain(item.id)
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
    const { body } = await imports.send("kind=items", fileOf("KILL", 300))
    await imports.wait(body.data.id, ["applying"])
    await until(() => target.hits.length > 20)
    await leader.stop("SIGKILL")
    expect(await imports.wait(body.data.id)).toMatchObject({ status: "finished", counts: { created: 300 } })
    expect(await totalOf(one!.api, "itemCode[like]=KILL-%25")).toBe(300)
    expect([one, two].map((each) => termsOf(each!)).toSorted()).toEqual([0, 1])
    const sent = () => new Set(target.hits.map(({ event }) => event.recordId))
    await until(() => sent().size === 300)
    shop.members.splice(shop.members.indexOf(leader), 1)
  })

  test("a leader that lost its connection writes nothing of a job that another one has taken", async () => {
    const { leader, others } = shop.split()
    const [other] = others
    const api = apiWith(other!, leader.api.credential)
    await api.post("/items/reprice", { filter: {}, change: { percent: 10 } })
    const atNew = () => totalOf(api, "itemCode[like]=KILL-%25&sellingPrice=11")
    await until(async () => (await atNew()) > 50)
    process.kill(leader.process.pid, "SIGSTOP")
    try {
      shop.inDatabase((db) =>
        db.run(
          `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${0x4b4e544c}`,
        ),
      )
      await until(() => termsOf(other!) > 0)
      const before = await atNew()
      await until(async () => (await atNew()) > before)
    } finally {
      process.kill(leader.process.pid, "SIGCONT")
    }
    await until(async () => (await atNew()) === 300)
    const { body } = await apiWith(leader, leader.api.credential).get("/items?itemCode=KILL-0")
    expect(body.data).toMatchObject([{ sellingPrice: 11, version: 2 }])
    // Each item has one change, although two servers worked on them.
    const changes = "SELECT count(*) AS n FROM audit_logs WHERE action = 'items.update'"
    const total = await totalOf(api, "sellingPrice=11")
    expect(shop.inDatabase((db) => db.query(changes).get())).toEqual({ n: total })
    expect([termsOf(leader), termsOf(other!)]).toEqual([1, 1])
  })
})
