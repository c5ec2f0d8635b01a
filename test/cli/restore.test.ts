import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { latestVersion } from "../../src/core/engine/schema/migrate"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { connect, clientOf } from "../support/oauth"
import { adminEmail, adminPassword, cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { until } from "../support/until"

let kontor: Kontor
let api: Api
let copy: string
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  await api.create("/items", { itemCode: "KEPT", itemName: "In the copy" })
  const client = await clientOf(api)
  await connect(kontor, client)
  copy = join(kontor.cwd, "copy.db")
  await run(["backup", copy], { cwd: kontor.cwd })
  await api.create("/items", { itemCode: "LATER", itemName: "Not in the copy" })
})
afterAll(cleanUp)

const codesOf = async (server: Kontor) =>
  (await (await signIn(server)).get("/items?sort=itemCode&order=asc")).body.data.map(
    ({ itemCode }: { itemCode: string }) => itemCode,
  )

describe("kontor restore", () => {
  test("replaces the database with the backup, keeps the previous one, and everyone must sign in again", async () => {
    const cwd = emptyFolder()
    const first = await serve({ cwd })
    const before = await signIn(first)
    await before.create("/items", { itemCode: "OLD", itemName: "In the old database" })
    await first.stop()
    const restored = await run(["restore", copy, "--json"], { cwd })
    expect(restored.code).toBe(0)
    const { aside, version, ...rest } = JSON.parse(restored.stdout)
    expect(rest).toEqual({ file: join(cwd, "kontor.db"), isNew: false, from: copy })
    expect(version).toBe(latestVersion)
    const again = await serve({ cwd })
    expect(await codesOf(again)).toEqual(["KEPT"])
    expect((await apiWith(again, before.credential).get("/items")).status).toBe(401)
    await again.stop()
    const old = new Database(aside, { readonly: true })
    expect(old.query("SELECT item_code FROM items").all()).toEqual([{ item_code: "OLD" }])
    old.close()
    expect((await run(["check"], { cwd })).code).toBe(0)
  })

  test("the log of a crashed server is kept with the previous database and not applied to the new one", async () => {
    const cwd = emptyFolder()
    const first = await serve({ cwd })
    await (await signIn(first)).create("/items", { itemCode: "LOGGED", itemName: "Only in the log" })
    await first.stop("SIGKILL")
    expect(existsSync(join(cwd, "kontor.db-wal"))).toBeTrue()
    const { stdout } = await run(["restore", copy, "--json"], { cwd })
    expect(readdirSync(cwd).filter((name) => /^kontor\.db-(wal|shm)$/.test(name))).toEqual([])
    const aside = new Database(JSON.parse(stdout).aside)
    expect(aside.query("SELECT item_code FROM items").all()).toEqual([{ item_code: "LOGGED" }])
    aside.close()
    const again = await serve({ cwd })
    expect(await codesOf(again)).toEqual(["KEPT"])
  })

  test("several restores within a second keep every previous database", async () => {
    const cwd = emptyFolder()
    for (let i = 0; i < 6; i++) expect((await run(["restore", copy], { cwd })).code).toBe(0)
    expect(readdirSync(cwd).filter((name) => name.includes(".replaced-"))).toHaveLength(5)
  })

  test("prints the path of the file that it wrote, and says whether the file is new", async () => {
    const cwd = emptyFolder()
    const file = join(cwd, "kontor.db")
    copyFileSync(copy, join(cwd, "copy.db"))
    const done = `${join(cwd, "copy.db")} was restored to ${file}. Everyone must sign in again.\n`
    const first = await run(["restore", "copy.db"], { cwd })
    expect(first).toMatchObject({ code: 0, stdout: done })
    expect(first.stderr).toContain(`There was no database at ${file}: a new file was created.`)
    const second = await run(["restore", "copy.db"], { cwd })
    expect(second).toMatchObject({ code: 0, stdout: done })
    expect(second.stderr).toContain(`The old database is now ${file}.replaced-`)
    expect(second.stderr).not.toContain("new file")
  })

  test("into an empty folder: the file is private", async () => {
    const cwd = emptyFolder()
    expect((await run(["restore", copy], { cwd })).code).toBe(0)
    expect(readdirSync(cwd)).toEqual(["kontor.db"])
    expect(await codesOf(await serve({ cwd }))).toEqual(["KEPT"])
  })

  test("is refused while a server uses the database, and nothing changes", async () => {
    const answer = await run(["restore", copy], { cwd: kontor.cwd })
    expect(answer).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Another Kontor process is using"),
    })
    expect((await api.get("/items?itemCode=LATER")).body.meta.total).toBe(1)
  })

  const damagedFiles: [string, (file: string) => void, string][] = [
    ["not a database", (file) => writeFileSync(file, "hello"), "is not a database"],
    ["cut short", (file) => truncateSync(file, 40_000), "damaged"],
    [
      "overwritten in the middle",
      (file) => {
        const bytes = readFileSync(file)
        bytes.fill(0xff, 20_000, 90_000)
        writeFileSync(file, bytes)
      },
      "damaged",
    ],
    [
      "of another program",
      (file) => {
        const db = new Database(file)
        db.run("PRAGMA application_id = 7")
        db.close()
      },
      "of another program",
    ],
    [
      "newer than this Kontor",
      (file) => {
        const db = new Database(file)
        db.run("PRAGMA user_version = 99")
        db.close()
      },
      "version 99",
    ],
    [
      "with references to missing rows",
      (file) => {
        const db = new Database(file)
        db.run("PRAGMA foreign_keys = OFF")
        db.run("UPDATE oauth_grants SET client = 'cli_gone'")
        db.close()
      },
      "refers to a row that does not exist",
    ],
    ["empty", (file) => writeFileSync(file, ""), "empty"],
  ]
  test.each(damagedFiles)(
    "a file that is %s is refused, and the database is unchanged",
    async (_, spoil, message) => {
      const cwd = emptyFolder()
      copyFileSync(copy, join(cwd, "kontor.db"))
      const bad = join(cwd, "bad.db")
      copyFileSync(copy, bad)
      spoil(bad)
      const before = readFileSync(join(cwd, "kontor.db"))
      const answer = await run(["restore", bad], { cwd })
      expect(answer).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(message) })
      expect(readFileSync(join(cwd, "kontor.db")).equals(before)).toBeTrue()
      expect(readdirSync(cwd).toSorted()).toEqual(["bad.db", "kontor.db"])
    },
  )

  test("the database itself, a missing file and a missing argument are refused", async () => {
    const cwd = emptyFolder()
    copyFileSync(copy, join(cwd, "kontor.db"))
    expect(await run(["restore", "kontor.db"], { cwd })).toMatchObject({ code: 1 })
    expect(await run(["restore", "none.db"], { cwd })).toMatchObject({ code: 1 })
    expect(await run(["restore"], { cwd })).toMatchObject({ code: 2 })
  })
})

