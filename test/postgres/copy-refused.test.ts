import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { latestVersion } from "../../src/core/engine/schema/migrate"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { signIn } from "../support/api"
import { cleanUp, emptyFolder, run, serve } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

describe.skipIf(!isPostgresInstalled())("a refused kontor copy", () => {
  let server: PostgresServer
  let file: string
  const folder = emptyFolder()

  beforeAll(async () => {
    server = await postgres()
    const kontor = await serve()
    const api = await signIn(kontor)
    await api.create("/items", { itemCode: "ONE", itemName: "One" })
    await kontor.stop()
    file = kontor.file
  })
  afterAll(async () => {
    await cleanUp()
    server?.stop()
  })

  const copy = (from: string, to: string) => run(["copy", "--db", from, "--to", to])

  /** Runs a copy that must be refused with a text. */
  async function expectRefusal(from: string, to: string, text: string): Promise<void> {
    const { code, stdout, stderr } = await copy(from, to)
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(text)])
    expect(stderr).not.toContain("Unexpected error")
  }

  const inDatabase = <T>(address: string, work: (db: PostgresDatabase) => T): T => {
    const db = new PostgresDatabase(address)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  const tablesIn = (address: string) =>
    inDatabase(address, (db) =>
      db.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace").values(),
    )

  test("a database that is not empty is refused as a target, and not changed", async () => {
    const finished = server.createDatabase("finished")
    expect(await copy(file, finished)).toMatchObject({ code: 0 })
    const itemsOf = () => inDatabase(finished, (db) => db.query("SELECT id FROM items").values())
    const before = itemsOf()
    await expectRefusal(file, finished, "already has a Kontor database")
    expect(itemsOf()).toEqual(before)

    const foreign = server.createDatabase("foreign")
    inDatabase(foreign, (db) => db.run("CREATE TABLE theirs (n integer)"))
    await expectRefusal(file, foreign, "is a database of another program")
    expect(tablesIn(foreign)).toEqual([["theirs"]])
  })

  test("a file that is not empty is refused as a target, and not changed", async () => {
    const [finished, foreign, text] = ["finished.db", "foreign.db", "text.db"].map((name) =>
      join(folder, name),
    )
    if (!finished || !foreign || !text) throw new Error("no names")
    expect(await copy(file, finished)).toMatchObject({ code: 0 })
    const db = new Database(foreign)
    db.run("CREATE TABLE theirs (n)")
    db.close()
    writeFileSync(text, "This is not a database, but somebody needs it.".repeat(100))
    for (const [target, said] of [
      [finished, "already has a Kontor database"],
      [foreign, "is a database of another program"],
      [text, "is not a database"],
      [file, "is the source itself"],
    ] as const) {
      const before = readFileSync(target)
      await expectRefusal(file, target, said)
      expect(readFileSync(target).equals(before)).toBeTrue()
    }
  })

  test("a source or a target that a server uses is refused", async () => {
    const used = join(folder, "used.db")
    const kontor = await serve({ args: ["--db", used] })
    const empty = server.createDatabase("for_used")
    await expectRefusal(used, empty, `Another Kontor process is using ${used}.`)
    await expectRefusal(file, used, "already has a Kontor database")
    expect(tablesIn(empty)).toEqual([])
    await kontor.stop()
    const target = server.createDatabase("used")
    const other = await serve({ args: ["--db", target] })
    await expectRefusal(target, join(folder, "never.db"), "Another Kontor process is using postgres://")
    await expectRefusal(file, target, "Another Kontor process is using postgres://")
    await other.stop()
    expect(existsSync(join(folder, "never.db"))).toBeFalse()
  })

  test("a source of an older version or with problems is refused before a row is copied", async () => {
    const old = join(folder, "old.db")
    copyFileSync(file, old)
    const older = new Database(old)
    older.run(`PRAGMA user_version = ${latestVersion - 1}`)
    older.close()
    const empty = server.createDatabase("still_empty")
    await expectRefusal(old, empty, 'Run "kontor migrate" first.')
    expect(tablesIn(empty)).toEqual([])
    const faulty = join(folder, "faulty.db")
    copyFileSync(file, faulty)
    const db = new Database(faulty)
    db.run("UPDATE items SET current_stock = 70000")
    db.close()
    await expectRefusal(faulty, join(folder, "of-faulty.db"), "has problems, so nothing was copied")
    await expectRefusal(join(folder, "none.db"), empty, "There is no database at ")
  })

  test("a text with a NUL character is named, and nothing is lost", async () => {
    const withNul = join(folder, "nul.db")
    copyFileSync(file, withNul)
    const db = new Database(withNul)
    const id = db
      .query<{ id: string }, []>("UPDATE items SET description = 'a' || char(0) || 'b' RETURNING id")
      .get()?.id
    const target = server.createDatabase("nul")
    await expectRefusal(
      withNul,
      target,
      `The column description of items ${id} contains a NUL character, which PostgreSQL cannot store.`,
    )
    db.close()
    expect((await run(["serve", "--port", "0", "--db", target])).stderr).toContain("is an unfinished copy")
  })

  test("wrong addresses are named without the password, and a missing extension with what to do", async () => {
    const weak = server.createDatabase("weak").replace("kontor@", "weak@")
    inDatabase(server.url("weak"), (db) =>
      db.run(
        "CREATE ROLE weak LOGIN; GRANT CREATE ON SCHEMA public TO weak; REVOKE ALL ON DATABASE weak FROM PUBLIC; GRANT CONNECT ON DATABASE weak TO weak",
      ),
    )
    await expectRefusal(file, weak, "The extension pg_trgm is missing, and this user may not create it.")
    for (const [to, said] of [
      [
        "postgres://me:hidden@127.0.0.1:1/shop",
        "The database postgres://me@127.0.0.1:1/shop cannot be opened",
      ],
      ["postgres://me:hidden@[/shop", "The address of the PostgreSQL database is not valid"],
      [server.tcpUrl("nowhere").replace("kontor@", "kontor:hidden@"), "does not exist"],
      [join(folder, "no-folder", "x.db"), "cannot be opened"],
    ] as const) {
      await expectRefusal(file, to, said)
      expect((await copy(file, to)).stderr).not.toContain("hidden")
    }
    const missing = await run(["copy", "--db", file])
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("The target is missing")])
  })
})
