import { rowsOf, limited } from "../../engine/sql"
import type { Position } from "../cursor"
import type { SqlValue, Term } from "../filter"
import { readOne, type Reader } from "./reader"
import { fieldError, Refusal } from "../../lib/refusal"
import type { Resource } from "../../kind/define"
import type { Planner, Selection } from "../plan"
import { rangeOf } from "./page"
import type { Totals } from "../totals"

/** What to scan: a table by its row numbers, or an index by (column, id). */
export type Path = {
  table: string
  /** The table that has the index: the same one, or one with the row numbers of its rows. */
  index: string
  column: string | null
  order: "asc" | "desc"
  within: Term[]
  start: Position | null
}

/**
 * A slice of a table, for use in FROM. It is written in such a way that the engine does not choose an index that ignores
 * the slice. In SQLite the row numbers of the slice come first and are joined with the table. In PostgreSQL the slice is a
 * query with a limit, because it would look up each row of a join in the index.
 */
export type Step = {
  from: string
  /** The condition that joins the row numbers with the table, if there is one. */
  joins: string[]
  /** The row numbers alone. */
  rows: string
  values: SqlValue[]
  /** The last position of the slice in its index; null in the last slice, and if there is no index. */
  end: Position | null
}

type Deps = {
  reader: Reader
  /** Columns whose values can be long. */
  longTexts: readonly string[]
  /** True if a slice is a query of its own instead of a join. */
  isNested: boolean
}

const firstSize = 100

export const whereOf = (terms: readonly Term[]): string =>
  terms.length > 0 ? `WHERE ${terms.map((term) => term.sql).join(" AND ")}` : ""

export const valuesOf = (terms: readonly Term[]) => terms.flatMap((term) => term.values)

/**
 * Scans a path in slices. The number of rows in a slice depends on how long the previous slice took, because rows can be
 * large.
 */
export async function* stepsAlong(
  { table, index, column, order, within, start }: Path,
  { reader, longTexts, isNested }: Deps,
): AsyncGenerator<Step> {
  const keys = column === null ? "seq" : `(${column}, id)`
  const shown = column === null ? "seq AS value, '' AS id" : `${column} AS value, id`
  const sorting = column === null ? `seq ${order}` : `${column} ${order}, id ${order}`
  const [beyond, upTo] = order === "asc" ? [">", "<="] : ["<", ">="]
  const bound = (sign: string, { value, id }: Position): Term =>
    column === null
      ? { sql: `${keys} ${sign} ?`, values: [value ?? 0] }
      : { sql: `${keys} ${sign} (?, ?)`, values: [value ?? "", id] }
  let [rows, bytes, size] = [0, 0, firstSize]
  let before = { size: 0, took: 0 }
  for (let from = start; ;) {
    await reader.next()
    if (rows >= mostRows || (rows >= guaranteedRows && bytes > mostBytes)) throw new ScanLimitExceeded()
    size = Math.min(size, mostRows - rows)
    const began = reader.spent()
    const behind = [...within, ...(from ? [bound(beyond, from)] : [])]
    const end = await readOne<Position>(
      reader,
      `SELECT ${shown} FROM ${index} ${whereOf(behind)} ORDER BY ${sorting} LIMIT 1 OFFSET ? + 0`,
      [...valuesOf(behind), size - 1],
    )
    const here = [...behind, ...(end ? [bound(upTo, end)] : [])]
    const slice = `FROM ${index} ${whereOf(here)} ORDER BY ${sorting} ${limited}`
    const values = [...valuesOf(here), size]
    const step =
      isNested && index === table
        ? nestedStep(table, slice, values, end)
        : joinedStep(table, numbersIn(slice), values, end)
    if (longTexts.length > 0) bytes += await bytesOf(step, longTexts, reader)
    yield step
    if (!end) return
    from = end
    rows += size
    const taken = { size, took: reader.spent() - began }
    size = nextSize(reader.pace, before, taken, reader.largest)
    before = taken
  }
}

type Taken = { size: number; took: number }

/**
 * Returns the size of the next slice. When a smaller slice took about as long as the one before, most of the time does not
 * depend on the size, such as that of a search: even smaller slices would make the whole scan take many times as long.
 */
