import { beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { apiWith } from "../support/api"
import { browserPath, newPage, show, signInAt, startConsole } from "../support/browser"
import { serve } from "../support/kontor"

const { kontor, api, open } = await startConsole()

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

  test("an API key is created, shown once, and works", async () => {
    const page = await open("/settings/api-keys")
    await page.getByRole("button", { name: "New API key" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("Web shop")
    await dialog.getByLabel(/^Read/i).check()
    await dialog.getByRole("button", { name: /^Create/ }).click()
    const shown = page.getByLabel("API key", { exact: true })
    await shown.waitFor()
    const key = await shown.inputValue()
    expect((await apiWith(kontor, { "x-api-key": key }).get("/items?perPage=1")).status).toBe(200)
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /(stored|kept|saved|Done|Close)/i })
      .last()
      .click()
    await page.getByText("Web shop").first().waitFor()
    expect(await page.content()).not.toContain(key)
  })
})
