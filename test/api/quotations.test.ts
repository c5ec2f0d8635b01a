import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Answer, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { openTested } from "../support/engine"
import { setMail, settled } from "../support/mail"
import { mailServer, type MailServer, readMail, stopMailServers } from "../support/mail-server"
import { readPdf } from "../support/pdf"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let server: MailServer
let customer: string
let item: string
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  server = await mailServer()
  await setMail(api, server.port)
  await api.put("/settings", { legalName: "Nordlicht GmbH", currency: "EUR", publicPages: true })
  customer = (await shop.customer({ name: "Müller KG", email: "a@mueller.example", language: "de" })).id
  item = (await shop.item({ itemName: "Desk", sellingPrice: 100, taxRate: 19 })).id
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
  await stopMailServers()
})

const quotation = (over: object = {}) =>
  api.create("/quotations", { customer, items: [{ item, quantity: 2 }], ...over })
const sent = (over: object = {}) => quotation({ status: "sent", ...over })
const now = (id: string) => shop.get("quotations", id)
const sha256 = (bytes: ArrayBuffer | Uint8Array) => Bun.SHA256.hash(new Uint8Array(bytes), "hex")
const pdfOf = async (id: string, query = "") => {
  const answer = await fetch(`${kontor.url}/api/v1/quotations/${id}/pdf${query}`, { headers: api.credential })
  return new Uint8Array(await answer.arrayBuffer())
}

describe("a quotation", () => {
  test("is numbered when it is created, has its validity and reserves nothing", async () => {
    const made = await quotation({ quotationDate: day(0), validUntil: day(14), terms: "Ab Werk." })
    expect(made).toMatchObject({
      quotationNumber: expect.stringMatching(/^QUO-\d{4}-\d{5}$/),
      status: "draft",
      revision: 1,
      isExpired: false,
      allowedTransitions: ["sent"],
      customerName: "Müller KG",
      total: 238,
      validUntil: day(14),
      terms: "Ab Werk.",
      salesOrder: null,
      link: null,
      sentAt: null,
      acceptedAt: null,
      acceptedPdfHash: null,
      reason: null,
    })
    expect((await shop.status("quotations", made.id, "sent")).body.data).toMatchObject({
      status: "sent",
      allowedTransitions: ["accepted", "declined", "withdrawn"],
      sentAt: expect.any(String),
    })
    expect((await shop.get("items", item)).reservedStock).toBe(0)
    expect((await shop.get("customers", customer)).openOrdersValue).toBe(0)
  })

  test("is found by its number, its customer and its external id", async () => {
    const made = await quotation({ externalId: "crm-7", metadata: { deal: "7" } })
    expect((await api.get("/quotations/by/externalId/crm-7")).body.data.id).toBe(made.id)
    expect((await api.get(`/quotations/by/quotationNumber/${made.quotationNumber}`)).body.data.id).toBe(
      made.id,
    )
    const found = (await api.get(`/search?q=${made.quotationNumber}`)).body.data
    expect(JSON.stringify(found)).toContain(made.id)
  })

  test("must not end before it begins", async () => {
    const answer = await api.post("/quotations", {
      customer,
      items: [{ item, quantity: 1 }],
      quotationDate: "2026-03-02",
      validUntil: "2026-03-01",
    })
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["validUntil"] })
  })

  test("gets a new revision by what the customer reads, after it was sent", async () => {
    const { id } = await quotation()
    await api.patch(`/quotations/${id}`, { notes: "One." })
    expect((await now(id)).revision).toBe(1)
    await shop.status("quotations", id, "sent")
    await api.patch(`/quotations/${id}`, { externalId: `x-${id}`, metadata: { a: "b" } })
    expect((await now(id)).revision).toBe(1)
    await api.patch(`/quotations/${id}`, { notes: "Two." })
    await api.patch(`/quotations/${id}`, { items: [{ item, quantity: 3 }] })
    expect(await now(id)).toMatchObject({ revision: 3, status: "sent", total: 357 })
  })

  test("is expired after its last day, which staff may still accept", async () => {
    const { id } = await sent({ quotationDate: day(-30), validUntil: day(-1) })
    const { id: today } = await sent({ quotationDate: day(-30), validUntil: day(0) })
    expect([(await now(id)).isExpired, (await now(today)).isExpired]).toEqual([true, false])
    const expired = (await api.get("/quotations?status=expired")).body.data
    expect(expired.map((each: { id: string }) => each.id)).toEqual([id])
    expect((await shop.status("quotations", id, "accepted")).body.data).toMatchObject({
      status: "accepted",
      isExpired: false,
    })
  })

  test("is deleted only as a draft", async () => {
    const draft = await quotation()
    expect((await api.delete(`/quotations/${draft.id}`)).status).toBe(204)
    const { id } = await sent()
    expect(refusalOf(await api.delete(`/quotations/${id}`)).code).toBe("DOCUMENT_LOCKED")
  })

  test("is put on paper in the language of the customer, with its validity and without a code to pay", async () => {
    await api.put("/settings", { iban: "DE89370400440532013000", bic: "COBADEFFXXX" })
    const { id } = await sent({ quotationDate: "2026-03-01", validUntil: "2026-03-15", terms: "Ab Werk." })
    const { text } = await readPdf(await pdfOf(id))
    for (const word of ["Angebot", "Gültig bis", "15.03.2026", "Bedingungen", "Ab Werk."])
      expect(text).toContain(word)
    expect(text).not.toContain("Scannen")
    expect((await readPdf(await pdfOf(id, "?language=fr"))).text).toContain("Devis")
    expect((await readPdf(await pdfOf(id, "?language=en"))).text).toContain("Quotation")
  })
})

