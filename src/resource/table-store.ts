import type { Database, SQLQueryBindings } from "bun:sqlite"
import { markOf } from "../db/changes"
import type { Tx } from "../db/writer"
import { fromUnits, priceDigits, toUnits } from "../lib/decimal"
import { once } from "../lib/once"
import { Refusal } from "../lib/refusal"
import { lower } from "../lib/text"
import { invalidCursor, type Cursors, type Position } from "./cursor"
import type { Kept, Resource } from "./define"
import type { Basis, Field } from "./field"
import { sortSourceOf, sourceOf, type SqlValue, type Term } from "./filter"
import type { ListQuery } from "./list"
import { searchText } from "./search"
import { limited, statementCache } from "./statements"
import { shapeOf } from "./table-shape"

/** One page of a list. `total` is counted only when pages are numbered. */
export type Page<T> = { rows: T[]; total: number | null; nextCursor: string | null }

export type TableTools = {
  cursors: Cursors
  basis: () => Basis
  /** Told of the words of every searchable record that is written. */
  onWords?: (tx: Tx, words: string) => void
}

/** A row as SQLite has it, under the names of the fields. */
type Row = Record<string, unknown>

const mostTotals = 1_000
/** From here on the rows to skip are counted in the index alone, which takes a third of the time. */
const farSkip = 1_000

