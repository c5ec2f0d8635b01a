import { afterAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { failingDisk, shimErrors, shimmedDisk, smallDisk } from "../../scripts/faults/disk"
import { seedOf } from "../support/same-choices"
import { findShim } from "../../scripts/faults/shim"
import { signIn } from "../support/api"
import { cleanUp, run, serve } from "../support/kontor"
import { isLong } from "../support/long"

const seed = seedOf("disk")
const shim = await findShim()
const small = smallDisk()
/** To run all scenarios to their end takes most of the time, and nothing fails then. */
const options = { finished: isLong ? Infinity : 6 }
if (small === null) console.warn("A small disk cannot be mounted here. The tests that fill one are skipped.")

afterAll(async () => {
  small?.remove()
  await cleanUp()
})

const sentence =
  "returns 503 to 32 parallel writers and stores nothing, continues to read, and recovers automatically"

describe.skipIf(shim === null)("under a server that writes,", () => {
  test.concurrent.each(Object.entries(shimErrors))(`%s ${sentence}`, async (name, error) => {
    const outcome = await failingDisk(shimmedDisk(shim ?? "", error), seed, options)
    expect(outcome.problems).toEqual([])
    // No transaction is small enough for the writes that still succeed, so every request is refused.
    const reasons = [name.startsWith("a full disk") ? "DISK_FULL" : "DISK_ERROR"]
    expect(outcome).toMatchObject({ refused: 64, acknowledgedWhileFailing: 0, reasons })
  })
})

describe.skipIf(small === null)("a full disk", () => {
  test(`${sentence}`, async () => {
    if (!small) return
    const outcome = await failingDisk(small, seed, options)
    expect(outcome.problems).toEqual([])
    expect(outcome.reasons).toEqual(["DISK_FULL"])
    expect(outcome.refused).toBeGreaterThan(0)
  })

  test("that is read-only is refused at start in one sentence, and the file is unchanged", async () => {
    if (!small) return
    const args = ["--db", join(small.cwd, "other.db")]
    const kontor = await serve({ args })
    const api = await signIn(kontor)
    await api.create("/items", { itemCode: "KEPT", itemName: "Kept" })
    expect(await kontor.stop()).toBe(0)
    const before = readFileSync(args[1] ?? "")
    expect(small.remount("ro")).toBeTrue()
    const refused = await run(["serve", "--port", "0", ...args])
    expect(small.remount("rw")).toBeTrue()
    const stderr = `${args[1]} cannot be opened: its folder is read-only.\n`
    expect(refused).toEqual({ code: 1, stdout: "", stderr })
    expect(readFileSync(args[1] ?? "").equals(before)).toBeTrue()
    expect(await run(["check", ...args])).toMatchObject({ code: 0 })
  })
})
