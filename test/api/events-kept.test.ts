import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { refusalOf, signIn, type Api } from "../support/api"
import { feedOf, openStream } from "../support/events"
import { isPostgres } from "../support/engine"
import { inFile, shiftTimes } from "../support/file"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let feed: ReturnType<typeof feedOf>

beforeAll(() => start({}))
afterAll(cleanUp)

async function start(options: Parameters<typeof serve>[0]): Promise<void> {
  kontor = await serve(options)
  api = await signIn(kontor)
  shop = trade(api)
  feed = feedOf(api)
}
const restart = async (args: string[] = [], meanwhile = () => {}) => {
  await kontor.stop()
  meanwhile()
  await start({ cwd: kontor.cwd, env: {}, args })
}
const expired = async (after: string) => refusalOf(await api.get(`/events?after=${after}`))
const gone = { status: 410, code: "EVENTS_EXPIRED" }

/** Makes all events older than they are. */
const age = (by: string) => inFile(kontor, (db) => shiftTimes(db, "events", "created_at", by))
/** Waits until the server has deleted all events but this number. */
const until = async (count: number) => {
  const stored = () => inFile(kontor, (db) => db.query("SELECT seq FROM events").all().length)
  while (stored() !== count) await Bun.sleep(20)
}

describe("positions", () => {
  test("are valid after a restart, and nothing is missed or repeated", async () => {
    const position = await feed.latest()
    const before = await shop.item()
    await restart()
    const after = await shop.item()
    const { events } = await feed.readAll(position)
    expect(events.map(({ recordId }) => recordId)).toEqual([before.id, after.id])
  })

  test("before events that were deleted are refused, and the newest event stays for those who are at the end", async () => {
    const first = await feed.latest()
    for (let i = 0; i < 3; i++) await shop.item()
    const last = await feed.latest()
    await restart(["--keep-events", "7d"], () => age("-8 days"))
    await until(1)
    expect(await expired(first)).toMatchObject(gone)
    expect((await api.get(`/events?after=${last}`)).body).toMatchObject({ data: [], meta: { next: last } })
    expect((await feed.readAll()).events).toHaveLength(1)
    const { id } = await shop.item()
    expect((await feed.readAll(last)).events.map(({ recordId }) => recordId)).toEqual([id])
  })

  test("numbers are never used again", async () => {
    const [, before] = (await feed.latest()).split("-")
    await restart(["--keep-events", "1h"], () => age("-2 hours"))
    await until(1)
    await shop.item()
    const [, after] = (await feed.latest()).split("-")
    expect(Number(after)).toBe(Number(before) + 1)
  })
})

test("a stream that is behind events that were deleted ends, and does not skip them", async () => {
  const stream = await openStream(api, kontor.url, "after=latest")
  expect(await stream.next()).toMatchObject({ retry: "2000" })
  // As if the client had taken nothing for longer than events are kept.
  inFile(kontor, (db) =>
    db.transaction(() => {
      db.run(
        "INSERT INTO events SELECT seq + 3, 'evt_x', type, record_id, version, changed, created_at FROM events ORDER BY seq DESC LIMIT 1",
      )
      db.run("DELETE FROM events WHERE seq < (SELECT max(seq) FROM events)")
      // SQLite counts on from the highest number by itself.
      if (isPostgres) db.run("SELECT setval(pg_get_serial_sequence('events', 'seq'), max(seq)) FROM events")
    })(),
  )
  await shop.item()
  expect(await stream.next()).toBeUndefined()
})

describe("--keep-events", () => {
  test("is 30 days by default", async () => {
    await shop.item()
    const { events } = await feed.readAll()
    await restart([], () => age("-29 days"))
    await Bun.sleep(500)
    expect((await feed.readAll()).events).toHaveLength(events.length)
    await restart([], () => age("-2 days"))
    await until(1)
  })

  test("must be a duration", async () => {
    const { code, stderr } = await run(["serve", "--keep-events", "soon"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("--keep-events")])
  })
})

test.skipIf(isPostgres)(
  "a restored database has a new feed: its events are there, and positions of the old one are refused",
  async () => {
    const kept = await shop.item()
    const atCopy = await feed.latest()
    const copy = join(emptyFolder(), "copy.db")
    expect((await run(["backup", copy], { cwd: kontor.cwd })).code).toBe(0)
    await shop.item()
    const later = await feed.latest()
    await kontor.stop()
    expect((await run(["restore", copy], { cwd: kontor.cwd })).code).toBe(0)
    await start({ cwd: kontor.cwd, env: {} })
    expect(await expired(atCopy)).toMatchObject(gone)
    expect(await expired(later)).toMatchObject(gone)
    const { events, next } = await feed.readAll()
    expect(events.at(-1)?.recordId).toBe(kept.id)
    expect(next.split("-")[0]).not.toBe(later.split("-")[0])
    const { id } = await shop.item()
    expect((await feed.readAll(next)).events.map(({ recordId }) => recordId)).toEqual([id])
    expect((await run(["check"], { cwd: kontor.cwd })).code).toBe(0)
  },
)
