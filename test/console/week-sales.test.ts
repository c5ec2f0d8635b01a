import { afterAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { browserPath, closeBrowser, closePages, newPage } from "../support/browser"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"
import {
  chooseMore,
  countryIn,
  enter,
  holds,
  inputOf,
  pick,
  runsOf,
  signInBy,
  sumOf,
  type Person,
} from "../support/person"
import { trade } from "../support/trade"

describe.skipIf(browserPath === null)("the sales of a shop's week", () => {
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })

  test.each(runsOf({ isLong }))(
    "go from a scanned order to a figure that its list adds up, in $locale $name",
    async (run) => {
      const kontor = await serve()
      const shop = { ...(await enter(kontor, run)), ...(await stocked(kontor)) }
      await signInBy(shop)
      await takeScannedOrder(shop)
      await reviseOrder(shop)
      await addCustomerAbroad(shop)
      await issueAfterCheck(shop)
      await correctPart(shop)
      await writeOffRest(shop)
      await mergeDuplicate(shop)
      await openFigure(shop)
      await remindLate(shop)
      await invoiceEachMonth(shop)
      await saveStatement(shop)
      await offerAndOrder(shop)
      await askDeposit(shop)
      await shop.inspect("main")
      shop.page.assertQuiet()
      await closePages()
      await kontor.stop()
    },
  )
})

const barcode = "4006381333931"
const home = { street: "Kai 1", zipCode: "20457", city: "Hamburg", country: "DE" }

/** A German shop with two items and a customer, which the jobs are not about. */
async function stocked(kontor: { url: string }) {
  const api = await signIn(kontor)
  const records = trade(api)
  const settings = { legalName: "Nordlicht GmbH", address: home, vatId: "DE136695976", currency: "EUR" }
  expect(await api.put("/settings", settings)).toMatchObject({ status: 200 })
  const taxed = { taxRate: 19, sellingPrice: 100 }
  const lamp = await records.item({ itemCode: "LE-1299", itemName: "Zinc lamp", barcode, ...taxed })
  await records.item({ itemCode: "LE-129", itemName: "Brass lamp", ...taxed })
  const customer = await records.customer({ name: "Café Elbe", address: home })
  return { api, records, lamp, customer }
}

type Shop = Person & Awaited<ReturnType<typeof stocked>>

/**
 * An order is typed with the scanner alone: the customer's number, a barcode, a code. The customer, who often comes, gets
 * something off the whole.
 */
async function takeScannedOrder(shop: Shop) {
  const { api, page, t, main, heading, focused, click, scan, type, customer, goTo, see, euros } = shop
  await goTo(t(($) => $.kinds["sales-orders"].title))
  await main
    .getByRole("link", { name: t(($) => $.orders.new) })
    .first()
    .click()
  await page
    .getByLabel(t(($) => $.fields.customer))
    .and(focused)
    .waitFor()
  await scan(customer.customerNumber)
  await holds(shop, "Café Elbe")
  await inputOf(shop, 1, "item").click()
  await scan(barcode)
  await inputOf(shop, 1, "quantity").and(focused).waitFor()
  await scan("2")
  await inputOf(shop, 2, "item").and(focused).waitFor()
  await scan("LE-129")
  await inputOf(shop, 2, "quantity").and(focused).waitFor()
  await type("1")
  await click(t(($) => $.documents.wholeAsAmount))
  await main.getByLabel(t(($) => $.documents.wholeDiscountAmount)).click()
  await type("30")
  await see(euros("321.30"))
  await click(t(($) => $.orders.saveAndSubmit))
  await heading(/^SO-\d{4}-00001$/)
  const [{ id }] = (await api.get(`/sales-orders?customer=${customer.id}`)).body.data
  expect(await shop.records.get("sales-orders", id)).toMatchObject({
    total: 321.3,
    discountAmount: 30,
    items: [
      { itemName: "Zinc lamp", quantity: 2 },
      { itemName: "Brass lamp", quantity: 1 },
    ],
  })
}

