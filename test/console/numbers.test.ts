import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { browserPath, closeBrowser, newPage, signInAt, type Window } from "../support/browser"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

describe.skipIf(browserPath === null)("a number", () => {
  let kontor: Kontor
  let api: Api
  let shop: Trade
  beforeAll(async () => {
    kontor = await serve()
    api = await signIn(kontor)
    shop = trade(api)
  })
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })

  const open = async (path: string, locale: string): Promise<Window> => {
    const page = await newPage(kontor, { locale })
    await signInAt(page, kontor, { path })
    return page
  }
  const priceOf = async (id: string) => (await api.get(`/items/${id}`)).body.data.sellingPrice

  const places = [
    {
      locale: "de-DE",
      thousand: "1.234",
      shown: { "12.50": "12,5", "12,50": "12,5", "1.234,50": "1.234,5" },
    },
    {
      locale: "en-US",
      thousand: "1,234",
      shown: { "12.50": "12.5", "12,50": "12.5", "1,234.50": "1,234.5" },
    },
  ]
  const stored: Record<string, number> = {
    "12.50": 12.5,
    "12,50": 12.5,
    "1.234,50": 1234.5,
    "1,234.50": 1234.5,
  }

  test.each(places)(
    "is stored as it was meant, with a point or a comma: $locale",
    async ({ locale, shown }) => {
      const { id, itemName } = await shop.item()
      const page = await open(`/items/${id}`, locale)
      const field = page.getByLabel("Selling price")
      for (const [typed, seen] of Object.entries(shown)) {
        await api.put(`/items/${id}`, { sellingPrice: 1 })
        await page.reload()
        await field.selectText()
        await page.keyboard.type(typed)
        await page.keyboard.press("Tab")
        expect(await field.inputValue()).toBe(seen)
        await page.getByRole("button", { name: "Save" }).click()
        await page.getByText(`${itemName} was saved.`).first().waitFor()
        expect({ typed, price: await priceOf(id) }).toEqual({ typed, price: stored[typed] ?? 0 })
      }
      page.assertQuiet()
      await page.closeAll()
    },
  )

  test.each(places)("that was pasted is no other than one that was typed: $locale", async ({ locale }) => {
    const { id, itemName } = await shop.item()
    const page = await open(`/items/${id}`, locale)
    await page.getByLabel("Selling price").selectText()
    await page.keyboard.insertText("1.234,50")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(`${itemName} was saved.`).waitFor()
    expect(await priceOf(id)).toBe(1234.5)
    await page.closeAll()
  })

  test.each(places)(
    "may have its thousands apart as the language has them: $locale",
    async ({ locale, thousand }) => {
      const { id, itemName } = await shop.item()
      const page = await open(`/items/${id}`, locale)
      await page.getByLabel("Selling price").selectText()
      await page.keyboard.type(thousand)
      await page.keyboard.press("Enter")
      await page.getByText(`${itemName} was saved.`).waitFor()
      expect(await priceOf(id)).toBe(1234)
      await page.closeAll()
    },
  )

  test("on the line of an order is reckoned with and stored as it was meant", async () => {
    const { id } = await shop.order()
    const page = await open(`/orders/${id}`, "de-DE")
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
    await page.closeAll()
  })

  test("that cannot be read is said to be none, stays as typed, and is not stored as another", async () => {
    const { id, itemName } = await shop.item({ sellingPrice: 7 })
    const page = await open(`/items/${id}`, "en-US")
    await page.getByLabel("Selling price").fill("1,2,3")
    await page.getByLabel("Name").focus()
    await page.getByText("This is not a number that can be read. Write it as 1,234.5.").waitFor()
    expect(await page.getByLabel("Selling price").inputValue()).toBe("1,2,3")
    const refused = page.waitForResponse((response) => response.request().method() === "PUT")
    await page.getByRole("button", { name: "Save" }).click()
    expect((await refused).status()).toBe(422)
    expect(await priceOf(id)).toBe(7)
    await page.getByLabel("Selling price").fill("8")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(`${itemName} was saved.`).waitFor()
    expect(await priceOf(id)).toBe(8)
    await page.closeAll()
  })

  // The second is what is left of the line, for whoever would read it as a program does.
  test.each(["one", "2e0"])("that cannot be read leaves no line out of an invoice: %s", async (typed) => {
    const [one, other] = [await shop.item({ itemName: "Lamp" }), await shop.item({ itemName: "Shade" })]
    const order = await shop.submitted({
      items: [one, other].map(({ id }) => ({ item: id, quantity: 2 })),
    })
    const page = await open(`/orders/${order.id}`, "en-US")
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    // The dialog puts the focus into its first field when it is open; until then a Tab would start elsewhere.
    await page.locator('[aria-label="Quantity of Lamp to invoice now"]:focus').waitFor()
    await page.getByLabel("Quantity of Shade to invoice now").fill(typed)
    await page.keyboard.press("Tab")
    await page.getByText("This is not a number that can be read.").waitFor()
    const refused = page.waitForResponse((response) => response.url().endsWith("/from-order"))
    await page.getByRole("button", { name: "Create invoice" }).click()
    expect((await refused).status()).toBe(422)
    expect((await shop.get("sales-orders", order.id)).invoices).toEqual([])
    await page.closeAll()
  })
})
