import { describe, expect, test } from "bun:test"
import { browserPath, inspector, startConsole, type Window } from "../support/browser"

const { api, shop, open } = await startConsole()

const german = { locale: "de-DE", timezoneId: "Europe/Berlin" }
const stored = async () => (await api.get("/settings")).body.data
const goOn = (page: Window) => page.getByRole("button", { name: "Speichern und weiter" }).click()
const step = (page: Window, name: string) => page.getByRole("heading", { level: 2, name }).waitFor()
const valueOf = (page: Window, name: string) =>
  page.getByRole("textbox", { name, exact: true }).and(page.locator(":visible")).inputValue()

async function chooseCountry(page: Window, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "Land" }).fill(name)
  await page.getByRole("option", { name }).click()
}

// Each test starts where the last one ended.
describe.skipIf(browserPath === null)("the set-up of a shop in Germany", () => {
  test("is left at its second step, and stores nothing that nobody has confirmed", async () => {
    const page = await open("/", german)
    await page.getByRole("link", { name: "Firmendaten eintragen" }).click()
    await step(page, "Ihre Firma")
    expect(await page.getByRole("combobox", { name: "Land" }).inputValue()).toBe("Deutschland")
    expect(await page.getByRole("combobox", { name: "Währung" }).inputValue()).toStartWith("EUR")
    // Another country has another currency.
    await chooseCountry(page, "Schweiz")
    await page.locator("input[type=hidden][value=CHF]").waitFor({ state: "attached" })
    await chooseCountry(page, "Deutschland")
    await page.locator("input[type=hidden][value=EUR]").waitFor({ state: "attached" })
    await page.getByLabel("Firmenname").fill("Krug & Tassen")
    await goOn(page)
    await step(page, "Steuern")
    await page.getByRole("radio", { name: /Kleinunternehmer/ }).check()
    await page.getByRole("checkbox", { name: /^DE-E/, checked: true }).waitFor()
    await page.getByRole("checkbox", { name: /^DE19/, checked: false }).waitFor()
    await page.getByRole("link", { name: "Später weitermachen" }).click()
    await page.getByRole("link", { name: "Einrichtung fortsetzen: Steuern" }).waitFor()
    await page.getByText("0 von 5 erledigt").waitFor()
    expect(await stored()).toMatchObject({
      companyName: "Krug & Tassen",
      address: { country: "DE" },
      currency: "EUR",
      timeZone: "Europe/Berlin",
      setUpStep: "taxes",
      defaultLanguage: "en",
      defaultTaxCode: null,
      numberFormats: { invoices: "INV-{YYYY}-{#####}" },
    })
    expect((await api.get("/tax-codes")).body.data).toEqual([])
    page.assertQuiet()
  })

  test("is resumed in another browser, where the German proposals can be changed before they are stored", async () => {
    const page = await open("/", { ...german, isFresh: true })
    await page.getByRole("link", { name: "Einrichtung fortsetzen: Steuern" }).click()
    await step(page, "Steuern")
    await page.getByRole("checkbox", { name: /^DE7 / }).uncheck()
    await page.getByLabel("Preise enthalten Steuer").check()
    await goOn(page)
    await step(page, "Nummern Ihrer Belege")
    await page.getByText(/^Nächste Nummer: RE-\d{4}-00001$/).waitFor()
    expect(await valueOf(page, "Auftragsnummern")).toBe("AB-{YYYY}-{#####}")
    await page.getByRole("textbox", { name: "Kundennummern" }).fill("K{####}")
    await page.getByRole("textbox", { name: "Erste Rechnungsnummer" }).fill("417")
    await goOn(page)
    await step(page, "Was auf Ihren Belegen steht")
    expect(await valueOf(page, "Übliche Einheit")).toBe("Stk")
    expect(await page.getByLabel("Übliche Zahlungsbedingungen").inputValue()).toBe("14 Tage netto")
    await page.getByRole("textbox", { name: "IBAN" }).fill("DE00")
    await goOn(page)
    await page.getByText("Geben Sie eine gültige IBAN ein").waitFor()
    // Nothing of the step is stored with an error in it.
    expect(await stored()).toMatchObject({ setUpStep: "documents", defaultUnit: null, iban: null })
    await page.getByRole("textbox", { name: "IBAN" }).fill("DE89370400440532013000")
    await goOn(page)
    await step(page, "Ihr Logo")
    // An earlier step that is done again does not take the set-up back.
    await page.getByRole("navigation", { name: "Schritte" }).getByRole("link", { name: "Firma" }).click()
    await page.getByLabel("Steuernummer").fill("22/815/08154")
    await goOn(page)
    await step(page, "Steuern")
    expect((await stored()).setUpStep).toBe("logo")
    await page.getByRole("navigation", { name: "Schritte" }).getByRole("link", { name: "Logo" }).click()
    await page.getByRole("button", { name: "Fertig" }).click()
    await page.getByText("1 von 5 erledigt").waitFor()
    await page.getByText("Erledigt: Firmendaten eintragen").waitFor()
    const [code] = (await api.get("/tax-codes")).body.data
    expect((await api.get("/tax-codes")).body.data).toMatchObject([{ code: "DE19", rate: 19 }])
    expect(await stored()).toMatchObject({
      setUpStep: null,
      defaultTaxCode: code.id,
      pricesIncludeTax: true,
      taxNumber: "22/815/08154",
      numberFormats: {
        invoices: "RE-{YYYY}-{#####}",
        creditNotes: "RK-{YYYY}-{#####}",
        customers: "K{####}",
      },
      defaultLanguage: "de",
      defaultUnit: "Stk",
      defaultPaymentTerms: "14 Tage netto",
      iban: "DE89370400440532013000",
    })
    expect(await shop.invoice()).toMatchObject({
      invoiceNumber: expect.stringMatching(/^RE-\d{4}-00417$/),
      paymentTerms: "14 Tage netto",
    })
    page.assertQuiet()
  })

  test("has accessible steps that fit a phone, and shows what was chosen before", async () => {
    const page = await open("/settings/set-up", german)
    await step(page, "Ihre Firma")
    await page.setViewportSize({ width: 390, height: 844 })
    const { inspect, faults } = inspector(page)
    for (const [name, heading] of [
      ["Firma", "Ihre Firma"],
      ["Steuern", "Steuern"],
      ["Nummern", "Nummern Ihrer Belege"],
      ["Belege", "Was auf Ihren Belegen steht"],
      ["Logo", "Ihr Logo"],
    ] as const) {
      await page.getByRole("navigation", { name: "Schritte" }).getByRole("link", { name }).click()
      await step(page, heading)
      if (name === "Nummern") expect(await valueOf(page, "Kundennummern")).toBe("K{####}")
      await inspect(heading, "main")
    }
    expect(faults).toEqual({})
    page.assertQuiet()
  })
})
