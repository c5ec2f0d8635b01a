import { describe, expect, test } from "bun:test"
import { accessFaults, browserPath, follow, startConsole, type Window } from "../support/browser"

const { api, shop, open } = await startConsole()

let last = 0

/** Creates items of a new category with these prices, and opens their list. */
async function shelf(prices: number[]) {
  const name = `Rack${++last}`
  const items: { id: string }[] = []
  for (const [i, sellingPrice] of prices.entries())
    items.push(
      await shop.item({
        itemCode: `${name}-${i}`,
        itemName: `${name} thing ${i}`,
        category: name,
        sellingPrice,
      }),
    )
  const page = await open(`/items?search=${name}`)
  await page.getByText(`${prices.length} of ${prices.length}`).waitFor()
  return { name, items, page }
}

async function choose(page: Window, entry: string) {
  await page.getByRole("button", { name: "Change…" }).click()
  await page.getByRole("menuitem", { name: entry }).click()
  return page.getByRole("dialog")
}

const priceOf = async ({ id }: { id: string }) => (await shop.get("items", id)).sellingPrice

describe.skipIf(browserPath === null)("changing many items", () => {
  test("shows prices before and after, changes them, and tells the result", async () => {
    const { name, items, page } = await shelf([10, 19.99])
    await page.getByLabel("Select all", { exact: true }).check()
    const dialog = await choose(page, "Price…")
    await dialog.getByLabel("By", { exact: true }).fill("10")
    await dialog.getByLabel("Prices end with").first().click()
    await page.getByRole("option", { name: "0.99" }).click()
    const row = dialog.getByRole("row", { name: new RegExp(`${name}-0`) })
    await row.getByText("10.99").waitFor()
    expect(await accessFaults(page)).toEqual([])
    await dialog.getByRole("button", { name: "Change 2 prices" }).click()
    await dialog.getByText("2 prices changed.").waitFor()
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click()
    await page.getByRole("cell", { name: /21\.99/ }).waitFor()
    expect([await priceOf(items[0] as { id: string }), await priceOf(items[1] as { id: string })]).toEqual([
      10.99, 21.99,
    ])
    page.assertQuiet()
  })

  test("does not start before the preview shows what was typed last", async () => {
    const { page } = await shelf([10])
    await page.getByLabel("Select all", { exact: true }).check()
    const dialog = await choose(page, "Price…")
    await dialog.getByLabel("By", { exact: true }).fill("10")
    await dialog.getByText("$11.00").waitFor()
    const start = dialog.getByRole("button", { name: "Change 1 price" })
    expect(await start.isEnabled()).toBeTrue()
    const isSeen = Promise.withResolvers<void>()
    await page.route("**/items/reprice**", async (route) => {
      await isSeen.promise
      await route.continue()
    })
    await dialog.getByLabel("By", { exact: true }).fill("100")
    expect(await start.isEnabled()).toBeFalse()
    isSeen.resolve()
    await dialog.getByText("$20.00").waitFor()
    expect(await start.isEnabled()).toBeTrue()
  })

  test("works by keyboard alone, lowers by an amount, and names what was not possible", async () => {
    const { items, page } = await shelf([1, 10])
    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByRole("button", { name: "Change…" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("menuitem", { name: "Price…" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.getByRole("menuitem", { name: "Price…" }).focus()
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog")
    const value = dialog.getByLabel("By", { exact: true })
    await value.and(page.locator(":focus")).waitFor()
    await dialog.getByLabel("Decrease").focus()
    await page.keyboard.press("Space")
    await value.focus()
    await page.keyboard.type("5")
    await dialog.getByLabel("Unit").first().focus()
    await page.keyboard.press("ArrowDown")
    const highlighted = page.locator("[role=option][data-combobox-selected]")
    await highlighted.filter({ hasText: "Percent" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await highlighted.filter({ hasText: "$" }).waitFor()
    await page.keyboard.press("Enter")
    await dialog.getByText("Not possible").waitFor()
    await dialog.getByRole("button", { name: "Change 2 prices" }).focus()
    await page.keyboard.press("Enter")
    await dialog.getByText("1 price changed.").waitFor()
    await dialog.getByText(/^Rack\d+-0: The price would be below 0\.$/).waitFor()
    expect([await priceOf(items[0] as { id: string }), await priceOf(items[1] as { id: string })]).toEqual([
      1, 5,
    ])
  })

  test("changes the category of all that match, with a history entry each, and takes it back", async () => {
    const { items, page } = await shelf([1, 2])
    await page.getByLabel("Select all", { exact: true }).check()
    const dialog = await choose(page, "Category…")
    await dialog.getByLabel("Category").first().fill("New shelf")
    await page.keyboard.press("Enter")
    await page.getByText("2 changed.").waitFor()
    const [first] = items as [{ id: string }]
    expect((await shop.get("items", first.id)).category).toBe("New shelf")
    expect((await api.get(`/items/${first.id}/history`)).body.data).toHaveLength(2)
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Undone for 2.").waitFor()
    expect((await shop.get("items", first.id)).category).toMatch(/^Rack/)
  })

  test("suggests the categories of other items, as the form of an item does", async () => {
    await shop.item({ itemCode: "OLD-1", itemName: "Old one", category: "Attic of oak" })
    const operations = Array.from({ length: 110 }, (_, i) => ({
      op: "create",
      body: { itemCode: `NEWER-${i}`, itemName: `Newer ${i}`, category: "Cellar" },
    }))
    await api.post("/items/batch", { mode: "each", operations })
    const { items, page } = await shelf([1])
    await page.getByLabel("Select all", { exact: true }).check()
    const dialog = await choose(page, "Category…")
    await page.getByRole("option", { name: "Cellar" }).waitFor()
    await dialog.getByLabel("Category").first().fill("oak")
    await page.getByRole("option", { name: "Attic of oak" }).click()
    await dialog.getByRole("button", { name: "Change", exact: true }).click()
    await page.getByText("1 changed.").waitFor()
    expect((await shop.get("items", items[0]?.id ?? "")).category).toBe("Attic of oak")

    const form = await open("/items/new")
    await form.getByLabel("Category").first().fill("att")
    await form.getByRole("option", { name: "Attic of oak" }).click()
    expect(await form.getByLabel("Category").first().inputValue()).toBe("Attic of oak")
    expect(await accessFaults(form)).toEqual([])
  })

  test("changes the tax code", async () => {
    const code = await api.create("/tax-codes", { code: "BULK7", name: "Bulk 7 %", category: "S", rate: 7 })
    const { items, page } = await shelf([1])
    await page.getByLabel("Select all", { exact: true }).check()
    const dialog = await choose(page, "Tax code…")
    await dialog.getByLabel("Tax code").first().click()
    await page.getByRole("option", { name: /BULK7/ }).click()
    await dialog.getByRole("button", { name: "Change", exact: true }).click()
    await page.getByText("1 changed.").waitFor()
    expect(await shop.get("items", items[0]?.id ?? "")).toMatchObject({ taxCode: code.id, taxRate: 7 })
  })

  test("sets all that match inactive and active again, with one history entry each", async () => {
    const operations = Array.from({ length: 120 }, (_, i) => ({
      op: "create",
      body: { itemCode: `LAMP-${i}`, itemName: `Lamp ${i}`, category: "Lamps", isActive: i > 0 },
    }))
    const { results } = (await api.post("/items/batch", { mode: "each", operations })).body.data
    const ids: string[] = results.map((result: { data: { id: string } }) => result.data.id)
    const changesOf = async (id: string) => {
      const entries: { changes: Record<string, unknown> }[] = (await api.get(`/items/${id}/history`)).body
        .data
      return entries.slice(0, -1).map(({ changes }) => changes)
    }
    const off = { isActive: { from: true, to: false } }
    const on = { isActive: { from: false, to: true } }
    const page = await open("/items?category=Lamps")
    const setAll = async (action: string, done: string) => {
      await page.getByText("50 of 120").waitFor()
      await page.getByLabel("Select all", { exact: true }).check()
      await page.getByRole("button", { name: "Select all 120 that match" }).click()
      await page.getByRole("button", { name: action, exact: true }).click()
      await page.getByRole("dialog").getByRole("button", { name: action }).click()
      await page.getByText(done).waitFor()
    }
    const countActive = async () =>
      (await api.get("/items?category=Lamps&isActive=true&perPage=1")).body.meta.total

    await setAll("Deactivate", "120 deactivated.")
    expect(await countActive()).toBe(0)
    // The first one was inactive already, so nothing has changed.
    for (const [i, id] of ids.entries()) expect(await changesOf(id)).toEqual(i === 0 ? [] : [off])

    await setAll("Activate", "120 activated.")
    expect(await countActive()).toBe(120)
    for (const [i, id] of ids.entries()) expect(await changesOf(id)).toEqual(i === 0 ? [on] : [on, off])
    page.assertQuiet()
  })

  test("asks before the list is left while it runs, and tells how many are changed", async () => {
    const operations = Array.from({ length: 250 }, (_, i) => ({
      op: "create",
      body: { itemCode: `LEFT-${i}`, itemName: `Left ${i}`, category: "Left" },
    }))
    for (const from of [0, 100, 200])
      await api.post("/items/batch", { mode: "each", operations: operations.slice(from, from + 100) })
    const page = await open("/")
    await follow(page, "/items?category=Left", "Items")
    await page.getByText("50 of 250").waitFor()
    const queries: URLSearchParams[] = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith("/items") && searchParams.get("perPage") === "100") queries.push(searchParams)
    })
    // The second request waits until it is let go.
    let letGo = () => {}
    const isHeld = new Promise<void>((resolve) => (letGo = resolve))
    let sent = 0
    await page.route("**/items/batch", async (route) => {
      if (++sent === 2) await isHeld
      await route.continue()
    })
    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByRole("button", { name: "Select all 250 that match" }).click()
    await page.getByRole("button", { name: "Deactivate", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click()
    await page.getByText("Deactivate: 100 of 250").waitFor()
    expect(queries.map((query) => query.get("fields")?.includes("sellingPrice"))).toEqual([
      false,
      false,
      false,
    ])
    const customers = page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link", { name: "Customers" })
    const question = page.getByRole("dialog", { name: "The change is not finished" })
    const sentence = "100 of 250 deactivated. If you leave this page now, the others stay as they were."
    await customers.click()
    await question.getByText(sentence).waitFor()
    await question.getByRole("button", { name: "Stay on this page" }).click()
    await question.waitFor({ state: "detached" })
    await page.goBack()
    await question.getByRole("button", { name: "Stay on this page" }).click()
    await question.waitFor({ state: "detached" })
    await customers.click()
    await question.getByRole("button", { name: "Leave and stop the change" }).click()
    await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor()
    letGo()
    await page.getByText("200 of 250 deactivated. The others stay as they were.").waitFor()
    expect((await api.get("/items?category=Left&isActive=false&perPage=1")).body.meta.total).toBe(200)
  })

  test("changes the prices of all that match, also of those that are not loaded", async () => {
    const operations = Array.from({ length: 120 }, (_, i) => ({
      op: "create",
      body: { itemCode: `MANY-${i}`, itemName: `Many ${i}`, category: "Many", sellingPrice: 10 },
    }))
    await api.post("/items/batch", { mode: "each", operations })
    const page = await open("/items?search=many")
    await page.getByText("50 of 120").waitFor()
    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByRole("button", { name: "Select all 120 that match" }).click()
    const dialog = await choose(page, "Price…")
    await dialog.getByLabel("By", { exact: true }).fill("50")
    await dialog.getByRole("button", { name: "Change 120 prices" }).click()
    await dialog.getByText("120 prices changed.").waitFor()
    expect((await api.get("/items?category=Many&sellingPrice=15&perPage=1")).body.meta.total).toBe(120)
  })
})
