// The search text of a record is written a moment after its commit. No search may notice that.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { isPostgres } from "../support/engine"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"
import { until } from "../support/until"

let kontor: Kontor
let api: Api
let shop: Trade

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(cleanUp)

const restart = async (signal: "SIGKILL" | "SIGTERM") => {
  await kontor.stop(signal)
  const waiting = inFile(kontor, (db) => db.query("SELECT record FROM search_waiting").all().length)
  const check = await run(["check", "--db", kontor.file, "--json"])
  kontor = await serve({ cwd: kontor.cwd, env: {} })
  api = await signIn(kontor)
  shop = trade(api)
  return { waiting, check }
}

const hits = async (q: string): Promise<number> =>
  (await api.get(`/search?q=${q}&limit=100&types=items`)).body.data.items.length
const listed = async (q: string): Promise<number> =>
  (await api.get(`/items?search=${q}&perPage=100`)).body.meta.total
const exported = async (q: string): Promise<number> => {
  const file = await fetch(`${kontor.url}/api/v1/items/export?format=ndjson&search=${q}`, {
    headers: api.credential,
  })
  return (await file.text()).trim().split("\n").filter(Boolean).length
}
const repriced = async (q: string): Promise<number> =>
  (await api.post("/items/reprice", { filter: { search: q }, change: { percent: 10 }, dryRun: true })).body
    .data.matched

test.each([
  ["the global search", hits],
  ["a list", listed],
  ["an export", exported],
  ["a change of prices", repriced],
])("%s finds every record that was written just before it", async (name, count) => {
  const word = `feed${name.replaceAll(" ", "")}`
  for (let i = 1; i <= 12; i++) {
    await shop.item({ itemName: `${word} ${i}`, sellingPrice: 10 })
    expect(await count(word)).toBe(i)
  }
})

test("a search finds all of 900 records that were written at once", async () => {
  await Promise.all(Array.from({ length: 900 }, (_, i) => shop.item({ itemName: `crowded ${i}` })))
  expect(await listed("crowded")).toBe(900)
})

test("records that waited for their search text when the process was killed are found after a restart", async () => {
  for (let i = 0; i < 20; i++) await shop.item({ itemName: `survivor ${i}` })
  const { waiting, check } = await restart("SIGKILL")
  expect(waiting).toBeGreaterThan(0)
  expect(JSON.parse(check.stdout)).toMatchObject({ ok: true, faults: [] })
  expect(await hits("survivor")).toBe(20)
  expect(await listed("survivor")).toBe(20)
})

test("a check reports a search text that is wrong although nothing waits for it", async () => {
  const { id } = await shop.item({ itemName: "vanishing" })
  expect(await listed("vanishing")).toBe(1)
  await kontor.stop("SIGTERM")
  inFile(kontor, (db) => {
    const { seq } = db.query("SELECT seq FROM items WHERE id = ?").get(id) as { seq: number }
    db.query("DELETE FROM items_search WHERE rowid = ?").run(seq)
    // A mark of another table with the same number does not excuse it.
    db.query("INSERT INTO search_waiting (source, record) VALUES ('customers', ?)").run(seq)
  })
  const check = await run(["check", "--db", kontor.file, "--json"])
  expect(JSON.parse(check.stdout).faults).toContain(`The search index is out of date for the item ${id}.`)
  await run(["reindex", "--db", kontor.file])
  expect(JSON.parse((await run(["check", "--db", kontor.file, "--json"])).stdout).ok).toBe(true)
  kontor = await serve({ cwd: kontor.cwd, env: {} })
  api = await signIn(kontor)
  expect(await listed("vanishing")).toBe(1)
})

test("without searches, the text is written by itself", async () => {
  shop = trade(api)
  const waiting = () => inFile(kontor, (db) => db.query("SELECT 1 FROM search_waiting").all().length)
  // Twice, because what waits at the start is written then.
  for (const itemName of ["by itself", "by itself again"]) {
    await shop.item({ itemName })
    await until(() => waiting() === 0)
  }
})

const segments = () =>
  inFile(kontor, (db) =>
    ["items_search", "items_words"].map(
      (name) => db.query(`SELECT DISTINCT segid FROM ${name}_idx`).all().length,
    ),
  )

/** Creates items one by one. Each search writes the text of one record, which is a segment of its own. */
async function addSegments(count: number, word: string): Promise<void> {
  for (let i = 0; i < count; i++) {
    await shop.item({ itemName: `${word} ${i}` })
    expect(await listed(`${word}+${i}`)).toBeGreaterThan(0)
  }
}

/** Waits for fewer segments than two merges need. */
const fewSegments = () => until(() => Math.max(...segments()) < 32)

test.skipIf(isPostgres)("the segments of the search tables are merged by themselves", async () => {
  await addSegments(150, "segment")
  await fewSegments()
  expect(await listed("segment")).toBe(150)
})

test.skipIf(isPostgres)(
  "segments are merged although every run of the server writes only a few",
  async () => {
    for (let i = 1; i <= 4; i++) {
      await addSegments(14, `short${i}`)
      await restart("SIGTERM")
    }
    await addSegments(1, "last")
    await fewSegments()
    expect(await listed("short")).toBe(56)
  },
)
