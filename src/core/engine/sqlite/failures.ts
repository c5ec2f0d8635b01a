import type { Failure } from "../engine"

/** The beginnings of the codes of errors, with their meaning. */
const meanings: Record<string, Failure> = {
  SQLITE_FULL: "unavailable",
  SQLITE_IOERR: "unavailable",
  SQLITE_READONLY: "unavailable",
  SQLITE_BUSY: "unavailable",
  SQLITE_CANTOPEN: "unavailable",
  SQLITE_NOMEM: "unavailable",
  SQLITE_CONSTRAINT_UNIQUE: "taken",
  SQLITE_CONSTRAINT_FOREIGNKEY: "inUse",
  SQLITE_CORRUPT: "damaged",
}

export function fileFailureOf(error: unknown): Failure | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return Object.entries(meanings).find(([start]) => code.startsWith(start))?.[1] ?? null
}
