import { beforeAll, describe, expect, test } from "bun:test"
import { unzipSync } from "fflate"
import { join } from "node:path"
import type { Download } from "playwright-core"
import { browserPath, follow, inspector, printBy, startConsole, type Window } from "../support/browser"
import { emptyFolder } from "../support/kontor"

const { api, shop, open } = await startConsole()

const button = (page: Window, name: string) => page.getByRole("button", { name, exact: true })
const panel = (page: Window) => page.getByRole("region", { name: /^(E-invoice|E-Rechnung)$/ })
async function bytesOf(download: Download): Promise<Uint8Array> {
  const path = join(emptyFolder(), "download")
  await download.saveAs(path)
  return Bun.file(path).bytes()
}
const headOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes.slice(0, 5))

/** Downloads a file by a click. */
async function downloadBy(page: Window, click: () => Promise<void>): Promise<Download> {
  const saved = page.waitForEvent("download")
  await click()
  return saved
}

/** Chooses a file in the menu beside the button PDF. */
async function chooseFile(page: Window, name: string): Promise<void> {
  await button(page, "Other files").click()
  await page.getByRole("menuitem", { name, exact: true }).click()
}

/** Follows a link of the panel, and waits until the field has the focus. */
async function followMissing(page: Window, sentence: string, field: string): Promise<void> {
  await panel(page).getByRole("link", { name: sentence }).click()
  await page.locator(`[data-path="${field}"]:focus`).waitFor()
}

async function saveSettings(page: Window): Promise<void> {
  const saved = page.waitForResponse((response) => response.request().method() === "PUT")
  await button(page, "Save").click()
  expect((await saved).status()).toBe(200)
}