describe("GET /backups", () => {
  test("returns the path of the database, and of the newest automatic backup", async () => {
    const paths = async (server: Kontor) => (await (await signIn(server)).get("/backups")).body.data
    expect(await paths(kontor)).toEqual({ database: kontor.file, latestBackup: null, upload: null })
    const cwd = emptyFolder()
    mkdirSync(join(cwd, "copies"))
    const newest = `kontor-${new Date().toISOString().slice(0, 11)}000000Z.db`
    for (const name of ["kontor-2020-01-01T000000Z.db", newest, "kontor-2099-01-01T000000Z.db"])
      copyFileSync(copy, join(cwd, "copies", name))
    const server = await serve({ cwd, args: ["--backup-dir", "copies", "--backup-every", "7d"] })
    expect(await paths(server)).toEqual({
      database: server.file,
      latestBackup: join(cwd, "copies", newest),
      upload: null,
    })
    rmSync(join(cwd, "copies"), { recursive: true })
    expect(await paths(server)).toEqual({ database: server.file, latestBackup: null, upload: null })
    await server.stop()
  })
})

describe("POST /backups", () => {
  const download = (token: string) =>
    fetch(`${kontor.url}/api/v1/backups`, { method: "POST", headers: { authorization: token } })

  test("returns the file to an admin, without sessions, codes and secrets, and writes an audit log entry", async () => {
    const answer = await download(api.credential.authorization ?? "")
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="kontor-[\dTZ-]+\.db"$/)
    const file = join(kontor.cwd, "download.db")
    await Bun.write(file, await answer.arrayBuffer())
    const db = new Database(file, { readonly: true })
    const empty = ["sessions", "refresh_tokens", "oauth_codes", "secrets", "idempotency_keys"]
    for (const table of [...empty, "used_challenges", "oidc_sessions"])
      expect([table, db.query(`SELECT count(*) AS n FROM ${table}`).get()]).toEqual([table, { n: 0 }])
    expect(db.query("SELECT count(*) AS n FROM items").get()).toEqual({ n: 2 })
    db.close()
    const { data } = (await api.get("/audit-logs?action=backups.create")).body
    expect(data).toHaveLength(1)
    expect(readdirSync(kontor.cwd).filter((name) => name.endsWith(".unfinished"))).toEqual([])
  })

  test("is refused for API keys and other roles", async () => {
    const { key } = await api.create("/api-keys", {
      name: "All",
      scopes: ["read", "write", "delete", "admin"],
    })
    expect(refusalOf(await apiWith(kontor, { "x-api-key": key }).post("/backups"))).toMatchObject({
      status: 403,
    })
    await api.create("/users", {
      email: "m@shop.example",
      name: "M",
      role: "manager",
      password: adminPassword,
    })
    expect(refusalOf(await (await signIn(kontor, "m@shop.example")).post("/backups"))).toMatchObject({
      status: 403,
    })
  })

  test("a backup that is created during writes is consistent when it is restored", async () => {
    const customer = await api.create("/customers", { name: "Busy" })
    const item = await api.create("/items", { itemCode: "BUSY", itemName: "Busy" })
    let isOver = false
    let written = 0
    const writers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const order = await api.create("/sales-orders", {
          customer: customer.id,
          items: [{ item: item.id, quantity: 1, rate: 10 }],
          status: "submitted",
        })
        await api.post("/invoices/from-order", { salesOrder: order.id })
        written++
      }
    })
    while (written < 30) await Bun.sleep(5)
    const cwd = emptyFolder()
    const file = join(cwd, "copy.db")
    await Bun.write(file, await (await download(api.credential.authorization ?? "")).arrayBuffer())
    isOver = true
    await Promise.all(writers)
    expect((await run(["restore", "copy.db"], { cwd })).code).toBe(0)
    const checked = await run(["check"], { cwd })
    expect([checked.code, checked.stderr]).toEqual([0, ""])
  })
})

