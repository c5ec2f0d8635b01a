// Reminders of unpaid invoices: when they are due, what they say, and that none is made twice.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, send, signIn, type Api } from "../support/api"
import { adminEmail, adminPassword, cleanUp, run, serve, type Kontor } from "../support/kontor"
import { setMail, settled } from "../support/mail"
import { type MailServer, mailServer, readMail, stopMailServers } from "../support/mail-server"
import { readPdf } from "../support/pdf"
import { until } from "../support/until"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let server: MailServer
type Named = Record<string, any>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  server = await mailServer()
  await api.put("/settings", { legalName: "Nordlicht GmbH", currency: "EUR", reminderLevels: levels })
})
afterAll(async () => {
  await cleanUp()
  await stopMailServers()
})

const levels = [{ afterDays: 7 }, { afterDays: 21, fee: 5 }, { afterDays: 35, fee: 10.5 }]
const dayMillis = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMillis).toISOString().slice(0, 10)

/** An issued invoice of 119 that was due a number of days ago. */
const overdue = (customer: string, days: number): Promise<Named> =>
  api.create("/invoices", {
    customer,
    items: [{ description: "Work", quantity: 1, rate: 119 }],
    invoiceDate: daysAgo(days),
    dueDate: daysAgo(days),
    status: "unpaid",
  })
