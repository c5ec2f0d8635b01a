import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { browserPath, startConsole, type Window } from "../support/browser"
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
    await page.getByRole("link", { name: "Invoices", exact: true }).click()
    const row = page.getByRole("row", { name: new RegExp(invoiceNumber) })
    await row.getByText(money("2.962,80")).waitFor()
    await row.getByText(money("1.962,80")).waitFor()
    await row.getByText(german(today)).first().waitFor()
  })

  test("a saved list has decimal commas between semicolons, and numbers that a spreadsheet can add up", async () => {
    await page.getByLabel("Select all", { exact: true }).check()
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export CSV" }).click()
    const path = join(emptyFolder(), "invoices.csv")
    await (await saved).saveAs(path)
    const [titles, row] = (await Bun.file(path).text()).split("\r\n")
    expect(titles).toContain('"Total";"Open"')
    expect(row).toStartWith(`"${invoiceNumber}";`)
    expect(row).toEndWith(";2962,8;1962,8")
    await page.getByRole("button", { name: "Clear selection" }).click()
  })

  test("an invoice shows German amounts and dates, also in its inputs", async () => {
    await page.getByRole("link", { name: invoiceNumber }).click()
    await page.getByRole("heading", { level: 1, name: invoiceNumber }).waitFor()
    await page.getByText(money("1.234,50")).first().waitFor()
    await page.getByText(money("1.000,00")).first().waitFor()
    expect(await page.getByRole("textbox", { name: "Due date" }).inputValue()).toBe(german(today))
    await page.getByRole("button", { name: "Record payment" }).click()
    expect(await page.getByRole("dialog").getByLabel("Amount").inputValue()).toBe("1962,8")
    page.assertQuiet()
  })
})
