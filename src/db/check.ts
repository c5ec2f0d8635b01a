import type { Database } from "bun:sqlite"

/** What SQLite finds wrong with the file, a sentence each. */
export function findDamage(db: Database): string[] {
  const integrity = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const dangling = db.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all()
  return [
    ...integrity
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => `The file is damaged: ${row.integrity_check}.`),
    ...dangling.map((row) => `A row of ${row.table} refers to a row of ${row.parent} that is not there.`),
  ]
}

/** A rule as a query that finds the rows that break it, and a sentence about such a row. */
type Rule<Row> = { says: (row: Row) => string; sql: string }

/** Which rows break one of these rules, a sentence each. */
export const findBreaches = <Row>(db: Database, rules: readonly Rule<Row>[]): string[] =>
  rules.flatMap(({ sql, says }) => db.query<Row, []>(sql).all().map(says))
