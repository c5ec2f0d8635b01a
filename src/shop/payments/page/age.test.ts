import { expect, test } from "bun:test"
import { byAge } from "./age"

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
