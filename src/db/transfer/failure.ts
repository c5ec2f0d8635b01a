import { Unusable } from "../../lib/unusable"
import { isStorageFailure } from "../failures"
import { isConnectionFailure, PostgresError } from "../postgres/errors"

const diskFull = ["SQLITE_FULL", "53100"]

/** The error of a copy as a sentence that says what to do. Errors of the program itself stay as they are. */
export function failureOf(error: unknown): unknown {
  if (error instanceof Unusable || !(error instanceof Error)) return error
  if (isStorageFailure(error))
    return new Unusable(`${reasonOf(error)} Run the same command again to continue the copy.`)
  return error instanceof PostgresError ? new Unusable(sentence(error.message)) : error
}

function reasonOf(error: Error): string {
  if ("code" in error && diskFull.includes(String(error.code))) return "The disk of the copy is full."
  return isConnectionFailure(error)
    ? `The connection to PostgreSQL was lost: ${sentence(error.message)}`
    : `The copy was interrupted: ${sentence(error.message)}`
}

const sentence = (message: string): string => (message.endsWith(".") ? message : `${message}.`)
