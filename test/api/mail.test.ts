import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Api, apiWith, refusalOf, signIn } from "../support/api"
import { buyer, fillCompany } from "../support/downloads"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { setMail, settled, tried } from "../support/mail"
import { type MailServer, mailServer, readMail, refusal, stopMailServers } from "../support/mail-server"
import { trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let server: MailServer
/** What the mail server does at the end of a message. */
let atEnd: (number: number) => void = () => {}
const company = { legalName: "Nordlicht GmbH", currency: "EUR", defaultLanguage: "de" }

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  server = await mailServer({
    answer: (_, number) => atEnd(number),
    onRcptTo: ({ address }, _, done) => done(address.startsWith("no") ? refusal(550, "5.1.1 unknown") : null),
  })
  await admin.put("/settings", company)
})
afterAll(async () => {
  await cleanUp()
  await stopMailServers()
})

const customerOf = (over: object = {}) =>
  trade(admin).customer({ name: "Müller KG", email: "a@mueller.example", ...over })

/** An issued invoice of a customer with an address. */
async function invoiceOf(over: object = {}) {
  const customer = await customerOf(over)
  return trade(admin).invoice({ customer: customer.id })
}

describe("before a server is set up", () => {
  test("a document cannot be sent, and nothing is issued that asks for it", async () => {
    const invoice = await invoiceOf()
    expect(refusalOf(await admin.post(`/invoices/${invoice.id}/send`))).toEqual({
      status: 422,
      code: "MAIL_NOT_SET_UP",
      fields: ["smtp"],
    })
    const order = await trade(admin).submitted({ customer: (await customerOf()).id })
    expect(refusalOf(await trade(admin).bill(order.id, { send: true })).code).toBe("MAIL_NOT_SET_UP")
    expect((await trade(admin).get("sales-orders", order.id)).invoices).toEqual([])
    expect((await admin.get("/messages/status")).body.data).toEqual({
      isSending: true,
      isPaused: false,
      isSwitchedOff: false,
      isSetUp: false,
      missing: [],
    })
  })
})

