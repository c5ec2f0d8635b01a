import { SqliteDatabase } from "./sqlite/database"
import { expect, test } from "bun:test"
import { systemClock } from "../lib/clock"
import { PostgresError } from "./postgres/driver/errors"
import { groupWriter } from "../write/writer"

/** Writes with a database whose COMMIT gets no answer, and returns the message of the refusal. */
async function refusalAfter(outcome: "aborted" | "unknown"): Promise<string> {
  const db = new SqliteDatabase(":memory:")
  const failing = () => {
    throw new PostgresError("08006", "The connection was lost.", { outcome })
  }
  const commit = Object.assign(db.prepare("COMMIT"), { run: failing })
  const prepare = db.prepare.bind(db)
  Object.assign(db, { prepare: (sql: string) => (sql === "COMMIT" ? commit : prepare(sql)) })
  const written = groupWriter(db, systemClock(), () => {})(() => "written")
  return written.then(String, (error: Error) => error.message)
}

test("a write whose COMMIT was lost is refused with what is known about it", async () => {
  expect(await refusalAfter("aborted")).toContain("Nothing was stored.")
  const unknown = await refusalAfter("unknown")
  expect(unknown).toContain("It is not known whether the write was stored.")
  expect(unknown).not.toContain("Nothing was stored")
})
