import type { Database } from "../engine"

/** A rule. `sql` finds the rows that violate it, and `says` returns a sentence about such a row. */
type Rule<Row> = { says: (row: Row) => string; sql: string }

/** Returns one sentence for each row that violates a rule. */
export const findBreaches = <Row>(db: Database, rules: readonly Rule<Row>[]): string[] =>
  rules.flatMap(({ sql, says }) => db.query<Row, []>(sql).all().map(says))
