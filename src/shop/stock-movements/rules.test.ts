import { describe, expect, test } from "bun:test"
import { reasons } from "../../shared/suggestions"
import { movementErrors } from "./rules"

const isRefused = (quantity: unknown, reason: unknown) => {
  const errors = movementErrors(quantity, reason)
  for (const { field } of errors) expect(field).toBe("quantity")
  return errors.length > 0
}

describe("The quantity of a stock movement", () => {
  test("It must not be 0, for any reason; -0 counts as 0.", () => {
    for (const reason of [...reasons, null, undefined, "constructor"]) {
      expect(isRefused(0, reason)).toBeTrue()
      expect(isRefused(-0, reason)).toBeTrue()
    }
  })

  test("It may be negative for an adjustment only.", () => {
    expect(isRefused(-0.0001, "adjustment")).toBeFalse()
    expect(isRefused(-0.0001, "receipt")).toBeTrue()
    expect(isRefused(-0.0001, "return")).toBeTrue()
  })

  test("The smallest quantity above 0 is accepted.", () => {
    for (const reason of reasons) expect(isRefused(0.0001, reason)).toBeFalse()
  })

  test("An invalid value gets no second error.", () => {
    for (const wrong of [undefined, null, "-1", "0", [], {}]) expect(isRefused(wrong, "receipt")).toBeFalse()
  })
})
