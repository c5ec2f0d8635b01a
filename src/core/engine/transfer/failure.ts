import { Unusable } from "../../lib/unusable"
import { failureSentence, sentence } from "../failure-sentence"
import { isStorageFailure } from "../failures"
import { PostgresError } from "../postgres/driver/errors"

/** The error of a copy as a sentence that says what to do. Errors of the program itself stay as they are. */
export function failureOf(error: unknown): unknown {
  const known = failureSentence(error)
  if (known !== null)
    return new Unusable(
      isStorageFailure(error) ? `${known} Run the same command again to continue the copy.` : known,
    )
  return error instanceof PostgresError ? new Unusable(sentence(error.message)) : error
}
