import { postgresOf, type Database } from "../engine"

/** Checks the file with SQLite. Returns one sentence for each problem. PostgreSQL checks its pages and references itself. */
export function findDamage(db: Database): string[] {
  if (postgresOf(db)) return []
  const integrity = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all()
  const dangling = db.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all()
  return [
    ...integrity
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => `The file is damaged: ${row.integrity_check}.`),
    ...dangling.map((row) => `A row of ${row.table} refers to a row of ${row.parent} that does not exist.`),
  ]
}

/** A rule. `sql` finds the rows that violate it, and `says` returns a sentence about such a row. */
type Rule<Row> = { says: (row: Row) => string; sql: string }

/** Returns one sentence for each row that violates a rule. */
export const findBreaches = <Row>(db: Database, rules: readonly Rule<Row>[]): string[] =>
  rules.flatMap(({ sql, says }) => db.query<Row, []>(sql).all().map(says))