const customerOf = (over: object = {}): Promise<Named> => shop.customer({ name: "Müller KG", ...over })
const remind = (invoice: Named, body: object = {}) => api.post(`/invoices/${invoice["id"]}/reminders`, body)
const reminded = async (invoice: Named, body: object = {}): Promise<Named> => {
  const { status, body: answer } = await remind(invoice, body)
  expect([status, answer.error]).toEqual([201, undefined])
  return answer.data
}
const pdfOf = async (id: string): Promise<Uint8Array> => {
  const body = { email: adminEmail, password: adminPassword }
  const { token } = (await send(`${kontor.url}/api/v1/auth/login`, { body })).body.data
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${kontor.url}/api/v1/reminders/${id}/pdf`, { headers })).bytes()
}
async function jobEnded(id: string): Promise<Named> {
  let job: Named = {}
  await until(async () => {
    job = (await api.get(`/jobs/${id}`)).body.data
    return job["finishedAt"] !== null
  })
  return job
}
/** Why a reminder is refused. */
const reasonOf = async (invoice: Named, body: object = {}) => {
  const answer = await remind(invoice, body)
  expect(refusalOf(answer)).toMatchObject({ status: 422, code: "REMINDER_NOT_DUE" })
  const { reason, dueOn } = answer.body.error.params
  return dueOn ? [reason, dueOn] : reason
}

describe("a reminder", () => {
  test("has the next level, what is open, the fee and the filled-in text, and leaves the invoice as it is", async () => {
    const customer = await customerOf({ language: "de", contactName: "Anna" })
    const invoice = await overdue(customer["id"], 30)
    await shop.pay(invoice["id"], 19)
    const before = (await api.get(`/invoices/${invoice["id"]}`)).body.data
    const reminder = await reminded(invoice)
    const { reminderNumber } = reminder
    expect(reminder).toMatchObject({
      reminderNumber: expect.stringMatching(/^REM-\d{4}-00001$/),
      invoice: invoice["id"],
      invoiceNumber: invoice["invoiceNumber"],
      customer: customer["id"],
      level: 1,
      date: daysAgo(0),
      dueDate: daysAgo(30),
      balance: 100,
      fee: 0,
      language: "de",
      subject: `Zahlungserinnerung: Rechnung ${invoice["invoiceNumber"]}`,
      message: expect.stringMatching(/100,00\s€ sind noch offen/),
      lastSentAt: null,
    })
    expect((await api.get(`/invoices/${invoice["id"]}`)).body.data).toEqual(before)
    const levels = await api.get(`/reminders/values?field=level&customer=${customer["id"]}`)
    expect(levels.body.data).toEqual([{ value: "1", count: 1 }])
    const firstOnes = await api.get(`/reminders?level[in]=1,2&customer=${customer["id"]}`)
    expect(firstOnes.body.data.map(({ id }: Named) => id)).toEqual([reminder["id"]])
    const { text } = await readPdf(await pdfOf(reminder["id"]))
    for (const part of ["Zahlungserinnerung", reminderNumber, invoice["invoiceNumber"], "100,00"])
      expect(text).toContain(part)
  })

  test("is due some days after the due date, and as many days after the last one as the levels are apart", async () => {
    const customer = (await customerOf())["id"]
    expect(await reasonOf(await overdue(customer, 6))).toEqual(["EARLY", daysAgo(-1)])
    const invoice = await overdue(customer, 100)
    await reminded(invoice)
    expect(await reasonOf(invoice)).toEqual(["EARLY", daysAgo(-14)])
    const second = await reminded(invoice, { override: true })
    expect(second).toMatchObject({ level: 2, fee: 5 })
    expect(await reminded(invoice, { override: true })).toMatchObject({ level: 3, fee: 10.5 })
    expect(await reasonOf(invoice, { override: true })).toBe("NO_LEVEL_LEFT")
  })

  test("is not made of what nobody owes, and not while reminders are paused", async () => {
    const customer = await customerOf()
    const invoice = await overdue(customer["id"], 30)
    await api.put(`/invoices/${invoice["id"]}`, { remindersPausedUntil: daysAgo(0) })
    expect(await reasonOf(invoice)).toBe("PAUSED")
    await api.put(`/invoices/${invoice["id"]}`, { remindersPausedUntil: daysAgo(1) })
    await api.put(`/customers/${customer["id"]}`, { remindersPausedUntil: daysAgo(-5) })
    expect(await reasonOf(invoice)).toBe("PAUSED")
    await reminded(invoice, { override: true })
    await shop.pay(invoice["id"], 119)
    expect(await reasonOf(invoice, { override: true })).toBe("NOT_OPEN")
    const draft = await api.create("/invoices", {
      customer: customer["id"],
      items: [{ description: "Work", quantity: 1, rate: 1 }],
    })
    expect(await reasonOf(draft)).toBe("NOT_OPEN")
  })

  test("is for accountants and above, and never made twice by requests at the same time", async () => {
    const invoice = await overdue((await customerOf())["id"], 30)
    await api.create("/users", {
      name: "Till",
      email: "till@example.com",
      password: "till-password-1",
      role: "shop",
    })
    const till = await signIn(kontor, "till@example.com", "till-password-1")
    expect(refusalOf(await till.post(`/invoices/${invoice["id"]}/reminders`, {}))).toMatchObject({
      status: 403,
    })
    const answers = await Promise.all(Array.from({ length: 8 }, () => remind(invoice)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 422),
    ])
    expect((await api.get(`/reminders?invoice=${invoice["id"]}`)).body.data).toHaveLength(1)
  })

  test("keeps its metadata and external ID current, and is found, listed and told as an event", async () => {
    const invoice = await overdue((await customerOf({ name: "Findling AG" }))["id"], 30)
    const { id, reminderNumber } = await reminded(invoice, { externalId: "R-77" })
    expect((await api.put(`/reminders/${id}`, { metadata: { case: "7" } })).body.data.metadata).toEqual({
      case: "7",
    })
    expect((await api.get("/reminders/by/externalId/R-77")).body.data.id).toBe(id)
    expect((await api.get(`/search?q=${reminderNumber}`)).body.data.reminders[0].id).toBe(id)
    const { data: events } = (await api.get(`/events?types=reminders.created&limit=100`)).body
    expect(events.some(({ recordId }: Named) => recordId === id)).toBe(true)
    expect(refusalOf(await api.put(`/reminders/${id}`, { fee: 1 })).status).toBe(200)
    expect((await api.get(`/reminders/${id}`)).body.data.fee).toBe(0)
  })
})

describe("the levels", () => {
  test("are 7, 21 and 35 days without a fee, with texts in three languages, until others are set", async () => {
    await api.put("/settings", { reminderLevels: null })
    const { reminderLevels } = (await api.get("/settings")).body.data
    expect(reminderLevels.map(({ afterDays, fee }: Named) => [afterDays, fee])).toEqual([
      [7, 0],
      [21, 0],
      [35, 0],
    ])
    expect(reminderLevels.map(({ texts }: Named) => texts.de.subject)).toEqual([
      "Zahlungserinnerung: Rechnung {number}",
      "Mahnung: Rechnung {number}",
      "Letzte Mahnung: Rechnung {number}",
    ])
    await api.put("/settings", { reminderLevels: levels })
  })

  for (const [wrong, field] of [
    [[], "reminderLevels"],
    [[{ afterDays: 7 }, { afterDays: 7 }], "reminderLevels[1].afterDays"],
    [[{}], "reminderLevels[0].afterDays"],
    [[{ afterDays: 1, fee: -1 }], "reminderLevels[0].fee"],
    [[{ afterDays: 1, texts: { de: { message: "{nothing}" } } }], "reminderLevels[0].texts.de.message"],
    [Array.from({ length: 6 }, (_, i) => ({ afterDays: i })), "reminderLevels"],
  ] as const)
    test(`cannot be ${JSON.stringify(wrong).slice(0, 50)}`, async () => {
      expect(refusalOf(await api.put("/settings", { reminderLevels: wrong })).fields).toEqual([field])
    })
})

describe("a run", () => {
  test("makes all that are due, with one message per customer, and nothing the second time", async () => {
    await setMail(api, server.port)
    const [first, second, silent] = [
      await customerOf({ email: "first@example.com", invoiceEmail: "books@example.com" }),
      await customerOf({ email: "second@example.com" }),
      await customerOf({ name: "Ohne Adresse" }),
    ]
    const invoices = [
      await overdue(first["id"], 10),
      await overdue(first["id"], 9),
      await overdue(second["id"], 8),
      await overdue(silent["id"], 8),
    ]
    const due = (await api.post("/reminders/run", { dryRun: true })).body.data
    const numbers = invoices.map(({ invoiceNumber }) => invoiceNumber)
    expect(
      due.reminders.flatMap((each: Named) =>
        numbers.includes(each["invoiceNumber"]) ? [each["email"]] : [],
      ),
    ).toEqual(["books@example.com", "books@example.com", "second@example.com", null])
    expect((await api.get(`/reminders?invoice=${invoices[0]?.["id"]}`)).body.data).toEqual([])

    const started = await api.post("/reminders/run", { send: true })
    expect(started.status).toBe(202)
    const job = await jobEnded(started.body.data.id)
    expect(job).toMatchObject({
      status: "finished",
      counts: { due: due.invoices, created: due.invoices, failed: 0 },
    })
    const messages = (await api.get(`/messages?record=${first["id"]}`)).body.data
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({
      kind: "customers",
      to: ["books@example.com"],
      createdBy: expect.any(String),
    })
    expect(messages[0].records).toHaveLength(2)
    await settled(api, messages[0].id)
    const taken = server.taken.find(({ to }) => to.includes("books@example.com"))
    if (!taken) throw new Error("The server has taken no message.")
    const mail = await readMail(taken)
    expect(mail.attachments.map(({ filename }: Named) => filename).toSorted()).toHaveLength(2)
    const sent = (await api.get(`/reminders?customer=${first["id"]}`)).body.data
    expect(sent.every(({ lastSentAt }: Named) => lastSentAt !== null)).toBe(true)

    const again = await api.post("/reminders/run", { send: true })
    expect(await jobEnded(again.body.data.id)).toMatchObject({
      status: "finished",
      counts: { created: 0 },
    })
    expect((await api.get(`/messages?record=${first["id"]}`)).body.data).toHaveLength(1)
    const check = await run(["check", "--db", kontor.file])
    expect([check.code, check.stdout]).toEqual([0, expect.any(String)])
  })
})
