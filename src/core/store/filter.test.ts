import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { FieldError } from "../lib/refusal"
import {
  amount,
  boolean,
  choice,
  date,
  decimal,
  integer,
  readOnly,
  reference,
  status,
  timestamp,
  unique,
  statusWords,
  type Field,
} from "../kind/field"
import { operators, readFilter, type Operator } from "./filter"
import { email, text } from "../kind/text-field"

const withVirtual = readOnly(status(["draft", "unpaid"], { overdue: () => "due < 1" }))

/** A field of each kind, with a value that every operator accepts. */
const samples: Record<string, [Field, string]> = {
  text: [text(), "Desk"],
  prose: [text({ multiline: true }), "Desk"],
  code: [unique(text({ isCode: true })), "DESK-120"],
  email: [email(), "office@example.com"],
  choice: [choice(["Product", "Service"]), "Product"],
  status: [withVirtual, "draft"],
  reference: [reference("itm"), "itm_1"],
  decimal: [decimal(), "-12.5"],
  amount: [amount(), "12.5"],
  integer: [integer(), "12"],
  boolean: [boolean(), "true"],
  date: [date(), "2028-02-29"],
  timestamp: [timestamp(), "2026-03-01T09:30:00Z"],
}

function read(field: Field, operator: Operator, value: string, digits = 2) {
  const errors: FieldError[] = []
  const moneyContext = { currency: "EUR", digits, today: "2026-03-01" }
  const term = readFilter(
    { name: "someField", field, at: "at", moneyContext, errors, warnings: [] },
    operator,
    value,
  )
  return { term, errors }
}

const valuesOf = (field: Field, operator: Operator, value: string, digits?: number) => {
  const { term, errors } = read(field, operator, value, digits)
  expect(errors).toEqual([])
  return term?.values
}

/** Expects one error per wrong value, which names the parameter. */
function expectRefused(field: Field, operator: Operator, value: string): void {
  expect(read(field, operator, value).errors.map(({ field: at }) => at)).toEqual(["at"])
}

const comparing = operators.filter((operator) => operator !== "like" && operator !== "null")
/** A value that an operator accepts on a field whose values look like `value`. */
const acceptedBy = (operator: Operator, value: string) => (operator === "null" ? "true" : value)

