import { afterAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { browserPath, closeBrowser, closePages } from "../support/browser"
import { cleanUp, serve } from "../support/kontor"
import { isLong } from "../support/long"
import { chooseMore, countryIn, enter, pick, runsOf, signInBy, type Person } from "../support/person"
import { trade } from "../support/trade"
import { fileOf } from "../support/wizard"

describe.skipIf(browserPath === null)("the goods of a shop's week", () => {
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })

  test.each(runsOf({ isLong }))(
    "go from the set-up to a change of prices that is taken back, in $locale $name",
    async (run) => {
      const kontor = await serve()
      const shop = { ...(await enter(kontor, run)), ...(await behind(kontor)) }
      await signInBy(shop)
      await setUpInTwoGoes(shop)
      await importAndUndo(shop)
      await receiveByScan(shop)
      await countByScan(shop)
      await keepView(shop)
      await changePrices(shop)
      await deleteAndTakeBack(shop)
      await shop.inspect("main")
      shop.page.assertQuiet()
      await closePages()
      await kontor.stop()
    },
  )
})

/** What is set up and looked at over the API, because the job is not about it. */
async function behind(kontor: { url: string }) {
  const api = await signIn(kontor)
  return { api, records: trade(api), stockOf: stockOf(api) }
}

const stockOf = (api: Api) => async (code: string) =>
  (await api.get(`/items/by/itemCode/${code}`)).body.data.currentStock

type Shop = Person & Awaited<ReturnType<typeof behind>>

const step = ({ page }: Shop, name: string) => page.getByRole("heading", { level: 2, name }).waitFor()

/** The set-up is left after its first step, and resumed from the dashboard. */
async function setUpInTwoGoes(shop: Shop) {
  const { api, page, t, heading, field, click, type, press, see } = shop
  const goOn = () => click(t(($) => $.setUp.saveAndGoOn))
  await page.getByRole("link", { name: t(($) => $.dashboard.addCompany) }).click()
  await step(
    shop,
    t(($) => $.setUp.heading.company),
  )
  await field(t(($) => $.company.name)).click()
  await type("Krug & Tassen")
  await field(t(($) => $.fields.street)).click()
  await type("Kai 1")
  await press("Tab")
  await type("20457")
  await press("Tab")
  await type("Hamburg")
  await page.getByRole("combobox", { name: t(($) => $.fields.country) }).click()
  await pick(shop, countryIn(shop, "DE").slice(0, 5), countryIn(shop, "DE"))
  await page.locator("input[type=hidden][value=EUR]").waitFor({ state: "attached" })
  await goOn()
  await step(
    shop,
    t(($) => $.setUp.heading.taxes),
  )
  await page.getByRole("link", { name: t(($) => $.setUp.later) }).click()
  await heading(t(($) => $.menu.dashboard))
  await page
    .getByRole("link", {
      name: t(($) => $.dashboard.goOnWithSetUp, { step: t(($) => $.values.setUpStep.taxes) }),
    })
    .click()
  await page.getByRole("checkbox", { name: /^DE19/, checked: true }).waitFor()
  for (const next of ["numbers", "documents", "logo"] as const) {
    await goOn()
    await step(
      shop,
      t(($) => $.setUp.heading[next]),
    )
  }
  await click(t(($) => $.setUp.finish))
  await see(t(($) => $.dashboard.stepsDone, { done: "1", steps: "5" }))
  expect((await api.get("/settings")).body.data).toMatchObject({
    companyName: "Krug & Tassen",
    address: { street: "Kai 1", zipCode: "20457", city: "Hamburg", country: "DE" },
    currency: "EUR",
    setUpStep: null,
    defaultTaxCode: expect.any(String),
  })
}

/** A price list of a supplier: a title above the headings, signs, prices with tax, a sum at the end. */
const priceList = [
  "Preisliste Hafen & Söhne",
  "",
  "Art.-Nr.;Bezeichnung;VK brutto;EK;MwSt;Regal",
  "PL-1;Lampe;1.190,00 €;500,00 €;19 %;A1",
  "PL-2;Buch;10,70 €;5,- €;7 %;B2",
  "Summe;;1.200,70 €;505,00 €;;",
  "",
].join("\r\n")