describe("sending", () => {
  beforeAll(() => setMail(admin, server.port))

  test("a statement goes to the address for invoices, with its PDF and the balance", async () => {
    const customer = await customerOf({ invoiceEmail: "konto@mueller.example" })
    await trade(admin).invoice({ customer: customer.id })
    const answer = await admin.post(`/customers/${customer.id}/statement/send`, {
      period: { from: "2020-01-01", to: "2099-12-31" },
    })
    expect(answer.status).toBe(202)
    const { id, to, subject, message } = answer.body.data
    expect([to, subject]).toEqual([["konto@mueller.example"], "Kontoauszug von Nordlicht GmbH"])
    expect(message).toMatch(/Der Saldo beträgt 20,00\s€/)
    expect(await settled(admin, id)).toMatchObject({
      kind: "customers",
      record: customer.id,
      number: customer.customerNumber,
      status: "sent",
      attachments: [{ name: "statement-2020-01-01-2099-12-31.pdf", sha256: expect.any(String) }],
    })
    const wrong = { period: { from: "2026-02-01", to: "2026-01-01" } }
    expect(refusalOf(await admin.post(`/customers/${customer.id}/statement/send`, wrong)).fields).toEqual([
      "period.from",
    ])
    const silent = (await trade(admin).customer()).id
    expect(refusalOf(await admin.post(`/customers/${silent}/statement/send`)).fields).toEqual(["to"])
  })

  test("an invoice goes to the address for invoices, with the kept PDF and the texts of the settings", async () => {
    const customer = await customerOf({ invoiceEmail: "rechnung@mueller.example", contactName: "Anna" })
    const invoice = await trade(admin).invoice({ customer: customer.id })
    const before = await admin.get(`/invoices/${invoice.id}`)
    const answer = await admin.post(`/invoices/${invoice.id}/send`)
    expect(answer).toMatchObject({
      status: 202,
      body: {
        data: {
          kind: "invoices",
          record: invoice.id,
          number: invoice.invoiceNumber,
          status: "queued",
          to: ["rechnung@mueller.example"],
          cc: [],
          language: "de",
          attempts: [],
          rejected: [],
          sentAt: null,
        },
      },
    })
    const { id } = answer.body.data
    expect(answer.headers.get("location")).toBe(`/api/v1/messages/${id}`)
    const message = await settled(admin, id)
    expect(message).toMatchObject({
      status: "sent",
      attempts: [{ step: "data", code: 250 }],
      nextAttemptAt: null,
    })
    const pdf = await fetch(`${kontor.url}/api/v1/invoices/${invoice.id}/pdf`, { headers: admin.credential })
    const kept = Buffer.from(await pdf.arrayBuffer())
    expect(message.attachments).toEqual([
      {
        name: `${invoice.invoiceNumber}.pdf`,
        sha256: Bun.SHA256.hash(new Uint8Array(kept), "hex"),
        bytes: kept.length,
      },
    ])
    const taken = server.taken.at(-1)
    expect(taken).toMatchObject({ from: "shop@shop.example", to: ["rechnung@mueller.example"] })
    const mail = await readMail(taken as never)
    expect(mail.subject).toBe(`Rechnung ${invoice.invoiceNumber} von Nordlicht GmbH`)
    expect(mail.text?.replaceAll("\u00a0", " ")).toContain(`Rechnung ${invoice.invoiceNumber} über 20,00 €`)
    expect(mail.from).toMatchObject({ name: "Nordlicht GmbH", address: "shop@shop.example" })
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).equals(kept)).toBeTrue()
    const after = await admin.get(`/invoices/${invoice.id}`)
    expect(after.body.data.lastSentAt).toBe(message.sentAt)
    expect(after.body.data.version).toBe(before.body.data.version)
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"))
  })

  test("a customer who gives a reference gets the XRechnung too, unless the body says what to attach", async () => {
    await fillCompany(admin, company)
    const customer = await trade(admin).customer({ ...buyer, buyerReference: "04011000-12345-03" })
    const line = { description: "Work", quantity: 2, rate: 40 }
    const invoiceFor = (over: object = {}) =>
      admin.create("/invoices", { customer: customer.id, items: [line], status: "unpaid", ...over })
    const sent = async ({ id }: { id: string }, body: object = {}) => {
      const answer = await admin.post(`/invoices/${id}/send?dryRun=true`, body)
      expect(answer.status).toBe(202)
      return answer.body.data.attachments.map(({ name }: { name: string }) => name)
    }
    const invoice = await invoiceFor()
    const [number, pdf] = [invoice.invoiceNumber, `${invoice.invoiceNumber}.pdf`]
    expect(await sent(invoice)).toEqual([pdf, `${number}.xrechnung.ubl.xml`])
    expect(await sent(invoice, { attach: ["pdf"] })).toEqual([pdf])
    expect(await sent(invoice, { attach: ["xml"], profile: "en16931" })).toEqual([`${number}.xml`])
    expect(await sent(invoice, { attach: ["xml"], format: "cii" })).toEqual([`${number}.xrechnung.xml`])
    // Without a city it would not be valid.
    await admin.put(`/customers/${customer.id}`, { address: { city: null } })
    const lacking = await invoiceFor()
    expect(await sent(lacking)).toEqual([`${lacking.invoiceNumber}.pdf`])
    expect((await admin.get(`/invoices/${invoice.id}/xml?format=ubl&profile=xrechnung`)).status).toBe(200)
    const { id } = (await admin.post(`/invoices/${invoice.id}/send`)).body.data
    expect((await settled(admin, id)).attachments).toHaveLength(2)
    await admin.put("/settings", { defaultTaxCode: null })
  })

  test("an order goes with the PDF of that moment, also if it is changed before it is sent", async () => {
    atEnd = () => {
      throw refusal(451, "4.3.0 later")
    }
    const customer = await customerOf({ invoiceEmail: "rechnung@mueller.example" })
    const order = await trade(admin).submitted({ customer: customer.id, notes: "before" })
    const { id } = (await admin.post(`/sales-orders/${order.id}/send`)).body.data
    const first = await tried(admin, id, 1)
    expect(first).toMatchObject({
      status: "queued",
      to: ["a@mueller.example"],
      attempts: [{ step: "data", code: 451, text: "451 4.3.0 later" }],
    })
    const waits = Date.parse(first.nextAttemptAt) - Date.parse(first.attempts[0].at)
    expect(waits).toBe(60_000)
    expect((await admin.put(`/sales-orders/${order.id}`, { notes: "after" })).status).toBe(200)
    atEnd = () => {}
    expect((await admin.post(`/messages/${id}/retry`)).status).toBe(200)
    const message = await settled(admin, id)
    expect(message.attachments).toEqual(first.attachments)
    expect(message.attachments[0]).toMatchObject({
      name: `${order.orderNumber}.pdf`,
      bytes: expect.any(Number),
    })
    expect((await trade(admin).get("sales-orders", order.id)).lastSentAt).toBe(message.sentAt)
  })

  test("issuing, crediting and invoicing an order send the document when the body says so", async () => {
    const customer = await customerOf()
    const order = await trade(admin).submitted({ customer: customer.id })
    const invoice = (await trade(admin).bill(order.id, { send: true })).body.data
    const item = await trade(admin).item()
    const draft = { customer: customer.id, items: [{ item: item.id, quantity: 1 }] }
    const created = await admin.create("/invoices", { ...draft, status: "unpaid", send: true })
    const other = await admin.create("/invoices", draft)
    await admin.put(`/invoices/${other.id}/status`, { status: "unpaid", send: true })
    // The same request again changes nothing, and sends nothing.
    await admin.put(`/invoices/${other.id}/status`, { status: "unpaid", send: true })
    const note = await admin.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Back", send: true })
    for (const { id } of [invoice, created, other, note]) {
      const { data } = (await admin.get(`/messages?record=${id}`)).body
      expect(data.length).toBe(1)
      expect((await settled(admin, data[0].id)).status).toBe("sent")
    }
    expect((await trade(admin).get("credit-notes", note.id)).lastSentAt).not.toBeNull()
    expect(refusalOf(await admin.post("/invoices", { ...draft, send: true }))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields: ["send"],
    })
  })

  test("the e-invoice is attached on request, and refused if it would not be valid", async () => {
    const invoice = await invoiceOf()
    const refused = await admin.post(`/invoices/${invoice.id}/send`, { attach: ["pdf", "xml"] })
    expect(refusalOf(refused).code).toBe("E_INVOICE_INVALID")
    const order = await trade(admin).submitted({ customer: (await customerOf()).id })
    expect(refusalOf(await admin.post(`/sales-orders/${order.id}/send`, { attach: ["xml"] })).fields).toEqual(
      ["attach"],
    )
  })

  test("the body says to whom, in which language and what is sent", async () => {
    const invoice = await invoiceOf()
    const { data } = (
      await admin.post(`/invoices/${invoice.id}/send`, {
        to: "Eins@x.example, zwei@x.example; eins@X.example",
        cc: ["drei@x.example", "zwei@x.example"],
        subject: "Nr. {number}",
        message: "Dear {contact},\n\n{total} {balance} {dueDate} {customer} {company}",
        language: "en",
        externalId: "mail-1",
        metadata: { run: "7" },
      })
    ).body
    expect(data).toMatchObject({
      to: ["Eins@x.example", "zwei@x.example"],
      cc: ["drei@x.example"],
      subject: `Nr. ${invoice.invoiceNumber}`,
      language: "en",
      externalId: "mail-1",
      metadata: { run: "7" },
    })
    expect(data.message).toContain("Dear Müller KG,\n\n€20.00 €20.00")
    expect((await settled(admin, data.id)).attachments[0].name).toBe(`${invoice.invoiceNumber}.pdf`)
    expect((await admin.get("/messages/by/externalId/mail-1")).body.data.id).toBe(data.id)
    for (const query of ["search=zwei", "kind=invoices&externalId=mail-1", "metadata[run]=7"])
      expect([query, (await admin.get(`/messages?${query}`)).body.data.map((each: any) => each.id)]).toEqual([
        query,
        [data.id],
      ])
    const again = await admin.post(`/invoices/${invoice.id}/send`, { externalId: "mail-1" })
    expect(refusalOf(again).fields).toEqual(["externalId"])
  })

  test("some refused addresses are told, and the message is sent", async () => {
    const invoice = await invoiceOf()
    const { data } = (
      await admin.post(`/invoices/${invoice.id}/send`, { to: ["yes@x.example", "no@x.example"] })
    ).body
    expect(await settled(admin, data.id)).toMatchObject({ status: "sent", rejected: ["no@x.example"] })
  })

  test("a refusal for ever is a failure, which is an event and stands on the dashboard", async () => {
    const invoice = await invoiceOf()
    const before = (await admin.get("/reports/summary")).body.data.counts.failedMessages
    const { data } = (await admin.post(`/invoices/${invoice.id}/send`, { to: "no@x.example" })).body
    expect(await settled(admin, data.id)).toMatchObject({
      status: "failed",
      nextAttemptAt: null,
      attempts: [{ step: "recipient", code: 550, text: "550 5.1.1 unknown" }],
    })
    expect((await trade(admin).get("invoices", invoice.id)).lastSentAt).toBeNull()
    const metrics = await (await fetch(`${kontor.url}/metrics`)).text()
    expect(metrics).toMatch(/^kontor_messages\{status="failed"\} [1-9]/m)
    const events = (await admin.get("/events?types=messages.failed&limit=1000")).body.data
    expect(events.map(({ recordId }: { recordId: string }) => recordId)).toContain(data.id)
    expect((await admin.get("/reports/summary")).body.data.counts.failedMessages).toBe(before + 1)
    // A later message about the same record is what counts.
    const { id } = (await admin.post(`/invoices/${invoice.id}/send`)).body.data
    expect((await settled(admin, id)).status).toBe("sent")
    expect((await admin.get("/reports/summary")).body.data.counts.failedMessages).toBe(before)
  })

  test("a message that waits can be cancelled, and no other", async () => {
    atEnd = () => {
      throw refusal(451, "4.3.0 later")
    }
    const invoice = await invoiceOf()
    const { id } = (await admin.post(`/invoices/${invoice.id}/send`)).body.data
    await tried(admin, id, 1)
    const cancelled = await admin.post(`/messages/${id}/cancel`)
    expect(cancelled.body.data).toMatchObject({ status: "cancelled", nextAttemptAt: null })
    expect(refusalOf(await admin.post(`/messages/${id}/cancel`)).code).toBe("MESSAGE_NOT_QUEUED")
    expect(refusalOf(await admin.post(`/messages/${id}/retry`)).code).toBe("MESSAGE_NOT_FAILED")
    expect((await admin.get(`/messages/${id}/history`)).body.data.map((each: any) => each.action)).toEqual([
      "messages.cancel",
      "messages.create",
    ])
    atEnd = () => {}
  })

  test("many are sent by a batch, each by itself", async () => {
    const [one, two] = [await invoiceOf(), await invoiceOf({ email: null })]
    const { results } = (
      await admin.post("/invoices/batch", {
        mode: "each",
        operations: [
          { op: "send", id: one.id, body: { subject: "Together" } },
          { op: "send", id: two.id },
          { op: "send", by: { field: "invoiceNumber", value: one.invoiceNumber } },
        ],
      })
    ).body.data
    expect(results).toMatchObject([
      { status: 202, data: { record: one.id, subject: "Together" } },
      { status: 422, error: { details: [{ field: "to", code: "REQUIRED" }] } },
      { status: 202, data: { record: one.id } },
    ])
    for (const { data } of [results[0], results[2]])
      expect((await settled(admin, data.id)).status).toBe("sent")
  })

  test("a repeated request with the same key sends once, and a dry run nothing", async () => {
    const invoice = await invoiceOf()
    const path = `/invoices/${invoice.id}/send`
    const dry = await admin.post(`${path}?dryRun=true`)
    expect(dry.body.data).toMatchObject({ status: "queued", to: ["a@mueller.example"] })
    const [one, two] = [
      await admin.post(path, {}, { "idempotency-key": "mail-key" }),
      await admin.post(path, {}, { "idempotency-key": "mail-key" }),
    ]
    expect(one.body.data.id).toBe(two.body.data.id)
    expect((await admin.get(`/messages?record=${invoice.id}`)).body.data.length).toBe(1)
    const byNumber = await admin.post(`/invoices/by/invoiceNumber/${invoice.invoiceNumber}/send`)
    expect(byNumber.status).toBe(202)
  })
})

