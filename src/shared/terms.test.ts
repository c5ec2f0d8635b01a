import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { dueDateOf, paymentTerms } from "./terms"

const day = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9998-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

describe("The due date of net terms", () => {
  test("It is the given number of days after any invoice date.", () => {
    fc.assert(
      fc.property(day, fc.nat(364), (date, days) => {
        expect(daysBetween(date, dueDateOf(date, `Net ${days}`))).toBe(days)
      }),
    )
  })

  test.each([
    ["2028-02-01", "Net 30", "2028-03-02"],
    ["2026-02-01", "Net 30", "2026-03-03"],
    ["2026-12-31", "Net 1", "2027-01-01"],
    ["2026-03-01", "net30", "2026-03-31"],
    ["2026-03-01", "  NET   007 ", "2026-03-08"],
    ["2026-03-01", "Net 0", "2026-03-01"],
    ["2026-03-01", "Net\u00a014", "2026-03-15"],
  ])("An invoice of %p with the terms %p is due on %p.", (date, terms, due) => {
    expect(dueDateOf(date, terms)).toBe(due)
  })

  test("No due date is later than the last day with a year of four digits.", () => {
    expect(dueDateOf("9999-12-31", "Net 1")).toBe("9999-12-31")
    expect(dueDateOf("9999-12-30", "Net 1")).toBe("9999-12-31")
    expect(dueDateOf("9999-12-01", "Net 999999")).toBe("9999-12-31")
    expect(dueDateOf("9999-12-01", "EOM")).toBe("9999-12-31")
  })
})

describe("The due date at the end of the month", () => {
  test("It is the last day of the month of any invoice date.", () => {
    fc.assert(
      fc.property(day, (date) => {
        const due = dueDateOf(date, "EOM")
        const next = new Date(Date.parse(due) + 86_400_000).toISOString()
        expect(due.slice(0, 7)).toBe(date.slice(0, 7))
        expect(next.slice(8, 10)).toBe("01")
      }),
    )
  })

  test.each([
    ["2026-01-31", "2026-01-31"],
    ["2026-02-01", "2026-02-28"],
    ["2028-02-29", "2028-02-29"],
    ["2100-02-10", "2100-02-28"],
    ["2026-12-01", "2026-12-31"],
  ])("An invoice of %p is due on %p.", (date, due) => {
    for (const terms of ["EOM", "eom", " Eom "]) expect(dueDateOf(date, terms)).toBe(due)
  })
})

describe("Other terms", () => {
  test.each([
    "Due on receipt",
    "",
    "   ",
    "Net",
    "Net -5",
    "Net 1.5",
    "Net 30 days",
    "Net 1234567",
    "Net ٣٠",
    "EOM 30",
    "x EOM",
    "Nett 5",
  ])("With the terms %p, the due date is the invoice date.", (terms) => {
    expect(dueDateOf("2026-03-01", terms)).toBe("2026-03-01")
  })

  test("Without terms, the due date is the invoice date.", () => {
    expect(dueDateOf("2028-02-29", null)).toBe("2028-02-29")
  })

  test("All payment terms that the console offers give a later date, except Due on receipt.", () => {
    for (const terms of paymentTerms)
      expect(dueDateOf("2026-03-01", terms) > "2026-03-01").toBe(terms !== "Due on receipt")
  })
})
