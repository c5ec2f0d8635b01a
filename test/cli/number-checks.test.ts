import { afterAll, beforeAll, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { problemsInRows } from "../support/check"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { importOpening } from "../support/opening"
import { trade } from "../support/trade"

let kontor: Kontor
let api: Api

/** Invoices of two years, of a series with a start, and with a format that was changed in the middle of a year. */
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  const shop = trade(api)
  await api.put("/settings", { numberStarts: { invoices: 500 } })
  const [customer, item] = [(await shop.customer()).id, (await shop.item()).id]
  const issue = (over: object = {}) =>
    api.create("/invoices", { customer, items: [{ item, quantity: 1 }], status: "unpaid", ...over })
  await issue()
  await issue()
  await api.put("/settings", { numberFormats: { invoices: "R{YY}{MM}/{##}" } })
  await issue()
  await issue({ invoiceDate: "2025-12-31" })
  await api.put("/settings", { numberFormats: { invoices: "R-{#}" } })
  await issue()
  await issue({ invoiceDate: "2025-12-31" })
  const opening = { invoiceNumber: "Old 1", customer, invoiceDate: "2025-12-31", balance: 5 }
  expect(await importOpening(api, [opening])).toEqual([])
})
afterAll(cleanUp)

const year = new Date().getFullYear()
const problems = () => problemsInRows(kontor.file)
/** What `kontor check` finds after a change by hand, which is then undone. */
function after(change: string, undo: string): string[] {
  inFile(kontor, (db) => db.run(change))
  const found = problems()
  inFile(kontor, (db) => db.run(undo))
  return found
}
const series = `INV-${year}`

test("numbers of several formats and a start have no gap", async () => {
  const numbers = (
    await api.get("/invoices?isOpening=false&sort=createdAt&order=asc&fields=numberSeries,numberCounter")
  ).body.data
  expect(
    numbers.map((each: { numberSeries: string; numberCounter: number }) => [
      each.numberSeries,
      each.numberCounter,
    ]),
  ).toEqual([
    [series, 500],
    [series, 501],
    [series, 502],
    ["INV-2025", 1],
    ["INV", 1],
    ["INV", 2],
  ])
  expect(problems()).toEqual([])
})

test.each([
  [
    "a counter that is missing in the middle",
    `UPDATE invoices SET number_series = 'INV-1999', number_counter = 1 WHERE number_counter = 501`,
    `UPDATE invoices SET number_series = '${series}', number_counter = 501 WHERE number_series = 'INV-1999'`,
    [
      `Invoice numbers of the series ${series} have a gap: there are 2, and there should be 3.`,
      "The last number of the series INV-1999 is 0; the last invoice has 1.",
    ],
  ],
  [
    "a counter that is missing at the start",
    `UPDATE number_series SET first = 499 WHERE name = '${series}'`,
    `UPDATE number_series SET first = 500 WHERE name = '${series}'`,
    [`Invoice numbers of the series ${series} have a gap: there are 3, and there should be 4.`],
  ],
  [
    "a counter that is used twice",
    `UPDATE invoices SET number_counter = 501 WHERE number_counter = 500`,
    `UPDATE invoices SET number_counter = 500 WHERE number_counter = 501 AND invoice_number LIKE '%500'`,
    [`Invoice numbers of the series ${series} have a gap: there are 2, and there should be 3.`],
  ],
  [
    "a series that is ahead of its invoices",
    "UPDATE number_series SET last = 3 WHERE name = 'INV'",
    "UPDATE number_series SET last = 2 WHERE name = 'INV'",
    ["The last number of the series INV is 3; the last invoice has 2."],
  ],
  [
    "a series without its invoices",
    "INSERT INTO number_series (name, last) VALUES ('INV-1998', 1)",
    "DELETE FROM number_series WHERE name = 'INV-1998'",
    ["The last number of the series INV-1998 is 1; the last invoice has 0."],
  ],
  [
    "a number without a series",
    "UPDATE invoices SET number_series = NULL WHERE number_series = 'INV-2025'",
    "UPDATE invoices SET number_series = 'INV-2025' WHERE number_series IS NULL AND is_opening = 0",
    [
      "Invoice R2512/01 has a number, but no series and counter, or the other way round.",
      "The last number of the series INV-2025 is 1; the last invoice has 0.",
    ],
  ],
  [
    "an opening invoice with a number of ours",
    "UPDATE invoices SET number_series = 'INV', number_counter = 3 WHERE is_opening = 1",
    "UPDATE invoices SET number_series = NULL, number_counter = NULL WHERE is_opening = 1",
    [
      "Opening invoice Old 1 has a number of ours, a tax, an order, an item, a credit note or paper, or it has no number or not one line.",
      "The last number of the series INV is 2; the last invoice has 3.",
    ],
  ],
  [
    "an opening invoice with another balance than its line",
    "UPDATE invoices SET subtotal = 400, total = 400 WHERE is_opening = 1",
    "UPDATE invoices SET subtotal = 500, total = 500 WHERE is_opening = 1",
    [
      "The lines of invoice Old 1 add up to 500; its subtotal is 400.",
      "The balance or the status of invoice Old 1 does not match its payments and credits.",
    ],
  ],
])("kontor check finds %s", (_, change, undo, expected) => {
  expect(after(change, undo)).toEqual(expected)
})

test("a series with a start and no number yet is not a problem", () => {
  inFile(kontor, (db) => db.run("INSERT INTO number_series (name, first, last) VALUES ('INV-2024', 100, 99)"))
  expect(problems()).toEqual([])
})
