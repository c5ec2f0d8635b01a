import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { itemId } from "../../scripts/bench/data"
import { later } from "../../src/shared/dates"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { manyRecords } from "../support/engine"
import { inFile } from "../support/file"
import { fillItems } from "../support/fill"
import { cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

let [shelves, shelved] = [0, 0]

/** Adds many items of a new category that cost 10. */
function bigShelf(size: number): { category: string; ids: string[] } {
  const category = `Big shelf ${++shelves}`
  const from = shelved + 1
  shelved += size
  inFile(kontor, (db) => fillItems(db, { from, to: shelved, category, sellingPrice: 100_000 }))
  return { category, ids: Array.from({ length: size }, (_, i) => itemId(from + i)) }
}

type Counts = Record<"matched" | "updated" | "unchanged" | "failed", number>
type Job = { id: string; status: string; counts: Counts; finishedAt: string | null }

const start = async (category: string, by = api): Promise<string> => {
  const answer = await by.post("/items/reprice", { filter: { category }, change: { percent: 10 } })
  expect(answer).toMatchObject({ status: 202 })
  return answer.body.data.id
}
const jobOf = async (id: string): Promise<Job> => (await api.get(`/jobs/${id}`)).body.data

/** Waits until a job is as wanted. */
async function until(id: string, isWanted: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await jobOf(id)
    if (isWanted(job)) return job
    if (job.finishedAt !== null) throw new Error(`The job has ended too early: ${JSON.stringify(job)}`)
    await Bun.sleep(2)
  }
}
const ended = (id: string) => until(id, ({ finishedAt }) => finishedAt !== null)

const countAt = async (category: string, price: number): Promise<number> =>
  (await api.get(`/items?category=${encodeURIComponent(category)}&sellingPrice=${price}&perPage=1`)).body.meta
    .total

/** Counts the updates in the audit log. */
const updates = async (): Promise<number> =>
  (await api.get("/audit-logs?action=items.update&perPage=1")).body.meta.total

/** Restarts the server on the same database. */
async function restart(signal: NodeJS.Signals): Promise<void> {
  await kontor.stop(signal)
  kontor = await serve({ cwd: kontor.cwd })
  api = await signIn(kontor)
}

/** The number of stored new prices. */
function targets(): number {
  return inFile(
    kontor,
    (db) => db.query<{ n: number }, []>("SELECT count(*) AS n FROM job_targets").get()?.n ?? 0,
  )
}

async function noTargets(): Promise<void> {
  while (targets() > 0) await Bun.sleep(10)
}

