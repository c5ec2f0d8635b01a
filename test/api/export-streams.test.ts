import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { itemCode } from "../../scripts/bench/data"
import { signIn, type Api } from "../support/api"
import { exportsOf, slowClient } from "../support/exports"
import { isPostgres } from "../support/engine"
import { inFile } from "../support/file"
import { fillItems } from "../support/fill"
import { importer } from "../support/imports"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"
import { heard } from "../support/until"

/** More than the buffers between the server and a client have room for. */
const items = 1_600
const description = "x".repeat(10_000)
const [firstCode, lastCode] = [itemCode(1), itemCode(items)]
const path = "/items/export?format=ndjson"
const password = "another long password"

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

/** Adds API keys of the first user, so many that their export is as large as that of the items. */
const manyKeys = () =>
  inFile(kontor, (db) =>
    db
      .query(
        `INSERT INTO api_keys (id, "user", name, name_sort, prefix, scopes, allowed_ips, version, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         SELECT 'key_${"0".repeat(19)}' || substr(CAST(10000000 + i AS TEXT), 2), (SELECT min(id) FROM users), ?2, '', '',
           '["read"]', '[]', 1, '2021-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z' FROM n`,
      )
      .run(items, description),
  )

const demoted = ({ userId }: { userId: string }) => api.put(`/users/${userId}`, { role: "manager" })

/** How many exports run at once. */
const atOnce = 4

/** Signs in as a new user. */
async function newUser(role = "manager"): Promise<Api & { userId: string }> {
  const [email, password] = [`${crypto.randomUUID()}@example.com`, "a long password"]
  const { id } = await api.create("/users", { email, name: "Someone", role, password })
  return { ...(await signIn(kontor, email, password)), userId: id }
}

test("the exports of a user wait for each other, and those of others do not wait for them", async () => {
  const first = await slowClient(kontor, api, path)
  await first.began
  const second = exportsOf(kontor, api).records("items", `itemCode=${firstCode}`)
  const other = await newUser()
  expect(await exportsOf(kontor, other).records("items", `itemCode=${firstCode}`)).toHaveLength(1)
  expect(await Promise.race([second, heard(kontor).then(() => "waits")])).toBe("waits")
  expect((await api.get("/items?perPage=1")).status).toBe(200)
  first.disconnect()
  expect(await second).toHaveLength(1)
  await snapshotsEnd()
})

test("a few exports run at once, and that of another user waits for one of them", async () => {
  const users = await Promise.all(Array.from({ length: atOnce + 1 }, () => newUser()))
  const last = users.pop()!
  const slow = await Promise.all(users.map((user) => slowClient(kontor, user, path)))
  await Promise.all(slow.map(({ began }) => began))
  const waiting = exportsOf(kontor, last).records("items", `itemCode=${firstCode}`)
  expect(await Promise.race([waiting, Bun.sleep(1_000).then(() => "waits")])).toBe("waits")
  slow[0]?.disconnect()
  expect(await waiting).toHaveLength(1)
  for (const each of slow) each.disconnect()
  await snapshotsEnd()
})

test("a client that disconnects while it waits is skipped", async () => {
  const first = await slowClient(kontor, api, path)
  await first.began
  const second = await slowClient(kontor, api, path)
  await heard(kontor)
  second.disconnect()
  first.disconnect()
  await snapshotsEnd()
  expect(await exportsOf(kontor, api).records("items", `itemCode=${firstCode}`)).toHaveLength(1)
})

describe("a download ends, and does not look complete, when", () => {
  test.each<[string, string, (user: Api & { userId: string }) => Promise<unknown>]>([
    ["its user is disabled", path, ({ userId }) => api.put(`/users/${userId}`, { isActive: false })],
    ["its user signs out", path, (user) => user.post("/auth/logout")],
    ["its user gets another password", path, ({ userId }) => api.put(`/users/${userId}`, { password })],
    ["an admin gets another role and may read fewer records", "/api-keys/export?format=ndjson", demoted],
  ])("%s", async (_, file, change) => {
    const user = await newUser("admin")
    if (file.startsWith("/api-keys")) manyKeys()
    const slow = await slowClient(kontor, user, file)
    await slow.began
    expect(await change(user)).toMatchObject({ status: expect.any(Number) })
    expect((await slow.takeRest()).isComplete).toBe(false)
    await snapshotsEnd()
  })

  test("its API key is revoked", async () => {
    const user = await newUser()
    const { key, id } = await user.create("/api-keys", { name: "Export", scopes: ["read"] })
    const slow = await slowClient(kontor, { credential: { "x-api-key": key } }, path)
    await slow.began
    expect((await user.delete(`/api-keys/${id}`)).status).toBe(204)
    expect((await slow.takeRest()).isComplete).toBe(false)
    await snapshotsEnd()
  })

  test.each([path, "/export.zip"])("its user is disabled while %s waits for its turn", async (file) => {
    const user = await newUser("admin")
    const first = await slowClient(kontor, user, path)
    await first.began
    const second = await slowClient(kontor, user, file)
    await heard(kontor)
    await api.put(`/users/${user.userId}`, { isActive: false })
    first.disconnect()
    await second.began
    expect(second.taken()).toStartWith("HTTP/1.1 401 ")
    second.disconnect()
  })

  test("its user is disabled during the file of the faults of an import", async () => {
    const user = await newUser()
    const { id } = await importer(user).run("kind=items", "itemCode,itemName\n,Nameless")
    const faults = JSON.stringify([{ row: 2, column: null, field: "itemCode", message: description }])
    inFile(kontor, (db) => {
      const add = db.query("INSERT INTO job_faults (job, faults) VALUES (?, ?)")
      db.transaction(() => {
        for (let row = 0; row < items; row++) add.run(id, faults)
      })()
    })
    const slow = await slowClient(kontor, user, `/imports/${id}/faults?format=ndjson`)
    await slow.began
    expect((await api.put(`/users/${user.userId}`, { isActive: false })).status).toBe(200)
    expect((await slow.takeRest()).isComplete).toBe(false)
  })

  // A backup is a file of SQLite.
  test.skipIf(isPostgres)("its user is disabled during a backup", async () => {
    const user = await newUser("admin")
    const slow = await slowClient(kontor, user, "/backups", { method: "POST" })
    await slow.began
    expect((await api.put(`/users/${user.userId}`, { isActive: false })).status).toBe(200)
    expect((await slow.takeRest()).isComplete).toBe(false)
    const whole = await slowClient(kontor, api, "/backups", { method: "POST" })
    expect(await whole.takeRest()).toMatchObject({ isComplete: true })
  })
})

test.if(isLong)("a client that reads slowly but steadily gets the whole file", async () => {
  const slow = await slowClient(kontor, api, path)
  await slow.began
  const [rate, bytes] = [20_000, 4_000_000]
  for (let [taken, size] = [0, 1]; taken < bytes && size > 0; taken += size) {
    size = await slow.takeSome()
    await Bun.sleep((size / rate) * 1_000)
  }
  expect((await slow.takeRest()).isComplete).toBe(true)
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
