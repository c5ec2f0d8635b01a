import type { Database } from "bun:sqlite"

/** What a schema promises about a table, in the words of both databases. */
export type TableShape = {
  columns: string[]
  checks: number
  references: string[]
  unique: string[]
  indexes: string[]
}

const types: Record<string, string> = {
  INTEGER: "bigint",
  TEXT: 'text COLLATE "C"',
  REAL: "double precision",
  BLOB: "bytea",
}

/** The names of the ordinary tables of a SQLite schema. */
export const tablesOf = (db: Database): string[] =>
  db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY 1",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("sqlite_"))

/** The shape of a table of SQLite. A primary key is NOT NULL, as it is in PostgreSQL. */
export function shapeInSqlite(db: Database, table: string): TableShape {
  type Column = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number }
  const columns = db.query<Column, []>(`PRAGMA table_info("${table}")`).all()
  type Reference = { table: string; from: string; to: string; on_delete: string; on_update: string }
  const references = db.query<Reference, []>(`PRAGMA foreign_key_list("${table}")`).all()
  type Index = { name: string; unique: number; origin: string; partial: number }
  const indexes = db.query<Index, []>(`PRAGMA index_list("${table}")`).all()
  const keyOf = (name: string) =>
    db
      .query<{ name: string; coll: string }, []>(
        `SELECT name, coll FROM pragma_index_xinfo('${name}') WHERE "key" = 1 ORDER BY seqno`,
      )
      .all()
      .map((each) => (each.coll === "NOCASE" ? `lower(${each.name})` : each.name))
      .join()
  const sql =
    db.query<{ sql: string }, [string]>("SELECT sql FROM sqlite_schema WHERE name = ?").get(table)?.sql ?? ""
  const rowNumber = columns.filter(({ pk, type }) => pk > 0 && type === "INTEGER" && !isKeyOfIndex(indexes))
  return {
    columns: columns.map(
      ({ name, type, notnull, dflt_value, pk }) =>
        `${name} ${types[type]}${notnull || pk ? " NOT NULL" : ""} ${dflt_value ?? ""}`,
    ),
    checks: sql.match(/\bCHECK \(/g)?.length ?? 0,
    references: references
      .map((each) => `${each.from} -> ${each.table} ${each.to} ${each.on_delete} ${each.on_update}`)
      .toSorted(),
    unique: [
      ...indexes.filter(({ unique, origin }) => unique && origin !== "c").map(({ name }) => keyOf(name)),
      ...rowNumber.map(({ name }) => name),
    ].toSorted(),
    indexes: indexes
      .filter(({ origin }) => origin === "c")
      .map((each) => `${each.name} (${keyOf(each.name)}) ${each.unique} ${each.partial}`)
      .toSorted(),
  }
}

/** True when an index is the primary key, so that it is not the number of the row. */
const isKeyOfIndex = (indexes: readonly { origin: string }[]) => indexes.some(({ origin }) => origin === "pk")

const actions = `CASE %s WHEN 'a' THEN 'NO ACTION' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'r' THEN 'RESTRICT' END`
const actionOf = (column: string) => actions.replace("%s", column)
const columnIn = (relation: string, places: string) =>
  `(SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = ${relation} AND attnum = ANY (${places}))`
const keyIn = `(SELECT string_agg(replace(pg_get_indexdef(i.indexrelid, k, true), '"', ''), ',' ORDER BY k)
  FROM generate_series(1, i.indnkeyatts) AS k)`

/** The query of the shapes of all tables in PostgreSQL. */
export const shapesInPostgres = `
  SELECT c.relname AS name, json_build_object(
    'columns', (SELECT json_agg(attname || ' ' || format_type(atttypid, atttypmod)
        || CASE WHEN collname = 'C' THEN ' COLLATE "C"' ELSE '' END
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END || ' '
        || coalesce(regexp_replace(pg_get_expr(adbin, adrelid), '::\\w+$', ''), '') ORDER BY attnum)
      FROM pg_attribute AS a LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      LEFT JOIN pg_collation AS l ON l.oid = a.attcollation WHERE attrelid = c.oid AND attnum > 0),
    'checks', (SELECT count(*) FROM pg_constraint WHERE conrelid = c.oid AND contype = 'c'),
    'references', (SELECT coalesce(json_agg(reference ORDER BY reference), '[]') FROM (
      SELECT ${columnIn("conrelid", "conkey")} || ' -> ' || confrelid::regclass || ' ' || ${columnIn("confrelid", "confkey")}
        || ' ' || ${actionOf("confdeltype")} || ' ' || ${actionOf("confupdtype")} AS reference
      FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f') AS r),
    'unique', (SELECT coalesce(json_agg(${keyIn} ORDER BY ${keyIn}), '[]') FROM pg_index AS i
      JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u') WHERE indrelid = c.oid),
    'indexes', (SELECT coalesce(json_agg(x.relname || ' (' || ${keyIn} || ') ' || indisunique::int || ' '
        || (indpred IS NOT NULL)::int ORDER BY x.relname), '[]')
      FROM pg_index AS i JOIN pg_class AS x ON x.oid = indexrelid WHERE indrelid = c.oid
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u')))
  ) AS shape FROM pg_class AS c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`
