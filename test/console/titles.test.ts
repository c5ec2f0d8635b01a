import { beforeAll, describe, expect, test } from "bun:test"
import { browserPath, overflow, settle, startConsole, type Window } from "../support/browser"
import { isLong } from "../support/long"

const { shop, open } = await startConsole()

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

  test.each(["/stock", "/stock/ledger", "/invoices", "/orders", "/settings/users", "/settings/company"])(
    "wrap only between words at %s",
    async (path) => {
      const page = await open(path, { locale: "de-DE" })
      await page.getByRole("heading", { level: 1 }).waitFor()
      await settle(page)
      expect(await look(page)).toEqual({})
    },
  )

  test.each(["invoice", "draft"])("wrap only between words on the page of a document: %s", async (name) => {
    const page = await open(paths[name] ?? "", { locale: "de-DE" })
    await page.getByRole("columnheader", { name: "Artikel" }).waitFor()
    await settle(page)
    expect(await look(page)).toEqual({})
  })

  test("wrap only between words in the steps of an import, and in a count", async () => {
    const page = await open("/import?kind=items", { locale: "de-DE" })
    const buffer = Buffer.from("Artikelnummer;Bezeichnung;VK;Lagerplatz\nT-1;Tür;1,5;A1\nT-2;;abc;A2\n")
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "artikel.csv", mimeType: "text/csv", buffer })
    await page.getByRole("heading", { level: 2, name: /^Spalten/ }).waitFor()
    expect(await look(page)).toEqual({})
    await page.getByRole("button", { name: "Zeilen prüfen" }).click()
    await page.getByRole("table", { name: "Fehlerliste" }).waitFor()
    expect(await look(page)).toEqual({})
    const count = await open("/stock/count", { locale: "de-DE" })
    await count.getByLabel("Artikelnummer oder Barcode", { exact: true }).focus()
    await count.keyboard.type("TITLE\n7\n")
    await count.getByRole("table").waitFor()
    expect(await look(count)).toEqual({})
  })
})
