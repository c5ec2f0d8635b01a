import { Unusable } from "../lib/refusal"
import { isStorageFailure, unreadable } from "./failures"

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
