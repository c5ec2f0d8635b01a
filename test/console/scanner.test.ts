import { beforeAll, describe, expect, test } from "bun:test"
import { browserPath, chooseAction, startConsole, type Window } from "../support/browser"

const { api, shop, open } = await startConsole()

/** Types as a scanner does: 2 ms between the keys, and Enter at the end. */
const scan = async (page: Window, code: string) => {
  await page.keyboard.type(code, { delay: 2 })
  await page.keyboard.press("Enter")
}

/** Holds the server's response to each search for a text back. `isAsked` ends when the first one waits. */
async function holdBack(page: Window, text: string) {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const isSearch = ({ searchParams }: URL) =>
    [searchParams.get("search"), searchParams.get("q")].includes(text)
  await page.route(isSearch, async (route) => {
    asked.resolve()
    await answer.promise
    await route.continue()
  })
  return { isAsked: asked.promise, release: answer.resolve }
}

const isFocused = (page: Window, label: string) =>
  page.waitForFunction((name) => {
    const input = document.activeElement as HTMLInputElement | null
    const labels = [input?.getAttribute("aria-label"), input?.labels?.[0]?.textContent?.replace(/ \*$/, "")]
    return labels.includes(name)
  }, label)

const barcode = "4006381333931"

describe.skipIf(browserPath === null)("with a scanner", () => {
  const items: Record<string, string> = {}
  const stockOf = async (name: string): Promise<number> =>
    (await shop.get("items", items[name] ?? "")).currentStock
  beforeAll(async () => {
    items["lamp"] = (await shop.item({ itemCode: "LE-1299", itemName: "Zinc lamp", barcode })).id
    items["desk"] = (await shop.item({ itemCode: "LE-129", itemName: "Zinc desk" })).id
    // So many others have the code in theirs that the one that is meant is not among the first results.
    for (let i = 0; i < 25; i++) await shop.item({ itemCode: `LE-1299-${i}`, itemName: `Bulb ${i}` })
  })

  test("an order gets the customer and the items whose number, code or barcode is scanned", async () => {
    const customer = await shop.customer({ name: "Scanned customer" })
    const page = await open("/orders/new")
    await page.getByRole("combobox", { name: "Customer" }).click()
    await scan(page, customer.customerNumber)
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>("[role=combobox]")?.value === "Scanned customer",
    )
    const itemIn = (line: number) => page.getByLabel(`Item, line ${line}`, { exact: true })
    await itemIn(1).click()
    await scan(page, "LE-1299")
    await isFocused(page, "Quantity, line 1")
    expect(await itemIn(1).inputValue()).toBe("LE-1299 · Zinc lamp")
    await scan(page, "2")
    await isFocused(page, "Item, line 2")
    // The answer comes late, as in a network that is slow.
    const held = await holdBack(page, barcode)
    await scan(page, barcode)
    await held.isAsked
    expect(await itemIn(2).inputValue()).toBe(barcode)
    held.release()
    await isFocused(page, "Quantity, line 2")
    expect(await itemIn(2).inputValue()).toBe("LE-1299 · Zinc lamp")
    // The next article is scanned without a quantity.
    await scan(page, barcode)
    await isFocused(page, "Quantity, line 3")
    expect(await itemIn(3).inputValue()).toBe("LE-1299 · Zinc lamp")
    await page.getByRole("button", { name: "Save draft" }).click()
    await page.getByRole("heading", { level: 1, name: /^SO-/ }).waitFor()
    const [order] = (await api.get(`/sales-orders?customer=${customer.id}`)).body.data
    const { items: lines } = await shop.get("sales-orders", order.id)
    expect(lines).toMatchObject([
      { item: items["lamp"], quantity: 2 },
      { item: items["lamp"], quantity: 1 },
      { item: items["lamp"], quantity: 1 },
    ])
    page.assertQuiet()
  })

  test("a code that is only a part of others takes none of them unseen, and another Enter takes the first", async () => {
    const page = await open("/stock")
    await page.getByRole("button", { name: "Receive stock" }).click()
    const dialog = page.getByRole("dialog")
    await isFocused(page, "Item")
    const held = await holdBack(page, "LE-12")
    await scan(page, "LE-12")
    await held.isAsked
    held.release()
    await page.locator("[data-combobox-selected]", { hasText: "Bulb 0" }).waitFor()
    expect(await dialog.getByLabel("Item").inputValue()).toBe("LE-12")
    await page.keyboard.press("Enter")
    await isFocused(page, "Quantity")
    expect(await dialog.getByLabel("Item").inputValue()).toBe("LE-1299-0 · Bulb 0")
    page.assertQuiet()
  })

  test("goods are received: code, quantity, next", async () => {
    const page = await open("/stock")
    await page.getByRole("button", { name: "Receive stock" }).click()
    const dialog = page.getByRole("dialog")
    await isFocused(page, "Item")
    const held = await holdBack(page, barcode)
    await scan(page, barcode)
    await held.isAsked
    held.release()
    await isFocused(page, "Quantity")
    // The next item is scanned too early.
    await scan(page, barcode)
    await dialog.getByText("This is a code, not a quantity").waitFor()
    // Typed as a person does, each digit counts.
    await page.keyboard.type("48", { delay: 120 })
    await page.keyboard.press("Enter")
    await isFocused(page, "Item, line 2")
    await scan(page, "LE-129")
    await isFocused(page, "Quantity, line 2")
    await page.keyboard.type("3")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    expect([await stockOf("lamp"), await stockOf("desk")]).toEqual([48, 3])
    page.assertQuiet()
  })

  test("goods are received by scanning each piece, if a scan adds one", async () => {
    const page = await open("/stock")
    await page.getByRole("button", { name: "Receive stock" }).click()
    const dialog = page.getByRole("dialog")
    await isFocused(page, "Item")
    await dialog.getByRole("switch", { name: "Scan adds one" }).click()
    await dialog.getByRole("combobox").first().click()
    const before = [await stockOf("lamp"), await stockOf("desk")]
    for (const [i, code] of [barcode, "LE-129", barcode, barcode].entries()) {
      await scan(page, code)
      await isFocused(page, `Item, line ${Math.min(i, 1) + 2}`)
      await dialog.locator(":focus:not([aria-busy=true])").waitFor()
      await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === "")
    }
    // A code that no item has is kept, although the next scan replaces it.
    await scan(page, "40000009")
    await dialog.getByText("40000009").waitFor()
    await scan(page, barcode)
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === "")
    await dialog.getByRole("alert").getByText("40000009").waitFor()
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    expect([await stockOf("lamp"), await stockOf("desk")]).toEqual([
      (before[0] ?? 0) + 4,
      (before[1] ?? 0) + 1,
    ])
    await page.evaluate(() => localStorage.removeItem("kontor.scan-adds-one"))
    page.assertQuiet()
  })

  test("Ctrl-K opens the item, and a count takes the barcode", async () => {
    const page = await open("/stock/count")
    await isFocused(page, "Code")
    await scan(page, barcode)
    await page.getByText("Zinc lamp: ").waitFor()
    await scan(page, "6")
    await page.getByText("Zinc lamp: 6 Nos counted").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByLabel("Search everything").and(page.locator(":focus")).waitFor()
    const held = await holdBack(page, barcode)
    await scan(page, barcode)
    await held.isAsked
    held.release()
    await page.getByRole("heading", { level: 1, name: "Zinc lamp" }).waitFor()
    page.assertQuiet()
  })

  test("a barcode is given to an item, whose form is not saved by the scan, and a wrong digit is told", async () => {
    const page = await open(`/items/${items["desk"]}`)
    const input = page.getByLabel("Barcode")
    await input.click()
    await scan(page, "4006381333990")
    expect(await input.inputValue()).toBe("4006381333990")
    await page.keyboard.press("Tab")
    await page.getByText("by its check digit it should end with 3").waitFor()
    expect((await shop.get("items", items["desk"] ?? "")).barcode).toBeNull()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Zinc desk was saved.").waitFor()
    expect((await shop.get("items", items["desk"] ?? "")).barcode).toBe("4006381333990")
    // A copy is another item.
    await chooseAction(page, "Duplicate")
    await page.getByRole("heading", { level: 1, name: "New item" }).waitFor()
    expect(await input.inputValue()).toBe("")
    page.assertQuiet()
  })

  test("a new customer's payment, and the tax code of an item, are found by number and code", async () => {
    await api.create("/tax-codes", { code: "S19", name: "Standard", category: "S", rate: 19 })
    const { customerNumber } = await shop.customer({ name: "Payer" })
    const payment = await open("/payments/new")
    const customer = payment.getByRole("combobox", { name: "Customer" })
    await customer.click()
    await scan(payment, customerNumber)
    await payment.waitForFunction(
      () => document.querySelector<HTMLInputElement>("[role=combobox]")?.value === "Payer",
    )
    const item = await open("/items/new")
    await item.getByRole("combobox", { name: "Tax code" }).click()
    await scan(item, "s19")
    await item.waitForFunction(() =>
      [...document.querySelectorAll<HTMLInputElement>("[role=combobox]")].some(({ value }) =>
        value.startsWith("S19"),
      ),
    )
    item.assertQuiet()
  })

  test("customers of the same name are told apart by their towns", async () => {
    for (const city of ["Bremen", "Kiel"]) await shop.customer({ name: "Twin & Sons", address: { city } })
    const page = await open("/orders/new")
    await page.getByRole("combobox", { name: "Customer" }).click()
    await page.keyboard.type("twin")
    await page.getByRole("option", { name: /Twin.*Kiel/ }).waitFor()
    expect(await page.getByRole("option", { name: /Twin/ }).allInnerTexts()).toEqual([
      expect.stringMatching(/Bremen/),
      expect.stringMatching(/Kiel/),
    ])
  })

  test("a select moves to the option whose first letters are typed, and Enter or Tab takes it", async () => {
    const page = await open("/items/new")
    const type = page.getByRole("combobox", { name: "Type" })
    await type.focus()
    await page.keyboard.type("s")
    await page.locator("[data-combobox-selected]", { hasText: "Service" }).waitFor()
    await page.keyboard.press("Enter")
    expect(await type.inputValue()).toBe("Service")
    await page.keyboard.type("co", { delay: 2 })
    await page.locator("[data-combobox-selected]", { hasText: "Consumable" }).waitFor()
    await page.keyboard.press("Tab")
    expect(await type.inputValue()).toBe("Consumable")
    page.assertQuiet()
  })
})