describe("accepting by staff", () => {
  test("stores who, the revision and the hash of the PDF, and locks the quotation", async () => {
    const { id } = await sent()
    await api.patch(`/quotations/${id}`, { notes: "Cheaper." })
    const over = { acceptedBy: "Jonas Weber", reference: "By phone" }
    // A dry run stores nothing.
    const dry = await api.put(`/quotations/${id}/status?dryRun=true`, { status: "accepted", ...over })
    expect(dry.body.data.status).toBe("accepted")
    expect((await now(id)).status).toBe("sent")
    const answer = await shop.status("quotations", id, "accepted", over)
    expect(answer.body.data).toMatchObject({
      status: "accepted",
      acceptedBy: "Jonas Weber",
      acceptedReference: "By phone",
      acceptedIp: null,
      acceptedRevision: 2,
      acceptedPdfHash: sha256(await pdfOf(id)),
    })
    expect(refusalOf(await api.patch(`/quotations/${id}`, { notes: "More." }))).toEqual({
      status: 422,
      code: "DOCUMENT_LOCKED",
      fields: ["notes"],
    })
    // Whatever changes later, the PDF stays the one that was accepted.
    await api.put("/settings", { phone: "+49 40 1234" })
    await api.patch(`/customers/${customer}`, { language: "fr" })
    expect(sha256(await pdfOf(id))).toBe(answer.body.data.acceptedPdfHash)
    await api.patch(`/customers/${customer}`, { language: "de" })
    const types = (await api.get(`/events?types=quotations.*`)).body.data
      .filter(({ recordId }: { recordId: string }) => recordId === id)
      .map(({ type }: { type: string }) => type)
    expect(types).toContain("quotations.accepted")
  })

  test("works by another key, and not from a draft", async () => {
    const { quotationNumber: number, id } = await sent()
    const path = `/quotations/by/quotationNumber/${number}/status`
    expect((await api.put(path, { status: "accepted" })).body.data).toMatchObject({ id, status: "accepted" })
    const draft = await quotation()
    expect(refusalOf(await shop.status("quotations", draft.id, "accepted")).code).toBe(
      "INVALID_STATUS_TRANSITION",
    )
  })

  test("declining and withdrawing keep the reason", async () => {
    const [one, two] = [await sent(), await sent()]
    expect(
      (await shop.status("quotations", one.id, "declined", { reason: "Too late" })).body.data,
    ).toMatchObject({
      status: "declined",
      reason: "Too late",
      declinedAt: expect.any(String),
    })
    expect(
      (await shop.status("quotations", two.id, "withdrawn", { reason: "Sold out" })).body.data,
    ).toMatchObject({
      status: "withdrawn",
      reason: "Sold out",
      withdrawnAt: expect.any(String),
    })
  })
})

