import { describe, expect, test } from "bun:test"
import { browserPath, startConsole } from "../support/browser"

const { shop, open } = await startConsole()

describe.skipIf(browserPath === null)("in the settings", () => {
  test("a generated password is shown once; a typed one is not", async () => {
    const page = await open("/settings/users")
    const dialog = page.getByRole("dialog")
    const fill = async (name: string) => {
      await page.getByRole("button", { name: "New user" }).first().click()
      await dialog.getByLabel("Email").fill(`${name}@example.com`)
      await dialog.getByLabel("Name").fill(name)
      await dialog.getByRole("button", { name: "Generate" }).click()
    }
    await fill("Anna")
    const password = await dialog.getByLabel("Password", { exact: false }).first().inputValue()
    expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
    await dialog.getByRole("button", { name: "Create user" }).click()
    await page.getByText("Sign-in details for Anna").waitFor()
    expect(await dialog.getByLabel("Password", { exact: true }).inputValue()).toBe(password)
    await dialog.getByRole("button", { name: "I have shared the password" }).click()

    await fill("Bert")
    await dialog.getByLabel("Password", { exact: false }).first().fill("a password of one's own")
    await dialog.getByRole("button", { name: "Create user" }).click()
    await page.getByText("Bert was saved.").waitFor()
    await dialog.waitFor({ state: "hidden" })
    expect(await page.getByText("Sign-in details for Bert").count()).toBe(0)
  })

  test("the last active administrator cannot be deactivated", async () => {
    const page = await open("/settings/users")
    const dialog = page.getByRole("dialog")
    await page.getByRole("main").getByRole("button", { name: "admin" }).first().click()
    await dialog.getByText("This is your own account.").waitFor()
    await dialog.getByRole("switch", { name: "Active" }).uncheck()
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("is the last active admin").waitFor()
  })

  test("a new password must be repeated correctly, and the current password must be right", async () => {
    const page = await open("/settings/account")
    const [current, next, again] = ["Current password", "New password", "Confirm new password"].map((label) =>
      page.getByRole("textbox", { name: label, exact: true }),
    )
    await current?.fill("not the password")
    await next?.fill("a longer password")
    await again?.fill("another password")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Passwords do not match").waitFor()
    await again?.fill("a longer password")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("is wrong").waitFor()
  })

  test("the search lists the kind with the best match first, and the pages of the menu last", async () => {
    const item = await shop.item({ itemName: "Items of Zanzibar", sellingPrice: 10 })
    const customer = await shop.customer({ name: "Zanzibar items" })
    await shop.submitted({ customer: customer.id, items: [{ item: item.id, quantity: 1 }] })
    const page = await open("/")
    await page.keyboard.press("Control+k")
    await page.getByLabel("Search everything").fill("items")
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Zanzibar items", { exact: true }).waitFor()
    await dialog.getByText("$10.00 · Submitted").waitFor()
    const shown = (await dialog.locator("button").allInnerTexts()).map((text) => text.trim())
    expect(shown).toEqual([
      "Items of Zanzibar",
      "Zanzibar items",
      expect.stringMatching(/^SO-.* · Zanzibar items\s+\$10\.00 · Submitted$/),
      "Items",
    ])
    await dialog.getByText("Items of Zanzibar", { exact: true }).click()
    await page.waitForURL(`**/console/items/${item.id}`)
  })
})
