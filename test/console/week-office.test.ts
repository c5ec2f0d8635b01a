import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import { unzipSync } from "fflate"
import { readXlsx } from "hucre/xlsx"
import { join } from "node:path"
import { apiWith, signIn } from "../support/api"
import { browserPath, closeBrowser, closePages } from "../support/browser"
import { buyer, fillCompany } from "../support/downloads"
import { cleanUp, emptyFolder, serve } from "../support/kontor"
import { isLong } from "../support/long"
import { chooseMore, enter, runsOf, signInBy, type Person } from "../support/person"
import { trade } from "../support/trade"

describe.skipIf(browserPath === null)("the office of a shop's week", () => {
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })

  test.each(runsOf({ isLong }))(
    "goes from a cancelled invoice to a new user who signs out, in $locale $name",
    async (run) => {
      const kontor = await serve()
      const shop = { ...(await enter(kontor, run)), ...(await invoiced(kontor)) }
      await signInBy(shop)
      await cancelInvoice(shop)
      await exportOpen(shop)
      await saveEInvoice(shop)
      await connectProgram(shop)
      await saveBackup(shop)
      await saveEverything(shop)
      const seller = await addSeller(shop)
      await signOut(shop, "admin")
      await workAsSeller(shop, seller)
      await signOut(shop, seller.name)
      shop.page.assertQuiet()
      await closePages()
      await kontor.stop()
    },
  )
})

/** A German shop with three issued invoices, one of which is paid. It corrects by credit notes. */
async function invoiced(kontor: { url: string }) {
  const api = await signIn(kontor)
  const records = trade(api)
  await fillCompany(api, { correctBy: "credit-note" })
  const customer = await records.customer(buyer)
  const issue = (rate: number) =>
    api.create("/invoices", {
      customer: customer.id,
      items: [{ description: "Montage", quantity: 1, rate }],
      status: "unpaid",
    })
  const invoices = [await issue(100), await issue(200), await issue(300), await issue(400)] as const
  await records.pay(invoices[3].id, invoices[3].total)
  return { api, records, invoices }
}

type Shop = Person & Awaited<ReturnType<typeof invoiced>>

/** Saves a file by a click, and returns its name and its path. */
async function savedBy({ page }: Shop, click: () => Promise<void>) {
  const saved = page.waitForEvent("download")
  await click()
  const download = await saved
  const name = download.suggestedFilename()
  const path = join(emptyFolder(), name)
  await download.saveAs(path)
  return { name, path, file: Bun.file(path) }
}

/** An invoice was a mistake: it is cancelled with a reason, which makes a credit note. */
async function cancelInvoice(shop: Shop) {
  const { api, page, t, main, dialog, heading, type, see, goTo, inspect, records } = shop
  const { id, invoiceNumber: number, total } = shop.invoices[0]
  await goTo(t(($) => $.kinds.invoices.title))
  await main.getByRole("link", { name: number, exact: true }).click()
  await heading(number)
  await chooseMore(
    shop,
    t(($) => $.invoices.cancel),
  )
  // The invoice has no order that could be invoiced again.
  await see(`${t(($) => $.invoices.cancelCredits)} ${t(($) => $.invoices.cancelReturns)}`, dialog)
  await dialog
    .getByLabel(t(($) => $.fields.reason))
    .and(page.locator(":focus"))
    .waitFor()
  await type("Doppelt berechnet")
  await inspect("[role=dialog]")
  await dialog.getByRole("button", { name: t(($) => $.invoices.cancel) }).click()
  await see(t(($) => $.documents.wasCancelled, { number }))
  await see("Doppelt berechnet", main)
  await main.getByRole("link", { name: /^CN-\d{4}-00001$/ }).waitFor()
  expect(await records.get("invoices", id)).toMatchObject({
    status: "cancelled",
    cancelReason: "Doppelt berechnet",
    balance: 0,
  })
  expect((await api.get(`/credit-notes?invoice=${id}`)).body.data).toMatchObject([
    { total, reason: "Doppelt berechnet" },
  ])
}

