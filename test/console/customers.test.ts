import { describe, expect, test } from "bun:test"
import { accessFaults, browserPath, startConsole } from "../support/browser"

const { api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("a customer that exists already", () => {
  test("is shown while a new one is typed in an order, and can be taken instead", async () => {
    await api.put("/settings", { address: { country: "DE" } })
    const known = await shop.customer({
      name: "Café Nordwind",
      phone: "+49 431 556677",
      address: { city: "Kiel" },
    })
    const page = await open("/orders/new")
    const field = page.getByRole("combobox", { name: "Customer" })
    await field.click()
    await page.keyboard.type("Nordwind Cafe")
    await page.getByRole("option", { name: 'Create "Nordwind Cafe"' }).click()
    const dialog = page.getByRole("dialog", { name: "New customer" })
    await dialog.getByLabel("Phone").click()
    await page.keyboard.type("0431 556677")
    await dialog.getByText("Does this customer exist already?").waitFor()
    await dialog.getByText(`${known.customerNumber} · Kiel · same or alike: name, phone`).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await dialog.getByRole("button", { name: "Use this one: Café Nordwind" }).click()
    await dialog.waitFor({ state: "detached" })
    expect(await field.inputValue()).toBe("Café Nordwind")
    expect((await api.get("/customers?phone[null]=false")).body.meta.total).toBe(1)
  })

  test("is a new one with the address of an invoice, and the tax behind a fold", async () => {
    const page = await open("/invoices/new")
    await page.getByRole("combobox", { name: "Customer" }).click()
    await page.keyboard.type("Brücke")
    await page.getByRole("option", { name: 'Create "Brücke"' }).click()
    const dialog = page.getByRole("dialog", { name: "New customer" })
    expect(await dialog.getByRole("combobox", { name: "Country" }).inputValue()).toBe("Germany")
    await dialog.getByLabel("Street").click()
    await page.keyboard.type("Hauptstr. 1")
    await page.keyboard.press("Tab")
    await page.keyboard.type("24103")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Kiel")
    await dialog.getByRole("button", { name: "Tax ID and tax" }).click()
    await dialog.getByLabel("Tax ID").click()
    await page.keyboard.type("DE811128135")
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    const [made] = (await api.get("/customers?search=Br%C3%BCcke")).body.data
    expect(made).toMatchObject({
      name: "Brücke",
      taxId: "DE811128135",
      address: { street: "Hauptstr. 1", zipCode: "24103", city: "Kiel", country: "DE" },
    })
  })

  test("from another country is proposed the treatment that fits, also where it is created in an order", async () => {
    const page = await open("/orders/new")
    await page.getByRole("combobox", { name: "Customer" }).click()
    await page.keyboard.type("Wiener")
    await page.getByRole("option", { name: 'Create "Wiener"' }).click()
    const dialog = page.getByRole("dialog", { name: "New customer" })
    await dialog.getByRole("combobox", { name: "Country" }).click()
    await page.keyboard.type("Austria")
    await page.getByRole("option", { name: "Austria" }).click()
    await dialog.getByLabel("Tax ID").click()
    await page.keyboard.type("ATU13585627")
    await dialog.getByRole("button", { name: "Use “Other EU country”" }).click()
    await dialog.getByRole("button", { name: "Create customer" }).click()
    await dialog.waitFor({ state: "detached" })
    const [made] = (await api.get("/customers?search=Wiener")).body.data
    expect(made).toMatchObject({ taxTreatment: "intra-community", taxId: "ATU13585627" })
  })

  test("is merged with the other on the page of one of them", async () => {
    const stays = await shop.customer({ name: "Hansen GmbH", address: { city: "Husum" } })
    const goes = await shop.customer({ name: "Hansen doubled" })
    await shop.order({ customer: goes.id })
    const page = await open("/customers/new")
    await page.getByLabel("Name").first().click()
    await page.keyboard.type("hansen gmbh")
    await page.getByText(`${stays.customerNumber} · Husum · same or alike: name`).waitFor()

    await open(`/customers/${goes.id}`)
    await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("menuitem", { name: "Merge with another customer" }).click()
    const dialog = page.getByRole("dialog", { name: "Merge with another customer" })
    await dialog.getByRole("combobox", { name: "Customer" }).click()
    await page.keyboard.type("Hansen GmbH")
    await page.getByRole("option", { name: /Hansen GmbH/ }).click()
    // The older one is proposed to stay.
    await dialog.getByRole("row", { name: "Orders 0 1" }).waitFor()
    await dialog.getByRole("button", { name: "Swap" }).click()
    await dialog.getByRole("row", { name: "Orders 1 0" }).waitFor()
    await dialog.getByRole("button", { name: "Swap" }).click()
    await dialog.getByRole("row", { name: "Orders 0 1" }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await dialog.getByRole("button", { name: "Merge", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Hansen GmbH" }).waitFor()
    expect((await api.get(`/customers/${goes.id}`)).body.data).toMatchObject({ mergedInto: stays.id })
    await page.getByText("merged CUST").waitFor()
    page.assertQuiet()
    await open(`/customers/${goes.id}`)
    await page
      .getByText("This customer was merged into")
      .getByRole("link", { name: /^Hansen GmbH/ })
      .waitFor()
    page.assertQuiet()
  })
})
