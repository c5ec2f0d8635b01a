// The paper of issued documents never changes, whatever happens to the records that it was made of.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { copyTo, restoreIn } from "../support/copies"
import { signIn, type Api } from "../support/api"
import { png } from "../support/images"
import { cleanUp, emptyFolder, serve, type Kontor } from "../support/kontor"
import { allForms, buyer, company, download, fillCompany, forms, loggedForms } from "../support/downloads"
import { readPdf } from "../support/pdf"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let item: { id: string }
let customer: { id: string }
let taxCode: { id: string }

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  await fillCompany(api, { unitCodes: { Palette: "XPX" } })
  taxCode = await api.create("/tax-codes", { code: "P19", name: "Full", category: "S", rate: 19 })
  item = await shop.item({ itemName: "Oak desk", uom: "Palette", taxCode: taxCode.id })
  customer = await shop.customer({ ...buyer, language: "de" })
})
afterAll(cleanUp)

const lines = () => [
  { item: item.id, quantity: 2 },
  { description: "Assembly", quantity: 1.5, rate: 40, uom: "h", taxCode: taxCode.id },
]
const body = (over: object = {}) => ({
  customer: customer.id,
  items: lines(),
  notes: "Notes of the issue",
  invoiceDate: "2026-03-02",
  dueDate: "2026-04-01",
  buyerReference: "04011000-1",
  ...over,
})
const issue = (over: object = {}) => api.create("/invoices", body({ status: "unpaid", ...over }))
const credit = (invoice: string) =>
  api.create(`/invoices/${invoice}/credit-notes`, { reason: "Damaged", notes: "Notes of the credit" })

/** Changes everything that a document was made of and that may change. */
async function changeEverything(): Promise<void> {
  const none = { phone: null, taxNumber: null, registrationId: null, bankName: null }
  const saved = [
    await api.put("/settings", {
      ...none,
      legalName: "Other GmbH",
      address: { street: "Elsewhere 9", city: "Wien", zipCode: "1010", country: "AT" },
      vatId: "ATU12345678",
      email: "other@example.com",
      iban: "GB82WEST12345698765432",
      bic: "NWBKGB2L",
      documentFooter: "Another footer",
      unitCodes: { Palette: null, h: "KGM" },
      defaultLanguage: "fr",
      pricesIncludeTax: true,
      defaultPaymentTerms: "Net 7",
    }),
    await api.put("/settings/logo", png(8, 8, [200, 0, 0]), { "content-type": "image/png" }),
    await api.put(`/customers/${customer.id}`, {
      name: "Renamed",
      contactName: null,
      address: { street: "Gone", city: "Graz", zipCode: "8010", country: "AT" },
      language: "en",
      taxId: "ATU99999999",
      paymentTerms: "Net 14",
    }),
    await api.put(`/items/${item.id}`, {
      itemName: "Another desk",
      itemCode: "NEW-1",
      sellingPrice: 1,
      uom: "Nos",
    }),
    await api.put(`/tax-codes/${taxCode.id}`, { name: "Other", isActive: false }),
  ]
  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
}

/** Undoes what the other tests need. */
async function restoreEverything(): Promise<void> {
  await fillCompany(api, {
    unitCodes: { Palette: "XPX", h: null },
    defaultLanguage: "en",
    pricesIncludeTax: false,
  })
  await api.put(`/customers/${customer.id}`, { ...buyer, taxId: null, language: "de", paymentTerms: null })
  await api.put(`/items/${item.id}`, { itemName: "Oak desk", sellingPrice: 10, uom: "Palette" })
  await api.put(`/tax-codes/${taxCode.id}`, { isActive: true })
}

