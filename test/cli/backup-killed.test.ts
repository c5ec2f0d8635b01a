import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { smallDisk } from "../../scripts/faults/disk"
import { readRecording } from "../../scripts/faults/recording"
import { findShim, shimmed } from "../../scripts/faults/shim"
import { signIn } from "../support/api"
import { inFile } from "../support/file"
import { clientOf, connect } from "../support/oauth"
import { cleanUp, emptyFolder, program, run, serve } from "../support/kontor"
import { isLong } from "../support/long"

const home = emptyFolder()
/** On Linux, this folder is on a file system of its own. A backup is copied there, and not renamed. */
const otherDisk = "/dev/shm"
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(home).dev
const backupFolder = () => emptyFolder(hasOtherDisk ? otherDisk : undefined)
const leftOut = ["sessions", "refresh_tokens", "oauth_codes", "secrets", "idempotency_keys"]
/** Texts that no file in the backup folder may contain. */
let secrets: string[]
/** How long a backup takes, in milliseconds. */
let takes = 0

beforeAll(async () => {
  const kontor = await serve({ cwd: home })
  const api = await signIn(kontor)
  await connect(kontor, await clientOf(api))
  await api.post(
    "/items",
    { itemCode: "KEPT-ANSWER", itemName: "K" },
    { "idempotency-key": "kept-for-a-day" },
  )
  await api.get("/items?perPage=1")
  await kontor.stop()
  secrets = inFile(kontor, (db) => {
    // Large enough to be killed while it is copied.
    db.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO rate_days SELECT hex(randomblob(200)), '2026-01-01', i FROM n`)
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    const valuesOf = (sql: string) =>
      db
        .query<{ value: string }, []>(sql)
        .all()
        .map(({ value }) => value)
    return [
      ...valuesOf("SELECT value FROM secrets"),
      ...valuesOf("SELECT id AS value FROM sessions"),
      ...valuesOf("SELECT digest AS value FROM refresh_tokens"),
      ...valuesOf("SELECT key AS value FROM idempotency_keys"),
    ]
  })
  expect(secrets.length).toBeGreaterThan(6)
  const begin = performance.now()
  expect(await run(["backup", join(emptyFolder(), "copy.db")], { cwd: home })).toMatchObject({ code: 0 })
  takes = performance.now() - begin
})
const [small, shim] = [smallDisk(), await findShim()]
afterAll(async () => {
  small?.remove()
  await cleanUp()
})

const unfinishedIn = (folder: string) => readdirSync(folder).filter((name) => name.includes(".unfinished"))

/** Checks every file for secrets, and the tables of a finished backup. */
function assertClean(folder: string): void {
  for (const name of readdirSync(folder)) {
    const bytes = existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : Buffer.alloc(0)
    expect([name, secrets.filter((secret) => bytes.includes(secret))]).toEqual([name, []])
    if (name !== "copy.db") continue
    const db = new Database(join(folder, name), { readonly: true })
    for (const table of leftOut) expect(db.query(`SELECT * FROM ${table}`).all()).toEqual([])
    expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
    db.close()
  }
}

/** Starts a backup and kills it when `moment` resolves. */
async function killedAt(folder: string, moment: () => Promise<unknown>): Promise<void> {
  const child = Bun.spawn([...program, "backup", join(folder, "copy.db")], {
    cwd: home,
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "ignore", "ignore"],
  })
  await Promise.race([moment(), child.exited])
  child.kill("SIGKILL")
  await child.exited
}

test("no secret is in the backup folder at any moment of a backup", async () => {
  const folder = backupFolder()
  const child = Bun.spawn([...program, "backup", join(folder, "copy.db")], {
    cwd: home,
    stdio: ["ignore", "ignore", "ignore"],
  })
  let looks = 0
  for (; child.exitCode === null; looks++) {
    assertClean(folder)
    await Bun.sleep(1)
  }
  expect(child.exitCode).toBe(0)
  expect(looks).toBeGreaterThan(10)
  assertClean(folder)
})

describe("a backup that is killed", () => {
  test("leaves no secret in the backup folder, at any time", async () => {
    // In the first half of the time, the program only starts.
    const [kills, from] = isLong ? [20, 0] : [10, takes / 2]
    for (let i = 0; i < kills; i++) {
      const folder = backupFolder()
      await killedAt(folder, () => Bun.sleep(from + ((takes - from) * (i + 1)) / kills))
      assertClean(folder)
    }
  })

  test.skipIf(shim === null)("leaves no secret there at any of its system calls to the disk", async () => {
    const log = join(emptyFolder(), "recording")
    const copy = (folder: string, more: Record<string, string>) =>
      run(["backup", join(folder, "copy.db")], {
        cwd: home,
        env: { ...shimmed(shim ?? "", folder), ...more },
      })
    expect(await copy(backupFolder(), { KONTOR_FAULTS_LOG: log })).toMatchObject({ code: 0 })
    const calls = readRecording(log).length
    const kills = isLong ? 14 : 6
    for (let i = 0; i < kills; i++) {
      const folder = backupFolder()
      const at = Math.ceil((calls * (i + 1)) / kills)
      expect(await copy(folder, { KONTOR_FAULTS_KILL_AT: String(at) })).toMatchObject({ code: 137 })
      assertClean(folder)
    }
  })

  test("leaves files next to the database that only the owner can read", () => {
    for (const name of unfinishedIn(home)) expect(statSync(join(home, name)).mode & 0o777).toBe(0o600)
    expect(unfinishedIn(home)).not.toEqual([])
  })

  test("is deleted in both folders by the next backup when it is older than an hour", async () => {
    const folder = emptyFolder()
    const left = (name: string) => `.${name}.${crypto.randomUUID()}.unfinished`
    const [young, old] = [left("copy"), left("copy")]
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const place of [home, folder])
      for (const name of [young, old, `${old}-journal`]) writeFileSync(join(place, name), "left")
    for (const place of [home, folder])
      for (const name of unfinishedIn(place))
        if (name !== young) utimesSync(join(place, name), longAgo, longAgo)
    expect(await run(["backup", join(folder, "copy.db")], { cwd: home })).toMatchObject({ code: 0 })
    expect(unfinishedIn(home)).toEqual([young])
    expect(readdirSync(folder).toSorted()).toEqual([young, "copy.db"].toSorted())
    assertClean(folder)
  })
})

describe("a backup into another folder", () => {
  test.each([
    ["on the same file system", () => emptyFolder()],
    ["on another file system", backupFolder],
  ])("%s is complete, private and leaves no other file", async (_, newFolder) => {
    const [folder, before] = [newFolder(), readdirSync(home)]
    expect(await run(["backup", join(folder, "copy.db")], { cwd: home })).toMatchObject({ code: 0 })
    expect([readdirSync(folder), readdirSync(home)]).toEqual([["copy.db"], before])
    expect(statSync(join(folder, "copy.db")).mode & 0o777).toBe(0o600)
    assertClean(folder)
  })
})

describe("a backup into the folder of the database", () => {
  test("gets its name there and leaves no other file", async () => {
    const before = readdirSync(home)
    expect(await run(["backup", "beside.db"], { cwd: home })).toMatchObject({ code: 0 })
    expect(readdirSync(home).toSorted()).toEqual([...before, "beside.db"].toSorted())
    expect(statSync(join(home, "beside.db")).mode & 0o777).toBe(0o600)
    expect(await run(["check", "--db", "beside.db"], { cwd: home })).toMatchObject({ code: 0 })
  })
})

describe("an unusable backup target", () => {
  const refusals: [string, string, string][] = [
    [
      "a missing folder",
      "/no/such/folder/copy.db",
      "cannot be written: the folder /no/such/folder does not exist.",
    ],
    ["a folder", "folder", "folder is a folder. Give the name of a file."],
    ["a folder without write access", "/proc/copy.db", "/proc/copy.db cannot be written: "],
    ["a file of the database", "kontor.db-wal", "is the database itself"],
  ]
  const cwd = emptyFolder()
  beforeAll(async () => {
    await run(["migrate"], { cwd })
    await Bun.write(join(cwd, "folder", "x"), "")
  })
  test.each(refusals)("%s is refused in one sentence before anything is copied", async (_, target, says) => {
    const before = readdirSync(cwd)
    const answer = await run(["backup", target], { cwd })
    expect(answer).toMatchObject({ code: 1, stdout: "" })
    expect(answer.stderr).toContain(says)
    expect(answer.stderr.trim().split("\n")).toHaveLength(1)
    expect(readdirSync(cwd)).toEqual(before)
  })
})

describe.skipIf(small === null)("a full disk", () => {
  const full = "the disk is full.\n"

  test("for the backup is reported, and no file is left there", async () => {
    if (!small) return
    small.fail()
    const before = readdirSync(small.cwd)
    const target = join(small.cwd, "copy.db")
    const answer = await run(["backup", target], { cwd: home })
    expect(answer).toEqual({ code: 1, stdout: "", stderr: `${target} cannot be written: ${full}` })
    expect(readdirSync(small.cwd)).toEqual(before)
    small.repair()
  })

  test("next to the database is reported, and no file is left there", async () => {
    if (!small) return
    copyFileSync(join(home, "kontor.db"), join(small.cwd, "kontor.db"))
    small.fail()
    const before = readdirSync(small.cwd)
    const answer = await run(["backup", join(emptyFolder(), "copy.db")], { cwd: small.cwd })
    const stderr = `The backup could not be created in ${small.cwd}: ${full}`
    expect(answer).toEqual({ code: 1, stdout: "", stderr })
    expect(readdirSync(small.cwd)).toEqual(before)
    small.repair()
  })
})
