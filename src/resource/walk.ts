import { steadyMillis } from "../lib/clock"
import { nextStep } from "../lib/turns"
import type { Position } from "./cursor"
import type { SqlValue, Term } from "./filter"
import { limited, type Prepared } from "./statements"

/** What to scan: a table by its row numbers, or an index by (column, id). */
export type Path = {
  table: string
  column: string | null
  order: "asc" | "desc"
  within: Term[]
  start: Position | null
}

/**
 * A slice of a table, for use in FROM: the row numbers of the slice joined with the table. The row numbers come first,
 * so that SQLite does not choose an index that ignores the slice.
 */
export type Step = { from: string; rows: string; values: SqlValue[] }

type Deps = {
  prepared: Prepared
  /** Columns whose values can be long. */
  longTexts: readonly string[]
  signal: AbortSignal | null
}

/** Thrown when one request would scan too many records. */
export class ScanLimitExceeded extends Error {}

/**
 * A scan of up to `guaranteedRows` rows always succeeds. A longer scan fails after `mostRows` rows, or after
 * `mostBytes` of long texts.
 */
const guaranteedRows = 100_000
const mostRows = 500_000
const mostBytes = 128 * 1024 * 1024

const firstSize = 100
const largestSize = 8_000
/**
 * In milliseconds. Slices grow while they take less than the first value, and shrink when they take more than the
 * second.
 */
const pace = [2, 5] as const

export const whereOf = (terms: readonly Term[]): string =>
  terms.length > 0 ? `WHERE ${terms.map((term) => term.sql).join(" AND ")}` : ""

export const valuesOf = (terms: readonly Term[]) => terms.flatMap((term) => term.values)

/**
 * Scans a path in slices, each in a separate turn of the event loop. The number of rows in a slice depends on how long
 * the previous slice took, including the work of the caller, because rows can be large.
 */
export async function* stepsAlong(
  { table, column, order, within, start }: Path,
  { prepared, longTexts, signal }: Deps,
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
    await nextStep(signal)
    if (rows >= mostRows || (rows >= guaranteedRows && bytes > mostBytes)) throw new ScanLimitExceeded()
    size = Math.min(size, mostRows - rows)
    const began = steadyMillis()
    const behind = [...within, ...(from ? [bound(beyond, from)] : [])]
    const end = prepared(
      `SELECT ${shown} FROM ${table} ${whereOf(behind)} ORDER BY ${sorting} LIMIT 1 OFFSET ? + 0`,
    ).get(...valuesOf(behind), size - 1) as Position | null
    const here = [...behind, ...(end ? [bound(upTo, end)] : [])]
    const numbers = `SELECT seq AS step_seq FROM ${table} ${whereOf(here)} ORDER BY ${sorting} ${limited}`
    const step = stepOf(table, numbers, [...valuesOf(here), size])
    if (longTexts.length > 0) bytes += bytesOf(step, longTexts, prepared)
    yield step
    if (!end) return
    from = end
    rows += size
    const slice = { size, took: steadyMillis() - began }
    size = nextSize(before, slice)
    before = slice
  }
}

type Taken = { size: number; took: number }

/**
 * Returns the size of the next slice. When a smaller slice took about as long as the one before, most of the time does not
 * depend on the size, such as that of a search: even smaller slices would make the whole scan take many times as long.
 */
function nextSize(before: Taken, { size, took }: Taken): number {
  if (took < pace[0]) return Math.min(largestSize, size * 2)
  if (took <= pace[1]) return size
  const isFixed = size < before.size && took > before.took * 0.7
  return isFixed ? Math.min(largestSize, size * 4) : Math.max(1, Math.floor(size / 2))
}

/** Returns the first and last row number of a table. `SELECT min(seq), max(seq)` would read the whole table. */
export function rowRange(table: string, prepared: Prepared): { low: number; high: number } {
  const { low, high } = prepared(
    `SELECT (SELECT min(seq) FROM ${table}) AS low, (SELECT max(seq) FROM ${table}) AS high`,
  ).get() as { low: number | null; high: number | null }
  return { low: low ?? 0, high: high ?? -1 }
}

/** Scans rows whose numbers are known, in slices. */
export async function* stepsThrough(
  table: string,
  numbers: readonly number[],
  signal: AbortSignal | null,
): AsyncGenerator<Step> {
  for (let at = 0; at < numbers.length; at += firstSize) {
    await nextStep(signal)
    const some = JSON.stringify(numbers.slice(at, at + firstSize))
    yield stepOf(table, "SELECT value AS step_seq FROM json_each(?)", [some])
  }
}

const stepOf = (table: string, numbers: string, values: SqlValue[]): Step => ({
  from: `(${numbers}) AS step CROSS JOIN ${table}`,
  rows: `(${numbers}) AS step`,
  values,
})

/** A query over a slice, with additional conditions. */
export function overStep(select: string, { from, values }: Step, terms: readonly Term[], sorting = "") {
  const conditions = ["seq = step_seq", ...terms.map((term) => term.sql)].join(" AND ")
  return {
    sql: `${select} FROM ${from} WHERE ${conditions} ${sorting}`,
    values: [...values, ...valuesOf(terms)],
  }
}

/** Returns the size of the text in a slice. SQLite finds it without reading the text. */
function bytesOf(step: Step, columns: readonly string[], prepared: Prepared): number {
  const sum = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ")
  const { sql, values } = overStep(`SELECT coalesce(sum(${sum}), 0) AS bytes`, step, [])
  return (prepared(sql).get(...values) as { bytes: number }).bytes
}