/** The customer wants one more of the second item after the order was submitted. */
async function reviseOrder(shop: Shop) {
  const { api, t, main, click, see, euros, type, customer, inspect } = shop
  await chooseMore(
    shop,
    t(($) => $.orders.edit),
  )
  await inputOf(shop, 2, "quantity").click()
  await type("2")
  await inspect("main")
  await see(euros("440.30"))
  await click(t(($) => $.orders.saveRevision))
  await main.getByRole("button", { name: t(($) => $.orders.saveRevision) }).waitFor({ state: "detached" })
  const [{ revision, total }] = (await api.get(`/sales-orders?customer=${customer.id}`)).body.data
  expect([revision, total]).toEqual([2, 440.3])
}

/** A customer in France gets the treatment that is proposed. */
async function addCustomerAbroad(shop: Shop) {
  const { api, page, t, main, heading, field, focused, click, type, goTo, fits } = shop
  const treatment = t(($) => $.values.taxTreatment["intra-community"])
  await goTo(t(($) => $.kinds.customers.title))
  await main
    .getByRole("link", { name: t(($) => $.customers.new) })
    .first()
    .click()
  await field(t(($) => $.common.name))
    .and(focused)
    .waitFor()
  await type("Lumière")
  await page.getByRole("combobox", { name: t(($) => $.fields.country) }).click()
  await pick(shop, countryIn(shop, "FR").slice(0, 5), countryIn(shop, "FR"))
  await field(t(($) => $.common.taxId)).click()
  await type("FR40303265045")
  await fits()
  await click(t(($) => $.pickers.takeTreatment, { treatment }))
  await click(t(($) => $.customers.create))
  await heading("Lumière")
  const [made] = (await api.get("/customers?name=Lumière")).body.data
  expect(made).toMatchObject({
    taxTreatment: "intra-community",
    taxId: "FR40303265045",
    address: { country: "FR" },
  })
}

/** Before an invoice gets its number a dialog tells what is missing, which is filled in first. */
async function issueAfterCheck(shop: Shop) {
  const { page, t, main, dialog, heading, focused, click, scan, type, press, see, goTo, inspect } = shop
  const check = page.getByRole("dialog", { name: t(($) => $.invoices.confirmIssue) })
  const draft = t(($) => $.invoices.draftFor, { customer: "Lumière" })
  const address = check.getByRole("link", { name: t(($) => $.invoices.beforeIssue.addAddress) })
  await goTo(t(($) => $.kinds.invoices.title))
  await main
    .getByRole("link", { name: t(($) => $.invoices.new) })
    .first()
    .click()
  await page
    .getByLabel(t(($) => $.fields.customer))
    .and(focused)
    .waitFor()
  await pick(shop, "lumi", /Lumière/)
  await inputOf(shop, 1, "item").click()
  await scan(barcode)
  await inputOf(shop, 1, "quantity").and(focused).waitFor()
  await type("3")
  await click(t(($) => $.documents.saveDraft))
  await heading(draft)
  await click(t(($) => $.invoices.issue))
  await see(
    t(($) => $.invoices.beforeIssue.check),
    check,
  )
  await inspect("[role=dialog]")
  await address.click()
  await page.locator("[data-path='address.street']:focus").waitFor()
  await type("12 rue de la Paix")
  await press("Tab")
  await type("75002")
  await press("Tab")
  await type("Paris")
  await press("Control+s")
  await see(t(($) => $.common.saved, { name: "Lumière" }))
  await page.goBack()
  await heading(draft)
  await click(t(($) => $.invoices.issue))
  await see("12 rue de la Paix", check)
  await check.getByText(t(($) => $.values.taxTreatment["intra-community"])).waitFor()
  expect(await address.count()).toBe(0)
  await check.getByRole("button", { name: t(($) => $.invoices.issue) }).click()
  await heading(/^INV-\d{4}-00001$/)
  await dialog.waitFor({ state: "detached" })
}