/** Reads and writes the records of one table, all from the resource's definition. */
export function tableStore<R extends Resource>(
  db: Database,
  resource: R,
  { cursors, basis, onWords }: TableTools,
) {
  type Record_ = Kept<R> & { id: string }
  const { table } = resource
  // Worked out when it is first used: a start makes every store, and most first requests need one.
  const shape = once(() => shapeOf(resource))
  const prepared = statementCache(db)
  const totals = { mark: "", known: new Map<string, number>() }

  let select = { digits: -1, today: "", sql: "", byId: "", derived: "" }
  /** The columns as they are read today; `byId` asks for one record, `derived` for what a new one does not say itself. */
  const selectOf = (now: Basis) => {
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
  const index = (tx: Tx, record: Record_ | null, seq: number, isNew: boolean) => {
    if (resource.search.length === 0) return
    const text = record && searchText(resource, record)
    tx.searchEntries.push({ table, seq, text, isNew })
    if (record)
      onWords?.(
        tx,
        shape()
          .learned.map((name) => record[name] ?? "")
          .join(" "),
      )
  }

  /** As it is kept: amounts are whole numbers of the minor unit, which no calculation can spoil. */
  const load = (id: string): Record_ | null => {
    const row = prepared(selectOf(basis()).byId).get(id)
    return row ? fromRow(row as Record<string, unknown>) : null
  }

  /** As it is answered: amounts are plain numbers. Changes the record it is given. */
  const toWire = (record: Record_, digits = basis().digits): Record_ => {
    const shown = record as Record<string, unknown>
    for (const name of shape().amounts) shown[name] = fromUnits(Number(shown[name]), digits)
    return record
  }

  const find = (id: string): Record_ | null => {
    const record = load(id)
    return record && toWire(record)
  }

  /** Where a row stands in a list that is sorted by what it shows, and in one that is sorted by a hidden column. */
  const positionIn = (row: Row, name: string): Position => ({
    value: row[name] as SqlValue | null,
    id: String(row.id),
  })
  const positionOf = (sort: string, { id }: Row): Position | null =>
    prepared(`SELECT ${sort} AS value, id FROM ${table} WHERE id = ?`).get(String(id)) as Position | null

  /** Where a cursor says to go on. A long value is looked up again, so the record must still be there. */
  const startOf = ({ identity, cursor = "" }: ListQuery, sort: string): Position => {
    const { id, value } = cursors.read(identity, cursor)
    if (value !== undefined) return { id, value }
    const found = positionOf(sort, { id })
    if (!found) throw invalidCursor()
    return found
  }

  /** How many there are; not counted again while nothing in the file has changed. */
  const count = (where: Term[]): number => {
    const mark = markOf(db)
    if (totals.mark !== mark || totals.known.size >= mostTotals) totals.known.clear()
    totals.mark = mark
    const sql = `SELECT count(*) AS n FROM ${table} ${whereOf(where)}`
    const values = where.flatMap((term) => term.values)
    const key = JSON.stringify([sql, values])
    const known = totals.known.get(key)
    if (known !== undefined) return known
    const { n } = prepared(sql).get(...values) as { n: number }
    totals.known.set(key, n)
    return n
  }

  return {
    load,
    toWire,
    find,

    /** Returns it as `load` would, which need not read again what was written just now. */
    insert(tx: Tx, record: Record_): Record_ {
      const seq = Number(prepared(shape().insertion).run(...toRow(record)).lastInsertRowid)
      index(tx, record, seq, true)
      const sql = selectOf(basis()).derived
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
      if (differs) index(tx, record, row.seq, false)
    },

    remove(tx: Tx, id: string): void {
      const row = refusingUse(resource, () =>
        prepared(`DELETE FROM ${table} WHERE id = ? RETURNING seq`).get(id),
      )
      index(tx, null, (row as { seq: number }).seq, false)
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
    list(query: ListQuery, within: Term[] = []): Page<Record_> {
      const now = basis()
      const sortField = resource.fields[query.sort] as Field
      const sort = sortSourceOf(query.sort, sortField, now)
      const where = [...within, ...query.filters, ...matchTerm(table, query.match)]
      const start = query.cursor === undefined ? undefined : startOf(query, sort)
      const page = where.concat(start ? after(sort, sortField.nullable, query.order, start) : [])
      const skipped = start ? 0 : (query.page - 1) * query.perPage
      const order = `ORDER BY ${sort} ${query.order}, id ${query.order}`
      const found = `FROM ${table} ${whereOf(page)} ${order} ${limited} OFFSET ?`
      const rows = prepared(
        skipped < farSkip
          ? `${selectOf(now).sql} ${found}`
          : `${selectOf(now).sql} FROM ${table} WHERE id IN (SELECT id ${found}) ${order}`,
      ).all(...page.flatMap((term) => term.values), query.perPage + 1, skipped) as Row[]

      const hasMore = rows.length > query.perPage
      if (hasMore) rows.pop()
      const last = rows.at(-1)
      const isShown = sort === sourceOf(query.sort, sortField, now)
      const position = last && (isShown ? positionIn(last, query.sort) : positionOf(sort, last))
      const nextCursor = hasMore && position ? cursors.write(query.identity, position) : null
      return {
        rows: rows.map((row) => toWire(fromRow(row), now.digits)),
        total: start ? null : count(where),
        nextCursor,
      }
    },
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

const whereOf = (terms: Term[]) =>
  terms.length ? `WHERE ${terms.map((term) => term.sql).join(" AND ")}` : ""

function matchTerm(table: string, match: ListQuery["match"]): Term[] {
  if (match === undefined) return []
  if (match === null) return [{ sql: "0", values: [] }]
  const sql = `seq IN (SELECT rowid FROM ${table}_search WHERE ${table}_search MATCH ?)`
  return [{ sql, values: [`words : (${match})`] }]
}

/** The records after a position in sort order, where null sorts lowest and the id breaks ties. */
function after(sort: string, nullable: boolean, order: "asc" | "desc", { value, id }: Position): Term {
  if (value === null)
    return order === "desc"
      ? { sql: `(${sort} IS NULL AND id < ?)`, values: [id] }
      : { sql: `(${sort} IS NOT NULL OR id > ?)`, values: [id] }
  const next = `(${sort}, id) ${order === "desc" ? "<" : ">"} (?, ?)`
  return { sql: nullable && order === "desc" ? `(${next} OR ${sort} IS NULL)` : next, values: [value, id] }
}

function toColumn(value: unknown, field: Field): SQLQueryBindings {
  if (value === null) return null
  if (field.kind === "boolean") return value ? 1 : 0
  if (field.kind === "json") return JSON.stringify(value)
  if (field.kind === "decimal") return toUnits(Number(value), priceDigits)
  return value as SQLQueryBindings
}