/** A price list is imported as it is, and the import is taken back. */
async function importAndUndo(shop: Shop) {
  const { api, page, t, main, dialog, click, see, goTo, fits } = shop
  const items = async () => (await api.get("/items?sort=itemCode&order=asc")).body.data
  await goTo(t(($) => $.kinds.items.title))
  await main.getByRole("link", { name: t(($) => $.parts.importFile), exact: true }).click()
  await page.locator("input[type=file]").setInputFiles(fileOf("preise.csv", priceList))
  await step(
    shop,
    t(($) => $.imports.columnsTitle, { name: "preise.csv" }),
  )
  expect(await page.getByLabel(t(($) => $.imports.headingRow)).inputValue()).toBe("3")
  await see(t(($) => $.imports.converted.gross))
  await fits()
  await click(t(($) => $.imports.checkRows))
  await see(t(($) => $.imports.valid_other, { shown: "2" }))
  await page.getByLabel(t(($) => $.imports.skipTotals)).waitFor()
  await click(t(($) => $.imports.start_other, { shown: "2" }))
  await step(
    shop,
    t(($) => $.imports.done),
  )
  expect(await items()).toMatchObject([
    { itemCode: "PL-1", sellingPrice: 1000, costPrice: 500, taxRate: 19 },
    { itemCode: "PL-2", sellingPrice: 10, costPrice: 5, taxRate: 7 },
  ])
  await click(t(($) => $.undoImport.action))
  await dialog.getByRole("button", { name: t(($) => $.undoImport.action) }).click()
  await see(t(($) => $.undoImport.done))
  await see(t(($) => $.imports.status.undone))
  expect(await items()).toEqual([])
}

const barcode = "4006381333931"

/** Goods are received: a barcode, a quantity, a code, a quantity. */
async function receiveByScan(shop: Shop) {
  const { records, page, t, dialog, isFocused, click, scan, type, see, goTo, stockOf } = shop
  await records.item({ itemCode: "LE-1299", itemName: "Zinc lamp", barcode, category: "Lamps" })
  await records.item({ itemCode: "LE-129", itemName: "Brass lamp", category: "Lamps" })
  await records.item({ itemCode: "ST-1", itemName: "Zinc chair", category: "Seats" })
  await goTo(t(($) => $.stock.title))
  await click(t(($) => $.stock.receive))
  const input = (name: string) => dialog.getByLabel(name).and(page.locator(":focus")).waitFor()
  await input(t(($) => $.fields.item))
  await scan(barcode)
  await input(t(($) => $.fields.quantity))
  // The next item is scanned too early.
  await scan(barcode)
  await see(t(($) => $.problems.notAQuantity))
  await scan("5")
  await input(t(($) => $.stock.itemInLine, { line: 2 }))
  await scan("LE-129")
  await isFocused(t(($) => $.stock.quantityInLine, { line: 2 }))
  await type("3")
  await dialog.getByRole("button", { name: t(($) => $.common.save) }).click()
  await see(t(($) => $.stock.receiptsSaved_other, { shown: "2" }))
  await dialog.waitFor({ state: "detached" })
  expect([await stockOf("LE-1299"), await stockOf("LE-129")]).toEqual([5, 3])
}

/** The stock is counted with the scanner. */
async function countByScan({ page, t, main, isFocused, click, scan, see, stockOf, fits }: Shop) {
  const counted = (name: string, quantity: string) =>
    page
      .getByRole("status")
      .getByText(new RegExp(`^${name}: ${quantity} `))
      .waitFor()
  await main.getByRole("link", { name: t(($) => $.stockCount.title) }).click()
  await isFocused(t(($) => $.stockCount.code))
  await scan(barcode)
  await isFocused(t(($) => $.fields.quantity))
  await scan("4")
  await counted("Zinc lamp", "4")
  await isFocused(t(($) => $.stockCount.code))
  await scan("LE-129")
  await isFocused(t(($) => $.fields.quantity))
  await scan("3")
  await counted("Brass lamp", "3")
  await isFocused(t(($) => $.stockCount.code))
  await scan("4012345678901")
  await see(t(($) => $.stockCount.unknown, { code: "4012345678901" }))
  await fits()
  await click(t(($) => $.stock.saveCount))
  await see(t(($) => $.stockCount.saved))
  expect([await stockOf("LE-1299"), await stockOf("LE-129")]).toEqual([4, 3])
}

