import type { Changes } from "../db/writer"
import { fieldsOf, type Resource } from "./define"

type Values = Record<string, unknown> | null

/** What a write changed of the fields that people set, for the audit log. Before a create and after a delete is null. */
export function changesOf(resource: Resource, before: Values, after: Values): Changes {
  const changes: Changes = {}
  for (const [name, field] of fieldsOf(resource)) {
    if (field.access === "readOnly") continue
    const from = before?.[name] ?? null
    const to = after?.[name] ?? null
    if (!isSame(from, to)) changes[name] = { from, to }
  }
  return changes
}

// Nearly all values are simple, and a comparison of them costs a tenth of a deep one.
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "object" && typeof b === "object" && Bun.deepEquals(a, b))
