import { afterAll, describe, expect, test } from "bun:test"
import { programWithNormalSync, powerCut } from "../../scripts/faults/power"
import { seedOf } from "../support/same-choices"
import { findShim } from "../../scripts/faults/shim"
import { cleanUp } from "../support/kontor"
import { isLong } from "../support/long"

afterAll(cleanUp)

const shim = await findShim()

describe.skipIf(shim === null)("a power failure at any point", () => {
  const options = { seed: seedOf("power cut"), shim: shim ?? "", scenarios: isLong ? 16 : 8 }

  test("leaves a file that opens, passes the check and has every acknowledged write and its events", async () => {
    const points = isLong ? 25 : 8
    const outcome = await powerCut({ ...options, points })
    expect([...outcome.losses, ...outcome.damages]).toEqual([])
    expect(outcome.points).toBe(points)
    expect(outcome.acknowledged).toBeGreaterThan(isLong ? 100 : 50)
  })

  test("loses acknowledged writes with synchronous = NORMAL, so these tests detect losses", async () => {
    const { losses } = await powerCut({
      ...options,
      points: 20,
      untilLoss: !isLong,
      command: programWithNormalSync(),
    })
    expect(losses).not.toEqual([])
  })
})