export function nextSize(
  pace: Reader["pace"],
  before: Taken,
  { size, took }: Taken,
  largest = Infinity,
): number {
  if (took < pace[0]) return Math.min(largest, size * 2)
  if (took <= pace[1]) return size
  const isFixed = size < before.size && took > before.took * 0.7
  return isFixed ? Math.min(largest, size * 4) : Math.max(1, Math.floor(size / 2))
}

/** Scans rows whose numbers are known, in slices. */
export async function* stepsThrough(
  table: string,
  numbers: readonly number[],
  reader: Reader,
): AsyncGenerator<Step> {
  for (let at = 0; at < numbers.length; at += firstSize) {
    await reader.next()
    const some = JSON.stringify(numbers.slice(at, at + firstSize))
    yield joinedStep(table, `SELECT CAST(value AS BIGINT) AS step_seq FROM ${rowsOf("?")}`, [some], null)
  }
}

const numbersIn = (slice: string): string => `SELECT seq AS step_seq ${slice}`

const joinedStep = (table: string, numbers: string, values: SqlValue[], end: Step["end"]): Step => ({
  from: `(${numbers}) AS step CROSS JOIN ${table}`,
  joins: ["seq = step_seq"],
  rows: `(${numbers}) AS step`,
  values,
  end,
})

const nestedStep = (table: string, slice: string, values: SqlValue[], end: Step["end"]): Step => ({
  from: `(SELECT * ${slice}) AS ${table}`,
  joins: [],
  rows: `(${numbersIn(slice)}) AS step`,
  values,
  end,
})

/** A query over a slice, with additional conditions. */
export function overStep(
  select: string,
  { from, joins, values }: Step,
  terms: readonly Term[],
  sorting = "",
) {
  const conditions = [...joins.map((sql) => ({ sql, values: [] })), ...terms]
  return {
    sql: `${select} FROM ${from} ${whereOf(conditions)} ${sorting}`,
    values: [...values, ...valuesOf(terms)],
  }
}

/** Returns the size of the text in a slice. SQLite finds it without reading the text. */
async function bytesOf(step: Step, columns: readonly string[], reader: Reader): Promise<number> {
  const sum = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ")
  const { sql, values } = overStep(`SELECT coalesce(sum(${sum}), 0) AS bytes`, step, [])
  return (await readOne<{ bytes: number }>(reader, sql, values))?.bytes ?? 0
}

/**
 * A scan of up to `guaranteedRows` rows always succeeds. A longer scan fails after `mostRows` rows, or after
 * `mostBytes` of long texts.
 */
const guaranteedRows = 100_000
const mostRows = 500_000
const mostBytes = 128 * 1024 * 1024

/** Thrown when one request would scan too many records. */
export class ScanLimitExceeded extends Error {}

/**
 * Fails if a whole table has too many rows to scan. If their number is not known, they are skipped up to the limit, which
 * takes less time than to read them, and as long in a table of any size.
 */
export async function assertScannable(
  { table, isBounded }: Resource,
  totals: Totals,
  reader: Reader,
): Promise<void> {
  if (isBounded) return
  const { low, high } = await rangeOf(table, reader)
  // Numbers of deleted rows are in the range too.
  if (high - low + 1 < mostRows) return
  const known = totals.of([]).total
  const isTooLong = known === undefined ? await hasRow(table, mostRows - 1, reader) : known >= mostRows
  if (isTooLong) throw new ScanLimitExceeded()
}

/** True if a table has a row after that many others. */
const hasRow = async (table: string, after: number, reader: Reader): Promise<boolean> =>
  (await readOne(reader, `SELECT 1 AS found FROM ${table} LIMIT 1 OFFSET ?`, [after])) !== null

type PlanDeps = { plan: Planner; resource: Resource }

export function tooExpensive({ plan, resource }: PlanDeps, selection: Selection): Refusal {
  const names = plan.names()
  const part = plan.unindexedPart(selection)
  const setting = part.includes("[") ? " Name the key in the setting indexedMetadata." : ""
  const advice = names.length > 0 ? ` Filter by ${names.join(", ")}, or follow meta.nextCursor.` : ""
  return new Refusal(
    "QUERY_TOO_EXPENSIVE",
    `This query would have to scan too many ${resource.noun} records.${setting}${advice}`,
    {
      params: { kind: resource.name, fields: names },
      details: [
        fieldError(part, "RULE", "has no index, and there are too many records", {
          rule: "NO_INDEX",
        }),
      ],
    },
  )
}
