// Finds the programs of a PostgreSQL server for the tests. As a program, it installs Debian's packages if they are missing.
import { existsSync } from "node:fs"
import { apt } from "./apt"

const places = [
  "/usr/lib/postgresql/15/bin",
  "/usr/lib/postgresql/16/bin",
  "/usr/lib/postgresql/17/bin",
  "/usr/lib/postgresql/18/bin",
  "/opt/homebrew/opt/postgresql@15/bin",
  "/usr/local/opt/postgresql@15/bin",
]

/** The folder with initdb and pg_ctl; null if there is none. */
export const findPostgres = (): string | null => places.find((path) => existsSync(`${path}/initdb`)) ?? null

if (import.meta.main && findPostgres() === null) {
  console.error("Installing PostgreSQL 15 for the tests (only the first time)…")
  const isInstalled =
    apt("update") && apt("install", "--yes", "--no-install-recommends", "postgresql-15", "libpq5")
  if (!isInstalled || findPostgres() === null)
    console.error("PostgreSQL 15 cannot be installed here: its tests are skipped.")
}
