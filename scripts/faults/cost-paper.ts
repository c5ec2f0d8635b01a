// Files of documents of the maximum size: 500 lines with the longest texts, which a document on paper must contain.
import { once } from "../../src/core/lib/shared-runs"
import { buyer, company, taxCode } from "../../test/support/downloads"
import { read, step, write, type Case, type Context } from "./cost-case"
import { mostLines } from "./cost-shop-documents"
import { mostMarks, textOf } from "./cost-text"

/** A number and a space precede the text, and a description has at most 1,000 characters. */
const longest = 990

/** Texts that are expensive to write, by their name. Each character of `escapes` takes five in XML. */
const texts: Readonly<Record<string, (length: number) => string>> = {
  escapes: (length) => "&".repeat(length),
  words: (length) => textOf("words", length).trim(),
  marks: (length) => mostMarks(Math.floor(length * 0.9)),
  "letters without a space": (length) => textOf("letters", length),
  "letters that the fonts lack": (length) => textOf("astral", Math.floor(length * 0.45)),
}

const documentOf = (customer: string, text: (length: number) => string): object => ({
  customer,
  pricesIncludeTax: true,
  buyerReference: "04011000-1",
  notes: text(5_000),
  items: Array.from({ length: mostLines }, (_, i) => ({
    description: `${i} ${text(longest)}`,
    quantity: 1.2345,
    rate: 12.3456,
    discountAmount: 1.23,
  })),
})

type Found = { data: { id: string } }

export function* paperCases({ ask, isShort }: Context): Generator<Case> {
  const made = async (path: string, body: object): Promise<string> =>
    ((await ask(write("POST", path, body))) as Found).data.id
  const buyerId = once(async () => {
    const { currency: _, ...known } = company
    const { data } = (await ask(write("PUT", `/tax-codes/by/code/${taxCode.code}`, taxCode))) as Found
    await ask(write("PUT", "/settings", { ...known, defaultTaxCode: data.id }))
    return made("/customers", buyer)
  })
  for (const [name, text] of Object.entries(texts).slice(0, isShort ? 1 : undefined)) {
    const what = `500 lines of ${name}`
    const bodyOf = async (over: object = {}) => ({ ...documentOf(await buyerId(), text), ...over })
    const draft = async () => `/invoices/${await made("/invoices", await bodyOf())}`
    const issued = async () => `/invoices/${await made("/invoices", await bodyOf({ status: "unpaid" }))}`
    const credited = async () =>
      `/credit-notes/${await made(`${await issued()}/credit-notes`, { reason: text(400) })}`
    const order = async () => `/sales-orders/${await made("/sales-orders", await bodyOf())}`

    yield step("POST /invoices", `unpaid, ${what}`, async () =>
      write("POST", "/invoices", await bodyOf({ status: "unpaid" })),
    )
    yield step("PUT /invoices/{id}/status", `unpaid, ${what}`, async () =>
      write("PUT", `${await draft()}/status`, { status: "unpaid" }),
    )
    yield step("POST /invoices/{id}/credit-notes", what, async () =>
      write("POST", `${await issued()}/credit-notes`, { reason: text(400) }),
    )
    for (const [kind, document] of Object.entries({ invoices: issued, "credit-notes": credited })) {
      for (const query of ["", "?format=ubl", "?format=ubl&profile=xrechnung"])
        yield step(`GET /${kind}/{id}/xml${query}`, what, async () => read(`${await document()}/xml${query}`))
      yield step(`GET /${kind}/{id}/e-invoice`, what, async () => read(`${await document()}/e-invoice`))
      // A PDF of a thousand pages takes the worker long, but nobody else waits for it.
      yield step(`GET /${kind}/{id}/pdf`, what, async () => read(`${await document()}/pdf`))
      yield step(`GET /${kind}/{id}/pdf`, `${what}, stored`, async () => {
        const path = `${await document()}/pdf`
        await ask(read(path))
        return read(path)
      })
    }
    yield step("GET /invoices/{id}/pdf", `draft, ${what}`, async () => read(`${await draft()}/pdf`))
    yield step("GET /sales-orders/{id}/pdf", what, async () => read(`${await order()}/pdf`))
  }
  yield step("PUT /settings", "100 unit codes", () =>
    write("PUT", "/settings", {
      unitCodes: Object.fromEntries(
        Array.from({ length: 100 }, (_, i) => [`unit-${i}`.padEnd(20, "x"), "C62"]),
      ),
    }),
  )
  yield step("POST /invoices", "unpaid, 500 lines with a unit each", async () => {
    const items = Array.from({ length: mostLines }, (_, i) => ({
      description: "Work",
      uom: `other-${i}`.padEnd(20, "x"),
      quantity: 1,
      rate: 1,
    }))
    return write("POST", "/invoices", { customer: await buyerId(), status: "unpaid", items })
  })
}
