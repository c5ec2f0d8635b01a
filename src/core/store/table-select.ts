import type { Returned, Value } from "../engine/engine"
import type { Resource } from "../kind/define"
import type { Field, MoneyContext } from "../kind/field"
import { sourceOf } from "./filter"
import type { TableShape } from "./table-shape"

type Query = { sql: string; values: readonly Value[] }

/** Stands for today in SQL, until a parameter does. */
const anyDay = "0000-00-00"

/**
 * Returns the SQL that reads the columns of a table. The texts depend on the decimals, which rarely change, so they are kept.
 * Those for one record get today as a value: the clock of a demo moves through years, and statements would be prepared again
 * for each day.
 */
export function tableSelect(
  { table, countsChanges }: Resource,
  { fields, derived, columns: stored }: TableShape,
) {
  const listed = (shown: TableShape["fields"], moneyContext: MoneyContext): string =>
    shown
      .map(([name, field]: [string, Field]) => `${sourceOf(name, field, moneyContext)} AS "${name}"`)
      .join(", ")
  const list = kept((moneyContext) => `SELECT ${listed(fields, moneyContext)}`)
  const changes = countsChanges ? ", change_count" : ""
  const one = datedOf(
    (moneyContext) => `SELECT ${listed(fields, moneyContext)}${changes} FROM ${table} WHERE id = ?`,
  )
  const added = datedOf((moneyContext) => listed(derived, moneyContext))
  const ofNew = derived.every(([, { derivedOfNew }]) => derivedOfNew) ? derivedBy(derived, stored) : null
  return {
    /** `SELECT` and all columns. */
    list,

    /** Reads one record by its ID, which is the last value. */
    one,

    /** Reads the derived fields of a new record. */
    derived(moneyContext: MoneyContext): Returned {
      const { sql: columns, values } = added(moneyContext)
      return { columns, values, query: columns && `SELECT ${columns} FROM ${table} WHERE seq = ?`, ofNew }
    },
  }
}

export type TableSelect = ReturnType<typeof tableSelect>

/** The derived fields of a new row by the values of its columns, as the database would return them. */
const derivedBy =
  (derived: TableShape["derived"], columns: readonly string[]) =>
  (values: readonly Value[]): Record<string, unknown> => {
    const row: Record<string, unknown> = {}
    for (const [name, { derivedOfNew }] of derived)
      row[name] = derivedOfNew?.((column) => values[columns.indexOf(column)])
    return row
  }

/** Keeps the SQL of the latest money context. */
function kept(sqlOf: (moneyContext: MoneyContext) => string) {
  let latest = { digits: -1, today: "", sql: "" }
  return (moneyContext: MoneyContext): string => {
    const { digits, today } = moneyContext
    if (latest.digits !== digits || latest.today !== today)
      latest = { digits, today, sql: sqlOf(moneyContext) }
    return latest.sql
  }
}

/** The same SQL for all days, with today as a value as often as it stands there. */
function datedOf(sqlOf: (moneyContext: MoneyContext) => string) {
  let latest = { digits: -1, sql: "", times: 0 }
  return (moneyContext: MoneyContext): Query => {
    const { digits, today } = moneyContext
    if (latest.digits !== digits) {
      const parts = sqlOf({ ...moneyContext, today: anyDay }).split(`'${anyDay}'`)
      latest = { digits, sql: parts.join("?"), times: parts.length - 1 }
      if (latest.sql.includes(anyDay)) throw new Error("A derived field has today only as a part of a text.")
    }
    const { sql, times } = latest
    return { sql, values: times === 0 ? none : Array.from({ length: times }, () => today) }
  }
}

const none: Value[] = []
