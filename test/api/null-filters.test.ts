// The operator null on every field of every kind: it agrees with the records, and with what may be null.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"
import { trade } from "../support/trade"

type Row = Record<string, unknown> & { id: string }

let api: Api
let paid = ""

beforeAll(async () => {
  const kontor = await serve()
  api = await signIn(kontor)
  const shop = trade(api)
  const item = await shop.item({ category: "Furniture", description: "Oak" })
  await shop.item()
  await api.create("/stock-movements", { item: item.id, quantity: 3, reason: "receipt", note: "Counted" })
  await shop.receive(item.id, 5)
  const rich = await shop.customer({ email: "a@example.com", creditLimit: 5_000, paymentTerms: "Net 14" })
  await shop.customer({ creditLimit: 0 })
  const cancelled = await shop.order()
  await shop.status("sales-orders", cancelled.id, "cancelled", { reason: "Changed their mind" })
  await shop.order({ customer: rich.id, deliveryDate: "2999-01-01", notes: "At the back door" })
  const invoice = await shop.invoice({ customer: rich.id })
  paid = invoice.id
  await shop.pay(paid, 1, { method: "Cash" })
  await shop.pay(paid, 1)
  await api.create("/invoices", { customer: rich.id, items: [{ item: item.id, quantity: 1 }] })
  await api.create("/users", {
    email: "pro@example.com",
    name: "Pro",
    role: "viewer",
    password: "a long password",
    plan: "pro",
  })
  await api.create("/api-keys", { name: "Forever", scopes: ["read"], expiresAt: null })
  await api.create("/api-keys", { name: "Short", scopes: ["read"], plan: "free" })
})
afterAll(cleanUp)

const listed = async (path: string): Promise<Row[]> => {
  const answer = await api.get(`${path}${path.includes("?") ? "&" : "?"}perPage=100`)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data
}

/** For each kind, some fields that are null in one record and not in another. */
const kinds: [kind: string, mixed: string[]][] = [
  ["items", ["category", "description"]],
  ["customers", ["email", "creditLimit", "creditAvailable", "paymentTerms"]],
  ["sales-orders", ["deliveryDate", "notes", "submittedAt", "cancelledAt", "cancelReason"]],
  ["invoices", ["invoiceNumber", "salesOrder", "orderNumber", "issuedAt"]],
  ["payments", ["method"]],
  ["stock-movements", ["note", "sourceType", "sourceId"]],
  ["users", ["plan"]],
  ["api-keys", ["expiresAt", "plan"]],
  ["audit-logs", ["actor", "ip", "requestId"]],
]

describe.each(kinds)("the operator null on the fields of %s", (kind, mixed) => {
  test("finds exactly the records without a value, and is 400 on fields that always have one", async () => {
    const path = kind === "payments" ? `/invoices/${paid}/payments` : `/${kind}`
    const rows = await listed(path)
    const ids = (of: Row[]) => of.map(({ id }) => id).toSorted()
    const answered: string[] = []
    for (const name of Object.keys(rows[0] ?? {})) {
      // In brackets behind it stands a key.
      if (name === "metadata") continue
      const { status, body } = await api.get(`${path}?${name}[null]=true`)
      if (status === 200) {
        answered.push(name)
        const empty = rows.filter((row) => row[name] === null)
        const others = rows.filter((row) => row[name] !== null)
        expect(ids(await listed(`${path}?${name}[null]=true`))).toEqual(ids(empty))
        expect(ids(await listed(`${path}?${name}[null]=false`))).toEqual(ids(others))
      } else {
        expect(body.error).toMatchObject({ code: "INVALID_QUERY", details: [{ field: `${name}[null]` }] })
        expect([name, rows.some((row) => row[name] === null)]).toEqual([name, false])
      }
    }
    expect(answered).toEqual(expect.arrayContaining(mixed))
    for (const name of mixed) {
      expect(rows.some((row) => row[name] === null)).toBeTrue()
      expect(rows.some((row) => row[name] !== null)).toBeTrue()
    }
  })
})

test("an object that may be null has this operator and no other", async () => {
  const filled = await api.create("/customers", { name: "With address", address: { city: "Kiel" } })
  const empty = await api.create("/customers", { name: "Without address" })
  const idsOf = async (query: string) =>
    (await api.get(`/customers?${query}&perPage=100&fields=id`)).body.data.map(({ id }: { id: string }) => id)
  expect(await idsOf("address[null]=false")).toContain(filled.id)
  expect(await idsOf("address[null]=false")).not.toContain(empty.id)
  expect(await idsOf("address[null]=true")).toContain(empty.id)
  for (const query of ["address=Kiel", "address[like]=K", "metadata=x", "sort=address"])
    expect((await api.get(`/customers?${query}`)).status).toBe(400)
})
