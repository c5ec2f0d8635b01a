import type { Changes } from "../write/writer"
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
    if (from === to) continue
    const mayBeEqual = typeof from === "object" && from !== null && typeof to === "object"
    if (!mayBeEqual || !Bun.deepEquals(from, to)) changes[name] = { from, to }
  }
  return changes
}
