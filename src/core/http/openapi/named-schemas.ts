import { Type, type TSchema } from "@sinclair/typebox"
import { isDeepStrictEqual } from "node:util"

export type Schemas = Record<string, TSchema>

/** Collects the schemas that have a name (`$id`), at any depth, and replaces them with references. */
export type Collector = { schemas: Schemas; named<T>(schema: T): T }

export function collector(): Collector {
  const schemas: Schemas = {}
  // Thousands of parameters share a few schemas.
  const visited = new Map<object, unknown>()
  const visit = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part
    const known = visited.get(part)
    if (known !== undefined) return known
    const result = Array.isArray(part) ? part.map(visit) : visitObject(part)
    visited.set(part, result)
    return result
  }
  const visitObject = (part: { $id?: string }): unknown => {
    const { $id, ...rest } = part
    const content = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, visit(value)]))
    if ($id === undefined) return content
    if (schemas[$id] && !isDeepStrictEqual(schemas[$id], content))
      throw new Error(`Two different schemas are named ${$id}.`)
    schemas[$id] = content as TSchema
    return Type.Ref(`#/components/schemas/${$id}`)
  }
  return { schemas, named: <T>(schema: T) => visit(schema) as T }
}