describe("bad input", () => {
  test.each([
    ["a draft", () => trade(admin).order(), "sales-orders", {}, "DOCUMENT_IS_DRAFT", ["status"]],
    ["no address", () => invoiceOf({ email: null }), "invoices", {}, "VALIDATION_ERROR", ["to"]],
    ["an unknown placeholder", invoiceOf, "invoices", { message: "{link}" }, "VALIDATION_ERROR", ["message"]],
    [
      "a line break in the subject",
      invoiceOf,
      "invoices",
      { subject: "a\r\nBcc: x@y.example" },
      "VALIDATION_ERROR",
      ["subject"],
    ],
    [
      "a line break in an address",
      invoiceOf,
      "invoices",
      { to: "a@x.example\r\nRCPT TO:<b@x.example>" },
      "VALIDATION_ERROR",
      ["to"],
    ],
    [
      "an address of 10 kB",
      invoiceOf,
      "invoices",
      { to: `${"a".repeat(10_000)}@x.example` },
      "VALIDATION_ERROR",
      ["to"],
    ],
    [
      "11 addresses",
      invoiceOf,
      "invoices",
      { to: Array.from({ length: 11 }, (_, i) => `a${i}@x.example`) },
      "VALIDATION_ERROR",
      ["to"],
    ],
    [
      "10 and one more in copy",
      invoiceOf,
      "invoices",
      { to: Array.from({ length: 10 }, (_, i) => `a${i}@x.example`), cc: "b@x.example" },
      "VALIDATION_ERROR",
      ["cc"],
    ],
    ["an empty list", invoiceOf, "invoices", { to: [] }, "VALIDATION_ERROR", ["to"]],
    ["no address at all", invoiceOf, "invoices", { to: "Anna" }, "VALIDATION_ERROR", ["to"]],
    ["an unknown form", invoiceOf, "invoices", { attach: ["doc"] }, "VALIDATION_ERROR", ["attach[0]"]],
    ["an unknown field", invoiceOf, "invoices", { bcc: "x@x.example" }, "VALIDATION_ERROR", ["bcc"]],
  ] as const)("%s is refused, and nothing is stored", async (_, make, kind, body, code, fields) => {
    const { id } = await make()
    expect(refusalOf(await admin.post(`/${kind}/${id}/send`, body))).toEqual({
      status: 422,
      code,
      fields: [...fields],
    })
    expect((await admin.get(`/messages?record=${id}`)).body.data).toEqual([])
  })

  test("names cannot become headers, addresses or paths of files", async () => {
    const hostile = 'Evil" <x@y.example>, \u2028 {number} <script>alert(1)</script>'
    await admin.put("/settings", { legalName: hostile, numberFormats: { invoices: "RE/../{YYYY}/{#####}" } })
    const invoice = await invoiceOf({ name: hostile, contactName: hostile })
    const { id } = (await admin.post(`/invoices/${invoice.id}/send`, { message: "{customer}\n{contact}" }))
      .body.data
    expect((await settled(admin, id)).status).toBe("sent")
    const taken = server.taken.at(-1)
    expect(taken?.to).toEqual(["a@mueller.example"])
    const mail = await readMail(taken as never)
    expect(mail.to).toEqual([{ name: "", address: "a@mueller.example" }])
    expect(mail.from?.address).toBe("shop@shop.example")
    expect(mail.attachments[0]?.filename).not.toMatch(/[/\\]/)
    expect(mail.html).not.toContain("<script")
    expect(mail.headers.filter(({ key }) => key === "bcc")).toEqual([])
    await admin.put("/settings", { ...company, numberFormats: null })
  })
})

