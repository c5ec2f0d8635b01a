import { afterAll, describe, expect, test } from "bun:test"
import { animationsEnd, browserPath, closeBrowser, closePages, printBy } from "../support/browser"
import { adminPassword, cleanUp, serve } from "../support/kontor"
import { isLong } from "../support/long"
import { mailServer, readMail, refusal, stopMailServers, type MailServer } from "../support/mail-server"
import { enter, inputOf, pick, runsOf, sumOf, type Person } from "../support/person"

describe.skipIf(browserPath === null)("the week of a shop", () => {
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
    await stopMailServers()
  })

  test.each(runsOf({ isLong }))(
    "goes from an empty instance to the month's invoices, in $locale $name",
    async (run) => {
      const kontor = await serve({ env: {} })
      const shop = await enter(kontor, run)
      await setUp(shop)
      await describeCompany(shop)
      await addItems(shop)
      await takeOrder(shop)
      await invoicePart(shop)
      await recordPartPayment(shop)
      await invoiceRest(shop)
      await preparePrint(shop)
      const relay = await ownRelay()
      await setUpMail(shop, relay)
      await sendInvoice(shop, relay)
      await readMonth(shop)
      shop.page.assertQuiet()
      await closePages()
      await kontor.stop()
    },
  )
})

/** The setup link creates the first admin, whom the dashboard tells what to do first. */
async function setUp({
  kontor,
  page,
  t,
  heading,
  type,
  press,
  focused,
  see,
  isFocused,
  fits,
  inspect,
}: Person) {
  await page.goto(kontor.url)
  await see(t(($) => $.account.noAdmin))
  await see("kontor setup-link")
  await inspect()
  await page.goto(`${kontor.url}/setup`)
  await see("kontor setup-link")
  expect(await page.getByRole("button").count()).toBe(0)
  const [, link = ""] = /Set up the first admin: (\S+)/.exec(kontor.output.stdout) ?? []
  await page.goto(link)
  await isFocused(t(($) => $.account.yourName))
  await type("Ada Admin")
  await press("Tab")
  await type("ada@shop.example")
  await press("Tab")
  await type("short")
  await press("Enter")
  await page.locator("[name=password][aria-invalid=true]").and(focused).waitFor()
  await inspect()
  await press("Control+a")
  await type(adminPassword)
  await press("Enter")
  await heading(t(($) => $.setUp.title))
  await inspect("main")
  await page.getByRole("link", { name: t(($) => $.setUp.later) }).click()
  await heading(t(($) => $.menu.dashboard))
  await see(t(($) => $.dashboard.stepsDone, { done: "0", steps: "5" }))
  await fits()
}

/** The company gets its name, currency and time zone in the first step of the set-up. The others are left for later. */
async function describeCompany({ page, t, heading, field, click, type, press, see }: Person) {
  await page.getByRole("link", { name: t(($) => $.dashboard.addCompany) }).click()
  await heading(t(($) => $.setUp.title))
  await field(t(($) => $.company.name)).click()
  await type("Nordlicht GmbH")
  await page.getByRole("combobox", { name: t(($) => $.company.currency) }).click()
  await type("eur")
  await press("Enter", "Tab")
  await type("berlin")
  await press("Enter")
  await click(t(($) => $.setUp.saveAndGoOn))
  await page.getByRole("heading", { level: 2, name: t(($) => $.setUp.heading.taxes) }).waitFor()
  await see("Nordlicht GmbH", page.getByRole("banner"))
  await page.getByRole("link", { name: t(($) => $.setUp.later) }).click()
  await see(t(($) => $.dashboard.goOnWithSetUp, { step: t(($) => $.values.setUpStep.taxes) }))
}

/** Two items are added one after the other, the second with the tax rate of the first. */
async function addItems(shop: Person) {
  const { page, t, main, heading, field, isFocused, click, type, typed, press, see, goTo, fits } = shop
  const price = t(($) => $.fields.sellingPrice)
  await goTo(t(($) => $.kinds.items.title))
  await see(t(($) => $.kinds.items.noneYet))
  await main
    .getByRole("link", { name: t(($) => $.items.new) })
    .first()
    .click()
  await isFocused(t(($) => $.items.code))
  await press("Enter")
  await see(t(($) => $.problems.required))
  await field(t(($) => $.items.code))
    .and(page.locator("[aria-invalid=true]:focus"))
    .waitFor()
  await type("DESK")
  await press("Tab")
  await type("Standing desk")
  await press("Tab", "Tab", "Tab", "Tab")
  await isFocused(price)
  await type(typed("449.90"))
  await press("Tab", "Tab", "Tab")
  await isFocused(t(($) => $.fields.taxRate))
  await type("19")
  await fits()
  await click(t(($) => $.forms.saveAndAdd))
  await see(t(($) => $.common.saved, { name: "Standing desk" }))
  await isFocused(t(($) => $.items.code))
  await type("LAMP")
  await press("Tab")
  await type("Desk lamp")
  await press("Tab", "Tab", "Tab", "Tab")
  await isFocused(price)
  await type(typed("39.50"))
  await press("Enter")
  await heading("Desk lamp")
  await see(t(($) => $.common.saved, { name: "Desk lamp" }))
  // The message replaces the one before.
  await animationsEnd(page)
  expect(await page.getByText(t(($) => $.common.saved, { name: "Standing desk" })).count()).toBe(0)
  expect(await field(t(($) => $.fields.taxRate)).inputValue()).toBe("19")
}

