import type { Changes } from "../db/writer"
import { fieldsOf, type Resource } from "./define"

type Values = Record<string, unknown> | null

/** What a write changed of the fields that people set, for the audit log. Before a create and after a delete is null. */
export function changesOf(resource: Resource, before: Values, after: Values): Changes {
  const changes: Changes = {}
  for (const [name, field] of fieldsOf(resource)) {
    if (field.access === "served") continue
    const from = before?.[name] ?? null
    const to = after?.[name] ?? null
    if (!Bun.deepEquals(from, to)) changes[name] = { from, to }
  }
  return changes
}
