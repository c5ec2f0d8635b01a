import { describe, expect, test } from "bun:test"
import type { FieldError } from "../lib/refusal"
import {
  decimal,
  derived,
  readOnly,
  readOnlyNullable,
  required,
  timestamp,
  withDefault,
  type Field,
} from "../kind/field"
import { operators, operatorsOf, readFilter } from "./filter"
import { text } from "../kind/text-field"

function read(field: Field, value: string) {
  const errors: FieldError[] = []
  const moneyContext = { currency: "EUR", digits: 2, today: "2026-03-01" }
  const term = readFilter({ name: "it", field, at: "it", moneyContext, errors, warnings: [] }, "null", value)
  return { term, errors }
}

describe("The operator null", () => {
  test("Only fields that may have no value have it.", () => {
    expect(operatorsOf(text())).toEqual(operators)
    for (const field of [required(text()), withDefault(decimal(), 0), readOnly(timestamp())])
      expect(operatorsOf(field)).toEqual(operators.filter((operator) => operator !== "null"))
    expect(operatorsOf(readOnlyNullable(timestamp()))).toContain("null")
  })

  test("It accepts true and false, and tells the planner which of the two it is.", () => {
    expect(read(text(), "true").term).toMatchObject({ operator: "null", values: [] })
    expect(read(text(), "false").term).toMatchObject({ operator: "notNull", values: [] })
    for (const wrong of ["TRUE", "1", "0", "null", "yes", " true", "true,false", ""])
      expect(read(text(), wrong).errors).toMatchObject([{ field: "it" }])
  })

  test("On a derived field it looks at the expression.", () => {
    const field = derived(readOnlyNullable(decimal()), () => "CASE WHEN x > 0 THEN x END")
    expect(read(field, "true").term?.sql).toBe("(CASE WHEN x > 0 THEN x END) IS NULL")
  })
})
