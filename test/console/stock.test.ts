import { beforeAll, describe, expect, test } from "bun:test"
import { browserPath, inspector, startConsole } from "../support/browser"

const { api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("the stock page", () => {
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    for (const name of ["Bench", "Chair", "Lamp"]) {
      const { id } = await shop.item({ itemCode: name.toUpperCase(), itemName: name })
      await shop.receive(id, 10)
      ids[name] = id
    }
    await shop.item({ itemName: "Assembly", itemType: "Service" })
  })
  const stockOf = async (name: string) => (await shop.get("items", ids[name] ?? "")).currentStock

  test("shows what is on hand, and saves the counts of several items together", async () => {
    const page = await open("/stock")
    await page.getByText("3 of 3").waitFor()
    expect(await page.getByRole("row", { name: /Assembly/ }).count()).toBe(0)
    const counted = (name: string) => page.getByLabel(`Counted: ${name}`)
    await counted("Bench").focus()
    await page.keyboard.type("7")
    await page.keyboard.press("Enter")
    // Enter goes to the next item.
    await page.keyboard.type("10")
    await page.getByRole("row", { name: /Bench/ }).getByText("−3").waitFor()
    await page.getByLabel("Search stock").fill("nothing like this")
    await page.getByRole("button", { name: "Show all" }).click()
    await page.getByText("3 of 3").waitFor()
    expect(await page.getByLabel("Search stock").inputValue()).toBe("")
    await page.getByLabel("Search stock").fill("lamp")
    await page.getByText("1 of 1").waitFor()
    await counted("Lamp").fill("12.5")
    await page.getByText("3 items counted").waitFor()
    await page.getByLabel("Note on the count").fill("Count in March")
    await page.getByRole("button", { name: "Save count" }).click()
    await page.getByText("3 counted. 2 corrected in the ledger.").waitFor()
    expect([await stockOf("Bench"), await stockOf("Chair"), await stockOf("Lamp")]).toEqual([7, 10, 12.5])
    await page.getByRole("cell", { name: "12.5 Nos" }).waitFor()
    expect(await page.getByRole("button", { name: "Save count" }).count()).toBe(0)
    await page.getByRole("link", { name: "12.5 Nos" }).click()
    await page.getByRole("heading", { level: 1, name: "Stock ledger" }).waitFor()
    await page.getByText("Count in March").waitFor()
    page.assertQuiet()
  })

  test("names the count that is not valid, saves none, and keeps all of them", async () => {
    const page = await open("/stock")
    await page.getByLabel("Counted: Bench").fill("1")
    await page.getByLabel("Counted: Lamp").fill("-5")
    await page.getByRole("button", { name: "Save count" }).click()
    await page.getByText("Nothing was saved.").waitFor()
    expect(await page.getByLabel("Counted: Lamp").getAttribute("aria-invalid")).toBe("true")
    expect(await page.getByLabel("Counted: Bench").inputValue()).toBe("1")
    expect(await stockOf("Bench")).toBe(7)
    // Unsaved counts are not lost by accident.
    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Items" }).click()
    await page.getByRole("dialog", { name: "Unsaved changes" }).waitFor()
    await page.getByRole("button", { name: "Discard changes" }).click()
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
  })

  test("receives many items in one dialog, and goes on after a line that is refused", async () => {
    const before = await stockOf("Bench")
    const page = await open("/stock")
    await page.getByRole("button", { name: "Receive stock" }).click()
    const dialog = page.getByRole("dialog")
    const pick = async (label: string | RegExp, name: string) => {
      await dialog.getByLabel(label).fill(name)
      await page.getByRole("option", { name: new RegExp(name) }).click()
    }
    await pick(/^Item/, "Bench")
    await dialog.getByLabel("Quantity").fill("5")
    await page.keyboard.press("Enter")
    await pick("Item, line 2", "Chair")
    await dialog.getByLabel("Quantity, line 2").fill("-2")
    await dialog.getByLabel("Note").fill("Delivery 7")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("1 of the lines was saved.").waitFor()
    expect([await stockOf("Bench"), await stockOf("Chair")]).toEqual([before + 5, 10])
    await dialog.getByLabel("Quantity").fill("2")
    await dialog.getByText("1 of the lines was saved.").waitFor({ state: "detached" })
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    expect([await stockOf("Bench"), await stockOf("Chair")]).toEqual([before + 5, 12])
    const { data } = (await api.get(`/stock-movements?item=${ids["Chair"]}&perPage=1`)).body
    expect(data).toMatchObject([{ reason: "receipt", quantity: 2, note: "Delivery 7" }])
    page.assertQuiet()
  })

  test("is accessible and fits the screen while counting", async () => {
    const page = await open("/stock")
    const { faults, inspect } = inspector(page)
    await page.getByLabel("Counted: Bench").fill("1")
    await page.getByRole("button", { name: "Save count" }).waitFor()
    await inspect("counting", "main")
    await page.getByRole("button", { name: "Discard" }).click()
    await page.getByRole("button", { name: "Receive stock" }).click()
    await page.getByRole("button", { name: "Add line" }).click()
    await inspect("receipt", "[role=dialog]")
    expect(faults).toEqual({})
  })
})
