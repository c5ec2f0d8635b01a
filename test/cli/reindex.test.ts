import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { signIn } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

let kontor: Kontor
const good = join(emptyFolder(), "good.db")

beforeAll(async () => {
  kontor = await serve()
  const api = await signIn(kontor)
  const shop = trade(api)
  for (let i = 0; i < 3; i++) await shop.customer({ phone: `+49 40 12345${i}` })
  await shop.invoice()
  // A search writes the search text of all records that wait for it.
  await api.get("/search?q=anything")
  expect(await run(["backup", good], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
})
afterAll(cleanUp)

type Damage = string | ((file: string) => void)

function damaged(damage: Damage): string {
  const file = join(emptyFolder(), "damaged.db")
  copyFileSync(good, file)
  if (typeof damage === "string") inFile({ file }, (db) => db.run(damage))
  else damage(file)
  return file
}

/** Overwrites the segment list of a search table in the file itself, because SQLite does not allow it. */
function breakParts(file: string): void {
  const parts = inFile(
    { file },
    (db) => db.query("SELECT block FROM items_search_data WHERE id = 10").values()[0]?.[0],
  )
  const bytes = readFileSync(file)
  const at = bytes.indexOf(parts as Uint8Array)
  expect(at).toBeGreaterThan(0)
  writeFileSync(file, bytes.fill(0xff, at, at + (parts as Uint8Array).length))
}

describe("kontor reindex", () => {
  test.each<[string, Damage, string]>([
    [
      "is empty",
      "INSERT INTO items_search (items_search) VALUES ('delete-all')",
      "The search index has 0 item rows; the table has 1.",
    ],
    [
      "does not have a record",
      "DELETE FROM customers_words WHERE rowid = 2",
      "The search index is out of date for the customer",
    ],
    [
      "has a record that does not exist",
      "INSERT INTO invoices_words (rowid, words, more) VALUES (99, 'ghost', '')",
      "The search index has 2 invoice rows; the table has 1.",
    ],
    [
      "has other words for a record",
      "UPDATE sales_orders SET customer_name = 'Somebody else'",
      "The search index is out of date for the sales order",
    ],
    ["cannot be read", breakParts, "are damaged: "],
  ])("repairs search that %s: check reports it before and not after", async (_, damage, says) => {
    const file = damaged(damage)
    const before = await run(["check", "--db", file])
    expect(before).toMatchObject({ code: 1 })
    expect(before.stdout).toContain(says)
    const repaired = await run(["reindex", "--db", file])
    expect(repaired).toMatchObject({ code: 0, stderr: "" })
    expect(repaired.stdout).toMatch(/^KIND +RECORDS\nitems +1\n/)
    for (const row of [/^customers +4$/m, /^sales-orders +1$/m, /^invoices +1$/m])
      expect(repaired.stdout).toMatch(row)
    expect(await run(["check", "--db", file])).toMatchObject({ code: 0, stderr: "" })
  })

  test("handles more records than one batch, keeps the settings of search, and prints JSON", async () => {
    const settings = (file: string) =>
      inFile({ file }, (db) => db.query("SELECT k, v FROM items_words_config ORDER BY k").all())
    const file = damaged((made) =>
      inFile({ file: made }, (db) => {
        const columns = db
          .query<{ name: string }, []>("SELECT name FROM pragma_table_info('items')")
          .all()
          .map(({ name }) => name)
        const changed: Record<string, string> = {
          seq: "seq + n",
          id: "id || '-' || n",
          item_code_key: "item_code_key || '-' || n",
          current_stock: "0",
          reserved_stock: "0",
        }
        const values = columns.map((name) => changed[name] ?? name)
        db.run(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500)
          INSERT INTO items (${columns.join(", ")}) SELECT ${values.join(", ")} FROM items, numbers`)
      }),
    )
    expect((await run(["check", "--db", file])).stdout).toContain(
      "The search index has 1 item rows; the table has 2501.",
    )
    const { code, stdout } = await run(["reindex", "--db", file, "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      file,
      records: { items: 2501, customers: 4, "sales-orders": 1, invoices: 1 },
    })
    expect(await run(["check", "--db", file])).toMatchObject({ code: 0, stderr: "" })
    expect(settings(file)).toEqual(settings(good))
  })

  test("is refused while a server uses the file, and when there is no file", async () => {
    expect(await run(["reindex"], { cwd: kontor.cwd })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "Another Kontor process is using ./kontor.db. Stop it first, or choose another file with --db.\n",
    })
    expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
    const missing = await run(["reindex"])
    expect(missing).toMatchObject({ code: 1, stdout: "" })
    expect(missing.stderr).toStartWith("There is no database at ./kontor.db.")
  })
})
