import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { browserPath, follow, overflow, settle, startConsole, type Window } from "../support/browser"
import { emptyFolder } from "../support/kontor"
import { isLong } from "../support/long"

const { api, shop, open } = await startConsole()

const german = { locale: "de-DE", timezoneId: "Europe/Berlin" }

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
    const order = await shop.submitted({
      items: [{ item: item.id, quantity: 2 }],
      orderDate: "2026-02-05",
      paymentTerms: "Due on receipt",
    })
    const bill = await shop.bill(order.id, { invoiceDate: today })
    invoiceNumber = bill.body.data.invoiceNumber
    await shop.pay(bill.body.data.id, 1000, { paymentDate: today })
    page = await open("/", german)
  })
  const written = (day: string) => day.split("-").reverse().join(".")

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
    await row.getByText(written(today)).first().waitFor()
  })

  test("a saved list has decimal commas between semicolons, and numbers that a spreadsheet can add up", async () => {
    await page.getByLabel("Alle auswählen", { exact: true }).check()
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Exportieren", exact: true }).click()
    await page.getByRole("menuitem", { name: "CSV", exact: true }).click()
    const path = join(emptyFolder(), "invoices.csv")
    await (await saved).saveAs(path)
    const [titles = [], row = []] = (await Bun.file(path).text()).split("\r\n").map((line) => line.split(";"))
    const cell = (title: string) => row[titles.indexOf(title)]
    expect(cell("Rechnungsnummer")).toBe(invoiceNumber)
    expect([cell("Gesamtbetrag"), cell("Offener Betrag")]).toEqual(["2962,8", "1962,8"])
    await page.getByRole("button", { name: "Auswahl aufheben" }).click()
  })

  test("an invoice shows German amounts, dates, units and terms, also in its inputs", async () => {
    await page.getByRole("link", { name: invoiceNumber }).click()
    await page.getByRole("heading", { level: 1, name: invoiceNumber }).waitFor()
    // They are stored as "Nos" and "Due on receipt", which the program says as its paper does.
    await page.getByText("2 Stk", { exact: true }).waitFor()
    await page.getByText("Sofort fällig").waitFor()
    await page.getByText(money("1.234,50")).first().waitFor()
    await page.getByText(money("1.000,00")).first().waitFor()
    const dueDate = page.getByRole("textbox", { name: "Fällig am" })
    expect(await dueDate.inputValue()).toBe(written(today))
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
    await dialog.getByText(/^Die Zahlung ist höher als der offene Betrag von 1\.962,80\s€\./).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Änderungen verwerfen" }).click()
    await shop.item({ itemCode: "SCHON-DA" })
    await follow(page, "/items/new", "Neuer Artikel")
    await page.getByLabel("Artikelnummer").fill("schon-da")
    await page.getByLabel("Bezeichnung").fill("Noch einer")
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
    const dialog = page.getByRole("dialog", { name: "Jemand anderes hat diesen Eintrag geändert" })
    await dialog.getByText(/3,5 × LATTE zu 12,50\s/).waitFor()
    await dialog.getByText(/1 × LATTE zu 12,50\s.*, 2,5 % Rabatt/).waitFor()
    await dialog.getByRole("button", { name: "Meine Änderungen verwerfen" }).click()
    await dialog.waitFor({ state: "hidden" })
  })

  test("warnings of the server are in German", async () => {
    await page.getByRole("button", { name: "Speichern und bestätigen" }).click()
    await page.getByText("LATTE: 1 bestellt, 0 verfügbar.").waitFor()
    page.assertQuiet()
  })
})

/** The words of column titles that continue on another line. */
const brokenWords = (page: Window): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("th")].flatMap((title) => {
      const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT)
      const broken: string[] = []
      while (texts.nextNode())
        for (const { 0: word, index } of (texts.currentNode.textContent ?? "").matchAll(/[^\s-]+/g)) {
          const range = document.createRange()
          range.setStart(texts.currentNode, index)
          range.setEnd(texts.currentNode, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
        }
      return broken
    }),
  )

/** The widths at which the layout changes, and others in the long form. */
const widths = isLong
  ? [1280, 1100, 1089, 1088, 1000, 993, 768, 600, 390, 360]
  : [1280, 1089, 1088, 993, 768, 360]

describe.skipIf(browserPath === null)("the titles of columns", () => {
  const paths: Record<string, string> = {}
  beforeAll(async () => {
    const item = await shop.item({ itemCode: "TITLE", itemName: "Schreibtischlampenschirmhalterung" })
    await shop.receive(item.id, 10)
    const invoice = await shop.invoice({ items: [{ item: item.id, quantity: 2, discount: 10 }] })
    const draft = await shop.order({ items: [{ item: item.id, quantity: 1 }] })
    paths.invoice = `/invoices/${invoice.id}`
    paths.draft = `/orders/${draft.id}`
  })

  /** Looks at a page at each width, without a table that is wider than its box. */
  async function look(page: Window) {
    const found: Record<number, string[]> = {}
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await settle(page)
      const words = await brokenWords(page)
      if ((await overflow(page)) > 0) words.push("too wide")
      if (words.length > 0) found[width] = words
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    return found
  }

  const lists = ["/stock", "/orders", "/settings/company"]
  if (isLong) lists.push("/stock/ledger", "/invoices", "/settings/users")

  test.each(lists)("wrap only between words at %s", async (path) => {
    const page = await open(path, german)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await settle(page)
    expect(await look(page)).toEqual({})
  })

  test.each(isLong ? ["invoice", "draft"] : ["draft"])(
    "wrap only between words on the page of a document: %s",
    async (name) => {
      const page = await open(paths[name] ?? "", german)
      await page.getByRole("columnheader", { name: "Artikel" }).waitFor()
      await settle(page)
      expect(await look(page)).toEqual({})
    },
  )

  if (isLong)
    test("wrap only between words in the steps of an import, and in a count", async () => {
      const page = await open("/import?kind=items", german)
      const buffer = Buffer.from("Artikelnummer;Bezeichnung;VK;Lagerplatz\nT-1;Tür;1,5;A1\nT-2;;abc;A2\n")
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "artikel.csv", mimeType: "text/csv", buffer })
      await page.getByRole("heading", { level: 2, name: /^Spalten/ }).waitFor()
      expect(await look(page)).toEqual({})
      await page.getByRole("button", { name: "Zeilen prüfen" }).click()
      await page.getByRole("table", { name: "Fehlerliste" }).waitFor()
      expect(await look(page)).toEqual({})
      const count = await open("/stock/count", german)
      await count.getByLabel("Artikelnummer oder Barcode", { exact: true }).focus()
      await count.keyboard.type("TITLE\n7\n")
      await count.getByRole("table").waitFor()
      expect(await look(count)).toEqual({})
    })
})
