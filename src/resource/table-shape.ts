import type { SQLQueryBindings } from "bun:sqlite"
import { fromUnits, priceDigits, toUnits } from "../shared/decimal"
import { fold, lower } from "../lib/text"
import { columnOf, fieldsOf, shadowsOf, storedFields, type Resource } from "./define"
import type { Field, ValueKind } from "./field"
import { learnedFields } from "./search"

/** A row as SQLite returns it, with field names. */
export type Row = Record<string, unknown>

/** Returns how a resource maps to its table: the fields to read and write, their conversions and the statements. */
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
    /** Each field with the functions that compute its extra columns. */
    writers: stored.map(([name, field]) => ({
      name,
      field,
      shadows: shadowsOf(name, field).map((shadow) => (shadow.endsWith("_key") ? lower : fold)),
    })),
    insertion: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    replacement: `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE id = ? RETURNING seq`,
  }
}

export type TableShape = ReturnType<typeof shapeOf>

/** Returns the values of a record in the order of its columns. */
export function columnsOf({ writers }: TableShape, record: Row): SQLQueryBindings[] {
  const values: SQLQueryBindings[] = []
  for (const { name, field, shadows } of writers) {
    const value = record[name] ?? null
    values.push(toColumn(value, field))
    for (const form of shadows) values.push(value === null ? null : form(String(value)))
  }
  return values
}

function toColumn(value: unknown, field: Field): SQLQueryBindings {
  if (value === null) return null
  if (field.kind === "boolean") return value ? 1 : 0
  if (field.kind === "json") return JSON.stringify(value)
  if (field.kind === "decimal") return toUnits(Number(value), priceDigits)
  return value as SQLQueryBindings
}

/** The conversion from a SQLite value to a record value, for the kinds where they differ. */
const forms: Partial<Record<ValueKind, (value: string) => string>> = {
  decimal: (value) => `fromUnits(${value}, ${priceDigits})`,
  boolean: (value) => `${value} === 1`,
  json: (value) => `${value} === "[]" ? [] : JSON.parse(${value})`,
}

/**
 * Returns a function that converts a row to a record in place. The code is generated field by field, because a loop
 * over the names takes three times as long, and every list runs it for each row.
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
