import { describe, expect, test } from "bun:test"
import type { Schema } from "./document"
import { typesOf } from "./types"

const codes: Schema = { type: "string", enum: ["A", "B"] }
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const schemas: Record<string, Schema> = {
  Limit: { type: "integer" },
  Line: { type: "object", properties: { next: ref("Line") } },
  Order: {
    type: "object",
    properties: { number: { type: "string", description: "Its number" }, total: { type: "number" } },
    required: ["number", "total"],
  },
  DryRunOrder: {
    type: "object",
    properties: { number: { type: ["string", "null"] }, total: { type: "number" } },
    required: ["number", "total"],
  },
}
const newTypes = () =>
  typesOf(
    { info: { version: "" }, tags: [], paths: {}, components: { schemas, parameters: {} } },
    { Code: codes },
  )

describe("a schema as a type", () => {
  test.each<[Schema, string]>([
    [{ type: "integer" }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ const: true }, "true"],
    [{ type: ["string", "null"], enum: ["x", null] }, '"x" | null'],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: ["array", "null"], items: { type: ["string", "null"] } }, "(string | null)[] | null"],
    [{ type: "array", items: { anyOf: [ref("Line"), { type: "null" }] } }, "(Line | null)[]"],
    [{ type: "object" }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    [{}, "unknown"],
    [ref("Limit"), "number"],
    [ref("Line"), "Line"],
    [codes, "Code"],
  ])("%j is %s", (schema, type) => {
    expect(newTypes().typeOf(schema)).toBe(type)
  })

  test("an object has its properties, optional ones with a question mark, and their descriptions", () => {
    const properties = { id: { type: "string" }, "a-b": { type: "number", description: "Ends */ here" } }
    expect(newTypes().typeOf({ type: "object", properties, required: ["id"] })).toBe(
      '{\n  id: string\n  /** Ends *\\/ here */\n  "a-b"?: number\n}',
    )
  })

  test("what a dry run has in place of a record has only what differs", () => {
    const types = newTypes()
    types.typeOf(ref("DryRunOrder"))
    expect(types.all()).toContain(
      'export type DryRunOrder = Omit<Order, "number"> & {\n  number: string | null\n}',
    )
  })

  test("a named type is declared once, even if it contains itself", () => {
    const types = newTypes()
    types.typeOf(ref("Line"))
    types.typeOf(ref("Line"))
    expect(types.all()).toEqual(["export type Line = {\n  next?: Line\n}"])
  })
})
