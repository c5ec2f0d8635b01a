import { describe, expect, test } from "bun:test"
import { body, emptyBody } from "./body"
import { boolean, choice, decimal, required, withDefault } from "./field"
import { omittedField } from "./object"
import { text } from "./text-field"

const payment = body({
  amount: required(decimal({ min: 0 })),
  method: withDefault(choice(["cash", "card"]), "card"),
  note: text(),
  isFinal: boolean(),
})

const read = (input: unknown) => {
  const { values, errors } = payment.read(input as Record<string, unknown>)
  return { values, wrong: errors.map(({ field }) => field) }
}

describe("A body that is not a record", () => {
  test("A field that is missing, null or undefined gets its default, or null.", () => {
    for (const none of [{}, { method: null, note: null, isFinal: null }, { method: undefined }])
      expect(read({ amount: 5, ...none })).toEqual({
        values: { amount: 5, method: "card", note: null, isFinal: null },
        wrong: [],
      })
  })

  test("The values false and 0 count as given.", () => {
    expect(read({ amount: 0, isFinal: false })).toMatchObject({
      values: { amount: 0, isFinal: false },
      wrong: [],
    })
  })

  test("All errors are reported together, including unknown fields.", () => {
    expect(read({ method: "gold", note: 5, tip: 1 }).wrong.toSorted()).toEqual([
      "amount",
      "method",
      "note",
      "tip",
    ])
    expect(read({ amount: null }).wrong).toEqual(["amount"])
  })

  test("A value that was refused is null, and no default replaces it.", () => {
    expect(read({ amount: -1, method: "gold" }).values).toMatchObject({ amount: null, method: null })
  })

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("The name %p is unknown.", (name) => {
    const { values, wrong } = read(JSON.parse(`{"amount":1,"${name}":{"note":"x"}}`))
    expect(wrong).toEqual([name])
    expect(values.note).toBeNull()
  })

  test("A value of the prototype does not count as given.", () => {
    expect(read(Object.create({ amount: 5 })).wrong).toEqual(["amount"])
  })

  test("A body that was cut because it was too large is refused as a whole.", () => {
    expect(read({ amount: 1, [omittedField]: true }).wrong).toEqual(["body"])
  })

  test("An array is a body without the required field, and its entries are unknown fields.", () => {
    expect(read(["x"]).wrong.toSorted()).toEqual(["0", "amount"])
  })
})

describe("The schema of a body", () => {
  test("It lists the required fields, allows null in the others, and allows no unknown field.", () => {
    expect(payment.schema).toMatchObject({
      type: "object",
      required: ["amount"],
      additionalProperties: false,
      properties: {
        amount: { type: "number" },
        method: { anyOf: [{ type: "string", enum: ["cash", "card"] }, { type: "null" }] },
        note: { type: ["string", "null"] },
      },
    })
  })

  test("It has no default, because a generated client would send it.", () => {
    expect(payment.schema.properties.method).not.toHaveProperty("default")
  })

  test("A body without fields is optional, and any field in it is an error.", () => {
    expect(emptyBody.isOptional).toBeTrue()
    expect(payment.isOptional).toBeFalse()
    expect(emptyBody.schema).not.toHaveProperty("required")
    expect(emptyBody.read({})).toEqual({ values: {}, errors: [] })
    expect(emptyBody.read({ toString: 1 }).errors).toMatchObject([{ field: "toString" }])
  })
})
