import { beforeAll, describe, expect, test } from "bun:test"
import {
  browserPath,
  chooseAction,
  inspector,
  startConsole,
  type Window,
  reloadUntilGone,
} from "../support/browser"
import { importOpening } from "../support/opening"

const { api, shop, open } = await startConsole()

const button = (page: Window, name: string) => page.getByRole("button", { name, exact: true })
const badge = "Opening invoice"

/** The texts in an element that are not completely visible, because an element around them is too narrow. */
const cutOff = (row: ReturnType<Window["locator"]>): Promise<string[]> =>
  row.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      const { right } = range.getBoundingClientRect()
      for (let box = texts.currentNode.parentElement; box && element.contains(box); box = box.parentElement)
        if (getComputedStyle(box).overflowX === "hidden" && right > box.getBoundingClientRect().right + 1) {
          found.push(texts.currentNode.textContent ?? "")
          break
        }
    }
    return found
  })

describe.skipIf(browserPath === null)("opening invoices in the console", () => {
  let first: { id: string; invoiceNumber: string }
  let second: typeof first
  let own: typeof first

  beforeAll(async () => {
    const customer = await shop.customer({ name: "Bäckerei Sonne" })
    const common = { customer: customer.id, invoiceDate: "2025-03-01", balance: 119 }
    const rows = ["Rg. 2025/17", "Rg. 2025/18"].map((invoiceNumber) => ({ ...common, invoiceNumber }))
    expect(await importOpening(api, rows)).toEqual([])
    ;[first, second] = (await api.get("/invoices?isOpening=true&sort=invoiceNumber&order=asc")).body.data
    own = await shop.invoice({ customer: customer.id })
  })

  test("the page says where the invoice comes from, and offers no paper and no credit note", async () => {
    const page = await open(`/invoices/${first.id}`)
    await page.getByRole("heading", { level: 1, name: first.invoiceNumber }).waitFor()
    await page.getByText(badge, { exact: true }).waitFor()
    await page.getByText("This invoice comes from another system.").waitFor()
    await page.getByRole("heading", { name: "Balance from another system" }).waitFor()
    await page.getByText("Number in that system").waitFor()
    await page.getByText(/you can cancel it/).waitFor()
    await page.getByText(`imported the invoice ${first.invoiceNumber}`).waitFor()
    await button(page, "Record payment").waitFor()
    for (const name of ["PDF", "Other files", "Credit"]) expect(await button(page, name).count()).toBe(0)
    expect(await page.getByRole("region", { name: "E-invoice" }).count()).toBe(0)
    const whole = (await page.locator("main").textContent()) ?? ""
    for (const madeUp of ["Open balance of invoice", "Nos", "0 %", "Subtotal", "Supply date"])
      expect(whole).not.toContain(madeUp)
    const { faults, inspect } = inspector(page)
    await inspect("opening invoice", "main")
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("it is paid", async () => {
    const page = await open(`/invoices/${first.id}`)
    await button(page, "Record payment").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Amount").fill("19")
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await page.getByText("The payment of $19.00 was recorded.").waitFor()
    expect(await shop.get("invoices", first.id)).toMatchObject({ status: "partially_paid", balance: 100 })
    await page.getByText("Here you can record payments, and write off").waitFor()
    expect(await page.getByText(/you can cancel it/).count()).toBe(0)
    page.assertQuiet()
  })

  test("the rest of it is written off, and that is taken back", async () => {
    const page = await open(`/invoices/${first.id}`)
    await chooseAction(page, "Write off rest…")
    const dialog = page.getByRole("dialog", { name: `Write off a rest of ${first.invoiceNumber}` })
    // The reason has the focus, is required, and has suggestions.
    await dialog.getByLabel("Reason").and(page.locator(":focus")).waitFor()
    expect(await dialog.getByLabel("Amount").inputValue()).toBe("100.00")
    await dialog.getByText("The customer no longer owes this amount.").waitFor()
    await page.keyboard.press("Enter")
    await dialog.getByText("Required").waitFor()
    await page.keyboard.type("Customer d")
    await page.getByRole("option", { name: "Customer does not pay" }).click()
    await dialog.getByRole("button", { name: "Write off" }).click()
    await page.getByText("$100.00 was written off.").waitFor()
    await page.getByText("Customer does not pay", { exact: true }).waitFor()
    await page.getByText("wrote off $100.00 (reason: Customer does not pay)").waitFor()
    await page.getByText("settled the invoice: nothing is left to pay").waitFor()
    expect(await shop.get("invoices", first.id)).toMatchObject({ status: "paid", writtenOff: 100 })
    await page.getByRole("button", { name: "More actions" }).click()
    await page
      .getByRole("menuitem", { name: "Cancel invoice" })
      .getByText("Void the write-off first.")
      .waitFor()
    expect(await page.getByRole("menuitem", { name: "Write off rest…" }).count()).toBe(0)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Void the write-off of $100.00" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Void" }).click()
    await page.getByText("The write-off of $100.00 was voided.").waitFor()
    expect(await shop.get("invoices", first.id)).toMatchObject({ status: "partially_paid", balance: 100 })
    page.assertQuiet()
  })

  test("it is cancelled, and the question says what that does", async () => {
    const page = await open(`/invoices/${second.id}`)
    await chooseAction(page, "Cancel invoice")
    await page.getByText("The customer no longer owes it.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel invoice" }).click()
    await page.getByText(`${second.invoiceNumber} was cancelled.`).waitFor()
    expect(await shop.get("invoices", second.id)).toMatchObject({ status: "cancelled", creditNotes: [] })
    page.assertQuiet()
  })

  test("it is deleted, but not after a payment", async () => {
    const page = await open(`/invoices/${first.id}`)
    await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("menuitem", { name: "Cancel invoice" }).waitFor()
    expect(await page.getByRole("menuitem", { name: "Delete", exact: true }).count()).toBe(0)
    const unpaid = await open(`/invoices/${second.id}`)
    await chooseAction(unpaid, "Delete")
    await unpaid.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await unpaid.getByText(`${second.invoiceNumber} was deleted.`).waitFor()
    await reloadUntilGone(unpaid, api, `/invoices/${second.id}`)
    unpaid.assertQuiet()
  })

  test("the list shows the badge, can be filtered, and leaves it out of a download of PDFs", async () => {
    const page = await open("/invoices")
    await page.getByRole("row", { name: new RegExp(`${first.invoiceNumber}.*${badge}`) }).waitFor()
    expect(await page.getByRole("row", { name: new RegExp(`${own.invoiceNumber}.*${badge}`) }).count()).toBe(
      0,
    )
    await page.getByLabel("Select all", { exact: true }).check()
    await button(page, "Download PDFs").click()
    await page.getByText("This invoice comes from another system.").first().waitFor()
    const filtered = await open("/invoices?isOpening=true")
    await filtered.getByRole("row", { name: new RegExp(first.invoiceNumber) }).waitFor()
    expect(await filtered.getByRole("row", { name: new RegExp(own.invoiceNumber) }).count()).toBe(0)
    await filtered.getByRole("button", { name: /^Opening invoice: / }).waitFor()
    filtered.assertQuiet()
  })

  test("the list shows its badges and its customer completely, on a wide screen and on a phone", async () => {
    for (const width of [1280, 390]) {
      const page = await open("/invoices?isOpening=true", { locale: "de-DE", width })
      await page.getByText(first.invoiceNumber).waitFor()
      const row = page.locator("tbody tr, .phone-list > li", { hasText: first.invoiceNumber })
      await row.getByText("Übernommen").waitFor()
      expect(await cutOff(row)).toEqual([])
      page.assertQuiet()
    }
  })

  test("in German, it is an invoice that was taken over", async () => {
    const page = await open(`/invoices/${first.id}`, { locale: "de-DE" })
    await page.getByText("Übernommen", { exact: true }).waitFor()
    await page.getByText("Diese Rechnung stammt aus einem anderen Programm.").waitFor()
    await page.getByRole("heading", { name: "Offener Betrag aus einem anderen Programm" }).waitFor()
    await page.getByText("Offen beim Import").first().waitFor()
    const whole = (await page.locator("main").textContent()) ?? ""
    for (const madeUp of ["Open balance", "Nos", "0 %", "Zwischensumme"]) expect(whole).not.toContain(madeUp)
    page.assertQuiet()
  })
})
