import { json, pathOf, titleOf, type Case, type Context } from "./cost-case"
import { validBody } from "./fuzz-body"
import type { Operation } from "./fuzz-document"

/** Each operation once, with minimal values, on the record with the most data. */
export function* plainCases(operation: Operation, context: Context): Generator<Case> {
  const { known, random, isShort } = context
  // These read the whole file. The exports of all kinds are cases of their own.
  if (isShort && ["createBackup", "exportEverything"].includes(operation.id)) return
  yield {
    operation: titleOf(operation),
    id: operation.id,
    parameter: "nothing",
    value: "minimal",
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