describe("a job that changes prices", () => {
  const size = manyRecords(2_000)

  test("goes on after the server was killed, and changes no price twice", async () => {
    const { category } = bigShelf(size)
    const before = await updates()
    const id = await start(category)
    const seen = await until(id, ({ counts }) => counts.updated > 50)
    expect(seen.status).toBe("applying")
    await restart("SIGKILL")
    await until(id, ({ counts }) => counts.updated > seen.counts.updated)
    await restart("SIGTERM")
    const job = await ended(id)
    expect(job).toMatchObject({
      status: "finished",
      counts: { matched: size, updated: size, unchanged: 0, failed: 0 },
    })
    expect(await countAt(category, 11)).toBe(size)
    expect(await updates()).toBe(before + size)
  })

  test("begins again when the server was killed before all new prices were known", async () => {
    const { category } = bigShelf(size)
    const id = await start(category)
    await until(id, ({ counts }) => counts.matched > 0)
    await restart("SIGKILL")
    expect(await ended(id)).toMatchObject({
      status: "finished",
      counts: { matched: size, updated: size, unchanged: 0, failed: 0 },
    })
    expect(await countAt(category, 11)).toBe(size)
  })

  test("leaves items alone that were changed or deleted meanwhile, and items that came later", async () => {
    const { category, ids } = bigShelf(size)
    const [changed, deleted] = ids.slice(-2)
    const id = await start(category)
    await until(id, ({ status }) => status === "applying")
    await api.patch(`/items/${changed}`, { sellingPrice: 99 })
    await api.delete(`/items/${deleted}`)
    await api.create("/items", { itemCode: "LATE", itemName: "Late", category, sellingPrice: 10 })
    const job = await ended(id)
    expect(job).toMatchObject({
      status: "finished",
      counts: { matched: size, updated: size - 2, unchanged: 0, failed: 2 },
      faultCount: 2,
      faults: [
        { record: changed, message: "The price stays 99, because it was changed from 10 meanwhile." },
        { record: deleted, message: `There is no item "${deleted}".` },
      ],
    })
    expect((await api.get(`/items/${changed}`)).body.data.sellingPrice).toBe(99)
    expect(await countAt(category, 10)).toBe(1)
  })

  test("can be cancelled; what it has done stays", async () => {
    const { category } = bigShelf(size)
    const before = await updates()
    const id = await start(category)
    await until(id, ({ counts }) => counts.updated > 50)
    const answer = await api.post(`/jobs/${id}/cancel`)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      id,
      status: "failed",
      error: { code: "CANCELLED" },
      finishedAt: expect.any(String),
    })
    const { counts } = await jobOf(id)
    expect(counts).toEqual(answer.body.data.counts)
    expect(counts.updated).toBeLessThan(size)
    expect(await countAt(category, 11)).toBe(counts.updated)
    expect(await updates()).toBe(before + counts.updated)
    const again = await api.post(`/jobs/${id}/cancel`)
    expect(refusalOf(again)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["status"] })
  })

  test("can be cancelled before it begins", async () => {
    const [first, second] = [bigShelf(Math.ceil(size / 2)), bigShelf(1)]
    const running = await start(first.category)
    const waiting = await start(second.category)
    expect(await jobOf(waiting)).toMatchObject({ status: "queued", counts: { matched: 0 } })
    await api.post(`/jobs/${waiting}/cancel`)
    await ended(running)
    expect(await jobOf(waiting)).toMatchObject({ status: "failed", startedAt: null })
    expect(await countAt(second.category, 10)).toBe(1)
  })

  test("ends when the API key that started it is revoked", async () => {
    const { category } = bigShelf(size)
    const { id: key, key: secret } = await api.create("/api-keys", {
      name: "Prices",
      scopes: ["read", "write"],
    })
    const byKey = apiWith(kontor, { "x-api-key": secret })
    const id = await start(category, byKey)
    await until(id, ({ counts }) => counts.updated > 0)
    expect((await api.delete(`/api-keys/${key}`)).status).toBeLessThan(300)
    const job = await ended(id)
    expect(job).toMatchObject({ status: "failed", error: { code: "FORBIDDEN" } })
    expect(job.counts.updated).toBeLessThan(size)
    expect(await countAt(category, 11)).toBe(job.counts.updated)
  })
})