/** The lamps are filtered by a value with its count, and the filter is kept as a view. */
async function keepView(shop: Shop) {
  const { page, t, main, dialog, focused, type, press, see, goTo, isPhone, fits } = shop
  const shown = (count: string, total: string) => see(t(($) => $.lists.shownOf, { shown: count, total }))
  await goTo(t(($) => $.kinds.items.title))
  await shown("3", "3")
  if (isPhone) await main.getByRole("button", { name: t(($) => $.lists.filters) }).click()
  await (isPhone ? dialog : main).getByPlaceholder(t(($) => $.fields.category)).click()
  await page.getByRole("option", { name: "Seats 1" }).waitFor()
  await type("lam")
  await page.getByRole("option", { name: "Lamps 2" }).click()
  await press("Escape")
  if (isPhone) await dialog.getByRole("button", { name: t(($) => $.lists.showResults) }).click()
  await shown("2", "2")
  const views = (name: string) => main.getByRole("button", { name, exact: true })
  await views(t(($) => $.lists.views)).click()
  await page.getByRole("menuitem", { name: t(($) => $.lists.saveThisView) }).click()
  await dialog
    .getByLabel(t(($) => $.common.name))
    .and(focused)
    .waitFor()
  await type("Leuchten")
  await press("Enter")
  await views("Leuchten").waitFor()
  await fits()
  await goTo(t(($) => $.menu.dashboard))
  await goTo(t(($) => $.kinds.items.title))
  await shown("3", "3")
  await views(t(($) => $.lists.views)).click()
  await page.getByRole("menuitem", { name: "Leuchten", exact: true }).click()
  await shown("2", "2")
}

/** The prices of the lamps are raised, and that is taken back. */
async function changePrices({ api, page, t, dialog, click, type, see, euros, fits }: Shop) {
  for (const name of ["Brass lamp", "Zinc lamp"])
    await page
      .getByLabel(
        t(($) => $.lists.selectOne, { name }),
        { exact: true },
      )
      .check()
  await click(t(($) => $.items.bulk.menu))
  await page.getByRole("menuitem", { name: t(($) => $.items.bulk.price) }).click()
  await dialog
    .getByLabel(
      t(($) => $.items.bulk.value),
      { exact: true },
    )
    .click()
  await type("5")
  await see(euros("10.50"), dialog)
  await fits()
  await dialog
    .getByRole("button", { name: t(($) => $.items.bulk.changePrices_other, { shown: "2" }) })
    .click()
  await see(
    t(($) => $.items.bulk.updated_other, { shown: "2" }),
    dialog,
  )
  const prices = async () =>
    (await api.get("/items?category=Lamps")).body.data.map(
      (item: { sellingPrice: number }) => item.sellingPrice,
    )
  expect(await prices()).toEqual([10.5, 10.5])
  await dialog.getByRole("button", { name: t(($) => $.lists.undo) }).click()
  await dialog.waitFor({ state: "detached" })
  const bar = page.getByRole("region", { name: t(($) => $.items.bulk.priceTitle) })
  await see(
    t(($) => $.items.bulk.takenBack_other, { shown: "2" }),
    bar,
  )
  expect(await prices()).toEqual([10, 10])
  await bar.getByRole("button", { name: t(($) => $.items.bulk.dismiss) }).click()
  await bar.waitFor({ state: "detached" })
}

/** An item is deleted by mistake, and comes back. */
async function deleteAndTakeBack(shop: Shop) {
  const { api, page, t, main, dialog, heading, see, goTo } = shop
  await goTo(t(($) => $.kinds.items.title))
  const link = main.getByRole("link", { name: "Zinc chair" }).or(main.getByRole("link", { name: "ST-1" }))
  await link.first().click()
  await heading("Zinc chair")
  await chooseMore(
    shop,
    t(($) => $.common.delete),
  )
  await dialog.getByRole("button", { name: t(($) => $.common.delete) }).click()
  await page.getByText(t(($) => $.parts.deleted, { name: "Zinc chair" })).waitFor()
  await heading(t(($) => $.kinds.items.title))
  await see(t(($) => $.lists.shownOf, { shown: "2", total: "2" }))
  await page.getByRole("button", { name: t(($) => $.lists.undo) }).click()
  await link.first().waitFor()
  expect((await api.get("/items/by/itemCode/ST-1")).status).toBe(200)
}
