import { describe, expect, test } from "bun:test"
import { Prefetched, type Read } from "./prefetched"

const read = (sql: string, ...values: unknown[]): Read => ({ sql, values })
const known = () => new Prefetched(() => ({ views: new Set(["live"]), cascading: new Set(["users"]) }))
const ofItems = read("SELECT name FROM items WHERE id = $1", "i1")

describe("the rows of a write", () => {
  test("are known by the query and its values, as copies", () => {
    const rows = known()
    rows.keep(ofItems, [{ name: "x" }])
    const [first] = rows.find(ofItems) ?? []
    if (first) first.name = "changed"
    expect(rows.find(ofItems)).toEqual([{ name: "x" }])
    expect(rows.find(read(ofItems.sql, "i2"))).toBeNull()
  })

  const forgotten: [written: string, isForgotten: boolean][] = [
    ["INSERT INTO items (id) VALUES ($1)", true],
    ["UPDATE items SET name = $1", true],
    ["DELETE FROM items WHERE id = $1", true],
    ["INSERT INTO items_search (rowid) VALUES ($1)", false],
    ["UPDATE customers SET name = $1", false],
    ["DELETE FROM search_waiting WHERE position <= $1", false],
    // The rows of other tables go with those of this one.
    ["DELETE FROM users WHERE id = $1", true],
    // It is not known which table.
    ['UPDATE "user" SET name = $1', true],
    ["WITH some AS (SELECT 1) UPDATE customers SET name = $1", true],
  ]
  test.each(forgotten)("after %s", (written, isForgotten) => {
    const rows = known()
    rows.keep(ofItems, [{ name: "x" }])
    rows.forget(written)
    expect(rows.find(ofItems) === null).toBe(isForgotten)
  })

  test("are not kept if they are those of a view, or many", () => {
    const rows = known()
    const [ofView, ofMany] = [read("SELECT 1 FROM live"), read("SELECT seq FROM items")]
    rows.keep(ofView, [{ n: 1 }])
    rows.keep(
      ofMany,
      Array.from({ length: 100 }, (_, seq) => ({ seq })),
    )
    expect([rows.find(ofView), rows.find(ofMany)]).toEqual([null, null])
  })
})

describe("the queries that are sent with the lock", () => {
  const settings = read("SELECT body FROM settings")

  test("are those that the write names, and those that several of the last writes have asked", () => {
    const rows = known()
    const sent = [1, 2, 3, 4].map(() => {
      const reads = rows.begin([ofItems])
      for (const each of reads) rows.keep(each, [])
      if (!rows.find(settings)) rows.keepAsked(settings, [])
      rows.find(ofItems)
      rows.clear()
      return reads
    })
    expect(sent).toEqual([[ofItems], [ofItems], [ofItems, settings], [ofItems, settings]])
  })

  test("are no longer those that nobody asks", () => {
    const rows = known()
    for (let write = 0; write < 3; write++) {
      rows.begin([])
      rows.keepAsked(settings, [])
      rows.clear()
    }
    const sent = Array.from({ length: 12 }, () => rows.begin([]).length)
    expect(sent.at(0)).toBe(1)
    expect(sent.at(-1)).toBe(0)
  })

  test("are named once, also if others come while the write waits", () => {
    const rows = known()
    rows.begin([ofItems])
    expect(rows.later([ofItems, settings])).toEqual([settings])
    expect(rows.later([ofItems, settings])).toEqual([])
  })
})