describe("POST /items/reprice/{id}/undo", () => {
  const undo = (id: string, by = api) => by.post(`/items/reprice/${id}/undo`)

  test("restores prices that are still those that the job set, once, also after a kill", async () => {
    const size = manyRecords(2_000)
    const { category, ids } = bigShelf(size)
    const [changed, deleted, untouched] = ids
    const id = await start(category)
    await until(id, ({ status }) => status === "applying")
    expect(refusalOf(await undo(id))).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["id"] })
    const last = ids.at(-1)
    await api.patch(`/items/${last}`, { sellingPrice: 99 })
    expect((await ended(id)).counts.failed).toBe(1)
    await api.patch(`/items/${changed}`, { sellingPrice: 77 })
    await api.delete(`/items/${deleted}`)
    const answer = await undo(id)
    expect([answer.status, answer.body.data.kind]).toEqual([202, "reprice"])
    const back = answer.body.data.id
    await until(back, ({ counts }) => counts.updated > 0)
    await restart("SIGKILL")
    expect(await ended(back)).toMatchObject({
      status: "finished",
      counts: { matched: size - 1, updated: size - 3, failed: 2 },
      faults: [
        { record: changed, code: "CHANGED" },
        { record: deleted, code: "NOT_FOUND" },
      ],
    })
    expect(await countAt(category, 10)).toBe(size - 3)
    expect((await api.get(`/items/${untouched}`)).body.data.sellingPrice).toBe(10)
    expect((await api.get(`/items/${last}`)).body.data.sellingPrice).toBe(99)
    expect(refusalOf(await undo(id))).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["id"] })
    // What was taken back can be done again the same way.
    const again = await ended((await undo(back)).body.data.id)
    expect(again.counts).toMatchObject({ updated: size - 3, failed: 0 })
    expect(await countAt(category, 11)).toBe(size - 3)
  })

  test("takes back what a cancelled job has done, and nothing of a job that changed no price", async () => {
    const { category } = bigShelf(manyRecords(2_000))
    const id = await start(category)
    await until(id, ({ counts }) => counts.updated > 50)
    await api.post(`/jobs/${id}/cancel`)
    const { counts } = await jobOf(id)
    const back = await ended((await undo(id)).body.data.id)
    expect(back.counts).toMatchObject({ matched: counts.updated, updated: counts.updated, failed: 0 })
    expect(await countAt(category, 11)).toBe(0)
    const none = await ended(await start("Nothing there"))
    expect(refusalOf(await undo(none.id)).status).toBe(422)
  })

  test("is for the user who started the job, and for admins", async () => {
    const { category } = bigShelf(1)
    const password = "correct horse battery"
    const email = "prices@example.com"
    await api.create("/users", { name: "Prices", email, password, role: "manager" })
    const { id } = await ended(await start(category))
    expect(refusalOf(await undo(id, await signIn(kontor, email, password))).code).toBe("NOT_FOUND")
    expect((await undo(id)).status).toBe(202)
  })

  test("the new prices of a job are deleted when it can no longer be taken back", async () => {
    const { category } = bigShelf(1)
    const { id, finishedAt } = await ended(await start(category))
    expect(targets()).toBeGreaterThan(0)
    const longAgo = later(String(finishedAt), -8 * 86_400_000)
    inFile(kontor, (db) => db.run("UPDATE jobs SET finished_at = ?", [longAgo]))
    await restart("SIGTERM")
    await noTargets()
    expect(refusalOf(await undo(id)).status).toBe(422)
  })
})

describe("GET /jobs/{id}", () => {
  test("does not know imports and missing jobs", async () => {
    const started = await api.call("POST", "/imports?kind=items&dryRun=true", "itemCode,itemName\nA,B\n", {
      "content-type": "text/csv",
    })
    expect(started.status).toBe(202)
    for (const id of [started.body.data.id, "job_none"]) {
      expect(refusalOf(await api.get(`/jobs/${id}`))).toMatchObject({ status: 404, code: "NOT_FOUND" })
      expect(refusalOf(await api.post(`/jobs/${id}/cancel`))).toMatchObject({
        status: 404,
        code: "NOT_FOUND",
      })
    }
  })

  test("is for those who may change items", async () => {
    const id = await start("None")
    const secret = (await api.create("/api-keys", { name: "Reader", scopes: ["read"] })).key
    const reader = apiWith(kontor, { "x-api-key": secret })
    const asked = [
      await reader.get(`/jobs/${id}`),
      await reader.post(`/jobs/${id}/cancel`),
      await reader.post("/items/reprice", { filter: {}, change: { percent: 1 } }),
      await reader.post("/items/reprice", { filter: {}, change: { percent: 1 }, dryRun: true }),
    ]
    for (const answer of asked)
      expect(refusalOf(answer)).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" })
    const email = "sales@example.com"
    await api.create("/users", { name: "Sales", email, password: "correct horse battery", role: "sales" })
    const sales = await signIn(kontor, email)
    expect((await sales.get(`/jobs/${id}`)).status).toBe(403)
    expect((await sales.post("/items/reprice", { filter: {}, change: { percent: 1 } })).status).toBe(403)
  })
})
