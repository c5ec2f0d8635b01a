// What `kontor check` proves about credit notes, payments and what they settle: each rule is broken by hand.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { signIn } from "../support/api"
import { problemsInRows } from "../support/check"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

let kontor: Kontor
const backup = join(emptyFolder(), "backup.db")
const numbers: Record<string, string> = {}

/**
 * One customer with an invoice of an order (INV 1), partly credited with goods (CN 1), whose credit note pays INV 2 and
 * is refunded in part; an invoice with gross prices that is credited completely (INV 3, CN 2); a payment over INV 2 and
 * INV 4, refunded in part, with a rest; a voided payment; another customer with INV 5; and INV 7, written off in part.
 */
beforeAll(async () => {
  kontor = await serve()
  const api = await signIn(kontor)
  const shop = trade(api)
  const customer = (await shop.customer()).id
  const item = await shop.item({ taxRate: 19, sellingPrice: 10 })
  const issue = (rate: number, over: object = {}) =>
    api.create("/invoices", {
      customer,
      items: [{ description: "Work", quantity: 2, rate }],
      status: "unpaid",
      ...over,
    })
  const order = await shop.submitted({ customer, items: [{ item: item.id, quantity: 4, discount: 5 }] })
  const first = (await shop.bill(order.id)).body.data
  await shop.pay(first.id, first.total)
  const second = await issue(50)
  const note = await api.create(`/invoices/${first.id}/credit-notes`, {
    reason: "Returned",
    restock: true,
    items: [{ invoiceLine: first.items[0].id, quantity: 2 }],
  })
  await api.create(`/credit-notes/${note.id}/applications`, { invoice: second.id, amount: 5 })
  await api.create(`/credit-notes/${note.id}/refunds`, { amount: 3 })
  const code = await api.create("/tax-codes", { code: "S19", name: "Full", category: "S", rate: 19 })
  const third = await issue(0, {
    items: [{ description: "Gross", quantity: 1, rate: 119, taxCode: code.id }],
    pricesIncludeTax: true,
  })
  const whole = await api.create(`/invoices/${third.id}/credit-notes`, { reason: "Wrong" })
  const fourth = await issue(20)
  const payment = await api.create("/payments", { customer, amount: 150 })
  await api.create(`/payments/${payment.id}/refunds`, { amount: 5 })
  const voided = await api.create("/payments", { customer, amount: 7 })
  await api.delete(`/payments/${voided.id}`)
  const fifth = await issue(30, { customer: (await shop.customer()).id })
  const sixth = await issue(10)
  const seventh = await issue(15)
  await api.create(`/invoices/${seventh.id}/write-offs`, { amount: 2, reason: "Rounding" })
  const invoices = { first, second, third, fourth, fifth, sixth, seventh }
  for (const [name, { invoiceNumber }] of Object.entries(invoices)) numbers[name] = invoiceNumber
  Object.assign(numbers, { note: note.creditNoteNumber, whole: whole.creditNoteNumber, payment: payment.id })
  numbers.voided = voided.id
  numbers.order = order.orderNumber
  numbers.other = (await shop.get("customers", fifth.customer)).customerNumber
  numbers.customer = (await shop.get("customers", customer)).customerNumber
  expect(await run(["backup", backup], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
})
afterAll(cleanUp)

/** What `kontor check` finds in a copy that was changed by hand. Names in braces are replaced by numbers. */
function foundAfter(sql: string): string[] {
  const file = join(emptyFolder(), "copy.db")
  copyFileSync(backup, file)
  inFile({ file }, (db) => {
    const before = db.query("SELECT total_changes() AS n").get()
    db.run(`PRAGMA ignore_check_constraints = ON; ${filled(sql)}`)
    expect(db.query("SELECT total_changes() AS n").get()).not.toEqual(before)
  })
  return problemsInRows(file)
}
const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => numbers[name] ?? "")

const invoiceBy = (name: string) => `(SELECT id FROM invoices WHERE invoice_number = '{${name}}')`
const noteBy = (name: string) => `(SELECT id FROM credit_notes WHERE credit_note_number = '{${name}}')`
const onNote = `WHERE credit_note_number = '{note}'`
const onPayment = `WHERE id = '{payment}'`

test("a file with credit notes, refunds and payments over several invoices has no problem", async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0, stderr: "" })
})

