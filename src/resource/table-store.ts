import type { Database, SQLQueryBindings } from "bun:sqlite"
import type { Tx } from "../db/writer"
import { fromUnits, priceDigits, toUnits } from "../shared/decimal"
import { once } from "../lib/once"
import { Refusal } from "../lib/refusal"
import { lower } from "../lib/text"
import type { Later } from "../lib/turns"
import type { Cursors } from "./cursor"
import type { RecordOf, Resource } from "./define"
import type { MoneyContext, Field } from "./field"
import { sourceOf, type Term } from "./filter"
import type { ListQuery } from "./list"
import { searchText } from "./search"
import { statementCache } from "./statements"
import { tableList, type Page } from "./table-list"
import { shapeOf } from "./table-shape"

export type Deps = {
  cursors: Cursors
  moneyContext: () => MoneyContext
  /** Told of the words of every searchable record that is written: what they were, and what they are. */
  onWords?: (tx: Tx, change: WordChange) => void
}

/** Before a record is made and after it is deleted it has no words. */
export type WordChange = { table: string; row: number; before: string | null; after: string | null }

/** A row as SQLite has it, under the names of the fields. */
type Row = Record<string, unknown>

/** Reads and writes the records of one table, all from the resource's definition. */
export function tableStore<R extends Resource>(
  db: Database,
  resource: R,
  { cursors, moneyContext, onWords }: Deps,
) {
  type Record_ = RecordOf<R> & { id: string }
  const { table } = resource
  // Worked out when it is first used: a start makes every store, and most first requests need one.
  const shape = once(() => shapeOf(resource))
  const prepared = statementCache(db)

  let select = { digits: -1, today: "", sql: "", byId: "", derived: "" }
  /** The columns as they are read today; `byId` asks for one record, `derived` for what a new one does not say itself. */
  const selectOf = (now: MoneyContext) => {
    const { digits, today } = now
    if (select.digits !== digits || select.today !== today) {
      const { fields, derived } = shape()
      const shown = ([name, field]: [string, Field]) => `${sourceOf(name, field, now)} AS "${name}"`
      const sql = `SELECT ${fields.map(shown).join(", ")}`
      select = {
        digits,
        today,
        sql,
        byId: `${sql} FROM ${table} WHERE id = ?`,
        derived:
          derived.length > 0 ? `SELECT ${derived.map(shown).join(", ")} FROM ${table} WHERE seq = ?` : "",
      }
    }
    return select
  }

  const fromRow = (row: Row): Record_ => {
    shape().convert(row)
    return row as Record_
  }

  const toRow = (record: Record<string, unknown>): SQLQueryBindings[] => {
    const row: SQLQueryBindings[] = []
    for (const { name, field, shadows } of shape().writers) {
      const value = record[name] ?? null
      row.push(toColumn(value, field))
      for (const form of shadows) row.push(value === null ? null : form(String(value)))
    }
    return row
  }
  const wordsOf = (record: Record_ | null): string | null =>
    record &&
    shape()
      .learned.map((name) => record[name] ?? "")
      .join(" ")
  const index = (tx: Tx, seq: number, before: Record_ | null, after: Record_ | null) => {
    if (resource.search.length === 0) return
    const text = after && searchText(resource, after)
    tx.searchEntries.push({ table, seq, text, isNew: before === null })
    onWords?.(tx, { table, row: seq, before: wordsOf(before), after: wordsOf(after) })
  }

  /** As it is kept: amounts are whole numbers of the minor unit, which no calculation can spoil. */
  const load = (id: string): Record_ | null => {
    const row = prepared(selectOf(moneyContext()).byId).get(id)
    return row ? fromRow(row as Record<string, unknown>) : null
  }

  /** As it is answered: amounts are plain numbers. Changes the record it is given. */
  const toApi = (record: Record_, digits = moneyContext().digits): Record_ => {
    const shown = record as Record<string, unknown>
    for (const name of shape().amounts) shown[name] = fromUnits(Number(shown[name]), digits)
    return record
  }

  const find = (id: string): Record_ | null => {
    const record = load(id)
    return record && toApi(record)
  }

  const findPage = tableList(db, resource, {
    prepared,
    cursors,
    moneyContext,
    selectOf: (now) => selectOf(now).sql,
    convert: (row, { digits }) => toApi(fromRow(row), digits),
  })

  return {
    load,
    toApi,
    find,

    /** Returns it as `load` would, which need not read again what was written just now. */
    insert(tx: Tx, record: Record_): Record_ {
      const seq = Number(prepared(shape().insertion).run(...toRow(record)).lastInsertRowid)
      index(tx, seq, null, record)
      const sql = selectOf(moneyContext()).derived
      const derived: Row = sql === "" ? {} : fromRow(prepared(sql).get(seq) as Row)
      const given: Row = record
      const whole: Row = {}
      for (const [name, field] of shape().fields)
        whole[name] = field.derived ? derived[name] : (given[name] ?? null)
      return whole as Record_
    },

    /** `before` tells whether the words that search knows have changed. */
    replace(tx: Tx, record: Record_, before: Record_): void {
      const row = prepared(shape().replacement).get(...toRow(record), record.id) as { seq: number }
      const differs = !Bun.deepEquals(searchText(resource, record), searchText(resource, before))
      if (differs) index(tx, row.seq, before, record)
    },

    remove(tx: Tx, id: string): void {
      const before = load(id)
      const row = refusingUse(resource, () =>
        prepared(`DELETE FROM ${table} WHERE id = ? RETURNING seq`).get(id),
      )
      index(tx, (row as { seq: number }).seq, before, null)
    },

    /** The unique fields of `record` whose value another record has. */
    takenFields: (record: Record<string, unknown>, exceptId: string | null): string[] =>
      shape()
        .unique.filter(({ name, sql }) => {
          const value = record[name]
          return typeof value === "string" && prepared(sql).get(lower(value), exceptId) !== null
        })
        .map(({ name }) => name),

    /** One page. `within` narrows it to what the caller may see, whatever was asked for. */
    list: (query: ListQuery, within: Term[] = []) => findPage(query, within) as Later<Page<Record_>>,
  }
}

/** What other records refer to cannot go; the references in the schema say what that is. */
function refusingUse<T>({ noun }: Resource, remove: () => T): T {
  try {
    return remove()
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "SQLITE_CONSTRAINT_FOREIGNKEY"))
      throw error
    const message = `The ${noun} is used by other records, so it cannot be deleted; set isActive to false instead.`
    throw new Refusal("RECORD_IN_USE", message, {
      details: [{ field: "id", message: "is used by other records" }],
    })
  }
}

export type TableStore<R extends Resource> = ReturnType<typeof tableStore<R>>

function toColumn(value: unknown, field: Field): SQLQueryBindings {
  if (value === null) return null
  if (field.kind === "boolean") return value ? 1 : 0
  if (field.kind === "json") return JSON.stringify(value)
  if (field.kind === "decimal") return toUnits(Number(value), priceDigits)
  return value as SQLQueryBindings
}
