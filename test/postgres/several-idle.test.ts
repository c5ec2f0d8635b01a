import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import type { Leadership } from "../../src/core/engine/engine"
import { leadership } from "../../src/core/engine/postgres/leader"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { stderrLog } from "../../src/core/lib/process/log"
import { cleanUp, run, serve } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"
import { several, termsOf } from "../support/several"
import { until } from "../support/until"

const [leaderLock, serversLock] = [0x4b4e544c, 0x4b4e5453]

const foreign =
  "Another program has the lock of the leader in the database, so no server runs jobs and sends webhooks."
const nobody = "No server of this database runs its jobs and sends its webhooks."

afterAll(cleanUp)

describe.skipIf(!isPostgresInstalled())("servers of which none is the leader", () => {
  let server: PostgresServer
  let url: string
  const opened: PostgresDatabase[] = []
  const led: Leadership[] = []
  let logged = ""

  beforeAll(async () => {
    server = await postgres()
    url = server.createDatabase("shop")
    const db = open(url)
    db.run("CREATE ROLE guest LOGIN")
  })
  beforeEach(async () => {
    for (const each of led.splice(0)) await each.stop()
    for (const db of opened.splice(0)) db.close()
    logged = ""
  })
  afterAll(async () => {
    for (const each of led) await each.stop()
    for (const db of opened) db.close()
    server?.stop()
  })

  const open = (address: string) => {
    const db = new PostgresDatabase(address)
    opened.push(db)
    return db
  }
  /** A connection of a server, and its part in the leadership. */
  const member = () => {
    const db = open(url)
    db.share(serversLock)
    const log = stderrLog("info", (text) => (logged += text))
    const leading = leadership(
      db,
      { start() {}, async stop() {} },
      {
        log,
        mostMissed: 2,
      },
    )
    led.push(leading)
    return { db, leading, log }
  }

  test("say that another role has the lock, and that one leads again", async () => {
    const guest = open(url.replace("kontor@", "guest@"))
    expect(guest.lock(leaderLock)).not.toBeNull()
    guest.share(serversLock)
    const { leading, log } = member()
    expect(leading.problem()).toBeNull()
    await until(() => leading.problem() === foreign)
    await until(() => logged.includes(foreign))
    expect(JSON.parse(logged)).toMatchObject({ level: "error", message: foreign, role: "guest" })
    guest.close()
    await until(() => leading.problem() === null)
    await until(() => logged.includes("again"))
    log.flush()
    expect(logged.trimEnd().split("\n")).toHaveLength(2)
  })

  test("say so too if a program of the same role has the lock", async () => {
    expect(open(url).lock(leaderLock)).not.toBeNull()
    const { leading } = member()
    await until(() => leading.problem() === foreign)
  })

  test("say that nobody leads if the leader does nothing", async () => {
    const hanging = open(url)
    hanging.share(serversLock)
    expect(hanging.lock(leaderLock)).not.toBeNull()
    const { leading } = member()
    await until(() => leading.problem() === nobody)
    hanging.query("SELECT 1").get()
    await until(() => leading.problem() === null)
  })

  test("say nothing while one of them leads, however long nobody uses it", async () => {
    const [first, second] = [member(), member()]
    for (let look = 0; look < 40; look++) {
      expect([first, second].map(({ leading }) => leading.problem())).toEqual([null, null])
      await Bun.sleep(200)
    }
    expect(logged).toBe("")
  })
})

describe.skipIf(!isPostgresInstalled())("the probe /ready", () => {
  test("names the reason while another program has the lock of the leader", async () => {
    const server = await postgres()
    const url = server.createDatabase("shop")
    const other = new PostgresDatabase(url)
    try {
      expect(other.lock(leaderLock)).not.toBeNull()
      const kontor = await serve({ args: ["--db", url] })
      const ready = () => fetch(`${kontor.url}/ready`)
      expect((await ready()).status).toBe(200)
      await until(async () => (await ready()).status === 503)
      expect(await (await ready()).json()).toMatchObject({
        success: false,
        error: {
          code: "SERVICE_UNAVAILABLE",
          message: foreign,
          checks: [{ check: "background", code: "NO_LEADER", message: foreign }],
        },
      })
      expect((await fetch(`${kontor.url}/health`)).status).toBe(200)
      expect((await run(["ready", "--port", new URL(kontor.url).port])).stderr).toContain(foreign)
      expect(kontor.output.stderr).toContain(`"level":"error","message":"${foreign}"`)
      other.unlock(leaderLock)
      await until(async () => (await ready()).status === 200)
      expect(termsOf(kontor)).toBe(1)
      await kontor.stop()
    } finally {
      other.close()
      server.stop()
    }
  })

  test("does not fail when another server takes over", async () => {
    const shop = await several(2)
    try {
      const { leader, others } = shop.split()
      const [other] = others
      const ready = async () => (await fetch(`${other!.url}/ready`)).status
      await leader.stop("SIGKILL")
      const seen = new Set([await ready()])
      await until(async () => {
        seen.add(await ready())
        return termsOf(other!) > 0
      })
      expect([...seen, await ready()]).toEqual([200, 200])
    } finally {
      await cleanUp()
      shop.server.stop()
    }
  })
})
