// Commits a row, as a program of its own: bun postgres-commit.ts ADDRESS ID OUTCOMETIME ANSWERTIME
// It prints "ready" before the COMMIT, and what it was told: committed, aborted or unknown.
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { PostgresError } from "../../src/core/engine/postgres/driver/errors"

const [address = "", id = "", outcomeTime, answerTime] = process.argv.slice(2)
const db = new PostgresDatabase(address, {
  outcomeTime: Number(outcomeTime),
  answerTime: Number(answerTime),
})
db.run("BEGIN")
db.query("INSERT INTO t (id) VALUES (?)").run(id)
console.log("ready")
try {
  db.run("COMMIT")
  console.log("committed")
} catch (error) {
  console.log(error instanceof PostgresError ? error.outcome : String(error))
}
db.close()
