import { afterAll, beforeAll, expect, test } from "bun:test"
import { problemsIn, shortProfile } from "../../scripts/faults/cost-profiles"
import { isMeasured, slowness } from "../../scripts/faults/cost-cpu"
import { heldSince, measured, type Result } from "../../scripts/faults/cost-measure"
import { cost, parts, type CostReport } from "../../scripts/faults/cost-run"
import { millis, watchOf } from "../../scripts/faults/cost-watch"
import { seedOf } from "../support/same-choices"
import { cleanUp } from "../support/kontor"

let report: CostReport
/** Many expensive requests at the same time, PDFs, imports, and what requests hold are part of the long form. */
const alone = parts.filter((part) => !["concurrent", "paper", "imports", "held"].includes(part))

// Every operation with the most expensive values, in a shop with long texts and long documents, while a second client
// sends GET /health, and measures the CPU time that the server spends until it responds. `bun scripts/faults/cost.ts`
// sends all requests, of which these are a random sample, to a larger shop, with a third of the limit.
beforeAll(async () => {
  report = await cost({ ...shortProfile, only: alone, seed: seedOf("cost"), say: () => {} })
}, 1_800_000)
afterAll(cleanUp)

test("no request blocks other clients, and no refusal is much larger than its request", () => {
  expect(problemsIn(report, Infinity)).toEqual([])
})

test("every operation was called", () => {
  expect(report.operations).toBeGreaterThan(80)
  expect(report.results.length).toBeGreaterThan(300)
  expect(report.results.filter(({ status }) => status < 300).length).toBeGreaterThan(100)
})

test.skipIf(process.platform !== "linux")("its memory is bounded", () => {
  expect(report.memory?.after).toBeLessThan(shortProfile.mostMemory)
})

test.skipIf(!isMeasured)(
  "the watcher detects a server that was blocked for 300 ms, and no other",
  async () => {
    const server = Bun.serve({ port: 0, fetch: () => new Response("ok") })
    const target = { url: server.url.href, pid: process.pid, watch: watchOf(server.url.href, process.pid) }
    const resultOf = (cpu: number) => async (): Promise<Result> => {
      await heldSince(target, millis())
      const from = millis()
      const start = process.threadCpuUsage()
      while (spentSince(start) < cpu);
      const hold = await heldSince(target, from)
      return { operation: "a loop", parameter: "", value: `${cpu} ms`, hold, status: 200, problem: null }
    }
    const { hold } = shortProfile.limits
    expect(await measured(hold, resultOf(300 * slowness()))).toMatchObject({
      problem: expect.stringContaining("blocked the server"),
    })
    expect(await measured(hold, resultOf(10))).toMatchObject({ problem: null })
    target.watch.stop()
    await server.stop(true)
  },
)

function spentSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}
