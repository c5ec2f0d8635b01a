import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { clientOf, signIn as credentialOf } from "../../scripts/faults/client"
import { completeShop } from "../../scripts/faults/crash"
import { diskModel, cutEffects } from "../../scripts/faults/disk-model"
import { randomFrom } from "../../scripts/faults/random"
import { seedOf } from "../support/same-choices"
import { readRecording } from "../../scripts/faults/recording"
import { findShim, shimmed } from "../../scripts/faults/shim"
import { advance, latest, scenarioOf, type Scenario } from "../../scripts/faults/scenario"
import { differences, snapshotOf } from "../../scripts/faults/verify"
import { latestVersion } from "../../src/core/engine/schema/migrate"
import { firstVersion } from "../../src/core/engine/schema/migrations"
import { countsOf, makeOlder, rowsOf } from "../support/older-file"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, run, serve } from "../support/kontor"
import { isLong } from "../support/long"

const random = randomFrom(seedOf("upgrade"))
const shim = await findShim()
/** A shop in a file of the oldest version, and its expected content. */
const old = join(emptyFolder(), "kontor.db")
let scenarios: Scenario[]
let credential: Record<string, string>
let rows: Record<string, unknown[]>
/** Includes the search tables, which a copy of the old file must have too. */
let allRows: Record<string, unknown[]>
let counts: Record<string, number>

beforeAll(async () => {
  const kontor = await serve()
  credential = await credentialOf(kontor.url)
  const client = clientOf(kontor.url, credential)
  const shared = await completeShop(client)
  scenarios = Array.from({ length: 6 }, (_, i) =>
    scenarioOf(random.between(0, 2 ** 31), `U${i + 1}`, shared, false),
  )
  for (const scenario of scenarios) while (!scenario.isOver) await advance(scenario, client)
  await kontor.stop()
  makeOlder(kontor.file, old)
  rows = rowsOf(old)
  allRows = rowsOf(old, { withSearch: true })
  counts = inFile({ file: old }, countsOf)
})
afterAll(cleanUp)

/** Creates a folder with an older file. */
function oldFolder(): string {
  const cwd = emptyFolder()
  cpSync(old, join(cwd, "kontor.db"))
  return cwd
}
const copiesIn = (cwd: string) => readdirSync(cwd).filter((name) => name.endsWith(".backup"))
const versionOf = (file: string) => {
  const db = new Database(file, { readwrite: true })
  const { user_version: version } = db.query("PRAGMA user_version").get() as { user_version: number }
  const { integrity_check: integrity } = db.query("PRAGMA integrity_check").get() as {
    integrity_check: string
  }
  db.close()
  return { version, integrity }
}

/** Checks that the file has its complete old or new schema with every row, and that the copies are complete. */
function assertUsable(cwd: string): number {
  const file = join(cwd, "kontor.db")
  const { version, integrity } = versionOf(file)
  expect({ integrity, isKnown: version === firstVersion || version === latestVersion }).toEqual({
    integrity: "ok",
    isKnown: true,
  })
  expect(rowsOf(file)).toEqual(rows)
  // All tables of the old file, including those that the line above does not check.
  expect(inFile({ file }, countsOf)).toMatchObject(counts)
  for (const copy of copiesIn(cwd)) {
    expect(versionOf(join(cwd, copy))).toEqual({ version: firstVersion, integrity: "ok" })
    expect(rowsOf(join(cwd, copy), { withSearch: true })).toEqual(allRows)
  }
  if (version !== firstVersion) expect(copiesIn(cwd)).not.toEqual([])
  return version
}

/** Checks that the next start completes the migration and leaves no unfinished files. */
async function assertFinishes(cwd: string): Promise<void> {
  expect(await run(["migrate", "--db", join(cwd, "kontor.db")])).toMatchObject({ code: 0 })
  expect(assertUsable(cwd)).toBe(latestVersion)
  expect(await run(["check"], { cwd })).toMatchObject({ code: 0 })
  const others = readdirSync(cwd).filter((name) => name !== "kontor.db" && !name.endsWith(".backup"))
  expect(others).toEqual([])
}

