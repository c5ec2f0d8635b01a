import { beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import {
  accessFaults,
  browserPath,
  newPage,
  show,
  signInAt,
  startConsole,
  type Window,
} from "../support/browser"
import { serve } from "../support/kontor"
import { isLong } from "../support/long"

const { kontor, api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("working in the console", () => {
  beforeAll(async () => {
    const lamp = (i: number) => ({
      itemCode: `LAMP-${String(i).padStart(3, "0")}`,
      itemName: `Lamp ${i}`,
      sellingPrice: i,
    })
    await Promise.all(Array.from({ length: 60 }, (_, i) => api.create("/items", lamp(i + 1))))
    await api.create("/items", { itemCode: "DESK", itemName: "Standing desk", category: "Furniture" })
  })
  const itemNamed = async (name: string) =>
    (await api.get(`/items?itemName=${encodeURIComponent(name)}`)).body.data[0]

  describe("a list", () => {
    test("is searched while you type with the search in its address, loads its next page, and is sorted by a click on a column", async () => {
      const page = await open("/items")
      await page.getByText("50 of 61").waitFor()
      await page.getByRole("searchbox").fill("standing")
      await page.getByText("1 of 1").waitFor()
      expect(page.url()).toContain("search=standing")
      await page.reload()
      await page.getByText("1 of 1").waitFor()
      await page.getByRole("button", { name: "Clear filters", exact: true }).click()
      await page.getByText("50 of 61").waitFor()
      await page.getByRole("button", { name: "Show more" }).click()
      await page.getByText("61 of 61").waitFor()
      await page.getByRole("button", { name: "Selling price" }).click()
      await page.getByRole("button", { name: "Selling price" }).click()
      await page.locator("th[aria-sort=descending]", { hasText: "Selling price" }).waitFor()
      await page.locator("tbody tr:first-child", { hasText: "Lamp 60" }).waitFor()
    })

    test("is filtered, shows the chosen columns, and reports when nothing matches", async () => {
      const page = await open("/items?search=standing")
      await page.getByRole("button", { name: "Choose columns" }).click()
      await page.getByRole("menuitemcheckbox", { name: "Tax rate" }).click()
      await page.keyboard.press("Escape")
      await page.getByRole("columnheader", { name: "Tax rate" }).waitFor()
      await page.getByLabel("Type").first().click()
      await page.getByRole("option", { name: "Service" }).click()
      await page.getByText("No items found").waitFor()
    })

    test("updates several records at once, and only those", async () => {
      const page = await open("/items?search=lamp+5")
      await page.getByLabel("Select Lamp 5", { exact: true }).check()
      await page.getByLabel("Select Lamp 50").check()
      await page.getByRole("button", { name: "Deactivate" }).click()
      await page.getByText("2 deactivated.").waitFor()
      expect([(await itemNamed("Lamp 5")).isActive, (await itemNamed("Lamp 50")).isActive]).toEqual([
        false,
        false,
      ])
      expect((await itemNamed("Lamp 51")).isActive).toBeTrue()
    })
  })

  test("Ctrl-K finds a record by part of its name with a typing error, and opens it with the keyboard alone", async () => {
    const page = await open("/")
    await page.keyboard.press("Control+k")
    await page.getByLabel("Search everything").fill("standng")
    await page.getByRole("button", { name: "Standing desk" }).first().waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Standing desk" }).waitFor()
    page.assertQuiet()
  })

  describe("an edit of a record that another user has updated in the meantime", () => {
    const editBoth = async (name: string) => {
      const item = await itemNamed(name)
      const page = await open(`/items/${item.id}`)
      await page.getByLabel("Name").fill(`${name} of mine`)
      await api.put(`/items/${item.id}`, { category: "Theirs", itemName: `${name} of theirs` })
      await page.getByRole("button", { name: "Save" }).click()
      const dialog = page.getByRole("dialog", { name: "This record was updated by someone else" })
      await dialog.getByText(`${name} of mine`).waitFor()
      await dialog.getByText(`${name} of theirs`).waitFor()
      return { item, page, dialog }
    }

    test("shows both versions, and can be saved on top of the other one", async () => {
      const { item, page, dialog } = await editBoth("Lamp 11")
      await dialog.getByRole("button", { name: "Save my changes" }).click()
      await page.getByText("Lamp 11 of mine was saved.").waitFor()
      expect((await api.get(`/items/${item.id}`)).body.data).toMatchObject({
        itemName: "Lamp 11 of mine",
        category: "Theirs",
      })
    })

    test("is saved without a question if only other fields were updated, and keeps those", async () => {
      const item = await itemNamed("Lamp 14")
      const page = await open(`/items/${item.id}`)
      await page.getByLabel("Name").fill("Lamp 14 renamed")
      await api.put(`/items/${item.id}`, { category: "Theirs" })
      await api.create("/stock-movements", { item: item.id, quantity: 3, reason: "receipt" })
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Lamp 14 renamed was saved.").waitFor()
      expect((await api.get(`/items/${item.id}`)).body.data).toMatchObject({
        itemName: "Lamp 14 renamed",
        category: "Theirs",
      })
    })

    test("can be discarded for the saved version", async () => {
      const { item, page, dialog } = await editBoth("Lamp 12")
      await dialog.getByRole("button", { name: "Discard my changes" }).click()
      await dialog.waitFor({ state: "hidden" })
      expect(await page.getByLabel("Name").inputValue()).toBe("Lamp 12 of theirs")
      expect((await api.get(`/items/${item.id}`)).body.data.itemName).toBe("Lamp 12 of theirs")
    })
  })

  test("a session survives a reload and a sign-in to another server on the same host, is in no storage that scripts can read, and ends in every tab after a sign-out", async () => {
    const seesItems = (each: Page) => each.getByRole("heading", { level: 1, name: "Items" }).waitFor()
    const page = await newPage(kontor)
    await signInAt(page, kontor, { path: "/items" })
    const other = await serve()
    const there = await page.context().newPage()
    await signInAt(there, other, { path: "/items" })
    for (const each of [page, there]) {
      await each.reload()
      await seesItems(each)
    }
    const kept = await page.evaluate(
      () => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie,
    )
    expect(kept).not.toMatch(/eyJ|kontor_session/)
    await other.stop()
    await show(there, kontor, "/items")
    await seesItems(there)
    await page.getByRole("button", { name: /^Signed in as/ }).click()
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    for (const each of [page, there]) await each.getByRole("heading", { name: "Sign in" }).waitFor()
  })
})

describe.skipIf(browserPath === null)("a list", () => {
  beforeAll(async () => {
    for (const [i, name] of ["Lamp", "Desk", "Chair"].entries())
      await shop.item({ itemCode: `NORDIC-${i}`, itemName: `Nordic ${name}`, sellingPrice: i + 1 })
  })

  // The week of a shop filters by a period, and src/console/clock.test.ts has the days of other time zones.
  if (isLong)
    test("filters timestamps by the viewer's local days", async () => {
      // A time zone whose date differs from the UTC date, now and for the next hours.
      const timezoneId = new Date().getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati"
      const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
      const written = (day: Date, locale: string, options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat(locale, { ...options, timeZone: timezoneId }).format(day)
      const nameOf = (day: Date) => written(day, "en-GB", { day: "numeric", month: "long", year: "numeric" })
      const shownOf = (day: Date) => written(day, "en-US", { dateStyle: "medium" })
      const { id } = await shop.item()
      await shop.receive(id, 7)
      const page = await open(`/stock/ledger?item=${id}`, { timezoneId })
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

    test("can be sorted, shows the sort order, and selects and deselects all records", async () => {
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
      expect(await accessFaults(page, "main")).toEqual([])
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

    if (isLong)
      test("shows an end date without a start date", async () => {
        const page = await open("/invoices?dueDate[lte]=2020-01-01")
        await page.getByText("No invoices found").waitFor()
        await filter(page, "Due date ≤ Jan 1, 2020").click()
        await page.getByText("No invoices yet").waitFor()
      })

    if (isLong)
      test("shows whose actions the audit log is filtered to", async () => {
        const me = (await api.get("/auth/me")).body.data
        const page = await open(`/settings/audit?actor=${me.id}`)
        await filter(page, "Activity of admin").click()
        await page.waitForURL(/\/settings\/audit$/)
      })
  })
})
