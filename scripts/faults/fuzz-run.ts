// The fuzzer: sends requests generated from our own API document, valid and with one invalid value, and checks each
// response.
import fc from "fast-check"
import { randomFrom, type Random } from "./random"
import { fuzzFiles } from "./fuzz-files"
import { problemsOf, type Answer, type Expected } from "./fuzz-responses"
import { broken, validBody, without, type Body, type Broken } from "./fuzz-body"
import { operationsOf, type Document, type Operation } from "./fuzz-document"
import { knownIds, type Known } from "./fuzz-known"
import { validParameters, queryText, invalidate, type Parameters } from "./fuzz-query"
import { actors, type Actors } from "./fuzz-actors"
import { uploadOf } from "./fuzz-uploads"

export type Report = {
  seed: number
  requests: number
  operations: number
  statuses: Record<number, number>
  /** Operations that never returned 2xx to a valid request: the fuzzer does not test them. */
  neverSucceeded: string[]
  /** Each kind of problem once, with the first request that showed it. */
  problems: string[]
}

type Case = {
  operation: Operation
  seed: number
  mode: "valid" | "body" | "parameters" | "anonymous" | "bytes"
  text: string
  bytes: Uint8Array
}
type Settings = { url: string; email: string; password: string; seed: number; requests: number }

/**
 * The weights of operations: a password hash takes 50 ms, and a backup and an export take longer as the database grows.
 */
const rare: Record<string, number> = {
  createBackup: 1,
  exportEverything: 1,
  createUser: 4,
  login: 4,
  changePassword: 4,
  logout: 2,
  logoutAll: 2,
}
const often = 10
const exported = 2

/** Sends `requests` requests and reports the problems. The same seed sends the same requests. */
export async function fuzz({ url, email, password, seed, requests }: Settings): Promise<Report> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const operations = operationsOf(document)
  const readable = operations.filter(({ method }) => method === "GET").map(({ path }) => patternOf(path))
  const isReadable = (place: string) => readable.some((pattern) => pattern.test(place))
  const people = await actors(url, { email, password })
  const known = knownIds(people.protectedIds)
  const found = new Map<string, string>()
  const files = fuzzFiles()
  const statuses: Record<number, number> = {}
  const done = new Set<string>()
  let sent = 0

  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    sent++
    const response = await fetch(url + path, { ...init, redirect: "manual" })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      body: isJson ? JSON.parse(text) : null,
    }
  }
  const note = (operation: Operation, how: string, problems: readonly string[]): void => {
    for (const problem of problems) {
      const kind = `${operation.id}: ${problem.replaceAll(/[a-z]{2,3}_[0-9a-z]{26}|\d+/g, "#").slice(0, 120)}`
      if (!found.has(kind)) found.set(kind, `${operation.method} ${operation.path} (${how}): ${problem}`)
    }
  }

  const one = async ({ operation, seed: start, mode, text, bytes }: Case): Promise<void> => {
    const random = randomFrom(start)
    const request = compose(operation, mode, { random, known, text, people, bytes })
    const credential =
      mode === "anonymous" || operation.isOpen ? {} : await people.credentialFor(operation.id)
    const answer = await send(request.path + queryText(request.query), {
      method: operation.method,
      headers: { ...request.headers, ...credential },
      ...(request.body === null ? {} : { body: request.body }),
    })
    note(operation, request.how, problemsOf(operation, request.expected, answer, request.isSlim))
    note(operation, request.how, files.problemsOf(request.path + queryText(request.query), answer))
    if (mode === "valid" && answer.status < 400) done.add(operation.id)
    if (answer.status >= 300) return
    // A dry run stores nothing.
    if (answer.headers.has("dry-run")) return
    people.learn(operation.id, request.sent, answer.body)
    if (operation.method === "DELETE") known.forget(request.path.split("/").at(-1) ?? "")
    else known.learn((answer.body as { data?: unknown } | null)?.data)
    const place = answer.headers.get("location") ?? (isChange(operation) ? request.path : null)
    // A replayed response shows an older state, and a job goes on after the response.
    if (place && answer.status !== 202 && !answer.headers.has("idempotent-replayed"))
      await readBack(operation, place, answer)
  }

  /** Checks that a read returns what the write returned. */
  const readBack = async (operation: Operation, place: string, written: Answer): Promise<void> => {
    known.learnPart(place)
    // A part of a record is read with its record.
    if (!isReadable(place)) return
    const read = await send(place, { headers: await people.credentialFor("") })
    const shown = (written.body as { data: Body }).data
    const { key: _, clientSecret: __, secret: ___, ...stored } = shown
    if (JSON.stringify((read.body as { data?: Body } | null)?.data) !== JSON.stringify(stored))
      note(operation, "read back", [`GET ${place} differs: ${firstDifference(stored, read)}`])
  }

  const weighted = operations.map((operation) => ({
    arbitrary: fc.constant(operation),
    weight: rare[operation.id] ?? (operation.path.endsWith("/export") ? exported : often),
  }))
  const cases = fc.record({
    operation: fc.oneof(...weighted),
    seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    mode: fc.oneof(
      { arbitrary: fc.constant("valid" as const), weight: 10 },
      { arbitrary: fc.constant("body" as const), weight: 8 },
      { arbitrary: fc.constant("parameters" as const), weight: 4 },
      { arbitrary: fc.constant("anonymous" as const), weight: 1 },
      { arbitrary: fc.constant("bytes" as const), weight: 1 },
    ),
    text: fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom(...specialTexts)),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 100 }),
  })
  for (let round = 0; sent < requests; round++) {
    // Random requests would hardly ever create a sale, so some rounds begin with an order to invoice and an invoice to
    // pay.
    const sale = await people.createSale(round)
    known.learn(sale.records)
    for (const place of sale.places) known.learnPart(place)
    for (const each of fc.sample(cases, {
      numRuns: Math.min(50, requests - sent),
      seed: randomFrom(seed + round * 7_919).between(1, 2 ** 31 - 1),
    })) {
      if (sent >= requests) break
      await one(each)
    }
  }

  const neverSucceeded = operations.map(({ id }) => id).filter((id) => !done.has(id) && !impossible.has(id))
  return {
    seed,
    requests: sent,
    operations: operations.length,
    statuses,
    neverSucceeded,
    problems: [...found.values()],
  }
}

