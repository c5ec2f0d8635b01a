import type { Size, TableSpace } from "../engine"
import type { PostgresDatabase } from "./driver/database"

/** The log belongs to the whole server, whose administrator watches it. */
export const databaseSize = (db: PostgresDatabase): Size => ({
  bytes: Number(
    db.query<{ bytes: number }, []>("SELECT pg_database_size(current_database()) AS bytes").get()?.bytes ?? 0,
  ),
  unused: null,
  walBytes: null,
})

export const databaseSpace = (db: PostgresDatabase): TableSpace[] =>
  db
    .query<{ name: string; bytes: number; indexBytes: number; dated: number }, []>(
      `SELECT relname AS name, pg_table_size(oid) AS bytes, pg_indexes_size(oid) AS "indexBytes",
         (SELECT count(*) FROM pg_attribute WHERE attrelid = pg_class.oid AND attname IN ('seq', 'created_at')) AS dated
       FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname`,
    )
    .all()
    .map(({ name, bytes, indexBytes, dated }) => ({
      name,
      bytes: Number(bytes),
      indexBytes: Number(indexBytes),
      isDated: Number(dated) === 2,
    }))
