import { describe, expect, test } from "bun:test"
import { browserPath, chooseAction, reloadUntilGone, startConsole } from "../support/browser"
import { until } from "../support/until"

const { api, shop, open } = await startConsole()

const statusOf = async (path: string) => (await api.get(path)).status

describe.skipIf(browserPath === null)("a delete can be taken back", () => {
  test("of one record: it leaves the list, comes back with a click, and is deleted when the page is closed", async () => {
    const { id } = await shop.item({ itemCode: "UNDO-1", itemName: "Second thoughts" })
    const page = await open(`/items/${id}`, { locale: "de-DE" })
    const remove = async () => {
      await page.getByRole("button", { name: "Weitere Aktionen" }).click()
      await page.getByRole("menuitem", { name: "Löschen" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Löschen" }).click()
      await page.getByText("Second thoughts wurde gelöscht.").waitFor()
    }
    const link = page.getByRole("link", { name: "UNDO-1" })
    await remove()
    await page.getByRole("heading", { level: 1, name: "Artikel" }).waitFor()
    await page.getByLabel("Wird geladen").first().waitFor({ state: "detached" })
    expect(await link.count()).toBe(0)
    await page.getByRole("button", { name: "Rückgängig" }).click()
    await link.click()
    await page.getByRole("heading", { level: 1, name: "Second thoughts" }).waitFor()
    expect(await statusOf(`/items/${id}`)).toBe(200)
    await remove()
    expect(await statusOf(`/items/${id}`)).toBe(200)
    await reloadUntilGone(page, api, `/items/${id}`)
    page.assertQuiet()
  })

  test("of several: those that cannot be deleted are named at once, the others go when the time is over", async () => {
    const used = await shop.item({ itemName: "Group used" })
    await shop.order({ items: [{ item: used.id, quantity: 1 }] })
    const others = [await shop.item({ itemName: "Group one" }), await shop.item({ itemName: "Group two" })]
    const page = await open("/items?search=group", { locale: "de-DE" })
    const remove = async () => {
      await page.getByText(/^3 von 3/).waitFor()
      await page.getByLabel("Alle auswählen", { exact: true }).check()
      await page.getByRole("button", { name: "Löschen", exact: true }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Löschen" }).click()
      await page.getByText("2 gelöscht.").waitFor()
    }
    await remove()
    await page
      .getByText("Group used: Andere Einträge verwenden diesen. Deaktivieren Sie ihn stattdessen.")
      .waitFor()
    expect(await page.getByText("Group one", { exact: true }).count()).toBe(0)
    await page.getByRole("button", { name: "Rückgängig" }).click()
    await page.getByText("Group one", { exact: true }).waitFor()
    await remove()
    await until(async () => (await statusOf(`/items/${others[1]?.id}`)) === 404)
    expect(await statusOf(`/items/${used.id}`)).toBe(200)
    page.assertQuiet()
  })

  test("and tells when the record was changed meanwhile, so that it stays", async () => {
    const { id } = await shop.item({ itemCode: "UNDO-2", itemName: "Changed in time" })
    const page = await open(`/items/${id}`)
    await chooseAction(page, "Delete")
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByText("Changed in time was deleted.").waitFor()
    await api.put(`/items/${id}`, { category: "Kept" })
    await page.getByText(/^Changed in time was not deleted\. /).waitFor()
    await page.getByRole("link", { name: "UNDO-2" }).waitFor()
    expect(await statusOf(`/items/${id}`)).toBe(200)
  })

  test("a change of many is taken back only where nobody has changed the record since", async () => {
    const items = [
      await shop.item({ itemName: "Shelf a", category: "Old" }),
      await shop.item({ itemName: "Shelf b", category: "Old" }),
    ]
    const page = await open("/items?search=shelf")
    await page.getByText("2 of 2").waitFor()
    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByRole("button", { name: "Change…" }).click()
    await page.getByRole("menuitem", { name: "Category…" }).click()
    await page.getByRole("dialog").getByLabel("Category").fill("New")
    await page.getByRole("dialog").getByRole("button", { name: "Change" }).click()
    await page.getByText("2 changed.").waitFor()
    await api.put(`/items/${items[1]?.id}`, { category: "Theirs" })
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Undone for 1.").waitFor()
    await page.getByText("1 could not be taken back").waitFor()
    const categories = await Promise.all(items.map(async ({ id }) => (await shop.get("items", id)).category))
    expect(categories).toEqual(["Old", "Theirs"])
  })
})
