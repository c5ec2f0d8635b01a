import { json, pathOf, titleOf, type Case, type Means } from "./cost-case"
import { validBody } from "./fuzz-body"
import type { Operation } from "./fuzz-document"

/** Each operation once, with minimal values, on the record with the most data. */
export function* plainCases(operation: Operation, means: Means): Generator<Case> {
  const { known, dice, isShort } = means
  // This operation copies and checks the whole file.
  const isCopy = operation.id === "createBackup"
  if (isShort && isCopy) return
  yield {
    operation: titleOf(operation),
    id: operation.id,
    parameter: "nothing",
    value: "minimal",
    ...(isCopy ? { patience: 180_000 } : {}),
    make: () => {
      const given = operation.body
        ? means.amend(operation.id, validBody(operation.body, dice, known, "x", 0))
        : null
      return {
        method: operation.method,
        path: pathOf(operation, means),
        ...(given ? { headers: json, body: JSON.stringify(given), given } : {}),
      }
    },
  }
}
