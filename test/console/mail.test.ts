import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  browserPath,
  inspector,
  newPage,
  settle,
  signInAt,
  startConsole,
  type Window,
} from "../support/browser"
import { adminEmail } from "../support/kontor"
import { setMail, settled } from "../support/mail"
import {
  mailServer,
  polite,
  readMail,
  refusal,
  scriptedServer,
  stopMailServers,
} from "../support/mail-server"
import { until } from "../support/until"

/** What the mail server answers at the end of a message. */
let atEnd: () => void = () => {}
const server = await mailServer({
  answer: () => atEnd(),
  onAuth: ({ password }, _, done) =>
    password === "geheim" ? done(null, { user: "shop" }) : done(refusal(535, "5.7.8 wrong password")),
})
const { kontor, api, shop, open } = await startConsole({ args: ["--public-url", "https://shop.example"] })
afterAll(stopMailServers)

const customerOf = (over: object = {}) =>
  shop.customer({ name: "Müller KG", email: "a@mueller.example", ...over })
const invoiceOf = async (over: object = {}) => shop.invoice({ customer: (await customerOf(over)).id })
const timelineOf = (page: Window) => page.getByRole("region", { name: "Timeline" })

describe.skipIf(browserPath === null)("the button that sends a document", () => {
  test("leads to the set-up, where a test message shows the words of the server and the password is never shown", async () => {
    const invoice = await invoiceOf()
    const page = await open(`/invoices/${invoice.id}`)
    const { faults, inspect } = inspector(page)
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Mail is not set up yet" })
    await inspect("not set up", "[role=dialog]")
    await dialog.getByRole("link", { name: "Set up mail" }).click()
    await page.getByRole("heading", { level: 1, name: "Mail" }).waitFor()
    await page.getByRole("combobox", { name: "Provider" }).click()
    await page.getByRole("option", { name: "Microsoft 365" }).click()
    await page.getByLabel("Directory (tenant) ID").waitFor()
    await inspect("Microsoft")
    await page.getByRole("combobox", { name: "Provider" }).click()
    await page.getByRole("option", { name: "Another provider or an own server" }).click()
    await page.getByRole("textbox", { name: "Server", exact: true }).fill("127.0.0.1")
    await page.getByRole("textbox", { name: "Port" }).fill(String(server.port))
    await page.getByRole("combobox", { name: "Encryption" }).click()
    await page.getByRole("option", { name: /^None/ }).click()
    await page.getByRole("textbox", { name: "User name", exact: true }).fill("shop")
    await page.getByRole("textbox", { name: "Password" }).fill("falsch")
    await page.getByLabel("Sender address").fill("shop@shop.example")
    await page.getByRole("button", { name: "Save" }).first().click()
    await page.getByText("The mail server was saved.").waitFor()
    expect((await api.get("/settings")).body.data.smtp).toMatchObject({
      port: server.port,
      auth: "password",
      missing: [],
    })

    await page.getByText("Saved. Leave it empty to keep it.").waitFor()
    expect(await page.getByRole("textbox", { name: "Password" }).inputValue()).toBe("")
    await page.getByRole("button", { name: "Send test message" }).click()
    await page.getByText("The test message was not sent.").waitFor()
    await page.getByText("535 5.7.8 wrong password").waitFor()
    await page.getByRole("listitem").filter({ hasText: "Sign in (Failed)" }).waitFor()
    await page.getByRole("textbox", { name: "Password" }).fill("geheim")
    await page.getByText("Save your changes first").waitFor()
    await page.getByRole("button", { name: "Save" }).first().click()
    await page.getByText("Save your changes first").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Send test message" }).click()
    await page.getByText("The mail server has taken the test message.").waitFor()
    await inspect("set up")
    expect(server.taken.at(-1)?.to).toEqual([adminEmail])
    expect(faults).toEqual({})
    page.assertQuiet()
  })
})