describe("scheduled backups", () => {
  const copiesIn = (folder: string) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".db")) : []

  test("the first is created at start and can be restored", async () => {
    const cwd = emptyFolder()
    const server = await serve({ cwd, args: ["--backup-dir", "copies", "--backup-every", "1h"] })
    await until(() => copiesIn(join(cwd, "copies")).length === 1)
    await server.stop()
    const [name = ""] = copiesIn(join(cwd, "copies"))
    expect((await run(["restore", join("copies", name)], { cwd })).code).toBe(0)
    await signIn(await serve({ cwd, env: {} }))
  })

  test("none is created while the newest is recent; old ones are deleted, other files are not", async () => {
    const cwd = emptyFolder()
    const folder = join(cwd, "copies")
    await serve({ cwd, args: ["--backup-dir", folder] }).then((server) =>
      until(() => copiesIn(folder).length === 1).then(() => server.stop()),
    )
    const [newest = ""] = copiesIn(folder)
    await (await serve({ cwd, args: ["--backup-dir", folder] })).stop()
    expect(copiesIn(folder)).toEqual([newest])
    const old = [
      "kontor-2020-01-01T000000Z.db",
      "kontor-2020-01-02T000000Z.db",
      "kontor-2020-01-03T000000Z.db",
    ]
    for (const name of old) copyFileSync(join(folder, newest), join(folder, name))
    writeFileSync(join(folder, "mine.db"), "not ours")
    rmSync(join(folder, newest))
    const server = await serve({ cwd, args: ["--backup-dir", folder, "--backup-keep", "2"] })
    await until(() => !copiesIn(folder).includes(old[1] ?? ""))
    expect(copiesIn(folder)).toHaveLength(3)
    expect(copiesIn(folder)).toContain("mine.db")
    expect(copiesIn(folder)).toContain(old[2] ?? "")
    await server.stop()
  })

  test("a backup dated in the future is logged once, is not counted and is not deleted", async () => {
    const cwd = emptyFolder()
    const folder = join(cwd, "copies")
    mkdirSync(folder)
    const strange = ["kontor-2099-01-01T000000Z.db", "kontor-2026-99-99T000000Z.db"]
    for (const name of strange) writeFileSync(join(folder, name), "from elsewhere")
    const old = ["kontor-2020-01-01T000000Z.db", "kontor-2020-01-02T000000Z.db"]
    for (const name of old) writeFileSync(join(folder, name), "old")
    const server = await serve({ cwd, args: ["--backup-dir", folder, "--backup-keep", "2"] })
    await until(() => !copiesIn(folder).includes(old[0] ?? ""))
    await server.stop()
    expect(copiesIn(folder)).toHaveLength(4)
    for (const name of [...strange, old[1] ?? ""]) expect(copiesIn(folder)).toContain(name)
    const warnings = server.output.stderr.split("\n").filter((line) => line.includes('"level":"warn"'))
    expect(warnings).toHaveLength(2)
    for (const name of strange) expect(warnings.join()).toContain(name)
  })

  test("a backup folder that disappears is reported in the log, and requests still work", async () => {
    const cwd = emptyFolder()
    const folder = join(cwd, "copies")
    const goneAt = async (tries: number): Promise<Kontor> => {
      const server = await serve({ cwd, args: ["--backup-dir", folder, "--backup-every", "1m"] })
      rmSync(folder, { recursive: true })
      await until(() => server.output.stderr.includes('"message":"A backup '))
      // On a busy machine the backup may be done before the folder is deleted.
      if (server.output.stderr.includes("could not be created") || tries === 0) return server
      await server.stop()
      return goneAt(tries - 1)
    }
    const server = await goneAt(5)
    expect(server.output.stderr).toContain("A backup could not be created.")
    expect(server.output.stderr).not.toMatch(/^\s+at /m)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.stop()
  })

  test("invalid times and numbers, and unusable folders, are refused at start", async () => {
    for (const args of [
      ["--backup-every", "soon"],
      ["--backup-every", "0h"],
      ["--backup-keep", "0"],
    ])
      expect((await run(["serve", "--backup-dir", "copies", ...args])).code).toBe(2)
    const cwd = emptyFolder()
    writeFileSync(join(cwd, "file"), "")
    const env = { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword }
    expect((await run(["serve", "--port", "0", "--backup-dir", "file/copies"], { cwd, env })).code).toBe(1)
  })
})
