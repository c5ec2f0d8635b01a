import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { browserPath, closeBrowser, newPage, signInAt, type Window } from "../support/browser"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

/** Between a number and its currency stands a space that does not break. */
const money = (text: string) => `${text}\u00a0€`

// One story: a German browser sees one shop.
describe.skipIf(browserPath === null)("in a German browser", () => {
  let kontor: Kontor
  let page: Window
  let invoiceNumber: string
  let today: string
  beforeAll(async () => {
    kontor = await serve()
    const api = await signIn(kontor)
    const shop = trade(api)
    expect((await api.put("/settings", { currency: "EUR" })).status).toBe(200)
    today = (await api.get("/auth/me")).body.data.company.today
    const item = await shop.item({ itemName: "Schreibtisch", sellingPrice: 1234.5, taxRate: 20 })
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 2 }], orderDate: "2026-02-05" })
    const bill = await shop.bill(order.id, { invoiceDate: today })
    invoiceNumber = bill.body.data.invoiceNumber
    await shop.pay(bill.body.data.id, 1000, { paymentDate: today })
    page = await newPage(kontor, { locale: "de-DE", timezoneId: "Europe/Berlin" })
    await signInAt(page, kontor)
  })
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })

  const german = (day: string) => day.split("-").reverse().join(".")

  test("the dashboard has German amounts and dates", async () => {
    const main = page.getByRole("main")
    await main.getByText(money("2.962,80"), { exact: true }).first().waitFor()
    await main.getByText(money("1.962,80"), { exact: true }).first().waitFor()
    await main.getByText(money("1.000,00"), { exact: true }).first().waitFor()
    await main.getByRole("row", { name: /SO-/ }).getByText("05.02.2026").waitFor()
    expect(await main.innerText()).not.toMatch(/\d,\d{3}|Feb 5|€\d/)
  })

  test("so has the list of invoices", async () => {
    await page.getByRole("link", { name: "Invoices", exact: true }).click()
    const row = page.getByRole("row", { name: new RegExp(invoiceNumber) })
    await row.getByText(money("2.962,80")).waitFor()
    await row.getByText(money("1.962,80")).waitFor()
    await row.getByText(german(today)).first().waitFor()
  })

  test("and the invoice itself, down to its payments and what is typed on it", async () => {
    await page.getByRole("link", { name: invoiceNumber }).click()
    await page.getByRole("heading", { level: 1, name: invoiceNumber }).waitFor()
    await page.getByText(money("1.234,50")).first().waitFor()
    await page.getByText(money("1.000,00")).first().waitFor()
    expect(await page.getByRole("textbox", { name: "Due date" }).inputValue()).toBe(german(today))
    await page.getByRole("button", { name: "Add payment" }).click()
    expect(await page.getByRole("dialog").getByLabel("Amount").inputValue()).toBe("1962,8")
    page.assertQuiet()
    await page.closeAll()
  })
})
