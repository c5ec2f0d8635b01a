import { expect, test } from "bun:test"
import {
  activeStatuses,
  creditNoteStatuses,
  invoiceFilterStatuses,
  invoiceStatuses,
  orderStatuses,
  statusWords,
} from "./statuses"

test("The filter of invoices has every stored status, in the same order, and overdue.", () => {
  expect(invoiceFilterStatuses.filter((status) => status !== "overdue")).toEqual([...invoiceStatuses])
})

test("The status words are those of all kinds, without duplicates.", () => {
  expect(new Set(statusWords).size).toBe(statusWords.length)
  expect(new Set(statusWords)).toEqual(
    new Set<string>([
      ...orderStatuses,
      ...invoiceStatuses,
      ...creditNoteStatuses,
      ...activeStatuses,
      "overdue",
    ]),
  )
})

test("A status word contains neither a comma nor a space, so that it can be part of a list in a query.", () => {
  for (const word of statusWords) expect(word).toMatch(/^[a-z]+(_[a-z]+)*$/)
})
