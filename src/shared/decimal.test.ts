import { expect, test } from "bun:test"
import { fromUnits, nearestUnits, roundedTo, toUnits } from "./decimal"

test("A number with too many decimals has no exact units, but it has nearest units.", () => {
  expect([toUnits(1.5, 4), toUnits(1.00005, 4)]).toEqual([15_000, null])
  expect([nearestUnits(1.5, 4), nearestUnits(1.00005, 4)]).toEqual([15_000, 10_001])
})

test("The error of a binary fraction is not a decimal.", () => {
  const tenths = Array.from({ length: 1_000 }, () => 0.1)
  for (const [value, units] of [
    [12.599999999999998, 126_000],
    [0.1 + 0.2, 3_000],
    [0.1 + 0.2 - 0.3, 0],
    [4.35 * 100, 4_350_000],
    [1_000_000.1 - 1_000_000, 1_000],
    [tenths.reduce((sum, tenth) => sum + tenth, 0), 1_000_000],
    [999_999_999.9998999, 9_999_999_999_999],
  ] as const)
    expect([value, toUnits(value, 4)]).toEqual([value, units])
  for (const value of [12.12345, 12.60001, 12.6000001, 12.6000000001, 1e-10, 1 / 3])
    expect([value, toUnits(value, 4)]).toEqual([value, null])
})

test("Units convert back to the original number.", () => {
  for (const value of [0, 0.1, -7, 449.9, 999_999_999.9999])
    expect(fromUnits(toUnits(value, 4) ?? Number.NaN, 4)).toBe(value)
})

test("A difference is rounded to the given number of decimals.", () => {
  expect(roundedTo(0.3 - 0.1, 4)).toBe(0.2)
  expect(roundedTo(-0.00001, 4)).toBe(0)
})