/** Signs in as a new user with a role. */
async function personOf(role: string): Promise<Api> {
  const [email, password] = [`${role}-${Math.random()}@example.com`, "a long password"]
  await admin.create("/users", { email, name: role, role, password })
  return signIn(kontor, email, password)
}

describe("rights", () => {
  test("who may read the document reads its messages, and who may write it sends", async () => {
    const invoice = await invoiceOf()
    const { id } = (await admin.post(`/invoices/${invoice.id}/send`)).body.data
    await settled(admin, id)
    const [viewer, sales, shop] = [await personOf("viewer"), await personOf("sales"), await personOf("shop")]
    expect((await viewer.get(`/messages/${id}`)).status).toBe(200)
    for (const person of [viewer, sales]) {
      expect((await person.post(`/invoices/${invoice.id}/send`)).status).toBe(403)
      expect((await person.post(`/messages/${id}/retry`)).status).toBe(403)
    }
    expect((await shop.post(`/invoices/${invoice.id}/send`, { to: "other@x.example" })).status).toBe(202)
    const order = await trade(admin).submitted({ customer: invoice.customer })
    expect((await sales.post(`/sales-orders/${order.id}/send`)).status).toBe(202)
    expect((await viewer.post("/messages/resume")).status).toBe(403)
    expect((await viewer.post("/settings/smtp/test", { to: "a@x.example" })).status).toBe(403)
  })

  test("a leaked key sends only to the addresses of the customer", async () => {
    const invoice = await invoiceOf({ invoiceEmail: "r@mueller.example" })
    const made = await admin.create("/api-keys", { name: "Till", scopes: ["read", "write"] })
    const key = apiWith(kontor, { "x-api-key": made.key })
    const path = `/invoices/${invoice.id}/send`
    for (const body of [
      { to: "victim@x.example" },
      { to: "a@mueller.example", cc: "victim@x.example" },
      { to: "R@mueller.example, victim@x.example" },
    ])
      expect(refusalOf(await key.post(path, body))).toEqual({
        status: 403,
        code: "FORBIDDEN",
        fields: ["to"],
      })
    expect(
      (
        await key.post("/invoices/batch", {
          mode: "each",
          operations: [{ op: "send", id: invoice.id, body: { to: "victim@x.example" } }],
        })
      ).body.data.results[0].status,
    ).toBe(403)
    const { id } = (await key.post(path, { to: "A@Mueller.example", cc: "r@mueller.example" })).body.data
    expect((await settled(admin, id)).status).toBe("sent")
    expect(server.taken.flatMap(({ to }) => to)).not.toContain("victim@x.example")
  })
})