/** Opens an invoice of the customer from the list. */
async function openInvoice({ t, main, heading, goTo }: Shop, { invoiceNumber }: { invoiceNumber: string }) {
  await goTo(t(($) => $.kinds.invoices.title))
  await main.getByRole("link", { name: invoiceNumber, exact: true }).click()
  await heading(invoiceNumber)
}

/** One of three lamps comes back, and the customer gets the money. */
async function correctPart(shop: Shop) {
  const { api, page, t, main, dialog, click, press, type, see, euros, customer, lamp, records, fits } = shop
  const invoice = await records.invoice({ customer: customer.id, items: [{ item: lamp.id, quantity: 3 }] })
  await records.pay(invoice.id, invoice.total)
  await openInvoice(shop, invoice)
  await click(t(($) => $.creditNotes.credit))
  await dialog
    .getByLabel(t(($) => $.fields.reason))
    .and(page.locator(":focus"))
    .waitFor()
  await type("Verkratzt")
  await dialog.getByLabel(t(($) => $.creditNotes.quantityOf, { item: "Zinc lamp" })).click()
  await press("Control+a")
  await type("1")
  await see(
    t(($) => $.creditNotes.outcome.kept, { kept: euros("119.00") }),
    dialog,
  )
  await fits()
  await dialog.getByRole("button", { name: t(($) => $.creditNotes.issue) }).click()
  await dialog.waitFor({ state: "detached" })
  const [{ id, creditNoteNumber }] = (await api.get(`/credit-notes?customer=${customer.id}`)).body.data
  await see(t(($) => $.creditNotes.wasIssued, { number: creditNoteNumber }))
  await main.getByRole("link", { name: creditNoteNumber }).first().click()
  await shop.heading(creditNoteNumber)
  await click(t(($) => $.creditNotes.refund))
  await dialog.getByRole("button", { name: t(($) => $.creditNotes.recordRefund) }).click()
  await see(t(($) => $.creditNotes.wasRefunded, { amount: euros("119.00") }))
  expect(await records.get("credit-notes", id)).toMatchObject({ total: 119, unapplied: 0 })
}

/** The bank has kept a part of a payment, so the rest is written off. */
async function writeOffRest(shop: Shop) {
  const { page, t, dialog, type, see, euros, customer, lamp, records } = shop
  const invoice = await records.invoice({ customer: customer.id, items: [{ item: lamp.id, quantity: 1 }] })
  await records.pay(invoice.id, 116.5)
  await openInvoice(shop, invoice)
  await chooseMore(
    shop,
    t(($) => $.invoices.writeOffRest),
  )
  await dialog
    .getByLabel(t(($) => $.fields.reason))
    .and(page.locator(":focus"))
    .waitFor()
  const reason = t(($) => $.invoices.writeOffReasons.charges)
  await type(reason.slice(0, 4))
  await page.getByRole("option", { name: reason }).click()
  await dialog.getByRole("button", { name: t(($) => $.invoices.writeOff) }).click()
  await see(t(($) => $.invoices.wasWrittenOff, { amount: euros("2.50") }))
  await see(t(($) => $.timeline.nothingLeft, { actor: "admin" }))
  expect(await records.get("invoices", invoice.id)).toMatchObject({ status: "paid", writtenOff: 2.5 })
}