describe("POST /quotations/{id}/order", () => {
  test("makes one draft order, and accepts a quotation that was only sent", async () => {
    const { id } = await sent({
      items: [{ item, quantity: 2, rate: 90, discount: 5 }],
      discount: 10,
      buyerReference: "B-7",
    })
    const answer = await api.post(`/quotations/${id}/order`)
    const order = answer.body.data
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.headers.get("location")).toBe(`/api/v1/sales-orders/${order.id}`)
    const before = await now(id)
    expect(order).toMatchObject({
      status: "draft",
      quotation: id,
      total: before.total,
      discount: 10,
      buyerReference: "B-7",
      items: [{ rate: 90, discount: 5, quantity: 2 }],
    })
    expect(before).toMatchObject({ status: "accepted", salesOrder: order.id, acceptedRevision: 1 })
    const again = await api.post(`/quotations/${id}/order`)
    expect(refusalOf(again)).toMatchObject({ status: 422, code: "QUOTATION_ALREADY_ORDERED" })
    expect(again.body.error.params).toMatchObject({ salesOrder: order.id })
    // Without the draft it can be ordered again.
    await api.delete(`/sales-orders/${order.id}`)
    expect((await now(id)).salesOrder).toBeNull()
    expect((await api.post(`/quotations/${id}/order`)).status).toBe(201)
  })

  test("is refused before it is sent, and after it was declined", async () => {
    const draft = await quotation()
    const { id } = await sent()
    await shop.status("quotations", id, "declined")
    for (const each of [draft.id, id])
      expect(refusalOf(await api.post(`/quotations/${each}/order`)).code).toBe("QUOTATION_NOT_ACCEPTED")
  })

  test("works for what is not sold any more, which submitting tells", async () => {
    const old = (await shop.item({ sellingPrice: 5 })).id
    const { id } = await sent({ items: [{ item: old, quantity: 1 }] })
    await api.put(`/items/${old}`, { isActive: false })
    const order = (await api.post(`/quotations/${id}/order`)).body.data
    expect((await shop.status("sales-orders", order.id, "submitted")).status).toBe(422)
  })
})

/** Opens the page of a quotation. */
const openPage = async (id: string, body: object = {}): Promise<string> =>
  (await api.create(`/quotations/${id}/link`, body)).url.replace(/^https?:\/\/[^/]*/, kontor.url)

/** Sends a form of the page as a browser does, with what the page has shown. */
async function answerOn(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const { text } = await send(url)
  return postForm(url, { ...seenIn(text), ...fields }, headers)
}
const seenIn = (text: string) => ({
  revision: /name="revision" value="(\d+)"/.exec(text)?.[1] ?? "",
  sha256: /name="sha256"\s+value="(\w+)"/.exec(text)?.[1] ?? "",
})
const postForm = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(url, {
    body: new URLSearchParams(fields).toString(),
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: new URL(url).origin,
      ...headers,
    },
  })

