import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  for (let i = 0; i < 30; i++) await api.create("/items", { itemCode: `B-${i}`, itemName: `Backup ${i}` })
})
afterAll(cleanUp)

describe("kontor backup", () => {
  test("writes a checked, private copy while it is served and written to", async () => {
    const folder = emptyFolder()
    const target = join(folder, "copy.db")
    const writing = Promise.all(
      Array.from({ length: 50 }, (_, i) => api.create("/customers", { name: `During ${i}` })),
    )
    const made = await run(["backup", target], { cwd: kontor.cwd })
    await writing
    expect(made).toMatchObject({ code: 0, stderr: "" })
    expect(readdirSync(folder)).toEqual(["copy.db"])
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(await run(["check", "--db", target])).toMatchObject({ code: 0 })
  })

  test("leaves out sessions, refresh tokens and secrets, down to the free pages", async () => {
    const target = join(emptyFolder(), "copy.db")
    const secrets = inFile(kontor, (db) => db.query<{ value: string }, []>("SELECT value FROM secrets").all())
    expect(secrets.length).toBeGreaterThan(1)
    await run(["backup", target], { cwd: kontor.cwd })
    const bytes = readFileSync(target).toString("latin1")
    for (const { value } of secrets) expect(bytes).not.toContain(value)
    for (const table of ["sessions", "refresh_tokens", "secrets", "idempotency_keys"])
      expect(inFile({ file: target }, (db) => db.query(`SELECT count(*) AS n FROM ${table}`).get())).toEqual({
        n: 0,
      })
  })

  test("can be served: people sign in again, keys still work", async () => {
    const cwd = emptyFolder()
    const { key } = await api.create("/api-keys", { name: "Stays", scopes: ["read"] })
    await run(["backup", join(cwd, "kontor.db")], { cwd: kontor.cwd })
    const copy = await serve({ cwd, env: {} })
    expect((await fetch(`${copy.url}/api/v1/items`, { headers: api.credential })).status).toBe(401)
    expect((await fetch(`${copy.url}/api/v1/items`, { headers: { "x-api-key": key } })).status).toBe(200)
    expect((await (await signIn(copy)).get("/items?search=backup")).body.meta.total).toBe(30)
  })

  test("replaces an older copy, but never the database itself", async () => {
    const folder = emptyFolder()
    const target = join(folder, "copy.db")
    writeFileSync(target, "old")
    expect(await run(["backup", target], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
    expect(statSync(target).size).toBeGreaterThan(10_000)
    expect(await run(["backup", "kontor.db"], { cwd: kontor.cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is the database itself"),
    })
  })

  test("a place that cannot be written is refused in words, and nothing is left behind", async () => {
    const refused = await run(["backup", "/no/such/folder/copy.db"], { cwd: kontor.cwd })
    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr).toMatch(/cannot be (written|opened)/)
    expect(await run(["backup"], { cwd: kontor.cwd })).toMatchObject({ code: 2 })
  })
})

describe("kontor check", () => {
  const copyWith = async (sql: string) => {
    const target = join(emptyFolder(), "copy.db")
    await run(["backup", target], { cwd: kontor.cwd })
    inFile({ file: target }, (db) => db.run(sql))
    return run(["check", "--db", target])
  }

  test("is quiet about a good file and prints the head of the audit log", async () => {
    const { code, stdout, stderr } = await run(["check"], { cwd: kontor.cwd })
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^Head of the audit log: [0-9a-f]{64}\n$/)
  })

  test.each([
    [
      "search that lies about a record",
      "UPDATE items SET item_name = 'Changed behind' WHERE seq = 1",
      "Search does not know the item",
    ],
    [
      "a record that search does not know",
      "DELETE FROM items_search WHERE rowid = 2",
      "Search does not know the item",
    ],
    [
      "a word in search that belongs to nothing",
      "INSERT INTO items_search (rowid, words) VALUES (9999, 'ghost')",
      "Search knows 31 item rows; there are 30.",
    ],
    ["a reference to nothing", "PRAGMA foreign_keys = OFF; DELETE FROM users", "refers to a row of users"],
  ])("finds %s: exit 1 and a line", async (_, sql, line) => {
    const { code, stdout } = await copyWith(sql)
    expect(code).toBe(1)
    expect(stdout).toContain(line)
  })
})
