import type { Failure } from "../engine"
import { isForeignKeyViolation, isStorageFailure, isUniqueViolation, NulInText } from "./driver/errors"

/** What an error of PostgreSQL means; null for an error of the program itself. */
export function postgresFailureOf(error: unknown): Failure | null {
  if (error instanceof NulInText) return "unstorable"
  if (isStorageFailure(error)) return "unavailable"
  if (isUniqueViolation(error)) return "taken"
  return isForeignKeyViolation(error) ? "inUse" : null
}
