import { Buffer } from "node:buffer"
import { signIn, type Api } from "./api"
import { png } from "./images"
import { inFile } from "./file"
import { serve, type Kontor } from "./kontor"
import { trade } from "./trade"

/** A file that was downloaded. */
export type Download = {
  status: number
  headers: Headers
  bytes: Buffer
  etag: string | null
  sha256: string
}

/** Downloads a file. */
export async function download(
  { url }: Pick<Kontor, "url">,
  { credential }: Pick<Api, "credential">,
  path: string,
  headers: Record<string, string> = {},
): Promise<Download> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { ...credential, ...headers } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    etag: answer.headers.get("etag"),
    sha256: Bun.SHA256.hash(bytes, "hex"),
  }
}

/** What an issued document can be downloaded as, by the name under which the audit log has its hash. */
export const forms = {
  "pdf-en": "pdf?state=issued&language=en",
  "pdf-de": "pdf?state=issued&language=de",
  "pdf-fr": "pdf?state=issued&language=fr",
  "cii-en16931": "xml",
  "ubl-en16931": "xml?format=ubl",
  "cii-xrechnung": "xml?profile=xrechnung",
  "ubl-xrechnung": "xml?format=ubl&profile=xrechnung",
} as const

/** Downloads all forms of a document, which must all exist. Returns the hash of each. */
export async function allForms(kontor: Kontor, api: Api, document: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const [form, path] of Object.entries(forms)) {
    const { status, etag, sha256, bytes } = await download(kontor, api, `${document}/${path}`)
    if (status !== 200 || etag !== `"${sha256}"`)
      throw new Error(
        `${document}/${path} returned ${status} with the ETag ${etag}: ${bytes.toString().slice(0, 500)}`,
      )
    hashes[form] = sha256
  }
  return hashes
}

/** The entries of the audit log that name the hashes of kept forms, oldest first. */
export async function loggedForms(api: Api, document: string): Promise<Record<string, string>[]> {
  const entries: { action: string; changes: Record<string, { from: unknown; to: string }> }[] = (
    await api.get(`${document}/history?perPage=100`)
  ).body.data
  return entries
    .filter(({ action }) => action.endsWith(".paper"))
    .map(({ changes }) =>
      Object.fromEntries(
        Object.entries(changes).map(([form, { from, to }]) => [form, from === null ? to : ""]),
      ),
    )
    .toReversed()
}

/** The data of a company that suffice for every form of an e-invoice. */
export const company = {
  currency: "EUR",
  legalName: "Hafen & Söhne Handels GmbH",
  address: { street: "Am Kai 1", city: "Hamburg", zipCode: "20457", country: "DE" },
  email: "office@example.com",
  phone: "+49 40 1234567",
  vatId: "DE811569869",
  taxNumber: "22/815/08154",
  registrationId: "HRB 12345",
  iban: "DE89370400440532013000",
  bic: "COBADEFFXXX",
  bankName: "Commerzbank",
  documentFooter: "Managing director: Anna Petersen",
}

/** The data of a customer that suffice for every form of an e-invoice. */
export const buyer = {
  name: "Café Nordlicht",
  contactName: "Jonas Petersen",
  email: "jonas@example.com",
  address: { street: "Kai 7", city: "Bremen", zipCode: "28195", country: "DE" },
}

/** The tax code of lines without an item. */
export const taxCode = { code: "S19", name: "19 % VAT", category: "S", rate: 19 }

/** Fills in the data of the company, with a logo and a default tax code. */
export async function fillCompany(api: Api, over: object = {}): Promise<void> {
  const code = await api.put(`/tax-codes/by/code/${taxCode.code}`, taxCode)
  const saved = await api.put("/settings", { ...company, defaultTaxCode: code.body.data.id, ...over })
  if (saved.status !== 200) throw new Error(saved.text)
  await api.put("/settings/logo", png(), { "content-type": "image/png" })
}

/** Starts a server with a complete company and customer, whose invoices are valid e-invoices. */
export async function paperShop() {
  const kontor = await serve()
  const api = await signIn(kontor)
  const shop = trade(api)
  await fillCompany(api)
  const customer: string = (await shop.customer(buyer)).id
  const body = (over: object = {}) => ({
    customer,
    items: [{ description: "Work", quantity: 2, rate: 40 }],
    ...over,
  })
  return {
    kontor,
    api,
    shop,
    body,
    issue: (over: object = {}) =>
      api.create("/invoices", body({ status: "unpaid", buyerReference: "04011000-1", ...over })),
    /** The names of the forms of a document in the audit log. */
    formsOf: async (document: string) =>
      (await loggedForms(api, document)).flatMap((each) => Object.keys(each)),
    /** The names of the stored forms of a document. */
    papersOf: (document: string) =>
      inFile(kontor, (db) => db.query("SELECT form FROM papers WHERE document = ?").values(document).flat()),
  }
}
