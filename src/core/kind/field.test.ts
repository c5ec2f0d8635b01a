import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { fieldError, type FieldError } from "../lib/refusal"
import {
  boolean,
  choice,
  date,
  decimal,
  instant,
  integer,
  list,
  payable,
  positive,
  reference,
  type Field,
} from "./field"

function read(field: Field, value: unknown) {
  const errors: FieldError[] = []
  const kept = field.read(value, "at", errors, "create")
  expect(kept === undefined).toBe(errors.length > 0)
  return kept
}
const refuses = (field: Field, value: unknown) => read(field, value) === undefined

function errorsOf(field: Field, value: unknown): FieldError[] {
  const errors: FieldError[] = []
  field.read(value, "at", errors, "create")
  return errors
}
const notAboveZero = fieldError("at", "TOO_SMALL", "must be greater than 0", { above: 0 })

describe("A decimal", () => {
  test.each([0.0001, 449.9, 1.005, 999_999_999.9999, -999_999_999.9999, 1e-4])("%p is accepted.", (value) => {
    expect(read(decimal(), value)).toBe(value)
  })

  test.each([0.00001, 1.00005, 0.3000001, 1e-7, 1e-10, 1e9, -1e9, Number.MAX_SAFE_INTEGER, 1e300])(
    "%p has too many decimals or is too large.",
    (value) => {
      expect(refuses(decimal(), value)).toBeTrue()
    },
  )

  test.each([
    [0.1 + 0.2, 0.3],
    [12.599999999999998, 12.6],
    [0.1 + 0.2 - 0.3, 0],
    [-1.1 * 3, -3.3],
    [Number.MIN_VALUE, 0],
  ])("The error of a calculation is removed: %p is %p.", (given, kept) => {
    expect(read(decimal(), given)).toBe(kept)
  })

  test("The error of a calculation does not exceed a limit.", () => {
    const percent = decimal({ min: 0, max: 100 })
    expect(read(percent, 100.00000000000001)).toBe(100)
    expect(read(percent, -1e-17)).toBe(0)
  })

  test("Every number with up to four decimals is accepted, and a fifth decimal is refused.", () => {
    const whole = fc.integer({ min: -999_999_999, max: 999_999_999 })
    fc.assert(
      fc.property(whole, fc.nat(9_999), fc.integer({ min: 1, max: 9 }), (units, decimals, fifth) => {
        const written = `${units}.${String(decimals).padStart(4, "0")}`
        expect(read(decimal(), Number(written))).toBe(Number(written) || 0)
        expect(refuses(decimal(), Number(written + fifth))).toBeTrue()
      }),
    )
  })

  test("The limits are included, and -0 becomes 0.", () => {
    const percent = decimal({ min: 0, max: 100 })
    expect([read(percent, 0), read(percent, 100)]).toEqual([0, 100])
    for (const value of [-0.0001, 100.0001]) expect(refuses(percent, value)).toBeTrue()
    expect(Object.is(read(percent, -0), 0)).toBeTrue()
  })

  test("A quantity that must be above 0 accepts neither 0 nor -0.", () => {
    const quantity = positive(decimal({ min: 0 }))
    expect(read(quantity, 0.0001)).toBe(0.0001)
    for (const value of [0, -0, -1, -1e-17, 1e-17]) expect(errorsOf(quantity, value)).toEqual([notAboveZero])
  })

  test("A value that is not a finite number is refused.", () => {
    for (const value of [null, undefined, "1", "", true, [], [1], {}, Number.NaN, Infinity, -Infinity, 1n])
      for (const field of [decimal(), positive(decimal()), payable(), integer()])
        expect(refuses(field, value)).toBeTrue()
  })
})

describe("Other numbers", () => {
  test("A payment is above 0; its decimals are checked later.", () => {
    expect(read(payable(), 0.00001)).toBe(0.00001)
    for (const value of [0, -0, -1]) expect(refuses(payable(), value)).toBeTrue()
  })

  test("An integer is exact: nothing beyond 2^53 - 1.", () => {
    expect(read(integer(), Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER)
    for (const value of [2 ** 53, 1e20, 0.5, -1]) expect(refuses(integer(), value)).toBeTrue()
    expect(read(integer({ min: -1, max: 1 }), -1)).toBe(-1)
    expect(refuses(integer({ min: -1, max: 1 }), 2)).toBeTrue()
  })
})

describe("A word", () => {
  test("A choice is exactly one of its words.", () => {
    const field = choice(["cash", "card"])
    expect(read(field, "cash")).toBe("cash")
    for (const value of [
      "Cash",
      "cash ",
      "",
      0,
      ["cash"],
      { toString: () => "cash" },
      "constructor",
      "length",
    ])
      expect(refuses(field, value)).toBeTrue()
  })

  test("Only true and false are booleans, not words or numbers.", () => {
    expect([read(boolean(), true), read(boolean(), false)]).toEqual([true, false])
    for (const value of ["true", "false", 0, 1, [], {}]) expect(refuses(boolean(), value)).toBeTrue()
  })

  test("A reference is any text: the record is looked up later.", () => {
    expect(read(reference("itm"), "__proto__")).toBe("__proto__")
    for (const value of [1, ["itm_1"], {}]) expect(refuses(reference("itm"), value)).toBeTrue()
  })
})

describe("A date and a timestamp", () => {
  test("Every date that exists is accepted, and the day after the last day of a month is refused.", () => {
    const months = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 1, max: 12 }))
    fc.assert(
      fc.property(months, ([year, month]) => {
        const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
        const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
        const on = (day: number) =>
          `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
        expect(read(date(), on(days))).toBe(on(days))
        expect(read(instant(), on(1))).toBe(`${on(1)}T00:00:00.000Z`)
        for (const day of [0, days + 1]) {
          expect(refuses(date(), on(day))).toBeTrue()
          expect(refuses(instant(), on(day))).toBeTrue()
          expect(refuses(instant(), `${on(day)}T12:00:00Z`)).toBeTrue()
        }
      }),
    )
  })

  test("A timestamp with an offset is stored in UTC.", () => {
    expect(read(instant(), "2026-01-01T00:30:00+05:45")).toBe("2025-12-31T18:45:00.000Z")
    expect(read(instant(), "2028-02-29T23:30:00-01:00")).toBe("2028-03-01T00:30:00.000Z")
  })

  test("An incomplete date is neither a date nor a timestamp.", () => {
    for (const value of [null, 0, 20260301, "", "2026-03-01T09:30", ["2026-03-01"], {}])
      for (const field of [date(), instant()]) expect(refuses(field, value)).toBeTrue()
  })
})

describe("A list", () => {
  const numbers = list(integer(), { min: 1, max: 3 })

  test("Its length has limits, which are included.", () => {
    expect(read(numbers, [1])).toEqual([1])
    expect(read(numbers, [1, 2, 3])).toEqual([1, 2, 3])
    for (const value of [[], [1, 2, 3, 4], "123", { 0: 1, length: 1 }, null])
      expect(refuses(numbers, value)).toBeTrue()
  })

  test("One invalid entry refuses the whole list, for example an empty entry or a nested list.", () => {
    for (const value of [[1, "2"], [null], [[1]], Array.from({ length: 2 })])
      expect(refuses(numbers, value)).toBeTrue()
  })
})
