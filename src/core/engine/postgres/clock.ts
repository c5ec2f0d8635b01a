import type { PostgresDatabase } from "./driver/database"

/** What the clock of the server of the database says, in milliseconds. It is only compared with ours. */
export const clockOf = (db: PostgresDatabase): number | null =>
  db.query<{ at: number }, []>("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at").get()
    ?.at ?? null
