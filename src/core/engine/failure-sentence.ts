import { isStorageFailure } from "./failures"
import { hasCode, isConnectionFailure } from "./postgres/driver/errors"

const diskFull = ["SQLITE_FULL", "53100"]

/** No right, no schema to create tables in, and something that the server does not have. */
const refusals = ["42501", "3F000", "0A000"]

/**
 * The error of a database as a sentence for the person who runs a command. Returns null for errors of the program itself.
 */
export function failureSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (isStorageFailure(error)) return storageSentence(error)
  if (!hasCode(error, refusals)) return null
  // The statements that create the tables raise errors that are sentences.
  return error.message.endsWith(".") ? error.message : `PostgreSQL refused a statement: ${error.message}.`
}

function storageSentence(error: Error): string {
  if ("code" in error && diskFull.includes(String(error.code))) return "The disk of the database is full."
  return isConnectionFailure(error)
    ? `The connection to PostgreSQL was lost: ${sentence(error.message)}`
    : `The database cannot be used at the moment: ${sentence(error.message)}`
}

export const sentence = (message: string): string => (message.endsWith(".") ? message : `${message}.`)
