import { fromUnits, priceDigits } from "../shared/decimal"
import { fold, lower } from "../lib/text"
import { columnOf, fieldsOf, shadowsOf, storedFields, type Resource } from "./define"
import type { Field, ValueKind } from "./field"
import { learnedFields } from "./search"

/** What a resource is to its table: which fields are read and written, in which form, and by which statements. */
export function shapeOf(resource: Resource) {
  const { table } = resource
  const fields = fieldsOf(resource).filter(([, field]) => !field.isNotStored)
  const stored = storedFields(resource)
  const columns = stored.flatMap(([name, field]) => [columnOf(name), ...shadowsOf(name, field)])
  return {
    fields,
    derived: fields.filter(([, field]) => field.derived),
    learned: learnedFields(resource),
    amounts: fields.filter(([, field]) => field.kind === "amount").map(([name]) => name),
    convert: converterOf(fields),
    unique: fields
      .filter(([, field]) => field.unique)
      .map(([name]) => ({
        name,
        sql: `SELECT 1 FROM ${table} WHERE ${columnOf(name)}_key = ? AND id IS NOT ?`,
      })),
    /** Each field with what makes its columns. */
    writers: stored.map(([name, field]) => ({
      name,
      field,
      shadows: shadowsOf(name, field).map((shadow) => (shadow.endsWith("_key") ? lower : fold)),
    })),
    insertion: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    replacement: `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE id = ? RETURNING seq`,
  }
}

type Row = Record<string, unknown>

/** How a value as SQLite has it becomes ours, where the two differ. */
const forms: Partial<Record<ValueKind, (value: string) => string>> = {
  decimal: (value) => `fromUnits(${value}, ${priceDigits})`,
  boolean: (value) => `${value} === 1`,
  json: (value) => `${value} === "[]" ? [] : JSON.parse(${value})`,
}

/**
 * Brings a row into our form, in place. It is written out field by field, because a loop over their names takes three
 * times as long, and every list does this for each of its rows.
 */
function converterOf(fields: readonly [string, Field][]): (row: Row) => void {
  const lines = fields.flatMap(([name, { kind }]) => {
    const form = forms[kind]
    const value = `row.${name}`
    return form ? [`if (${value} != null) ${value} = ${form(value)}`] : []
  })
  const make = new Function("fromUnits", `return (row) => {\n${lines.join("\n")}\n}`)
  return make(fromUnits) as (row: Row) => void
}