describe("the PDFs and the XML of an issued document have the same bytes and ETags", () => {
  let documents: string[]
  let before: Record<string, string>[]
  const now = () => Promise.all(documents.map((document) => allForms(kontor, api, document)))

  beforeAll(async () => {
    const [paid, cancelled, credited] = [await issue(), await issue(), await issue()]
    const note = await credit(credited.id)
    documents = [
      `/invoices/${paid.id}`,
      `/invoices/${cancelled.id}`,
      `/invoices/${credited.id}`,
      `/credit-notes/${note.id}`,
    ]
    before = await now()
  })

  test("in each form another one", async () => {
    for (const hashes of before) expect(new Set(Object.values(hashes)).size).toBe(Object.keys(forms).length)
    expect(await now()).toEqual(before)
  })

  test("after the company, bank, footer, logo, units, language, customer, items and tax codes have changed", async () => {
    await changeEverything()
    expect(await now()).toEqual(before)
    await api.delete("/settings/logo")
    expect(await now()).toEqual(before)
    await restoreEverything()
  })

  test("after notes, due date, external ID and metadata were edited", async () => {
    const edited = { notes: "Later notes", dueDate: "2026-12-24", externalId: "E-1", metadata: { a: "b" } }
    const [invoice = "", , , note = ""] = documents
    expect(await api.put(invoice, edited)).toMatchObject({ status: 200, body: { data: edited } })
    const { dueDate: _, ...own } = edited
    expect(await api.put(note, own)).toMatchObject({ status: 200, body: { data: own } })
    expect(await now()).toEqual(before)
  })

  test("after a payment, its removal, a credit note, a refund and a cancellation", async () => {
    const [paid = "", cancelled = "", , note = ""] = documents.map((document) => document.split("/")[2])
    const { body: payment } = await shop.pay(paid, 5)
    expect(await now()).toEqual(before)
    await api.delete(`/invoices/${paid}/payments/${payment.data.id}`)
    const [line] = (await shop.get("invoices", paid)).items
    await api.create(`/invoices/${paid}/credit-notes`, {
      reason: "Late",
      items: [{ invoiceLine: line.id, quantity: 1 }],
    })
    expect(await shop.status("invoices", cancelled, "cancelled", { reason: "Wrong" })).toMatchObject({
      status: 200,
    })
    expect((await shop.get("credit-notes", note)).total).toBeGreaterThan(0)
    expect(await now()).toEqual(before)
  })

  test("after a restart, and in a restored backup", async () => {
    const copy = join(emptyFolder(), "copy.db")
    await copyTo(copy, kontor)
    await kontor.stop()
    kontor = await serve({ cwd: kontor.cwd })
    expect(await now()).toEqual(before)
    const cwd = emptyFolder()
    await restoreIn(cwd, copy)
    const restored = await serve({ cwd })
    const owner = await signIn(restored)
    for (const [i, document] of documents.entries())
      expect(await allForms(restored, owner, document)).toEqual(before[i] ?? {})
    await restored.stop()
    api = await signIn(kontor)
    shop = trade(api)
  })

  test("which are those of the audit log, each logged once", async () => {
    for (const [i, document] of documents.entries()) {
      const logged = await loggedForms(api, document)
      expect(logged.length).toBe(Object.keys(forms).length)
      expect(Object.assign({}, ...logged)).toEqual(before[i] ?? {})
    }
  })
})

test("a form that is downloaded for the first time after changes is the one that would have been made at issue", async () => {
  const invoice = await issue()
  const note = await credit((await issue()).id)
  const copy = join(emptyFolder(), "copy.db")
  await copyTo(copy, kontor)
  await changeEverything()
  const edited = { notes: "Later notes", dueDate: "2026-12-24" }
  expect(await api.put(`/invoices/${invoice.id}`, edited)).toMatchObject({ body: { data: edited } })
  expect((await api.put(`/credit-notes/${note.id}`, { notes: "Later notes" })).status).toBe(200)
  await shop.pay(invoice.id, 5)
  const documents = [`/invoices/${invoice.id}`, `/credit-notes/${note.id}`]
  const late = await Promise.all(documents.map((document) => allForms(kontor, api, document)))
  const ubl = await download(kontor, api, `/invoices/${invoice.id}/xml?format=ubl`)
  const pdf = await download(kontor, api, `/invoices/${invoice.id}/pdf?language=en`)
  await restoreEverything()

  const cwd = emptyFolder()
  await restoreIn(cwd, copy)
  const untouched = await serve({ cwd })
  const owner = await signIn(untouched)
  const early = await Promise.all(documents.map((document) => allForms(untouched, owner, document)))
  expect(late).toEqual(early)
  await untouched.stop()

  const { text: words } = await readPdf(new Uint8Array(pdf.bytes))
  for (const part of ["Notes of the issue", "Apr 1, 2026", "Hafen & Söhne", "Café Nordlicht", "Oak desk"])
    expect(words).toContain(part)
  for (const part of ["Later notes", "Other GmbH", "Renamed", "Another"]) expect(words).not.toContain(part)
  const text = ubl.bytes.toString()
  for (const part of [
    "Notes of the issue",
    "2026-04-01",
    "XPX",
    "Hafen &amp; Söhne",
    "Café Nordlicht",
    "Oak desk",
  ])
    expect(text).toContain(part)
  for (const part of ["Later notes", "2026-12-24", "KGM", "Other GmbH", "Renamed", "Another"])
    expect(text).not.toContain(part)
})

