import { markOf } from "../db/changes"
import type { Database } from "bun:sqlite"
import { steadyMillis } from "../lib/clock"
import { Refusal } from "../lib/refusal"
import { nextStep, whenDone } from "../lib/turns"
import { invalidCursor, type Cursors, type Position } from "./cursor"
import { columnOf, type Resource } from "./define"
import type { Basis, Field } from "./field"
import { sortSourceOf, sourceOf, type Term } from "./filter"
import type { ListQuery } from "./list"
import { firstOf } from "./order"
import { planner, type Along, type Asked } from "./plan"
import { limited } from "./statements"
import {
  overStep,
  stepsAlong,
  stepsThrough,
  TooMuch,
  valuesOf,
  whereOf,
  type Path,
  type Prepared,
  type Step,
} from "./walk"

/** One page of a list. `total` is counted only when pages are numbered. */
export type Page<T> = { rows: T[]; total: number | null; nextCursor: string | null }

/** A row as SQLite has it, under the names of the fields. */
type Row = Record<string, unknown>

type Tools = {
  prepared: Prepared
  cursors: Cursors
  basis: () => Basis
  /** `SELECT` and every column as it is read with this basis. */
  selectOf: (now: Basis) => string
  /** Brings a row into the form in which it is answered, in place. */
  convert: (row: Row, now: Basis) => Row
}

const mostTotals = 1_000
/** From here on the rows to skip are counted in the index alone, which takes a third of the time. */
const farSkip = 1_000
/** A table of so few rows is read at once, whatever is asked of it. */
const fewRows = 200
/** As many rows are read at once, and those of a page beyond them when these were quickly there. */
const atOnce = 25
const quickly = 2
/** Bulky records are read so many bytes at a time. */
const bytesAtOnce = 1024 * 1024
/** Fewer finds of a search than this are looked at one by one. */
const fewFinds = 2_000