describe("the settings", () => {
  test("never return secrets, and keep them when they are left out", async () => {
    const secret = "hunter2-very-secret"
    const smtp = {
      auth: "password",
      user: "shop",
      password: secret,
      oauth: { clientSecret: secret, clientId: "c" },
    }
    const answer = await admin.put("/settings", { smtp })
    expect(answer.body.data.smtp).toEqual({
      host: "127.0.0.1",
      port: server.port,
      security: "none",
      auth: "password",
      user: "shop",
      from: "shop@shop.example",
      fromName: null,
      replyTo: null,
      bcc: null,
      perMinute: 1_000,
      oauth: { tokenUrl: null, clientId: "c", scope: null },
      missing: [],
    })
    const read = await admin.get("/settings")
    expect((await admin.put("/settings", read.body.data)).body.data.version).toBe(read.body.data.version)
    const texts = [
      answer.text,
      read.text,
      (await admin.get("/audit-logs?perPage=200")).text,
      (await admin.get("/settings/history")).text,
      (await admin.get("/events?limit=1000")).text,
      kontor.output.stderr,
      kontor.output.stdout,
    ]
    for (const text of texts) expect(text).not.toContain(secret)
    const archive = await fetch(`${kontor.url}/api/v1/export.zip`, { headers: admin.credential })
    expect(Buffer.from(await archive.arrayBuffer()).includes(secret)).toBeFalse()
    const removed = await admin.put("/settings", { smtp: { password: null } })
    expect(removed.body.data.smtp.missing).toEqual(["password"])
    expect(refusalOf(await admin.post("/settings/smtp/test", { to: "a@x.example" }))).toMatchObject({
      code: "MAIL_NOT_SET_UP",
      fields: ["smtp.password"],
    })
    await setMail(admin, server.port)
  })

  test.each([
    [{ security: "none", host: "8.8.8.8" }, ["smtp.security"]],
    [{ host: "a b" }, ["smtp.host"]],
    [{ port: 0 }, ["smtp.port"]],
    [{ from: "Anna" }, ["smtp.from"]],
    [{ fromName: "a\r\nBcc: x@y.example" }, ["smtp.fromName"]],
    [{ perMinute: 0 }, ["smtp.perMinute"]],
    [{ password: "a\nb" }, ["smtp.password"]],
    [{ password: "a".repeat(9_000) }, ["smtp.password"]],
    [{ oauth: { tokenUrl: "http://10.0.0.1/token" } }, ["smtp.oauth.tokenUrl"]],
    [{ oauth: { secret: "x" } }, ["smtp.oauth.secret"]],
    [{ colour: "x" }, ["smtp.colour"]],
  ])("refuse %j", async (smtp, fields) => {
    const { version } = (await admin.get("/settings")).body.data
    expect(refusalOf(await admin.put("/settings", { smtp }))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields,
    })
    expect((await admin.get("/settings")).body.data.version).toBe(version)
  })

  test("say that mail needs encryption outside of the own network", async () => {
    const answer = await admin.put("/settings", { smtp: { security: "none", host: "8.8.8.8" } })
    expect(answer.body.error.details[0].params).toEqual({ rule: "NOT_ENCRYPTED" })
  })

  test("have texts for each kind and language, with known placeholders", async () => {
    const { mailTexts } = (await admin.get("/settings")).body.data
    expect(Object.keys(mailTexts)).toEqual([
      "quotations",
      "salesOrders",
      "deliveries",
      "invoices",
      "creditNotes",
      "reminders",
      "statements",
    ])
    const changed = await admin.put("/settings", {
      mailTexts: { invoices: { de: { subject: "Ihre {number}" } } },
    })
    expect(changed.body.data.mailTexts).toEqual({
      ...mailTexts,
      invoices: { ...mailTexts.invoices, de: { ...mailTexts.invoices.de, subject: "Ihre {number}" } },
    })
    const invoice = await invoiceOf()
    const sent = await admin.post(`/invoices/${invoice.id}/send`)
    expect(sent.body.data.subject).toBe(`Ihre ${invoice.invoiceNumber}`)
    expect(
      refusalOf(await admin.put("/settings", { mailTexts: { invoices: { de: { message: "{iban}" } } } }))
        .fields,
    ).toEqual(["mailTexts.invoices.de.message"])
    expect((await admin.put("/settings", { mailTexts: { invoices: null } })).body.data.mailTexts).toEqual(
      mailTexts,
    )
  })

  test("are tested with the words of the server", async () => {
    const told = await admin.post("/settings/smtp/test", { to: "a@x.example" })
    expect(told).toMatchObject({ status: 200, body: { data: { ok: true } } })
    expect(told.body.data.steps.map(({ step }: { step: string }) => step)).toEqual([
      "connect",
      "sender",
      "recipient",
      "data",
    ])
    expect((await admin.post("/settings/smtp/test", { to: "no@x.example" })).body.data).toMatchObject({
      ok: false,
      steps: [
        { step: "connect" },
        { step: "sender" },
        { step: "recipient", code: 550, text: "550 5.1.1 unknown" },
      ],
    })
  })

  test("limit the messages per minute", async () => {
    await setMail(admin, server.port, { perMinute: 1 })
    const invoice = await invoiceOf()
    const [one, two] = [
      await admin.post(`/invoices/${invoice.id}/send`),
      await admin.post(`/invoices/${invoice.id}/send`),
    ].map(({ body }) => body.data.id)
    // Those of the tests before count too, so at most one of the two goes out within the minute.
    const statuses = async () =>
      (await Promise.all([one, two].map((id) => admin.get(`/messages/${id}`)))).map(
        ({ body }) => body.data.status,
      )
    expect(await statuses()).toContain("queued")
    await setMail(admin, server.port)
    for (const id of [one, two]) expect((await settled(admin, id)).status).toBe("sent")
  })
})

test("every proof holds after all that", async () => {
  await kontor.stop()
  const { code, stdout } = await run(["check"], { cwd: kontor.cwd })
  expect([code, stdout]).toEqual([0, expect.stringContaining("Head of the audit log")])
})
