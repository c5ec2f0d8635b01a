import { afterAll, beforeAll, expect, test } from "bun:test"
import { isMeasured } from "../../scripts/faults/cost-cpu"
import { heldSince, measured, type Result } from "../../scripts/faults/cost-measure"
import { millis, watchOf } from "../../scripts/faults/cost-watch"
import { signIn } from "../support/api"
import { copyImport, importer } from "../support/imports"
import { cleanUp, serve, type Kontor } from "../support/kontor"

const kontor = await serve()
const api = await signIn(kontor)
afterAll(cleanUp)

const most = 500

/** A file whose titles and cells are as long as an import shows them. */
const widest = [
  Array.from({ length: most }, (_, i) => (i < 2 ? ["itemCode", "itemName"][i] : `${i} ${"ä".repeat(195)}`)),
  ...Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: most }, (_each, i) => `${row} ${i} ${"ö".repeat(92)}`),
  ),
]
  .map((cells) => `${cells.join(",")}\n`)
  .join("")

let id = ""
beforeAll(async () => {
  const ended = await importer(api).run("kind=items&dryRun=true", widest)
  id = ended.id
  expect(ended.columns).toHaveLength(most)
  expect(JSON.stringify(ended).length).toBeGreaterThan(500_000)
  copyImport(kontor, id, 99)
})

/** The server may run in the process of the tests. */
function pidOf(server: Kontor): number {
  try {
    return server.process.pid
  } catch {
    return process.pid
  }
}

test("the list of imports leaves out what was recognized in their files", async () => {
  const list = await api.get("/imports")
  expect(list.body.data).toHaveLength(50)
  for (const each of list.body.data)
    expect(each).toMatchObject({
      status: "finished",
      counts: { rows: 5 },
      format: null,
      columns: [],
      firstRows: [],
      faults: [],
    })
  expect(list.text.length).toBeLessThan(100_000)
  const one = (await api.get(`/imports/${id}`)).body.data
  expect(one).toMatchObject({ format: { type: "csv" }, firstRows: expect.any(Array) })
  expect(one.columns).toHaveLength(most)
})

test.skipIf(!isMeasured)(
  "the list of the newest imports, of files with the most columns, blocks no other request",
  async () => {
    const watch = watchOf(kontor.url, pidOf(kontor))
    const target = { url: kontor.url, pid: pidOf(kontor), watch }
    for (const path of ["/imports", "/imports?dryRun=true", "/imports?dryRun=false", `/imports/${id}`]) {
      const result = await measured(50, async (): Promise<Result> => {
        await heldSince(target, millis())
        const from = millis()
        const { status } = await api.get(path)
        const hold = await heldSince(target, from)
        return { operation: path, parameter: "", value: "", hold, status, problem: null }
      })
      expect(result).toMatchObject({ operation: path, status: 200, problem: null })
    }
    watch.stop()
  },
)
