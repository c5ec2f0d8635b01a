// A condition is SQL, so these tests let SQLite evaluate it, over one row in memory.
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { compilePattern } from "../engine/sqlite/pattern"
import type { FieldError } from "../lib/refusal"
import { fold } from "../lib/text"
import { amount, boolean, choice, date, decimal, integer, timestamp, type Field } from "../kind/field"
import { operators, readFilter, type Operator, type SqlValue } from "./filter"
import { text } from "../kind/text-field"

const db = new Database(":memory:", { strict: true })
db.function("folded", (stored: unknown) => (stored === null ? null : fold(String(stored))))
db.function("matches_pattern", (stored: unknown, pattern: string) =>
  stored === null ? null : Number(compilePattern(pattern)(String(stored))),
)

/** Whether a row with this stored value matches the filter. */
function matches(field: Field, stored: SqlValue | null, operator: Operator, value: string): boolean {
  const errors: FieldError[] = []
  const moneyContext = { currency: "EUR", digits: 2, today: "2026-03-01" }
  const term = readFilter(
    { name: "it", field, at: "it", moneyContext, errors, warnings: [] },
    operator,
    value,
  )
  expect(errors).toEqual([])
  const sort = typeof stored === "string" ? fold(stored) : stored
  const row = db
    .query<{ found: number | null }, (SqlValue | null)[]>(
      `SELECT (${term?.sql}) AS found FROM (SELECT ? AS it, ? AS it_sort)`,
    )
    .get(...(term?.values ?? []), stored, sort)
  return row?.found === 1
}

const holds: Record<Exclude<Operator, "in" | "like" | "null">, (a: SqlValue, b: SqlValue) => boolean> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
}
const comparison = fc.constantFrom("eq", "ne", "gt", "gte", "lt", "lte") as fc.Arbitrary<keyof typeof holds>

const day = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2090-12-31"), noInvalidDate: true })
  .map((moment) => moment.toISOString())

/** For each kind of field: a stored value, and the filter value that means the same. */
const kinds: [string, Field, fc.Arbitrary<{ stored: SqlValue; value: string }>][] = [
  [
    "decimals",
    decimal(),
    fc.integer({ min: -50, max: 50 }).map((n) => ({ stored: n, value: (n / 10_000).toFixed(4) })),
  ],
  [
    "amounts",
    amount(),
    fc.integer({ min: -50, max: 50 }).map((n) => ({ stored: n, value: (n / 100).toFixed(2) })),
  ],
  ["integers", integer(), fc.integer({ min: -5, max: 5 }).map((n) => ({ stored: n, value: String(n) }))],
  ["booleans", boolean(), fc.boolean().map((is) => ({ stored: Number(is), value: String(is) }))],
  ["choices", choice(["a", "b", "c"]), fc.constantFrom("a", "b", "c").map((v) => ({ stored: v, value: v }))],
  ["dates", date(), day.map((moment) => ({ stored: moment.slice(0, 10), value: moment.slice(0, 10) }))],
  ["timestamps", timestamp(), day.map((moment) => ({ stored: moment, value: moment }))],
]

describe.each(kinds)("Filters on %s", (_, field, pair) => {
  test("Every comparison agrees with the comparison of the values.", () => {
    fc.assert(
      fc.property(pair, pair, comparison, (a, b, operator) => {
        expect(matches(field, a.stored, operator, b.value)).toBe(holds[operator](a.stored, b.stored))
        expect(matches(field, a.stored, operator, a.value)).toBe(holds[operator](a.stored, a.stored))
      }),
    )
  })

  test("A list matches every value that equals one of its entries.", () => {
    fc.assert(
      fc.property(pair, fc.array(pair, { minLength: 1, maxLength: 5 }), (a, others) => {
        const isListed = others.some(({ stored }) => stored === a.stored)
        const list = others.map(({ value }) => value).join(" , ")
        expect(matches(field, a.stored, "in", list)).toBe(isListed)
      }),
    )
  })

  test("A record without a value matches ne and null, and no other operator.", () => {
    const others = operators.filter((operator) => operator !== "null")
    fc.assert(
      fc.property(pair, fc.constantFrom(...others), ({ stored, value }, operator) => {
        expect(matches(field, null, operator, value)).toBe(operator === "ne")
        for (const is of [true, false]) {
          expect(matches(field, null, "null", String(is))).toBe(is)
          expect(matches(field, stored, "null", String(is))).toBe(!is)
        }
      }),
    )
  })
})

test("A timestamp and a date are compared by the day of the timestamp in UTC.", () => {
  const near = fc.integer({ min: -90_000_000, max: 90_000_000 })
  fc.assert(
    fc.property(
      day,
      fc.oneof(near, fc.constantFrom(0, -1, 86_399_999, 86_400_000)),
      comparison,
      (at, millis, operator) => {
        const date = at.slice(0, 10)
        const stored = new Date(Date.parse(date) + millis).toISOString()
        expect(matches(timestamp(), stored, operator, date)).toBe(holds[operator](stored.slice(0, 10), date))
      },
    ),
  )
})

describe("Filters on text", () => {
  const letters = fc.string({
    unit: fc.constantFrom("a", "B", "ä", "É", "ß", "🔩", "ﬀ"),
    minLength: 1,
    maxLength: 4,
  })

  test.each([
    ["text", text()],
    ["long text", text({ multiline: true })],
  ])("Comparisons of %s ignore case and accents, and equality does not.", (_, field) => {
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const order = Buffer.compare(Buffer.from(fold(a)), Buffer.from(fold(b)))
        expect(matches(field, a, "gt", b)).toBe(order > 0)
        expect(matches(field, a, "gte", b)).toBe(order >= 0)
        expect(matches(field, a, "lt", b)).toBe(order < 0)
        expect(matches(field, a, "lte", b)).toBe(order <= 0)
        expect(matches(field, a, "eq", b)).toBe(a === b)
        expect(matches(field, a, "ne", b)).toBe(a !== b)
      }),
    )
  })

  test("Long texts that differ only after 200 characters are neither greater nor less.", () => {
    const prose = text({ multiline: true })
    const [a, b] = ["🔩".repeat(200) + "a", "🔩".repeat(200) + "b"]
    for (const operator of ["gte", "lte"] as const) expect(matches(prose, a, operator, b)).toBeTrue()
    for (const operator of ["gt", "lt", "eq"] as const) expect(matches(prose, a, operator, b)).toBeFalse()
    expect(matches(prose, a, "like", "%a")).toBeFalse()
    expect(matches(prose, a, "ne", b)).toBeTrue()
  })
})

describe("A pattern", () => {
  test.each([
    ["449.9", 4_499_000, true, decimal()],
    ["449.90%", 4_499_000, false, decimal()],
    ["999999999.9999", 9_999_999_999_999, true, decimal()],
    ["0.0001", 1, true, decimal()],
    ["-0._", -5_000, true, decimal()],
    ["0.07", 7, true, amount()],
    ["1.%", 100, false, amount()],
    ["tr%", 1, true, boolean()],
    ["1", 1, false, boolean()],
    ["2026-03-%", "2026-03-01", true, date()],
    ["2", 120, true, integer()],
  ] as const)(
    "The pattern %p matches the stored value %p, as shown to a user: %p.",
    (pattern, stored, is, field) => {
      expect(matches(field, stored, "like", pattern)).toBe(is)
    },
  )
})
