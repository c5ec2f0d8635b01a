import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { accessFaults, browserPath, closeBrowser, newPage } from "../support/browser"
import { cleanUp, serve, type Kontor } from "../support/kontor"

describe.skipIf(browserPath === null)("/docs", () => {
  let kontor: Kontor
  let page: Awaited<ReturnType<typeof newPage>>

  beforeAll(async () => {
    kontor = await serve()
    page = await newPage(kontor)
    // Scalar works on the document for seconds, and for longer where other tests run at the same time.
    await page.goto(`${kontor.url}/docs`)
    await page.getByRole("heading", { name: "First call" }).waitFor()
  })
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })

  /** Opens the search from the keyboard and returns the titles that it lists for a text. */
  const find = async (text: string, wanted: string) => {
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").fill(text)
    const results = page.getByRole("option")
    await results.filter({ hasText: wanted }).first().waitFor()
    const titles = await results.allInnerTexts()
    await page.keyboard.press("Escape")
    await page.getByRole("combobox").waitFor({ state: "hidden" })
    return titles
  }

  test("begins with the guide for shop owners, in a group of its own", async () => {
    await page.getByRole("heading", { name: "Start a server" }).first().waitFor()
    const headings = await page.locator("main").getByRole("heading").allInnerTexts()
    expect(headings.slice(0, 3)).toEqual(["Kontor", "The shop from day to day", "The first day"])
    expect(await page.getByRole("heading", { name: "Der Laden im Alltag" }).count()).toBe(1)
    const groups = await page
      .locator("aside [data-sidebar-id*='/description/']")
      .evaluateAll((entries) =>
        entries
          .map((entry) => [
            getComputedStyle(entry, "::before").content,
            (entry as HTMLElement).innerText.split("\n")[0],
          ])
          .filter(([title]) => title !== "none"),
      )
    expect(groups).toEqual([
      ['"For shop owners"', "The shop from day to day"],
      ['"For programmers"', "First call"],
    ])
    expect(await page.getByRole("heading", { name: "First call" }).isVisible()).toBeTrue()
  })

  test("shows the guide without a serious accessibility violation", async () => {
    expect(await accessFaults(page, ".introduction-section")).toEqual([])
  })

  test("lists the guide, then the business records, then the keys", async () => {
    const sidebar = page.locator("aside [data-sidebar-id]")
    await sidebar.filter({ hasText: "API keys" }).first().waitFor()
    const entries = await sidebar.allInnerTexts()
    const titles = entries.map((text) => text.trim().split("\n")[0])
    const order = [
      "The shop from day to day",
      "Der Laden im Alltag",
      "First call",
      "Credit notes, refunds and payments over several invoices",
      "Backup",
      "Items",
      "Customers",
      "Sales orders",
      "Invoices",
      "Credit notes",
      "API keys",
    ]
    const places = order.map((title) => titles.indexOf(title))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  test("finds sections of the guide by words of their text, and operations", async () => {
    expect((await find("warehouse", "Stock"))[0]).toContain("Stock")
    expect((await find("idempotency", "Idempotency"))[0]).toContain("Idempotency")
    expect((await find("create invoice", "Create an invoice")).join("\n")).toContain("/api/v1/invoices")
  })

  test("shows its own address in the samples, and copies them", async () => {
    const block = page.locator("pre", { hasText: "TOKEN=$(curl" }).first()
    expect(await block.innerText()).toContain(`KONTOR=${kontor.url}/api/v1\n`)
    await page.evaluate(() => {
      Object.assign(navigator.clipboard, { writeText: (text: string) => void (document.title = text) })
    })
    await block.getByRole("button", { name: "Copy" }).click()
    await block.locator(".copied").waitFor()
    expect(await page.title()).toStartWith(`KONTOR=${kontor.url}/api/v1 TOKEN=$(curl`)
  })

  test("leads from one page of the guide to another", async () => {
    await page.locator("main").getByRole("link", { name: "Keys and OAuth" }).first().click()
    await page.waitForURL(/#description\/keys-and-oauth$/)
    await page.getByRole("heading", { name: "Keys and OAuth" }).first().waitFor()
  })

  test("shows an operation with a command for the shell", async () => {
    const sidebar = page.locator("aside")
    await sidebar.getByRole("link", { name: "Sales orders" }).click()
    await sidebar.getByRole("link", { name: "Create a sales order" }).click()
    await page.locator("pre", { hasText: 'curl -X POST "$KONTOR/sales-orders"' }).first().waitFor()
  })

  test("does not scroll sideways on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator("aside").waitFor({ state: "hidden" })
    const [all, shown] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return [scrollWidth, clientWidth]
    })
    expect(all).toBe(shown)
  })

  test("loads nothing from other hosts, and logs no error", () => page.assertQuiet())
})
