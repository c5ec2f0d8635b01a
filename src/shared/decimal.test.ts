import { expect, test } from "bun:test"
import { fromUnits, nearestUnits, roundedTo, toUnits } from "./decimal"

test("A number with too many decimals has no exact units, but it has nearest units.", () => {
  expect([toUnits(1.5, 4), toUnits(1.00005, 4)]).toEqual([15_000, null])
  expect([nearestUnits(1.5, 4), nearestUnits(1.00005, 4)]).toEqual([15_000, 10_001])
})

test("Units convert back to the original number.", () => {
  for (const value of [0, 0.1, -7, 449.9, 999_999_999.9999])
    expect(fromUnits(toUnits(value, 4) ?? Number.NaN, 4)).toBe(value)
})

test("A difference is rounded to the given number of decimals.", () => {
  expect(roundedTo(0.3 - 0.1, 4)).toBe(0.2)
  expect(roundedTo(-0.00001, 4)).toBe(0)
})