/** Finds the pages of one table's lists: at once where indexes find them, else in steps between which others are served. */
export function tableList(db: Database, resource: Resource, tools: Tools) {
  const { prepared, cursors, basis, selectOf, convert } = tools
  const { table, noun, bulky } = resource
  const plan = planner(resource)
  const totals = { mark: "", known: new Map<string, number>() }

  const positionOf = (sort: string, id: string): Position | null =>
    prepared(`SELECT ${sort} AS value, id FROM ${table} WHERE id = ?`).get(id) as Position | null

  /** Where a cursor says to go on. A long value is looked up again, so the record must still be there. */
  const startOf = ({ identity, cursor = "" }: ListQuery, sort: string): Position => {
    const { id, value } = cursors.read(identity, cursor)
    if (value !== undefined) return { id, value }
    const found = positionOf(sort, id)
    if (!found) throw invalidCursor()
    return found
  }

  /** How many there are; not counted again while nothing in the file has changed. */
  const known = (where: readonly Term[]) => {
    const mark = markOf(db)
    if (totals.mark !== mark || totals.known.size >= mostTotals) totals.known.clear()
    totals.mark = mark
    const key = JSON.stringify([whereOf(where), valuesOf(where)])
    return {
      total: totals.known.get(key),
      keep(total: number): number {
        // What was written while it was counted in steps may be in it or not.
        if (markOf(db) === mark) totals.known.set(key, total)
        return total
      },
    }
  }
  const countIn = (where: readonly Term[]): number =>
    (
      prepared(`SELECT count(*) AS n FROM ${table} ${whereOf(where)}`).get(...valuesOf(where)) as {
        n: number
      }
    ).n
  const count = (where: readonly Term[]): number => {
    const { total, keep } = known(where)
    return total ?? keep(countIn(where))
  }

  const rowsById = (ids: readonly string[], now: Basis): Row[] => {
    const found = prepared(`${selectOf(now)} FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`).all(
      JSON.stringify(ids),
    ) as Row[]
    const byId = new Map(found.map((row) => [String(row.id), row]))
    return ids.flatMap((id): Row[] => {
      const row = byId.get(id)
      return row ? [row] : []
    })
  }

  /** The records with these ids in their order, read and converted a few at a time. */
  const rowsInSteps = async (ids: readonly string[], now: Basis): Promise<Row[]> => {
    const rows: Row[] = []
    for (const some of bulky ? byWeight(ids, bulky) : inChunks(ids, atOnce)) {
      await nextStep()
      for (const row of rowsById(some, now)) rows.push(convert(row, now))
    }
    return rows
  }

  /** Ids in groups that are read at once, by how large the records are. */
  const byWeight = (ids: readonly string[], field: string): string[][] => {
    const weights = new Map(
      (
        prepared(
          `SELECT id, octet_length(${columnOf(field)}) AS bytes FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
        ).all(JSON.stringify(ids)) as { id: string; bytes: number }[]
      ).map(({ id, bytes }) => [id, bytes]),
    )
    const groups: string[][] = [[]]
    let bytes = 0
    for (const id of ids) {
      bytes += weights.get(id) ?? 0
      if (bytes > bytesAtOnce && groups.at(-1)?.length) {
        groups.push([])
        bytes = weights.get(id) ?? 0
      }
      groups.at(-1)?.push(id)
    }
    return groups
  }

  /** The rows of a page that indexes find: as they are in the file, or converted where they were read in steps. */
  const readPage = (page: Term[], order: string, query: ListQuery, skipped: number, now: Basis) => {
    const found = `FROM ${table} ${whereOf(page)} ${order} ${limited} OFFSET ?`
    const values = valuesOf(page)
    const idsFrom = (limit: number, offset: number): string[] =>
      (prepared(`SELECT id ${found}`).all(...values, limit, offset) as { id: string }[]).map(({ id }) => id)
    const rowsFrom = (limit: number, offset: number): Row[] =>
      prepared(
        offset < farSkip
          ? `${selectOf(now)} ${found}`
          : `${selectOf(now)} FROM ${table} WHERE id IN (SELECT id ${found}) ${order}`,
      ).all(...values, limit, offset) as Row[]
    const wanted = query.perPage + 1
    if (bulky) return rowsInSteps(idsFrom(wanted, skipped), now)
    if (wanted <= atOnce + 1) return rowsFrom(wanted, skipped)
    const began = steadyMillis()
    const first = rowsFrom(atOnce, skipped)
    if (first.length < atOnce) return first
    if (steadyMillis() - began < quickly) return first.concat(rowsFrom(wanted - atOnce, skipped + atOnce))
    const others = rowsInSteps(idsFrom(wanted - atOnce, skipped + atOnce), now)
    return others.then((rest) => first.map((row) => convert(row, now)).concat(rest))
  }

  const finish = (rows: Row[], last: Position | null, query: ListQuery, total: number | null): Page<Row> => ({
    rows,
    total,
    nextCursor: last ? cursors.write(query.identity, last) : null,
  })

  /** A page that indexes find, or that a small table gives at once. */
  const atOncePage = (asked: Asked, start: Position | undefined, query: ListQuery, now: Basis) => {
    const sortField = resource.fields[query.sort] as Field
    const sort = sortSourceOf(query.sort, sortField, now)
    const where = [...asked.where, ...matchTerm(table, asked.match)]
    const page = start ? [...where, after(sort, sortField.nullable, query.order, start)] : where
    const skipped = start ? 0 : (query.page - 1) * query.perPage
    const order = `ORDER BY ${sort} ${query.order}, id ${query.order}`
    const read = readPage(page, order, query, skipped, now)
    const isConverted = read instanceof Promise
    return whenDone(read, (rows) => {
      const hasMore = rows.length > query.perPage
      if (hasMore) rows.pop()
      const last = rows.at(-1)
      const isShown = !isConverted && sort === sourceOf(query.sort, sortField, now)
      const position =
        hasMore && last
          ? isShown
            ? { value: last[query.sort] as Position["value"], id: String(last.id) }
            : positionOf(sort, String(last.id))
          : null
      const shown = isConverted ? rows : rows.map((row) => convert(row, now))
      return finish(shown, position, query, start ? null : count(where))
    })
  }

  /** What a search found, where that is little; null where it is much or nothing was searched for. */
  const findsOf = (match: Asked["match"]): number[] | null => {
    if (match === undefined) return null
    if (match === null) return []
    const rows = prepared(
      `SELECT rowid AS seq FROM ${table}_search WHERE ${table}_search MATCH ? ${limited}`,
    ).all(`words : (${match})`, fewFinds + 1) as { seq: number }[]
    return rows.length > fewFinds ? null : rows.map(({ seq }) => seq)
  }

  /** A page that takes looking through records: in steps, along the index that helps most. */
  const steppedPage = async (
    asked: Asked,
    start: Position | undefined,
    query: ListQuery,
    now: Basis,
  ): Promise<Page<Row>> => {
    await nextStep()
    const sortField = resource.fields[query.sort] as Field
    const sort = sortField.isAscii
      ? `lower(${sourceOf(query.sort, sortField, now)})`
      : sortSourceOf(query.sort, sortField, now)
    const finds = findsOf(asked.match)
    const skipped = start ? 0 : (query.page - 1) * query.perPage
    const most = skipped + query.perPage + 1
    const ahead = start ? [after(sort, sortField.nullable, query.order, start)] : []
    const conditions = [...asked.where, ...ahead]
    const longTexts = plan.longTexts(asked)

    const select = (step: Step, sorting = ""): Position[] => {
      const terms = [...conditions, ...searchWithin(step)]
      const { sql, values } = overStep(`SELECT ${sort} AS value, id`, step, terms, sorting)
      return prepared(sql).all(...values) as Position[]
    }
    /** The search, for the rows of one step only. */
    const searchWithin = ({ rows, values }: Step): Term[] => {
      if (finds !== null || asked.match === undefined) return []
      const { low, high } = prepared(`SELECT min(step_seq) AS low, max(step_seq) AS high FROM ${rows}`).get(
        ...values,
      ) as { low: number | null; high: number | null }
      const sql = `seq IN (SELECT rowid FROM ${table}_search WHERE ${table}_search MATCH ? AND rowid BETWEEN ? AND ?)`
      return [{ sql, values: [`words : (${asked.match})`, low ?? 0, high ?? -1] }]
    }
    const path = (along: Along | null, order: "asc" | "desc", from: Position | null): Path => ({
      table,
      column: along?.column ?? null,
      order,
      within: along?.within ?? [],
      start: from,
    })
    /** Every step of the way that leaves the least to look through. */
    const everyStep = (): AsyncIterable<Step> =>
      finds === null
        ? stepsAlong(path(plan.narrowest(asked, now), "asc", null), prepared, longTexts)
        : stepsThrough(table, finds)

    const total = async (): Promise<number> => {
      const { total: counted, keep } = known([...asked.where, ...matchTerm(table, asked.match)])
      if (counted !== undefined) return counted
      let n = 0
      for await (const step of everyStep()) {
        const terms = [...asked.where, ...searchWithin(step)]
        const { sql, values } = overStep("SELECT count(*) AS n", step, terms)
        n += (prepared(sql).get(...values) as { n: number }).n
      }
      return keep(n)
    }
    const inOrder = async (along: Along): Promise<Position[]> => {
      let [left, found] = [skipped, [] as Position[]]
      for await (const step of stepsAlong(path(along, query.order, start ?? null), prepared, longTexts)) {
        const some = select(step, `ORDER BY ${sort} ${query.order}, id ${query.order}`)
        found = found.concat(some.slice(Math.min(left, some.length)))
        left -= Math.min(left, some.length)
        if (found.length > query.perPage) break
      }
      return found
    }
    const sorted = async (): Promise<{ positions: Position[]; seen: number }> => {
      const first = firstOf(most, query.order)
      let seen = 0
      for await (const step of everyStep()) {
        const some = select(step)
        seen += some.length
        first.add(some)
      }
      return { positions: first.all().slice(skipped), seen }
    }

    const along = finds === null ? plan.inOrder(asked, now) : null
    const { positions, seen } = along ? { positions: await inOrder(along), seen: null } : await sorted()
    const page = positions.slice(0, query.perPage)
    const rows = await rowsInSteps(
      page.map(({ id }) => id),
      now,
    )
    const last = positions.length > query.perPage ? (page.at(-1) ?? null) : null
    return finish(rows, last, query, start ? null : (seen ?? (await total())))
  }

  const isSmall = (): boolean => {
    const { low, high } = prepared(`SELECT min(seq) AS low, max(seq) AS high FROM ${table}`).get() as {
      low: number | null
      high: number | null
    }
    return (high ?? 0) - (low ?? 0) < fewRows
  }

  const tooExpensive = (asked: Asked): Refusal => {
    const names = plan.names()
    const advice = names.length > 0 ? ` Narrow it by ${names.join(", ")}.` : ""
    return new Refusal(
      "QUERY_TOO_EXPENSIVE",
      `There are too many records to look through for this list of ${noun} records.${advice}`,
      { details: [{ field: plan.culprit(asked), message: "has no index, and there are too many records" }] },
    )
  }

  return (query: ListQuery, within: Term[]): Page<Row> | Promise<Page<Row>> => {
    const now = basis()
    const { sort, order, match } = query
    const sortField = resource.fields[sort] as Field
    const asked: Asked = { where: within.concat(query.filters), match, sort, order }
    const start = query.cursor === undefined ? undefined : startOf(query, sortSourceOf(sort, sortField, now))
    if (plan.isIndexed(asked, now) || (isSmall() && plan.longTexts(asked).length === 0))
      return atOncePage(asked, start, query, now)
    const from = start && sortField.isAscii ? withoutCase(start) : start
    return steppedPage(asked, from, query, now).catch((error: unknown) => {
      throw error instanceof TooMuch ? tooExpensive(asked) : error
    })
  }
}

/** In steps, codes are compared in lower case, and not by a collation. */
const withoutCase = ({ value, id }: Position): Position => ({
  value: typeof value === "string" ? value.toLowerCase() : value,
  id,
})

function inChunks<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let i = 0; i < all.length; i += size) chunks.push(all.slice(i, i + size))
  return chunks
}

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
