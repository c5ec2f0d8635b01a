import { afterAll, describe, expect, test } from "bun:test"
import { failover } from "../../scripts/faults/failover"
import { seedOf } from "../support/same-choices"
import { cleanUp } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"

afterAll(cleanUp)

describe.skipIf(!isPostgresInstalled())("a primary server of PostgreSQL that is killed under load", () => {
  test("loses no acknowledged write, and no response about a write is false", async () => {
    const outcome = await failover({ seed: seedOf("failover"), rounds: 2, servers: 2 })
    expect(outcome.problems).toEqual([])
    expect(outcome.rounds).toBe(2)
    expect(outcome.acknowledged).toBeGreaterThan(150)
    // The database was lost during writes.
    expect(outcome.refused + outcome.unknown).toBeGreaterThan(0)
  })
})
