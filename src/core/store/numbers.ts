import type { Database } from "../engine/engine"
import { invalid } from "../lib/refusal"
import { formatNumber, readNumber, seriesOf } from "../../shared/number-format"
import { isOfPrefix, valueOf } from "../engine/sql"
import { columnOf, type Numbered } from "../kind/define"
import type { Tx } from "../write/writer"

export type Numbering = { kind: Numbered; format: string; date: string }

export const seriesIn = ({ kind, format, date }: Numbering): string =>
  seriesOf(kind.numbers.prefix, format, date)

export type GivenNumber = { number: string; series: string; counter: number }

/**
 * Returns the next number, such as INV-2026-00042. The series is updated in the transaction that uses the number, so a
 * refused write uses no number. A number that exists is never given again.
 */
export function nextNumber(db: Database, tx: Tx, numbering: Numbering): GivenNumber {
  const { kind, format, date } = numbering
  const series = seriesIn(numbering)
  const counter = nextIn(db, series)
  const number = formatNumber(format, { date, counter })
  if (!db.engine.checksLater() && isTaken(db, kind, number))
    throw invalid(
      kind.numbers.field,
      "RULE",
      `would be ${number}, which exists already: an admin must change the number format in the settings`,
      { rule: "NUMBER_TAKEN", value: number },
    )
  tx.numbers.push(number)
  return { number, series, counter }
}

/** Returns the next counter of a series, which begins with its first number. */
function nextIn(db: Database, name: string): number {
  const next = db.engine.count(name)
  if (next === null) db.query("INSERT INTO number_series (name, last) VALUES (?, 1)").run(name)
  return next ?? 1
}

/** Returns the number that the next record of a kind would get. */
export function comingNumber(db: Database, numbering: Numbering): string {
  const { last } = findSeries(db, seriesIn(numbering))
  return formatNumber(numbering.format, { date: numbering.date, counter: last + 1 })
}

/** True when a series can still come to a number: it has the format, and a counter above the last one. */
export function isToCome(db: Database, { kind, format, date }: Numbering, number: string): boolean {
  const read = readNumber(format, number)
  if (!read) return false
  const thisYear = date.slice(0, 4)
  if (read.year !== null && read.year < thisYear) return false
  const series = seriesOf(kind.numbers.prefix, format, `${read.year ?? thisYear}-01-01`)
  return read.counter > findSeries(db, series).last
}

/** True when a record of the kind has this number. */
export const isTaken = (db: Database, { table, numbers }: Numbered, number: string): boolean =>
  db.query(`SELECT 1 FROM ${table} WHERE ${columnOf(numbers.field)} = ?`).get(number) !== null

/** Returns the first and the last counter of a series. In a series without numbers the last is less than the first. */
export function findSeries(db: Database, name: string): { first: number; last: number } {
  const row = db
    .query<{ first: number; last: number }, [string]>("SELECT first, last FROM number_series WHERE name = ?")
    .get(name)
  return row ?? { first: 1, last: 0 }
}

/** True when records of a kind have been given numbers. */
export const hasNumbers = (db: Database, { numbers }: Numbered): boolean =>
  valueOf(
    db,
    `SELECT 1 FROM number_series WHERE (name = ?1 OR ${isOfPrefix("name", "?1")}) AND last >= first LIMIT 1`,
    numbers.prefix,
  ) !== null

/** Sets the first counter of a series that has no numbers yet. */
export function startSeries(db: Database, name: string, first: number): void {
  db.query(
    `INSERT INTO number_series (name, first, last) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET first = excluded.first, last = excluded.last`,
  ).run(name, first, first - 1)
}

/**
 * Returns the numbers that other systems have given to records of a kind and that begin with a text, one per line. They
 * are read from their index alone: 100,000 of them take about 20 ms.
 */
export function foreignNumbers(db: Database, { table, numbers }: Numbered, leading: string): string {
  if (!numbers.foreign) return ""
  const { lines, beginsWith } = db.engine.sql
  const column = columnOf(numbers.field)
  const row = db
    .query<{ numbers: string | null }, [string]>(
      `SELECT ${lines(column)} AS numbers FROM ${table}
       WHERE ${numbers.foreign.when} AND ${beginsWith(column, "?1")}`,
    )
    .get(leading)
  return row?.numbers ?? ""
}
