import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { importer } from "../support/imports"
import { cleanUp } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
import { several, termsOf, type Member, type Several } from "../support/several"
import { until } from "../support/until"

/** Sends the first bytes of a file, and the rest when `end` is called. Returns the response. */
function upload({ url, api }: Member, file: string) {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const bytes = new TextEncoder().encode(file)
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length - 10))
      await end
      controller.enqueue(bytes.subarray(bytes.length - 10))
      controller.close()
    },
  })
  const headers = { ...api.credential, "content-type": "text/csv" }
  return { end: resolve, sent: fetch(`${url}/api/v1/imports?kind=items`, { method: "POST", headers, body }) }
}

describe.skipIf(!isPostgresInstalled())("files that several servers receive", () => {
  let shop: Several

  beforeAll(async () => {
    shop = await several(3)
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  const countFiles = () =>
    shop.inDatabase((db) => db.query("SELECT count(DISTINCT job) FROM uploads").values().flat()[0])

  test("are not deleted by a new leader", async () => {
    const { leader, others } = shop.split()
    const description = "long ".repeat(400)
    const files = others.map((_, i) => {
      const rows = Array.from({ length: 300 }, (_row, j) => `UP-${i}-${j},Lamp,${description}`)
      return ["itemCode,itemName,description", ...rows, ""].join("\n")
    })
    const uploads = others.map((member, i) => upload(member, files[i] ?? ""))
    await until(() => countFiles() === 2)
    await leader.stop("SIGKILL")
    await until(() => others.some((member) => termsOf(member) > 0))
    // A leader deletes files before it runs a job.
    const { leader: newLeader } = shop.split(others)
    const small = await importer(newLeader.api).run("kind=items", "itemCode,itemName\nSMALL,Lamp")
    expect(small.status).toBe("finished")
    for (const { end } of uploads) end()
    for (const [i, { sent }] of uploads.entries()) {
      const { data } = (await (await sent).json()) as { data: { id: string } }
      const imported = await importer(newLeader.api).wait(data.id)
      expect([i, imported.status, imported.counts.created]).toEqual([i, "finished", 300])
    }
  })
})
