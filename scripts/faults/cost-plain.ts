import { json, pathOf, titleOf, type Case, type Context } from "./cost-case"
import { validBody } from "./fuzz-body"
import type { Operation } from "./fuzz-document"

/** Each operation once, with minimal values, on the record with the most data. */
export function* plainCases(operation: Operation, context: Context): Generator<Case> {
  const { known, random, isShort } = context
  // The first of these copies and checks the whole file, the second reads all of it.
  const isWhole = ["createBackup", "exportEverything"].includes(operation.id)
  if (isShort && operation.id === "createBackup") return
  yield {
    operation: titleOf(operation),
    id: operation.id,
    parameter: "nothing",
    value: "minimal",
    ...(isWhole ? { timeout: 180_000 } : {}),
    make: () => {
      const given = operation.body
        ? context.amend(operation.id, validBody(operation.body, random, known, "x", 0))
        : null
      return {
        method: operation.method,
        path: pathOf(operation, context),
        ...(given ? { headers: json, body: JSON.stringify(given), given } : {}),
      }
    },
  }
}
