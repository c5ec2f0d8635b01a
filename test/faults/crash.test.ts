import { afterAll, expect, test } from "bun:test"
import { crash } from "../../scripts/faults/crash"
import { seedOf } from "../support/same-choices"
import { isPostgres } from "../support/engine"
import { cleanUp } from "../support/kontor"
import { isLong } from "../support/long"

afterAll(cleanUp)

test("a server that is killed under load keeps all acknowledged writes and their events, none partially and none twice", async () => {
  // In the third round the server is killed while it writes to its file.
  const rounds = isPostgres ? 2 : 3
  const outcome = await crash({ seed: seedOf("crash"), rounds, most: isLong ? 400 : 120 })
  expect(outcome.problems).toEqual([])
  expect(outcome).toMatchObject({ rounds })
  // The server was killed during writes.
  expect(outcome.acknowledged).toBeGreaterThanOrEqual(20)
  expect(outcome.open).toBeGreaterThan(0)
})