test.each([
  // Credit notes
  [
    "lines of a credit note that do not add up",
    `UPDATE credit_note_lines SET amount = amount + 1 WHERE credit_note = ${noteBy("note")}`,
    "The lines of credit note {note} add up to 1901; its subtotal is 1900.",
  ],
  [
    "lines of a credit note that do not add up with tax",
    `UPDATE credit_note_lines SET gross_amount = gross_amount + 1 WHERE credit_note = ${noteBy("whole")}`,
    "The lines of credit note {whole} add up to 11901 with tax; its total is 11900.",
  ],
  [
    "a total of a credit note that is not its subtotal and tax",
    `UPDATE credit_notes SET total = total + 1, unapplied = unapplied + 1 ${onNote}`,
    "The total of credit note {note} is not the sum of its subtotal and tax.",
  ],
  [
    "discounts of a credit note that do not add up",
    `UPDATE credit_notes SET discount_total = discount_total + 1 ${onNote}`,
    "The discounts of credit note {note} do not add up to its discount total.",
  ],
  [
    "a discount of a credit note that its lines do not have",
    `UPDATE credit_notes SET discount_amount = 5 ${onNote}`,
    "The shares of the lines of credit note {note} in its discount add up to 0; the discount is 5.",
  ],
  [
    "a percentage of a credit note that its invoice does not have",
    `UPDATE credit_notes SET discount = 50000 ${onNote}`,
    "Credit note {note} has another discount on the whole in percent than its invoice, or one without an amount.",
  ],
  [
    "taxes of a credit note that do not add up",
    `UPDATE credit_notes SET taxes = json_set(taxes, '$[0].tax', 360) ${onNote}`,
    "The taxes of credit note {note} add up to 360; its tax total is 361.",
  ],
  [
    "a base of a credit note that its lines do not have",
    `UPDATE credit_notes SET taxes = json_set(taxes, '$[0].base', 1) ${onNote}`,
    "The lines of a tax of credit note {note} add up to 1900; its base is 1.",
  ],
  [
    "a line of a credit note with another tax",
    `UPDATE credit_note_lines SET tax_rate = 70000 WHERE credit_note = ${noteBy("note")}`,
    "A line of credit note {note} has a tax that its taxes do not contain.",
  ],
  [
    "a gap in the numbers of credit notes",
    `UPDATE credit_notes SET number_counter = 9 ${onNote}`,
    "have a gap: there are 2, and there should be 9.",
  ],
  [
    "a series that is ahead of its credit notes",
    "UPDATE number_series SET last = last + 1 WHERE name GLOB 'CN-*'",
    "is 3; the last credit note has 2.",
  ],
  [
    "a credit note with another rest",
    `UPDATE credit_notes SET unapplied = unapplied + 1 ${onNote}`,
    "Of credit note {note}, 1462 is left; its parts leave 1461.",
  ],
  [
    "a credit note whose applications do not add up",
    `UPDATE credit_notes SET applied = applied + 1, unapplied = unapplied - 1 ${onNote}`,
    "Of credit note {note}, 501 is applied; its applications add up to 500.",
  ],
  [
    "a credit note whose refunds do not add up",
    `UPDATE credit_notes SET refunded = refunded + 1, unapplied = unapplied - 1 ${onNote}`,
    "Of credit note {note}, 301 is refunded; its refunds add up to 300.",
  ],
  [
    "a credit note of another customer than its invoice",
    `UPDATE credit_notes SET customer = (SELECT id FROM customers WHERE customer_number = '{other}') ${onNote}`,
    "Credit note {note} is of another customer, currency or kind of prices than its invoice.",
  ],
  [
    "a credit note in another currency than its invoice",
    `UPDATE credit_notes SET currency = 'EUR' ${onNote}`,
    "Credit note {note} is of another customer, currency or kind of prices than its invoice.",
  ],
  [
    "a credit note that is older than its invoice",
    `UPDATE credit_notes SET credit_note_date = '2020-01-01' ${onNote}`,
    "Credit note {note} is of another customer",
  ],
  [
    "a credit note that pays an invoice of another customer",
    `UPDATE settlements SET invoice = ${invoiceBy("fifth")} WHERE kind = 'application'`,
    "Credit note {note} is applied to an invoice of another customer.",
  ],
  [
    "more tax credited than the invoice has",
    `UPDATE credit_notes SET taxes = json_set(taxes, '$[0].tax', 5000) ${onNote}`,
    "The credit notes of invoice {first} have a tax of 5000 in one category and rate; the invoice has 722.",
  ],
  [
    "less tax credited than the invoice has, though it is credited completely",
    `UPDATE credit_notes SET taxes = json_set(taxes, '$[0].tax', 1899) WHERE credit_note_number = '{whole}'`,
    "The credit notes of invoice {third} have a tax of 1899 in one category and rate; the invoice has 1900.",
  ],
  // Payments
  [
    "a payment with another rest",
    `UPDATE payments SET unallocated = unallocated + 1 ${onPayment}`,
    "Of payment {payment}, 1001 is left; its parts leave 1000.",
  ],
  [
    "a payment whose allocations do not add up",
    `UPDATE payments SET allocated = allocated + 1, unallocated = unallocated - 1 ${onPayment}`,
    "Of payment {payment}, 13501 is allocated; its allocations add up to 13500.",
  ],
  [
    "a payment whose refunds do not add up",
    `UPDATE payments SET refunded = refunded + 1, unallocated = unallocated - 1 ${onPayment}`,
    "Of payment {payment}, 501 is refunded; its refunds add up to 500.",
  ],
  [
    "a part of a voided payment that is not voided",
    "UPDATE payments SET voided_at = '2026-01-01' WHERE id = '{payment}'",
    "Payment {payment} is voided, but a part of it is not.",
  ],
  [
    "a payment of another customer than its invoices",
    `UPDATE payments SET customer = (SELECT id FROM customers WHERE customer_number = '{other}') ${onPayment}`,
    "Payment {payment} is allocated to an invoice of another customer.",
  ],
  [
    "a payment that names one of several invoices",
    `UPDATE payments SET invoice = ${invoiceBy("second")} ${onPayment}`,
    "Payment {payment} names another invoice than its allocations.",
  ],
  [
    "a payment without the invoice that it pays",
    `UPDATE payments SET invoice = NULL WHERE invoice = ${invoiceBy("first")}`,
    "names another invoice than its allocations.",
  ],
  [
    "an allocation that was taken out",
    `UPDATE settlements SET voided_at = '2026-01-01' WHERE kind = 'allocation' AND invoice = ${invoiceBy("fourth")}`,
    "The amount paid of invoice {fourth} is 4000; its payments add up to 0.",
  ],
  // Invoices
  [
    "an invoice whose applications do not add up",
    `UPDATE settlements SET amount = amount + 1 WHERE kind = 'application'`,
    "The applied credit of invoice {second} is 500; its applications add up to 501.",
  ],
  [
    "an invoice whose credit notes do not add up",
    `UPDATE invoices SET credited_total = credited_total + 1 WHERE invoice_number = '{first}'`,
    "Of invoice {first}, 2262 is credited; its credit notes add up to 2261, or lower its balance by another amount.",
  ],
  [
    "an invoice whose credit notes lower its balance by another amount",
    `UPDATE invoices SET credit_taken = credit_taken - 1, balance = 1 WHERE invoice_number = '{third}'`,
    "Of invoice {third}, 11900 is credited; its credit notes add up to 11900, or lower its balance by another amount.",
  ],
  [
    "an invoice whose write-offs do not add up",
    "UPDATE write_offs SET voided_at = '2026-01-01'",
    "Of invoice {seventh}, 200 is written off; its write-offs add up to 0.",
  ],
  ...(
    [
      ["a balance without the write-off", "balance = balance + 200", "seventh"],
      ["the status unpaid with a write-off", "status = 'unpaid'", "seventh"],
      ["a balance without the credit", "balance = balance + 1", "second"],
      ["the status credited without credit notes", "status = 'credited'", "second"],
      ["the status credited after a part", "status = 'credited'", "first"],
      ["another status though everything is credited", "status = 'paid', paid_at = created_at", "third"],
      ["the status unpaid with applied credit", "status = 'unpaid', paid_at = NULL", "second"],
      ["the status partially_paid without payments", "status = 'partially_paid'", "sixth"],
      ["the status paid with a balance", "status = 'paid', paid_at = created_at", "sixth"],
    ] as const
  ).map(
    ([title, values, name]) =>
      [
        title,
        `UPDATE invoices SET ${values} WHERE invoice_number = '{${name}}'`,
        `The balance or the status of invoice {${name}} does not match its payments and credits.`,
      ] as const,
  ),
  [
    "a line of an invoice with another credited quantity",
    `UPDATE invoice_lines SET credited_quantity = 10000 WHERE invoice = ${invoiceBy("first")}`,
    "A line of invoice {first} is not credited as its credit notes say, or more than it has.",
  ],
  [
    "a line of an invoice with another credited amount",
    `UPDATE invoice_lines SET credited_amount = credited_amount - 1 WHERE invoice = ${invoiceBy("third")}`,
    "A line of invoice {third} is not credited as its credit notes say, or more than it has.",
  ],
  [
    "more pieces credited than the invoice has",
    `UPDATE invoice_lines SET quantity = 10000 WHERE invoice = ${invoiceBy("first")}`,
    "A line of invoice {first} is not credited as its credit notes say, or more than it has.",
  ],
  // Customers, orders and stock
  [
    "a customer with another credit",
    "UPDATE customers SET credit_balance = credit_balance + 1 WHERE customer_number = '{customer}'",
    "The credit balance of customer {customer} is 2462; what is left of credit notes and payments adds up to 2461.",
  ],
  [
    "an order with another returned quantity",
    "UPDATE sales_order_lines SET returned_quantity = 10000",
    "The returned quantity of a line of sales order {order} is 1; its credit notes add up to 2.",
  ],
  [
    "goods that came back without a credit note",
    `UPDATE credit_notes SET restock = 0 ${onNote}`,
    "The stock movements of credit note {note} do not match its lines.",
  ],
  [
    "goods that did not come back",
    "UPDATE stock_movements SET source_type = NULL WHERE reason = 'credit'",
    "The stock movements of credit note {note} do not match its lines.",
  ],
])("kontor check finds %s", (_, sql, sentence) => {
  const found = foundAfter(sql)
  expect(found.some((each) => each.includes(filled(sentence))) || found).toBe(true)
})
