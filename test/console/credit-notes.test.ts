import { beforeAll, describe, expect, test } from "bun:test"
import {
  animationsEnd,
  browserPath,
  chooseAction,
  follow,
  inspector,
  printBy,
  startConsole,
  type Window,
} from "../support/browser"
import { adminPassword } from "../support/kontor"

const { api, shop, open } = await startConsole()

type Invoice = { id: string; invoiceNumber: string; total: number; items: { id: string }[] }
type Note = { id: string; creditNoteNumber: string }

describe.skipIf(browserPath === null)("credit notes in the console", () => {
  let customer: string
  let [desk, lamp] = [{ id: "" }, { id: "" }]
  beforeAll(async () => {
    customer = (await shop.customer({ name: "Café Øresund" })).id
    desk = await shop.item({ itemName: "Desk", itemCode: "DESK", sellingPrice: 100, taxRate: 20 })
    lamp = await shop.item({ itemName: "Lamp", itemCode: "LAMP", sellingPrice: 10, taxRate: 10 })
    await shop.receive(desk.id, 50)
  })

  /** An invoice of 3 desks and 10 lamps: 300.00 + 100.00 + 70.00 tax. */
  const bill = (): Promise<Invoice> =>
    shop.invoice({
      customer,
      items: [
        { item: desk.id, quantity: 3 },
        { item: lamp.id, quantity: 10 },
      ],
    })
  const paid = async (): Promise<Invoice> => {
    const invoice = await bill()
    await shop.pay(invoice.id, invoice.total)
    return invoice
  }
  /** A credit note of one desk of a paid invoice: 120.00, all of it unapplied. */
  const credited = async (): Promise<Note & { invoice: Invoice }> => {
    const invoice = await paid()
    const items = [{ invoiceLine: invoice.items[0]?.id, quantity: 1 }]
    return {
      ...(await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Scratched", items })),
      invoice,
    }
  }
  const factsOf = (page: Window) =>
    page
      .locator("dl")
      .first()
      .evaluate((list) =>
        [...list.children].map((fact) => [...fact.children].map((part) => part.textContent).join(": ")),
      )
  const mainActions = (page: Window) =>
    page
      .getByRole("main")
      .locator(".mantine-Button-root:is(:not([data-variant]), [data-variant=filled])")
      .allTextContents()
  const button = (page: Window, name: string) =>
    page.getByRole("main").getByRole("button", { name, exact: true })
  const section = (page: Window, name: string) => page.getByRole("region", { name, exact: true })
  const total = (page: Window, amount: string) =>
    page.getByRole("dialog").locator("[aria-live=polite]").getByText(amount, { exact: true }).waitFor()
  const focused = (page: Window) => page.locator(":focus")

  test("an invoice of which a part is written off says in the menu why it cannot be credited", async () => {
    const { id } = await shop.invoice()
    await api.create(`/invoices/${id}/write-offs`, { amount: 0.5, reason: "Rest" })
    const page = await open(`/invoices/${id}`)
    await page.getByRole("button", { name: "More actions" }).click()
    const credit = page.getByRole("menuitem", { name: /^Credit/ })
    await credit.getByText("A part of the invoice is written off. Void the write-off first.").waitFor()
    expect(await credit.getAttribute("aria-disabled")).toBe("true")
    expect(await button(page, "Credit").count()).toBe(0)
    page.assertQuiet()
  })

  test("an invoice is credited by quantity and by amount, and errors are shown at their line", async () => {
    const invoice = await bill()
    const page = await open(`/invoices/${invoice.id}`)
    await button(page, "Credit").click()
    const dialog = page.getByRole("dialog", { name: `Credit ${invoice.invoiceNumber}` })
    const ofDesk = dialog.getByLabel("Quantity of Desk to credit")
    const ofLamp = dialog.getByLabel("Quantity of Lamp to credit")
    // Nothing is proposed. The server computes the total of what is entered.
    await total(page, "–")
    expect([await ofDesk.inputValue(), await ofLamp.inputValue()]).toEqual(["0", "0"])
    await dialog.getByRole("button", { name: "All that is left" }).click()
    await total(page, "$470.00")
    expect([await ofDesk.inputValue(), await ofLamp.inputValue()]).toEqual(["3", "10"])
    await dialog.getByText("Takes $470.00 off the balance of the invoice.").waitFor()
    // The reason is required.
    await dialog.getByRole("button", { name: "Issue credit note" }).click()
    await dialog.getByLabel("Reason").and(focused(page)).waitFor()
    expect(await dialog.getByLabel("Reason").getAttribute("aria-invalid")).toBe("true")
    await page.keyboard.type("Scratched")
    await dialog.getByRole("button", { name: "Nothing" }).click()
    await total(page, "–")
    await dialog.getByRole("button", { name: "Issue credit note" }).click()
    await dialog.getByText("Enter a quantity or an amount for at least one line.").waitFor()
    // The error of the second item of the request belongs to the second line.
    await ofDesk.fill("1")
    await ofLamp.fill("11")
    await page.keyboard.press("Enter")
    await dialog.getByText("Invoiced 10, credited 0, remaining 10").waitFor()
    await dialog.getByText(`more than what is left of invoice ${invoice.invoiceNumber}`).waitFor()
    await ofLamp.and(focused(page)).waitFor()
    expect(await ofDesk.getAttribute("aria-invalid")).not.toBe("true")
    await dialog.getByRole("button", { name: "Credit Lamp by amount" }).click()
    await dialog.getByLabel("Amount of Lamp to credit").fill("12.5")
    await total(page, "$133.75")
    await dialog.getByLabel("The goods come back into stock").focus()
    await page.keyboard.press("Space")
    await dialog.getByRole("button", { name: "Issue credit note" }).click()
    await page.getByText(/^Credit note CN-\d{4}-00001 was issued\.$/).waitFor()
    await dialog.waitFor({ state: "detached" })
    await page.getByText("credited $133.75").waitFor()
    expect(await factsOf(page)).toContain("Credited: $133.75")
    expect(await factsOf(page)).toContain("Open: $336.25")
    await page.getByRole("cell", { name: "$12.50" }).waitFor()
    await section(page, "Credit notes").getByText("Scratched").waitFor()
    // A desk came back. An amount moves no stock.
    expect((await shop.get("items", desk.id)).currentStock).toBe(48)
    const { salesOrder } = await shop.get("invoices", invoice.id)
    await page.getByRole("link", { name: /^SO-/ }).click()
    // Several things that have happened to a line are below its item, so that no column is cut off.
    const row = page.getByRole("row", { name: /^Desk/ })
    await row.getByText("3 invoiced · 1 returned").waitFor()
    expect((await row.getByRole("cell").allTextContents())[1]).toBe("3 Nos")
    expect((await shop.get("sales-orders", salesOrder)).status).toBe("completed")

    // The rest: the invoice is credited, and can neither be credited again nor cancelled.
    await follow(page, `/invoices/${invoice.id}`, invoice.invoiceNumber)
    await button(page, "Credit").click()
    await dialog.getByRole("button", { name: "All that is left" }).click()
    expect([await ofDesk.inputValue(), await ofLamp.inputValue()]).toEqual(["2", "10"])
    await total(page, "$336.25")
    await dialog.getByLabel("Reason").fill("The rest")
    await dialog.getByRole("button", { name: "Issue credit note" }).click()
    await page.getByText("settled the invoice: it is credited in full").waitFor()
    await page.getByRole("main").getByText("Credited", { exact: true }).first().waitFor()
    expect(await button(page, "Credit").count()).toBe(0)
    expect(await mainActions(page)).toEqual([])
    await page.getByRole("button", { name: "More actions" }).click()
    const cancel = page.getByRole("menuitem", { name: "Cancel invoice" })
    await cancel.getByText("Credit the rest of it instead.").waitFor()
    const again = page.getByRole("menuitem", { name: /^Credit/ })
    await again.getByText("Everything on the invoice is credited already.").waitFor()
    await page.keyboard.press("Escape")
    await follow(page, "/invoices?status[in]=credited", "Invoices")
    await page.getByRole("row", { name: new RegExp(`${invoice.invoiceNumber}.*Credited`) }).waitFor()
    page.assertQuiet()
  })

  test("what is left of a credit note is applied to an open invoice and refunded, and both can be voided", async () => {
    const older = await bill()
    const small = await shop.invoice({ customer, items: [{ item: lamp.id, quantity: 5 }] })
    const note = await credited()
    const page = await open(`/credit-notes/${note.id}`)
    await button(page, "Apply to invoice").waitFor()
    expect((await factsOf(page)).slice(0, 4)).toEqual([
      "Customer: Café Øresund",
      `Invoice: ${note.invoice.invoiceNumber}`,
      "Total: $120.00",
      "Unapplied: $120.00",
    ])
    expect(await mainActions(page)).toEqual(["Apply to invoice"])
    await button(page, "Apply to invoice").click()
    const dialog = page.getByRole("dialog")
    const amount = dialog.getByLabel("Amount")
    // The oldest invoice is proposed, with as much as the credit note has; then as much as the other one needs.
    await dialog.getByLabel("Invoice").and(focused(page)).waitFor()
    expect(await dialog.getByLabel("Invoice").inputValue()).toStartWith(
      `${older.invoiceNumber} · $470.00 open`,
    )
    expect(await amount.inputValue()).toBe("120.00")
    await page.keyboard.type(small.invoiceNumber)
    await page.keyboard.press("Enter")
    expect(await dialog.getByLabel("Invoice").inputValue()).toStartWith(small.invoiceNumber)
    expect(await amount.inputValue()).toBe("55.00")
    await amount.fill("56")
    await page.keyboard.press("Enter")
    await dialog.getByText("Enter at most $55.00").waitFor()
    await amount.fill("20")
    await page.keyboard.press("Enter")
    await page.getByText(`$20.00 was applied to ${small.invoiceNumber}.`).waitFor()
    await page.getByText(`applied $20.00 to ${small.invoiceNumber}`).waitFor()
    await section(page, "Applied to other invoices")
      .getByRole("link", { name: small.invoiceNumber })
      .waitFor()

    await button(page, "Refund").click()
    await amount.and(focused(page)).waitFor()
    expect(await amount.inputValue()).toBe("100.00")
    await page.keyboard.type("100.01")
    await page.keyboard.press("Enter")
    await dialog.getByText("Enter at most $100.00").waitFor()
    await amount.fill("100")
    await dialog.getByLabel("Reference").fill("RF18")
    await page.keyboard.press("Enter")
    await page.getByText("The refund of $100.00 was recorded.").waitFor()
    await section(page, "Refunds").getByText("RF18").waitFor()
    await page.getByRole("main").getByText("Settled", { exact: true }).waitFor()
    expect(await mainActions(page)).toEqual([])

    // Voiding asks first.
    const voidRefund = page.getByRole("button", { name: "Void the refund of $100.00" })
    await voidRefund.click()
    await page.getByRole("dialog", { name: "Void the refund of $100.00?" }).waitFor()
    await page.keyboard.press("Escape")
    await animationsEnd(page)
    expect((await shop.get("credit-notes", note.id)).refunded).toBe(100)
    await voidRefund.click()
    await dialog.getByRole("button", { name: "Void" }).click()
    await page.getByText("The refund of $100.00 was voided.").waitFor()
    await page.getByText("voided the refund of $100.00").waitFor()
    await section(page, "Refunds").getByText("Nothing refunded yet").waitFor()

    // The other invoice shows the application, too.
    await section(page, "Applied to other invoices").getByRole("link").click()
    await page.getByRole("heading", { level: 1, name: small.invoiceNumber }).waitFor()
    await page.getByText(`applied $20.00 of ${note.creditNoteNumber}`).waitFor()
    await page.getByRole("group", { name: "Totals" }).getByText("Applied credit").waitFor()
    await section(page, "Applied credit notes").getByRole("button").click()
    await dialog.getByText(`${note.creditNoteNumber} can be used again.`).waitFor()
    await dialog.getByRole("button", { name: "Void" }).click()
    await page.getByText("voided the application of $20.00").waitFor()
    expect((await shop.get("credit-notes", note.id)).unapplied).toBe(120)
    expect((await shop.get("invoices", small.id)).balance).toBe(55)
    page.assertQuiet()
  })

  test("the page of a credit note has read-only lines and notes, and can be printed", async () => {
    const note = await credited()
    const page = await open(`/credit-notes/${note.id}`)
    await page.getByText(`issued the credit note as ${note.creditNoteNumber} for`).waitFor()
    await page.getByRole("row", { name: /^Desk/ }).getByText("1 Nos").waitFor()
    await page.getByRole("group", { name: "Totals" }).getByText("Tax 20 %").waitFor()
    await page.getByText("Did not come back into stock").waitFor()
    await page.getByLabel("Notes").fill("With our apologies")
    await button(page, "Save").click()
    await page.getByText(`${note.creditNoteNumber} was saved.`).waitFor()
    await page.getByText("set the notes to With our apologies").waitFor()
    await page.getByRole("button", { name: "Other files" }).click()
    const printed = await printBy(page, () => page.getByRole("menuitem", { name: "Print" }).click())
    expect(printed.title).toBe(`Credit note ${note.creditNoteNumber}`)
    // It shows the credit note as it was issued.
    expect(printed.text).toContain("Scratched")
    expect(printed.text).not.toContain("With our apologies")
    page.assertQuiet()
  })

  test("the list filters and adds up, and the search and the audit log open a credit note", async () => {
    const { id } = await shop.customer({ name: "Listed" })
    const items = [{ item: lamp.id, quantity: 10 }]
    const [open1, settled] = [
      await shop.invoice({ customer: id, items }),
      await shop.invoice({ customer: id, items }),
    ]
    await shop.pay(open1.id, open1.total)
    const path = (invoice: Invoice) => `/invoices/${invoice.id}/credit-notes`
    const left = await api.create(path(open1), { reason: "Too many" })
    const used = await api.create(path(settled), { reason: "Late", creditNoteDate: "2099-01-01" })
    const page = await open("/")
    await page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link", { name: "Credit notes" })
      .click()
    await page.getByRole("heading", { level: 1, name: "Credit notes" }).waitFor()
    await follow(page, `/credit-notes?customer=${id}`, "Credit notes")
    const cells = (number: string) => page.getByRole("row", { name: new RegExp(number) }).getByRole("cell")
    expect((await cells(left.creditNoteNumber).allTextContents()).filter(Boolean).slice(-6)).toEqual([
      expect.stringMatching(/\d{4}$/),
      "Listed",
      open1.invoiceNumber,
      "$110.00",
      "$110.00",
      "Open",
    ])
    expect((await page.locator("tfoot td").allTextContents()).filter(Boolean)).toEqual([
      "Sum of 2 · incl. tax",
      "$220.00",
      "$110.00",
    ])
    await page.getByRole("combobox", { name: "Status" }).click()
    await page.getByRole("option", { name: "Settled" }).click()
    await cells(left.creditNoteNumber).first().waitFor({ state: "detached" })
    await cells(used.creditNoteNumber).first().waitFor()
    await follow(page, `/credit-notes?customer=${id}&creditNoteDate[lt]=2099-01-01`, "Credit notes")
    await cells(used.creditNoteNumber).first().waitFor({ state: "detached" })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText("Sum: Unapplied").locator("..").getByText("$110.00").waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })

    await page.keyboard.press("Control+k")
    await page.getByLabel("Search everything").fill(left.creditNoteNumber)
    await page.getByRole("dialog").getByText("$110.00 · Open").waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: left.creditNoteNumber }).waitFor()
    await follow(page, `/settings/audit?recordId=${left.id}`, "Audit log")
    await page.getByRole("cell", { name: left.creditNoteNumber }).waitFor()
    await page.locator("tbody button").first().click()
    await page.getByRole("link", { name: "Open record" }).click()
    await page.getByRole("heading", { level: 1, name: left.creditNoteNumber }).waitFor()
    page.assertQuiet()
  })

  test("only the roles that keep the books credit and refund", async () => {
    const emailOf = (role: string) => `${role}@shop.example`
    for (const role of ["shop", "viewer"])
      await api.create("/users", { email: emailOf(role), name: role, role, password: adminPassword })
    await bill()
    const note = await credited()
    await api.create(`/credit-notes/${note.id}/refunds`, { amount: 10 })
    for (const [role, uses] of [
      ["shop", ["Apply to invoice"]],
      ["viewer", []],
    ] as const) {
      const page = await open(`/invoices/${note.invoice.id}`, { email: emailOf(role) })
      await section(page, "Credit notes").getByRole("link").waitFor()
      expect(await button(page, "Credit").count()).toBe(0)
      await section(page, "Credit notes").getByRole("link").click()
      await section(page, "Refunds").getByText("$10.00").waitFor()
      if (uses.length > 0) await button(page, "Apply to invoice").waitFor()
      expect(await mainActions(page)).toEqual([...uses])
      expect(await page.getByRole("button", { name: /^Void|^Refund$/ }).count()).toBe(0)
      expect(await page.getByLabel("Notes").isDisabled()).toBe(role === "viewer")
      page.assertQuiet()
    }
  })

  test("cancelling says that a credit note will be issued, if the company corrects invoices so", async () => {
    const invoice = await bill()
    const page = await open("/settings/company")
    await page.getByLabel("Credit note numbers").fill("G-{YY}-{####}")
    await page.getByText(/^Next number: G-\d\d-\d{4}$/).waitFor()
    await page.getByRole("combobox", { name: "Correct invoices by" }).click()
    await page.getByRole("option", { name: "Cancellation with a credit note" }).click()
    await page.getByText("Cancelling an invoice also issues a credit note").waitFor()
    await button(page, "Save").click()
    await page.getByText("The settings were saved.").waitFor()
    await follow(page, `/invoices/${invoice.id}`, invoice.invoiceNumber)
    await chooseAction(page, "Cancel invoice")
    const dialog = page.getByRole("dialog")
    await dialog.getByText("A credit note for the whole invoice is issued.").waitFor()
    await dialog.getByLabel("Reason").fill("Sent twice")
    await dialog.getByRole("button", { name: "Cancel invoice" }).click()
    await page.getByText("cancelled the invoice (reason: Sent twice)").waitFor()
    await section(page, "Credit notes").getByRole("link", { name: /^G-/ }).click()
    await page.getByText(`Issued because ${invoice.invoiceNumber} was cancelled`).waitFor()
    await api.put("/settings", { correctBy: "cancel" })
    page.assertQuiet()
  })

  test("the pages and dialogs have no serious accessibility violation and fit the screen", async () => {
    await bill()
    const note = await credited()
    const page = await open("/credit-notes")
    const { faults, inspect } = inspector(page)
    await page.getByRole("link", { name: note.creditNoteNumber }).waitFor()
    await inspect("list", "main")
    await follow(page, `/credit-notes/${note.id}`, note.creditNoteNumber)
    await button(page, "Apply to invoice").waitFor()
    await inspect("credit note", "main")
    for (const name of ["Apply to invoice", "Refund"]) {
      await button(page, name).click()
      await page.getByRole("dialog").getByLabel("Amount").waitFor()
      await inspect(name, "[role=dialog]")
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      await animationsEnd(page)
    }
    await follow(page, `/invoices/${note.invoice.id}`, note.invoice.invoiceNumber)
    await button(page, "Credit").click()
    const field = page.getByRole("dialog").getByLabel("Quantity of Desk to credit")
    await field.fill("9")
    await page.getByRole("dialog").getByLabel("Reason").fill("Too many")
    await page.getByRole("dialog").getByRole("button", { name: "Issue credit note" }).click()
    await page.locator("[role=dialog] [aria-invalid=true]").waitFor()
    await inspect("crediting, refused", "[role=dialog]")
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("everything is said in German, too", async () => {
    const note = await credited()
    await bill()
    const page = await open(`/invoices/${note.invoice.id}`, { locale: "de-DE" })
    await button(page, "Korrigieren").click()
    const dialog = page.getByRole("dialog", { name: `${note.invoice.invoiceNumber} korrigieren` })
    await dialog.getByLabel("Grund").fill("Kratzer")
    await dialog.getByLabel("Menge von Desk, um die korrigiert wird").fill("5")
    await page.keyboard.press("Enter")
    await dialog.getByText("Höchstens 2").waitFor()
    await dialog.getByRole("button", { name: "Nichts" }).click()
    await dialog.getByRole("button", { name: "Desk um einen Betrag korrigieren" }).click()
    await dialog.getByLabel("Betrag von Desk, um den korrigiert wird").fill("12,50")
    await dialog.getByText("Die Rechnung ist bezahlt.").waitFor()
    await page.keyboard.press("Enter")
    await page.getByText(/^Rechnungskorrektur .* wurde ausgestellt\.$/).waitFor()
    await page.getByText("hat die Rechnung um 15,00 $ korrigiert").waitFor()
    await section(page, "Rechnungskorrekturen").getByRole("link").last().click()
    await page.getByText(/hat die Rechnungskorrektur .* zu .* ausgestellt/).waitFor()
    await button(page, "Erstatten").click()
    await page.getByRole("dialog").getByRole("button", { name: "Erstattung erfassen" }).click()
    await page.getByText("hat 15,00 $ erstattet").waitFor()
    await page.getByRole("button", { name: "Erstattung über 15,00 $ stornieren" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stornieren" }).click()
    await page.getByText("hat die Erstattung über 15,00 $ storniert").waitFor()
    page.assertQuiet()
  })
})