/** A customer who is there already is seen before there are two, and two who are one are merged. */
async function mergeDuplicate(shop: Shop) {
  const { api, page, t, main, dialog, heading, field, focused, type, see, goTo, records, inspect } = shop
  const stays = await records.customer({ name: "Hansen GmbH", phone: "+49 4841 556677" })
  const goes = await records.customer({ name: "Hansen" })
  await goTo(t(($) => $.kinds["sales-orders"].title))
  await main
    .getByRole("link", { name: t(($) => $.orders.new) })
    .first()
    .click()
  const customer = page.getByLabel(t(($) => $.fields.customer))
  await customer.and(focused).waitFor()
  await type("Firma Hansen")
  await page.getByRole("option", { name: t(($) => $.pickers.create, { typed: "Firma Hansen" }) }).click()
  await dialog.getByLabel(t(($) => $.fields.phone)).click()
  await type("04841 556677")
  await see(
    t(($) => $.pickers.mayExist),
    dialog,
  )
  await inspect("[role=dialog]")
  await dialog
    .getByRole("button", { name: t(($) => $.pickers.useThisLabel, { name: "Hansen GmbH" }) })
    .click()
  await dialog.waitFor({ state: "detached" })
  await holds(shop, "Hansen GmbH")
  await page.goto(`${shop.kontor.url}/console/customers/${goes.id}`)
  await heading("Hansen")
  await chooseMore(
    shop,
    t(($) => $.customers.merge),
  )
  await dialog
    .getByRole("combobox", { name: t(($) => $.fields.customer) })
    .and(focused)
    .waitFor()
  await pick(shop, "Hansen G", /Hansen GmbH/)
  // The older one stays, until they are swapped.
  for (let i = 0; i < 2; i++) await dialog.getByRole("button", { name: t(($) => $.customers.swap) }).click()
  await inspect("[role=dialog]")
  await dialog.getByRole("button", { name: t(($) => $.customers.mergeNow), exact: true }).click()
  await heading("Hansen GmbH")
  expect((await api.get(`/customers/${goes.id}`)).body.data).toMatchObject({ mergedInto: stays.id })
  await field(t(($) => $.common.name)).waitFor()
}

/** A figure of the dashboard opens the list of what it adds up, with the same sum. */
async function openFigure(shop: Shop) {
  const { page, t, main, heading, see, goTo, isPhone, euros } = shop
  await goTo(t(($) => $.menu.dashboard))
  const figure = main.getByRole("link", { name: t(($) => $.dashboard.invoicedThisMonth) })
  // 3 lamps without tax, then 3 and 1 with it.
  await figure.getByText(euros("776.00"), { exact: true }).waitFor()
  await figure.click()
  await heading(t(($) => $.kinds.invoices.title))
  await see(t(($) => $.lists.shownOf, { shown: "3", total: "3" }))
  const total = t(($) => $.fields.total)
  const sum = isPhone ? sumOf(shop, total) : page.locator("tfoot tr")
  await sum.getByText(euros("776.00")).first().waitFor()
}

const daysFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** The dashboard says that a reminder is due, which is looked at and made. */
async function remindLate(shop: Shop) {
  const { api, page, t, main, dialog, customer, see, goTo, inspect } = shop
  const late = await api.create("/invoices", {
    customer: customer.id,
    items: [{ description: "Montage", quantity: 1, rate: 80 }],
    invoiceDate: daysFromNow(-40),
    dueDate: daysFromNow(-30),
    status: "unpaid",
  })
  await goTo(t(($) => $.menu.dashboard))
  await main.getByRole("link", { name: t(($) => $.dashboard.dueReminders) }).click()
  await main.getByRole("button", { name: t(($) => $.reminders.dueNow) }).click()
  await dialog.getByRole("link", { name: late.invoiceNumber }).waitFor()
  await dialog
    .getByRole("button", { name: t(($) => $.reminders.lookAt, { number: late.invoiceNumber }) })
    .click()
  const letter = dialog.getByRole("region", { name: t(($) => $.reminders.text) })
  await letter.getByText(late.invoiceNumber).first().waitFor()
  await inspect("[role=dialog]")
  await dialog.getByRole("button", { name: t(($) => $.reminders.create), exact: true }).click()
  await see(
    t(($) => $.reminders.made_one, { shown: "1" }),
    dialog,
  )
  await dialog
    .getByRole("button", { name: t(($) => $.common.close) })
    .last()
    .click()
  await dialog.waitFor({ state: "detached" })
  await main.getByRole("link", { name: /REM-\d{4}-00001/ }).click()
  await page.getByRole("heading", { level: 1, name: /^REM-\d{4}-00001$/ }).waitFor()
  expect((await api.get(`/reminders?invoice=${late.id}`)).body.data).toMatchObject([{ level: 1 }])
}

