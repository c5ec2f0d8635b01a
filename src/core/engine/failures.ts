import { Refusal } from "../lib/refusal"
import {
  isForeignKeyViolation,
  isStorageFailure as isPostgresStorageFailure,
  isUniqueViolation,
  NulInText,
  PostgresError,
} from "./postgres/driver/errors"

const storageFailures = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_BUSY",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
]

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : ""

/** True when the database could not be written: the request is valid, and a later write may succeed. */
export function isStorageFailure(error: unknown): boolean {
  const code = codeOf(error)
  return isPostgresStorageFailure(error) || storageFailures.some((failure) => code.startsWith(failure))
}

/** True when another record has a value that must be unique. */
export const isTaken = (error: unknown): boolean =>
  codeOf(error) === "SQLITE_CONSTRAINT_UNIQUE" || isUniqueViolation(error)

/** True when other records refer to the record. */
export const isInUse = (error: unknown): boolean =>
  codeOf(error) === "SQLITE_CONSTRAINT_FOREIGNKEY" || isForeignKeyViolation(error)

/** True for a text that PostgreSQL cannot store. */
export const isUnstorableText = (error: unknown): boolean => error instanceof NulInText

/** The response to a request that only reads. */
export const unreadable = (error: unknown): Refusal =>
  later("The database cannot be read at the moment. Try again later.", error)

/** The response to every write of a batch that could not be stored. After a lost connection it may have been stored. */
export function unavailable(error?: unknown): Refusal {
  const isUnknown = error instanceof PostgresError && error.outcome === "unknown"
  return later(
    isUnknown
      ? "The connection to the database was lost. It is not known whether the write was stored. Check before you try again."
      : "The database cannot be written at the moment. Nothing was stored. Try again later.",
    error,
  )
}

const later = (message: string, cause: unknown): Refusal =>
  new Refusal("SERVICE_UNAVAILABLE", message, { headers: { "retry-after": "5" }, cause })
