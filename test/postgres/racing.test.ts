import { afterAll, describe, expect, test } from "bun:test"
import { racing } from "../../scripts/faults/racing"
import { seedOf } from "../support/same-choices"
import { cleanUp } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"

afterAll(cleanUp)

describe.skipIf(!isPostgresInstalled())("clients that race on three servers of one database", () => {
  test("leave right books: nothing is invoiced, paid, credited or numbered twice", async () => {
    const { problems, answers } = await racing({ seed: seedOf("racing"), races: 200 })
    expect(problems).toEqual([])
    // They have met: some were too late.
    expect(answers["201"]).toBeGreaterThan(20)
    expect(answers["ORDER_ALREADY_INVOICED"]).toBeGreaterThan(0)
    expect(answers["OVERPAYMENT"]).toBeGreaterThan(0)
  })

  test("leave wrong books if writes do not wait for each other, so this test detects races", async () => {
    const { problems } = await racing({ seed: seedOf("racing"), races: 150, isLocked: false })
    const wrongBooks = problems.filter((problem) => !/ returned \d+\.$/.test(problem))
    expect(wrongBooks).not.toEqual([])
  })
})
