// What a client is told of a COMMIT without an answer while the standby lags behind, and after it has taken over.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { addressOf } from "../../src/core/engine/postgres/driver/address"
import { connect } from "../../src/core/engine/postgres/driver/link"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { libpq } from "../../src/core/engine/postgres/driver/libpq"
import { outcomeOf, proofQuery, type Proof } from "../../src/core/engine/postgres/driver/transactions"
import { isPostgresInstalled } from "../support/postgres"
import { postgresPair, type PostgresPair } from "../support/postgres-pair"

describe.skipIf(!isPostgresInstalled())("a commit without an answer, with a synchronous standby", () => {
  let pair: PostgresPair

  beforeAll(async () => {
    pair = await postgresPair()
    // A user without special rights, as Kontor should have.
    pair.inPrimary((db) => db.run("CREATE TABLE t (id text PRIMARY KEY); CREATE ROLE plain LOGIN"))
    pair.inPrimary((db) => db.run("GRANT ALL ON t TO plain"))
  })
  beforeEach(() => {
    pair.inPrimary((db) => db.run("DELETE FROM t"))
  })
  afterAll(() => pair?.stop())

  const url = () => pair.url().replace(/\w+@/, "plain@")
  const stored = () => pair.inPrimary((db) => db.query("SELECT id FROM t ORDER BY id").values().flat().join())
  /** Waits until the primary server has so many commits that wait for the standby. */
  const waiting = async (count: number) => {
    const found = () =>
      pair.inPrimary((db) => db.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'").all())
    while (found().length < count) await Bun.sleep(10)
  }
  const failOver = async () => {
    await pair.promote()
    await pair.repair()
  }

  /** Commits a row in another process, calls `before` first, and returns what the process was told. */
  async function commit(id: string, { outcomeTime = 10_000, answerTime = 1_000, before = () => {} }) {
    const program = join(import.meta.dir, "../support/postgres-commit.ts")
    before()
    const child = Bun.spawn([process.execPath, program, url(), id, String(outcomeTime), String(answerTime)], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    return { told: new Response(child.stdout).text().then((text) => text.trim().split("\n").at(-1)) }
  }

  test("is not known as stored while only the primary server has it, and may be lost", async () => {
    const { told } = await commit("a", { outcomeTime: 2_000, before: pair.killStandby })
    expect(await told).toBe("unknown")
    // The primary server shows it.
    expect(stored()).toBe("a")
    pair.killPrimary()
    await pair.startStandby()
    await failOver()
    expect(stored()).toBe("")
  })

  test("is known as stored when the standby has it later", async () => {
    const { told } = await commit("a", { before: pair.freezeStandby })
    await waiting(1)
    await Bun.sleep(2_500)
    pair.thawStandby()
    expect(await told).toBe("committed")
    pair.killPrimary()
    await failOver()
    expect(stored()).toBe("a")
  })

  test("is unknown after a failover, whether it was stored or not", async () => {
    const kept = await commit("a", { answerTime: 30_000, before: pair.freezeStandby })
    await waiting(1)
    pair.killPrimary()
    // The record of the commit was sent to the standby.
    pair.thawStandby()
    while (pair.inStandby((db) => db.query("SELECT 1 FROM t").get()) === null) await Bun.sleep(10)
    await failOver()
    expect([await kept.told, stored()]).toEqual(["unknown", "a"])

    const lost = await commit("b", { answerTime: 30_000, before: pair.killStandby })
    await waiting(1)
    pair.killPrimary()
    await pair.startStandby()
    await failOver()
    expect([await lost.told, stored()]).toEqual(["unknown", "a"])
  })

  test("that was not sent before the failover is known as not stored", async () => {
    const own = new PostgresDatabase(url())
    own.run("BEGIN")
    own.query("INSERT INTO t (id) VALUES (?)").run("a")
    pair.killPrimary()
    await failOver()
    let outcome: unknown = "committed"
    try {
      own.run("COMMIT")
    } catch (error) {
      outcome = (error as { outcome: unknown }).outcome
    }
    expect([outcome, stored()]).toEqual(["aborted", ""])
    own.query("INSERT INTO t (id) VALUES (?)").run("b")
    expect(stored()).toBe("b")
    own.close()
  })

  test("is not mistaken for a transaction of the new primary server with the same ID", async () => {
    const pq = libpq()
    const open = (time: number) => connect(pq, addressOf(pq, url()), time)
    const session = open(1_000)
    const { origin, pid } = session
    session.close()
    pair.killStandby()
    const own = new PostgresDatabase(url())
    own.run("BEGIN")
    own.query("INSERT INTO t (id) VALUES (?)").run("a")
    const proof = own.query<Proof, []>(proofQuery).get() ?? { xid: "", lsn: "" }
    pair.killPrimary()
    own.close()
    await pair.startStandby()
    await failOver()
    const status = () => pair.inPrimary((db) => db.query("SELECT pg_xact_status(?::xid8)").values(proof.xid))
    const next = "SELECT pg_current_xact_id()"
    pair.inPrimary((db) => {
      for (let i = 0; i < 100; i++) db.run(next)
    })
    expect(status().flat()).toEqual(["committed"])
    expect(outcomeOf(open, { ...proof, origin, pid }, 1_000)).toBe("unknown")
  })
})
