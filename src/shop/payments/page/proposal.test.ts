import { expect, test } from "bun:test"
import { proposedParts, sumsOf, byAge } from "./proposal"

const lines = (...typed: (number | string | undefined)[]) =>
  [60, 60, 0.3].map((balance, i) => ({ balance, typed: typed[i] }))

test("An amount pays the first invoices, and the last one of them in part.", () => {
  expect(proposedParts(100, lines(), 2)).toEqual([60, 40, ""])
  expect(proposedParts(500, lines(), 2)).toEqual([60, 60, 0.3])
  expect(proposedParts("", lines(), 2)).toEqual(["", "", ""])
  expect(proposedParts("abc", lines(), 2)).toEqual(["", "", ""])
  expect(proposedParts(-5, lines(), 2)).toEqual(["", "", ""])
})

test("A typed part stays, and the others share what it leaves.", () => {
  expect(proposedParts(100, lines(50), 2)).toEqual([50, 50, ""])
  expect(proposedParts(100, lines(undefined, ""), 2)).toEqual([60, "", 0.3])
  expect(proposedParts(100, lines(undefined, 0), 2)).toEqual([60, 0, 0.3])
  expect(proposedParts(100, lines(undefined, 70), 2)).toEqual([30, 70, ""])
  expect(proposedParts(100, lines(undefined, 170), 2)).toEqual(["", 170, ""])
})

test("The sums are exact, and the rest is negative if the parts exceed the amount.", () => {
  expect(sumsOf(0.3, [0.1, 0.1, ""], 2)).toEqual({ allocated: 0.2, rest: 0.1 })
  expect(sumsOf(10, ["x", 12], 2)).toEqual({ allocated: 12, rest: -2 })
  expect(sumsOf("", [], 2)).toEqual({ allocated: 0, rest: 0 })
})

const invoice = (dueDate: string, numberSeries: string, numberCounter: number) => ({
  dueDate,
  numberSeries,
  numberCounter,
})

test("Invoices are paid by due date, then by number.", () => {
  const inOrder = [
    invoice("2026-01-31", "R", 9),
    invoice("2026-01-31", "R", 10),
    invoice("2026-01-31", "S", 1),
    invoice("2026-02-01", "R", 1),
  ]
  expect(inOrder.toReversed().toSorted(byAge)).toEqual(inOrder)
})
