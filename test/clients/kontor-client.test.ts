// `kontor client` prints a client. It must compile strictly, the samples of the guide must come true with it, and no
// trouble on the way may store a record twice.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test"
import { chmodSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { signIn, type Api } from "../support/api"
import { png } from "../support/images"
import { adminEmail, cleanUp, emptyFolder, program, run, serve, type Kontor } from "../support/kontor"
import type { Resource } from "../../src/core/kind/define"
import { shop } from "../../src/kinds"
import { lossyProxy } from "../support/lossy"
import { booksOf, everyFifth, sell, type Seller } from "./stories/books"

const root = join(import.meta.dir, "../..")

/** As strict as TypeScript can be. */
const options = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: false,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable"],
  module: "Preserve",
  moduleResolution: "bundler",
  types: [],
}

/** What the types know. */
const known = `import { createClient, verifyWebhook, type Customer, type Item, type Job, type Tokens } from "./kontor"
const kontor = createClient({
  url: "",
  signIn: { email: "a@example.com", password: "secret" },
  onTokens: async ({ refreshToken }: Tokens) => console.log(refreshToken),
})
export async function known(isDry: boolean): Promise<unknown> {
  const page = await kontor.invoices.list({ expand: ["customer", "items.item"], fields: ["id", "customer"] })
  const [invoice] = page.data
  const customer: Customer | undefined = page.expanded.customer[invoice?.customer ?? ""]
  for await (const { item, expanded } of kontor.stockMovements.all({ expand: "item" })) {
    const found: Item | undefined = expanded.item[item]
    if (found) return found.itemCode
  }
  const order = await kontor.salesOrders.getBy("externalId", "web-1", { expand: ["customer"], fields: ["id"] })
  const name: string | undefined = order.expanded.customer["cus_1"]?.name
  const raise = { filter: {}, change: { percent: 5 } }
  const begun: Job["id"] = (await kontor.items.reprice(raise, { dryRun: false })).id
  const also: Job["id"] = (await kontor.items.reprice(raise)).id
  const after: number = (await kontor.items.reprice(raise, { dryRun: true })).counts.updated ?? 0
  const either = await kontor.customers.create({ name: "A" }, { dryRun: isDry })
  const number: string | null = either.customerNumber
  const made: string = (await kontor.customers.create({ name: "A" }, { dryRun: false })).customerNumber
  const files = [await kontor.items.export(), await kontor.items.export({ titles: "de", fields: "*" })]
  const paper = [await kontor.invoices.print("inv_1"), await kontor.invoices.pdf("inv_1")]
  const webhook = await verifyWebhook("", new Headers(), "")
  if (webhook.type === "webhooks.test") return webhook.seq
  if (webhook.kind === "invoices") return webhook.record?.invoiceNumber
  for await (const event of kontor.events({ include: "record" }))
    if (event.type === "customers.created") return event.record && event.record.customerNumber.length
  return [customer, name, begun, also, after, number, made, files, paper]
}
`

