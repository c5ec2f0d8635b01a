import { describe, expect, test } from "bun:test"
import { browserPath, chooseAction, follow, inspector, settle, startConsole } from "../support/browser"
import type { Window } from "../support/browser"

const { api, shop, open } = await startConsole()

/** The message of an earlier save may still be there. */
const saved = (page: Window, name: string) => page.getByText(`${name} was saved.`).last().waitFor()
const codesOf = async () => (await api.get("/tax-codes?sort=code&order=asc&perPage=100")).body.data

describe.skipIf(browserPath === null)("the tax of the shop", () => {
  test("the codes of a country are added together, and those that exist are not offered again", async () => {
    const page = await open("/settings/tax-codes")
    await page.getByText("No tax codes yet").waitFor()
    await page.getByRole("button", { name: "Add codes of a country" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Add 0 codes" }).click()
    await dialog.getByText("Select at least one code.").waitFor()
    await dialog.getByRole("combobox", { name: "Country" }).click()
    await page.keyboard.type("Germ")
    await page.keyboard.press("Enter")
    await dialog.getByRole("checkbox", { name: /^DE-E / }).check()
    await dialog.getByRole("checkbox", { name: /^DE7 / }).uncheck()
    await dialog.getByRole("button", { name: "Add 2 codes" }).click()
    await page.getByText("2 tax codes were added.").waitFor()
    expect(await codesOf()).toMatchObject([
      { code: "DE-E", category: "E", rate: 0, reason: expect.stringContaining("§ 19 UStG") },
      { code: "DE19", name: "19 % USt", category: "S", rate: 19 },
    ])
    await page.getByRole("button", { name: "Add codes of a country" }).click()
    await dialog.getByRole("combobox", { name: "Country" }).click()
    await page.keyboard.type("Germ")
    await page.keyboard.press("Enter")
    expect(await dialog.getByRole("checkbox", { name: /^DE19 / }).isDisabled()).toBeTrue()
    expect(await dialog.getByRole("checkbox", { name: /^DE7 / }).isChecked()).toBeTrue()
    await dialog.getByRole("button", { name: "Add 1 code" }).click()
    await page.getByText("1 tax code was added.").waitFor()
    await page.getByRole("link", { name: "DE7", exact: true }).waitFor()
    page.assertQuiet()
  })

  test("a code is created with a reason, and keeps its rate when an item names it", async () => {
    const page = await open("/settings/tax-codes")
    await page.getByRole("link", { name: "New tax code" }).first().click()
    await page.getByRole("heading", { level: 1, name: "New tax code" }).waitFor()
    await page.keyboard.type("CARE")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Care")
    const category = page.getByRole("combobox", { name: "Category" })
    await category.click()
    await page.getByRole("option", { name: "E · Exempt" }).click()
    expect(await page.getByLabel("Rate").isDisabled()).toBeTrue()
    await page.getByRole("button", { name: "Create tax code" }).click()
    await page.getByText("This field is required").waitFor()
    await page.getByLabel("Reason").fill("Health care")
    await page.getByRole("button", { name: "Create tax code" }).click()
    await saved(page, "CARE")
    await page.getByRole("heading", { level: 1, name: "Care" }).waitFor()
    await page.getByText("admin created the tax code").waitFor()
    await category.click()
    await page.getByRole("option", { name: "S · Taxed" }).click()
    await page.getByLabel("Rate").click()
    await page.keyboard.type("9.5")
    await page.keyboard.press("Enter")
    await saved(page, "CARE")
    await page.getByText("changed the tax rate from 0 % to 9.5 %").waitFor()
    const [code] = (await api.get("/tax-codes?code=CARE")).body.data
    expect(code).toMatchObject({ category: "S", rate: 9.5 })

    await shop.item({ taxCode: code.id })
    await page.reload()
    await page.getByText("Fixed, because the code is used").waitFor()
    expect(await category.isDisabled()).toBeTrue()
    await page.getByRole("button", { name: "More actions" }).click()
    const duplicate = page.getByRole("menuitem", { name: "Duplicate" })
    await duplicate.waitFor()
    expect(await page.getByRole("menuitem", { name: "Delete" }).count()).toBe(0)
    await page.keyboard.press("Escape")
    await duplicate.waitFor({ state: "detached" })
    await chooseAction(page, "Duplicate")
    await page.getByRole("heading", { level: 1, name: "New tax code" }).waitFor()
    expect(await page.getByLabel("Rate").inputValue()).toBe("9.5")
    page.assertQuiet()
  })

  test("an item takes the rate of the code that is picked or created in place, and another rate removes it", async () => {
    await api.put("/tax-codes/by/code/STD", { name: "Standard", category: "S", rate: 20 })
    const page = await open("/items/new")
    const taxCode = page.getByLabel("Tax code")
    const rate = page.getByLabel("Tax rate")
    const itemTax = async () => {
      const { data } = (await api.get("/items/by/itemCode/TAXED")).body
      return [data.taxCode && (await shop.get("tax-codes", data.taxCode)).code, data.taxRate]
    }
    await page.getByRole("textbox", { name: "Code", exact: true }).fill("TAXED")
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Taxed")
    await taxCode.click()
    await page.keyboard.type("std")
    await page.locator("[data-combobox-selected]", { hasText: "STD · Taxed · 20 %" }).waitFor()
    await page.keyboard.press("Enter")
    expect([await taxCode.inputValue(), await rate.inputValue()]).toEqual(["STD · Standard", "20"])
    await page.getByRole("button", { name: "Create item" }).click()
    await saved(page, "Taxed")
    expect(await itemTax()).toEqual(["STD", 20])

    await rate.click()
    await page.keyboard.type("7")
    expect(await taxCode.inputValue()).toBe("")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(/changed the tax rate from 20 % to 7 %/).waitFor()
    expect(await itemTax()).toEqual([null, 7])

    await taxCode.click()
    await page.keyboard.type("RED")
    await page.getByRole("option", { name: 'Create "RED"' }).click()
    const dialog = page.getByRole("dialog", { name: "New tax code" })
    await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("Reduced")
    await dialog.getByLabel("Rate").fill("5.5")
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "hidden" })
    expect([await taxCode.inputValue(), await rate.inputValue()]).toEqual(["RED · Reduced", "5.5"])
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(/changed the tax rate from 7 % to 5.5 %/).waitFor()
    expect(await itemTax()).toEqual(["RED", 5.5])

    // An empty text removes the code, and the rate stays.
    await taxCode.click()
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Tab")
    expect([await taxCode.inputValue(), await rate.inputValue()]).toEqual(["", "5.5"])
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Save" }).and(page.locator(":not([data-loading])")).waitFor()
    await settle(page)
    expect(await itemTax()).toEqual([null, 5.5])
    page.assertQuiet()
  })

  test("a new item has the default tax code of the company, unless it is removed", async () => {
    const { data } = (await api.put("/tax-codes/by/code/STD", { name: "Standard", category: "S", rate: 20 }))
      .body
    await api.put("/settings", { defaultTaxCode: data.id })
    const page = await open("/items/new")
    const create = async (code: string) => {
      await page.getByRole("textbox", { name: "Code", exact: true }).fill(code)
      await page.getByRole("textbox", { name: "Name", exact: true }).fill(code)
      await page.getByRole("button", { name: "Create item" }).click()
      await saved(page, code)
      return (await api.get(`/items/by/itemCode/${code}`)).body.data
    }
    await page.waitForFunction(() =>
      [...document.querySelectorAll("input")].some(({ value }) => value === "STD · Standard"),
    )
    expect(await page.getByLabel("Tax rate").inputValue()).toBe("20")
    expect(await create("WITH")).toMatchObject({ taxCode: data.id, taxRate: 20 })
    await follow(page, "/items/new", "New item")
    await page.getByRole("button", { name: "Clear" }).click()
    await page.getByLabel("Tax rate").fill("")
    expect(await create("WITHOUT")).toMatchObject({ taxCode: null, taxRate: 0 })
    await api.put("/settings", { defaultTaxCode: null })
    page.assertQuiet()
  })

  test("a customer has a treatment with its meaning, a reason if exempt, a contact, a language and a second address", async () => {
    const page = await open("/customers/new")
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Embassy")
    await page.getByLabel("Contact").fill("Anna Petersen")
    const choose = async (name: string, option: string) => {
      await page.getByRole("combobox", { name }).click()
      await page.getByRole("option", { name: option, exact: true }).click()
    }
    await choose("Language of documents", "German")
    await page.getByText("Sales are taxed as their items are.").waitFor()
    await choose("Tax treatment", "Reverse charge")
    await page.getByText("the customer pays it to the tax office").waitFor()
    expect(await page.getByLabel("Tax reason").count()).toBe(0)
    await choose("Tax treatment", "Exempt")
    await page.getByRole("button", { name: "Create customer" }).click()
    await page.getByText("This field is required").waitFor()
    await page.getByLabel("Tax reason").fill("Diplomatic mission")
    await page.getByLabel("Ships to another address").click()
    await page.getByRole("group", { name: "Shipping address" }).getByLabel("City").fill("Bonn")
    await page.getByLabel("Notes").fill("Rings twice")
    await page.getByRole("button", { name: "Create customer" }).click()
    await saved(page, "Embassy")
    const find = async () => (await api.get("/customers?search=embassy")).body.data[0]
    expect(await find()).toMatchObject({
      contactName: "Anna Petersen",
      language: "de",
      taxTreatment: "exempt",
      taxReason: "Diplomatic mission",
      shippingAddress: { city: "Bonn" },
      notes: "Rings twice",
    })
    await page.getByRole("definition").filter({ hasText: "Exempt" }).waitFor()
    await page.getByLabel("Ships to another address").click()
    await choose("Tax treatment", "Domestic")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("changed the tax treatment").waitFor()
    expect(await find()).toMatchObject({ shippingAddress: null, taxTreatment: "domestic" })
    const savedAs = async (pricesIncludeTax: boolean | null) => {
      const answer = page.waitForResponse((response) => response.request().method() === "PUT")
      await page.getByRole("button", { name: "Save" }).click()
      expect((await (await answer).json()).data).toMatchObject({ pricesIncludeTax })
    }
    await choose("Prices on documents", "With tax")
    await savedAs(true)
    await choose("Tax treatment", "Export")
    expect(await page.getByRole("combobox", { name: "Prices on documents" }).count()).toBe(0)
    await savedAs(null)
    page.assertQuiet()
  })

  test("its pages are accessible and fit", async () => {
    const code = (await api.put("/tax-codes/by/code/LOOK", { name: "Looked at", category: "S", rate: 20 }))
      .body.data
    const item = await shop.item({ taxCode: code.id })
    const customer = await shop.customer({
      taxTreatment: "exempt",
      taxReason: "Why",
      shippingAddress: { city: "Bonn" },
    })
    const page = await open("/settings/tax-codes")
    const { inspect, faults } = inspector(page)
    await page.getByRole("link", { name: "New tax code" }).waitFor()
    await inspect("list")
    await page.getByRole("button", { name: "Add codes of a country" }).click()
    await page.getByRole("combobox", { name: "Country" }).click()
    await page.keyboard.type("France")
    await page.keyboard.press("Enter")
    await page.getByRole("checkbox", { name: /^FR20 / }).waitFor()
    await inspect("presets", "[role=dialog]")
    await page.getByRole("button", { name: "Cancel" }).click()
    for (const [path, heading] of [
      [`/settings/tax-codes/${code.id}`, code.name],
      [`/items/${item.id}`, item.itemName],
      [`/customers/${customer.id}`, customer.name],
    ]) {
      await follow(page, path, heading)
      await inspect(path)
    }
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("speaks German, and offers the codes of the user's country", async () => {
    const page = await open("/settings/tax-codes", { locale: "de-AT" })
    await page.getByRole("button", { name: "Schlüssel hinzufügen: Österreich" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("checkbox", { name: "AT20 · 20 % USt" }).waitFor()
    await dialog.getByRole("button", { name: "3 Schlüssel hinzufügen" }).click()
    await page.getByText("3 Steuerschlüssel wurden hinzugefügt.").waitFor()
    const customer = await shop.customer()
    await follow(page, `/customers/${customer.id}`, customer.name)
    await page.getByRole("combobox", { name: "Besteuerung" }).click()
    await page.getByRole("option", { name: "Anderes EU-Land" }).click()
    await page.getByText("Waren sind innergemeinschaftliche Lieferungen").waitFor()
    await page.getByRole("button", { name: "Speichern" }).click()
    await page.getByText("„Besteuerung“").waitFor()
    page.assertQuiet()
  })
})