/** What is charged each month is written once; its first invoice makes itself. */
async function invoiceEachMonth(shop: Shop) {
  const { api, page, t, main, heading, click, focused, type, goTo, inspect, see } = shop
  await goTo(t(($) => $.kinds["recurring-invoices"].title))
  await main
    .getByRole("link", { name: t(($) => $.recurring.new) })
    .first()
    .click()
  await page
    .getByLabel(t(($) => $.fields.customer))
    .and(focused)
    .waitFor()
  await pick(shop, "elbe", /Café Elbe/)
  await inputOf(shop, 1, "item").click()
  await shop.scan(barcode)
  await inputOf(shop, 1, "quantity").and(focused).waitFor()
  await type("1")
  await main.getByRole("radio", { name: t(($) => $.values.recurringMode.issue), exact: true }).check()
  await see(t(($) => $.recurring.nextDates))
  await inspect("main")
  await click(t(($) => $.common.save))
  // Its first period begins today.
  await page
    .getByRole("dialog", { name: t(($) => $.recurring.confirmMake_one) })
    .getByRole("button", { name: t(($) => $.recurring.make) })
    .click()
  await heading(t(($) => $.recurring.titleOf, { customer: "Café Elbe" }))
  await main
    .getByRole("link", { name: /^INV-\d{4}-\d{5}$/ })
    .first()
    .waitFor()
  const [made] = (await api.get("/invoices?recurringPeriod=1")).body.data
  expect(made).toMatchObject({ status: "unpaid", total: 119, periodStartDate: daysFromNow(0) })
}

/** The customer asks what is open, and gets a statement of a period of any two days. */
async function saveStatement({ kontor, page, t, heading, click, press, dialog, inspect, customer }: Shop) {
  await page.goto(`${kontor.url}/console/customers/${customer.id}`)
  await heading("Café Elbe")
  // The boxes around the menu appear first, as for a person.
  for (const title of [t(($) => $.customers.openItems), t(($) => $.customers.latestInvoices)])
    await page.getByText(title).first().waitFor()
  const saved = page.waitForResponse((answer) =>
    answer.url().includes(`/customers/${customer.id}/statement?format=pdf`),
  )
  await click(t(($) => $.customers.statement))
  await dialog.getByRole("button", { name: t(($) => $.customers.periods.lastYear) }).click()
  const lastYear = Number(daysFromNow(0).slice(0, 4)) - 1
  await dialog
    .getByLabel(
      t(($) => $.customers.from),
      { exact: true },
    )
    .fill(`${lastYear}-02-10`)
  // The calendar closes, and so does that of the other day.
  await press("Tab", "Tab")
  await inspect("[role=dialog]")
  await dialog.getByRole("button", { name: t(($) => $.customers.savePdf) }).click()
  const answer = await saved
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/pdf"])
  expect(answer.url()).toContain(`from=${lastYear}-02-10&to=${lastYear}-12-31`)
  await page.keyboard.press("Escape")
}