/** Mistakes that the types find. */
const mistakes = `import { createClient, KontorError } from "./kontor"
const kontor = createClient({ url: "", apiKey: "" })
export async function mistakes() {
  // @ts-expect-error There is no such field.
  await kontor.items.list({ "colour[gte]": 5 })
  // @ts-expect-error Prices are numbers.
  await kontor.items.list({ "sellingPrice[gte]": "5" })
  // @ts-expect-error The code is never null.
  await kontor.items.list({ "itemCode[null]": true })
  // @ts-expect-error There is no such type of item.
  await kontor.items.list({ itemType: "Thing" })
  // @ts-expect-error A list cannot be sorted by its images.
  await kontor.items.list({ sort: "images" })
  // @ts-expect-error The name is missing.
  await kontor.items.create({ itemCode: "A" })
  const { id } = await kontor.items.get("itm_1", { fields: ["id"] })
  // @ts-expect-error It was not selected.
  const { itemName } = await kontor.items.get("itm_1", { fields: ["id"] })
  // @ts-expect-error Kontor gives these numbers, so nothing can be created by them.
  await kontor.customers.putBy("customerNumber", "C-1", {}, { onlyNew: true })
  // @ts-expect-error A credit note needs a reason.
  await kontor.creditNotes.creditInvoice("inv_1", { restock: true })
  // @ts-expect-error An allocation has an amount.
  await kontor.payments.create({ customerNumber: "C-1", amount: 5, allocations: [{ invoiceNumber: "INV-1" }] })
  // @ts-expect-error An invoice has no such key.
  await kontor.invoices.pdf({ orderNumber: "SO-1" })
  // @ts-expect-error The types of events are a list.
  kontor.events({ types: "invoices.*" })
  for await (const event of kontor.events({ include: "record" })) {
    // @ts-expect-error A record of any kind may be there.
    if (event.record?.itemName) return event
    // @ts-expect-error Invoices have numbers and no codes.
    if (event.type === "invoices.issued") return [event.record?.invoiceNumber, event.record?.itemCode]
  }
  // @ts-expect-error An order names no invoice.
  await kontor.salesOrders.list({ expand: ["invoice"] })
  const order = await kontor.salesOrders.get("so_1", { expand: "customer" })
  // @ts-expect-error Only the customer was asked for.
  const expanded = [order.expanded.customer["cus_1"]?.name, order.expanded["items.item"]]
  const { data } = await kontor.salesOrders.list()
  // @ts-expect-error Nothing was asked for.
  const nothing = data[0]?.expanded
  const tried = await kontor.customers.create({ name: "A" }, { dryRun: true })
  // @ts-expect-error A dry run assigns no number.
  const number: string = tried.customerNumber
  // @ts-expect-error An export has no pages.
  await kontor.items.export({ titles: "de", page: 2 })
  // @ts-expect-error A password belongs to an email address.
  createClient({ url: "", signIn: { password: "secret" } })
  // @ts-expect-error There is no such code.
  const isWrong = (error: KontorError) => error.code === "WRONG"
  return [id, itemName, isWrong, expanded, nothing, number]
}
`

const page = readFileSync(join(root, "docs/guide/keep-in-sync.md"), "utf8")
const samples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code)
const results =
  "again, buyers, changed, customer, failed, invoice, later, me, note, order, payment, prices, problems, raised, settled, sold, stock, trial, whole, recorded, disputed, moved"

let kontor: Kontor
let api: Api
let token: string
let folder: string
let text: string

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  token = api.credential.authorization?.slice("Bearer ".length) ?? ""
  const { key } = await api.create("/api-keys", { name: "Web shop", scopes: ["read", "write"] })
  mkdirSync(join(root, "dist"), { recursive: true })
  folder = emptyFolder(join(root, "dist"))
  text = (await run(["client"])).stdout
  const story = samples.join("\n").replaceAll("http://127.0.0.1:7070", kontor.url).replace("YOUR_KEY", key)
  await Bun.write(join(folder, "kontor.ts"), text)
  await Bun.write(join(folder, "story.ts"), `${story}\nexport { ${results} }\n`)
  await Bun.write(join(folder, "known.ts"), known)
  await Bun.write(join(folder, "mistakes.ts"), mistakes)
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["."] }))
})
afterAll(cleanUp)

