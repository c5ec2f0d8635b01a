import { describe, expect, test } from "bun:test"
import { browserPath, inspector, startConsole } from "../support/browser"
import { setMail } from "../support/mail"
import { until } from "../support/until"

const { api, shop, open } = await startConsole()
const german = { locale: "de-DE" }

describe.skipIf(browserPath === null)("recurring invoices", () => {
  test("are saved without their empty lines, and say which invoice is made at once", async () => {
    const customer = await shop.customer({ name: "Café Elbe" })
    const page = await open(`/recurring-invoices/new?customer=${customer.id}`, german)
    const { faults, inspect } = inspector(page)
    await page.getByText(/^Eine entsteht, sobald Sie speichern: für den Zeitraum ab /).waitFor()
    await page.getByRole("button", { name: "Freie Position hinzufügen" }).click()
    await page.getByRole("button", { name: "Speichern", exact: true }).click()
    await page.getByText("Fügen Sie mindestens eine Position hinzu").waitFor()
    // One empty line has stayed.
    await page.getByRole("button", { name: "Freie Position hinzufügen" }).click()
    await page.getByLabel("Beschreibung, Position 2").fill("Wartung")
    await page.getByLabel("Einzelpreis, Position 2").fill("59,9")
    await page.getByRole("button", { name: "Speichern", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Serienrechnung für Café Elbe" }).waitFor()
    await page.getByText(/ · Zeitraum ab /).waitFor()
    await page.getByText("Nächste Rechnung", { exact: true }).waitFor()
    await inspect("recurring invoice")
    const { data } = (await api.get(`/recurring-invoices?customer=${customer.id}`)).body
    expect(data[0].items).toMatchObject([{ description: "Wartung", rate: 59.9 }])
    await page.getByRole("button", { name: "Pausieren" }).click()
    await page.getByText("keine, solange sie pausiert ist").waitFor()
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("that cannot be sent name the customer who has no address, with a link to it", async () => {
    await setMail(api, 9)
    const customer = await shop.customer({ name: "Ohne Post" })
    const items = [{ description: "Wartung", quantity: 1, rate: 10 }]
    const startsOn = (await api.get("/auth/me")).body.data.company.today
    const template = { customer: customer.id, every: { unit: "month" }, startsOn, mode: "send", items }
    const { id } = await api.create("/recurring-invoices", template)
    await until(async () => (await shop.get("recurring-invoices", id)).problem !== null)
    const page = await open(`/recurring-invoices/${id}`, german)
    const problem = page.getByRole("alert").filter({ hasText: "Die letzte Rechnung braucht Sie" })
    await problem.getByText("Ohne Post hat noch keine E-Mail-Adresse.").waitFor()
    // The same is said where sending is chosen.
    await page.getByText("Ohne Post hat noch keine E-Mail-Adresse.").nth(1).waitFor()
    await problem.getByRole("link", { name: "Adresse eintragen" }).click()
    await page.getByRole("heading", { level: 1, name: "Ohne Post" }).waitFor()
    await page.locator("[data-path=email]:focus").waitFor()
    page.assertQuiet()
  })
})