/** An offer is written, and the customer accepts it on a phone without scripts. Then it is ordered. */
async function offerAndOrder(shop: Shop) {
  const { api, page, t, main, dialog, heading, click, focused, type, goTo, inspect, see, kontor } = shop
  await goTo(t(($) => $.kinds.quotations.title))
  await main
    .getByRole("link", { name: t(($) => $.quotations.new) })
    .first()
    .click()
  await page
    .getByLabel(t(($) => $.fields.customer))
    .and(focused)
    .waitFor()
  await pick(shop, "elbe", /Café Elbe/)
  await inputOf(shop, 1, "item").click()
  await shop.scan(barcode)
  await inputOf(shop, 1, "quantity").and(focused).waitFor()
  await type("5")
  await inspect("main")
  await click(t(($) => $.quotations.saveAndMarkSent))
  await heading(/^QUO-\d{4}-00001$/)
  await main.getByRole("button", { name: t(($) => $.quotations.makeOrder) }).waitFor()
  await chooseMore(
    shop,
    t(($) => $.quotations.link),
  )
  await dialog.getByRole("button", { name: t(($) => $.quotations.makeLink) }).click()
  await dialog.getByRole("button", { name: t(($) => $.quotations.switchOn) }).click()
  const link = dialog.getByLabel(t(($) => $.quotations.linkLabel))
  await link.waitFor()
  await inspect("[role=dialog]")
  await acceptOn(kontor, new URL(await link.inputValue()).pathname)
  await dialog
    .getByRole("button", { name: t(($) => $.common.close) })
    .last()
    .click()
  await see(t(($) => $.values.status.accepted ?? ""))
  await click(t(($) => $.quotations.makeOrder))
  await heading(/^SO-\d{4}-\d{5}$/)
  await main.getByRole("link", { name: /^QUO-\d{4}-00001$/ }).waitFor()
  const [quotation] = (await api.get("/quotations")).body.data
  const [order] = (await api.get(`/sales-orders?quotation=${quotation.id}`)).body.data
  expect([quotation, order]).toMatchObject([
    { status: "accepted", acceptedBy: "Frau Petersen", acceptedRevision: 1, salesOrder: order.id },
    { status: "draft", total: 595 },
  ])
}

/** A customer reads an offer on a phone, and accepts it. */
async function acceptOn(kontor: Kontor, path: string) {
  const phone = await newPage(kontor, { width: 390, height: 844, locale: "de-DE", hasScripts: false })
  await phone.goto(`${kontor.url}${path}`)
  await phone
    .getByText(/595[.,]00/)
    .first()
    .waitFor()
  await phone.getByRole("textbox").first().fill("Frau Petersen")
  await phone.locator("button[value=accept]").click()
  await phone.getByRole("status").getByText("Frau Petersen").waitFor()
  phone.assertQuiet()
}

/** A deposit on an order: 30 percent, which the customer pays, and which the last invoice deducts. */
async function askDeposit(shop: Shop) {
  const { api, records, page, t, lamp, customer, dialog, heading, click, see, euros, inspect } = shop
  const order = await records.submitted({ customer: customer.id, items: [{ item: lamp.id, quantity: 10 }] })
  await page.goto(`${shop.kontor.url}/console/orders/${order.id}`)
  await heading(order.orderNumber)
  await chooseMore(
    shop,
    t(($) => $.deposits.request),
  )
  await see(euros("357.00"), dialog)
  await inspect("[role=dialog]")
  await dialog.getByRole("button", { name: t(($) => $.deposits.create), exact: true }).click()
  await heading(/^INV-/)
  await see(t(($) => $.values.invoiceType.deposit))
  const [deposit] = (await api.get(`/invoices?salesOrder=${order.id}`)).body.data
  await records.pay(deposit.id, 357)
  await page.goto(`${shop.kontor.url}/console/orders/${order.id}`)
  await click(t(($) => $.orders.invoice))
  await see(euros("-357.00"), dialog)
  await dialog.getByRole("button", { name: t(($) => $.invoices.create), exact: true }).click()
  await heading(/^INV-/)
  await see(t(($) => $.values.invoiceType.final))
  await page.getByRole("link", { name: deposit.invoiceNumber }).waitFor()
  await see(euros("833.00"))
  // The sum of both is what is sold.
  await page.goto(`${shop.kontor.url}/console/invoices?salesOrder=${order.id}`)
  await page
    .getByText(t(($) => $.invoices.withoutDeposits))
    .first()
    .waitFor()
  await see(euros("1190.00"))
}