describe("the public page", () => {
  test("shows the offer in its language, alone, and under a strict policy", async () => {
    const { id, quotationNumber } = await sent({ terms: "<b>Ab Werk</b>", validUntil: day(20) })
    const url = await openPage(id)
    expect(url).toMatch(/\/q\/[\w-]{27}$/)
    const page = await send(url)
    expect(page).toMatchObject({ status: 200 })
    for (const word of [
      "Annehmen",
      "Ablehnen",
      quotationNumber,
      "Desk",
      "238,00",
      "&lt;b&gt;Ab Werk",
      "Nordlicht GmbH",
    ])
      expect(page.text).toContain(word)
    expect(page.text).not.toContain("<script")
    const headers = Object.fromEntries(page.headers)
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-robots-tag": "noindex, nofollow",
      "referrer-policy": "same-origin",
      "x-frame-options": "DENY",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    })
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe")
    expect(page.headers.get("set-cookie")).toBeNull()
    const pdf = await fetch(`${url}/pdf`)
    expect(sha256(await pdf.arrayBuffer())).toBe(seenIn(page.text).sha256)
    expect((await now(id)).link).toEqual({ createdAt: expect.any(String), expiresAt: null })
  })

  test("takes an acceptance with name, time, address, revision and hash, once", async () => {
    const { id } = await sent()
    const url = await openPage(id)
    const accepted = await answerOn(url, { answer: "accept", name: "Jonas Weber" })
    expect([accepted.status, accepted.headers.get("location")]).toEqual([303, new URL(url).pathname])
    const record = await now(id)
    expect(record).toMatchObject({
      status: "accepted",
      acceptedBy: "Jonas Weber",
      acceptedIp: "127.0.0.1",
      acceptedRevision: 1,
      acceptedPdfHash: sha256(await pdfOf(id)),
    })
    const page = await send(url)
    expect(page.text).toContain("Jonas Weber hat dieses Angebot am")
    expect(page.text).not.toContain("<form")
    expect((await postForm(url, { ...seenIn(page.text), answer: "decline" })).status).toBe(409)
    expect((await now(id)).status).toBe("accepted")
  })

  test("takes no acceptance without a name, and a refusal with a reason", async () => {
    const { id } = await sent()
    const url = await openPage(id)
    const nameless = await answerOn(url, { answer: "accept", name: "  " })
    expect([nameless.status, nameless.text.includes("Geben Sie Ihren Namen ein")]).toEqual([422, true])
    expect((await answerOn(url, { answer: "accept", name: "x".repeat(500) })).status).toBe(422)
    expect((await answerOn(url, { answer: "decline", reason: "Zu teuer" })).status).toBe(303)
    expect(await now(id)).toMatchObject({ status: "declined", reason: "Zu teuer" })
    expect((await send(url)).text).toContain("abgelehnt")
  })

  test("shows a newer revision instead of accepting an older one", async () => {
    const { id } = await sent()
    const url = await openPage(id)
    const seen = seenIn((await send(url)).text)
    await api.patch(`/quotations/${id}`, { items: [{ item, quantity: 5 }] })
    const late = await postForm(url, { ...seen, answer: "accept", name: "Jonas Weber" })
    expect([late.status, late.text.includes("595,00"), late.text.includes("inzwischen geändert")]).toEqual([
      409,
      true,
      true,
    ])
    expect((await now(id)).status).toBe("sent")
    // A forged hash is not accepted either.
    const forged = { revision: "2", sha256: seen.sha256, answer: "accept", name: "Jonas Weber" }
    expect((await postForm(url, forged)).status).toBe(409)
    expect((await answerOn(url, { answer: "accept", name: "Jonas Weber" })).status).toBe(303)
    expect(await now(id)).toMatchObject({ status: "accepted", acceptedRevision: 2 })
  })

  test("refuses what is expired or withdrawn", async () => {
    const late = await sent({ quotationDate: day(-30), validUntil: day(-1) })
    const url = await openPage(late.id)
    const page = await send(url)
    expect([page.text.includes("<form"), page.text.includes("gültig bis")]).toEqual([false, true])
    const { sha256: hash } = { sha256: sha256(await pdfOf(late.id)) }
    const forged = { revision: "1", sha256: hash, answer: "accept", name: "Jonas" }
    expect((await postForm(url, forged)).status).toBe(409)
    expect((await now(late.id)).status).toBe("sent")
    const gone = await sent()
    const withdrawn = await openPage(gone.id)
    await shop.status("quotations", gone.id, "withdrawn")
    expect((await send(withdrawn)).text).toContain("zurückgezogen")
  })

  test("refuses forms of other sites", async () => {
    const { id } = await sent()
    const url = await openPage(id)
    for (const origin of ["https://evil.example", "null"])
      expect((await answerOn(url, { answer: "accept", name: "Eve" }, { origin })).status).toBe(403)
    const json = await send(url, { body: { answer: "accept" }, headers: { origin: new URL(url).origin } })
    expect(json.status).toBe(400)
    expect((await now(id)).status).toBe("sent")
  })

  test("has one link that works, which can be closed and can end, and is off without the setting", async () => {
    const { id } = await sent()
    const first = await openPage(id)
    const second = await openPage(id, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect([(await send(first)).status, (await send(second)).status]).toEqual([404, 200])
    await api.put("/settings", { publicPages: false })
    expect((await send(second)).status).toBe(404)
    expect(refusalOf(await api.post(`/quotations/${id}/link`)).code).toBe("PUBLIC_PAGES_OFF")
    await api.put("/settings", { publicPages: true })
    expect((await api.delete(`/quotations/${id}/link`)).status).toBe(204)
    expect([(await send(second)).status, (await now(id)).link]).toEqual([404, null])
    const past = await api.post(`/quotations/${id}/link`, { expiresAt: "2020-01-01" })
    expect(refusalOf(past)).toMatchObject({ status: 422, fields: ["expiresAt"] })
    expect(refusalOf(await api.post(`/quotations/${(await quotation()).id}/link`)).code).toBe(
      "DOCUMENT_LOCKED",
    )
    const log = (await api.get(`/audit-logs?recordId=${id}`)).text
    for (const link of [first, second]) expect(log).not.toContain(link.split("/").at(-1)!)
  })

  test("answers few guesses of a network", async () => {
    const limited = await serve({ args: ["--plans", "anonymous=100:unlimited,enterprise=1000:unlimited"] })
    const guesses = Array.from({ length: 25 }, (_, i) => `${limited.url}/q/${String(i).padEnd(27, "a")}`)
    const answers: Answer[] = []
    for (const guess of guesses) answers.push(await send(guess))
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array<number>(20).fill(404),
      ...Array<number>(5).fill(429),
    ])
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0)
    await limited.stop()
  })
})

