import { describe, expect, test } from "bun:test"
import { browserPath, follow, startConsole, type Window } from "../support/browser"

const { api, shop, open } = await startConsole()

const tab = async (page: Window, times: number) => {
  for (let i = 0; i < times; i++) await page.keyboard.press("Tab")
}

// The formats that can be typed are tested next to the parser, in src/console/forms/number.test.ts.
describe.skipIf(browserPath === null)("a number", () => {
  const priceOf = async (id: string) => (await api.get(`/items/${id}`)).body.data.sellingPrice

  test.each([
    { locale: "nl-NL", typed: "12.50", shown: "12,50", stored: 12.5 },
    { locale: "en-US", typed: "1.234,50", shown: "1,234.50", stored: 1234.5 },
  ])(
    "typed over another is shown in the viewer's format after Tab, and stored: $locale",
    async ({ locale, typed, shown, stored }) => {
      const { id, itemName } = await shop.item()
      const page = await open(`/items/${id}`, { locale })
      const field = page.getByLabel("Selling price")
      await field.selectText()
      await page.keyboard.type(typed)
      await page.keyboard.press("Tab")
      expect(await field.inputValue()).toBe(shown)
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText(`${itemName} was saved.`).waitFor()
      expect(await priceOf(id)).toBe(stored)
      page.assertQuiet()
    },
  )

  describe.each([
    { locale: "en-US", price: "1599", amount: "500.25" },
    { locale: "nl-NL", price: "1599", amount: "500,25" },
  ])("in a field that gets the focus is replaced by typing: $locale", ({ locale, price, amount }) => {
    test("by Tab, the price of an item and the tax rate of a new one", async () => {
      const { id, itemName } = await shop.item({ sellingPrice: 1499 })
      const page = await open(`/items/${id}`, { locale })
      await page.getByLabel("Category").first().click()
      await tab(page, 2)
      await page.keyboard.type(price)
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText(`${itemName} was saved.`).waitFor()
      expect(await priceOf(id)).toBe(1599)
      await follow(page, "/items/new", "New item")
      await page.keyboard.type(`TAX-${locale}`)
      await tab(page, 1)
      await page.keyboard.type("Taxed")
      await tab(page, 4)
      await page.keyboard.type("12")
      await tab(page, 3)
      await page.keyboard.type("19")
      await page.keyboard.press("Enter")
      await page.getByText("Taxed was saved.").waitFor()
      const { body } = await api.get(`/items?itemCode=TAX-${locale}`)
      expect(body.data[0]).toMatchObject({ sellingPrice: 12, taxRate: 19 })
      page.assertQuiet()
    })

    test("by Tab and by a click, the quantity of a line; and at once, the amount of a payment", async () => {
      const items = [{ item: (await shop.item({ sellingPrice: 511.18 })).id, quantity: 6 }]
      const { id } = await shop.order({ items })
      const page = await open(`/orders/${id}`, { locale })
      const quantity = page.getByLabel("Quantity, line 1")
      await page.getByLabel("Item, line 1").click()
      await page.keyboard.press("Escape")
      await tab(page, 1)
      await page.keyboard.type("2")
      expect(await quantity.inputValue()).toBe("2")
      await page.getByLabel("Notes").click()
      await quantity.click()
      await page.keyboard.type("3")
      expect(await quantity.inputValue()).toBe("3")
      // A second click places the cursor, so that a digit can be added.
      await quantity.click()
      await page.keyboard.press("End")
      await page.keyboard.type("0")
      expect(await quantity.inputValue()).toBe("30")
      const invoice = await shop.invoice({ items: [{ ...items[0], quantity: 3 }] })
      await page.getByRole("button", { name: "Save draft" }).click()
      await page.getByText("was saved as a draft").waitFor()
      await follow(page, `/invoices/${invoice.id}`, invoice.invoiceNumber)
      await page.getByRole("button", { name: "Record payment" }).click()
      await page.getByRole("dialog").getByLabel("Amount").and(page.locator(":focus")).waitFor()
      await page.keyboard.type(amount)
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      expect((await shop.get("invoices", invoice.id)).amountPaid).toBe(500.25)
      page.assertQuiet()
    })
  })

  test("that is pasted is parsed like one that is typed", async () => {
    const { id, itemName } = await shop.item()
    const page = await open(`/items/${id}`)
    await page.getByLabel("Selling price").selectText()
    await page.keyboard.insertText("1.234,50")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(`${itemName} was saved.`).waitFor()
    expect(await priceOf(id)).toBe(1234.5)
  })

  test("with a thousands separator of the viewer's language is stored on Enter", async () => {
    const { id, itemName } = await shop.item()
    const page = await open(`/items/${id}`, { locale: "nl-NL" })
    await page.getByLabel("Selling price").selectText()
    await page.keyboard.type("1.234")
    await page.keyboard.press("Enter")
    await page.getByText(`${itemName} was saved.`).waitFor()
    expect(await priceOf(id)).toBe(1234)
  })

  test("on an order line is used for the total and stored", async () => {
    const { id } = await shop.order()
    const page = await open(`/orders/${id}`, { locale: "nl-NL" })
    for (const [part, typed] of [
      ["Quantity", "2.5"],
      ["Rate", "1.234,50"],
    ] as const) {
      await page.getByLabel(`${part}, line 1`).focus()
      await page.waitForFunction(() => getSelection()?.toString() !== "")
      await page.keyboard.type(typed)
    }
    await page.getByRole("group", { name: "Totals" }).getByText("3.086,25").first().waitFor()
    await page.getByRole("button", { name: "Save draft" }).click()
    await page.getByText("was saved as a draft").waitFor()
    expect((await shop.get("sales-orders", id)).items[0]).toMatchObject({ quantity: 2.5, rate: 1234.5 })
    page.assertQuiet()
  })

  test("that cannot be parsed shows an error, stays as typed, and is not stored", async () => {
    const { id, itemName } = await shop.item({ sellingPrice: 7 })
    const page = await open(`/items/${id}`)
    await page.getByLabel("Selling price").fill("1,2,3")
    await page.getByLabel("Name").focus()
    await page.getByText("Enter a number, for example 12.50.").waitFor()
    expect(await page.getByLabel("Selling price").inputValue()).toBe("1,2,3")
    const refused = page.waitForResponse((response) => response.request().method() === "PUT")
    await page.getByRole("button", { name: "Save" }).click()
    expect((await refused).status()).toBe(422)
    expect(await priceOf(id)).toBe(7)
    await page.getByLabel("Selling price").fill("8")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(`${itemName} was saved.`).waitFor()
    expect(await priceOf(id)).toBe(8)
  })

  // JavaScript parses "2e0" as 2, the whole quantity of the line.
  test.each(["one", "2e0"])(
    "that cannot be parsed creates no invoice without its line: %s",
    async (typed) => {
      const [one, other] = [await shop.item({ itemName: "Lamp" }), await shop.item({ itemName: "Shade" })]
      const order = await shop.submitted({
        items: [one, other].map(({ id }) => ({ item: id, quantity: 2 })),
      })
      const page = await open(`/orders/${order.id}`)
      await page.getByRole("button", { name: "Invoice", exact: true }).click()
      // The dialog focuses its first field when it opens. Before that, Tab would start somewhere else.
      await page.locator('[aria-label="Quantity of Lamp to invoice now"]:focus').waitFor()
      await page.getByLabel("Quantity of Shade to invoice now").fill(typed)
      await page.keyboard.press("Tab")
      await page.getByText("Enter a number").waitFor()
      const refused = page.waitForResponse((response) => response.url().endsWith("/from-order"))
      await page.getByRole("button", { name: "Create invoice" }).click()
      expect((await refused).status()).toBe(422)
      expect((await shop.get("sales-orders", order.id)).invoices).toEqual([])
    },
  )
})
