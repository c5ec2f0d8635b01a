// Documents of the maximum size: created, read, printed, updated, and taken through all statuses.
import { customerId, itemId } from "../bench/data"
import { png } from "../../test/support/images"
import { read, step, write, type Case, type Context, type Sent } from "./cost-case"
import { largestInvoice, largestOrder, mostLines } from "./cost-shop-documents"
import { mostMarks, textOf } from "./cost-text"

/** A document of the maximum size. */
export function largestDocument(): string {
  const line = (_: unknown, i: number) => ({
    item: itemId(i + 1),
    quantity: 1.2345,
    rate: 12.3456,
    discount: 12.3456,
  })
  return JSON.stringify({
    customer: customerId(1),
    notes: textOf("words", 10_000).trim(),
    items: Array.from({ length: mostLines }, line),
  })
}

/**
 * The operations on such documents. Each attempt uses the next document, because most operations can be done only once.
 */
export function* documentCases(context: Context): Generator<Case> {
  yield* sharedCases("invoices", "unpaid", counter(largestInvoice), context)
  const nextOrder = counter(largestOrder)
  yield* sharedCases("sales-orders", "submitted", nextOrder, context)
  const orders = "/sales-orders"
  const orderWith = async (...statuses: string[]): Promise<string> => {
    const id = nextOrder()
    for (const status of statuses)
      await context.ask(write("PUT", `${orders}/${id}/status`, { status, reason: "x" }))
    return id
  }
  yield step("POST /invoices/from-order", "500 lines", async () =>
    write("POST", "/invoices/from-order", { salesOrder: await orderWith("submitted") }),
  )
  yield* freeCases(context)
  yield* batchCases()
  yield { ...step("PUT /settings/logo", "256 kB", largestLogo), isLargest: false }
  yield {
    ...step("POST /stock-movements/count", "1,000 lines", () =>
      write("POST", "/stock-movements/count", count()),
    ),
    isLargest: false,
  }
  yield step(`POST ${orders}/{id}/duplicate`, "500 lines", async () =>
    write("POST", `${orders}/${await orderWith()}/duplicate`, {}),
  )
  yield step(`POST ${orders}/{id}/amend`, "500 lines", async () =>
    write("POST", `${orders}/${await orderWith("submitted")}/amend`, {}),
  )
}

/** Gross documents of lines without an item, with the longest and most expensive descriptions that fit in a body. */
const freeDocument = (customer: string): object => ({
  customer,
  pricesIncludeTax: true,
  status: "submitted",
  items: Array.from({ length: mostLines }, (_, i) => ({
    description: `${i} ${mostMarks(900)}`,
    quantity: 1.2345,
    rate: 12.3456,
    discountAmount: 1.23,
  })),
})

function* freeCases({ ask }: Context): Generator<Case> {
  const what = "500 gross lines without an item"
  const orders = "/sales-orders"
  const idOf = (answer: unknown): string => {
    const { data } = answer as { data?: { id: string } }
    if (!data) throw new Error(`No record was created: ${JSON.stringify(answer).slice(0, 500)}`)
    return data.id
  }
  const order = async (over: object = {}) =>
    idOf(await ask(write("POST", orders, { ...freeDocument(customerId(1)), ...over })))
  for (const kind of ["sales-orders", "invoices"])
    yield step(`POST /${kind}`, what, () =>
      write("POST", `/${kind}`, { ...freeDocument(customerId(1)), status: "draft" }),
    )
  yield step("POST /invoices/from-order", what, async () =>
    write("POST", "/invoices/from-order", { salesOrder: await order() }),
  )
  yield step(`GET ${orders}/{id}/print`, what, async () => read(`${orders}/${await order()}/print`))
  yield step(`PUT ${orders}/{id}`, `${what}, taxed again`, async () => {
    const abroad = { name: "Abroad", taxTreatment: "exempt", taxReason: mostMarks(500) }
    const customer = idOf(await ask(write("POST", "/customers", abroad)))
    return write("PUT", `${orders}/${await order({ status: "draft" })}`, { customer })
  })
}

/** The most documents, and the most lines, that one transaction stores. Drafts block the server no longer than others. */
function* batchCases(): Generator<Case> {
  const documents = 100
  const of = (status: string, document: number): object => ({
    customer: customerId(2 + (document % 50)),
    status,
    items: Array.from({ length: mostLines / documents }, (_, i) => ({
      item: itemId(1 + ((document + i) % 200)),
      quantity: 1.2345,
      rate: 12.3456,
      discount: 12.3456,
    })),
  })
  const batch = (status: string) => ({
    mode: "all",
    operations: Array.from({ length: documents }, (_, i) => ({ op: "create", body: of(status, i) })),
  })
  for (const [kind, status, isLargest] of [
    ["sales-orders", "draft", false],
    ["sales-orders", "submitted", true],
    ["invoices", "draft", false],
    ["invoices", "unpaid", true],
  ] as const)
    yield {
      ...step(`POST /${kind}/batch`, `100 documents, ${status}, of 5 lines`, () =>
        write("POST", `/${kind}/batch`, batch(status)),
      ),
      isLargest,
    }
}

/** The beginning of a PNG, and so many bytes that it is as large as a logo can be. */
function largestLogo(): Sent {
  const body = new Uint8Array(256 * 1024)
  body.set(png(4_000, 1))
  return { method: "PUT", path: "/api/v1/settings/logo", headers: { "content-type": "image/png" }, body }
}

let counts = 0

/** A stock count of the maximum size. Each one differs from the stock of all its items. */
function count(): object {
  counts++
  return { lines: Array.from({ length: 1_000 }, (_, i) => ({ item: itemId(i + 1), counted: counts })) }
}

/** The cases that orders and invoices share; `begun` is the status after draft. */
function* sharedCases(kind: string, begun: string, next: () => string, { ask }: Context): Generator<Case> {
  const one = `/${kind}/{id}`
  const at = (rest: string) => () => read(`/${kind}/${next()}${rest}`)
  yield step(`POST /${kind}`, "500 lines", () => write("POST", `/${kind}`, largestDocument()))
  yield step(`GET ${one}`, "500 lines", at(""))
  yield step(`GET ${one}/print`, "500 lines", at("/print"))
  yield step(`PUT ${one}`, "500 new lines", () => write("PUT", `/${kind}/${next()}`, largestDocument()))
  yield step(`PUT ${one}`, "500 lines sent back", async () => {
    const path = `/${kind}/${next()}`
    const { data } = (await ask(read(path))) as { data: object }
    return write("PUT", path, { ...data, notes: "sent back" })
  })
  yield step(`PUT ${one}/status`, `${begun}, 500 lines`, () =>
    write("PUT", `/${kind}/${next()}/status`, { status: begun }),
  )
  yield step(`PUT ${one}/status`, "cancelled, 500 lines", async () => {
    const path = `/${kind}/${next()}/status`
    await ask(write("PUT", path, { status: begun }))
    return write("PUT", path, { status: "cancelled", reason: "x" })
  })
  yield step(`DELETE ${one}`, "500 lines", () => ({ ...read(`/${kind}/${next()}`), method: "DELETE" }))
}

function counter(idOf: (i: number) => string): () => string {
  let i = 1
  return () => idOf(i++)
}
