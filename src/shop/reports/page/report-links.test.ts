import { expect, test } from "bun:test"
import { ageLink, salesLink } from "./report-links"

test("A figure of a month opens the documents of its first to its last day, and a sum those of all months.", () => {
  expect(salesLink("paid", "2028-02")).toBe(
    "/payments?paymentDate[gte]=2028-02-01&paymentDate[lte]=2028-02-29",
  )
  expect(salesLink("credited", "2025-12", "2026-11")).toBe(
    "/credit-notes?creditNoteDate[gte]=2025-12-01&creditNoteDate[lte]=2026-11-30&isCancellation=false",
  )
})

test("The age groups touch each other: no due date is in two of them or in none.", () => {
  const days = ["notDue", "1-30", "31-60", "61-90", "over90"].map((label) =>
    [...ageLink(label, "2026-03-15").matchAll(/dueDate\[(\w+)\]=([\d-]+)/g)].map(
      ([, sign, day]) => `${sign} ${day}`,
    ),
  )
  expect(days).toEqual([
    ["gte 2026-03-15"],
    ["gte 2026-02-13", "lte 2026-03-14"],
    ["gte 2026-01-14", "lte 2026-02-12"],
    ["gte 2025-12-15", "lte 2026-01-13"],
    ["lte 2025-12-14"],
  ])
})
