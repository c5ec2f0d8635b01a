import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { accessFaults, browserPath, follow, overflow, startConsole, type Window } from "../support/browser"
import { emptyFolder } from "../support/kontor"

const { api, shop, open } = await startConsole()
const german = { locale: "de-DE", timezoneId: "Europe/Berlin" }

// One page for all tests: each test starts where the last one ended.
describe.skipIf(browserPath === null)("a German shop", () => {
  let page: Window
  beforeAll(async () => {
    page = await open("/settings/company", german)
  })

  test("is offered the currency and the time zone of the browser, until it has stored its own", async () => {
    await page.getByText("Währung und Zeitzone stammen aus Ihrem Browser.").waitFor()
    expect(await page.getByRole("combobox", { name: "Währung" }).inputValue()).toStartWith("EUR")
    expect(await page.getByRole("combobox", { name: "Zeitzone" }).inputValue()).toBe("Europe/Berlin")
    // A proposal is not an unsaved change.
    await page.getByRole("link", { name: "Übersicht" }).click()
    await page.getByRole("heading", { level: 1, name: "Übersicht" }).waitFor()
    await follow(page, "/settings/company", "Firma")
    await page.getByLabel("Firmenname", { exact: true }).fill("Krug & Tassen")
    await page.getByRole("button", { name: "Speichern" }).click()
    await page.getByText("Die Einstellungen wurden gespeichert.").waitFor()
    expect((await api.get("/settings")).body.data).toMatchObject({
      currency: "EUR",
      timeZone: "Europe/Berlin",
    })
    await page.getByText("Währung und Zeitzone stammen").waitFor({ state: "detached" })
    await page.getByRole("button", { name: /^Angemeldet als/ }).click()
    await page.getByText(/· Administrator/).waitFor()
    await page.keyboard.press("Escape")
  })

  test("has German suggestions: the unit, the type of a customer, and payment terms that set a due date", async () => {
    await follow(page, "/items/new", "Neuer Artikel")
    expect(await page.getByLabel("Einheit").inputValue()).toBe("Stk")
    const price = page.getByLabel("Verkaufspreis")
    await price.fill("abc")
    await price.blur()
    await page.getByText("Geben Sie eine Zahl ein, zum Beispiel 12,50.").waitFor()
    await price.fill("12,5 €")
    await page.getByLabel("Artikelnummer").fill("KRUG")
    await page.getByLabel("Bezeichnung").fill("Krug")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Krug" }).waitFor()
    expect(await price.inputValue()).toBe("12,50")
    await follow(page, "/customers/new", "Neuer Kunde")
    await page.getByLabel("Name").fill("Petersen")
    expect(await page.getByRole("combobox", { name: "Art", exact: true }).inputValue()).toBe("Firma")
    await page.getByLabel("Zahlungsbedingungen").click()
    await page.getByRole("option", { name: "Monatsende" }).click()
    await page.getByRole("button", { name: "Kunden anlegen" }).click()
    await page.getByRole("heading", { level: 1, name: "Petersen" }).waitFor()
    const [customer] = (await api.get("/customers?search=Petersen")).body.data
    expect(customer).toMatchObject({ type: "Company", paymentTerms: "Monatsende" })
    const [item] = (await api.get("/items?search=KRUG")).body.data
    const order = await shop.submitted({
      customer: customer.id,
      items: [{ item: item.id, quantity: 2 }],
      orderDate: "2026-02-04",
    })
    const { body } = await shop.bill(order.id, { invoiceDate: "2026-02-05" })
    expect(body.data.dueDate).toBe("2026-02-28")
    // The terms are understood; the address was not asked for above.
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(["BUYER_ADDRESS_MISSING"])
  })

  test("has a German calendar that begins on Monday", async () => {
    await follow(page, "/orders/new", "Neuer Auftrag")
    await page.getByRole("textbox", { name: "Lieferdatum" }).fill("20/11/2026")
    await page.keyboard.press("ArrowDown")
    await page.getByRole("button", { name: "20 November 2026" }).waitFor()
    const days = page.getByRole("columnheader").filter({ hasText: /^[A-Z][a-z]$/ })
    expect(await days.allInnerTexts()).toEqual(["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"])
    await page.getByRole("textbox", { name: "Lieferdatum" }).fill("1.12.2026")
    await page.getByRole("button", { name: /^Dezember 2026/i }).waitFor()
    await page.keyboard.press("Escape")
  })

  test("finds actions and sees the amount and the status of documents in the search", async () => {
    await follow(page, "/", "Übersicht")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("Petersen")
    await page.getByText(/^25,00\u00a0€ · (Bestätigt|Abgeschlossen)$/).waitFor()
    await page.getByText(/^25,00\u00a0€ · Offen$/).waitFor()
    expect(await accessFaults(page, "[role=dialog]")).toEqual([])
    await page.keyboard.press("Control+a")
    await page.keyboard.type("neuer auftrag")
    await page.getByRole("button", { name: "Neuer Auftrag" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Neuer Auftrag" }).waitFor()
    // The forms of these pages have the focus until the dialog has it.
    const openSearch = async () => {
      await page.keyboard.press("Control+k")
      await page.locator("[role=dialog] input:focus").waitFor()
    }
    for (const [typed, found, title] of [
      ["rechnung neu", "Neue Rechnung", "Neue Rechnung"],
      ["importe", "Dateien importieren", "Importieren"],
    ] as const) {
      await openSearch()
      await page.keyboard.type(typed)
      await page.getByRole("button", { name: found }).waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: title }).waitFor()
    }
    await openSearch()
    await page.keyboard.type("einstellungen")
    await page.getByRole("button", { name: "Firma" }).waitFor()
    await page.keyboard.press("Escape")
  })

  test("exports a list for a spreadsheet that expects decimal commas", async () => {
    await follow(page, "/invoices", "Rechnungen")
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Diese Liste exportieren" }).click()
    await page.getByRole("menuitem", { name: "CSV", exact: true }).click()
    const path = join(emptyFolder(), "list.csv")
    await (await saved).saveAs(path)
    const [titles = "", row = ""] = (await Bun.file(path).text()).split("\r\n")
    expect(titles).toStartWith("ID;Rechnungsnummer;")
    expect(row.split(";")).toHaveLength(titles.split(";").length)
    page.assertQuiet()
  })

  test("sees whole orders, its filters and the records of the audit log on a phone, with targets for a finger", async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await follow(page, "/", "Übersicht")
    const latest = page.getByRole("list", { name: "Neueste Aufträge" })
    await latest.getByText("25,00").waitFor()
    expect(await overflow(page)).toBe(0)
    const edge = await latest.getByText("25,00").boundingBox()
    expect((edge?.x ?? 390) + (edge?.width ?? 0)).toBeLessThan(390)
    for (const button of await page.getByRole("banner").getByRole("button").all()) {
      if (!(await button.isVisible())) continue
      const box = await button.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(40)
    }
    await follow(
      page,
      "/invoices?status[in]=unpaid,paid&invoiceDate[gte]=2026-02-01&invoiceDate[lte]=2026-02-28",
      "Rechnungen",
    )
    await page.getByRole("button", { name: /^Status: Offen, Bezahlt/ }).click()
    await page.waitForURL((url) => !url.search.includes("status"))
    await page.getByRole("button", { name: /^Rechnungsdatum: 01\.02\.2026 – 28\.02\.2026/ }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await follow(page, "/settings/audit", "Prüfprotokoll")
    await page.getByRole("listitem").filter({ hasText: "Rechnungen" }).getByText(/INV-/).first().waitFor()
    page.assertQuiet()
  })
})
