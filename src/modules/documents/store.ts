import type { Database } from "bun:sqlite"
import { columnOf } from "../../resource/define"
import { linePartNames, type Line } from "./model"

/** The lines of one kind of document. */
export type LineTable<L extends Line> = ReturnType<typeof lineTable<L>>

/** The table with the lines of a kind of document: the fields that all lines have, and `own`, specific to the kind. */
export function lineTable<L extends Line>(table: string, owner: string, own: keyof L & string) {
  const names = [...linePartNames, own]
  const sql = sqlOf(table, owner, names)
  const insert = (db: Database, document: string, lines: readonly L[]): void => {
    const rows = lines.map((line, position) => [
      position,
      ...names.map((name) => line[name as keyof L] ?? null),
    ])
    db.query(sql.insert).run(document, JSON.stringify(rows))
  }
  return {
    /** Inserts lines with one statement; existing lines are overwritten. */
    insert,

    /** Finds the lines of several documents with one query. */
    find(db: Database, documents: readonly string[]): Map<string, L[]> {
      const rows = db.query<L & { document: string }, [string]>(sql.find).all(JSON.stringify(documents))
      const lines = new Map<string, L[]>(documents.map((document) => [document, []]))
      for (const { document, ...line } of rows) lines.get(document)?.push(line as unknown as L)
      return lines
    },

    /** Counts the lines of several documents. */
    count(db: Database, documents: readonly string[]): Map<string, number> {
      const rows = db
        .query<{ document: string; n: number }, [string]>(sql.count)
        .all(JSON.stringify(documents))
      return new Map(rows.map(({ document, n }) => [document, n]))
    },

    /** Replaces the lines of a document. */
    replace(db: Database, document: string, lines: readonly L[]): void {
      db.query(sql.removeOthers).run(document, JSON.stringify(lines.map(({ id }) => id)))
      insert(db, document, lines)
    },
  }
}

function sqlOf(table: string, owner: string, names: readonly string[]) {
  const columns = names.map(columnOf)
  const select = names.map((name, i) => `${columns[i]} AS "${name}"`).join(", ")
  const taken = columns.map((_, i) => `value ->> ${i + 1}`).join(", ")
  const updated = ["position", ...columns.slice(1)]
    .map((column) => `${column} = excluded.${column}`)
    .join(", ")
  return {
    insert: `INSERT INTO ${table} (${owner}, position, ${columns.join(", ")})
       SELECT ?1, value ->> 0, ${taken} FROM json_each(?2) WHERE true ON CONFLICT (id) DO UPDATE SET ${updated}`,
    find: `SELECT ${owner} AS document, ${select} FROM ${table}
           WHERE ${owner} IN (SELECT value FROM json_each(?)) ORDER BY ${owner}, position`,
    count: `SELECT ${owner} AS document, count(*) AS n FROM ${table}
           WHERE ${owner} IN (SELECT value FROM json_each(?)) GROUP BY ${owner}`,
    removeOthers: `DELETE FROM ${table} WHERE ${owner} = ?1 AND id NOT IN (SELECT value FROM json_each(?2))`,
  }
}