/** The server already has an admin, and no app is connected. */
const impossible = new Set(["setUp", "withdrawGrant"])
const specialTexts = [
  "'",
  '"',
  "%",
  "_",
  "\\",
  "*",
  "[",
  "NULL",
  "1 OR 1=1",
  "../..",
  "\u202e",
  "🔩",
  "NEAR(",
  "a*",
  "-",
  "ß",
  "İ",
]
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
const isChange = ({ method, path }: Operation) => /^(PUT|PATCH)$/.test(method) && /\}$|settings$/.test(path)

type Composed = {
  path: string
  query: Parameters["query"]
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
  sent: Body | null
  expected: Expected
  how: string
  isSlim: boolean
}

type Context = { random: Random; known: Known; text: string; people: Actors; bytes: Uint8Array }

/** Creates a request and the expected response. */
function compose(
  operation: Operation,
  mode: Case["mode"],
  { random, known, text, people, bytes }: Context,
): Composed {
  const parameters = aimed(operation, validParameters(operation, random, known, text), known, random)
  const made = operation.body
    ? prepared(
        operation,
        people.amend(operation.id, validBody(operation.body, random, known, text), random),
        { known, random, at: parameters.path },
      )
    : null
  const [upload = null] = random.shuffled(operation.uploads)
  const file = upload === null ? null : uploadOf(upload, text)
  const contentType = made ? "application/json" : upload
  const type: Record<string, string> = contentType ? { "content-type": contentType } : {}
  const as = (sent: Body | null, given: Parameters, expected: Expected, how: string): Composed => ({
    ...given,
    headers: { ...type, ...given.headers },
    body: sent === null ? file : JSON.stringify(sent),
    sent,
    expected,
    how,
  })
  if (mode === "anonymous" && !operation.isOpen)
    return as(made, parameters, { kind: "anonymous" }, "unauthenticated")
  // A missing record, or a wrong version, is reported first.
  const elsewhere = [...(parameters.isAlive ? [] : [404]), ...(parameters.headers["If-Match"] ? [412] : [])]
  // Sign-in and setup return only that the request was wrong, and no details.
  const gone = { setUp: [404, 401], login: [401] }[operation.id] ?? elsewhere
  if (mode === "parameters" && (made === null || operation.isBodyValid(made))) {
    const { parameters: invalidated, how, right } = invalidate(operation, parameters, random)
    return as(made, invalidated, { kind: "broken", right: [...right, ...gone], field: null }, how)
  }
  if (mode === "bytes" && made) {
    const expected: Expected = { kind: "broken", right: [400, ...gone], field: null }
    return { ...as(made, parameters, expected, "bytes"), body: new Uint8Array(bytes), sent: null }
  }
  if (mode === "bytes" && file) {
    // Any text may be a table, which an import refuses later.
    const right = operation.id === "createImport" ? [202, 415] : [422]
    const expected: Expected = { kind: "broken", right: [...right, ...gone], field: null }
    return { ...as(null, parameters, expected, "bytes"), body: new Uint8Array(bytes) }
  }
  // The errors of an operation of a batch are in its result.
  const bad = mode === "body" && made && !isBatch(operation) ? broken(operation, made, random) : null
  if (!bad) return as(made, parameters, { kind: "valid" }, "valid")
  const isLater = isCheckedLater(bad)
  const expected: Expected = { kind: "broken", right: [422, ...gone], field: isLater ? null : bad.field }
  return as(bad.body, parameters, expected, `${bad.field}: ${bad.how}`)
}

