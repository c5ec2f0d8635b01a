import { beforeAll, describe, expect, test } from "bun:test"
import { adminPassword } from "../support/kontor"
import { browserPath, inspector, show, startConsole, type Window } from "../support/browser"

const { kontor, api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("the stock count", () => {
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    for (const name of ["Bench", "Chair", "Lamp"]) {
      const item = { itemCode: name.toUpperCase(), itemName: name, externalId: `400638133393${name.length}` }
      const { id } = await shop.item(name === "Chair" ? { ...item, externalId: null } : item)
      await shop.receive(id, 10)
      ids[name] = id
    }
    await shop.item({ itemCode: "ASSEMBLY", itemName: "Assembly", itemType: "Service" })
  })
  const stockOf = async (name: string) => (await shop.get("items", ids[name] ?? "")).currentStock
  const code = (page: Window) => page.getByLabel("Code", { exact: true })
  const quantity = (page: Window) => page.getByLabel("Quantity", { exact: true })
  const counted = (page: Window, name: string) => page.getByLabel(`Counted: ${name}`)
  const isFocused = (page: Window, label: string) =>
    page.waitForFunction(
      (name) => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent === name,
      label,
    )
  const start = async (visit = {}): Promise<Window> => {
    const page = await open("/stock/count", visit)
    await isFocused(page, "Code")
    return page
  }
  /** Types as a scanner does, at full speed and with Enter at the end. */
  const scan = async (page: Window, text: string) => {
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")
  }
  const save = async (page: Window) => {
    await page.getByRole("button", { name: "Save count" }).click()
    await page.getByText("The count is saved").waitFor()
  }

  test("takes code, Enter, quantity, Enter, and saves what was counted", async () => {
    const page = await open("/stock")
    await page.getByRole("link", { name: "Count stock" }).click()
    await isFocused(page, "Code")
    for (const each of ["BENCH", "7", "CHAIR", "10"]) await scan(page, each)
    // The externalId of an item may be its barcode.
    await scan(page, "4006381333934")
    await page.getByText("Lamp: 10 Nos in stock.").waitFor()
    await scan(page, "12.5")
    await page.getByText("Lamp: 12.5 Nos counted (+2.5)").waitFor()
    const rows = page.getByRole("table", { name: "Counted items" }).getByRole("row")
    expect(
      (await rows.allInnerTexts()).slice(1).map((row) => row.split(/\s+/).slice(0, 4).join(" ")),
    ).toEqual(["LAMP Lamp 10 Nos", "CHAIR Chair 10 Nos", "BENCH Bench 10 Nos"])
    await rows.filter({ hasText: "Bench" }).getByText("−3").waitFor()
    await page.getByLabel("Note on the count").fill("Count in March")
    await save(page)
    await page.getByText("3 counted. 2 corrected in the ledger.").waitFor()
    expect([await stockOf("Bench"), await stockOf("Chair"), await stockOf("Lamp")]).toEqual([7, 10, 12.5])
    // The next scan begins the next count.
    await isFocused(page, "Code")
    await page.getByRole("link", { name: "View the corrections" }).click()
    await page.getByRole("heading", { level: 1, name: "Stock ledger" }).waitFor()
    await page.getByText("Count in March").first().waitFor()
    expect(await page.getByText("Count in March").count()).toBe(2)
    expect(await page.getByRole("cell", { name: "Adjustment (stock count)" }).count()).toBe(2)
    for (const width of [1280, 390]) {
      const german = await open("/stock/ledger", { locale: "de-DE", width })
      await german.getByText("Korrektur (Inventur)").first().waitFor()
      expect(await german.getByText("Korrektur (Inventur)").count()).toBe(2)
      expect(await german.getByText("Count in March").count()).toBe(2)
      german.assertQuiet()
    }
    page.assertQuiet()
  })

  test("adds the quantity when a code is scanned again, and says so", async () => {
    const page = await start()
    await scan(page, "BENCH")
    await scan(page, "5")
    await scan(page, "LAMP")
    await scan(page, "5")
    await scan(page, "BENCH")
    await page.getByText("5 already counted. The quantity that you type is added.").waitFor()
    await isFocused(page, "Quantity")
    expect(await quantity(page).inputValue()).toBe("")
    await scan(page, "6")
    await page.getByRole("status").getByText("Bench: 5 + 6 = 11 Nos counted").waitFor()
    expect(await counted(page, "Bench").inputValue()).toBe("11")
    expect(await counted(page, "Lamp").inputValue()).toBe("5")
    // A line can be corrected and removed. Enter goes back to the codes.
    await counted(page, "Lamp").focus()
    await scan(page, "8")
    await isFocused(page, "Code")
    await page.getByRole("button", { name: "Remove Bench" }).click()
    await isFocused(page, "Code")
    await page.getByText("1 item counted").waitFor()
    await save(page)
    expect(await stockOf("Lamp")).toBe(8)
  })

  test("counts one with each scan if the person wants that", async () => {
    const page = await start()
    await page.getByLabel("Scan adds one").check()
    await isFocused(page, "Code")
    expect(await quantity(page).count()).toBe(0)
    for (const each of ["CHAIR", "LAMP", "CHAIR", "NOTHING", "CHAIR"]) await scan(page, each)
    await page.getByText("Chair: 2 + 1 = 3 Nos counted (−7)").waitFor()
    expect(await counted(page, "Chair").inputValue()).toBe("3")
    expect(await counted(page, "Lamp").inputValue()).toBe("1")
    // The code that was not counted stays visible.
    await scan(page, "NOTHING")
    await scan(page, "CHAIR")
    await page.getByText("Chair: 3 + 1 = 4 Nos counted").waitFor()
    const missed = page.getByRole("status").getByRole("group", { name: "Codes that were not counted" })
    await missed.getByText("NOTHING (2 times)").waitFor()
    // The device remembers the choice.
    await show(page, kontor, "/stock/count")
    await page.getByRole("button", { name: "Continue counting" }).click()
    expect(await page.getByLabel("Scan adds one").isChecked()).toBeTrue()
    await missed.getByText("NOTHING (2 times)").waitFor()
    await save(page)
    await page.getByRole("button", { name: "Dismiss the codes that were not counted" }).click()
    await missed.waitFor({ state: "detached" })
    await isFocused(page, "Code")
  })

  test.each([
    ["an unknown code", "4012345678901", "No item has the code 4012345678901. It was not counted."],
    ["a service", "ASSEMBLY", "Assembly (ASSEMBLY) is a service."],
    ["a code with a slash and a percent sign", "A/B%", "No item has the code A/B%."],
  ])("announces %s, and selects it for the next scan", async (_, scanned, message) => {
    const page = await start()
    await scan(page, scanned)
    await page.getByRole("alert").getByText(message).waitFor()
    await isFocused(page, "Code")
    await scan(page, "BENCH")
    await page.getByText("Bench: ").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    expect(await code(page).inputValue()).toBe("BENCH")
  })

  test("does not take the next code for a quantity", async () => {
    const page = await start()
    // The messages remain when the server responds to the first code.
    const answer = Promise.withResolvers<void>()
    await page.route("**/by/itemCode/BENCH?*", (route) => answer.promise.then(() => route.continue()))
    await scan(page, "BENCH")
    await scan(page, "4006381333931")
    await page.getByRole("alert").getByText("4006381333931 is not a quantity.").waitFor()
    await scan(page, "CHAIR")
    await page.getByRole("alert").getByText("CHAIR is not a quantity.").waitFor()
    answer.resolve()
    await page.getByText("Bench: ").waitFor()
    expect(await page.getByRole("alert").count()).toBe(1)
    await page.keyboard.press("Enter")
    await scan(page, "2")
    await page.getByText("Bench: 2 Nos counted").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    // Without a quantity nothing is counted.
    await scan(page, "LAMP")
    await page.getByText("Lamp: ").waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("Type the quantity").waitFor()
    await page.keyboard.press("Escape")
    await isFocused(page, "Code")
    expect(await code(page).inputValue()).toBe("")
    expect(await page.getByRole("alert").count()).toBe(0)
    await page.getByText("1 item counted").waitFor()
  })

  test("is kept when the page is loaded again, and can be continued or discarded", async () => {
    const page = await start()
    await scan(page, "BENCH")
    await scan(page, "3")
    await page.getByLabel("Note on the count").fill("Shelf 4")
    // Another sale meanwhile.
    await shop.receive(ids["Bench"] ?? "", 2)
    const stock = await stockOf("Bench")
    await show(page, kontor, "/stock/count")
    await page.getByText("It has 1 item.").waitFor()
    expect(await code(page).count()).toBe(0)
    await page.getByRole("button", { name: "Continue counting" }).click()
    await isFocused(page, "Code")
    await page.getByRole("cell", { name: `${stock} Nos` }).waitFor()
    expect(await page.getByLabel("Note on the count").inputValue()).toBe("Shelf 4")
    await scan(page, "LAMP")
    await scan(page, "1")
    await page.getByText("2 items counted").waitFor()
    await show(page, kontor, "/stock/count")
    await page.getByRole("button", { name: "Discard" }).click()
    await isFocused(page, "Code")
    expect(await counted(page, "Bench").count()).toBe(0)
    // Nothing is left to continue.
    await show(page, kontor, "/stock/count")
    await isFocused(page, "Code")
    expect(await stockOf("Bench")).toBe(stock)
    page.assertQuiet()
  })

  test("takes effect once if the response was lost and the page is loaded again", async () => {
    const page = await start()
    await scan(page, "BENCH")
    await scan(page, "20")
    await page.getByText("1 item counted").waitFor()
    await page.route("**/stock-movements/count", async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole("button", { name: "Save count" }).click()
    await page.getByText("nothing is saved twice").waitFor()
    await page.unroute("**/stock-movements/count")
    expect(await stockOf("Bench")).toBe(20)
    await shop.receive(ids["Bench"] ?? "", 5)
    await show(page, kontor, "/stock/count")
    await page.getByRole("button", { name: "Continue counting" }).click()
    await save(page)
    // The goods that came in after the first request are not counted away.
    expect(await stockOf("Bench")).toBe(25)
  })

  test("of more than 1,000 items is saved in several requests", async () => {
    const page = await start()
    const items = await manyItems(1_001)
    await page.evaluate((lines) => {
      const key = `kontor.stock-count.${localStorage.getItem("kontor.signed-in")}`
      localStorage.setItem(key, JSON.stringify({ lines, note: "Many", changedAt: "2026-03-10T09:00:00Z" }))
    }, items)
    const sizes: number[] = []
    page.on("request", (request) => {
      if (request.url().endsWith("/stock-movements/count")) sizes.push(request.postDataJSON().lines.length)
    })
    await show(page, kontor, "/stock/count")
    await page.getByText("It has 1,001 items.").waitFor()
    await page.getByRole("button", { name: "Continue counting" }).click()
    await page.getByText("100 of 1,001").waitFor()
    await save(page)
    await page.getByText("1,001 counted. 1,001 corrected in the ledger.").waitFor()
    expect(sizes).toEqual([1_000, 1])
  })
  /** Creates items without stock. Returns a line of a count for each. */
  const manyItems = async (count: number): Promise<object[]> => {
    const lines: object[] = []
    for (let i = 0; i < count; i += 100) {
      const operations = Array.from({ length: Math.min(100, count - i) }, (_, j) => ({
        op: "create",
        body: { itemCode: `MANY-${i + j}`, itemName: "Many" },
      }))
      const { body } = await api.post("/items/batch", { mode: "all", operations })
      for (const { data } of body.data.results) lines.push({ ...data, counted: 3 })
    }
    return lines
  }

  test("names a count that is not valid, and keeps all of them", async () => {
    const page = await start()
    await scan(page, "BENCH")
    await scan(page, "3")
    await scan(page, "CHAIR")
    await scan(page, "2")
    await counted(page, "Chair").fill("two")
    await page.getByRole("button", { name: "Save count" }).click()
    await page.getByText("Nothing was saved.").waitFor()
    expect(await counted(page, "Chair").getAttribute("aria-invalid")).toBe("true")
    await counted(page, "Chair").fill("2")
    await save(page)
    expect([await stockOf("Bench"), await stockOf("Chair")]).toEqual([3, 2])
  })

  test("is only for those who may change the stock", async () => {
    const email = "viewer@example.com"
    await api.create("/users", { email, name: "Vera", role: "viewer", password: adminPassword })
    const page = await open("/stock/count", { email })
    await page.getByText("Only users who may change the stock can count it.").waitFor()
  })

  test("is accessible and fits the screen", async () => {
    const page = await start()
    const { faults, inspect } = inspector(page)
    await inspect("empty", "main")
    await scan(page, "BENCH")
    await scan(page, "1234567.8912")
    await scan(page, "LAMP")
    await scan(page, "2")
    await scan(page, "BENCH")
    await page.getByText("already counted.").waitFor()
    await inspect("counting", "main")
    await page.keyboard.press("Escape")
    await scan(page, "NOTHING-LIKE-THIS")
    await page.getByRole("alert").waitFor()
    await inspect("unknown code", "main")
    await show(page, kontor, "/stock/count")
    await page.getByText("It has 2 items.").waitFor()
    await inspect("offer", "main")
    expect(faults).toEqual({})
  })
})
