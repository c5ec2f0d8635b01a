import type { Database } from "../../src/core/engine/engine"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { until } from "../support/until"

let kontor: Kontor
let api: Api
const folder = emptyFolder()
const copy = join(folder, "copy.db")
type Chain = { head: string; length: number }
let noted: Chain

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  for (let i = 0; i < 5; i++) await api.create("/items", { itemCode: `E-${i}`, itemName: "Early" })
  noted = await checked(kontor.file)
  for (let i = 0; i < 5; i++) await api.create("/items", { itemCode: `L-${i}`, itemName: "Late" })
  expect(await run(["backup", copy], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
})
afterAll(cleanUp)

async function checked(file: string): Promise<Chain> {
  const { auditHead, auditLength } = JSON.parse((await run(["check", "--json", "--db", file])).stdout)
  return { head: auditHead, length: auditLength }
}

/** The heads that a server has written to its log. */
const headsIn = ({ output }: Kontor): Chain[] =>
  output.stderr
    .split("\n")
    .filter((line) => line.includes('"message":"The end of the audit log."'))
    .map((line) => JSON.parse(line))
    .map(({ head, length }) => ({ head, length }))

/** Changes a copy of the file like an attacker who restores the triggers afterwards. */
function tamper(work: (db: Database) => void): string {
  const file = join(emptyFolder(), "tampered.db")
  copyFileSync(copy, file)
  inFile({ file }, (db) => {
    const triggers = db
      .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
      .all()
    for (const { name } of triggers) db.run(`DROP TRIGGER ${name}`)
    work(db)
    for (const { sql } of triggers) db.run(sql)
  })
  return file
}

const covered =
  "id request_id actor_type actor actor_name action kind record_id ip user_agent outcome changes created_at".split(
    " ",
  )

/** Recomputes every hash, as an attacker who knows the algorithm can. */
function rechain(db: Database): void {
  let before = "0".repeat(64)
  const rows = db.query<Record<string, string | null>, []>("SELECT * FROM audit_logs ORDER BY seq").all()
  for (const row of rows) {
    const values = covered.map((column) => row[column])
    before = new Bun.CryptoHasher("sha256").update(`${before}\n${JSON.stringify(values)}`).digest("hex")
    db.query("UPDATE audit_logs SET hash = ? WHERE seq = ?").run(before, Number(row.seq))
  }
}

describe("the head of the audit log", () => {
  test("is logged with its length at start and at stop, and check prints the same", async () => {
    const cwd = emptyFolder()
    const first = await serve({ cwd })
    await until(() => headsIn(first).length > 0)
    const [atStart] = headsIn(first)
    expect(atStart).toEqual(await checked(first.file))
    await (await signIn(first)).create("/items", { itemCode: "A", itemName: "A" })
    await first.stop()
    const atStop = headsIn(first).at(-1)
    expect(atStop?.length).toBeGreaterThan(atStart?.length ?? 0)
    expect(atStop).toEqual(await checked(first.file))
    const { stdout } = await run(["check"], { cwd })
    expect(stdout).toBe(
      `Head of the audit log: ${atStop?.head}\nLength of the audit log: ${atStop?.length}\n`,
    )
    const heads = [atStart, atStop].flatMap((each) => ["--since", each?.head ?? ""])
    expect(await run(["check", ...heads], { cwd })).toMatchObject({ code: 0, stderr: "" })
  })

  test("of an empty log is all zeros with length 0, and is accepted for every log", async () => {
    const cwd = emptyFolder()
    await run(["migrate"], { cwd })
    const start = { head: "0".repeat(64), length: 0 }
    expect(await checked(join(cwd, "kontor.db"))).toEqual(start)
    expect(await run(["check", "--since", start.head, "--db", copy])).toMatchObject({ code: 0 })
  })
})

describe("kontor check --since", () => {
  test("succeeds while the earlier head is in the log, in lower or upper case", async () => {
    for (const head of [noted.head, noted.head.toUpperCase()])
      expect(await run(["check", "--since", head, "--db", copy])).toMatchObject({ code: 0, stderr: "" })
  })

  test("detects that the end was cut off, which the file alone does not show", async () => {
    const { head } = await checked(copy)
    const file = tamper((db) => db.run("DELETE FROM audit_logs WHERE seq > 4"))
    expect(await run(["check", "--db", file])).toMatchObject({ code: 0 })
    const answer = await run(["check", "--since", noted.head, "--since", head, "--db", file, "--json"])
    expect(answer.code).toBe(1)
    const { ok, faults } = JSON.parse(answer.stdout)
    expect(ok).toBeFalse()
    expect(faults).toEqual([noted.head, head].map((each) => expect.stringContaining(each)))
  })

  test("detects that the hashes were recomputed after an edit, which the file alone does not show", async () => {
    const file = tamper((db) => {
      db.run("UPDATE audit_logs SET actor_name = 'Somebody else' WHERE seq = 3")
      rechain(db)
    })
    expect(await run(["check", "--db", file])).toMatchObject({ code: 0 })
    const { code, stdout } = await run(["check", "--since", noted.head, "--db", file])
    expect(code).toBe(1)
    expect(stdout).toContain(`The head ${noted.head} is no longer in the audit log`)
  })

  test("does not trust a hash after a changed entry", async () => {
    const file = tamper((db) => db.run("UPDATE audit_logs SET actor_name = 'X' WHERE seq = 2"))
    const { stdout } = await run(["check", "--since", noted.head, "--db", file])
    expect(stdout).toContain("The audit log was changed: entry 2")
    expect(stdout).toContain(`The head ${noted.head} is no longer in the audit log`)
  })

  test("rejects an invalid head as wrong usage", async () => {
    for (const head of ["", "abc", `${noted.head}0`, "g".repeat(64)])
      expect(await run(["check", `--since=${head}`, "--db", copy])).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining("64 hexadecimal digits"),
      })
  })
})

test("check finds entries that are missing from a log whose hashes were recomputed", async () => {
  for (const [sql, says] of [
    ["DELETE FROM audit_logs WHERE seq IN (3, 4)", "number 5 follows number 2"],
    ["DELETE FROM audit_logs WHERE seq = 1", "number 2 follows number 0"],
  ] as const) {
    const file = tamper((db) => {
      db.run(sql)
      rechain(db)
    })
    const { code, stdout } = await run(["check", "--db", file])
    expect(code).toBe(1)
    expect(stdout).toContain(`Entries of the audit log are missing: ${says}.`)
  }
})
