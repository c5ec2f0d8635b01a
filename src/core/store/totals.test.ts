import { SqliteDatabase } from "../engine/sqlite/database"
import { expect, test } from "bun:test"
import { newTx, system, type Tx } from "../write/writer"
import { rightsOf } from "../../shared/rights"
import { defineResource } from "../kind/define"
import { required } from "../kind/field"
import { loopReader, type Reader } from "./pages/reader"
import { statementCache } from "../engine/sql"
import { text } from "../kind/text-field"
import { listTotals } from "./totals"

const things = defineResource({
  name: "things",
  table: "things",
  idPrefix: "thg",
  noun: "thing",
  title: "Thing",
  about: "",
  rights: rightsOf("items"),
  search: [],
  fields: { label: required(text()) },
})

/** A table with three rows, and its totals. */
function table() {
  const db = new SqliteDatabase(":memory:")
  db.run("CREATE TABLE things (seq INTEGER PRIMARY KEY, label TEXT)")
  db.run("INSERT INTO things (label) VALUES ('a'), ('b'), ('c')")
  const prepared = statementCache(db)
  const totals = listTotals(db, things, prepared)
  const commit = (work: (tx: Tx) => void): (() => void) => {
    const tx = newTx(db, "2026-01-01T00:00:00.000Z", system)
    work(tx)
    return () => tx.afterCommit.forEach((run) => run())
  }
  const write = (work: (tx: Tx) => void): void => commit(work)()
  const addRow = (tx: Tx): void => {
    db.run("INSERT INTO things (label) VALUES ('new')")
    totals.noteAdded(tx, 1)
  }
  const removeRow = (tx: Tx): void => {
    db.run("DELETE FROM things WHERE seq = (SELECT max(seq) FROM things)")
    totals.noteRemoved(tx)
  }
  return {
    db,
    totals,
    reader: loopReader(prepared, null),
    add: () => write(addRow),
    /** Adds a row that is seen already, and returns what notes it. */
    addUnnoted: () => commit(addRow),
    removeLast: () => write(removeRow),
    /** The same for a row that is gone already. */
    removeUnnoted: () => commit(removeRow),
  }
}

/** A reader whose first query waits until others have written. */
function afterWrites(reader: Reader, writes: () => void): Reader {
  let isFirst = true
  return {
    ...reader,
    all: (sql, values) => {
      if (isFirst) writes()
      isFirst = false
      return reader.all(sql, values)
    },
  }
}

test("A row that is added while the rows are counted is counted once.", async () => {
  const { totals, reader, add } = table()
  expect(await totals.countBy(afterWrites(reader, add), [])).toBe(4)
  add()
  expect(await totals.countBy(reader, [])).toBe(5)
})

test("A row that takes the number of a deleted row while the rows are counted is counted once.", async () => {
  const { totals, reader, add, removeLast } = table()
  const writes = () => {
    removeLast()
    add()
  }
  expect(await totals.countBy(afterWrites(reader, writes), [])).toBe(3)
  removeLast()
  expect(await totals.countBy(reader, [])).toBe(2)
})

test("A row that is seen before it is noted is counted once.", async () => {
  const { db, totals, reader, addUnnoted } = table()
  db.engine.changes.areUncertain = () => true
  const note = addUnnoted()
  expect(await totals.countBy(reader, [])).toBe(4)
  db.engine.changes.areUncertain = () => false
  note()
  expect(await totals.countBy(reader, [])).toBe(4)
})

test("A row that is gone before that is noted is taken off once.", async () => {
  const { db, totals, reader, removeUnnoted } = table()
  let note = () => {}
  const removes = () => {
    note = removeUnnoted()
    db.engine.changes.areUncertain = () => true
  }
  expect(await totals.countBy(afterWrites(reader, removes), [])).toBe(2)
  db.engine.changes.areUncertain = () => false
  note()
  expect(await totals.countBy(reader, [])).toBe(2)
})
