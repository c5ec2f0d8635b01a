import { expect, test } from "bun:test"
import { comingNumber, defaultFormats, sharedWith, storedFormats } from "./numbering"

const formats = {
  ...defaultFormats,
  customers: "K{#}",
  salesOrders: " so-{YYYY}-{##} ",
  invoices: "",
  creditNotes: "",
}
const series = [
  { kind: "invoices", series: "INV-2026", start: 1, next: 42 },
  { kind: "invoices", series: "INV", start: 7, next: 7 },
] as const
const coming = (format: string, start: number | string = 1) =>
  comingNumber({
    kind: "invoices",
    format,
    start: start as number,
    storedStart: 1,
    series,
    today: "2026-03-05",
  })

test("Formats are stored in upper case, and an empty one is the default.", () => {
  expect(storedFormats(formats)).toEqual({
    ...defaultFormats,
    customers: "K{#}",
    salesOrders: "SO-{YYYY}-{##}",
    invoices: "INV-{YYYY}-{#####}",
    creditNotes: "CN-{YYYY}-{#####}",
  })
})

test("Two kinds that can have the same numbers are found, if all formats are valid.", () => {
  const stored = { ...storedFormats(formats), invoices: "SO-{#######}" }
  expect(sharedWith("invoices", stored)).toBeNull()
  expect(sharedWith("invoices", { ...stored, invoices: "SO-{YYYY}-{####}" })).toBe("salesOrders")
  expect(sharedWith("salesOrders", { ...stored, invoices: "SO-{YYYY}-{####}" })).toBe("invoices")
  expect(sharedWith("customers", { ...stored, invoices: "SO-{YYYY}-{####}" })).toBeNull()
  expect(sharedWith("invoices", { ...stored, customers: "K", invoices: "SO-{YYYY}-{####}" })).toBeNull()
})

test.each([
  ["continues its counter", "R{YY}-{###}", 1, { isEmpty: false, number: "R26-042" }],
  ["begins at the start of its empty series", "R{###}", 1, { isEmpty: true, start: 7, number: "R007" }],
  ["begins at the start that was typed", "R{###}", 500, { isEmpty: true, start: 500, number: "R500" }],
  ["begins at 1 without a start", "R{###}", "", { isEmpty: true, start: "", number: "R001" }],
  ["has no number with a start that is none", "R{###}", "many", { isEmpty: true, number: null }],
  ["has no number with a broken format", "R{", 1, { isEmpty: false, number: null }],
])("A format %s.", (_, format, start, expected) => {
  expect(coming(format, start)).toMatchObject(expected)
})
