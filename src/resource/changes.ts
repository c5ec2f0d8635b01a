import type { Changes } from "../db/writer"
import { fieldsOf, type Resource } from "./define"

type Values = Record<string, unknown> | null

/**
 * Returns what a write changed in the fields that people set, for the audit log. `before` is null for a create, `after`
 * for a delete.
 */
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

// Nearly all values are scalars, and comparing them this way costs a tenth of a deep comparison.
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "object" && typeof b === "object" && Bun.deepEquals(a, b))
