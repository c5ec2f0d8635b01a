import migrations from "../../../../migrations.sql" with { type: "text" }
import type { Migration } from "../engine"

/** The oldest version that can be migrated. Those before it were not released. */
export const firstVersion = 17

/** What a step needs in addition to its SQL, by its version. */
const more: Record<number, Omit<Migration, "sql">> = {
  30: {
    rebuilds: true,
    postgres: `ALTER TABLE stock_movements DROP CONSTRAINT stock_movements_reason_check;
ALTER TABLE stock_movements ADD CONSTRAINT stock_movements_reason_check CHECK (
  reason = 'receipt' OR reason = 'adjustment' OR reason = 'return' OR reason = 'invoice' OR reason = 'cancellation'
    OR reason = 'credit' OR reason = 'delivery'
);`,
  },
}

/** releasedSteps[N - 18] migrates to version N. */
export const releasedSteps: readonly Migration[] = stepsOf(migrations, firstVersion).map((sql, i) => ({
  sql,
  ...more[firstVersion + 1 + i],
}))

/** Splits migrations.sql at the lines that begin a version. */
export function stepsOf(text: string, first: number): string[] {
  const [, ...parts] = text.split(/^-- Version (?=\d+:)/m)
  return parts.map((part, i) => {
    const [, version = "", sql = ""] = /^(\d+):.*\n([^]*)$/.exec(part) ?? []
    if (Number(version) !== first + 1 + i)
      throw new Error(`migrations.sql has version ${version} where ${first + 1 + i} is expected.`)
    return sql.trim()
  })
}
