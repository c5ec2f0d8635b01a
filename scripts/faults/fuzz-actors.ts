// The users who send the fuzzer's requests: an admin, and a second user whose sessions and password may change.
import type { Random } from "./random"
import { without, type Body } from "./fuzz-body"
import { buyer, company } from "../../test/support/downloads"

type Person = { email: string; password: string }
type SignedIn = { token: string; refreshToken: string; user: { id: string } }

/**
 * The operations of a batch need parts that depend on each other, which its schema does not say. None deletes, because
 * the fuzzer would use the deleted records.
 */
function batchOf(id: string, { operations }: Body, random: Random): Body {
  const bodies = (Array.isArray(operations) ? (operations as { body?: unknown }[]) : []).map(
    (each) => each.body ?? {},
  )
  const field = id === "batchTaxCodes" ? "code" : "externalId"
  // Later rounds create tax codes of their own, whose codes must be free.
  const values = id === "batchTaxCodes" ? ["batch-1", "batch-2"] : ["fuzz-1", "fuzz-2", "fuzz-3"]
  const by = { field, value: random.pick(values) }
  const forms = [
    (body: unknown) => ({ op: "create", body }),
    (body: unknown) => ({ op: "update", by, body }),
    (body: unknown) => ({ op: "upsert", by, body }),
  ]
  return {
    mode: random.pick(["each", "all"]),
    operations: (bodies.length > 0 ? bodies : [{}]).map((body) => random.pick(forms)(body)),
  }
}

/** A filter is one of the list, and a change is one of two, which the schema does not say. */
const repriceOf = (body: Body, random: Random): Body => ({
  ...body,
  filter: random.pick([{}, { category: "Furniture" }, { "sellingPrice[gte]": 10, search: "desk" }]),
  change: random.pick([{ percent: 10 }, { amount: -2.5 }]),
})

const formats = ["INV-{YYYY}-{#####}", "R{YY}{MM}-{####}", "{#}", "{YY}/{###}", "INV-{YYYY}"]

/** An IBAN has a checksum and a number format has tokens, which their schemas do not say. Most bodies have neither. */
const settingsOf = (body: Body, random: Random): Body => ({
  ...without(body, ["iban", "defaultTaxCode"]),
  numberFormats: { invoices: random.pick(formats) },
  unitCodes: random.pick([{}, { Palette: "XPX" }, { Nos: "H87", Palette: null }]),
})

/** Fills in what an e-invoice needs. Random requests change it again. */
async function completeCompany(url: string, credential: Record<string, string>): Promise<void> {
  const { currency: _, ...known } = company
  const saved = await fetch(`${url}/api/v1/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json", ...credential },
    body: JSON.stringify(known),
  })
  if (!saved.ok) throw new Error(`PUT /settings returned ${saved.status}: ${await saved.text()}`)
}

type Make = (path: string, body: object) => Promise<{ id: string; total?: number }>

/** A payment and a credit note of which something is left, with the paths of their parts. */
async function createMoney(make: Make, draft: { customer: string }, round: number) {
  // Another one than the requests draw.
  const externalId = `planted-${round}`
  const settled = await make("/invoices", { ...draft, status: "unpaid" })
  const allocations = [{ invoice: settled.id, amount: settled.total }]
  const receipt = { customer: draft.customer, amount: 9_000, allocations, externalId }
  const payment = await make("/payments", receipt)
  const note = await make(`/invoices/${settled.id}/credit-notes`, { reason: "Returned", externalId })
  const { id } = await make("/invoices", { ...draft, status: "unpaid" })
  const part = { invoice: id, amount: 1 }
  const parts: [owner: string, body: object][] = [
    [`payments/${payment.id}/allocations`, part],
    [`payments/${payment.id}/refunds`, { amount: 1 }],
    [`credit-notes/${note.id}/applications`, part],
    [`credit-notes/${note.id}/refunds`, { amount: 1 }],
  ]
  const places = []
  for (const [path, body] of parts) places.push(`/api/v1/${path}/${(await make(`/${path}`, body)).id}`)
  return { records: [settled, payment, note, { id }], places }
}

export type Actors = Awaited<ReturnType<typeof actors>>

const endsSession = new Set(["logout", "logoutAll", "changePassword"])

export async function actors(url: string, admin: Person) {
  const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: unknown }).data
  }
  const signIn = ({ email, password }: Person) =>
    post("/auth/login", { email, password }) as Promise<SignedIn>

  const first = await signIn(admin)
  const credential = { authorization: `Bearer ${first.token}` }
  const spare: Person = { email: "spare@example.com", password: "a spare password" }
  const { id } = (await post("/users", { ...spare, name: "Spare", role: "admin" }, credential)) as {
    id: string
  }
  let session: SignedIn | null = null
  let refreshToken = (await signIn(spare)).refreshToken

  return {
    /** IDs that requests must not change or disable. */
    protectedIds: [first.user.id, id],

    async credentialFor(operation: string): Promise<Record<string, string>> {
      if (!endsSession.has(operation)) return credential
      session ??= await signIn(spare)
      return { authorization: `Bearer ${session.token}` }
    },

    /**
     * Creates an order that can be invoiced, an invoice that can be paid, and drafts with prices that include tax. All
     * have what an e-invoice needs.
     */
    async createSale(round: number): Promise<{ records: unknown[]; places: string[] }> {
      await completeCompany(url, credential)
      const make = (path: string, body: object) => post(path, body, credential) as ReturnType<Make>
      const item = await make("/items", {
        itemCode: `PLANTED-${round}`,
        itemName: "Desk",
        sellingPrice: 500,
        taxRate: 19,
      })
      const customer = await make("/customers", buyer)
      const receipt = await make("/stock-movements", { item: item.id, quantity: 100, reason: "receipt" })
      const draft = { customer: customer.id, items: [{ item: item.id, quantity: 2 }] }
      const order = await make("/sales-orders", { ...draft, status: "submitted" })
      const invoice = await make("/invoices", { ...draft, status: "unpaid" })
      const taxCode = await make("/tax-codes", { code: `FUZZ-${round}`, name: "VAT", category: "S", rate: 7 })
      const work = { description: "Work", quantity: 1, rate: 10, taxCode: taxCode.id }
      const gross = { customer: customer.id, pricesIncludeTax: true, items: [work] }
      const drafts = [await make("/sales-orders", gross), await make("/invoices", gross)]
      const { records, places } = await createMoney(make, draft, round)
      return { records: [item, customer, receipt, taxCode, ...drafts, order, ...records, invoice], places }
    },

    /** Fills in values that a schema does not have: a correct password, a valid token. */
    amend(operation: string, body: Body, random: Random): Body {
      if (operation.startsWith("batch")) return batchOf(operation, body, random)
      if (operation === "login") return random.chance(0.9) ? { ...spare } : body
      if (operation === "refresh") return random.chance(0.7) ? { refreshToken } : body
      if (/^(update|patch)Settings$/.test(operation) && random.chance(0.5)) return settingsOf(body, random)
      if (operation === "changePassword") return { ...body, currentPassword: spare.password }
      if (operation === "repriceItems") return repriceOf(body, random)
      return body
    },

    /** Records what a request has changed for the second user. */
    learn(operation: string, sent: Body | null, answer: unknown): void {
      if (operation === "logout" || operation === "logoutAll") session = null
      if (operation === "changePassword") spare.password = String(sent?.["newPassword"])
      if (operation === "login" || operation === "refresh")
        refreshToken = (answer as { data: SignedIn }).data.refreshToken
    },
  }
}
