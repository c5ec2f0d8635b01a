import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { itemCode } from "../../scripts/bench/data"
import { signIn, type Api } from "../support/api"
import { exportsOf, slowClient } from "../support/exports"
import { isPostgres } from "../support/engine"
import { inFile } from "../support/file"
import { fillItems } from "../support/fill"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { heard } from "../support/until"

/** More than the buffers between the server and a client have room for. */
const items = 1_600
const description = "x".repeat(10_000)
const [firstCode, lastCode] = [itemCode(1), itemCode(items)]
const path = "/items/export?format=ndjson"

let kontor: Kontor
let api: Api

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  inFile(kontor, (db) => fillItems(db, { from: 1, to: items, itemName: "Before", description }))
  // Later, this would wait for the end of all exports, and the server would wait for this.
  if (isPostgres)
    inFile(kontor, (db) => void db.run("ALTER TABLE items DROP CONSTRAINT items_metadata_check"))
})
afterAll(cleanUp)

/** Waits until no connection reads an old state of the file: then the write-ahead log can be emptied. */
async function snapshotsEnd(): Promise<void> {
  while (hasSnapshot()) await Bun.sleep(50)
}

/** Waits until the server has logged a message. */
async function logged(message: string): Promise<void> {
  while (!kontor.output.stderr.includes(`"message":"${message}"`)) await Bun.sleep(50)
}

/** True while an export keeps an old state of the file. */
const keepsSnapshot = async (): Promise<boolean> => {
  await api.put("/settings", { companyName: crypto.randomUUID() })
  return hasSnapshot()
}

/** True when a connection reads an old state. Then the write-ahead log of a file cannot be emptied. */
const hasSnapshot = (): boolean =>
  inFile(kontor, (db) => {
    if (!isPostgres) db.run("PRAGMA busy_timeout = 0")
    const sql = isPostgres
      ? `SELECT count(*) AS busy FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
           AND xact_start IS NOT NULL`
      : "PRAGMA wal_checkpoint(TRUNCATE)"
    return (db.query<{ busy: number }, []>(sql).get()?.busy ?? 0) > 0
  })

test("an export has one state of the data, also if its client is slow and others write meanwhile", async () => {
  const slow = await slowClient(kontor, api, path)
  await slow.began
  const { id } = (await api.get(`/items?itemCode=${lastCode}`)).body.data[0]
  expect((await api.put(`/items/${id}`, { itemName: "After" })).status).toBe(200)
  await api.create("/items", { itemCode: "LATER", itemName: "Later" })
  const { body, isComplete } = await slow.takeRest()
  expect(isComplete).toBe(true)
  const records = body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(records).toHaveLength(items)
  expect(new Set(records.map(({ itemName }) => itemName))).toEqual(new Set(["Before"]))
  expect((await exportsOf(kontor, api).records("items", "itemName=After")).length).toBe(1)
})

test("an export ends when its client disconnects", async () => {
  const slow = await slowClient(kontor, api, path)
  await slow.began
  expect(await keepsSnapshot()).toBe(true)
  slow.disconnect()
  await snapshotsEnd()
})

test("two exports run at once, and a third one waits for one of them", async () => {
  const [first, second] = [await slowClient(kontor, api, path), await slowClient(kontor, api, path)]
  await Promise.all([first.began, second.began])
  const third = exportsOf(kontor, api).records("items", `itemCode=${firstCode}`)
  expect(await Promise.race([third, Bun.sleep(1_000).then(() => "waits")])).toBe("waits")
  expect((await api.get("/items?perPage=1")).status).toBe(200)
  first.disconnect()
  expect(await third).toHaveLength(1)
  second.disconnect()
  await snapshotsEnd()
})

test("a client that disconnects while it waits is skipped", async () => {
  const [first, second] = [await slowClient(kontor, api, path), await slowClient(kontor, api, path)]
  await Promise.all([first.began, second.began])
  const third = await slowClient(kontor, api, path)
  await Bun.sleep(200)
  third.disconnect()
  first.disconnect()
  second.disconnect()
  await snapshotsEnd()
  expect(await exportsOf(kontor, api).records("items", `itemCode=${firstCode}`)).toHaveLength(1)
})

test("with too many exports that wait, the next one is told to come back", async () => {
  const slow = await Promise.all(Array.from({ length: 23 }, () => slowClient(kontor, api, path)))
  await Promise.race(slow.map(({ began }) => began))
  await heard(kontor)
  const answer = await api.get(path)
  expect(answer).toMatchObject({ status: 503, body: { error: { code: "SERVICE_UNAVAILABLE" } } })
  expect(answer.headers.get("retry-after")).toBe("2")
  for (const each of slow) each.disconnect()
  await snapshotsEnd()
})

describe("a record that cannot be read", () => {
  /** Damages the metadata of an item, runs some work and repairs it. */
  async function whileDamaged(itemCode: string, work: () => Promise<void>): Promise<void> {
    const set = (metadata: string) =>
      inFile(kontor, (db) => {
        if (!isPostgres) db.run("PRAGMA ignore_check_constraints = ON")
        db.run("UPDATE items SET metadata = ? WHERE item_code = ?", [metadata, itemCode])
      })
    set("{damaged")
    await work()
    set("{}")
  }

  test("at the beginning makes the export an error", async () => {
    await whileDamaged(firstCode, async () => {
      expect(await api.get(path)).toMatchObject({
        status: 500,
        body: { success: false, error: { code: "INTERNAL_ERROR" } },
      })
    })
    await logged("A request failed.")
  })

  test("at the end resets the connection, so that the file does not look complete", async () => {
    await whileDamaged(lastCode, async () => {
      const slow = await slowClient(kontor, api, path)
      await slow.began
      const { body, isComplete } = await slow.takeRest()
      expect(body).toStartWith('{"id":"itm_')
      expect(isComplete).toBe(false)
    })
    await logged("An export failed.")
    for (const line of kontor.output.stderr.trimEnd().split("\n")) expect(line).toStartWith('{"time":')
  })
})

test("the server stops although a client is slow, and the file is not complete", async () => {
  const slow = await slowClient(kontor, api, path)
  await slow.began
  expect(await kontor.stop()).toBe(0)
  expect((await slow.takeRest()).isComplete).toBe(false)
})
