import { beforeAll, describe, expect, test } from "bun:test"
import {
  browserPath,
  chooseAction,
  follow,
  inspector,
  settle,
  startConsole,
  type Window,
  reloadUntilGone,
} from "../support/browser"
import { adminPassword } from "../support/kontor"

const { api, shop, open } = await startConsole()

const shopUser = "till@shop.example"
const part = (page: Window, number: string) => page.getByLabel(`Part of the payment for ${number}`)
const balanceOf = async (id: string) => (await shop.get("invoices", id)).balance

describe.skipIf(browserPath === null)("payments in the console", () => {
  let item: string
  let customer: { id: string; name: string }
  type Invoice = { id: string; invoiceNumber: string }
  let late: Invoice
  let early: Invoice
  let small: Invoice

  const issue = (customer: string, quantity: number, dueDate: string): Promise<Invoice> =>
    api.create("/invoices", {
      customer,
      items: [{ item, quantity }],
      invoiceDate: "2026-01-05",
      dueDate,
      status: "unpaid",
    })
  const pay = (over: object) => api.create("/payments", { customer: customer.id, ...over })
  const latest = async () => (await api.get("/payments?sort=createdAt&order=desc")).body.data[0]

  beforeAll(async () => {
    await api.create("/users", { email: shopUser, name: "T", role: "shop", password: adminPassword })
    item = (await shop.item()).id
    customer = await shop.customer({ name: "Café Nordlicht", creditLimit: 5000 })
    late = await issue(customer.id, 6, "2099-03-31")
    early = await issue(customer.id, 6, "2026-02-28")
    small = await issue(customer.id, 0.5, "2099-04-30")
  })

  test("one payment of a customer pays several invoices, as proposed: oldest first", async () => {
    const page = await open("/")
    await page.keyboard.press("Control+k")
    await page.getByLabel("Search everything").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("record pay")
    await page.getByRole("dialog").getByRole("button", { name: "Record payment" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Record payment" }).waitFor()
    await page.getByLabel("Customer").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("nordl")
    const found = page.locator("[role=option][data-combobox-selected]")
    await found.filter({ hasText: /Café Nordlicht.*\$125\.00 open/ }).waitFor()
    await page.keyboard.press("Enter")
    await part(page, early.invoiceNumber).waitFor()
    const numbers = await page
      .getByRole("table", { name: "Open invoices" })
      .getByText(/^INV-/)
      .allInnerTexts()
    expect(numbers).toEqual([early, late, small].map(({ invoiceNumber }) => invoiceNumber))
    await page.getByRole("row", { name: early.invoiceNumber }).getByText("Overdue").waitFor()
    await page.keyboard.press("Tab")
    await page.keyboard.type("100")
    const parts = () =>
      Promise.all([early, late, small].map(({ invoiceNumber }) => part(page, invoiceNumber).inputValue()))
    expect(await parts()).toEqual(["60.00", "40.00", ""])
    // The proposal follows the amount.
    await page.keyboard.type("0")
    expect(await parts()).toEqual(["60.00", "60.00", "5.00"])
    await page.getByText("$875.00").waitFor()
    await page.keyboard.press("Backspace")
    await page.getByLabel("Method").fill("Bank transfer")
    await page.keyboard.press("Escape")
    await page.getByLabel("Reference").fill("RF18 5390")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Payment of $100.00" }).waitFor()
    await page.getByText("The payment of $100.00 was recorded.").waitFor()
    expect(await latest()).toMatchObject({
      amount: 100,
      unallocated: 0,
      method: "Bank transfer",
      reference: "RF18 5390",
      allocations: [
        { invoice: early.id, amount: 60 },
        { invoice: late.id, amount: 40 },
      ],
    })
    // The method is remembered, as in the payment dialog of an invoice.
    await follow(page, "/payments/new", "Record payment")
    expect(await page.getByLabel("Method").inputValue()).toBe("Bank transfer")
    page.assertQuiet()
  })

  test("a typed part stays, the others share what it leaves, and the rest is a credit", async () => {
    const page = await open(`/customers/${customer.id}`)
    await page.getByRole("link", { name: "Record payment" }).click()
    // The amount has the focus, because the customer is known.
    await page.getByLabel("Amount").and(page.locator(":focus")).waitFor()
    await part(page, late.invoiceNumber).waitFor()
    await page.keyboard.type("30")
    expect(await part(page, late.invoiceNumber).inputValue()).toBe("20.00")
    expect(await part(page, small.invoiceNumber).inputValue()).toBe("5.00")
    await page.getByText("Stays as credit").waitFor()
    await part(page, late.invoiceNumber).fill("12")
    await part(page, small.invoiceNumber).fill("20")
    await page.getByText("The parts exceed the amount by $2.00.").waitFor()
    await page.getByRole("button", { name: "Record payment" }).click()
    await page.getByRole("alert").getByText("Must add up to at most $30.00").waitFor()
    // What the server refuses is shown at the line.
    await part(page, late.invoiceNumber).fill("1")
    await page.getByRole("button", { name: "Record payment" }).click()
    await page.getByText(`Invoice ${small.invoiceNumber} has $5.00 left to pay.`).waitFor()
    const line = page.getByRole("row", { name: small.invoiceNumber })
    await line.getByText("Enter at most $5.00").waitFor()
    expect(await part(page, small.invoiceNumber).getAttribute("aria-invalid")).toBe("true")
    expect(await part(page, late.invoiceNumber).getAttribute("aria-invalid")).not.toBe("true")
    await page.getByRole("button", { name: "Propose again" }).click()
    expect(await part(page, late.invoiceNumber).inputValue()).toBe("20.00")
    await part(page, late.invoiceNumber).fill("")
    await page.getByRole("button", { name: "Record payment" }).click()
    await page.getByRole("heading", { level: 1, name: "Payment of $30.00" }).waitFor()
    expect(await latest()).toMatchObject({
      unallocated: 25,
      allocations: [{ invoice: small.id, amount: 5 }],
    })
    await page.getByText("$25.00 of this payment is a credit of Café Nordlicht.").waitFor()
    page.assertQuiet()
  })

  test("the customer's page has the open invoices and the credit, and uses it", async () => {
    const page = await open(`/customers/${customer.id}`)
    const main = page.getByRole("main")
    await main.getByText("Due Mar 31, 2099").waitFor()
    await main.getByText("Credit balance").waitFor()
    await page.getByRole("link", { name: "View all: open invoices" }).waitFor()
    await page.getByRole("button", { name: "Allocate the rest of $25.00" }).click()
    const dialog = page.getByRole("dialog")
    // The oldest open invoice, as much as it needs.
    const amount = dialog.getByLabel("Amount")
    expect(await amount.inputValue()).toBe("20.00")
    await page.keyboard.type("99")
    await page.keyboard.press("Enter")
    await dialog.getByText("The payment has $25.00 left.").waitFor()
    await amount.fill("8")
    await page.keyboard.press("Enter")
    await page.getByText(`$8.00 was allocated to ${late.invoiceNumber}.`).waitFor()
    expect(await balanceOf(late.id)).toBe(12)
    await page.getByRole("button", { name: "Refund the rest of $17.00" }).click()
    await page.getByRole("dialog", { name: "Refund the payment of $30.00" }).waitFor()
    await dialog.getByLabel("Amount").fill("7")
    await page.keyboard.press("Enter")
    await page.getByText("The refund of $7.00 was recorded.").waitFor()
    await page.getByRole("button", { name: "Allocate the rest of $10.00" }).waitFor()
    expect(await shop.get("customers", customer.id)).toMatchObject({ creditBalance: 10 })
    page.assertQuiet()
  })

  test("the page of a payment edits how it was paid, and shows its notes", async () => {
    const { id } = await latest()
    const page = await open(`/payments/${id}`)
    await page.getByRole("button", { name: "Edit" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Reference").fill("RF18 5390")
    await dialog.getByLabel("Notes").fill("Asked twice.\nPaid by a relative.")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByText("Asked twice. Paid by a relative.", { exact: true }).waitFor()
    expect(await shop.get("payments", id)).toMatchObject({
      reference: "RF18 5390",
      notes: "Asked twice.\nPaid by a relative.",
      amount: 30,
    })
    await page
      .getByRole("region", { name: "Timeline" })
      .getByText("admin set the reference to RF18 5390")
      .waitFor()
    page.assertQuiet()
  })

  test("the page of a payment voids its parts and the whole after a question, and tells what happened", async () => {
    const { id } = await latest()
    const page = await open(`/payments/${id}`)
    const answer = page.getByRole("dialog").getByRole("button", { name: "Void" })
    await page.getByRole("button", { name: `Void the allocation of $8.00 to ${late.invoiceNumber}` }).click()
    await page.getByText("The amount is added to the invoice balance again").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    expect(await balanceOf(late.id)).toBe(12)
    await page.getByRole("button", { name: `Void the allocation of $8.00 to ${late.invoiceNumber}` }).click()
    await answer.click()
    await page.getByText("The allocation of $8.00 was voided.").waitFor()
    expect(await balanceOf(late.id)).toBe(20)
    await page.getByRole("button", { name: "Void the refund of $7.00" }).click()
    await answer.click()
    await page.getByText("The refund of $7.00 was voided.").waitFor()
    await page.getByText("$25.00 of this payment is a credit").waitFor()
    const timeline = page.getByRole("region", { name: "Timeline" })
    for (const sentence of [
      "voided the refund of $7.00",
      `voided the allocation of $8.00 to ${late.invoiceNumber}`,
      "refunded $7.00",
      `allocated $8.00 to ${late.invoiceNumber}`,
      "recorded the payment of $30.00",
    ])
      await timeline.getByText(sentence).waitFor()
    await page.getByRole("link", { name: small.invoiceNumber }).click()
    await page.getByRole("heading", { level: 1, name: small.invoiceNumber }).waitFor()
    await page.goBack()
    await page.getByRole("heading", { level: 1, name: "Payment of $30.00" }).waitFor()
    await chooseAction(page, "Void payment")
    await page.getByText(`open again by what it paid: ${small.invoiceNumber}.`).waitFor()
    await page.getByText("The customer loses the credit of $25.00.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Void payment" }).click()
    await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor()
    await page.getByText("The payment of $30.00 was voided.").waitFor()
    await reloadUntilGone(page, api, `/payments/${id}`)
    expect(await balanceOf(small.id)).toBe(5)
    page.assertQuiet()
  })

  test("an invoice links its payments, and says if only a part is voided", async () => {
    const page = await open(`/invoices/${late.id}`)
    await page.getByText("Part of a payment of $100.00").waitFor()
    await page.getByRole("button", { name: "Delete the payment of $40.00" }).click()
    await page.getByText("Only this part of the payment of $100.00 is voided").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Void" }).click()
    await page.getByText("The allocation of $40.00 was voided.").waitFor()
    expect(await latest()).toMatchObject({ amount: 100, unallocated: 40, allocated: 60 })
    await shop.pay(late.id, 3)
    await page.reload()
    await page.getByRole("button", { name: "Delete the payment of $3.00" }).click()
    await page.getByText("The amount is added to the invoice balance again.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    const box = page.getByRole("main").filter({ hasText: "Payments" })
    await box.getByRole("link", { name: /^\w{3} \d+, 2026$/ }).click()
    await page.getByRole("heading", { level: 1, name: "Payment of $3.00" }).waitFor()
    page.assertQuiet()
  })

  test("the list filters, adds up and opens payments", async () => {
    const other = await shop.customer({ name: "Zeppelin" })
    // As somebody has chosen it on a German screen.
    const cash = { amount: 7, method: "Bar", paymentDate: "2026-01-15", allocations: [] }
    const { id } = await pay({ customer: other.id, ...cash })
    const page = await open("/settings/account")
    await page.getByRole("navigation").getByRole("link", { name: "Payments" }).click()
    await page.getByRole("row", { name: /Sum of 3.*\$110\.00.*\$47\.00/ }).waitFor()
    await page.getByRole("row", { name: new RegExp(`Nordlicht.*${early.invoiceNumber}`) }).waitFor()
    await page.getByLabel("With an unallocated rest").click()
    await page.getByRole("row", { name: /Sum of 2/ }).waitFor()
    await page.getByPlaceholder("Method").click()
    await page.getByRole("option", { name: "Cash" }).click()
    await page.getByRole("row", { name: /Sum of 1.*\$7\.00/ }).waitFor()
    expect(new URL(page.url()).search).toContain(encodeURIComponent("unallocated[gt]"))
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page.getByRole("row", { name: /Sum of 3/ }).waitFor()
    await page.getByRole("row", { name: "Zeppelin" }).getByText("Cash").click()
    await page.getByRole("heading", { level: 1, name: "Payment of $7.00" }).waitFor()
    // Nothing is open, so nothing can be allocated.
    await page.getByRole("button", { name: "Allocate" }).click()
    await page.getByText("Zeppelin has no open invoices.").waitFor()
    await page.keyboard.press("Escape")
    await follow(page, `/settings/audit?recordId=${id}`, "Audit log")
    await page.getByRole("cell", { name: "Zeppelin" }).waitFor()
    await page.locator("tbody button").first().click()
    await page.getByRole("link", { name: "Open record" }).click()
    await page.getByRole("heading", { level: 1, name: "Payment of $7.00" }).waitFor()
    page.assertQuiet()
  })

  test("a till records and allocates payments, and cannot refund or void them", async () => {
    const { id } = await pay({ amount: 2, allocations: [{ invoice: small.id, amount: 1 }] })
    const page = await open(`/payments/${id}`, { email: shopUser })
    await page.getByRole("button", { name: "Allocate" }).waitFor()
    await settle(page)
    for (const name of ["Refund", "More actions", /^Void the allocation/])
      expect(await page.getByRole("button", { name }).count()).toBe(0)
    await api.delete(`/payments/${id}`)
  })

  test("every page of payments is accessible and fits the screen", async () => {
    const { id } = await pay({ amount: 9, reference: "R 1", allocations: [{ invoice: small.id, amount: 4 }] })
    const page = await open("/payments")
    const { faults, inspect } = inspector(page)
    await page.getByText("R 1").waitFor()
    await inspect("list", "main")
    await follow(page, `/payments/${id}`, "Payment of $9.00")
    await inspect("record", "main")
    for (const name of ["Allocate", "Refund"]) {
      await page.getByRole("button", { name, exact: true }).click()
      await page.getByRole("dialog").getByLabel("Amount").waitFor()
      await inspect(name, "[role=dialog]")
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }
    await follow(page, `/customers/${customer.id}`, customer.name)
    await page.getByRole("button", { name: "Allocate the rest of $5.00" }).waitFor()
    await inspect("customer", "main")
    await follow(page, `/payments/new?customer=${customer.id}`, "Record payment")
    await page.getByLabel("Amount").fill("90")
    await part(page, late.invoiceNumber).fill("99")
    await inspect("new", "main")
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("a German user records a payment", async () => {
    const page = await open(`/payments/new?customer=${customer.id}`, { locale: "de-DE" })
    await page.getByRole("heading", { level: 1, name: "Zahlung erfassen" }).waitFor()
    await page.getByLabel("Betrag").fill("10,50")
    await page.getByText("Bleibt als Guthaben").waitFor()
    await page.getByLabel(`Teil der Zahlung für ${late.invoiceNumber}`).fill("4,25")
    await page.getByRole("button", { name: "Zahlung erfassen" }).click()
    await page.getByRole("heading", { level: 1, name: "Zahlung über 10,50\u00a0$" }).waitFor()
    await page.getByText("hat die Zahlung über 10,50\u00a0$ erfasst").waitFor()
    page.assertQuiet()
  })
})
