import { Unusable } from "../lib/unusable"
import { PostgresError } from "./postgres/errors"

/** An error that a thread sends to another one. Its code tells there whether the database could not be read. */
export type SentError = { message: string; code: string | null; isOfPostgres: boolean }

export function sentError(thrown: unknown): SentError {
  // A database that cannot be opened now may be opened later.
  const error = thrown instanceof Unusable && thrown.cause instanceof PostgresError ? thrown.cause : thrown
  return {
    message: error instanceof Error ? error.message : String(error),
    code: error instanceof Error && "code" in error ? String(error.code) : null,
    isOfPostgres: error instanceof PostgresError,
  }
}

export function receivedError({ message, code, isOfPostgres }: SentError): Error {
  if (code === null) return new Error(message)
  return isOfPostgres ? new PostgresError(code, message) : Object.assign(new Error(message), { code })
}