describe("sending by mail", () => {
  test("sends a draft, with a link that the message alone has", async () => {
    const { id, quotationNumber } = await quotation()
    const message = (await api.post(`/quotations/${id}/send`)).body.data
    expect(message).toMatchObject({ subject: `Angebot ${quotationNumber} von Nordlicht GmbH` })
    expect(message.message).toContain("{link}")
    expect((await now(id)).status).toBe("sent")
    await settled(api, message.id)
    const mail = await readMail(server.taken.at(-1)!)
    const [link = ""] = /http\S+\/q\/[\w-]{27}/.exec(mail.text ?? "") ?? []
    expect(mail.text).not.toContain("{link}")
    expect(mail.attachments).toHaveLength(1)
    const url = link.replace(/^https?:\/\/[^/]*/, kontor.url)
    expect((await answerOn(url, { answer: "accept", name: "Jonas Weber" })).status).toBe(303)
    expect(await now(id)).toMatchObject({
      status: "accepted",
      lastSentAt: expect.any(String),
      acceptedPdfHash: sha256(mail.attachments[0]!.content as Uint8Array),
    })
  })

  test("leaves out the paragraph of the link while there are no pages", async () => {
    await api.put("/settings", { publicPages: false })
    const { id } = await quotation()
    const { message } = (await api.post(`/quotations/${id}/send?dryRun=true`)).body.data
    expect(message).not.toContain("Hier können Sie")
    expect((await now(id)).status).toBe("draft")
    await api.put("/settings", { publicPages: true })
  })

  test("knows {link} in the texts of quotations alone", async () => {
    const texts = (kind: string) => ({ mailTexts: { [kind]: { de: { message: "Hier: {link}" } } } })
    expect((await api.put("/settings", texts("quotations"))).status).toBe(200)
    expect(refusalOf(await api.put("/settings", texts("invoices")))).toMatchObject({
      status: 422,
      fields: ["mailTexts.invoices.de.message"],
    })
    const order = await shop.submitted({ customer })
    const asked = await api.post(`/sales-orders/${order.id}/send`, { message: "Hier: {link}" })
    expect(refusalOf(asked)).toMatchObject({ status: 422, fields: ["message"] })
    await api.put("/settings", { mailTexts: { quotations: null } })
  })
})

describe("two people at the same moment", () => {
  test("order a quotation once", async () => {
    const { id } = await sent()
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.post(`/quotations/${id}/order`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const found = (await api.get(`/sales-orders?quotation=${id}`)).body.data
    expect(found).toHaveLength(1)
  })
})

test("the rights of quotations are those of orders", async () => {
  const { id } = await sent()
  await api.create("/users", {
    email: "a@x.example",
    name: "A",
    role: "accountant",
    password: "a fine password",
  })
  const reader = await signIn(kontor, "a@x.example", "a fine password")
  expect((await reader.get(`/quotations/${id}`)).status).toBe(200)
  for (const path of ["link", "order"])
    expect((await reader.post(`/quotations/${id}/${path}`)).status).toBe(403)
  // A link shows the quotation.
  const { key } = await api.create("/api-keys", { name: "Till", scopes: ["write", "delete"] })
  expect((await apiWith(kontor, { "x-api-key": key }).post(`/quotations/${id}/link`)).status).toBe(403)
  expect((await apiWith(kontor, {}).post(`/quotations/${id}/order`)).status).toBe(401)
})

test("kontor check finds an acceptance without its PDF, and of another revision", async () => {
  const { id } = await sent()
  await shop.status("quotations", id, "accepted")
  const { quotationNumber: number } = await now(id)
  const db = openTested(kontor.file)
  const foundAfter = async (sql: string, undo: string) => {
    db.run(sql)
    const { code, stdout } = await run(["check"], { cwd: kontor.cwd })
    db.run(undo)
    expect(code).toBe(1)
    return stdout
  }
  const where = `WHERE id = '${id}'`
  const revised = await foundAfter(
    `UPDATE quotations SET revision = 2 ${where}`,
    `UPDATE quotations SET revision = 1 ${where}`,
  )
  expect(revised).toContain(`What was accepted of quotation ${number} is not its last revision.`)
  const hash = `accepted_pdf_hash = '${"0".repeat(64)}'`
  const kept = (await now(id)).acceptedPdfHash
  const lost = await foundAfter(
    `UPDATE quotations SET ${hash} ${where}`,
    `UPDATE quotations SET accepted_pdf_hash = '${kept}' ${where}`,
  )
  expect(lost).toContain(`The PDF that was accepted of quotation ${number} is missing.`)
  db.close()
})