describe.skipIf(browserPath === null)("the files of documents", () => {
  let invoice: { id: string; invoiceNumber: string }
  beforeAll(async () => {
    invoice = await shop.invoice({ customer: (await shop.customer({ name: "Café Øresund" })).id })
  })

  test("a PDF is saved under the number, the menu has other languages and prints it in a new tab", async () => {
    const page = await open(`/invoices/${invoice.id}`)
    const pdf = await downloadBy(page, () => button(page, "PDF").click())
    expect(pdf.suggestedFilename()).toBe(`${invoice.invoiceNumber}.pdf`)
    expect(headOf(await bytesOf(pdf))).toBe("%PDF-")
    const timeline = page.getByRole("region", { name: "Timeline" })
    await timeline.getByText(/created the PDF in English · /).waitFor()
    await downloadBy(page, () => chooseFile(page, "German"))
    await timeline.getByText(/created the PDF in German · /).waitFor()
    // The XML of an invoice that lacks data is refused with what is missing.
    await chooseFile(page, "XRechnung, UBL")
    const refused = page.getByRole("alert").filter({ hasText: "Not a valid e-invoice" })
    await refused.getByText("Enter the IBAN of the company.").waitFor()
    const printed = await printBy(page, () => chooseFile(page, "Print"))
    expect(printed.title).toBe(`Invoice ${invoice.invoiceNumber}`)
    // The tab of a PDF that cannot be created is closed.
    await page.route("**/pdf", (route) => route.fulfill({ status: 503 }))
    const tab = page.waitForEvent("popup")
    await chooseFile(page, "Print")
    if (!(await tab).isClosed()) await (await tab).waitForEvent("close")
    await page.getByText("Too many PDFs are being created.").waitFor()
    await follow(page, "/invoices", "Invoices")
    await refused.waitFor({ state: "detached" })
    page.assertQuiet()
  })

  test("a download by keyboard keeps the focus at its button, also while it lasts", async () => {
    const page = await open(`/invoices/${invoice.id}`)
    let downloads = 0
    let go = () => {}
    const hold = new Promise<void>((resolve) => (go = resolve))
    await page.route("**/invoices/*/pdf*", async (route) => {
      downloads++
      await hold
      await route.fallback()
    })
    await button(page, "PDF").focus()
    await page.keyboard.press("Enter")
    await page.locator("button[aria-busy=true]:focus").waitFor()
    await page.keyboard.press("Enter")
    await downloadBy(page, async () => go())
    await page.locator("button[aria-busy=false]:focus").waitFor()
    expect(downloads).toBe(1)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.getByRole("menuitem", { name: "English" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.locator("[role=menuitem]:focus").waitFor()
    await downloadBy(page, () => page.keyboard.press("Enter"))
    await page.getByRole("menu").waitFor({ state: "detached" })
    await page.locator("button[aria-busy=false]").waitFor()
    await page.locator("[aria-label='Other files']:focus").waitFor()
    page.assertQuiet()
  })

  test("a draft with letters that the fonts lack is saved, and the console says what differs", async () => {
    const customer = await shop.customer({ name: "山田商店" })
    const draft = await api.create("/invoices", {
      customer: customer.id,
      items: [{ description: "x", quantity: 1, rate: 1 }],
    })
    const page = await open(`/invoices/${draft.id}`)
    await page.getByLabel("Notes").fill("Not saved yet")
    const pdf = await downloadBy(page, () => button(page, "PDF").click())
    expect(pdf.suggestedFilename()).toBe("invoice-draft.pdf")
    await page.getByText("they are replaced by a sign").waitFor()
    await page.getByText("without your unsaved changes").waitFor()
    await page.getByLabel("Notes").fill("")
  })

  test("selected documents are saved as one zip, also when one fails and the server is busy", async () => {
    const { id } = await shop.customer({ name: "Zip & Sons" })
    const [first, failing] = [await shop.invoice({ customer: id }), await shop.invoice({ customer: id })]
    for (const rate of [1, 2])
      await api.create("/invoices", { customer: id, items: [{ description: "x", quantity: 1, rate }] })
    const page = await open(`/invoices?customer=${id}`)
    let isBusy = true
    await page.route(`**/invoices/${first.id}/pdf`, async (route) => {
      const error = { code: "SERVICE_UNAVAILABLE", message: "Busy.", details: [] }
      if (!isBusy) return route.fallback()
      isBusy = false
      await route.fulfill({ status: 503, headers: { "retry-after": "1" }, json: { success: false, error } })
    })
    await page.route(`**/invoices/${failing.id}/pdf`, (route) =>
      route.fulfill({
        status: 500,
        json: { success: false, error: { code: "INTERNAL_ERROR", message: "Broken.", details: [] } },
      }),
    )
    await page.getByLabel("Select all", { exact: true }).check()
    const zip = await downloadBy(page, () => button(page, "Download PDFs").click())
    expect(zip.suggestedFilename()).toMatch(/\.zip$/)
    const files = Object.entries(unzipSync(await bytesOf(zip))).toSorted(([a], [b]) => a.localeCompare(b))
    expect(files.map(([name, bytes]) => [name, headOf(bytes)])).toEqual([
      ["Draft for Zip & Sons (2).pdf", "%PDF-"],
      ["Draft for Zip & Sons.pdf", "%PDF-"],
      [`${first.invoiceNumber}.pdf`, "%PDF-"],
    ])
    await page.getByText(`${failing.invoiceNumber}: Broken.`).waitFor()
    await page.getByText("1 selected").waitFor()
    page.assertQuiet()
  })

  test("a download of many documents can be stopped, and then saves nothing", async () => {
    const page = await open("/orders")
    await page.route("**/sales-orders/*/pdf", () => {})
    await page.getByLabel("Select all", { exact: true }).check()
    let isSaved = false
    page.once("download", () => (isSaved = true))
    await button(page, "Download PDFs").click()
    await page.getByText(/^Download PDFs: 0 of \d+$/).waitFor()
    await button(page, "Stop").click()
    await button(page, "Download PDFs").waitFor()
    expect(isSaved).toBeFalse()
  })
})

describe.skipIf(browserPath === null)("the check of an e-invoice", () => {
  test("leads from each missing entry to its field, until the invoice is valid", async () => {
    const item = await shop.item({ itemName: "Kiste", uom: "Kolli" })
    const customer = await shop.customer({ name: "Amt", email: "amt@example.com" })
    const draft = await api.create("/invoices", {
      customer: customer.id,
      items: [{ item: item.id, quantity: 1 }],
    })
    const path = `/invoices/${draft.id}`
    const title = "Draft for Amt"
    const page = await open(path)
    await panel(page)
      .getByText(/^No e-invoice yet: \d entries are missing$/)
      .waitFor()
    await button(page, "Issue invoice").click()
    const question = page.getByRole("dialog", { name: "Issue this invoice?" })
    await question.getByText("It is not a valid e-invoice yet.").waitFor()
    await question.getByText("Enter the legal name of the company.").waitFor()
    await question.getByRole("button", { name: "Cancel" }).click()
    await page.locator("button:focus", { hasText: "Issue invoice" }).waitFor()

    await followMissing(page, "Enter the legal name of the company.", "legalName")
    await page.keyboard.type("Nordlicht GmbH")
    const company = page.locator("form")
    await company.getByRole("link", { name: "Enter the country of the company." }).first().click()
    await page.locator("[data-path='address.country']:focus").waitFor()
    await page.keyboard.type("Germ")
    await page.keyboard.press("Enter")
    await page.getByText("In Germany", { exact: true }).waitFor()
    await company.getByRole("link", { name: "Enter the VAT ID or the tax number" }).first().click()
    await page.locator("[data-path=vatId]:focus").waitFor()
    await page.keyboard.type("DE123456789")
    await company.getByRole("link", { name: "Add the tax codes of your country." }).waitFor()
    expect(
      await company
        .getByRole("link", { name: /^Enter/ })
        .first()
        .textContent(),
    ).toContain("the city")
    await saveSettings(page)

    await follow(page, path, title)
    await followMissing(page, "Enter the UN/ECE code of the unit “Kolli”.", "unitCodes.0.code")
    await page.keyboard.type("fass")
    await button(page, "Save").click()
    const code = page.locator("[data-path='unitCodes.0.code'][aria-invalid=true]")
    await code.waitFor()
    expect(await code.inputValue()).toBe("FASS")
    await code.fill("xpk")
    // The test of all pages inspects the rest of this page, and the check in English.
    const { faults, inspect } = inspector(page)
    await inspect("units", ".mantine-Paper-root:has([data-path='unitCodes.0.code'])")
    await saveSettings(page)
    expect((await api.get("/settings")).body.data.unitCodes).toEqual({ Kolli: "XPK" })

    await follow(page, path, title)
    await followMissing(page, "Enter the country of the customer.", "address.country")
    await page.keyboard.type("Germ")
    await page.keyboard.press("Enter")
    await button(page, "Save").click()
    await page.getByText("Amt was saved.").waitFor()

    // There are no tax codes yet.
    await follow(page, path, title)
    await panel(page).getByRole("link", { name: "Choose a tax code in line 1." }).click()
    await page.getByRole("heading", { level: 1, name: "Tax codes" }).waitFor()
    await api.create("/tax-codes", { code: "S19", name: "Standard", category: "S", rate: 19 })
    await open(path)
    await followMissing(page, "Choose a tax code in line 1.", "items.0.taxCode")
    await page.locator(":focus").selectOption({ label: "19 % · S19" })
    await button(page, "Save draft").click()
    await panel(page).getByText("Valid e-invoice (EN 16931)").waitFor()
    // XRechnung is for customers with a reference, which is not asked for again.
    expect(await panel(page).getByText("XRechnung").count()).toBe(0)
    await api.put(`/customers/${customer.id}`, { buyerReference: "04011000-12345-34" })
    await panel(page)
      .getByRole("button", { name: /^XRechnung: \d entries missing$/ })
      .waitFor()
    expect(await panel(page).getByText("Enter the buyer reference.").count()).toBe(0)

    await button(page, "Issue invoice").click()
    await page.getByRole("dialog").getByRole("button", { name: "Issue invoice" }).click()
    const xml = await downloadBy(page, () => chooseFile(page, "CII"))
    expect(xml.suggestedFilename()).toMatch(/^INV-.*\.xml$/)
    expect(new TextDecoder().decode(await bytesOf(xml))).toContain("04011000-12345-34")
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("comes before a new invoice is issued, which is a draft by then", async () => {
    const customer = await shop.customer({ name: "Direkt" })
    const item = await shop.item({ itemName: "Lampe", itemType: "Service", sellingPrice: 5 })
    const page = await open("/invoices/new")
    await button(page, "Issue invoice").click()
    await page.getByLabel("Customer").and(page.locator("[aria-invalid=true]")).waitFor()
    await open(`/invoices/new?customer=${customer.id}`)
    await page.getByLabel("Item, line 1").fill("Lampe")
    await page.getByRole("option", { name: item.itemCode }).click()
    await button(page, "Issue invoice").click()
    const question = page.getByRole("dialog", { name: "Issue this invoice?" })
    await question.getByText("Enter the country of the customer.").waitFor()
    const [draft] = (await api.get(`/invoices?customer=${customer.id}`)).body.data
    expect(draft.status).toBe("draft")
    await question.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("heading", { level: 1, name: "Draft for Direkt" }).waitFor()
    await panel(page).getByRole("link", { name: "Enter the country of the customer." }).waitFor()
    await api.put(`/customers/${customer.id}`, { address: { country: "DE" } })

    await open(`/invoices/new?customer=${customer.id}`)
    await page.getByLabel("Item, line 1").fill("Lampe")
    await page.getByRole("option", { name: item.itemCode }).click()
    await button(page, "Issue invoice").click()
    await question.getByText("gets its number").waitFor()
    await question.getByRole("button", { name: "Issue invoice" }).click()
    await page.getByText(/^Invoice INV-.* was issued\.$/).waitFor()
    await page.getByRole("heading", { level: 1, name: /^INV-/ }).waitFor()
    page.assertQuiet()
  })

  test("advises to credit an invoice only if it is no e-invoice at all, and only until it is credited", async () => {
    await api.put("/settings", { legalName: "N GmbH", vatId: "DE123456789", address: { country: "DE" } })
    const { id: taxCode } = await api.create("/tax-codes", { code: "S7", name: "S7", category: "S", rate: 7 })
    const customer = await shop.customer({ address: { country: "DE" } })
    const items = [{ description: "Rat", quantity: 1, rate: 10, taxCode }]
    const valid = await shop.invoice({ customer: customer.id, items })
    const page = await open(`/invoices/${valid.id}`)
    await panel(page).getByText("Valid e-invoice (EN 16931)").waitFor()
    expect(await panel(page).getByText("XRechnung").count()).toBe(0)
    expect(await panel(page).getByText("credit this invoice").count()).toBe(0)

    const invalid = await shop.invoice({ customer: (await shop.customer()).id, items })
    await open(`/invoices/${invalid.id}`)
    await panel(page).getByText("credit this invoice").waitFor()
    await api.create(`/invoices/${invalid.id}/credit-notes`, { reason: "Issued again" })
    await open(`/invoices/${invalid.id}`)
    await panel(page)
      .getByText(/^No e-invoice: \d entr/)
      .waitFor()
    expect(await panel(page).getByText("credit this invoice").count()).toBe(0)
    page.assertQuiet()
  })

  test("shows on the company page only what the country of the company needs", async () => {
    await api.put("/settings", { address: { country: "CH" }, iban: "DE89370400440532013000" })
    const page = await open("/settings/company")
    const section = page.locator("form")
    const choose = async (country: string) => {
      await page.getByRole("combobox", { name: "Country" }).fill(country)
      await page.getByRole("option", { name: country, exact: true }).click()
      await section.getByText(`In ${country}`, { exact: true }).waitFor()
    }
    const xrechnung = section.getByText("In addition for XRechnung")
    await section.getByText("with a QR bill if the currency is CHF").waitFor()
    await section.getByRole("link", { name: "Enter the street of the company." }).click()
    await page.locator("[data-path='address.street']:focus").waitFor()
    await page.keyboard.type("Seeweg 1")
    await section
      .getByRole("link", { name: "Enter the street of the company." })
      .waitFor({ state: "detached" })
    await section.getByRole("link", { name: "begins with CH or LI" }).click()
    await page.locator("[data-path=iban]:focus").waitFor()
    expect(await xrechnung.count()).toBe(0)
    await choose("Belgium")
    await section.getByText("Your Peppol provider adds the addresses").waitFor()
    await choose("France")
    await section.getByText("Large and mid-size businesses must issue").waitFor()
    await section.getByText("Between businesses: the PDF, which contains the e-invoice").waitFor()
    expect(await xrechnung.count()).toBe(0)
    await choose("Germany")
    await xrechnung.waitFor()
    page.assertQuiet()
  })

  test("says of an issued invoice that it no longer changes, in German", async () => {
    const { id } = await shop.invoice()
    const page = await open(`/invoices/${id}`, { locale: "de-DE" })
    await panel(page).getByText("Eine ausgestellte Rechnung ändert sich nicht mehr.").waitFor()
    await button(page, "Weitere Dateien").click()
    await page.getByRole("menuitem", { name: "Französisch" }).waitFor()
    const { faults, inspect } = inspector(page)
    await inspect("invoice", "[aria-label=E-Rechnung], [role=menu]")
    await page.keyboard.press("Escape")
    await follow(page, "/settings/company", "Firma")
    await inspect("company", "h1")
    expect(faults).toEqual({})
    page.assertQuiet()
  })
})