describe("the client", () => {
  test("says what it is, imports nothing, and is not too long to read", async () => {
    const { version } = await Bun.file(join(root, "package.json")).json()
    expect(text).toStartWith(
      `// The client of Kontor ${version} for TypeScript. Generated by \`kontor client\``,
    )
    expect(text).not.toMatch(/^\s*import\s|\brequire\(|import\(/m)
    // Some 150 lines for each kind of the business and for messages, as many more for those with lines, what all share, and
    // what starts a sandbox.
    const kinds = Object.values(shop).map(({ kind }): Resource => kind)
    const withLines = kinds.filter(({ lines }) => lines !== undefined)
    expect(text.split("\n").length).toBeLessThan(3_700 + 190 * (kinds.length + 1) + 150 * withLines.length)
    expect((await run(["client"])).stdout).toBe(text)
  })

  test("compiles with the strictest settings, with the guide's samples, and finds mistakes", async () => {
    const check = Bun.spawn([process.execPath, "check", "--no-script", "--all", "-p", folder], {
      stdout: "pipe",
      stderr: "pipe",
    })
    const said = (await new Response(check.stdout).text()) + (await new Response(check.stderr).text())
    expect(said).toContain("No type errors")
    expect(await check.exited).toBe(0)
  })

  test("has a method for every operation under /api/v1 except PATCH, which does the same as PUT", async () => {
    const { stdout } = await run(["openapi"])
    const missing = Object.entries<object>(JSON.parse(stdout).paths)
      .filter(([path]) => path.startsWith("/api/v1/"))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })))
      .filter(({ method }) => method !== "patch")
      // A method with an id takes a key too, except PUT, which has one of its own with a key.
      .map(({ path, method }) =>
        path.replace(
          /by\/[\w{}]+\/\{value\}/,
          method === "put" && !path.includes("{field}") ? "by/{field}/{value}" : "{id}",
        ),
      )
      .filter((path) => !text.includes(`path\`${path.replaceAll("{", "${")}\``))
    expect(missing).toEqual([])
  })

  test("names a record by its id or by a key", async () => {
    const { createClient } = await import(join(folder, "kontor.ts"))
    const client = createClient({ url: kontor.url, token })
    const item = await client.items.create({ itemCode: "By key/1", itemName: "Keyed" })
    const [made] = (await client.items.history({ itemCode: "by key/1" })).data
    expect(made.action).toBe("items.create")
    await client.items.delete({ itemCode: "By key/1" })
    expect(await client.items.get(item.id).catch(({ code }: { code: string }) => code)).toBe("NOT_FOUND")
  })
})

