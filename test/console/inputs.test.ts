import { describe, expect, test } from "bun:test"
import { animationsEnd, browserPath, follow, startConsole, type Window } from "../support/browser"

const { api, shop, open } = await startConsole()

/** Counts the requests that write. */
const countWrites = (page: Window) => {
  const writes: string[] = []
  page.on("request", (request) => {
    if (request.method() !== "GET" && request.url().includes("/api/")) writes.push(request.url())
  })
  return writes
}

describe.skipIf(browserPath === null)("in the console", () => {
  describe("a select that is searched by typing", () => {
    test("is chosen from with Enter, which does not save the company; typing after a click replaces its text", async () => {
      const page = await open("/settings/company")
      const writes = countWrites(page)
      const currency = page.getByRole("combobox", { name: "Currency" })
      await currency.click()
      await page.keyboard.type("eur")
      await page.keyboard.press("Enter")
      expect(await currency.inputValue()).toBe("EUR – Euro")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Tab")
      // Tab selects the text of the next field, so typing replaces it.
      await page.keyboard.type("berlin")
      await page.keyboard.press("Enter")
      expect(await page.getByRole("combobox", { name: "Time zone" }).inputValue()).toBe("Europe/Berlin")
      // The same choice again keeps it.
      await page.getByLabel("Company name").click()
      await page.getByRole("combobox", { name: "Time zone" }).click()
      await page.keyboard.type("europe/berl")
      await page.keyboard.press("Enter")
      expect(writes).toEqual([])
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("The settings were saved.").waitFor()
      expect((await api.get("/settings")).body.data).toMatchObject({
        currency: "EUR",
        timeZone: "Europe/Berlin",
      })
      page.assertQuiet()
    })

    test("is chosen from with Enter, which does not create the customer", async () => {
      const page = await open("/customers/new")
      const country = page.getByRole("combobox", { name: "Country" })
      await page.getByLabel("Name").fill("Petersen")
      await country.click()
      await page.keyboard.type("germ")
      await page.keyboard.press("Enter")
      expect(await country.inputValue()).toBe("Germany")
      await page.getByLabel("City").click()
      await country.click()
      await page.keyboard.type("austri")
      await page.keyboard.press("Enter")
      expect(await country.inputValue()).toBe("Austria")
      await page.getByRole("heading", { level: 1, name: "New customer" }).waitFor()
      await page.getByRole("button", { name: "Create customer" }).click()
      await page.getByText("Petersen was saved.").waitFor()
      const { body } = await api.get("/customers?search=petersen")
      expect(body.data).toMatchObject([{ name: "Petersen", address: { country: "AT" } }])
      page.assertQuiet()
    })

    test("finds the item of a stock movement on the server, and Enter chooses it", async () => {
      const { id } = await shop.item({ itemCode: "BOLT-8", itemName: "Bolt" })
      await shop.item({ itemCode: "BOLT-9", itemName: "Another bolt" })
      const page = await open("/stock")
      await page.getByRole("button", { name: "Receive stock" }).first().click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Item").click()
      await page.keyboard.type("bolt-8")
      await page
        .getByRole("option", { name: /BOLT-8/ })
        .and(page.locator("[data-combobox-selected]"))
        .waitFor()
      await page.keyboard.press("Enter")
      await page.keyboard.press("Tab")
      await page.keyboard.type("12")
      await page.keyboard.press("Enter")
      await dialog.waitFor({ state: "detached" })
      expect((await shop.get("items", id)).currentStock).toBe(12)
      page.assertQuiet()
    })
  })

  describe("the search of Ctrl-K", () => {
    const seek = async (page: Window, text: string) => {
      await page.keyboard.press("Control+k")
      await page.getByLabel("Search everything").and(page.locator(":focus")).waitFor()
      await page.keyboard.type(text)
    }

    test("opens the first hit with Enter, also if Enter is pressed before the results are there", async () => {
      await shop.item({ itemCode: "ZEB-1", itemName: "Zebra rug" })
      await shop.item({ itemCode: "YAK-1", itemName: "Yak blanket" })
      const page = await open("/")
      await seek(page, "zebra")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Zebra rug" }).waitFor()
      await animationsEnd(page)
      await seek(page, "zebra")
      await page.getByRole("dialog").locator("[data-selected]", { hasText: "Zebra rug" }).waitFor()
      // The results of the earlier text are still on screen. Enter must not open them.
      await page.getByLabel("Search everything").selectText()
      await page.keyboard.type("yak")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Yak blanket" }).waitFor()
      page.assertQuiet()
    })

    test("finds an invoice by its total, before the order with the same total", async () => {
      const item = await shop.item({ sellingPrice: 4413.97, taxRate: 0 })
      const { invoiceNumber } = await shop.invoice({ items: [{ item: item.id, quantity: 1 }] })
      const page = await open("/")
      for (const typed of ["4413.97", "€4,413.97"]) {
        await follow(page, "/", "Dashboard")
        await seek(page, typed)
        await page.getByRole("dialog").locator("[data-selected]", { hasText: invoiceNumber }).waitFor()
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: invoiceNumber }).waitFor()
        await animationsEnd(page)
      }
      page.assertQuiet()
    })
  })
})
