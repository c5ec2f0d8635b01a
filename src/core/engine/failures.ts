import { Refusal, Unusable } from "../lib/refusal"
import type { Failure } from "./engine"
import {
  hasCode,
  isConnectionFailure,
  LateFailure,
  PostgresError,
  postgresFailureOf,
} from "./postgres/driver/errors"
import { fileFailureOf } from "./sqlite/failures"

/** What an error of a database means; null for an error of the program itself. */
const failureOf = (error: unknown): Failure | null => postgresFailureOf(error) ?? fileFailureOf(error)

/** True when the database could not be written: the request is valid, and a later write may succeed. */
export const isStorageFailure = (error: unknown): boolean => failureOf(error) === "unavailable"

/** True when a write may have failed because of another one in its transaction. */
export const isLate = (error: unknown): boolean => error instanceof LateFailure

/** True when another record has a value that must be unique. */
export const isTaken = (error: unknown): boolean => failureOf(error) === "taken"

/** True when other records refer to the record. */
export const isInUse = (error: unknown): boolean => failureOf(error) === "inUse"

/** True for a text that the engine cannot store. */
export const isUnstorableText = (error: unknown): boolean => failureOf(error) === "unstorable"

export const isDamage = (error: unknown): error is Error => failureOf(error) === "damaged"

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

/** What keeps a database from being used, by the beginnings of the codes of errors. The sentence has nothing secret. */
const problems: { code: ProblemCode; starts: readonly string[]; message: string }[] = [
  { code: "DISK_FULL", starts: ["SQLITE_FULL", "53100"], message: "The disk of the database is full." },
  { code: "READ_ONLY", starts: ["SQLITE_READONLY", "25006"], message: "The database is read-only." },
  { code: "LOCKED", starts: ["SQLITE_BUSY", "55P03"], message: "Another program has locked the database." },
  {
    code: "DISK_ERROR",
    starts: ["SQLITE_IOERR", "SQLITE_CANTOPEN", "58"],
    message: "The disk of the database has errors.",
  },
  {
    code: "DAMAGED",
    starts: ["SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002"],
    message: "The database is damaged.",
  },
]

export type ProblemCode =
  "DISK_FULL" | "READ_ONLY" | "LOCKED" | "DISK_ERROR" | "DAMAGED" | "UNREACHABLE" | "UNAVAILABLE"

export type Problem = { code: ProblemCode | "NO_LEADER"; message: string }

/** The server of a database does not answer. */
export const unreachable: Problem = {
  code: "UNREACHABLE",
  message: "The PostgreSQL server cannot be reached.",
}

/** Why a database cannot be used, for programs that watch the server. The log has the error itself. */
export function problemOf(error: unknown): Problem {
  if (isConnectionFailure(error)) return unreachable
  const text = error instanceof Error && "code" in error ? String(error.code) : ""
  const { code, message } =
    problems.find(({ starts }) => starts.some((start) => text.startsWith(start))) ?? other
  return { code, message }
}

const other: Problem = { code: "UNAVAILABLE", message: "The database cannot be used at the moment." }

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

const sentence = (message: string): string => (message.endsWith(".") ? message : `${message}.`)

/** Any error of PostgreSQL as a sentence; null for others. */
export const postgresSentence = (error: unknown): string | null =>
  error instanceof PostgresError ? sentence(error.message) : null

/** An error of a thread that reads, as it is sent to another one. */
export type SentFailure = { error: string; isUnavailable: boolean }

/** A database that cannot be opened now may be opened later. */
export const sentFailure = (error: unknown): SentFailure => ({
  error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  isUnavailable: isStorageFailure(error) || error instanceof Unusable,
})

export function receivedFailure({ error, isUnavailable }: SentFailure): Error {
  const failure = new Error(error)
  return isUnavailable ? unreadable(failure) : failure
}
