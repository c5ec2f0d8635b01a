import { beforeAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { animationsEnd, browserPath, follow, inspector, startConsole, type Window } from "../support/browser"
import { adminPassword } from "../support/kontor"
import { isLong } from "../support/long"

const { kontor, api, shop, open } = await startConsole()

/** An admin whose sessions the last test ends. */
const email = "mia@shop.example"

/** Clicks through the dialogs of a window and inspects them. Every second one opens on a phone. */
function walk(page: Window) {
  const { faults, inspect } = inspector(page, { staysChanged: true })
  const dialog = page.getByRole("dialog")
  return {
    faults,
    inspect,
    dialog,
    press: (name: string | RegExp) => page.getByRole("main").getByRole("button", { name }).first().click(),
    see: async (name: string) => {
      await dialog.last().waitFor()
      await inspect(name, "[role=dialog]")
    },
    /** Closes all dialogs and goes to another page. */
    leave: async (path: string, heading: string) => {
      while ((await dialog.count()) > 0) {
        await page.keyboard.press("Escape")
        await animationsEnd(page)
      }
      await follow(page, path, heading)
    },
  }
}

describe.skipIf(browserPath === null)("every dialog and menu", () => {
  beforeAll(() => api.create("/users", { email, name: "Mia", role: "admin", password: adminPassword }))

  test("has no serious accessibility violation and fits the screen", async () => {
    const item = await shop.item({ itemName: "Standing desk", sellingPrice: 449.9 })
    const order = await shop.submitted({ items: [{ item: item.id, quantity: 3 }] })
    const invoice = await shop.invoice()
    const page = await open(`/invoices/${invoice.id}`, { email })
    const { faults, inspect, dialog, press, see, leave } = walk(page)
    await press("Record payment")
    await dialog.getByLabel("Amount").fill("many")
    await dialog.getByRole("textbox", { name: "Date" }).fill("some day")
    await dialog.getByLabel("Reference").fill("RF18")
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await dialog.locator("[aria-invalid=true]").first().waitFor()
    await see("payment, refused")
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await press("More actions")
    await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor()
    await inspect("menu of the invoice", "[role=menu]")
    await page.getByRole("menuitem", { name: "Cancel invoice" }).click()
    await see("question with a reason")

    await leave(`/orders/${order.id}`, order.orderNumber)
    await press("Invoice")
    await dialog.getByLabel(/Quantity of Standing desk/).waitFor()
    await see("invoicing an order")

    await leave(`/stock/ledger?item=${item.id}`, "Stock ledger")
    await page.getByRole("button", { name: "Period" }).click()
    await page.getByLabel("Next month").waitFor()
    await inspect("calendar")
    await page.keyboard.press("Escape")
    await press("Receive stock")
    await see("stock")

    await leave("/settings/api-keys", "API keys")
    await press("New API key")
    await dialog.getByLabel("Name").fill("Shop")
    await dialog.getByLabel(/^Read/).check()
    await dialog.getByRole("button", { name: "Create API key" }).click()
    await page.getByLabel("API key", { exact: true }).waitFor()
    await see("API key, shown once")
    await dialog.getByRole("button", { name: "I have stored the key" }).click()
    await press(/^Shop/)
    await dialog.getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("dialog", { name: /^Revoke/ }).waitFor()
    await see("question above a dialog")

    await leave("/settings/audit", "Audit log")
    await page.locator("main tbody button, main .phone-list button").first().click()
    await page.getByText("Time (UTC)").waitFor()
    await see("entry of the audit log")

    await leave(`/items/${item.id}`, "Standing desk")
    await page.getByLabel("Name").fill("Mine")
    await api.put(`/items/${item.id}`, { itemName: "Theirs" })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Discard my changes").waitFor()
    await see("two versions")

    expect(faults).toEqual({})
    page.assertQuiet()
  })

  // Those that are similar to one above.
  if (isLong)
    test("of the same kind has no serious accessibility violation and fits the screen", async () => {
      const item = await shop.item({ itemName: "Wardrobe" })
      const invoice = await shop.invoice()
      await api.post("/api-keys", { name: "Old shop", scopes: ["read"] })
      const page = await open(`/invoices/${invoice.id}`, { email })
      const { faults, inspect, dialog, press, see, leave } = walk(page)
      await press("Record payment")
      await see("payment")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: /^Signed in as/ }).click()
      await page.getByRole("menuitem", { name: "My account" }).and(page.locator(":focus")).waitFor()
      await inspect("menu of the user", "[role=menu]")
      await page.keyboard.press("Escape")

      await leave("/settings/users", "Users")
      await press("New user")
      await see("new user")
      await dialog.getByRole("button", { name: "Create user" }).click()
      await dialog.locator("[aria-invalid=true]").first().waitFor()
      await see("new user, refused")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await press("Mia")
      await see("user")

      await leave("/settings/api-keys", "API keys")
      await press("New API key")
      await see("new API key")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await press(/^Old shop/)
      await dialog.getByRole("button", { name: "Rotate" }).waitFor()
      await see("API key")

      await leave(`/items/${item.id}`, "Wardrobe")
      await page.getByLabel("Category").first().fill("Furniture")
      await page.getByRole("main").getByRole("link", { name: "Items" }).click()
      await page.getByRole("button", { name: "Keep editing" }).waitFor()
      await see("question whether to leave")

      expect(faults).toEqual({})
      page.assertQuiet()
    })

  test("of the search and of an expired session has no serious accessibility violation and fits the screen, and the input is saved after the new sign-in", async () => {
    const item = await shop.item({ itemName: "Bookshelf" })
    const page = await open(`/items/${item.id}`, { email })
    const { faults, inspect } = inspector(page, { staysChanged: true })
    await page.getByRole("heading", { level: 1, name: "Bookshelf" }).waitFor()
    await page.getByRole("banner").getByRole("button", { name: "Search" }).click()
    const field = page.getByLabel("Search everything")
    await field.waitFor()
    if (isLong) await inspect("search, empty", "[role=dialog]")
    await field.fill("bookshelf")
    await page.getByRole("dialog").getByText("Bookshelf").first().waitFor()
    await inspect("search, found", "[role=dialog]")
    await field.fill("zzzzzz")
    await page.getByText("No results found").waitFor()
    if (isLong) await inspect("search, nothing found", "[role=dialog]")
    // It opens again before it has faded out, and is empty.
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("bookshelf")
    await page.getByRole("dialog").getByText("Bookshelf").first().waitFor()
    expect(await field.inputValue()).toBe("bookshelf")
    await page.keyboard.press("Escape")
    await field.waitFor({ state: "detached" })
    await (await signIn(kontor, email)).post("/auth/logout-all")
    await page.getByLabel("Description").fill("Typed before the session ended")
    await page.getByRole("button", { name: "Save" }).click()
    const lock = page.getByRole("dialog", { name: "Sign in again" })
    await lock.waitFor()
    await inspect("lock", "[role=dialog]")
    expect(faults).toEqual({})
    await lock.getByRole("textbox", { name: "Password" }).fill(adminPassword)
    await lock.getByRole("button", { name: "Sign in" }).click()
    await page.getByText("Bookshelf was saved.").waitFor()
    expect((await shop.get("items", item.id)).description).toBe("Typed before the session ended")
    page.assertQuiet()
  })
})