describe("where it runs", () => {
  test("Node.js runs it", async () => {
    await Bun.write(join(folder, "kontor.mjs"), new Bun.Transpiler({ loader: "ts" }).transformSync(text))
    const script = `import { createClient } from "./kontor.mjs"
      const kontor = createClient({ url: ${JSON.stringify(kontor.url)}, token: ${JSON.stringify(token)} })
      const { id } = await kontor.customers.create({ name: "Node" })
      for await (const each of kontor.customers.all({ id })) console.log(each.name)
      await kontor.customers.delete(id)
      await kontor.customers.get(id).catch(({ name, code }) => console.log(name, code))`
    await Bun.write(join(folder, "node.mjs"), script)
    const node = Bun.spawn(["node", join(folder, "node.mjs")], { stdout: "pipe", stderr: "inherit" })
    expect(await new Response(node.stdout).text()).toBe("Node\nKontorError NOT_FOUND\n")
  })

  test("a page of an allowed origin may send every header that it sends", async () => {
    const origin = "https://shop.example"
    const other = await serve({ args: ["--cors-origins", origin] })
    const sent = [...text.matchAll(/headers(?:\.set\(|\[)"([a-z-]+)"/g)].map(([, name = ""]) => name)
    expect(sent).toContain("if-none-match")
    const answer = await fetch(`${other.url}/api/v1/items`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    })
    const allowed = answer.headers.get("access-control-allow-headers")?.toLowerCase().split(", ")
    expect(sent.filter((name) => !allowed?.includes(name))).toEqual([])
  })
})

describe("the guide's story", () => {
  test("comes true", async () => {
    const told = await import(join(folder, "story.ts"))
    expect(told.customer).toMatchObject({ externalId: "c-17", name: "Studio Süd" })
    expect(told.failed).toEqual([])
    expect(told.order).toMatchObject({
      externalId: "web-1001",
      status: "submitted",
      customer: told.customer.id,
      items: [
        { quantity: 2, rate: 449.9 },
        { quantity: 1, rate: 39, discount: 10 },
      ],
    })
    expect(told.again.id).toBe(told.order.id)
    expect(told.payment).toMatchObject({
      externalId: "psp-77",
      amount: told.invoice.total,
      invoice: told.invoice.id,
      unallocated: 0,
      allocations: [{ amount: told.invoice.total, invoiceNumber: told.invoice.invoiceNumber }],
    })
    expect(told.note).toMatchObject({ status: "open", total: 449.9, appliedToInvoice: 0, unapplied: 449.9 })
    expect(told.settled).toMatchObject({ status: "settled", refunds: [{ amount: 449.9, method: "Card" }] })
    expect(await api.get(`/invoices/${told.invoice.id}`)).toMatchObject({
      body: { data: { status: "paid", creditedTotal: 449.9, creditNotes: [told.note.id] } },
    })
    expect(told.recorded.results).toMatchObject([{ status: 201 }, { status: 201, data: { unallocated: 35 } }])
    expect(told.disputed).toMatchObject({
      externalId: "psp-79",
      amount: 35,
      notes: "Disputed by the customer",
    })
    expect(told.moved.results).toMatchObject([{ status: 201, data: { balanceAfter: 4 } }])
    expect(Object.fromEntries(told.stock)).toEqual({ "p-1": 7, "p-2": -2 })
    expect(told.changed).toBeWithin(1, 3)
    expect(Object.fromEntries(told.prices)).toEqual({ "SHOP-p-1": 449.9, "SHOP-p-2": 39 })
    expect(told.raised).toMatchObject({ sellingPrice: 55 })
    expect(told.me).toMatchObject({ email: adminEmail })
    expect(await told.later.auth.me()).toMatchObject({ email: adminEmail })
    expect(told.buyers).toEqual(["Studio Süd", "Studio Süd"])
    expect(told.sold).toEqual(["Standing desk", "Desk lamp"])
    expect(told.whole).toEqual({
      id: told.invoice.id,
      customer: told.customer.id,
      expanded: { customer: { [told.customer.id]: expect.objectContaining({ name: "Studio Süd" }) } },
    })
    expect(told.problems.toSorted()).toEqual(["itemCode: DUPLICATE", "taxRate: TOO_LARGE"])
    expect(told.trial).toMatchObject({ invoiceNumber: null, salesOrder: told.order.id })
  })

  test("creates nothing when it is told again", async () => {
    await Bun.write(join(folder, "again.ts"), await Bun.file(join(folder, "story.ts")).text())
    await import(join(folder, "again.ts"))
    const kinds = ["items", "customers", "sales-orders", "invoices", "credit-notes", "payments"]
    const totals = kinds.map(async (kind) => (await api.get(`/${kind}`)).body.meta.total)
    expect(await Promise.all(totals)).toEqual([2, 1, 2, 1, 1, 3])
    expect((await api.get("/stock-movements?externalId=wms-9001")).body.meta.total).toBe(1)
    const [note] = (await api.get("/credit-notes")).body.data
    expect(note).toMatchObject({ refunded: 449.9, refunds: [{ amount: 449.9 }] })
  })
})

describe("in a sandbox", () => {
  const command = () => join(folder, "bin/kontor")

  test("the samples of the guide come true", async () => {
    const page = readFileSync(join(root, "docs/guide/sandbox.md"), "utf8")
    const [sample = "", faults = ""] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
      ([, code = ""]) => code,
    )
    await Bun.write(command(), `#!/bin/sh\nexec ${program.join(" ")} "$@"\n`)
    chmodSync(command(), 0o755)
    const under = `${faults}\n  assert.deepEqual(await sandbox.messages(), [])\n`
    await Bun.write(join(folder, "test/overdue.test.ts"), sample)
    await Bun.write(join(folder, "test/faults.test.ts"), sample.replace("  const customer", `${under}$&`))
    const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", "test"], {
      cwd: folder,
      env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` },
      stdout: "pipe",
      stderr: "pipe",
    })
    expect(await new Response(child.stderr).text()).toMatch(/ 2 pass\n 0 fail\n/)
    expect(await child.exited).toBe(0)
  })

  test("a client that repeats what has failed has the same books, though every fifth request fails", async () => {
    const { startSandbox } = await import(join(folder, "kontor.ts"))
    const shop = await startSandbox({ command: command() })
    const books: object[] = []
    for (const faults of [[], everyFifth]) {
      await shop.reset()
      await shop.faults(faults)
      await sell(sellerOf(shop.client))
      await shop.faults([])
      books.push(await booksOf(shop.url, shop.apiKey))
    }
    expect(books[1]).toEqual(books[0] ?? {})
    await shop.stop()
  })
})

const sellerOf = (client: any): Seller => ({
  item: async (itemCode, sellingPrice) =>
    (await client.items.create({ itemCode, itemName: itemCode, itemType: "Service", sellingPrice })).id,
  customer: async (name) => (await client.customers.create({ name })).id,
  order: async (customer, items) => (await client.salesOrders.create({ customer, items })).id,
  submit: (order) => client.salesOrders.changeStatus(order, { status: "submitted" }),
  invoice: (salesOrder) => client.invoices.fromOrder({ salesOrder }),
  pay: (invoice, amount) => client.payments.add(invoice, { amount, method: "Card" }),
  credit: (invoice) => client.creditNotes.creditInvoice(invoice, { reason: "Returned" }),
})

describe("on a bad connection", () => {
  let proxy: Awaited<ReturnType<typeof lossyProxy>>
  // The types are checked in the test above. Here the printed file is loaded when the tests run.
  let client: any
  let createClient: (options: object) => any
  const failure = (promise: Promise<unknown>): Promise<any> =>
    promise.then(
      () => null,
      (error) => error,
    )
  const item = (itemCode: string) => ({ itemCode, itemName: "Bad connection" })

  beforeAll(async () => {
    proxy = await lossyProxy(kontor.url)
    ;({ createClient } = await import(join(folder, "kontor.ts")))
    client = createClient({ url: proxy.url, token: () => token })
  })
  afterAll(() => proxy.stop())

  test("a POST waits as long as it is told, and is stored once though its response is lost", async () => {
    proxy.next("lost", { status: 502 }, { status: 429, retryAfter: 1 }, { status: 503, retryAfter: 1 })
    const timers = spyOn(globalThis, "setTimeout")
    const { id } = await client.items.create(item("BAD-1"))
    expect(timers.mock.calls.filter(([, wait]) => wait === 1_000)).toHaveLength(2)
    timers.mockRestore()
    expect(proxy.seen.map(({ method }) => method)).toEqual(Array(5).fill("POST"))
    expect(new Set(proxy.seen.map(({ key }) => key)).size).toBe(1)
    expect(proxy.seen[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect((await api.get("/items?itemCode=BAD-1")).body.data).toMatchObject([{ id }])
  })

  test("two calls have two keys, and a caller can give its own", async () => {
    proxy.next()
    await client.items.create(item("BAD-2"))
    await client.items.create(item("BAD-3"))
    const first = await client.items.create(item("BAD-4"), { idempotencyKey: "import-4" })
    expect(await client.items.create(item("BAD-4"), { idempotencyKey: "import-4" })).toEqual(first)
    expect(new Set(proxy.seen.map(({ key }) => key)).size).toBe(3)
  })

  test("GET, PUT and DELETE are repeated when their response is lost", async () => {
    const { id, version } = await api.create("/items", item("BAD-5"))
    proxy.next("lost")
    expect(await client.items.get(id)).toMatchObject({ id })
    proxy.next("lost")
    expect(await client.items.update(id, { sellingPrice: 7 })).toMatchObject({ version: version + 1 })
    proxy.next("lost")
    expect(await client.items.delete(id)).toBeUndefined()
    expect(proxy.seen.length).toBe(2)
    expect((await api.get(`/items/${id}`)).status).toBe(404)
    proxy.next()
    expect(await failure(client.items.delete(id))).toMatchObject({ status: 404, code: "NOT_FOUND" })
  })

  test("a write with a condition is not repeated, because it would contradict itself", async () => {
    const { id, version } = await api.create("/items", item("BAD-6"))
    proxy.next("lost")
    const error = await failure(client.items.update(id, { sellingPrice: 8 }, { ifMatch: version }))
    expect(error).toMatchObject({ name: "KontorError", status: 0, code: "NO_RESPONSE" })
    expect(proxy.seen.length).toBe(1)
    expect((await api.get(`/items/${id}`)).body.data).toMatchObject({ sellingPrice: 8 })
    proxy.next({ status: 503, retryAfter: 0 })
    expect(await client.items.update(id, { sellingPrice: 9 }, { ifMatch: version + 1 })).toMatchObject({
      sellingPrice: 9,
    })
    const conflict = await failure(client.items.update(id, { sellingPrice: 10 }, { ifMatch: version }))
    expect(conflict).toMatchObject({
      status: 412,
      code: "PRECONDITION_FAILED",
      params: { version: version + 2 },
    })
    expect(conflict.requestId).toBeString()
    const taken = await failure(client.items.putBy("itemCode", "BAD-6", item("BAD-6"), { onlyNew: true }))
    expect(taken).toMatchObject({ status: 412, code: "PRECONDITION_FAILED" })
  })

  test("it gives up after the attempts and the wait that its options allow", async () => {
    const busy = { status: 429, retryAfter: 0 }
    proxy.next(busy, busy, busy)
    const twice = createClient({ url: proxy.url, token, maxAttempts: 2 })
    const error = await failure(twice.auth.me())
    expect(error).toMatchObject({ status: 429, code: "UNEXPECTED_RESPONSE", retryAfter: 0 })
    expect(proxy.seen.length).toBe(2)
    proxy.next({ status: 503, retryAfter: 5 })
    const impatient = createClient({ url: proxy.url, token, maxWait: 4 })
    expect(await failure(impatient.auth.me())).toMatchObject({ status: 503, retryAfter: 5 })
    expect(proxy.seen.length).toBe(1)
    proxy.next({ status: 200 })
    expect(await failure(client.auth.me())).toMatchObject({ status: 200, code: "UNEXPECTED_RESPONSE" })
    const nobody = createClient({ url: "http://127.0.0.1:1", token, maxAttempts: 1 })
    expect(await failure(nobody.auth.me())).toMatchObject({ status: 0, code: "NO_RESPONSE" })
  })

  test("a signal ends the wait", async () => {
    proxy.next({ status: 503, retryAfter: 60 })
    const error = await failure(client.auth.me({ signal: AbortSignal.timeout(200) }))
    expect(error).toMatchObject({ name: "TimeoutError" })
  })

  test("a list is read to its end in pages, also if a page is lost in between", async () => {
    const operations = Array.from({ length: 250 }, (_, i) => ({ op: "create", body: item(`MANY-${i}`) }))
    await client.items.batch({ mode: "each", operations })
    proxy.next({ status: 503, retryAfter: 0 }, "lost")
    const codes: string[] = []
    for await (const { itemCode } of client.items.all({ "itemCode[like]": "MANY-%", fields: ["itemCode"] }))
      codes.push(itemCode)
    expect(new Set(codes).size).toBe(250)
    expect(proxy.seen.length).toBe(5)
  })

  test("warnings, redirects to PDFs, backups, images and escaped keys arrive", async () => {
    proxy.next()
    const warnings: unknown[] = []
    const warned = createClient({
      url: proxy.url,
      token,
      onWarnings: (some: unknown[]) => warnings.push(...some),
    })
    const made = await warned.customers.putBy("externalId", "a/b ä", { name: "Odd", paymentTerms: "someday" })
    expect(await warned.customers.getBy("externalId", "a/b ä")).toEqual(made)
    const lines = [{ itemExternalId: "p-1", quantity: 1 }]
    const order = await warned.salesOrders.create({ customer: made.id, items: lines, status: "submitted" })
    const invoice = await warned.invoices.fromOrder({ salesOrder: order.id })
    expect(warnings).toContainEqual(expect.objectContaining({ code: "TERMS_NOT_UNDERSTOOD" }))
    expect(await (await warned.invoices.print(invoice.id, { language: "de" })).slice(0, 5).text()).toBe(
      "%PDF-",
    )
    const copy = await warned.salesOrders.duplicate(order.id)
    expect(copy).toMatchObject({ status: "draft" })
    await warned.payments.add(invoice.id, { amount: 100 })
    expect((await warned.payments.ofInvoice(invoice.id)).data).toMatchObject([{ amount: 100 }])
    expect((await warned.search({ q: "Standing" })).items).toHaveLength(1)
    expect(await (await warned.backups.create()).slice(0, 15).text()).toBe("SQLite format 3")
    const file = await warned.items.export({
      format: "ndjson",
      "externalId[in]": ["p-1", 'none, "such"'],
      fields: ["externalId", "itemType"],
    })
    expect(await file.text()).toBe('{"externalId":"p-1","itemType":"Product"}\n')
    const german = await warned.items.export({ externalId: "p-1", titles: "de", fields: ["itemCode"] })
    expect(await german.text()).toStartWith("Artikelnummer")
    const image = png()
    const { logo } = await warned.settings.putLogo(new Blob([new Uint8Array(image)], { type: "image/png" }))
    expect(logo).toBe(Bun.SHA256.hash(image, "hex"))
    expect(Buffer.from(await (await warned.settings.logo()).arrayBuffer()).equals(image)).toBe(true)
  })
})
