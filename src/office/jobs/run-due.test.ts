import { afterEach, expect, test } from "bun:test"
import { business, followClock } from "../../core/lib/clock"
import { later, millisOf, timestampOf } from "../../shared/dates"
import { runUntil, runWhenDue, type Work } from "./run-due"

let end = () => {}
afterEach(() => end())

/** A clock that stands still, and works that are due at some times and note when they ran. */
function world(start: string, dues: Record<string, string[]>) {
  let now = millisOf(start)
  end = followClock(() => now)
  const log: string[] = []
  const works = Object.entries(dues).map(([name, times]): Work => ({
    name,
    nextDue: () => times[0] ?? null,
    async run() {
      while (times[0] !== undefined && times[0] <= business.now()) times.shift()
      log.push(`${name} ${business.now().slice(5, 16)}`)
    },
  }))
  return { log, works, dues, clock: { moveTo: (time: string) => void (now = millisOf(time)) } }
}
const day = (n: number) => `2027-01-${String(n).padStart(2, "0")}T00:00:00.000Z`

test("what becomes due while the clock is moved runs in the order of its due times, with the clock at each", async () => {
  const { log, works, clock } = world(day(4), { overdue: [day(5), day(6), day(9)], jobs: [day(6)], mail: [] })
  const ran = await runUntil(works, clock, day(7))
  expect(log).toEqual(["overdue 01-05T00:00", "overdue 01-06T00:00", "jobs 01-06T00:00"])
  expect(business.now()).toBe(day(7))
  expect(ran).toEqual([
    { work: "overdue", times: 2, firstAt: day(5), lastAt: day(6) },
    { work: "jobs", times: 1, firstAt: day(6), lastAt: day(6) },
  ])
})

test("what should have run before runs now, and what runs may make something due later", async () => {
  const { log, works, clock, dues } = world(day(4), { jobs: [day(2)], mail: [] })
  const [jobs] = works
  const run = jobs?.run
  if (jobs) jobs.run = async () => (dues.mail?.push(later(business.now(), 3_600_000)), run?.())
  await runUntil(works, clock, day(5))
  expect(log).toEqual(["jobs 01-04T00:00", "mail 01-04T01:00"])
})

test("work that stays due is not run again for the same time", async () => {
  const { works, clock } = world(day(4), {})
  let runs = 0
  const stuck = { name: "mail", nextDue: () => day(5), run: async () => void runs++ }
  expect(await runUntil([...works, stuck], clock, day(30))).toMatchObject([{ work: "mail", times: 1 }])
  expect(runs).toBe(1)
})

test("a failure stops the clock where it happened, and is told", async () => {
  const { works, clock } = world(day(4), {})
  const failing = { name: "jobs", nextDue: () => day(6), run: () => Promise.reject(new Error("no disk")) }
  expect(runUntil([...works, failing], clock, day(9))).rejects.toThrow("no disk")
  await Bun.sleep(1)
  expect(business.now()).toBe(day(6))
})

test("a server does not wait for work that may take long", async () => {
  const now = timestampOf(Date.now())
  const { log, works } = world(now, { overdue: [later(now, -1)] })
  const begun: string[] = []
  const long = {
    name: "jobs",
    nextDue: () => later(now, -2),
    run: () => new Promise<void>(() => {}),
    begin: () => void begun.push("jobs"),
  }
  const loop = runWhenDue([long, ...works], { error: () => {} } as never)
  await Bun.sleep(1)
  await loop.stop()
  expect([begun, log]).toEqual([["jobs"], [`overdue ${now.slice(5, 16)}`]])
})

test("a server runs what is due when it starts", async () => {
  const now = timestampOf(Date.now())
  const { log, works } = world(now, { overdue: [later(now, -1)], jobs: [later(now, 3_600_000)] })
  const loop = runWhenDue(works, { error: () => {} } as never)
  await loop.stop()
  expect(log).toEqual([`overdue ${now.slice(5, 16)}`])
})
