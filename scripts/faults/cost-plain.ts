import { json, pathOf, titleOf, type Case, type Means } from "./cost-case"
import { validBody } from "./fuzz-body"
import type { Operation } from "./fuzz-document"

/** Each operation once, with as little as it takes, about the record that has the most to tell. */
export function* plainCases(operation: Operation, means: Means): Generator<Case> {
  const { known, dice, isShort } = means
  // A copy of the whole file is made and checked, beside all else.
  const isCopy = operation.id === "createBackup"
  if (isShort && isCopy) return
  yield {
    operation: titleOf(operation),
    id: operation.id,
    parameter: "nothing",
    value: "as it is",
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
