import type { Database, Engine, Insert } from "../engine/engine"
import { isInUse } from "../engine/failures"
import type { ReaderThread } from "../engine/reader-thread"
import type { Tx } from "../write/writer"
import { fromUnits } from "../../shared/decimal"
import { fieldError, Refusal } from "../lib/refusal"
import type { Later } from "../lib/turns"
import type { Cursors } from "./cursor"
import type { RecordOf, Resource } from "../kind/define"
import type { MoneyContext } from "../kind/field"
import type { Term } from "./filter"
import type { ListQuery } from "./list"
import { pageRows, type RowDeps } from "./pages/page-rows"
import { noteCreated, noteDeleted, noteUpdated } from "../kind/record-events"
import type { SearchFeed } from "../search/search-feed"
import { searchedIn, textFields } from "../search/search"
import type { PairIndex } from "./pairs/pair-index"
import { type Prepared, statementCache } from "../engine/sql"
import { listTotals, type Totals } from "./totals"
import { keptCounts } from "./values"
import { type Page, tableList } from "./table-list"
import { hideChangeCount } from "../kind/tag"
import { type TableSelect, tableSelect } from "./table-select"
import { columnsOf, type Row, shapeOf, type TableShape } from "./table-shape"

export type Deps = {
  cursors: Cursors
  moneyContext: (at?: string) => MoneyContext
  /** Called with the old and the new words of every searchable record that is written. */
  onWords?: (tx: Tx, change: WordChange) => void
  /** A list with a search waits for it. */
  feed?: SearchFeed
  /** Reads the lists of large tables in another thread. */
  thread?: ReaderThread | null
  /** The index of the keys of metadata. */
  pairs?: PairIndex
}

/** The words of a record. They are null before it is created and after it is deleted. */
export type WordChange = { table: string; row: number; before: string | null; after: string | null }

/** The context that all functions on a table use. */
type Table = Deps & {
  resource: Resource
  shape: TableShape
  prepared: Prepared
  insertRow: Insert
  updateEach: Engine["updateEach"]
  select: TableSelect
  totals: Totals
}

/** Reads and writes the records of one table, based on the resource's definition. */
export function tableStore<R extends Resource>(db: Database, resource: R, deps: Deps) {
  type Record_ = RecordOf<R> & { id: string }
  const shape = shapeOf(resource)
  const prepared = statementCache(db)
  const source: Resource = { ...resource, table: resource.view ?? resource.table }
  const select = tableSelect(source, shape)
  const totals = listTotals(db, source, prepared)
  const insertRow = db.engine.insert(prepared)
  const { updateEach } = db.engine
  const table: Table = { ...deps, resource, shape, prepared, insertRow, updateEach, select, totals }
  const rows: RowDeps = {
    prepared,
    selectOf: select.list,
    convert: (row, { digits }) => toApi(shape, fromRow(shape, row), digits),
  }
  const pages = pageRows(source, rows)
  const { cursors, moneyContext, feed, thread, pairs } = deps
  const matching = db.engine.search
  const lists = tableList(source, {
    ...rows,
    cursors,
    moneyContext,
    totals,
    counts: keptCounts(db),
    matching,
    feed,
    thread,
    findPairs: ({ key, words }) => pairs?.rows(resource.table, key, words) ?? null,
  })
  return {
    /** Returns the stored form: amounts are whole numbers of the minor unit, so that calculations are exact. */
    load: (id: string) => load(table, id) as Record_ | null,

    /** Converts to the form of a response, in place: amounts are plain numbers. */
    toApi: (record: Record_) => toApi(shape, record, deps.moneyContext().digits) as Record_,

    find: (id: string) => find(table, id) as Record_ | null,

    /** Returns the records with these ids, in the form of a response, in slices if they are large. */
    async findMany(ids: readonly string[], signal: AbortSignal | null): Promise<Record_[]> {
      const groups = pages.groupsOf(ids)
      return (await pages.readInSteps(groups, [], deps.moneyContext(), signal)) as Record_[]
    },

    /** Inserts a record and returns it in the stored form. */
    insert: (tx: Tx, record: Record_) => insert(table, tx, record) as Record_,

    /** Inserts many records of a table that is not searched, in one message to PostgreSQL. */
    insertAll: (tx: Tx, records: readonly Record_[]): void => insertAll(db, table, tx, records),

    /**
     * Replaces a record. `before` is compared with it, to find out what has changed. `more` are fields that have changed
     * in other tables.
     */
    replace: (tx: Tx, record: Record_, before: Record_, more?: readonly string[]): void =>
      replace(table, tx, record, before, more),

    /** Notes an update that a statement of the module itself has stored. `more` are fields that changed in other tables. */
    noteUpdated: (tx: Tx, record: Record_, before: Record_, more?: readonly string[]): void =>
      noteUpdated(tx, resource, before, record, todayIn(table, tx), more),

    remove: (tx: Tx, id: string): void => remove(table, tx, id),

    /** Returns the id of the record with this value of a unique field, or null. */
    findId: (name: string, value: string): string | null => findId(table, name, value),

    /** Returns the unique fields of `record` whose value another record has, with the ID of that record. */
    takenFields: (record: Row, exceptId: string | null) => takenFields(table, record, exceptId),

    /** Returns one page. `within` restricts it to what the caller may see, in addition to the query. */
    list: (query: ListQuery, within: Term[] = []) => lists.find(query, within) as Later<Page<Record_>>,

    /** Counts the records of a list by the value of a field. */
    values: lists.values,

    /** Returns the id and the stored sort value of all records of a list, in slices and in any order. */
    positions: lists.positions,
  }
}