/** An order is taken by phone, with a new customer that is created from the order. */
async function takeOrder(shop: Person) {
  const { page, t, main, dialog, focused, heading, isFocused, click, type, press, see, euros } = shop
  await shop.goTo(t(($) => $.kinds["sales-orders"].title))
  await main
    .getByRole("link", { name: t(($) => $.orders.new) })
    .first()
    .click()
  const customer = page.getByLabel(t(($) => $.fields.customer))
  await customer.and(focused).waitFor()
  await pick(
    shop,
    "Petersen",
    t(($) => $.pickers.create, { typed: "Petersen" }),
  )
  await isFocused(t(($) => $.common.name))
  await press("Tab", "Tab")
  await type("+49 461 12345")
  await press("Enter")
  await dialog.waitFor({ state: "detached" })
  expect(await customer.inputValue()).toBe("Petersen")
  await inputOf(shop, 1, "item").click()
  await pick(shop, "standing", "Standing desk")
  await inputOf(shop, 1, "quantity").and(focused).waitFor()
  await type("3")
  await press("Enter")
  await inputOf(shop, 2, "item").and(focused).waitFor()
  await pick(shop, "lamp", "Desk lamp")
  await inputOf(shop, 2, "quantity").and(focused).waitFor()
  await type("10")
  await see(euros("2076.19"))
  await shop.inspect("main")
  await click(t(($) => $.orders.saveAndSubmit))
  await heading(/^SO-\d{4}-00001$/)
  await see(t(($) => $.values.status.submitted as string))
}

/** Part of the order is invoiced. */
async function invoicePart({ t, heading, isFocused, click, type, press, see, euros, fits }: Person) {
  await click(t(($) => $.orders.invoice))
  await isFocused(t(($) => $.invoices.quantityNow, { item: "Standing desk" }))
  await type("1")
  await press("Tab")
  await type("4")
  await fits()
  await press("Enter")
  await heading(/^INV-\d{4}-00001$/)
  await see(euros("723.40"))
}

/** Part of the invoice is paid. */
async function recordPartPayment(shop: Person) {
  const { t, dialog, isFocused, click, type, press, see, euros, fits, inspect } = shop
  await click(t(($) => $.invoices.recordPayment))
  await isFocused(t(($) => $.fields.amount))
  await see(
    t(($) => $.invoices.balance, { amount: euros("723.40") }),
    dialog,
  )
  await type("500")
  await fits()
  await press("Enter")
  await see(t(($) => $.invoices.wasPaid, { amount: euros("500.00") }))
  await see(t(($) => $.values.status.partially_paid as string))
  await see(euros("223.40"))
  await see(t(($) => $.timeline.paymentAdded, { actor: "Ada Admin", amount: euros("500.00") }))
  await inspect("main")
}

/** The rest of the order is invoiced. */
async function invoiceRest({ t, main, dialog, heading, click, press, see, euros, fits }: Person) {
  await main.getByRole("link", { name: /^SO-/ }).first().click()
  await heading(/^SO-/)
  await see(t(($) => $.values.status.partially_invoiced as string))
  await fits()
  await click(t(($) => $.orders.invoice))
  await dialog.waitFor()
  await press("Enter")
  await heading(/^INV-\d{4}-00002$/)
  await see(euros("1352.79"))
}

/** The invoice is ready to print, on the paper of the company. */
async function preparePrint({ page, t, main }: Person) {
  await main.getByRole("button", { name: t(($) => $.paper.otherFiles) }).click()
  const { text } = await printBy(page, () =>
    page.getByRole("menuitem", { name: t(($) => $.paper.print) }).click(),
  )
  for (const part of [/Nordlicht GmbH/, /INV-\d{4}-00002/, /Petersen/]) expect(text).toMatch(part)
}

const mailbox = { user: "shop@shop.example", password: "from the provider" }

/** The mail server of the shop's provider. */
const ownRelay = () =>
  mailServer({
    onAuth: ({ username, password }, _, done) =>
      username === mailbox.user && password === mailbox.password
        ? done(null, { user: username })
        : done(refusal(535, "5.7.8 wrong password")),
  })

