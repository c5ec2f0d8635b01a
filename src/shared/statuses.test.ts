import { expect, test } from "bun:test"
import { invoiceFilterStatuses, invoiceStatuses, statusWords } from "./statuses"

test("The filter of invoices has every stored status, in the same order, and overdue.", () => {
  expect(invoiceFilterStatuses.filter((status) => status !== "overdue")).toEqual([...invoiceStatuses])
})

test("A status word contains neither a comma nor a space, so that it can be part of a list in a query.", () => {
  for (const word of statusWords) expect(word).toMatch(/^[a-z]+(_[a-z]+)*$/)
})