export type TableStore<R extends Resource> = ReturnType<typeof tableStore<R>>

function fromRow({ convert }: TableShape, row: Row): Row {
  convert(row)
  return row
}

function toApi({ amounts }: TableShape, record: Row, digits: number): Row {
  for (const name of amounts) record[name] = fromUnits(Number(record[name]), digits)
  return record
}

function load({ resource, shape, prepared, select, moneyContext }: Table, id: string): Row | null {
  const { sql, values } = select.one(moneyContext())
  const row = prepared(sql).get(...values, id) as Row | null
  if (!row) return null
  if (resource.countsChanges) hideChangeCount(row)
  return fromRow(shape, row)
}

function find(table: Table, id: string): Row | null {
  const record = load(table, id)
  return record && toApi(table.shape, record, table.moneyContext().digits)
}

function insert(table: Table, tx: Tx, record: Row): Row {
  const { shape, insertRow, select, moneyContext } = table
  const row = insertRow(shape.insertion, columnsOf(shape.writers, record), select.derived(moneyContext()))
  index(table, tx, row.seq, null, record)
  table.pairs?.write(table.resource.table, row.seq, null, record)
  table.totals.noteAdded(tx, 1)
  noteCreated(tx, table.resource, record, todayIn(table, tx))
  const derived = fromRow(shape, row)
  const whole: Row = {}
  for (const [name, field] of shape.fields)
    whole[name] = field.derived ? derived[name] : (record[name] ?? null)
  return whole
}

function insertAll(db: Database, table: Table, tx: Tx, records: readonly Row[]): void {
  const { resource, shape } = table
  const isIndexed = ({ metadata }: Row) => metadata && Object.keys(metadata).length > 0
  if (resource.search.length > 0 || records.some(isIndexed))
    throw new Error(`${resource.table} has an index that is written record by record.`)
  db.engine.runEach(
    shape.insertion,
    records.map((record) => columnsOf(shape.writers, record)),
  )
  table.totals.noteAdded(tx, records.length)
  for (const record of records) noteCreated(tx, resource, record, todayIn(table, tx))
}

/** Returns a function with the date of a write, because few writes need it. */
const todayIn =
  ({ moneyContext }: Table, { now }: Tx) =>
  (): string =>
    moneyContext(now).today

function replace(
  table: Table,
  tx: Tx,
  record: Row & { id: string },
  before: Row,
  more?: readonly string[],
): void {
  const { resource, shape, updateEach } = table
  const [row] = updateEach<{ seq: number }>(shape.replacement, [
    [...columnsOf(shape.changers, record), record.id],
  ])
  if (!row) throw new Error(`There is no row ${record.id} in ${resource.table}.`)
  const { seq } = row
  if (textFields(resource).some((name) => searchedIn(record, name) !== searchedIn(before, name)))
    index(table, tx, seq, before, record)
  table.pairs?.write(resource.table, seq, before, record)
  noteUpdated(tx, resource, before, record, todayIn(table, tx), more)
}

function remove(table: Table, tx: Tx, id: string): void {
  const { resource, prepared } = table
  const before = load(table, id)
  const row = refusingUse(resource, () =>
    prepared(`DELETE FROM ${resource.table} WHERE id = ? RETURNING seq`).get(id),
  )
  index(table, tx, (row as { seq: number }).seq, before, null)
  table.pairs?.write(resource.table, null, before, null)
  table.totals.noteRemoved(tx)
  if (before) noteDeleted(tx, resource, before)
}

/** Refuses to delete a record that other records refer to, based on the foreign keys of the schema. */
function refusingUse<T>({ noun }: Resource, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw isInUse(error) ? recordInUse({ noun }) : error
  }
}

export const recordInUse = ({ noun }: Pick<Resource, "noun">): Refusal =>
  new Refusal(
    "RECORD_IN_USE",
    `The ${noun} is used by other records and cannot be deleted. Deactivate it instead.`,
    { details: [fieldError("id", "RULE", "is used by other records", { rule: "IN_USE" })] },
  )

function findId({ shape, prepared }: Table, name: string, value: string): string | null {
  const found = shape.keys.find((each) => each.name === name)
  if (!found) throw new Error(`${name} is not a unique field.`)
  return (prepared(found.sql).get(found.key(value)) as { id: string } | null)?.id ?? null
}

export type TakenField = { name: string; value: string; existing: string }

const takenFields = ({ shape, prepared }: Table, record: Row, exceptId: string | null): TakenField[] =>
  shape.unique.flatMap(({ name, sql, key }) => {
    const value = record[name]
    if (typeof value !== "string") return []
    const holder = prepared(sql).get(key(value)) as { id: string } | null
    return holder && holder.id !== exceptId ? [{ name, value, existing: holder.id }] : []
  })

/** Marks a record that was written, so that its search text is updated. `before` is null for a create, `after` for a delete. */
function index(table: Table, tx: Tx, seq: number, before: Row | null, after: Row | null): void {
  const { resource, shape, onWords } = table
  if (resource.search.length === 0) return
  tx.searchMarks.push({ source: resource.table, record: seq })
  const { learned } = shape
  onWords?.(tx, {
    table: resource.table,
    row: seq,
    before: wordsOf(learned, before),
    after: wordsOf(learned, after),
  })
}

const wordsOf = (learned: readonly string[], record: Row | null): string | null =>
  record && learned.map((name) => searchedIn(record, name)).join(" ")
