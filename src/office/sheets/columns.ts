import { fieldsOf, type Resource } from "../../core/kind/define"
import type { Field, ValueKind } from "../../core/kind/field"
import type { CellType } from "./model"

/** A column of a kind's records in a table file. `field` may be part of an object: `address.city`. */
export type Column = {
  field: string
  type: CellType
  /** True when a caller can set the field, so that an import can too. */
  isSettable: boolean
  /** Of money: an amount has the decimals of the currency, and a price has up to four. */
  money?: "amount" | "price"
}

/** A column of a file, with what its first row calls it. */
export type TitledColumn = Column & { title: string }

const known = new WeakMap<Resource, Column[]>()

const joined = (field: string): Column => ({ field, type: "text", isSettable: false })

/** Returns the columns of a kind, in the order of its fields. An object has a column for each of its parts. */
export function columnsOf(resource: Resource): Column[] {
  const columns =
    known.get(resource) ??
    fieldsOf(resource).flatMap(([name, field]) => [
      ...ofField(name, field),
      ...(resource.inTable?.[name] ?? []).map(joined),
    ])
  known.set(resource, columns)
  return columns
}

const ofLines = new WeakMap<Resource, LineColumns | null>()

/** The name of the field with the lines of a document, and their columns: `items.itemCode`. */
export type LineColumns = { field: string; columns: Column[] }

/** Returns the columns of the lines of a kind; null if its records have none. */
export function lineColumnsOf(resource: Resource): LineColumns | null {
  const known = ofLines.get(resource)
  if (known !== undefined) return known
  const [name = "", { lines } = {}] = fieldsOf(resource).find(([, { lines }]) => lines) ?? []
  const columns = Object.entries(lines?.fields ?? {}).flatMap(([part, field]) =>
    ofField(`${name}.${part}`, field),
  )
  const found = lines
    ? { field: name, columns: columns.map((column) => ({ ...column, isSettable: false })) }
    : null
  ofLines.set(resource, found)
  return found
}

function ofField(name: string, field: Field): Column[] {
  const isSettable = field.access !== "readOnly"
  const parts = partTypes(field)
  return parts
    ? parts.map(([part, type]) => ({ field: `${name}.${part}`, type, isSettable }))
    : [{ field: name, type: cellTypeOf(field), isSettable, ...moneyOf(field) }]
}

function moneyOf({ kind, isPrice }: Field): Pick<Column, "money"> {
  if (kind === "amount") return { money: "amount" }
  return isPrice ? { money: "price" } : {}
}

const types: Record<Exclude<ValueKind, "json">, CellType> = {
  text: "text",
  prose: "text",
  choice: "text",
  status: "text",
  reference: "text",
  decimal: "number",
  amount: "number",
  integer: "number",
  boolean: "boolean",
  date: "date",
  timestamp: "text",
}

export const cellTypeOf = ({ kind, schema }: Field): CellType =>
  kind !== "json" ? types[kind] : schema.type === "array" ? "list" : "json"

/** The parts of an object and their types, if all of them are scalar; null for a list, a map and a larger object. */
function partTypes({ kind, parts, schema }: Field): [string, CellType][] | null {
  if (kind !== "json") return null
  if (parts) return Object.entries(parts).map(([name, part]) => [name, cellTypeOf(part)])
  const { properties } = schema as { properties?: Record<string, Described> }
  const found = Object.entries(properties ?? {}).map(([name, part]) => [name, scalarOf(part)] as const)
  const scalars = found.flatMap(([name, type]): [string, CellType][] => (type ? [[name, type]] : []))
  return scalars.length > 0 && scalars.length === found.length ? scalars : null
}

type Described = { type?: string | string[]; format?: string }

/** The cell type of a part of an object that only the server writes; null when it is not scalar. */
function scalarOf({ type, format }: Described): CellType | null {
  const [name, ...more] = [type ?? "object"].flat().filter((each) => each !== "null")
  if (more.length > 0) return null
  if (name === "string") return format === "date" ? "date" : "text"
  if (name === "number" || name === "integer") return "number"
  return name === "boolean" ? "boolean" : null
}

/** Returns the value of a column in a record; null when the record has none. */
export function valueIn(record: Record<string, unknown>, field: string): unknown {
  const dot = field.indexOf(".")
  if (dot < 0) return record[field] ?? null
  const whole = record[field.slice(0, dot)] as Record<string, unknown> | null | undefined
  return whole?.[field.slice(dot + 1)] ?? null
}
