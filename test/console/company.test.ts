import { beforeAll, describe, expect, test } from "bun:test"
import { browserPath, inspector, settle, startConsole, type Window } from "../support/browser"
import { png } from "../support/images"

const { api, shop, open } = await startConsole()

const settings = async () => (await api.get("/settings")).body.data
const save = async (page: Window) => {
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await page.getByText("The settings were saved.").first().waitFor()
}
const field = (page: Window, name: string) => page.getByRole("textbox", { name, exact: true })
const previewOf = (page: Window, name: string) =>
  field(page, name).evaluate((input) =>
    (input.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent)
      .join(" "),
  )

describe.skipIf(browserPath === null)("on the company page", () => {
  let today: string
  let year: string
  beforeAll(async () => {
    today = (await api.get("/auth/me")).body.data.company.today
    year = today.slice(0, 4)
  })

  test("the address and the bank are typed with the keyboard, and the checklist counts them", async () => {
    const page = await open("/settings/company")
    await field(page, "Legal name").click()
    const typed = ["Nord GmbH", "Kai 7", "20457", "Hamburg", "", "germ"]
    for (const text of typed) {
      await page.keyboard.type(text)
      if (text === "germ") {
        await page
          .getByRole("option", { name: "Germany" })
          .and(page.locator("[data-combobox-selected]"))
          .waitFor()
        // The highlight of the letter before disappears for a moment.
        await settle(page)
        await page.keyboard.press("Enter")
        await page.locator("input[type=hidden][value=DE]").waitFor({ state: "attached" })
      }
      await page.keyboard.press("Tab")
    }
    await field(page, "VAT ID").fill("DE123456789")
    const iban = field(page, "IBAN")
    await iban.click()
    await page.keyboard.type("de89 37040")
    await page.keyboard.press("Tab")
    await page.getByText("Must be an IBAN with a valid checksum").waitFor()
    expect(await iban.inputValue()).toBe("DE89 3704 0")
    // Tab into the filled field: typing replaces its text.
    await page.keyboard.press("Shift+Tab")
    expect(await iban.inputValue()).toBe("DE8937040")
    await page.keyboard.insertText("DE89370400440532013000")
    await page.keyboard.press("Tab")
    await page.keyboard.type("cobadeff")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Bank")
    expect(await iban.inputValue()).toBe("DE89 3704 0044 0532 0130 00")
    expect(await page.getByText("Must be an IBAN").count()).toBe(0)
    await save(page)
    expect(await settings()).toMatchObject({
      companyName: null,
      legalName: "Nord GmbH",
      address: {
        street: "Kai 7",
        zipCode: "20457",
        city: "Hamburg",
        state: null,
        country: "DE",
      },
      vatId: "DE123456789",
      iban: "DE89370400440532013000",
      bic: "COBADEFF",
      bankName: "Bank",
    })
    await page.getByRole("link", { name: "Dashboard" }).click()
    await page.getByText("1 of 5 done").waitFor()
    page.assertQuiet()
  })

  test("an address and a tax ID from before are moved to their fields", async () => {
    await api.put("/settings", {
      address: null,
      vatId: null,
      companyAddress: "Haus Nord\nKai 7\nD-20457 Hamburg\nGermany",
      companyTaxId: "22/815/08154",
    })
    const page = await open("/settings/company")
    await page.getByText("Documents show this as long as the new fields are empty").waitFor()
    await page.getByRole("button", { name: "Move to the address fields" }).click()
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-path"))).toBe(
      "address.street",
    )
    expect(await field(page, "Street").inputValue()).toBe("Haus Nord, Kai 7")
    await page.getByRole("button", { name: "Use as tax number" }).click()
    expect(await page.getByText("Data from before").count()).toBe(0)
    await save(page)
    expect(await settings()).toMatchObject({
      companyAddress: null,
      companyTaxId: null,
      taxNumber: "22/815/08154",
      address: { street: "Haus Nord, Kai 7", zipCode: "20457", city: "Hamburg", state: null, country: "DE" },
    })
    page.assertQuiet()
  })

  test("a logo is chosen, shown, replaced by dropping another, and removed; unsaved input stays", async () => {
    const page = await open("/settings/company")
    await field(page, "Phone").fill("+49 40 1234567")
    const image = page.getByRole("img", { name: "Logo of the company" })
    const choose = async (name: string, mimeType: string, buffer: Buffer) => {
      const chooser = page.waitForEvent("filechooser")
      await page.getByRole("button", { name: /^Choose (a|another) file$/ }).focus()
      await page.keyboard.press("Enter")
      await (await chooser).setFiles({ name, mimeType, buffer })
    }
    await choose("logo.gif", "image/gif", Buffer.from("GIF89a"))
    await page.getByRole("alert").getByText("Choose a PNG or JPEG image.").waitFor()
    await choose("large.png", "image/png", Buffer.alloc(256 * 1024 + 1))
    await page.getByRole("alert").getByText("This file is larger than 256 kB.").waitFor()
    await choose("renamed.png", "image/png", Buffer.from("not an image"))
    await page.getByRole("alert").getByText("Must be an image of the type image/png").waitFor()
    expect((await settings()).logo).toBeNull()

    await choose("logo.png", "image/png", png())
    await page.getByText("The logo was saved.").waitFor()
    await image.waitFor()
    expect(
      await image.evaluate((shown: HTMLImageElement) => [shown.naturalWidth, shown.naturalHeight]),
    ).toEqual([120, 40])
    expect(await page.getByRole("main").getByRole("alert").count()).toBe(0)
    const first = (await settings()).logo

    await drop(page, png(300, 60))
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>(".drop-zone img")?.naturalWidth === 300,
    )
    expect((await settings()).logo).not.toBe(first)
    await page.getByRole("button", { name: "Remove logo" }).click()
    await page.getByText("No logo").waitFor()
    expect((await settings()).logo).toBeNull()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Choose a file")
    // The version of the settings has changed meanwhile, but not by the fields of the form.
    await save(page)
    expect(await settings()).toMatchObject({ phone: "+49 40 1234567", logo: null })
    page.assertQuiet()
  })

  test("a number format shows the next number while it is typed, and the next invoice gets it", async () => {
    await shop.customer()
    const page = await open("/settings/company")
    await page.getByText(`Next number: INV-${year}-00001`).waitFor()
    expect(await previewOf(page, "Customer numbers")).toBe("Next number: CUST-00002")
    // Only an empty series can start at another number.
    expect(await field(page, "First customer number").count()).toBe(0)
    const format = field(page, "Invoice numbers")
    await format.fill("so-{YYYY}-{####}")
    await page.getByText("Can give the same numbers as: Order numbers").waitFor()
    await format.fill("RE {YY}")
    await page.getByText("Must have exactly one counter, such as {#####}").waitFor()
    expect(await previewOf(page, "Invoice numbers")).toContain("Next number: –")
    await format.fill("re-{YY}/{###}")
    expect(await previewOf(page, "Invoice numbers")).toBe(`Next number: RE-${year.slice(2)}/001`)
    await page.keyboard.press("Tab")
    await page.keyboard.type("500")
    expect(await previewOf(page, "Invoice numbers")).toBe(`Next number: RE-${year.slice(2)}/500`)
    await save(page)
    expect((await shop.invoice()).invoiceNumber).toBe(`RE-${year.slice(2)}/500`)
    await page.reload()
    await page.getByText(`Next number: RE-${year.slice(2)}/501`).waitFor()
    expect(await field(page, "First invoice number").count()).toBe(0)
    page.assertQuiet()
  })

  test("the defaults of documents are stored, and a tax code can be picked", async () => {
    const { id } = await api.create("/tax-codes", { code: "DE19", name: "USt 19 %", category: "S", rate: 19 })
    const page = await open("/settings/company")
    await field(page, "Footer").fill("Managing director: Anna Petersen")
    await page.getByLabel("Default tax code").click()
    await page.keyboard.type("de19")
    await page.getByRole("option", { name: /DE19/ }).and(page.locator("[data-combobox-selected]")).waitFor()
    await page.keyboard.press("Enter")
    await page.getByLabel("Prices include tax").check()
    // An error of the whole form is next to the button, not above the fields, where it would be out of sight.
    const isPut = (request: { method(): string }) => request.method() === "PUT"
    await page.route("**/api/v1/settings", (route) =>
      isPut(route.request()) ? route.abort() : route.continue(),
    )
    await page.getByRole("button", { name: "Save", exact: true }).click()
    const box = await page.getByRole("main").getByRole("alert").boundingBox()
    expect(box?.y).toBeWithin(400, 800)
    await page.unroute("**/api/v1/settings")
    await save(page)
    expect(await settings()).toMatchObject({
      documentFooter: "Managing director: Anna Petersen",
      defaultTaxCode: id,
      pricesIncludeTax: true,
    })
    await field(page, "Footer").fill("Somebody else")
    await page.getByRole("main").getByRole("link", { name: "Tax codes" }).click()
    await page.getByRole("dialog", { name: "Unsaved changes" }).waitFor()
    await page.getByRole("button", { name: "Discard changes" }).click()
    await page.getByRole("heading", { level: 1, name: "Tax codes" }).waitFor()
    page.assertQuiet()
  })

  test("a locked period refuses invoices in words, and is opened again only after a confirmation", async () => {
    const order = await shop.submitted({ orderDate: `${year}-01-10` })
    const page = await open("/settings/company")
    const until = field(page, "Locked until")
    const question = page.getByRole("dialog", { name: "Open the locked period again?" })
    await until.fill("2999-01-01")
    await page.keyboard.press("Tab")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Must not be in the future").waitFor()
    await until.fill(`Jan 31, ${year}`)
    await page.keyboard.press("Tab")
    await save(page)
    expect((await settings()).lockedUntil).toBe(`${year}-01-31`)

    await open(`/orders/${order.id}`)
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "Invoice date" }).fill(`Jan 31, ${year}`)
    await page.keyboard.press("Tab")
    await dialog.getByRole("button", { name: "Create invoice" }).click()
    await dialog.getByText(`The period up to ${year}-01-31 is closed`).waitFor()
    await dialog.getByText(`Must be after ${year}-01-31`).waitFor()
    expect((await shop.get("sales-orders", order.id)).invoices).toEqual([])

    await open("/settings/company")
    await until.fill(`Jan 10, ${year}`)
    await page.keyboard.press("Tab")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await question
      .getByText(`Invoices and payments after Jan 10, ${year} can then be changed again`)
      .waitFor()
    await question.getByRole("button", { name: "Cancel" }).click()
    expect((await settings()).lockedUntil).toBe(`${year}-01-31`)
    await page.getByRole("button", { name: "Clear date" }).click()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await question.getByRole("button", { name: "Open and save" }).click()
    await page.getByText("The settings were saved.").waitFor()
    expect((await settings()).lockedUntil).toBeNull()
    page.assertQuiet()
  })

  test("in German, labels, previews, hints and errors are German", async () => {
    const page = await open("/settings/company", { locale: "de-DE" })
    await page.getByText(`Nächste Nummer: RE-${year.slice(2)}/501`).waitFor()
    await field(page, "IBAN").fill("DE00")
    await field(page, "Kundennummern").fill("ohne Zähler")
    await page.getByText("Geben Sie eine gültige IBAN ein").waitFor()
    await page.getByText(/^Erlaubt sind \{YYYY\}, \{YY\}, \{MM\}, genau ein Zähler/).waitFor()
    await page.getByRole("button", { name: "Speichern" }).click()
    // The first field with an error gets the focus.
    await page.locator("[aria-invalid=true]:focus").waitFor()
    await settle(page)
    page.assertQuiet()
  })

  test("everything fits and is accessible, with a logo and errors", async () => {
    await api.put("/settings/logo", png(2_000, 100), { "content-type": "image/png" })
    await api.put("/settings", { companyTaxId: "DE1", vatId: null })
    const page = await open("/settings/company")
    await page.getByRole("img", { name: "Logo of the company" }).waitFor()
    await field(page, "Order numbers").fill("RE-{YY}/{###}")
    await field(page, "IBAN").fill("DE1")
    await page.keyboard.press("Tab")
    const { inspect, faults } = inspector(page)
    await inspect("the company page")
    expect(faults).toEqual({})
    page.assertQuiet()
  })
})

/** Drops an image on the area of the logo. */
async function drop(page: Window, image: Buffer): Promise<void> {
  const files = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], "other.png", { type: "image/png" }))
      return transfer
    },
    [...image],
  )
  await page.dispatchEvent(".drop-zone", "dragover", { dataTransfer: files })
  await page.dispatchEvent(".drop-zone", "drop", { dataTransfer: files })
}
