import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Api } from "../support/api"
import { importer } from "../support/imports"
import { cleanUp } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
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
    shop = await several(3)
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  test("servers that start at once on an empty database create it and its admin once, and one becomes the leader", async () => {
    expect(shop.members.map(termsOf).toSorted()).toEqual([0, 0, 1])
    const admins = shop.inDatabase((db) => db.query("SELECT email FROM users").values())
    expect(admins).toEqual([["admin@example.com"]])
  })

  test("a job that another server accepts begins at once", async () => {
    const [other] = shop.split().others
    // The leader looks for jobs once a minute, if it does not know of one. So many would take longer than a test may.
    for (let i = 0; i < 12; i++) await importer(other!.api).run("kind=items", fileOf(`FIRST-${i}`, 2))
    expect(await totalOf(other!.api, "itemCode[like]=FIRST-%25")).toBe(24)
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
    const polled = one!.api.get(`/events?after=${next}&wait=60`)
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
})
