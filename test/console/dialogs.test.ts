import { describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { animationsEnd, browserPath, follow, inspector, looks, startConsole } from "../support/browser"
import { adminPassword } from "../support/kontor"

const { kontor, api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("every dialog and menu", () => {
  test.each(looks)(
    "has no serious accessibility violation and fits the screen, $name",
    async ({ look }) => {
      const item = await shop.item({ itemName: "Standing desk", sellingPrice: 449.9 })
      const order = await shop.submitted({ items: [{ item: item.id, quantity: 3 }] })
      const invoice = await shop.invoice()
      const page = await open(`/invoices/${invoice.id}`, look)
      const { faults, inspect } = inspector(page)
      const dialog = page.getByRole("dialog")
      const press = (name: string | RegExp) =>
        page.getByRole("main").getByRole("button", { name }).first().click()
      const see = async (name: string) => {
        await dialog.last().waitFor()
        await inspect(name, "[role=dialog]")
      }
      /** Closes all dialogs and goes to another page. */
      const leave = async (path: string, heading: string) => {
        while ((await dialog.count()) > 0) {
          await page.keyboard.press("Escape")
          await animationsEnd(page)
        }
        await follow(page, path, heading)
      }
      await press("Record payment")
      await see("payment")
      await dialog.getByLabel("Amount").fill("many")
      await dialog.getByRole("textbox", { name: "Date" }).fill("some day")
      await dialog.getByLabel("Reference").fill("RF18")
      await dialog.getByRole("button", { name: "Record payment" }).click()
      await dialog.locator("[aria-invalid=true]").first().waitFor()
      await see("payment, refused")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: /^Signed in as/ }).click()
      await page.getByRole("menuitem", { name: "My account" }).and(page.locator(":focus")).waitFor()
      await inspect("menu of the user", "[role=menu]")
      await page.keyboard.press("Escape")
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
      await press("Receive stock")
      await see("stock")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      if (look.width < 500) {
        await press("Filters")
        await see("filters")
      }
      await page.getByRole("button", { name: "Period" }).click()
      await page.getByLabel("Next month").waitFor()
      await inspect("calendar")

      await leave("/settings/users", "Users")
      await press("New user")
      await see("new user")
      await dialog.getByRole("button", { name: "Create user" }).click()
      await dialog.locator("[aria-invalid=true]").first().waitFor()
      await see("new user, refused")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await press("admin")
      await see("user")

      await leave("/settings/api-keys", "API keys")
      await press("New API key")
      await see("new API key")
      await dialog.getByLabel("Name").fill(`Shop ${look.width} ${look.colorScheme}`)
      await dialog.getByLabel(/^Read/).check()
      await dialog.getByRole("button", { name: "Create API key" }).click()
      await page.getByLabel("API key", { exact: true }).waitFor()
      await see("API key, shown once")
      await dialog.getByRole("button", { name: "I have stored the key" }).click()
      await press(/^Shop/)
      await dialog.getByRole("button", { name: "Rotate" }).waitFor()
      await see("API key")
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
      await page.getByRole("button", { name: "Discard my changes" }).click()
      await page.getByLabel("Category").first().fill("Furniture")
      await page.getByRole("main").getByRole("link", { name: "Items" }).click()
      await page.getByRole("button", { name: "Keep editing" }).waitFor()
      await see("question whether to leave")

      expect(faults).toEqual({})
      page.assertQuiet()
    },
    120_000,
  )

  test.each(looks)(
    "of the search and of an expired session has no serious accessibility violation and fits the screen, $name",
    async ({ look }) => {
      const email = `mia-${look.width}-${look.colorScheme}@shop.example`
      await api.create("/users", { email, name: "Mia", role: "manager", password: adminPassword })
      const item = await shop.item({ itemName: "Bookshelf" })
      const page = await open(`/items/${item.id}`, { ...look, email, isFresh: true })
      const { faults, inspect } = inspector(page)
      await page.getByRole("heading", { level: 1, name: "Bookshelf" }).waitFor()
      await page.getByRole("banner").getByRole("button", { name: "Search" }).click()
      const field = page.getByLabel("Search everything")
      await field.waitFor()
      await inspect("search, empty", "[role=dialog]")
      await field.fill("bookshelf")
      await page.getByRole("dialog").getByText("Bookshelf").first().waitFor()
      await inspect("search, found", "[role=dialog]")
      await field.fill("zzzzzz")
      await page.getByText("No results found").waitFor()
      await inspect("search, nothing found", "[role=dialog]")
      await page.keyboard.press("Escape")
      await field.waitFor({ state: "detached" })
      await (await signIn(kontor, email)).post("/auth/logout-all")
      await page.getByLabel("Description").fill("Of oak")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("dialog", { name: "Sign in again" }).waitFor()
      await inspect("lock", "[role=dialog]")
      expect(faults).toEqual({})
      page.assertQuiet()
    },
    60_000,
  )
})
