import { describe, expect, test } from "bun:test"
import { translate } from "../translate"
import { PlannedWrite } from "./planned"

const ofItems = { sql: "SELECT name FROM items", values: [] }

/** A planned write that has begun, and the statements that wait. */
function begun() {
  const waiting: string[] = []
  const write = new PlannedWrite({
    statementOf: (sql) => ({ translation: translate(sql), get: () => ({ last: 4 }) }) as never,
    deferEach: ({ sql }, lists) => void waiting.push(...lists.map((values) => `${sql} ${values.join(" ")}`)),
    names: () => ({ views: new Set(), cascading: new Set() }),
  })
  write.begin([])
  write.isOn = true
  return { write, waiting }
}

describe("a planned write", () => {
  test("does not know any more what was read before something was undone", () => {
    const { write } = begun()
    write.mark(translate("SAVEPOINT one"))
    write.runEach("INSERT INTO items (name) VALUES (?)", [["new"]])
    write.keep(ofItems, [{ name: "new" }])
    expect(write.find(ofItems)).toEqual([{ name: "new" }])
    write.mark(translate("ROLLBACK TO one"))
    expect(write.find(ofItems)).toBeNull()
  })

  test("knows what was read until its table is written, and nothing of another write", () => {
    const { write } = begun()
    write.keep(ofItems, [{ name: "old" }])
    write.insert("INSERT INTO customers (name) VALUES (?)", ["x"])
    expect(write.find(ofItems)).not.toBeNull()
    write.insert("INSERT INTO items (name) VALUES (?)", ["x"])
    expect(write.find(ofItems)).toBeNull()
    write.keep(ofItems, [{ name: "old" }])
    write.end()
    write.isOn = true
    expect(write.find(ofItems)).toBeNull()
  })

  test("stores what it has counted before others read it, and gives no number twice", () => {
    const { write, waiting } = begun()
    expect([write.count("SO"), write.count("SO")]).toEqual([5, 6])
    expect(waiting).toEqual([])
    write.beforeRead()
    write.beforeRead()
    write.mark(translate("SAVEPOINT one"))
    expect(write.count("SO")).toBe(7)
    write.mark(translate("ROLLBACK TO one"))
    expect(write.count("SO")).toBe(7)
    write.beforeCommit()
    expect(waiting).toEqual([
      "UPDATE number_series SET last = $1 WHERE name = $2 6 SO",
      "UPDATE number_series SET last = $1 WHERE name = $2 7 SO",
    ])
  })
})
