import { expect, test } from "bun:test"
import { SqliteDatabase } from "../../engine/sqlite/database"
import { fewFindsOf } from "./finds"
import type { Reader } from "./reader"

/** A reader of a table with ten million rows, in which every search takes as long, whatever its slice. */
function slowReader() {
  const slices: [number, number][] = []
  const reader: Reader = {
    next: async () => {},
    async all<T>(sql: string, [, from, to]: readonly (string | number)[]) {
      if (!sql.includes("MATCH")) return [{ low: 1, high: 10_000_000 }] as T[]
      slices.push([Number(from), Number(to)])
      return []
    },
    spent: () => slices.length * 62,
    pace: [8, 20],
    largest: 16_000,
  }
  return { reader, slices }
}

test("A search that finds nothing reads all rows in few slices, even if each takes long.", async () => {
  const { reader, slices } = slowReader()
  expect(await fewFindsOf(new SqliteDatabase(":memory:").engine.search, "items", "word", reader)).toEqual([])
  expect(slices.length).toBeLessThan(60)
  expect(slices[0]?.[0]).toBe(1)
  expect(slices.at(-1)?.[1]).toBeGreaterThanOrEqual(10_000_000)
  for (const [i, [from]] of slices.entries()) if (i > 0) expect(from).toBe((slices[i - 1]?.[1] ?? 0) + 1)
})
