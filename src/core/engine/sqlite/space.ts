import type { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import type { Size, TableSpace } from "../engine"

const pragma = (db: Database, name: string): number =>
  Number(Object.values(db.query<Record<string, number>, []>(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)

export function fileSize(db: Database): Size {
  const page = pragma(db, "page_size")
  return {
    bytes: pragma(db, "page_count") * page,
    unused: pragma(db, "freelist_count") * page,
    walBytes: walBytesOf(db.filename),
  }
}

function walBytesOf(file: string): number | null {
  if (file === ":memory:" || file === "") return null
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/** SQLite counts the pages of each table and index, also those of long values. */
export const fileSpace = (db: Database): TableSpace[] =>
  db
    .query<{ name: string; bytes: number; indexBytes: number; dated: number }, []>(
      `SELECT tbl_name AS name, sum(CASE type WHEN 'table' THEN pgsize ELSE 0 END) AS bytes,
         sum(CASE type WHEN 'index' THEN pgsize ELSE 0 END) AS "indexBytes",
         (SELECT count(*) FROM pragma_table_info(tbl_name) WHERE name IN ('seq', 'created_at')) AS dated
       FROM dbstat('main', 1) JOIN sqlite_schema USING (name) WHERE type IN ('table', 'index')
       GROUP BY tbl_name ORDER BY tbl_name`,
    )
    .all()
    .map(({ dated, ...space }) => ({ ...space, isDated: dated === 2 }))
