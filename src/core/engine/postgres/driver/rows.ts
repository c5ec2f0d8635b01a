import type { Handle, Libpq } from "./libpq"

export type Cell = string | number | Uint8Array | null

export type Field = { name: string; read: (text: string) => Cell }

const asText = (text: string): Cell => text
const asNumber = (text: string): Cell => Number(text)
const asBit = (text: string): Cell => (text === "t" ? 1 : 0)
const asBytes = (text: string): Cell => Uint8Array.fromHex(text.slice("\\x".length))

/** By the IDs of PostgreSQL's types. All others are read as text. */
const readers: Record<number, Field["read"]> = {
  16: asBit, // boolean
  17: asBytes, // bytea
  20: asNumber, // bigint
  21: asNumber, // smallint
  23: asNumber, // integer
  26: asNumber, // oid
  700: asNumber, // real
  701: asNumber, // double precision
  1700: asNumber, // numeric
}

export const fieldsOf = (pq: Libpq, result: Handle): Field[] =>
  Array.from({ length: pq.PQnfields(result) }, (_, i) => ({
    name: String(pq.PQfname(result, i)),
    read: readers[pq.PQftype(result, i)] ?? asText,
  }))

export type Row = Record<string, Cell>

export function rowsOf(pq: Libpq, result: Handle, fields: readonly Field[], most = Infinity): Row[] {
  const count = Math.min(pq.PQntuples(result), most)
  const rows: Row[] = []
  for (let i = 0; i < count; i++) {
    const row: Row = {}
    for (let j = 0; j < fields.length; j++) {
      const field = fields[j] as Field
      row[field.name] = cellOf(pq, result, i, j, field)
    }
    rows.push(row)
  }
  return rows
}

export function valuesOf(pq: Libpq, result: Handle, fields: readonly Field[]): Cell[][] {
  const rows = Array.from({ length: pq.PQntuples(result) }, (_, i) => i)
  return rows.map((i) => fields.map((field, j) => cellOf(pq, result, i, j, field)))
}

function cellOf(pq: Libpq, result: Handle, row: number, column: number, field: Field): Cell {
  const text = String(pq.PQgetvalue(result, row, column))
  return text === "" && pq.PQgetisnull(result, row, column) === 1 ? null : field.read(text)
}