/** Most credit notes are for an open invoice: drafts, cancelled and credited invoices cannot be credited. */
function aimed({ id }: Operation, given: Parameters, known: Known, random: Random): Parameters {
  const open = known.openInvoices()
  if (id !== "creditInvoice" || !given.isAlive || open.length === 0 || random.chance(0.2)) return given
  return { ...given, path: `/api/v1/invoices/${random.pick(open)}/credit-notes` }
}

/**
 * The decimals of a discount depend on the currency, and any text may be the ID of a tax code: both are checked after the
 * item of the line.
 */
const isCheckedLater = ({ how, field }: Broken): boolean =>
  how === "five decimals"
    ? field.endsWith("discountAmount")
    : /^items\[\d+\]\.taxCode$/.test(field) && ["a text", "empty", "another word"].includes(how)

const isBatch = ({ path }: Operation) => path.endsWith("/batch")

/**
 * Removes the field that the path names, because another value of it would be refused. Most new documents name their
 * customer and items by id: random external ids and codes name no record.
 */
function prepared(
  { path, id }: Operation,
  body: Body,
  { known, random, at }: Pick<Context, "known" | "random"> & { at: string },
): Body {
  if (moneyOperations.has(id) && random.chance(0.8)) return preparedMoney(id, body, { known, random, at })
  const [, key] = /\/by\/(\w+)\//.exec(path) ?? []
  const given = Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
  if (!/^(create|put|update)(SalesOrder|Invoice)(By\w+)?$/.test(id) || random.chance(0.2)) return given
  const { customerExternalId: _, ...document } = given
  const lines = (Array.isArray(document.items) ? document.items : []) as Body[]
  const isNew = !/^update|OrderNumber$|InvoiceNumber$/.test(id)
  if (isNew && lines.length === 0) lines.push({ quantity: 1 })
  return {
    ...document,
    ...(isNew ? { customer: document.customer ?? known.pick("cus", random) } : {}),
    ...(lines.length > 0 ? { items: lines.map((line) => preparedLine(line, known, random)) } : {}),
  }
}

const moneyOperations = new Set([
  "creditInvoice",
  "createPayment",
  "allocatePayment",
  "applyCreditNote",
  "refundPayment",
  "refundCreditNote",
])

/** A small amount of what is left of a record, for an invoice of its customer; a credit of lines of its invoice. */
function preparedMoney(
  operation: string,
  body: Body,
  { known, random, at }: Pick<Context, "known" | "random"> & { at: string },
): Body {
  const owner = at.split("/").at(-2) ?? ""
  const given = without(body, ["creditNoteDate", "externalId"])
  if (operation === "creditInvoice") {
    const items = known.linesOf(owner).map((invoiceLine) => ({
      invoiceLine,
      ...(random.chance(0.5) ? { amount: 0.01 } : { quantity: 0.01 }),
    }))
    return items.length === 0 || random.chance(0.2) ? without(given, ["items"]) : { ...given, items }
  }
  if (operation === "createPayment") return without(given, ["allocations"])
  const invoice = known.openInvoiceOf(owner)
  return { ...given, amount: 0.01, ...("invoice" in given && invoice ? { invoice } : {}) }
}

/** A line sells an item or has a description, and has one discount. */
function preparedLine(given: Body, known: Known, random: Random): Body {
  const { item, description, uom, ...more } = given
  const line = without(more, ["itemExternalId", "itemCode", "discountAmount"])
  const sold = random.chance(0.3)
    ? { description: description ?? "Work", rate: line.rate ?? 1, ...(uom ? { uom } : {}) }
    : { item: item ?? known.pick("itm", random) }
  const isAmount = random.chance(0.3)
  return { ...(isAmount ? { ...without(line, ["discount"]), discountAmount: 0 } : line), ...sold }
}

function firstDifference(stored: Body, { status, body }: Answer): string {
  const read = (body as { data?: Body } | null)?.data ?? {}
  const names = [...new Set([...Object.keys(stored), ...Object.keys(read)])]
  const name = names.find((each) => JSON.stringify(stored[each]) !== JSON.stringify(read[each]))
  return `${status} ${name}: ${JSON.stringify(stored[name ?? ""])} became ${JSON.stringify(read[name ?? ""])}`.slice(
    0,
    300,
  )
}
