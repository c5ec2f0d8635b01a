/** A table whose rows are copied. `key` has the places of the columns of its primary key. */
export type Table = { name: string; columns: Column[]; key: number[] }
export type Column = { name: string; isBytes: boolean }

export type Cell = string | number | Uint8Array | null
export type Row = Cell[]

/** The values of the key of a row. No key has bytes. */
export type Key = (string | number)[]

/** Names are quoted, because some are reserved words in one of the engines. */
export const quoted = (name: string): string => `"${name}"`
export const listed = (columns: readonly Column[]): string =>
  columns.map(({ name }) => quoted(name)).join(", ")

export const keyOf = ({ key }: Table, row: Row): Key => key.map((place) => row[place] as string | number)

/** A row for messages: its table, and its ID or its key. */
export function nameOf(table: Table, row: Row): string {
  const id = row[table.columns.findIndex(({ name }) => name === "id")]
  return `${table.name} ${id === undefined ? keyOf(table, row).join(", ") : String(id)}`
}
