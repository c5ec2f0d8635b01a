import type { Database, Value } from "../../core/engine/engine"
import { integerIn, listOf, rowsOf, textIn } from "../../core/engine/sql"
import { columnOf, type Resource } from "../../core/kind/define"
import type { TaxCategory } from "../../shared/documents/tax"
import { linePartNames, type Line } from "./model"

/** The tax that the documents from a source have in one category at one rate. */
export type TakenTax = { taxCategory: TaxCategory | null; taxRate: number; tax: number }

/**
 * The documents of a table that are made from those of another, by the column that names their source. `live` is the
 * condition of those that count, and `only` that of those that are meant at all.
 */
export function derivedTable(table: string, source: string, live = "1 = 1", only = "1 = 1") {
  const sql = {
    count: `SELECT count(*) AS n FROM ${table} WHERE ${source} = ? AND ${only}`,
    ids: `SELECT id, ${source} AS source FROM ${table} WHERE ${source} IN ${listOf("?")} AND ${only}
      ORDER BY id`,
    taxes: `SELECT ${textIn("value", "category")} AS taxCategory, ${integerIn("value", "rate")} AS taxRate,
        sum(${integerIn("value", "tax")}) AS tax
      FROM ${table}, ${rowsOf(`${table}.taxes`)} WHERE ${source} = ? AND ${live} AND ${only}
      GROUP BY 1, 2`,
  }
  return {
    /** Counts the documents from a source, also those that do not count any more. */
    count: (db: Database, id: string): number => db.query<{ n: number }, [string]>(sql.count).get(id)?.n ?? 0,

    /** Finds the documents from several sources, the oldest first. */
    findIds(db: Database, sources: readonly string[]): Map<string, string[]> {
      const rows = db.query<{ id: string; source: string }, [string]>(sql.ids).all(JSON.stringify(sources))
      const found = new Map<string, string[]>(sources.map((id) => [id, []]))
      for (const row of rows) found.get(row.source)?.push(row.id)
      return found
    },

    /** Adds up the tax of the documents from a source, per category and rate. */
    findTaxes: (db: Database, id: string): TakenTax[] => db.query<TakenTax, [string]>(sql.taxes).all(id),
  }
}

/** The lines of one kind of document. */
export type LineTable<L extends Line> = ReturnType<typeof lineTable<L>>

/** The table with the lines of a kind of document: the fields that all lines have, and `own`, specific to the kind. */
export function lineTable<L extends Line>(
  { name, lines }: Pick<Resource, "name" | "lines">,
  own: readonly (keyof L & string)[],
) {
  if (!lines) throw new Error(`${name} does not declare the table of its lines`)
  const { table, owner } = lines
  const names = [...linePartNames, ...own]
  const sql = sqlOf(table, owner, names)
  const valuesOf = (line: L): Value[] => names.map((name) => (line[name as keyof L] ?? null) as Value)
  const isSame = (line: L, known: L | undefined): boolean =>
    known !== undefined &&
    names.every((name) => (line[name as keyof L] ?? null) === (known[name as keyof L] ?? null))
  return {
    /** True if there is nothing to write for lines that are to replace the stored ones. */
    areSame: (lines: readonly L[], stored: readonly L[]): boolean =>
      lines === stored ||
      (lines.length === stored.length && lines.every((line, i) => isSame(line, stored[i]))),

    /**
     * Inserts the lines of a new document. A statement per line takes less than half the time of one statement that takes
     * all of them out of a JSON text.
     */
    insert(db: Database, document: string, lines: readonly L[]): void {
      const lists = lines.map((line, position) => [document, position, ...valuesOf(line)])
      db.engine.runEach(sql.insert, lists)
    },

    /** Finds the lines of several documents with one query. */
    find(db: Database, documents: readonly string[]): Map<string, L[]> {
      const rows = db.query<L & { document: string }, [string]>(sql.find).all(JSON.stringify(documents))
      const lines = new Map<string, L[]>(documents.map((document) => [document, []]))
      for (const row of rows) lines.get(row.document)?.push(row)
      return lines
    },

    /** Counts the lines of several documents. */
    count(db: Database, documents: readonly string[]): Map<string, number> {
      const rows = db
        .query<{ document: string; n: number }, [string]>(sql.count)
        .all(JSON.stringify(documents))
      return new Map(rows.map(({ document, n }) => [document, n]))
    },

    /** Replaces the stored lines `before` of a document. Only lines that differ from the stored one are written. */
    replace(db: Database, document: string, lines: readonly L[], before: readonly L[]): void {
      const ids = new Set(lines.map(({ id }) => id))
      if (before.some(({ id }) => !ids.has(id)))
        db.query(sql.removeOthers).run(document, JSON.stringify([...ids]))
      const lists = lines.flatMap((line, position) =>
        isSame(line, before[position]) ? [] : [[document, position, ...valuesOf(line)]],
      )
      db.engine.runEach(sql.overwrite, lists)
    },
  }
}

function sqlOf(table: string, owner: string, names: readonly string[]) {
  const columns = names.map(columnOf)
  const select = names.map((name, i) => `${columns[i]} AS "${name}"`).join(", ")
  const places = columns.map(() => "?").join(", ")
  const updated = ["position", ...columns.slice(1)]
    .map((column) => `${column} = excluded.${column}`)
    .join(", ")
  const insert = `INSERT INTO ${table} (${owner}, position, ${columns.join(", ")}) VALUES (?, ?, ${places})`
  return {
    insert,
    // SQLite copies the pages that such a statement changes, to be able to undo it alone.
    overwrite: `${insert} ON CONFLICT (id) DO UPDATE SET ${updated}`,
    find: `SELECT ${owner} AS document, ${select} FROM ${table}
           WHERE ${owner} IN ${listOf("?")} ORDER BY ${owner}, position`,
    count: `SELECT ${owner} AS document, count(*) AS n FROM ${table}
           WHERE ${owner} IN ${listOf("?")} GROUP BY ${owner}`,
    removeOthers: `DELETE FROM ${table} WHERE ${owner} = ?1 AND id NOT IN ${listOf("?2")}`,
  }
}