/** The mail server is set up as for a mail program. The password is wrong at first, which the test message tells. */
async function setUpMail(shop: Person, relay: MailServer) {
  const { page, t, click, type, press, see, goTo, inspect } = shop
  const into = (name: string) => page.getByRole("textbox", { name, exact: true }).click()
  await goTo(t(($) => $.menu.mail))
  await into(t(($) => $.mailServer.host))
  await type("127.0.0.1")
  await into(t(($) => $.mailServer.port))
  await press("Control+a")
  await type(String(relay.port))
  await page.getByRole("combobox", { name: t(($) => $.mailServer.security) }).click()
  await page.getByRole("option", { name: t(($) => $.mailServer.securities.none) }).click()
  await into(t(($) => $.mailServer.user))
  await type(mailbox.user)
  await into(t(($) => $.mailServer.password))
  await type("from memory")
  await into(t(($) => $.mailServer.from))
  await type(mailbox.user)
  await press("Enter")
  await see(t(($) => $.mailServer.saved))
  await click(t(($) => $.mailServer.sendTest))
  await see(t(($) => $.mailServer.testFailed))
  await see("535 5.7.8 wrong password")
  await into(t(($) => $.mailServer.password))
  await type(mailbox.password)
  await press("Enter")
  await see(t(($) => $.mailServer.savedSecret))
  await page.getByText(t(($) => $.mailServer.saveFirst)).waitFor({ state: "detached" })
  await click(t(($) => $.mailServer.sendTest))
  await see(t(($) => $.mailServer.testOk))
  await inspect("main")
}

/** The invoice is sent from its page. The customer had no address, and has it then. */
async function sendInvoice(shop: Person, relay: MailServer) {
  const { t, main, dialog, focused, goTo, heading, click, type, press, see, inspect } = shop
  await goTo(t(($) => $.kinds.invoices.title))
  await main
    .getByRole("link", { name: /INV-\d{4}-00002/ })
    .first()
    .click()
  await heading(/^INV-\d{4}-00002$/)
  await click(t(($) => $.mail.send))
  await dialog.locator("[data-path=to]").and(focused).waitFor()
  await type("petersen@example.com")
  await inspect("[role=dialog]")
  await press("Enter")
  const queued = t(($) => $.mail.queued, { to: "petersen@example.com" })
  await see(`${queued} ${t(($) => $.mail.addressSaved)}`)
  await see(
    t(($) => $.values.status.sent as string),
    main,
  )
  const sent = relay.taken.at(-1)
  expect(sent?.to).toEqual(["petersen@example.com"])
  const { subject, attachments } = await readMail(sent as never)
  expect(subject).toMatch(/INV-\d{4}-00002/)
  expect(attachments.map(({ filename }) => filename)).toEqual([expect.stringMatching(/^INV-.*-00002\.pdf$/)])
}

/** The list of the month's invoices shows their sum, and what is still open. */
async function readMonth(shop: Person) {
  const { t, main, see, euros, isPhone, inspect } = shop
  await shop.goTo(t(($) => $.kinds.invoices.title))
  await choosePeriod(shop, "lastMonth")
  await see(t(($) => $.kinds.invoices.none))
  await choosePeriod(shop, "thisMonth")
  await see(t(($) => $.lists.shownOf, { shown: "2", total: "2" }))
  const [rest, part] = await main.locator("tbody tr, .phone-list li").allInnerTexts()
  expect(rest).toContain(euros("1352.79"))
  expect(part).toContain("Petersen")
  if (isPhone) {
    expect(part).toContain(t(($) => $.invoices.openAmount, { amount: euros("223.40") }))
    await sumOf(
      shop,
      t(($) => $.fields.total),
    )
      .getByText(euros("2076.19"))
      .waitFor()
    await sumOf(
      shop,
      t(($) => $.invoices.open),
    )
      .getByText(euros("1576.19"))
      .waitFor()
  } else {
    expect(part).toContain(euros("723.40"))
    expect(part).toContain(euros("223.40"))
    const sums = main.locator("tfoot tr")
    await sums.getByText(t(($) => $.lists.sumOf, { shown: "2" })).waitFor()
    await sums.getByText(euros("2076.19")).waitFor()
    await sums.getByText(euros("1576.19")).waitFor()
  }
  await inspect("main")
}

/** Filters the list by invoice date. On a phone the filters are behind a button. */
async function choosePeriod({ page, t, main, dialog, isPhone }: Person, period: "lastMonth" | "thisMonth") {
  const name = t(($) => $.fields.invoiceDate)
  if (isPhone) await main.getByRole("button", { name: new RegExp(`^${t(($) => $.lists.filters)}`) }).click()
  await (isPhone ? dialog : main).getByRole("button", { name }).first().click()
  await page.getByRole("button", { name: t(($) => $.lists.period[period]), exact: true }).click()
  if (isPhone) await dialog.getByRole("button", { name: t(($) => $.lists.showResults) }).click()
}
