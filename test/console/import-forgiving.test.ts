import { describe, expect, test } from "bun:test"
import { browserPath, startConsole, type Window } from "../support/browser"
import { choose, fileOf, heading } from "../support/wizard"

const { api, open } = await startConsole()
const german = { locale: "de-DE", timezoneId: "Europe/Berlin" }

/** A price list as a shop has it: a title above the headings, signs, prices with tax, a sum at the end. */
const priceList = [
  "Preisliste Hafen & Söhne",
  "",
  "Art.-Nr.;Bezeichnung;VK brutto;EK;MwSt;Regal",
  "PL-1;Lampe;1.190,00 €;500,00 €;19 %;A1",
  "PL-2;Buch;10,70 €;5,- €;7 %;B2",
  "Summe;;1.200,70 €;505,00 €;;",
  "",
].join("\r\n")

describe.skipIf(browserPath === null)("a price list in a German browser", () => {
  const fieldIn = (page: Window, column: string) =>
    page.getByLabel(`Feld der Spalte ${column}`, { exact: true })
  const shownAs = (page: Window, column: string) =>
    fieldIn(page, column).evaluate((select: HTMLSelectElement) => select.value)
  const columnRow = (page: Window, name: RegExp) =>
    page.getByRole("table", { name: "Spalten der Datei" }).getByRole("row", { name })
  const isIdle = (page: Window) => page.locator("select[aria-busy=false]").first().waitFor()

  test("shows what was recognized, is imported without its sum and with net prices, and is undone", async () => {
    await api.put("/settings", { currency: "EUR", pricesIncludeTax: false })
    const page = await open("/import?kind=items", german)
    await choose(page, fileOf("preise.csv", priceList))
    await heading(page, "Spalten von preise.csv").waitFor()
    const titles = page.getByLabel("Überschriften der Spalten")
    expect(await titles.inputValue()).toBe("3")
    expect(await titles.locator("option").allInnerTexts()).toContain("Zeile 1: Preisliste Hafen & Söhne")
    const price = columnRow(page, /^VK brutto/)
    await price.getByText("1.190,00 € wird als 1.190 gelesen.").waitFor()
    await price.getByText("Wird mit dem Steuersatz jeder Zeile in Nettopreise umgerechnet.").waitFor()
    await columnRow(page, /^MwSt/).getByText("Weggelassen: %.").waitFor()
    const sense = page.getByLabel("Preise der Spalte VK brutto")
    await sense.selectOption({ label: "Ohne Steuer (netto)" })
    await price.getByText("Nettopreise").waitFor({ state: "detached" })
    await sense.selectOption({ label: "Mit Steuer (brutto)" })
    await price.getByText("Nettopreise").waitFor()
    await page.getByRole("button", { name: "Zeilen prüfen" }).click()
    await page.getByText("2 Zeilen sind in Ordnung.").waitFor()
    const sum = "Summenzeile am Ende der Datei wird weggelassen: Zeile 6 (Summe · 1.200,70 € · 505,00 €)."
    await page.getByText(sum).waitFor()
    const skips = page.getByLabel("Summenzeilen am Ende der Datei weglassen")
    await skips.uncheck()
    await page.getByText("1 Zeile hat Fehler.").waitFor()
    await skips.check()
    await page.getByRole("button", { name: "2 Zeilen importieren" }).click()
    await heading(page, "Der Import ist fertig").waitFor()
    await page.getByText(sum).waitFor()
    const items = async () =>
      (await api.get("/items?itemCode[like]=PL-%25&sort=itemCode&order=asc")).body.data
    expect(await items()).toMatchObject([
      { sellingPrice: 1000, costPrice: 500, taxRate: 19 },
      { sellingPrice: 10, costPrice: 5, taxRate: 7 },
    ])
    const [changed] = await items()
    await api.patch(`/items/${changed.id}`, { category: "Licht" })
    await page.getByRole("button", { name: "Import rückgängig machen" }).click()
    const question = page.getByRole("dialog", { name: "Diesen Import rückgängig machen?" })
    await question.getByRole("button", { name: "Import rückgängig machen" }).click()
    await page.getByText("Der Import wurde rückgängig gemacht", { exact: true }).waitFor()
    const kept = page.getByRole("row", { name: /Zeile 4/ })
    await kept.getByText("Wurde nach dem Import geändert.").waitFor()
    expect(await kept.getByRole("link").getAttribute("href")).toEndWith(`/items/${changed.id}`)
    expect(await items()).toMatchObject([{ itemCode: "PL-1" }])
    page.assertQuiet()
  })

  test("can have its headings in another row, which the person chooses", async () => {
    const page = await open("/import?kind=items", german)
    await choose(page, fileOf("zwei.csv", "Artikel;Preis;VK\r\nNr;Text;Betrag\r\nZ-1;Stuhl;5,00\r\n"))
    await heading(page, "Spalten von zwei.csv").waitFor()
    const titles = page.getByLabel("Überschriften der Spalten")
    expect(await titles.inputValue()).toBe("1")
    await titles.selectOption({ label: "Zeile 2: Nr · Text · Betrag" })
    await fieldIn(page, "Betrag").waitFor()
    expect(await titles.inputValue()).toBe("2")
  })

  test("keeps the fields of its columns when the arrow keys pass over them", async () => {
    const page = await open("/import?kind=items", german)
    await choose(page, fileOf("tasten.csv", priceList))
    await heading(page, "Spalten von tasten.csv").waitFor()
    await isIdle(page)
    const before = await Promise.all(
      ["Art.-Nr.", "Bezeichnung", "VK brutto"].map((name) => shownAs(page, name)),
    )
    const shelf = fieldIn(page, "Regal")
    await shelf.focus()
    await shelf.press("ArrowDown")
    expect(await shownAs(page, "Regal")).toBe("itemCode")
    await columnRow(page, /^Regal/)
      .getByText("Übernommen von der Spalte Art.-Nr., die nicht importiert wird.")
      .waitFor()
    await columnRow(page, /^Art\.-Nr\./)
      .getByText("Artikelnummer ist jetzt die Spalte Regal.")
      .waitFor()
    for (let i = 0; i < 3; i++) await shelf.press("ArrowDown")
    expect(await shownAs(page, "Regal")).toBe("category")
    const after = await Promise.all(
      ["Art.-Nr.", "Bezeichnung", "VK brutto"].map((name) => shownAs(page, name)),
    )
    expect(after).toEqual(before)
    expect(await page.getByText("Übernommen von").count()).toBe(0)
    await page.getByText("Alle Spalten werden importiert.").waitFor()
  })
})