describe.each(Object.entries(samples))("A filter on a field of kind %s", (_, [field, value]) => {
  test("Every operator creates a condition that names the field and has one value per placeholder.", () => {
    for (const operator of operators) {
      const { term, errors } = read(field, operator, acceptedBy(operator, value))
      expect(errors).toEqual([])
      expect(term).toMatchObject({ field: "someField", operator })
      expect(term?.sql.split("?").length).toBe((term?.values.length ?? 0) + 1)
      expect(term?.sql).not.toContain("undefined")
    }
  })

  test("No operator accepts an empty value or a list with an empty entry.", () => {
    for (const operator of operators) expectRefused(field, operator, "")
    for (const list of [",", `${value},`, `,${value}`, `${value}, ,${value}`])
      expectRefused(field, "in", list)
  })

  test("A list has at most 100 values; spaces around them do not count.", () => {
    const list = (length: number) => Array.from({ length }, () => ` ${value} `).join(",")
    const single = valuesOf(field, "eq", value) ?? []
    expect(valuesOf(field, "in", list(100))).toHaveLength(100 * single.length)
    expectRefused(field, "in", list(101))
  })

  test("A quote or a comment in a value never becomes SQL.", () => {
    for (const operator of operators)
      for (const attack of ["' OR 1=1 --", "x'); DROP TABLE items; --", "`\"'"])
        expect(read(field, operator, attack).term?.sql ?? "").not.toMatch(/1=1|DROP|`/)
  })
})

describe("The length of a value", () => {
  const field = text()
  test.each(["a", "🔩", "ä"])("It is counted in characters, here %s.", (character) => {
    for (const operator of comparing) {
      expect(read(field, operator, character.repeat(1_000)).errors).toEqual([])
      expectRefused(field, operator, character.repeat(1_001))
    }
    expect(read(field, "like", character.repeat(200)).errors).toEqual([])
    expectRefused(field, "like", character.repeat(201))
  })
})

describe("A filter by a number", () => {
  const wrong = [
    "1e3",
    "0x10",
    "+1",
    ".5",
    "1.",
    "1,000",
    " 1",
    "1 ",
    "--1",
    "NaN",
    "Infinity",
    "true",
    "null",
  ]
  test.each([...wrong, "١", "１", "1.2.3", "__proto__"])("%p is not a number.", (value) => {
    for (const field of [decimal(), amount(), integer()])
      for (const operator of comparing.filter((each) => each !== "in" || !/[\s,]/.test(value)))
        expectRefused(field, operator, value)
  })

  test("A decimal is compared in units of 1/10000, and an amount in the currency's minor unit.", () => {
    expect(valuesOf(decimal(), "eq", "-12.3456")).toEqual([-123_456])
    expect(valuesOf(amount(), "eq", "0.07", 2)).toEqual([7])
    expect(valuesOf(amount(), "eq", "1.005", 3)).toEqual([1_005])
    expect(valuesOf(amount(), "gt", "12.5", 0)).toEqual([12])
    expect(valuesOf(integer(), "lt", "12.5")).toEqual([13])
    // No whole number equals it.
    expect(valuesOf(integer(), "eq", "12.5")).toEqual([])
  })

  test("The largest price and the largest exact integer stay exact.", () => {
    expect(valuesOf(decimal(), "lte", "999999999.9999")).toEqual([9_999_999_999_999])
    expect(valuesOf(integer(), "eq", String(Number.MAX_SAFE_INTEGER))).toEqual([Number.MAX_SAFE_INTEGER])
  })

  test("A number that is larger than any stored value is still a valid bound.", () => {
    expect(valuesOf(decimal(), "lt", "9".repeat(400))).toEqual([9e18])
    expect(valuesOf(decimal(), "gt", `-${"9".repeat(400)}`)).toEqual([-9e18])
  })

  test("A bound with up to six decimals lies between the same units as the exact number.", () => {
    const sixDecimals = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
    fc.assert(
      fc.property(sixDecimals, (millionths) => {
        const size = String(millionths < 0n ? -millionths : millionths).padStart(7, "0")
        const value = `${millionths < 0n ? "-" : ""}${size.slice(0, -6)}.${size.slice(-6)}`
        const boundOf = (operator: Operator) =>
          Number((valuesOf(decimal(), operator, value) ?? [])[0] ?? Number.NaN)
        const near = millionths / 100n
        for (const units of [near - 1n, near, near + 1n]) {
          expect(Number(units) > boundOf("gt")).toBe(units * 100n > millionths)
          expect(Number(units) >= boundOf("gte")).toBe(units * 100n >= millionths)
          expect(Number(units) < boundOf("lt")).toBe(units * 100n < millionths)
          expect(Number(units) <= boundOf("lte")).toBe(units * 100n <= millionths)
          expect(Number(units) === boundOf("eq")).toBe(units * 100n === millionths)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe("A filter by a word", () => {
  test.each(["TRUE", "1", "0", "yes", "on", "null", " true"])("%p is not a boolean.", (value) => {
    for (const operator of ["eq", "ne", "gt", "lt"] as const) expectRefused(boolean(), operator, value)
  })

  test("A boolean is compared as 1 and 0.", () => {
    expect(valuesOf(boolean(), "in", "true,false")).toEqual([1, 0])
  })

  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "Draft", "draft "])(
    "%p is neither a status nor a choice.",
    (value) => {
      for (const operator of ["eq", "ne", "gte"] as const) {
        expectRefused(withVirtual, operator, value)
        expectRefused(choice(["draft"]), operator, value)
      }
    },
  )

  test("A status filter accepts the status words of every kind; a choice accepts only its own words.", () => {
    for (const word of statusWords()) expect(read(status(["draft"]), "eq", word).errors).toEqual([])
    expectRefused(choice(["draft"]), "eq", "paid")
  })

  test("A status that is not stored becomes its condition, alone, negated and in a list.", () => {
    expect(read(withVirtual, "eq", "overdue").term).toMatchObject({ sql: "(due < 1)", values: [] })
    expect(read(withVirtual, "ne", "overdue").term?.sql).toContain("NOT ((due < 1))")
    expect(read(withVirtual, "in", "draft,overdue,unpaid").term).toMatchObject({
      values: ["draft", "unpaid"],
    })
  })

  test("Each wrong word of a list has its own error.", () => {
    expect(read(choice(["a", "b"]), "in", "a,c,b,d").errors).toHaveLength(2)
  })
})

describe("A filter by a text", () => {
  test("Equal means the same characters, except for codes and email addresses: they ignore case.", () => {
    expect(valuesOf(text(), "eq", "Ärmel")).toEqual(["Ärmel"])
    expect(valuesOf(unique(text()), "eq", "DÉSK-ΟΔΟΣ")).toEqual(["désk-οδοσ"])
    expect(valuesOf(email(), "ne", "Office@Example.com")).toEqual(["office@example.com"])
  })

  test("gt, gte, lt and lte ignore case and accents, but not in an ID.", () => {
    expect(valuesOf(text(), "gte", "ÄRMEL")).toEqual(["armel"])
    expect(valuesOf(reference("itm"), "gte", "ITM_1")).toEqual(["ITM_1"])
  })

  test("The first 200 characters of a long text are compared, which may be 400 UTF-16 units.", () => {
    const prose = text({ multiline: true })
    expect(valuesOf(prose, "gt", "🔩".repeat(300))).toEqual(["🔩".repeat(200)])
    expect(valuesOf(prose, "gt", "a".repeat(201))).toEqual(["a".repeat(200)])
    expect(valuesOf(prose, "eq", "a".repeat(201))).toEqual(["a".repeat(201)])
    expect(valuesOf(text(), "gt", "a".repeat(201))).toEqual(["a".repeat(201)])
  })
})

describe("A filter by a date or a timestamp", () => {
  const missing = [
    "2026-02-29",
    "2100-02-29",
    "2026-02-30",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
  ]
  const malformed = [
    "2026-3-1",
    "26-03-01",
    "20260301",
    "2026/03/01",
    "+02026-03-01",
    "２０２６-03-01",
    "today",
  ]
  test.each([...missing, ...malformed])("%p is refused.", (value) => {
    for (const operator of comparing) {
      expectRefused(date(), operator, value)
      expectRefused(timestamp(), operator, value)
      expectRefused(timestamp(), operator, `${value}T00:00:00Z`)
    }
  })

  test("The first, the last and the leap days exist.", () => {
    for (const value of ["0000-01-01", "2000-02-29", "2028-02-29", "9999-12-31"])
      expect(valuesOf(date(), "eq", value)).toEqual([value])
  })

  test.each([
    "2026-03-01T24:00:00Z",
    "2026-03-01T23:59:60Z",
    "2026-03-01T09:30Z",
    "2026-03-01T09:30:00",
    "2026-03-01 09:30:00Z",
    "2026-03-01T09:30:00+24:00",
    "2026-03-01T09:30:00.Z",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:30:00-01:00",
  ])("%p is not a valid timestamp.", (value) => {
    for (const operator of comparing) expectRefused(timestamp(), operator, value)
  })

  test("A timestamp is compared in UTC with milliseconds.", () => {
    const field = timestamp()
    expect(valuesOf(field, "gt", "2026-03-01T00:30:00+01:00")).toEqual(["2026-02-28T23:30:00.000Z"])
    expect(valuesOf(field, "eq", "2026-03-01T09:30:00.123456789Z")).toEqual(["2026-03-01T09:30:00.123Z"])
  })

  test.each([
    ["eq", ["2026-03-01T00:00:00.000Z", "2026-03-01T23:59:59.999Z"]],
    ["ne", ["2026-03-01T00:00:00.000Z", "2026-03-01T23:59:59.999Z"]],
    ["gte", ["2026-03-01T00:00:00.000Z"]],
    ["lt", ["2026-03-01T00:00:00.000Z"]],
    ["gt", ["2026-03-01T23:59:59.999Z"]],
    ["lte", ["2026-03-01T23:59:59.999Z"]],
  ] as const)("A date means the whole day: %s is compared with %p.", (operator, bounds) => {
    expect(valuesOf(timestamp(), operator, "2026-03-01")).toEqual([...bounds])
  })
})