describe("the language", () => {
  const hashOf = async (document: string, query = "") =>
    (await download(kontor, api, `/invoices/${document}/pdf${query}`)).sha256

  test("of an issued document is the parameter, else that of the customer, else that of the settings", async () => {
    const plain = await shop.customer({ ...buyer, language: null })
    await api.put("/settings", { defaultLanguage: "fr" })
    const [german, french] = [await issue(), await issue({ customer: plain.id })]
    await api.put("/settings", { defaultLanguage: "en" })
    for (const [{ id }, own] of [
      [german, "de"],
      [french, "fr"],
    ] as const) {
      const others = ["en", "de", "fr"].filter((language) => language !== own)
      expect(await hashOf(id)).toBe(await hashOf(id, `?language=${own}`))
      for (const other of others) expect(await hashOf(id, `?language=${other}`)).not.toBe(await hashOf(id))
    }
    expect((await loggedForms(api, `/invoices/${german.id}`)).flatMap((each) => Object.keys(each))).toEqual([
      "cii-en16931",
      "pdf-de",
      "pdf-en",
      "pdf-fr",
    ])
  })

  test("of a draft and of an order follows the customer and the settings", async () => {
    const plain = await shop.customer({ language: null })
    const given = { customer: plain.id, items: lines() }
    const draft = await api.create("/invoices", given)
    const order = await shop.order(given)
    for (const path of [`/invoices/${draft.id}/pdf`, `/sales-orders/${order.id}/pdf`]) {
      const hash = async (query = "") => (await download(kontor, api, path + query)).sha256
      const [en, de, fr] = [
        await hash("?language=en"),
        await hash("?language=de"),
        await hash("?language=fr"),
      ]
      expect(new Set([en, de, fr]).size).toBe(3)
      expect(await hash()).toBe(en)
      await api.put("/settings", { defaultLanguage: "de" })
      expect(await hash()).toBe(de)
      await api.put(`/customers/${plain.id}`, { language: "fr" })
      expect(await hash()).toBe(fr)
      await api.put(`/customers/${plain.id}`, { language: null })
      await api.put("/settings", { defaultLanguage: "en" })
    }
  })
})

test("drafts and orders are made afresh: they follow the data, have no ETag, and are not stored", async () => {
  const draft = await api.create("/invoices", body())
  const order = await shop.submitted({ customer: customer.id, items: lines() })
  for (const path of [`/invoices/${draft.id}`, `/sales-orders/${order.id}`]) {
    const hash = async () => {
      const { status, headers, etag, sha256 } = await download(kontor, api, `${path}/pdf`, {
        "if-none-match": "*",
      })
      expect([status, etag, headers.get("cache-control")]).toEqual([200, null, "no-store"])
      return sha256
    }
    const first = await hash()
    expect(await hash()).toBe(first)
    await api.put(`/customers/${customer.id}`, { name: "Renamed" })
    const renamed = await hash()
    await api.put(`/customers/${customer.id}`, buyer)
    await api.put("/settings", { documentFooter: "Another footer" })
    const other = await hash()
    await api.put("/settings", company)
    expect(await hash()).toBe(first)
    await api.put(path, { notes: "Other notes" })
    expect(new Set([first, renamed, other, await hash()]).size).toBe(4)
    expect(await loggedForms(api, path)).toEqual([])
  }
  // Issuing it makes another document: it has a number and no mark.
  const before = await download(kontor, api, `/invoices/${draft.id}/pdf`)
  await shop.status("invoices", draft.id, "unpaid")
  const after = await download(kontor, api, `/invoices/${draft.id}/pdf`)
  expect(after.sha256).not.toBe(before.sha256)
  expect(after.etag).toBe(`"${after.sha256}"`)
})

test("drafts, cancelled orders and cancelled invoices are marked, and documents as they were issued are not", async () => {
  const textOf = async (path: string, query = "language=en") => {
    const { bytes } = await download(kontor, api, `${path}/pdf?${query}`)
    return (await readPdf(new Uint8Array(bytes))).text
  }
  const markOf = async (path: string) => /\b(DRAFT|CANCELLED)\b/.exec(await textOf(path))?.[0] ?? null
  const draft = await api.create("/invoices", body())
  const order = await shop.order({ customer: customer.id, items: lines() })
  const marks = [await markOf(`/invoices/${draft.id}`), await markOf(`/sales-orders/${order.id}`)]
  await shop.status("invoices", draft.id, "unpaid")
  await shop.status("sales-orders", order.id, "submitted")
  marks.push(await markOf(`/invoices/${draft.id}`), await markOf(`/sales-orders/${order.id}`))
  await shop.status("sales-orders", order.id, "cancelled")
  expect([...marks, await markOf(`/sales-orders/${order.id}`)]).toEqual([
    "DRAFT",
    "DRAFT",
    null,
    null,
    "CANCELLED",
  ])
  const path = `/invoices/${draft.id}`
  const kept = await download(kontor, api, `${path}/pdf?language=en`)
  await shop.status("invoices", draft.id, "cancelled")
  const marked = await download(kontor, api, `${path}/pdf?language=en`)
  expect([marked.etag, marked.headers.get("content-disposition")]).toEqual([
    null,
    expect.stringContaining(".cancelled.pdf"),
  ])
  const texts = await Promise.all(["en", "de", "fr"].map((each) => textOf(path, `language=${each}`)))
  for (const [i, word] of ["CANCELLED", "STORNIERT", "ANNULÉE"].entries()) expect(texts[i]).toContain(word)
  const issued = await download(kontor, api, `${path}/pdf?language=en&state=issued`)
  expect([issued.sha256, issued.etag]).toEqual([kept.sha256, kept.etag])
})
