import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { addressOf } from "../../src/core/engine/postgres/driver/address"
import { connect } from "../../src/core/engine/postgres/driver/link"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { isConnectionFailure, isStorageFailure } from "../../src/core/engine/postgres/driver/errors"
import { libpq, loadFirst } from "../../src/core/engine/postgres/driver/libpq"
import { outcomeOf, proofQuery, type Unanswered } from "../../src/core/engine/postgres/driver/transactions"
import { Unusable } from "../../src/core/lib/refusal"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

test("a missing library is reported with the command that installs it", () => {
  expect(() => loadFirst(["libpq-missing.so.5"])).toThrow(Unusable)
  expect(() => loadFirst(["libpq-missing.so.5"])).toThrow("PostgreSQL's client library libpq is missing. ")
})

const thrownBy = (work: () => unknown): Error => {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error("Nothing was thrown.")
}

describe.skipIf(!isPostgresInstalled())("connections to PostgreSQL", () => {
  let server: PostgresServer
  let db: PostgresDatabase
  let other: PostgresDatabase

  beforeAll(async () => {
    const access = [
      "local all all trust",
      "host all guest 127.0.0.1/32 scram-sha-256",
      "host all all all trust",
    ]
    server = await postgres({ access })
    db = new PostgresDatabase(server.url())
    other = new PostgresDatabase(server.url())
    db.run("CREATE TABLE t (id text PRIMARY KEY); CREATE ROLE guest LOGIN PASSWORD 'right secret'")
    db.run("GRANT ALL ON t TO guest")
  })

  beforeEach(() => {
    db.run("DELETE FROM t")
  })

  afterAll(() => {
    db?.close()
    other?.close()
    server?.stop()
  })

  const add = (to: PostgresDatabase, id: string) => to.query("INSERT INTO t (id) VALUES (?)").run(id)
  const stored = () => other.query("SELECT id FROM t ORDER BY id").values().flat().join("")
  const pidOf = (of: PostgresDatabase) =>
    of.query<{ pid: number }, []>("SELECT pg_backend_pid() AS pid").get()?.pid ?? 0
  const end = (pid: number) => other.query("SELECT pg_terminate_backend(?, 5000)").get(pid)

  describe("a connection that the server has ended", () => {
    test("is replaced for a read", () => {
      const pid = pidOf(db)
      end(pid)
      expect(pidOf(db)).not.toBe(pid)
    })

    test("is replaced for a transaction that begins", () => {
      end(pidOf(db))
      db.run("BEGIN")
      db.run("SAVEPOINT one")
      add(db, "a")
      db.run("RELEASE one")
      db.run("COMMIT")
      expect(stored()).toBe("a")
    })

    test("is replaced if it ends in the first statement of a transaction", () => {
      const pid = pidOf(db)
      db.run("BEGIN")
      db.query("INSERT INTO t SELECT 'a' WHERE pg_backend_pid() <> ?1 OR pg_terminate_backend(?1)").run(pid)
      expect(db.inTransaction).toBeTrue()
      db.run("COMMIT")
      expect(stored()).toBe("a")
    })

    test("is replaced for a write outside a transaction", () => {
      end(pidOf(db))
      add(db, "a")
      expect(stored()).toBe("a")
    })

    test("fails the write that it ends in, because it may have been stored", () => {
      const write = db.query("INSERT INTO t SELECT pg_terminate_backend(pg_backend_pid())::text")
      expect(thrownBy(() => write.run())).toMatchObject({ code: "08007", outcome: "unknown" })
      add(db, "b")
      expect(stored()).toBe("b")
    })

    test("fails the commit after it was replaced", () => {
      db.listen("kontor")
      const pid = pidOf(db)
      db.run("BEGIN")
      add(db, "a")
      end(pid)
      db.notifications()
      db.listen("kontor")
      expect(thrownBy(() => db.run("COMMIT"))).toMatchObject({ outcome: "aborted" })
      expect(stored()).toBe("")
    })

    test("fails its transaction, all of whose later statements fail too", () => {
      const pid = pidOf(db)
      db.run("BEGIN")
      add(db, "a")
      end(pid)
      const error = thrownBy(() => add(db, "b"))
      expect([isConnectionFailure(error), isStorageFailure(error)]).toEqual([true, true])
      expect(db.inTransaction).toBeTrue()
      expect(thrownBy(() => add(db, "c"))).toSatisfy(isConnectionFailure)
      expect(thrownBy(() => db.run("SAVEPOINT one"))).toSatisfy(isConnectionFailure)
      expect(thrownBy(() => db.run("DELETE FROM t"))).toSatisfy(isConnectionFailure)
      db.run("ROLLBACK")
      expect(db.inTransaction).toBeFalse()
      add(db, "d")
      expect(stored()).toBe("d")
    })

    test("fails the commit, and nothing was stored", () => {
      const pid = pidOf(db)
      db.run("BEGIN")
      add(db, "a")
      end(pid)
      expect(thrownBy(() => db.run("COMMIT"))).toMatchObject({ outcome: "aborted" })
      expect(db.inTransaction).toBeFalse()
      expect(stored()).toBe("")
    })
  })

  test("a server that does not answer fails the statement", () => {
    const own = new PostgresDatabase(server.url(), { answerTime: 2_000 })
    const pid = pidOf(own)
    process.kill(pid, "SIGSTOP")
    expect(thrownBy(() => own.query("SELECT 1").get())).toSatisfy(isConnectionFailure)
    expect(pidOf(own)).not.toBe(pid)
    process.kill(pid, "SIGCONT")
    own.run("BEGIN")
    add(own, "a")
    const error = thrownBy(() => own.query("SELECT pg_sleep(5)").get())
    expect(error).toMatchObject({ code: "08000", message: "The server does not answer." })
    own.run("ROLLBACK")
    own.close()
  })

  test("a server that restarts is used again", () => {
    const own = new PostgresDatabase(server.url())
    add(own, "a")
    server.halt()
    const error = thrownBy(() => own.query("SELECT 1").get())
    expect(error).toSatisfy(isConnectionFailure)
    own.run("BEGIN")
    expect(thrownBy(() => add(own, "b"))).toSatisfy(isConnectionFailure)
    own.run("ROLLBACK")
    server.start()
    Bun.sleepSync(600)
    expect(own.query("SELECT id FROM t").all()).toEqual([{ id: "a" }])
    own.close()
  })

  describe("a commit without an answer", () => {
    const folder = mkdtempSync(join(tmpdir(), "kontor-proxy-"))
    const trouble = join(folder, "trouble")
    let proxy: Bun.Subprocess<"ignore", "pipe", "inherit">
    let url: string

    beforeAll(async () => {
      writeFileSync(trouble, "pass")
      const program = join(import.meta.dir, "../support/postgres-proxy.ts")
      proxy = Bun.spawn([process.execPath, program, String(server.port), trouble], {
        stdio: ["ignore", "pipe", "inherit"],
      })
      const { value } = await proxy.stdout.getReader().read()
      url = server.tcpUrl("postgres", Number(new TextDecoder().decode(value)))
    })

    afterAll(() => {
      proxy?.kill()
      rmSync(folder, { recursive: true, force: true })
    })

    const withTrouble = (kind: string, work: (own: PostgresDatabase) => void) => {
      // Less than the server waits for the end of a transaction.
      const own = new PostgresDatabase(url, { outcomeTime: 3000, answerTime: 1000 })
      own.run("BEGIN")
      own.run("SAVEPOINT one")
      add(own, "a")
      own.run("RELEASE one")
      writeFileSync(trouble, kind)
      work(own)
      expect(readFileSync(trouble, "utf8")).toBe("pass")
      expect(own.inTransaction).toBeFalse()
      expect(own.query("SELECT count(*) AS n FROM t").get()).toEqual({ n: stored().length })
      own.close()
    }

    test("succeeds if the server has committed", () => {
      withTrouble("answer", (own) => own.run("COMMIT"))
      expect(stored()).toBe("a")
    })

    test("fails if the request did not arrive, and the old connection cannot commit later", () => {
      withTrouble("request", (own) =>
        expect(thrownBy(() => own.run("COMMIT"))).toMatchObject({ outcome: "aborted" }),
      )
      expect(stored()).toBe("")
    })

    test("fails if it is never answered, and the old connection cannot commit later", () => {
      withTrouble("silence", (own) =>
        expect(thrownBy(() => own.run("COMMIT"))).toMatchObject({ code: "08000", outcome: "aborted" }),
      )
      expect(stored()).toBe("")
    })

    test("fails if the server was gone before, and nothing was stored", () => {
      const own = new PostgresDatabase(server.tcpUrl(), { outcomeTime: 300 })
      own.run("BEGIN")
      add(own, "a")
      server.halt("immediate")
      try {
        expect(thrownBy(() => own.run("COMMIT"))).toMatchObject({ outcome: "aborted" })
      } finally {
        server.start()
      }
      own.close()
      expect(stored()).toBe("")
    })

    // The proxy has ended after this.
    test("says that nobody knows if nobody can be asked", () => {
      const own = new PostgresDatabase(url, { outcomeTime: 300 })
      own.run("BEGIN")
      add(own, "a")
      writeFileSync(trouble, "gone")
      expect(thrownBy(() => own.run("COMMIT"))).toMatchObject({ code: "08007", outcome: "unknown" })
      own.close()
    })
  })

  test("the outcome of a transaction depends on which server is asked", () => {
    const pq = libpq()
    const open = () => connect(pq, addressOf(pq, server.url()), 1000)
    const session = open()
    const { origin, pid } = session
    session.close()
    const written = db.transaction(() => {
      add(db, "a")
      return db.query<{ xid: string; lsn: string }, []>(proofQuery).get() ?? { xid: "", lsn: "" }
    })()
    const asked = (changed: Partial<Unanswered>) =>
      outcomeOf(open, { ...written, origin, pid, ...changed }, 5_000)
    expect(asked({})).toBe("committed")
    expect(asked({ origin: { ...origin, timeline: "00000009" } })).toBe("unknown")
    const restarted = { ...origin, startedAt: "2020-01-01 00:00:00+00" }
    db.run("CHECKPOINT")
    expect(asked({ origin: restarted })).toBe("committed")
    expect(asked({ origin: restarted, lsn: "FFFF/0" })).toBe("aborted")
    expect(asked({ xid: "4000000000" })).toBe("aborted")
  })

  test("a commit after a crash of the server fails, and nothing was stored", () => {
    const own = new PostgresDatabase(server.url())
    own.run("BEGIN")
    add(own, "a")
    server.halt("immediate")
    server.start()
    add(other, "b")
    expect(thrownBy(() => own.run("COMMIT"))).toMatchObject({ outcome: "aborted" })
    own.close()
    expect(stored()).toBe("b")
  })

  describe("notifications", () => {
    test("arrive without a question to the server", () => {
      db.listen("kontor")
      db.notifications()
      other.query("SELECT pg_notify('kontor', ?)").get("it's")
      db.run("NOTIFY kontor")
      expect(db.notifications()).toEqual([
        { channel: "kontor", payload: "it's", isOwn: false },
        { channel: "kontor", payload: "", isOwn: true },
      ])
      expect(db.notifications()).toEqual([])
      other.run("NOTIFY kontor, 'later'")
      let later = db.notifications()
      while (later.length === 0) later = db.notifications()
      expect(later).toEqual([{ channel: "kontor", payload: "later", isOwn: false }])
    })

    test("may be missing after a lost connection, which is one itself", () => {
      db.listen("kontor")
      db.notifications()
      end(pidOf(db))
      expect(db.notifications()).toEqual([{ channel: "kontor", payload: "", isOwn: false }])
      other.run("NOTIFY kontor, 'again'")
      pidOf(db)
      expect(db.notifications()).toEqual([{ channel: "kontor", payload: "again", isOwn: false }])
    })
  })

  describe("an address", () => {
    const open = (conninfo: string) => new PostgresDatabase(conninfo)

    test("may name several servers, and a password that no message shows", () => {
      const hosts = `127.0.0.1:1,127.0.0.1:${server.port}`
      const guest = open(`postgres://guest:right%20secret@${hosts}/postgres`)
      expect(guest.filename).toBe(`postgres://guest@${hosts}/postgres`)
      add(guest, "a")
      guest.close()
      const listed = open(
        `host=127.0.0.1 port=${server.port} user=guest password='right secret' dbname=postgres`,
      )
      expect(listed.filename).toBe(`postgres://guest@127.0.0.1:${server.port}/postgres`)
      listed.close()
    })

    test.each([
      ["a wrong password", "guest:wrong-secret@127.0.0.1:PORT/postgres", "password authentication failed"],
      ["no such user", "nobody:wrong-secret@127.0.0.1:PORT/postgres", 'role "nobody" does not exist'],
      ["no such database", "kontor:wrong-secret@127.0.0.1:PORT/missing", 'database "missing" does not exist'],
      ["no server", "kontor:wrong-secret@127.0.0.1:1/postgres", "Connection refused"],
      ["no such host", "kontor:wrong-secret@missing.invalid/postgres", 'host name "missing.invalid"'],
      [
        "an @ in the password",
        "kontor:p@wrong-secret@127.0.0.1:PORT/postgres",
        "Write @ in a password as %40",
      ],
      ["a wrong % in the password", "kontor:wrong-secret%zz@127.0.0.1/postgres", "special characters as %XX"],
      ["an unknown option", "127.0.0.1/postgres?colour=red", 'invalid URI query parameter: "colour"'],
    ])("with %s is refused with a sentence", (_, rest, reason) => {
      const error = thrownBy(() => open(`postgres://${rest.replace("PORT", String(server.port))}`))
      expect(error).toBeInstanceOf(Unusable)
      expect(error.message).toContain(reason)
      expect(error.message).not.toContain("wrong-secret")
      expect(error.message).toEndWith(".")
      expect(error.message).not.toContain("\n")
    })

    test("of a database that is not in UTF-8 is refused", () => {
      db.run("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
      expect(thrownBy(() => open(server.url("latin"))).message).toContain(
        "the encoding LATIN1. Kontor needs UTF8",
      )
    })

    test("of a read-only server is refused, unless it says that it may be one", () => {
      db.run("CREATE DATABASE lazy")
      db.run("ALTER DATABASE lazy SET default_transaction_read_only = on")
      expect(thrownBy(() => open(server.url("lazy"))).message).toContain("session is read-only")
      const own = open(`${server.url("lazy")}&target_session_attrs=any`)
      const error = thrownBy(() => own.run("CREATE TABLE t (id text)"))
      expect(error).toMatchObject({ code: "25006" })
      own.close()
    })
  })

  test("a connection has the settings that the driver relies on", () => {
    const shown = (name: string) => db.query(`SELECT current_setting('${name}') AS v`).values().flat()[0]
    const names = ["application_name", "client_encoding", "lock_timeout", "TimeZone", "bytea_output"]
    expect(names.map(shown)).toEqual(["kontor", "UTF8", "5s", "UTC", "hex"])
    expect(shown("idle_in_transaction_session_timeout")).toBe("5s")
  })

  test("a closed database cannot be used", () => {
    const own = new PostgresDatabase(server.url())
    own.close()
    own.close()
    expect(thrownBy(() => own.query("SELECT 1").get()).message).toBe("The database was closed.")
  })
})