describe.skipIf(browserPath === null)("with a mail server", () => {
  beforeAll(() => setMail(api, server.port))

  test("texts have placeholders and a preview with the name of the company", async () => {
    expect((await api.put("/settings", { companyName: "Nordlicht" })).status).toBe(200)
    const page = await open("/settings/mail")
    await page.getByRole("group", { name: "Preview" }).getByText("from Nordlicht").waitFor()
    await page.getByLabel("Subject").fill("Your invoice ")
    await page.getByRole("button", { name: "Number" }).click()
    await page.getByRole("group", { name: "Preview" }).getByText("Your invoice INV-2026-00042").waitFor()
    await page.getByLabel("Subject").press("End")
    await page.keyboard.type(" {nombre}")
    await page.getByText("There is no placeholder {nombre}.").waitFor()
    for (const _ of " {nombre}") await page.keyboard.press("Backspace")
    await page.getByRole("button", { name: "Save" }).last().click()
    await page.getByText("The texts were saved.").waitFor()
    expect((await api.get("/settings")).body.data.mailTexts.invoices.en.subject).toBe("Your invoice {number}")
    await page.getByRole("button", { name: "Use the original text" }).click()
    await until(
      async () =>
        (await api.get("/settings")).body.data.mailTexts.invoices.en.subject !== "Your invoice {number}",
    )
    page.assertQuiet()
  })

  test("an invoice is sent by keyboard, and is in the timeline as sent", async () => {
    const invoice = await invoiceOf()
    const page = await open(`/invoices/${invoice.id}`)
    const { faults, inspect } = inspector(page)
    await page.getByRole("button", { name: "Send", exact: true }).press("Enter")
    const dialog = page.getByRole("dialog", { name: `Send ${invoice.invoiceNumber}` })
    await dialog.locator("[data-path=to]:focus").waitFor()
    expect(await dialog.getByRole("textbox", { name: "To", exact: true }).inputValue()).toBe(
      "a@mueller.example",
    )
    expect(await dialog.getByLabel("Text").inputValue()).toContain(
      `invoice ${invoice.invoiceNumber} for $20.00`,
    )
    await inspect("dialog", "[role=dialog]")
    await page.keyboard.press("Enter")
    await page.getByText("The message to a@mueller.example is on its way.").waitFor()
    const message = timelineOf(page).getByRole("group", { name: `Invoice ${invoice.invoiceNumber}` })
    await message.getByText("Sent", { exact: true }).waitFor()
    await page
      .locator("dt")
      .filter({ hasText: /^Sent$/ })
      .waitFor()
    await inspect("invoice", "main")
    const mail = await readMail(server.taken.at(-1) as never)
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([`${invoice.invoiceNumber}.pdf`])
    await message.getByRole("link", { name: "Email to a@mueller.example" }).click()
    await page.getByRole("heading", { level: 1, name: `Invoice ${invoice.invoiceNumber}` }).waitFor()
    await page.getByText("250 ").first().waitFor()
    await inspect("message", "main")
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("a customer without an address gets one, and the language of the text can be chosen", async () => {
    const invoice = await invoiceOf({ email: null })
    const page = await open(`/invoices/${invoice.id}`)
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Müller KG has no email address yet.").waitFor()
    await dialog.getByRole("button", { name: "Send", exact: true }).click()
    await dialog.getByText("This field is required").waitFor()
    await dialog.getByRole("textbox", { name: "To", exact: true }).fill("neu@mueller.example")
    await dialog.getByLabel("Subject").fill("My own subject")
    await dialog.getByRole("combobox", { name: "Language" }).click()
    await page.getByRole("option", { name: "German" }).click()
    await dialog.getByText("Guten Tag").waitFor()
    expect(await dialog.getByLabel("Subject").inputValue()).toBe("My own subject")
    await dialog.getByRole("textbox", { name: "To", exact: true }).press("Enter")
    await page.getByText("The address was saved on the customer.").waitFor()
    expect((await shop.get("customers", invoice.customer)).email).toBe("neu@mueller.example")
    await until(() => server.taken.at(-1)?.to[0] === "neu@mueller.example")
    page.assertQuiet()
  })

  test("a server that refuses is quoted, and the message is sent again by a click", async () => {
    atEnd = () => {
      throw refusal(550, "5.7.1 mailbox is full")
    }
    const invoice = await invoiceOf()
    const { id } = (await api.post(`/invoices/${invoice.id}/send`)).body.data
    await settled(api, id)
    const page = await open("/")
    const { faults, inspect } = inspector(page)
    await page.getByRole("link", { name: "Messages that failed" }).click()
    await page.getByText("The mail server says: “550 5.7.1 mailbox is full”").waitFor()
    await inspect("list", "main")
    await page.getByRole("link", { name: `Invoice ${invoice.invoiceNumber}` }).click()
    await page.getByRole("link", { name: invoice.invoiceNumber }).click()
    const timeline = timelineOf(page)
    await timeline.getByText("The mail server says: “550 5.7.1 mailbox is full”").waitFor()
    atEnd = () => {}
    await timeline.getByRole("button", { name: "Try again" }).click()
    await timeline.getByText("Sent", { exact: true }).waitFor()
    expect(await settled(api, id)).toMatchObject({ status: "sent" })
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("in German, an uncertain message is sent again after a question, one that waits is cancelled, and a missing password is told", async () => {
    const silent = await scriptedServer((line, socket, state) => {
      const isEnd = state.isData && line === "."
      if (isEnd) socket.destroy()
      return isEnd ? null : polite(line, socket, state)
    })
    await setMail(api, silent.port)
    const invoice = await invoiceOf()
    const { id } = (await api.post(`/invoices/${invoice.id}/send`)).body.data
    expect(await settled(api, id)).toMatchObject({ status: "uncertain" })
    const page = await open(`/invoices/${invoice.id}`, { locale: "de-DE" })
    const { faults, inspect } = inspector(page)
    const timeline = page.getByRole("region", { name: "Verlauf" })
    await timeline.getByText("Ungewiss: bitte prüfen").waitFor()
    await timeline.getByText("Vielleicht ist sie angekommen").waitFor()
    await inspect("uncertain", "section")
    await setMail(api, server.port)
    atEnd = () => {
      throw refusal(451, "4.3.0 later")
    }
    await timeline.getByRole("button", { name: "Erneut versuchen" }).click()
    const question = page.getByRole("dialog", { name: "Diese E-Mail noch einmal senden?" })
    await question.getByText("a@mueller.example bekommt sie vielleicht zweimal").waitFor()
    await question.getByRole("button", { name: "Erneut versuchen" }).click()
    await timeline.getByText("Wartet").waitFor()
    await timeline.getByText("Der Mailserver sagt: „451 4.3.0 later“").waitFor()
    await timeline.getByText(/^Nächster Versuch: /).waitFor()
    await timeline.getByRole("button", { name: "Nicht senden" }).click()
    await timeline.getByText("Nicht gesendet", { exact: true }).waitFor()
    expect(await settled(api, id)).toMatchObject({ status: "cancelled" })
    atEnd = () => {}
    await open(`/messages/${id}`, { locale: "de-DE" })
    await page
      .locator("dt", { hasText: "Auftrag von" })
      .locator("+ dd", { hasText: adminEmail.split("@")[0] ?? "" })
      .waitFor()

    await setMail(api, server.port, { auth: "password", user: "shop", password: null })
    await open("/", { locale: "de-DE" })
    await page.getByText("Dem E-Mail-Versand fehlt: Passwort.").waitFor()
    await inspect("notice", "main")
    await page.getByRole("link", { name: "E-Mail-Versand einrichten" }).click()
    await page.getByRole("heading", { level: 1, name: "E-Mail-Versand" }).waitFor()
    await setMail(api, server.port)
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("several invoices are sent at once, and those that cannot be sent are named first", async () => {
    const sent = await invoiceOf()
    const customer = await shop.customer({ name: "Ohne Adresse" })
    const refused = await shop.invoice({ customer: customer.id })
    const page = await open("/invoices")
    for (const { invoiceNumber } of [sent, refused])
      await page.getByRole("row", { name: invoiceNumber }).getByRole("checkbox").check()
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const question = page.getByRole("dialog")
    await question.getByRole("listitem").filter({ hasText: refused.invoiceNumber }).waitFor()
    expect(await question.getByText(sent.invoiceNumber).count()).toBe(0)
    await question.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByText("1 will be sent.").waitFor()
    await page.getByText(/1 could not be sent/).waitFor()
    await until(async () => (await shop.get("invoices", sent.id)).lastSentAt !== null)
    expect((await api.get(`/messages?record=${refused.id}`)).body.data).toEqual([])
    page.assertQuiet()
  })

  test("a draft is issued and sent, an order is invoiced and sent, and so is a credit note", async () => {
    const { id: customer } = await customerOf()
    const items = [{ description: "Rat", quantity: 1, rate: 50 }]
    const draft = await api.create("/invoices", { customer, items })
    const page = await open(`/invoices/${draft.id}`)
    await page.getByRole("button", { name: "Issue invoice" }).first().click()
    const question = page.getByRole("dialog", { name: "Issue this invoice?" })
    await question.getByText("also sends it to a@mueller.example").waitFor()
    await question.getByRole("button", { name: "Issue and send" }).click()
    await timelineOf(page).getByText("Sent", { exact: true }).waitFor()

    const order = await shop.submitted({ customer })
    await open(`/orders/${order.id}`)
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    await page.getByRole("button", { name: "Create and send" }).click()
    await timelineOf(page).getByText("Sent", { exact: true }).waitFor()
    const [invoice] = (await api.get(`/invoices?salesOrder=${order.id}`)).body.data
    expect((await api.get(`/messages?record=${invoice.id}`)).body.data).toMatchObject([{ status: "sent" }])

    await page.getByRole("button", { name: "Credit", exact: true }).click()
    await page.getByRole("dialog").getByLabel("Reason").fill("Scratched")
    await page.getByRole("button", { name: "All that is left" }).click()
    await page.getByRole("button", { name: "Issue and send" }).click()
    await page.getByText(/^Credit note .* was issued\.$/).waitFor()
    const [note] = (await api.get(`/credit-notes?invoice=${invoice.id}`)).body.data
    expect((await api.get(`/messages?record=${note.id}`)).body.data).toMatchObject([
      { to: ["a@mueller.example"] },
    ])
    page.assertQuiet()
  })

  test("the first message with a quotation has the link with which the customer accepts, and nobody sees a name in braces", async () => {
    await setMail(api, server.port)
    const { id: customer } = await customerOf()
    const lines = [{ description: "Küche", quantity: 1, rate: 4800 }]
    const { id } = await api.create("/quotations", { customer, items: lines })
    const page = await open(`/quotations/${id}`)
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("pages for customers are switched off").waitFor()
    await dialog.getByRole("button", { name: "Switch on pages and add link" }).click()
    await dialog.getByText("the customer gets a link").waitFor()
    const shown = await dialog.getByLabel("Text").inputValue()
    expect(shown).toContain("[Link to read and accept it]")
    expect(shown).not.toMatch(/[{}]/)
    const before = server.taken.length
    await dialog.getByRole("button", { name: "Send", exact: true }).click()
    await until(() => server.taken.length > before)
    expect((await readMail(server.taken[before]!)).text).toMatch(
      /accept it here:\s+https:\/\/shop\.example\/q\/[\w-]{27}/,
    )
    await timelineOf(page).getByRole("link", { name: "Email to a@mueller.example" }).click()
    await page.getByText("[Link to read and accept it]").waitFor()
    expect(await page.getByText("{link}").count()).toBe(0)

    // A text of its own gets the link at its end.
    await api.put("/settings", { mailTexts: { quotations: { en: { message: "Please see our offer." } } } })
    const other = await api.create("/quotations", { customer, items: lines })
    await open(`/quotations/${other.id}`)
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await dialog.getByRole("button", { name: "Add link" }).click()
    await dialog.getByText("the customer gets a link").waitFor()
    expect(await dialog.getByLabel("Text").inputValue()).toBe(
      "Please see our offer.\n\n[Link to read and accept it]\n",
    )
    await api.put("/settings", { mailTexts: { quotations: { en: null } }, publicPages: false })
    page.assertQuiet()
  })

  test("a user who has forgotten the password sets a new one with a link", async () => {
    const user = {
      email: "vergesslich@shop.example",
      name: "Vera",
      role: "sales",
      password: "correct horse battery",
    }
    await api.create("/users", user)
    const page = await newPage(kontor)
    const { faults, inspect } = inspector(page)
    await page.goto(`${kontor.url}/console/`)
    await page.getByRole("button", { name: "Forgotten password?" }).click()
    await page.getByRole("heading", { level: 1, name: "Set a new password" }).waitFor()
    await page.getByLabel("Email").fill(user.email)
    await inspect("forgotten")
    await page.keyboard.press("Enter")
    await page.getByText("an email with a link is on its way").waitFor()
    await until(() => server.taken.at(-1)?.to[0] === user.email)
    const { text = "" } = await readMail(server.taken.at(-1) as never)
    const [, path] = /https:\/\/shop\.example(\/console\/reset#token=\S+)/.exec(text) ?? []
    await page.goto(`${kontor.url}${path}`)
    await page.getByRole("textbox", { name: "New password", exact: true }).fill("a brand new password")
    await page.getByRole("textbox", { name: "Confirm new password" }).fill("a brand new passwort")
    await page.keyboard.press("Enter")
    await page.getByText("Passwords do not match").waitFor()
    await inspect("new password")
    await page.getByRole("textbox", { name: "Confirm new password" }).fill("a brand new password")
    await page.keyboard.press("Enter")
    await page.getByText("Your new password is set.").waitFor()
    await signInAt(page, kontor, { email: user.email, password: "a brand new password" })
    await page.goto(`${kontor.url}${path}`)
    await page.getByRole("textbox", { name: "New password", exact: true }).fill("another new password")
    await page.getByRole("textbox", { name: "Confirm new password" }).fill("another new password")
    await page.keyboard.press("Enter")
    await page.getByText("This link is not valid any more.").waitFor()
    await settle(page)
    expect(faults).toEqual({})
    page.assertQuiet()
  })
})