describe("an older file", () => {
  test("is served with all its data, and a copy is kept", async () => {
    const cwd = oldFolder()
    const kontor = await serve({ cwd })
    const snapshot = await snapshotOf(clientOf(kontor.url, credential))
    for (const scenario of scenarios) expect(differences(scenario, latest(scenario), snapshot)).toEqual([])
    const [copy = "", ...more] = copiesIn(cwd)
    expect(more).toEqual([])
    expect(kontor.output.stderr).toContain(
      `from version ${firstVersion} to ${latestVersion}; a backup is in ./${copy}.\n`,
    )
    expect(statSync(join(cwd, copy)).mode & 0o777).toBe(0o600)
    expect(versionOf(join(cwd, copy))).toEqual({ version: firstVersion, integrity: "ok" })
    expect(rowsOf(join(cwd, copy), { withSearch: true })).toEqual(allRows)
    await kontor.stop()
    expect(await run(["check"], { cwd })).toMatchObject({ code: 0 })

    const again = await serve({ cwd })
    await again.stop()
    expect(copiesIn(cwd)).toEqual([copy])
  })

  test("is unchanged when a step fails, and is migrated when the cause is fixed", async () => {
    const cwd = oldFolder()
    const file = join(cwd, "kontor.db")
    const change = (sql: string) => {
      const db = new Database(file)
      db.run(sql)
      db.close()
    }
    change("ALTER TABLE webhooks ADD COLUMN owner TEXT")
    for (const command of ["migrate", "serve"]) {
      const refused = await run([command, "--db", file, ...(command === "serve" ? ["--port", "0"] : [])])
      expect(refused).toMatchObject({ code: 1, stdout: "" })
      expect(refused.stderr).toMatch(
        /^The database could not be upgraded from version 17 to \d+: .*owner.*\n$/,
      )
      expect(refused.stderr).toContain("Nothing was changed.")
    }
    expect(versionOf(file)).toEqual({ version: firstVersion, integrity: "ok" })
    // Repeated starts must not fill the disk with copies.
    expect(copiesIn(cwd)).toEqual([])
    change("ALTER TABLE webhooks DROP COLUMN owner")
    await assertFinishes(cwd)
  })
})

describe.skipIf(shim === null)("an interrupted upgrade", () => {
  test("by a kill leaves a usable file, and the next start completes it", async () => {
    const migrate = async (cwd: string, more: Record<string, string>) =>
      run(["migrate", "--db", join(cwd, "kontor.db")], { env: { ...shimmed(shim ?? "", cwd), ...more } })
    const counted = oldFolder()
    const log = join(emptyFolder(), "recording")
    expect(await migrate(counted, { KONTOR_FAULTS_LOG: log })).toMatchObject({ code: 0 })
    const calls = readRecording(log).length
    const versions = new Set<number>()
    const kills = isLong ? 14 : 6
    // Spread over the whole run, because it first copies and then migrates.
    for (let i = 0; i < kills; i++) {
      const at = Math.floor(((i + random.next()) / kills) * calls) + 1
      const cwd = oldFolder()
      const { code } = await migrate(cwd, { KONTOR_FAULTS_KILL_AT: String(at) })
      expect(code).toBe(137)
      versions.add(assertUsable(cwd))
      await assertFinishes(cwd)
    }
    expect(versions).toContain(firstVersion)
  })

  test("by a power failure leaves one complete version, and no new version without a copy", async () => {
    const recorded = oldFolder()
    const log = join(emptyFolder(), "recording")
    const env = { ...shimmed(shim ?? "", recorded), KONTOR_FAULTS_LOG: log }
    expect(await run(["migrate", "--db", join(recorded, "kontor.db")], { env })).toMatchObject({ code: 0 })
    const events = readRecording(log)
    const disk = diskModel(new Map([["kontor.db", readFileSync(old)]]))
    const points = new Set(Array.from({ length: isLong ? 60 : 25 }, () => random.between(0, events.length)))
    const finished = new Set(random.shuffled([...points]).slice(0, isLong ? 6 : 2))
    for (const [i, event] of [...events, null].entries()) {
      if (points.has(i)) {
        const cwd = emptyFolder()
        disk.cut(cwd, random.pick(cutEffects), random)
        assertUsable(cwd)
        if (finished.has(i)) await assertFinishes(cwd)
      }
      if (event) disk.applyEvent(event)
    }
  })
})

test.each([
  [
    "newer",
    latestVersion + 7,
    `The database is at version ${latestVersion + 7}; this Kontor supports up to version ${latestVersion}.`,
  ],
  ["much older", firstVersion - 1, "The database is at version 16 of a Kontor before its first release;"],
])("a file of a %s Kontor is refused with both versions, and is unchanged", async (_, version, says) => {
  const cwd = oldFolder()
  const file = join(cwd, "kontor.db")
  const db = new Database(file)
  db.run(`PRAGMA user_version = ${version}`)
  db.close()
  const before = readFileSync(file)
  for (const command of [["serve", "--port", "0"], ["migrate"], ["check"]]) {
    const refused = await run(command, { cwd })
    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr).toContain(says)
  }
  expect(readFileSync(file).equals(before)).toBeTrue()
  expect(copiesIn(cwd)).toEqual([])
})
