import type { TSchema } from "@sinclair/typebox"
import type { Parameter } from "../../core/http/route/route"

/** A JSON Schema, as clients get it. */
export type Schema = { [keyword: string]: unknown }

/**
 * A schema of the API document as JSON Schema alone: without the names of its parts, which would make them parts of
 * another document, and without our own keywords. Records of other kinds in it are any object.
 */
export function plain(schema: TSchema | Schema): Schema {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== "object" || value === null) return value
    if ("$ref" in value) return { type: "object" }
    return Object.fromEntries(
      Object.entries(value)
        .filter(
          ([keyword, inner]) =>
            !(keyword === "$id" && typeof inner === "string") && !keyword.startsWith("x-"),
        )
        .map(([keyword, inner]) => [keyword, change(inner)]),
    )
  }
  return change(schema) as Schema
}

/** A parameter of a query as a property of an object. */
export const asProperty = ({ schema, description }: Parameter): Schema => ({
  ...plain(schema),
  ...(description === undefined ? {} : { description }),
})

export const text = (description: string, more: Schema = {}): Schema => ({
  type: "string",
  description,
  ...more,
})

/** An object without other properties. */
export const closed = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})
