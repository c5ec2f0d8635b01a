import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { browserPath, follow, startConsole, type Window } from "../support/browser"
import { emptyFolder } from "../support/kontor"

const { api, shop, open } = await startConsole()

/** A no-break space is between a number and its currency. */
const money = (text: string) => `${text}\u00a0€`

// One page for all tests: each test starts where the last one ended.
describe.skipIf(browserPath === null)("in a German browser", () => {
  let page: Window
  let invoiceNumber: string
  let today: string
  beforeAll(async () => {
    expect((await api.put("/settings", { currency: "EUR" })).status).toBe(200)
    today = (await api.get("/auth/me")).body.data.company.today
    const item = await shop.item({ itemName: "Schreibtisch", sellingPrice: 1234.5, taxRate: 20 })
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 2 }], orderDate: "2026-02-05" })
    const bill = await shop.bill(order.id, { invoiceDate: today })
    invoiceNumber = bill.body.data.invoiceNumber
    await shop.pay(bill.body.data.id, 1000, { paymentDate: today })
    page = await open("/", { locale: "de-DE", timezoneId: "Europe/Berlin" })
  })
  const german = (day: string) => day.split("-").reverse().join(".")

  test("the dashboard shows German amounts and dates", async () => {
    const main = page.getByRole("main")
    await main.getByText(money("2.962,80"), { exact: true }).first().waitFor()
    await main.getByText(money("1.962,80"), { exact: true }).first().waitFor()
    await main.getByText(money("1.000,00"), { exact: true }).first().waitFor()
    await main.getByRole("row", { name: /SO-/ }).getByText("05.02.2026").waitFor()
    expect(await main.innerText()).not.toMatch(/\d,\d{3}|Feb 5|€\d/)
  })

  test("the list of invoices shows German amounts and dates", async () => {
    await page.getByRole("link", { name: "Rechnungen", exact: true }).click()
    const row = page.getByRole("row", { name: new RegExp(invoiceNumber) })
    await row.getByText(money("2.962,80")).waitFor()
    await row.getByText(money("1.962,80")).waitFor()
    await row.getByText(german(today)).first().waitFor()
  })

  test("a saved list has decimal commas between semicolons, and numbers that a spreadsheet can add up", async () => {
    await page.getByLabel("Alle auswählen", { exact: true }).check()
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Exportieren", exact: true }).click()
    await page.getByRole("menuitem", { name: "CSV" }).click()
    const path = join(emptyFolder(), "invoices.csv")
    await (await saved).saveAs(path)
    const [titles = [], row = []] = (await Bun.file(path).text()).split("\r\n").map((line) => line.split(";"))
    const cell = (title: string) => row[titles.indexOf(title)]
    expect(cell("Rechnungsnummer")).toBe(invoiceNumber)
    expect([cell("Gesamtbetrag"), cell("Offener Betrag")]).toEqual(["2962,8", "1962,8"])
    await page.getByRole("button", { name: "Auswahl aufheben" }).click()
  })

  test("an invoice shows German amounts and dates, also in its inputs", async () => {
    await page.getByRole("link", { name: invoiceNumber }).click()
    await page.getByRole("heading", { level: 1, name: invoiceNumber }).waitFor()
    await page.getByText(money("1.234,50")).first().waitFor()
    await page.getByText(money("1.000,00")).first().waitFor()
    const dueDate = page.getByRole("textbox", { name: "Fällig am" })
    expect(await dueDate.inputValue()).toBe(german(today))
    await dueDate.fill("1. März 2099")
    await page.keyboard.press("Tab")
    expect(await dueDate.inputValue()).toBe("01.03.2099")
    await page.getByRole("button", { name: "Speichern" }).click()
    await page.getByText(`${invoiceNumber} wurde gespeichert`).waitFor()
    await page.getByRole("button", { name: "Zahlung erfassen" }).click()
    expect(await page.getByRole("dialog").getByLabel("Betrag").inputValue()).toBe("1962,80")
    page.assertQuiet()
  })

  test("errors of the server are in German, at their fields", async () => {
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Betrag").fill("99999")
    await dialog.getByRole("button", { name: "Zahlung erfassen" }).click()
    await dialog.getByText(/^Die Zahlung ist höher als der offene Betrag von 1\.962,8 EUR\./).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Änderungen verwerfen" }).click()
    await shop.item({ itemCode: "SCHON-DA" })
    await follow(page, "/items/new", "Neuer Artikel")
    await page.getByLabel("Artikelnummer").fill("schon-da")
    await page.getByLabel("Name").fill("Noch einer")
    await page.keyboard.press("Enter")
    await page.getByText("schon-da ist schon vergeben").waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("de")
  })

  test("another language can be chosen, and is remembered on this device", async () => {
    await page.getByRole("button", { name: /^Angemeldet als/ }).click()
    await page.getByText("admin · Administrator").waitFor()
    await page.getByRole("menuitemradio", { name: "English" }).click()
    await page.getByRole("heading", { level: 1, name: "New item" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "New item" }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en")
    await page.getByRole("button", { name: /^Signed in as/ }).click()
    await page.getByRole("menuitemradio", { name: "Deutsch" }).click()
    await page.getByRole("heading", { level: 1, name: "Neuer Artikel" }).waitFor()
  })

  test("filters in the address show their values in German", async () => {
    const query = "status[ne]=draft&invoiceStatus=not_invoiced&total[gte]=1234.5&orderDate[lte]=2026-02-05"
    await follow(page, `/orders?${query}`, "Aufträge")
    for (const name of [
      "Status ≠ Entwurf",
      "Rechnungsstatus: Nicht abgerechnet",
      "Gesamtbetrag ≥ 1.234,5",
      "Auftragsdatum ≤ 05.02.2026",
    ])
      await page.getByRole("button", { name }).waitFor()
  })

  test("the comparison of two versions of a draft has German numbers", async () => {
    const item = await shop.item({ itemCode: "LATTE", sellingPrice: 12.5 })
    const draft = await shop.order({ items: [{ item: item.id, quantity: 2 }] })
    await follow(page, `/orders/${draft.id}`, draft.orderNumber)
    await page.getByLabel("Menge").first().fill("3,5")
    await api.put(`/sales-orders/${draft.id}`, { items: [{ item: item.id, quantity: 1, discount: 2.5 }] })
    await page.getByRole("button", { name: "Entwurf speichern" }).click()
    const dialog = page.getByRole("dialog", { name: "Jemand anderes hat diesen Datensatz geändert" })
    await dialog.getByText("3,5 × LATTE zu 12,5").waitFor()
    await dialog.getByText("1 × LATTE zu 12,5, 2,5 % Rabatt").waitFor()
    await dialog.getByRole("button", { name: "Meine Änderungen verwerfen" }).click()
    await dialog.waitFor({ state: "hidden" })
  })

  test("warnings of the server are in German", async () => {
    await page.getByRole("button", { name: "Speichern und bestätigen" }).click()
    await page.getByText("LATTE: 1 bestellt, 0 verfügbar.").waitFor()
    page.assertQuiet()
  })
})