/** The open invoices are exported for a spreadsheet, which has just what the list shows. */
async function exportOpen(shop: Shop) {
  const { page, t, main, dialog, press, see, goTo, isPhone, invoices } = shop
  const unpaid = t(($) => $.values.status.unpaid ?? "")
  await goTo(t(($) => $.kinds.invoices.title))
  await see(
    t(($) => $.values.status.cancelled ?? ""),
    main,
  )
  if (isPhone) await main.getByRole("button", { name: t(($) => $.lists.filters) }).click()
  await (isPhone ? dialog : main).getByPlaceholder(t(($) => $.common.status)).click()
  await page.getByRole("option", { name: `${unpaid} 2`, exact: true }).click()
  await press("Escape")
  if (isPhone) await dialog.getByRole("button", { name: t(($) => $.lists.showResults) }).click()
  await see(t(($) => $.lists.shownOf, { shown: "2", total: "2" }))
  const shown = await main.getByRole("link", { name: /^INV-/ }).allTextContents()
  const { file } = await savedBy(shop, async () => {
    await main.getByRole("button", { name: t(($) => $.lists.exportAll) }).click()
    await page.getByRole("menuitem", { name: t(($) => $.lists.format.xlsx), exact: true }).click()
  })
  const [titles = [], ...rows] = (await readXlsx(await file.bytes())).sheets[0]?.rows ?? []
  const column = (title: string) => rows.map((row) => row[titles.indexOf(title)])
  expect(column(t(($) => $.fields.invoiceNumber))).toEqual(shown)
  expect(shown.toSorted()).toEqual([invoices[1].invoiceNumber, invoices[2].invoiceNumber])
  expect(column(t(($) => $.fields.total)).toSorted()).toEqual([invoices[1].total, invoices[2].total])
}

/** The e-invoice of an invoice in the list is saved. */
async function saveEInvoice(shop: Shop) {
  const { page, t, main, heading, see } = shop
  const { invoiceNumber: number } = shop.invoices[1]
  await main.getByRole("link", { name: number, exact: true }).click()
  await heading(number)
  const { name, file } = await savedBy(shop, async () => {
    await main.getByRole("button", { name: t(($) => $.paper.otherFiles) }).click()
    await see(t(($) => $.paper.eInvoices))
    await page.getByRole("menuitem", { name: "CII", exact: true }).click()
  })
  expect(name).toEndWith(".xml")
  const xml = await file.text()
  expect(xml).toStartWith("<?xml")
  expect(xml).toContain(`<ram:ID>${number}</ram:ID>`)
}

/** A program gets a key that can only read. The key is shown once, and works until it is revoked. */
async function connectProgram(shop: Shop) {
  const { kontor, page, t, main, dialog, type, see, goTo, inspect } = shop
  await goTo(t(($) => $.kinds["api-keys"].title))
  await main
    .getByRole("button", { name: t(($) => $.apiKeys.new) })
    .first()
    .click()
  await dialog
    .getByLabel(t(($) => $.common.name))
    .and(page.locator(":focus"))
    .waitFor()
  await type("Regaletiketten")
  await dialog.getByRole("button", { name: t(($) => $.apiKeys.create) }).click()
  const key = dialog.getByLabel(
    t(($) => $.apiKeys.key),
    { exact: true },
  )
  await key.waitFor()
  await inspect("[role=dialog]")
  const program = apiWith(kontor, { "x-api-key": await key.inputValue() })
  await dialog.getByRole("button", { name: t(($) => $.apiKeys.keyStored) }).click()
  await key.waitFor({ state: "detached" })
  const read = async () => (await program.get("/items")).status
  const write = async () => (await program.post("/items", { itemCode: "A-1", itemName: "Etikett" })).status
  expect([await read(), await write()]).toEqual([200, 403])
  await main.getByRole("button", { name: "Regaletiketten", exact: true }).click()
  await dialog.getByRole("button", { name: t(($) => $.apiKeys.revoke) }).click()
  const question = page.getByRole("dialog", {
    name: t(($) => $.apiKeys.confirmRevoke, { name: "Regaletiketten" }),
  })
  await question.getByRole("button", { name: t(($) => $.apiKeys.revoke) }).click()
  await see(t(($) => $.apiKeys.revoked, { name: "Regaletiketten" }))
  expect(await read()).toBe(401)
}

