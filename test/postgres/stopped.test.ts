// All processes of PostgreSQL are stopped, as on a machine whose disk hangs. Health checks are always answered.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { cleanUp, run } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
import { several, type Member, type Several } from "../support/several"
import { until } from "../support/until"

describe.skipIf(!isPostgresInstalled())("while PostgreSQL is stopped", () => {
  let shop: Several
  let one: Member
  const acknowledged: string[] = []

  beforeAll(async () => {
    shop = await several(1)
    one = shop.members[0] as Member
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  /** The connections of the server, and all others to its database. */
  const backends = (): number[] => {
    const db = new PostgresDatabase(shop.server.url())
    try {
      return db
        .query<{ pid: number }, []>("SELECT pid FROM pg_stat_activity WHERE datname = 'shop'")
        .all()
        .map(({ pid }) => pid)
    } finally {
      db.close()
    }
  }
  const signal = (pids: readonly number[], name: "SIGSTOP" | "SIGCONT") =>
    pids.forEach((pid) => process.kill(pid, name))

  /** Sends a request on a connection of its own. A request on one that is open waits with the main thread. */
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${one.url}${path}`, {
      ...init,
      keepalive: false,
      headers: { ...init.headers, connection: "close" },
    })

  const create = async (itemCode: string) => {
    const { status } = await one.api.post("/items", { itemCode, itemName: "Stopped" })
    if (status === 201) acknowledged.push(itemCode)
    return status
  }

  test("health checks are answered, and everything else goes on later", async () => {
    expect(await create("STOPPED-0")).toBe(201)
    const pids = backends()
    signal(pids, "SIGSTOP")
    let waiting: Promise<number>[] = []
    try {
      waiting = Array.from({ length: 5 }, (_, i) => create(`STOPPED-1${i}`))
      waiting.push(one.api.get("/items").then(({ status }) => status))
      // A check that comes in the moment in which the server begins to wait may wait too.
      await until(() =>
        ask("/ready", { signal: AbortSignal.timeout(5_000) }).then(
          ({ status }) => status === 503,
          () => false,
        ),
      )
      for (let i = 0; i < 20; i++) {
        const health = await ask("/health")
        expect([health.status, await health.json()]).toEqual([200, { success: true, data: { status: "ok" } }])
        const ready = await ask("/ready")
        expect(ready.status).toBe(503)
        expect((await ready.json()) as object).toMatchObject({
          success: false,
          error: { code: "SERVICE_UNAVAILABLE", checks: [{ code: "UNREACHABLE" }] },
        })
        await Bun.sleep(200)
      }
      const body = JSON.stringify({ itemCode: "STOPPED-2", itemName: "Stopped" })
      const headers = { ...one.api.credential, "content-type": "application/json" }
      waiting.push(ask("/api/v1/items", { method: "POST", body, headers }).then(({ status }) => status))
      waiting.push(ask("/api/v1/items").then(({ status }) => status))
    } finally {
      signal(pids, "SIGCONT")
    }
    expect(await Promise.all(waiting)).toEqual([201, 201, 201, 201, 201, 200, 201, 401])
    await until(async () => (await ask("/ready")).status === 200)
    await until(async () => (await create("STOPPED-3")) === 201)
  })

  test("what was acknowledged was stored, each once", async () => {
    const codes = shop.inDatabase((db) => db.query("SELECT item_code FROM items").values().flat().map(String))
    expect(acknowledged.filter((code) => !codes.includes(code))).toEqual([])
    expect(codes.length).toBe(new Set(codes).size)
    const checked = await run(["check", "--json", "--db", shop.url])
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, faults: [] })
  })
})
