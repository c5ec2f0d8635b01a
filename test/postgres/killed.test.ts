// PostgreSQL is killed in each phase of a request. The request always gets an answer.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { cleanUp, run } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
import { several, type Member, type Several } from "../support/several"
import { until } from "../support/until"

/** In each phase, requests wait for what another connection holds, or for a standby that does not exist. */
const phases = {
  "waits for the lock of writes": { held: "SELECT 1 FROM write_lock WHERE id = 1 FOR UPDATE", writes: true },
  writes: { held: "LOCK TABLE items", writes: true },
  commits: { held: null, writes: true },
  reads: { held: "LOCK TABLE items", writes: false },
}
const ways = ["its connection is ended", "its process is killed", "all processes are killed"] as const
type Case = [keyof typeof phases, (typeof ways)[number]]
const cases = (Object.keys(phases) as Case[0][]).flatMap((phase) => ways.map((way): Case => [phase, way]))

describe.skipIf(!isPostgresInstalled())("while PostgreSQL is killed", () => {
  let shop: Several
  let one: Member
  let created = 0
  const acknowledged: string[] = []

  beforeAll(async () => {
    shop = await several(1)
    one = shop.members[0] as Member
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  const read = () => one.api.get("/items")
  const create = async () => {
    const itemCode = `KILLED-${++created}`
    const answer = await one.api.post("/items", { itemCode, itemName: "Killed" })
    if (answer.status === 201) acknowledged.push(itemCode)
    return answer
  }
  const isWritable = async () => (await create()).status === 201

  /** The connections of requests that wait. */
  const waiting = (): number[] =>
    shop.inDatabase((db) =>
      db
        .query<{ pid: number }, []>(
          `SELECT pid FROM pg_stat_activity WHERE datname = 'shop'
             AND (wait_event_type = 'Lock' OR wait_event = 'SyncRep')`,
        )
        .all()
        .map(({ pid }) => pid),
    )

  /** Sets the standbys for which commits wait, after PostgreSQL may have been restarted. */
  async function setStandbys(names: string): Promise<void> {
    const set = () => {
      const db = new PostgresDatabase(shop.server.url())
      try {
        db.run(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
        return db.query("SELECT pg_reload_conf()").get() !== null
      } finally {
        db.close()
      }
    }
    await until(() => {
      try {
        return set()
      } catch {
        return false
      }
    })
  }

  test.each(cases)("a request that %s is answered if %s", async (phase, way) => {
    const { held, writes } = phases[phase]
    const other = new PostgresDatabase(shop.url)
    try {
      await until(isWritable)
      if (held === null) await setStandbys("nobody")
      else other.run(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; ${held}`)
      const request = writes ? create : read
      const answered = Promise.all([request(), request(), read()])
      await until(() => waiting().length > 0)
      if (way === "all processes are killed") {
        shop.server.halt("immediate")
        shop.server.start()
      } else if (way === "its process is killed") {
        // PostgreSQL ends all other processes too.
        const [first] = waiting()
        if (first !== undefined) process.kill(first, "SIGKILL")
      } else
        for (const pid of waiting())
          shop.inDatabase((db) => db.query("SELECT pg_terminate_backend(?::int)").get(pid))
      if (held === null) await setStandbys("")
      other.close()
      for (const { status } of await answered) expect([200, 201, 503]).toContain(status)
      await until(isWritable)
    } finally {
      other.close()
    }
  })

  test("what was acknowledged was stored, each once", async () => {
    const codes = shop.inDatabase((db) => db.query("SELECT item_code FROM items").values().flat().map(String))
    expect(acknowledged.filter((code) => !codes.includes(code))).toEqual([])
    expect(codes.length).toBe(new Set(codes).size)
    const checked = await run(["check", "--json", "--db", shop.url])
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, faults: [] })
  })
})
