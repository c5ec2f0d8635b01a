import { beforeAll, describe, expect, test } from "bun:test"
import { accessFaults, browserPath, startConsole, type Window } from "../support/browser"

const { api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("a list", () => {
  beforeAll(async () => {
    for (const [i, name] of ["Lamp", "Desk", "Chair"].entries())
      await shop.item({ itemCode: name.toUpperCase(), itemName: `Nordic ${name}`, sellingPrice: i + 1 })
  })

  test("filters timestamps by the viewer's local days", async () => {
    // A time zone whose date differs from the UTC date, now and for the next hours.
    const timezoneId = new Date().getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati"
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    const written = (day: Date, locale: string, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: timezoneId }).format(day)
    const nameOf = (day: Date) => written(day, "en-GB", { day: "numeric", month: "long", year: "numeric" })
    const shownOf = (day: Date) => written(day, "en-US", { dateStyle: "medium" })
    await shop.receive((await shop.item()).id, 7)
    const page = await open("/stock/ledger", { timezoneId })
    const pick = async (day: Date) => {
      await page.getByRole("button", { name: /^Period/ }).click()
      if (day.getMonth() !== new Date().getMonth()) await page.getByLabel("Previous month").click()
      await page.getByRole("button", { name: nameOf(day), exact: true }).dblclick()
      await page.getByRole("button", { name: `Period: ${shownOf(day)} – ${shownOf(day)}` }).waitFor()
    }
    await pick(dayAgo(0))
    await page.getByText("1 of 1").waitFor()
    await page.reload()
    await page.getByRole("button", { name: `Period: ${shownOf(dayAgo(0))}` }).waitFor()
    await page.getByText("1 of 1").waitFor()
    await page.getByRole("button", { name: "Clear filters", exact: true }).first().click()
    await pick(dayAgo(1))
    await page.getByText("No stock movements found").waitFor()
  })

  describe("on a phone", () => {
    const phone = { width: 390, height: 844 }
    const assertOrder = (page: Window, codes: string[]) =>
      page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll(".phone-list a")].map((link) => link.textContent).join() === wanted,
        codes.join(),
      )

    test("can be sorted, and shows the sort order", async () => {
      const page = await open("/items?search=nordic", phone)
      const sorting = page.getByLabel("Sort by")
      await sorting.selectOption({ label: "Selling price, ascending" })
      await assertOrder(page, ["Nordic Lamp", "Nordic Desk", "Nordic Chair"])
      await sorting.selectOption({ label: "Selling price, descending" })
      await assertOrder(page, ["Nordic Chair", "Nordic Desk", "Nordic Lamp"])
      await page.reload()
      await page.getByText("3 of 3").waitFor()
      expect(await sorting.locator("option:checked").textContent()).toBe("Selling price, descending")
      await assertOrder(page, ["Nordic Chair", "Nordic Desk", "Nordic Lamp"])
    })

    test("selects and deselects all records", async () => {
      const page = await open("/items?search=nordic", phone)
      await page.getByText("3 of 3").waitFor()
      await page.getByLabel("Select all").check()
      await page.getByText("3 selected").waitFor()
      expect(await page.getByLabel("Select Nordic Chair").isChecked()).toBeTrue()
      await page.getByLabel("Select Nordic Chair").uncheck()
      await page.getByText("2 selected").waitFor()
      await page.getByLabel("Select all").check()
      await page.getByLabel("Select all").uncheck()
      await page.getByText("selected", { exact: false }).waitFor({ state: "detached" })
    })
  })

  describe("with a filter in its address that has no control on the page", () => {
    const filter = (page: Window, name: string) => page.getByRole("button", { name: `${name} (remove` })

    test("shows each such filter, and removes it on a click", async () => {
      const page = await open("/items?sellingPrice[gte]=2&isActive=true&search=nordic")
      await page.getByText("2 of 2").waitFor()
      await filter(page, "Active: true").waitFor()
      expect(await accessFaults(page)).toEqual([])
      await filter(page, "Selling price ≥ 2").click()
      await page.getByText("3 of 3").waitFor()
      expect(new URL(page.url()).search).toBe("?isActive=true&search=nordic")
      await filter(page, "Active: true").click()
      await page.waitForURL(/\?search=nordic$/)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1")
      expect(await page.getByRole("button", { name: "(remove" }).count()).toBe(0)
      page.assertQuiet()
    })

    test("can be shown again after the server has refused an unknown filter", async () => {
      const page = await open("/items?someFilter=1")
      await page.getByText("Could not load this list").waitFor()
      await filter(page, "Some filter: 1").click()
      await page.getByText(/\d of \d/).waitFor()
    })

    test("shows the customer's name instead of the ID", async () => {
      const customer = await shop.customer({ name: "Café Øresund" })
      await shop.order({ customer: customer.id })
      await shop.order()
      const page = await open(`/orders?customer=${customer.id}`)
      await page.getByText("1 of 1").waitFor()
      await filter(page, "Customer: Café Øresund").click()
      await page.getByText("2 of 2").waitFor()
    })

    test("shows an end date without a start date", async () => {
      const page = await open("/invoices?dueDate[lte]=2020-01-01")
      await page.getByText("No invoices found").waitFor()
      await filter(page, "Due date ≤ Jan 1, 2020").click()
      await page.getByText("No invoices yet").waitFor()
    })

    test("shows whose actions the audit log is filtered to", async () => {
      const me = (await api.get("/auth/me")).body.data
      const page = await open(`/settings/audit?actor=${me.id}`)
      await filter(page, "Activity of admin").click()
      await page.waitForURL(/\/settings\/audit$/)
    })
  })
})
