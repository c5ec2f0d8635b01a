import type { Failure } from "../../engine"

/**
 * Whether a transaction was stored whose COMMIT got no answer. `aborted`: nothing was stored. `unknown`: nobody could be
 * asked, or the server has been replaced since.
 */
export type Outcome = "committed" | "aborted" | "unknown"

type Details = { constraint?: string | null; detail?: string | null; outcome?: Outcome | null }

/** An error of the server or of the connection. `code` is an SQLSTATE. */
export class PostgresError extends Error {
  readonly code: string
  readonly constraint: string | null
  /** The values that caused the error. They are not part of the message, because it may be logged. */
  readonly detail: string | null
  /** Which statement of an exchange has failed. */
  place: number | null = null
  /** True if the statement was sent before the exchange that reports it. */
  isAhead = false
  /** Set when the connection was lost: whether the transaction or the statement was stored. */
  readonly outcome: Outcome | null

  constructor(code: string, message: string, { constraint, detail, outcome }: Details = {}) {
    super(message)
    this.name = "PostgresError"
    this.code = code
    this.constraint = constraint ?? null
    this.detail = detail ?? null
    this.outcome = outcome ?? null
  }
}

/**
 * A statement has failed that was sent with a later one, so the error may be of another write. The transaction must be rolled
 * back, and its writes done again without waiting statements.
 */
export class LateFailure extends Error {
  constructor(cause: PostgresError) {
    super(`A statement that waited has failed: ${cause.message}`, { cause })
    this.name = "LateFailure"
  }
}

/**
 * A text with a NUL character. It is refused before anything is sent, because C would cut the text there, and the rest
 * could be the name of another user. PostgreSQL cannot store the character either.
 */
export class NulInText extends PostgresError {
  constructor() {
    super("22021", "A text contains a NUL character, which PostgreSQL cannot store.")
    this.name = "NulInText"
  }
}

export const connectionLost = "08006"
export const noAnswer = "08000"
export const cannotConnect = "08001"
export const outcomeUnknown = "08007"
export const noTransaction = "25P01"
export const transactionOpen = "25001"
export const transactionFailed = "25P02"

export const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof PostgresError && codes.some((code) => error.code.startsWith(code))

export const uniqueViolation = "23505"
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, [uniqueViolation])

/** PostgreSQL 18 has a code of its own for ON DELETE RESTRICT. */
export const isForeignKeyViolation = (error: unknown): boolean => hasCode(error, ["23503", "23001"])

/** Connection exceptions, a server that shuts down or starts, and sessions that the server ended. */
const connectionFailures = ["08", "57P01", "57P02", "57P03", "57P05", "25P03", "25P04"]

export const isConnectionFailure = (error: unknown): boolean => hasCode(error, connectionFailures)

/**
 * Codes of requests that are valid, and that may succeed later: no space or memory, a canceled query, errors of the disk, a
 * read-only server, a lock that was not free in time, deadlocks and conflicts with other transactions.
 */
const storageFailures = [...connectionFailures, "53", "57014", "58", "25006", "55P03", "40001", "40P01"]

/** True when the database could not be read or written. */
export const isStorageFailure = (error: unknown): boolean => hasCode(error, storageFailures)

/** The server does not have a prepared statement. */
export const isUnknownStatement = (error: unknown): boolean => hasCode(error, ["26000"])

/** A prepared statement no longer fits the schema, or the server does not have it. */
export const isOutdatedPlan = (error: unknown): boolean =>
  isUnknownStatement(error) || (hasCode(error, ["0A000"]) && String(error).includes("cached plan"))

export function postgresFailureOf(error: unknown): Failure | null {
  if (error instanceof NulInText) return "unstorable"
  if (isStorageFailure(error)) return "unavailable"
  if (isUniqueViolation(error)) return "taken"
  return isForeignKeyViolation(error) ? "inUse" : null
}
