import { expect, test } from "bun:test"
import { SqliteDatabase } from "../engine/sqlite/database"
import { cacheOf } from "./cache"
import { newTx, system } from "./writer"

/** A cache of one value, which a write has changed to "new" and another has read since. */
function changed() {
  const db = new SqliteDatabase(":memory:")
  const stored = { value: "old" }
  const cache = cacheOf(db, () => stored.value)
  const tx = newTx(db, "2026-01-01T00:00:00.000Z", system)
  expect(cache.get("")).toBe("old")
  cache.forget(tx)
  // What the transaction sees.
  stored.value = "new"
  expect(cache.get("")).toBe("new")
  return { changes: db.engine.changes, stored, cache, tx }
}

test("a value of a write that is being committed is read only when it is stored", () => {
  const { changes, stored, cache, tx } = changed()
  changes.areUncertain = () => true
  // What others see until it is stored.
  stored.value = "old"
  expect(cache.get("")).toBe("old")
  stored.value = "new"
  expect(cache.get("")).toBe("new")
  for (const run of tx.afterCommit) run()
  expect(cache.get("")).toBe("new")
})

test("a value of a write that was undone is read no more", () => {
  const { changes, stored, cache, tx } = changed()
  for (const run of tx.afterUndo) run()
  stored.value = "old"
  expect(cache.get("")).toBe("old")
  // Nothing is being changed any more, so the cache is used again.
  changes.areUncertain = () => true
  stored.value = "other"
  expect(cache.get("")).toBe("old")
})
