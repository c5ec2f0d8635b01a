import { Type, type TSchema } from "@sinclair/typebox"

export type Schemas = Record<string, TSchema>

/** Collects the schemas that have a name (`$id`), at any depth, and replaces them with references. */
export type Collector = { schemas: Schemas; named<T>(schema: T): T }

export function collector(): Collector {
  const schemas: Schemas = {}
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit)
    if (typeof part !== "object" || part === null) return part
    const { $id, ...rest } = part as { $id?: string }
    const content = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, visit(value)]))
    if ($id === undefined) return content
    schemas[$id] = content as TSchema
    return Type.Ref(`#/components/schemas/${$id}`)
  }
  return { schemas, named: <T>(schema: T) => visit(schema) as T }
}