/** A backup is saved, which is a whole database. */
async function saveBackup(shop: Shop) {
  const { t, click, goTo, inspect } = shop
  await goTo(t(($) => $.menu.backups))
  await inspect("main")
  const { file, path } = await savedBy(shop, () => click(t(($) => $.backups.download)))
  expect(await file.slice(0, 15).text()).toBe("SQLite format 3")
  const copy = new Database(path, { readonly: true })
  expect(copy.query("SELECT status FROM invoices ORDER BY invoice_number").values().flat()).toEqual([
    "cancelled",
    "unpaid",
    "unpaid",
    "paid",
  ])
  copy.close()
}

/** All data is saved as files that other programs read. */
async function saveEverything(shop: Shop) {
  const { t, click } = shop
  const { file } = await savedBy(shop, () => click(t(($) => $.backups.exportAll)))
  const files = unzipSync(await file.bytes())
  expect(Object.keys(files)).toContainValues(["customers.ndjson", "invoices.ndjson", "credit-notes.ndjson"])
  expect(new TextDecoder().decode(files["customers.ndjson"])).toContain(buyer.name)
}

/** Somebody who sells gets an account with a password that is made for them. */
async function addSeller(shop: Shop) {
  const { page, t, main, dialog, type, press, see, goTo, inspect } = shop
  const seller = { name: "Lena", email: "lena@example.com" }
  const role = t(($) => $.values.role.sales)
  await goTo(t(($) => $.kinds.users.title))
  await main.getByRole("button", { name: t(($) => $.users.new) }).click()
  await dialog
    .getByLabel(t(($) => $.common.email))
    .and(page.locator(":focus"))
    .waitFor()
  await type(seller.email)
  await press("Tab")
  await type(seller.name)
  await dialog.getByRole("combobox", { name: t(($) => $.users.role) }).click()
  await page.getByRole("option", { name: new RegExp(`^${role} `) }).click()
  await dialog.getByRole("button", { name: t(($) => $.users.generate) }).click()
  await dialog.getByRole("button", { name: t(($) => $.users.create) }).click()
  await see(t(($) => $.users.detailsFor, { name: seller.name }))
  await inspect("[role=dialog]")
  const password = await dialog
    .getByLabel(
      t(($) => $.common.password),
      { exact: true },
    )
    .inputValue()
  await dialog.getByRole("button", { name: t(($) => $.users.passwordShared) }).click()
  await dialog.waitFor({ state: "detached" })
  await see(role, main)
  return { ...seller, password }
}

/** The seller signs in with this password, and sees only what is for them. */
async function workAsSeller(shop: Shop, seller: { email: string; password: string }) {
  const { kontor, page, t, see, isPhone } = shop
  await signInBy(shop, seller)
  if (isPhone) await page.getByRole("button", { name: t(($) => $.shell.toggleMenu) }).click()
  const menu = page.getByRole("navigation")
  const entry = (name: string) => menu.getByRole("link", { name, exact: true })
  await entry(t(($) => $.menu.account)).waitFor()
  for (const name of [t(($) => $.kinds.users.title), t(($) => $.menu.backups), t(($) => $.menu.mail)])
    expect(await entry(name).count()).toBe(0)
  await page.goto(`${kontor.url}/console/settings/users`)
  await see(t(($) => $.parts.adminOnly))
}

/** Signs out, after which only the form to sign in is shown. */
async function signOut({ page, t, heading }: Shop, name: string) {
  await page.getByRole("button", { name: t(($) => $.shell.signedInAs, { name }) }).click()
  await page.getByRole("menuitem", { name: t(($) => $.account.signOut) }).click()
  await heading(t(($) => $.account.signIn))
}
