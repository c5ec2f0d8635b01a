import { describe, expect, test } from "bun:test"
import { Type, type TSchema } from "@sinclair/typebox"
import type { Parameter } from "../route/route"
import { sharedParameters } from "./parameters"

const filter = (name: string, schema: TSchema = Type.String()): Parameter => ({ name, in: "query", schema })
const share = (...lists: Parameter[][]) => sharedParameters(lists, (schema) => schema)

describe("Parameters of several operations", () => {
  test("A parameter of four operations is shared, one of three stays in them.", () => {
    const lists = [1, 2, 3, 4].map((i) => [filter("page"), ...(i < 4 ? [filter("note")] : [])])
    const { parameters, refer } = share(...lists)
    expect(Object.keys(parameters)).toEqual(["page"])
    expect(lists[0]?.map(refer)).toMatchObject([{ $ref: "#/components/parameters/page" }, { name: "note" }])
  })

  test("The name of a component has no brackets.", () => {
    const lists = [1, 2, 3, 4].map(() => [filter("createdAt[gte]")])
    expect(Object.keys(share(...lists).parameters)).toEqual(["createdAt.gte"])
  })

  test("Two parameters with the same name and different schemas are not mixed up.", () => {
    const lists = [1, 2, 3, 4].flatMap(() => [[filter("status")], [filter("status", Type.Integer())]])
    const { parameters, refer } = share(...lists)
    expect(parameters).toMatchObject({ status: { schema: { type: "string" } } })
    expect(lists[1]?.map(refer)).toMatchObject([{ name: "status", schema: { type: "integer" } }])
  })

  test("A parameter of a path stays in its operation.", () => {
    const id: Parameter = { ...filter("id"), in: "path", required: true }
    const { parameters, refer } = share([id], [id], [id], [id])
    expect(parameters).toEqual({})
    expect(refer(id)).toMatchObject(id)
  })
})
