import { describe, expect, test } from "bun:test"
import type { FieldError } from "../lib/refusal"
import { decimal, positive, readOnly, reference, required, withDefault, type Mode } from "./field"
import { lines, type GivenLine } from "./lines"

const field = lines<GivenLine>(
  {
    id: readOnly(reference("sol")),
    item: required(reference("itm")),
    quantity: required(positive(decimal({ min: 0 }))),
    discount: withDefault(decimal({ min: 0, max: 100 }), 0),
    amount: readOnly(decimal()),
  },
  { name: "Line", min: 1, max: 3 },
)

function read(value: unknown, mode: Mode = "create") {
  const errors: FieldError[] = []
  const read = field.read(value, "items", errors, mode)
  return { lines: read, wrong: errors.map(({ field: at }) => at) }
}
const line = { item: "itm_1", quantity: 2 }

describe("The lines of a document", () => {
  test("Their number has limits, which are included.", () => {
    expect(read([line]).wrong).toEqual([])
    expect(read([line, line, line]).wrong).toEqual([])
    for (const value of [[], [line, line, line, line], { 0: line, length: 1 }, "[]", null, 1])
      expect(read(value).wrong).toEqual(["items"])
  })

  test("Each error names the line and the field.", () => {
    expect(read([line, { quantity: 0, discount: 100.0001, price: 1 }]).wrong.toSorted()).toEqual([
      "items[1].discount",
      "items[1].item",
      "items[1].price",
      "items[1].quantity",
    ])
  })

  test("An entry that is not an object is an error, and the lines after it keep their index.", () => {
    for (const entry of [null, [], [line], "line", 5, true]) {
      const { lines: found, wrong } = read([entry, line])
      expect(wrong).toEqual(["items[0]"])
      expect(found).toMatchObject([{}, line])
    }
  })

  test.each(["__proto__", "constructor", "toString"])("The name %p is unknown in a line.", (name) => {
    const given = JSON.parse(`{"item":"itm_1","quantity":1,"${name}":{"discount":50}}`)
    expect(read([given])).toMatchObject({ lines: [{ discount: 0 }], wrong: [`items[0].${name}`] })
  })

  test("A value of the prototype does not count as given.", () => {
    expect(read([Object.create(line)]).wrong).toEqual(["items[0].item", "items[0].quantity"])
  })

  test("A missing field gets its default at creation, and null in an update: there the line keeps its value.", () => {
    expect(read([line]).lines).toEqual([{ ...line, id: null, discount: 0 }])
    expect(read([line], "update").lines).toEqual([{ ...line, id: null, discount: null }])
    expect(read([{ ...line, discount: null }], "update").lines).toMatchObject([{ discount: null }])
  })

  test("Fields that only the server sets are refused at creation and ignored in an update, except the id.", () => {
    expect(read([{ ...line, id: "sol_1", amount: 5 }]).wrong).toEqual(["items[0].id", "items[0].amount"])
    expect(read([{ ...line, id: null, amount: null }]).wrong).toEqual([])
    const { lines: found, wrong } = read([{ ...line, id: "sol_1", amount: 5 }], "update")
    expect(wrong).toEqual([])
    expect(found).toEqual([{ ...line, id: "sol_1", discount: null }])
  })
})
