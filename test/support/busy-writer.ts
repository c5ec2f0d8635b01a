// Writes to a database without a pause, and prints the number of each transaction when it is committed. In each
// transaction the sum of both tables stays 0, and `last` counts the transactions. The arguments: FILE SEED.
import { SqliteDatabase } from "../../src/core/engine/sqlite/database"
import { openFile } from "../../src/core/engine/sqlite/open"

const [file = "", seed = "1"] = process.argv.slice(2)
let state = Number(seed)
const random = (below: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return (state >>> 8) % below
}
const db: SqliteDatabase = openFile(file)
db.run(`PRAGMA wal_autocheckpoint = ${random(2) === 0 ? 50 : 2000}`)
const checkpoints = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"]

db.run("PRAGMA synchronous = OFF")
for (let last = db.query<{ n: number }, []>("SELECT n FROM last").get()?.n ?? 0; ;) {
  last++
  db.transaction(() => {
    for (let i = 0; i < 1 + random(20); i++) {
      const [amount, id, other] = [random(1000), random(3000), random(3000)]
      const add = (table: string, key: number, value: number) =>
        db.run(
          `INSERT OR REPLACE INTO ${table} VALUES (?, coalesce((SELECT amount FROM ${table} WHERE id = ?), 0) + ?, ?)`,
          [key, key, value, `Tok${last}-`.repeat(1 + random(random(20) === 0 ? 2000 : 40))],
        )
      add("one", id, amount)
      add("two", other, -amount)
    }
    db.run("UPDATE last SET n = ?", [last])
  })()
  console.log(String(last))
  if (random(5) === 0) db.query(`PRAGMA wal_checkpoint(${checkpoints[random(4)]})`).get()
}
