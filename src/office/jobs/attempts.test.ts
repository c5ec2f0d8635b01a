import { afterEach, expect, test } from "bun:test"
import { aborted, closeJobs, counting, ended, until, world } from "../../../test/support/jobs"
import { stderrLog } from "../../core/lib/process/log"

afterEach(closeJobs)

test("a job that fails unexpectedly is tried again after waits that grow, and fails after 12 attempts", async () => {
  const shop = world()
  let runs = 0
  const jobs = shop.server(async () => {
    runs++
    throw new Error("broken")
  })
  await shop.start(jobs)
  const { id } = await shop.begin(jobs)
  const waits: number[] = []
  for (let attempt = 1; attempt < 12; attempt++) {
    await until(() => runs === attempt && shop.row(id)?.lease === null)
    const wait =
      Date.parse(shop.row(id)?.run_at ?? "") - Date.parse("2026-01-01") - waits.reduce((a, b) => a + b, 0)
    waits.push(wait)
    shop.move(wait - 1)
    jobs.runner.wake()
    await Bun.sleep(5)
    expect(runs).toBe(attempt)
    shop.move(1)
    await until(() => {
      jobs.runner.wake()
      return runs === attempt + 1
    })
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000))
  expect(await ended(jobs, id)).toMatchObject({ status: "failed", error: { code: "INTERNAL_ERROR" } })
  expect(runs).toBe(12)
  expect(shop.logged.join("")).toContain("Error: broken")
})

test("attempts are counted again after progress, but not when a job only begins again", async () => {
  const shop = world()
  const attempts: number[] = []
  const jobs = shop.server(async (running) => {
    attempts.push(running.job.attempts)
    // A stage that begins again, and comes a little further in the third attempt.
    await running.write(() => ({ status: "checking", state: { n: 0 }, progress: 0 }))
    await running.write(() => ({ state: { n: 1 }, progress: attempts.length < 3 ? 10 : 20 }))
    throw new Error("broken")
  })
  await shop.start(jobs)
  const { id } = await shop.begin(jobs)
  for (let run = 1; run <= 3; run++) {
    await until(() => attempts.length === run && shop.row(id)?.lease === null)
    shop.move(300_000)
    await until(() => {
      jobs.runner.wake()
      return attempts.length > run
    })
  }
  expect(attempts).toEqual([1, 1, 2, 1])
  expect(jobs.get("count", id, null).progress).toBe(20)
})

test("a job that always fails in the stage that begins again has failed after 12 attempts without progress", async () => {
  const shop = world()
  let runs = 0
  const jobs = shop.server(async (running) => {
    runs++
    await running.write(() => ({ status: "checking", state: { n: 0 }, progress: 0 }))
    await running.write(() => ({ state: { n: 1 }, progress: 10 }))
    throw new Error("broken")
  })
  await shop.start(jobs)
  const { id } = await shop.begin(jobs)
  await until(() => {
    shop.move(300_000)
    jobs.runner.wake()
    return jobs.get("count", id, null).finishedAt !== null
  })
  expect(jobs.get("count", id, null)).toMatchObject({ status: "failed", progress: 10 })
  // The first attempt has made progress.
  expect(runs).toBe(13)
})

test("a job whose process ends every time has failed after 12 attempts", async () => {
  const shop = world()
  const jobs = shop.server(counting(shop))
  const { id } = await shop.begin(jobs)
  for (let i = 0; i < 12; i++) {
    // A server that takes the job and is never heard of again.
    const killed = shop.server(({ signal }) => aborted(signal))
    void killed.runner.start(stderrLog("error"))
    await until(() => shop.row(id)?.attempts === i + 1)
  }
  await shop.start(jobs)
  expect(await ended(jobs, id)).toMatchObject({ status: "failed", error: { code: "INTERNAL_ERROR" } })
  expect(shop.done()).toEqual([])
})

test("a job that waits for its next attempt runs immediately after a restart", async () => {
  const shop = world()
  const broken = shop.server(async () => Promise.reject(new Error("broken")))
  await shop.start(broken)
  const { id } = await shop.begin(broken)
  await until(() => shop.row(id)?.run_at === "2026-01-01T00:00:01.000Z")
  await broken.runner.stop()
  const repaired = shop.server(counting(shop))
  await shop.start(repaired)
  expect(await ended(repaired, id)).toMatchObject({ status: "finished" })
})
