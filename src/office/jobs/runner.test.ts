import { afterEach, expect, test } from "bun:test"
import { aborted, closeJobs, counting, ended, gate, until, world } from "../../../test/support/jobs"
import { Refusal } from "../../core/lib/refusal"

afterEach(closeJobs)

test("a job runs its slices once, and ends in the transaction of its handler's end", async () => {
  const shop = world()
  const statuses: string[] = []
  const jobs = shop.server(
    counting(shop),
    (_, { status, progress }) => void statuses.push(`${status} ${progress}`),
  )
  await shop.start(jobs)
  const { id, status } = await shop.begin(jobs)
  expect(status).toBe("queued")
  expect(await ended(jobs, id)).toMatchObject({ status: "finished", progress: 100, error: null })
  expect(shop.done()).toEqual([0, 1, 2])
  expect(statuses).toEqual(["finished 100"])
})

test("one job of a lane runs at a time", async () => {
  const shop = world()
  const { opened, open } = gate()
  const jobs = shop.server(counting(shop, () => opened))
  await shop.start(jobs)
  const [first, second] = [await shop.begin(jobs), await shop.begin(jobs)]
  await until(() => shop.row(first.id)?.lease !== null)
  expect(shop.row(second.id)).toMatchObject({ attempts: 0, lease: null })
  open()
  await ended(jobs, first.id)
  await ended(jobs, second.id)
  expect(shop.done()).toEqual([0, 1, 2, 0, 1, 2])
})

test("a second job with the same key is not created", async () => {
  const shop = world()
  const jobs = shop.server(counting(shop))
  const { id } = await shop.begin(jobs, "usr_1 key")
  expect(shop.begin(jobs, "usr_1 key")).rejects.toThrow("UNIQUE")
  expect(jobs.findByKey("usr_1 key")?.id).toBe(id)
})

test("another server takes a job only after its lease, and the first one's slice is undone then", async () => {
  const shop = world()
  const { opened, open } = gate()
  const first = shop.server(counting(shop, (n) => (n === 1 ? opened : undefined)))
  const second = shop.server(counting({ insert: (n) => shop.insert(100 + n) }))
  await shop.start(first)
  await shop.start(second)
  const { id } = await shop.begin(first)
  await until(() => shop.done().length === 1)
  const lease = shop.row(id)?.lease
  shop.move(60_000)
  second.runner.wake()
  await Bun.sleep(20)
  expect(shop.row(id)?.lease).toBe(lease)
  shop.move(1)
  await Bun.sleep(1)
  second.runner.wake()
  expect(await ended(second, id)).toMatchObject({ status: "finished" })
  open()
  await Bun.sleep(20)
  expect(shop.done()).toEqual([0, 101, 102])
})

test("a server that has lost the lease neither ends nor postpones the job", async () => {
  for (const outcome of ["end", "fail", "refuse"]) {
    const shop = world()
    const [here, there] = [gate(), gate()]
    const first = shop.server(async () => {
      await here.opened
      if (outcome === "fail") throw new Error("broken")
      if (outcome === "refuse") throw new Refusal("NOT_FOUND", "Gone.")
    })
    const second = shop.server(counting(shop, () => there.opened))
    await shop.start(first)
    await shop.start(second)
    const { id } = await shop.begin(first)
    await until(() => shop.row(id)?.lease !== null)
    const lease = shop.row(id)?.lease
    shop.move(60_001)
    second.runner.wake()
    await until(() => shop.row(id)?.lease !== lease)
    const taken = shop.row(id)
    here.open()
    await Bun.sleep(20)
    expect(shop.row(id)).toEqual(taken)
    there.open()
    expect(await ended(second, id)).toMatchObject({ status: "finished" })
  }
})

test("a job goes on after a restart with the state of its last slice", async () => {
  const shop = world()
  const killed = shop.server(counting(shop, (n, { signal }) => (n === 2 ? aborted(signal) : undefined)))
  await shop.start(killed)
  const { id } = await shop.begin(killed)
  await until(() => shop.done().length === 2)
  const restarted = shop.server(counting(shop))
  await shop.start(restarted)
  expect(await ended(restarted, id)).toMatchObject({ status: "finished", state: { n: 3 } })
  expect(shop.done()).toEqual([0, 1, 2])
})

test("stopping interrupts a job after its slice, releases it, and does not count as an attempt", async () => {
  const shop = world()
  const { opened, open } = gate()
  const jobs = shop.server(counting(shop, (n) => (n === 1 ? opened : undefined)))
  await shop.start(jobs)
  const { id } = await shop.begin(jobs)
  await until(() => shop.done().length === 1)
  const stopped = jobs.runner.stop()
  open()
  await stopped
  expect(shop.row(id)).toMatchObject({ attempts: 0, lease: null })
  expect(jobs.get("count", id, null).finishedAt).toBeNull()
  expect(shop.done()).toEqual([0, 1])
  await shop.begin(jobs)
  jobs.runner.wake()
  await Bun.sleep(20)
  expect(shop.done()).toEqual([0, 1])
})

test("a runner that is stopped while it takes a job does not run it", async () => {
  const shop = world()
  const jobs = shop.server(counting(shop))
  const { id } = await shop.begin(jobs)
  const starting = shop.start(jobs)
  await starting
  await jobs.runner.stop()
  await Bun.sleep(20)
  expect(shop.done()).toEqual([])
  expect(shop.row(id)).toMatchObject({ attempts: 0, lease: null })
})

test("cancelling undoes the slice that is being written, and runs the end once", async () => {
  const shop = world()
  const ends: string[] = []
  const { opened, open } = gate()
  const jobs = shop.server(
    counting(shop, (n) => (n === 1 ? opened : undefined)),
    (_, { error }) => void ends.push(error?.code ?? ""),
  )
  await shop.start(jobs)
  const { id } = await shop.begin(jobs)
  await until(() => shop.done().length === 1)
  // The slice and the cancellation are in one turn of the writer, the cancellation first.
  const cancelled = shop.writer((tx) => jobs.cancel(tx, "count", id, null))
  open()
  expect(await cancelled).toMatchObject({ status: "failed", progress: 30, error: { code: "CANCELLED" } })
  await Bun.sleep(20)
  expect(shop.done()).toEqual([0])
  expect(ends).toEqual(["CANCELLED"])
  expect(shop.writer((tx) => jobs.cancel(tx, "count", id, null))).rejects.toThrow("has ended")
})

test("a caller who has lost the right ends the job, and the slice is undone", async () => {
  const shop = world()
  const jobs = shop.server(
    counting(shop, (n) => {
      if (n === 2) shop.setCaller(new Refusal("FORBIDDEN", "The user is not active any more."))
    }),
  )
  await shop.start(jobs)
  const { id } = await shop.begin(jobs)
  expect(await ended(jobs, id)).toMatchObject({
    status: "failed",
    error: { code: "FORBIDDEN", message: "The user is not active any more." },
  })
  expect(shop.done()).toEqual([0, 1])
})

test("ended jobs are deleted after 30 days", async () => {
  const shop = world()
  const jobs = shop.server(counting(shop))
  await shop.start(jobs)
  const { id } = await shop.begin(jobs)
  await ended(jobs, id)
  shop.move(30 * 24 * 3_600_000)
  await jobs.deleteExpired()
  expect(jobs.get("count", id, null).id).toBe(id)
  shop.move(1)
  await jobs.deleteExpired()
  expect(() => jobs.get("count", id, null)).toThrow("There is no job")
})
