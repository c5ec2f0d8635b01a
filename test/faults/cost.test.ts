import { afterAll, beforeAll, expect, test } from "bun:test"
import { problemsIn, shortProfile } from "../../scripts/faults/cost-profiles"
import { cpuMillis, heldSince } from "../../scripts/faults/cost-measure"
import { cost, parts, type CostReport } from "../../scripts/faults/cost-run"
import { millis, watchOf } from "../../scripts/faults/cost-watch"
import { seedOf } from "../../scripts/faults/random"
import { cleanUp } from "../support/kontor"

let report: CostReport
/** Many expensive requests at the same time are part of the long form: other tests on the machine would be measured too. */
const alone = parts.filter((part) => part !== "concurrent")

// Every operation with the most expensive values, in a shop with long texts and long documents, while a second client
// sends GET /health. `bun scripts/faults/cost.ts` sends ten times as many requests to a larger shop, with a fifth of
// the time limit.
beforeAll(async () => {
  report = await cost({ ...shortProfile, only: alone, seed: seedOf("cost"), say: () => {} })
}, 600_000)
afterAll(cleanUp)

test("no request blocks other clients, and no refusal is much larger than its request", () => {
  expect(problemsIn(report, Infinity)).toEqual([])
})

test("every operation was called", () => {
  expect(report.operations).toBeGreaterThan(80)
  expect(report.results.length).toBeGreaterThan(500)
  expect(report.results.filter(({ status }) => status < 300).length).toBeGreaterThan(100)
})

test.skipIf(process.platform !== "linux")("its memory is bounded", () => {
  expect(report.memory?.after).toBeLessThan(shortProfile.mostMemory)
})

test("the watcher detects a blocked server", async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response("ok") })
  const target = { url: server.url.href, pid: process.pid, watch: watchOf(server.url.href) }
  await target.watch.longestSince(millis())
  const [from, cpu] = [millis(), cpuMillis(process.pid)]
  const usage = process.cpuUsage()
  while (process.cpuUsage(usage).user < 400_000);
  expect(await heldSince(target, from, cpu)).toBeGreaterThan(200)
  const [later, spent] = [millis(), cpuMillis(process.pid)]
  expect(await heldSince(target, later, spent)).toBeLessThan(200)
  target.watch.stop()
  await server.stop(true)
})
