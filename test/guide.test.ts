import { afterAll, expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { signIn } from "./support/api"
import { cleanUp, emptyFolder, program, run, serve, type Kontor } from "./support/kontor"
import { readPdf } from "./support/pdf"

afterAll(cleanUp)

const root = join(import.meta.dir, "..")
/** The pages of the guide in reading order: later samples use variables of earlier ones. */
const pages = [
  "first-call",
  "lists",
  "orders-to-payment",
  "customers",
  "credit-notes",
  "tax",
  "company",
  "e-invoices",
  "keys-and-oauth",
  "keep-in-sync",
  "events",
  "webhooks",
  "data",
  "limits",
  "errors",
  "quotations",
  "backup",
].map((name) => ({ name, text: readFileSync(join(root, `docs/guide/${name}.md`), "utf8") }))

const textOf = (page: string): string => pages.find(({ name }) => name === page)?.text ?? ""

/** A shell sample of a page, and the statuses other than 2xx that its comments announce. */
type Sample = { page: string; code: string; errors: string[] }

/** Returns the ```sh blocks of a text. A comment such as "# 422: the code is used" announces a status other than 2xx. */
const samplesOf = (page: string, text: string): Sample[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => ({
    page,
    code,
    errors: [...code.matchAll(/^# ([345]\d\d):/gm)].map(([, status = ""]) => status),
  }))

const quoted = (words: string[]) => words.map((word) => `'${word}'`).join(" ")

/** What the samples call, with a note of each status: `curl 201` for a response, `kontor 0 …` for a command. */
const preamble = (log: string) => `
curl() {
  local notes code
  # Written as a whole, because two of them may run at the same time.
  { notes=$(command curl -w '%{stderr}curl %{http_code}\\n' "$@" 2>&1 1>&3); } 3>&1
  code=$?
  echo "$notes" >>'${log}'
  return $code
}
kontor() { ${quoted(program)} "$@" 2>>'${log}-words'; echo "kontor $? $*" >>'${log}'; }
`

/** Runs the samples in one shell session in the server's folder. Returns what each of them noted. */
async function runSamples(samples: Sample[], { url, cwd }: Kontor): Promise<string[][]> {
  const folder = emptyFolder()
  const log = join(folder, "log")
  const script = join(folder, "session.sh")
  const texts = samples.map(({ code }) => code.replaceAll("http://127.0.0.1:7070", url))
  writeFileSync(log, "")
  writeFileSync(script, [preamble(log), ...texts].join(`\necho next >>'${log}'\n`))
  const shell = Bun.spawn(["bash", "-u", script], { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [errors] = await Promise.all([
    new Response(shell.stderr).text(),
    new Response(shell.stdout).text(),
    shell.exited,
  ])
  expect(errors).toBe("")
  return readFileSync(log, "utf8")
    .split("next\n")
    .slice(1)
    .map((notes) => notes.split("\n").filter((note) => note !== ""))
}

/** Fails unless every sample got the statuses that it announces, and 2xx or exit code 0 otherwise. */
function assertAsWritten(samples: Sample[], notes: string[][]): void {
  const failures = notes.map((each) => each.filter((note) => !/^(curl 2\d\d|kontor 0 )/.test(note)))
  expect(samples.map(({ page, code }, i) => [page, code, failures[i]])).toEqual(
    samples.map(({ page, code, errors }) => [page, code, errors.map((status) => `curl ${status}`)]),
  )
}

/** Reads lists as the first admin. */
async function listsOf(kontor: Kontor) {
  const api = await signIn(kontor)
  return async (path: string) => (await api.get(path)).body
}

test("the README's tour works when it is copied", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8")
  const tour = /^## A short tour\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? ""
  const samples = samplesOf("README", tour)
  const kontor = await serve()
  const notes = await runSamples(samples, kontor)
  assertAsWritten(samples, notes)
  expect(notes.flat().length).toBeGreaterThanOrEqual(8)
  const list = await listsOf(kontor)
  expect((await list("/sales-orders")).data).toMatchObject([{ status: "completed" }])
  expect((await list("/invoices")).data).toMatchObject([{ status: "paid", balance: 0, creditedTotal: 60 }])
  expect((await list("/credit-notes")).data).toMatchObject([{ status: "settled", total: 60, refunded: 60 }])
})

test("the guide works when it is copied page by page into one shell", async () => {
  const samples = pages.flatMap(({ name, text }) => samplesOf(name, text))
  const kontor = await serve()
  const notes = await runSamples(samples, kontor)
  assertAsWritten(samples, notes)
  expect(notes.flat().length).toBeGreaterThanOrEqual(60)
  const list = await listsOf(kontor)
  const { data: orders } = await list("/sales-orders?sort=createdAt&order=asc")
  expect(orders).toMatchObject([
    { status: "completed", invoiceStatus: "invoiced" },
    { status: "draft", pricesIncludeTax: true, total: 59.97 },
    { status: "draft", discount: 10, total: 225 },
    { status: "draft", discount: 0, total: 250 },
    { status: "cancelled" },
    { status: "draft", total: 4_800, quotation: expect.stringMatching(/^quo_/) },
  ])
  const { data: invoices } = await list("/invoices?sort=createdAt&order=asc")
  expect(invoices).toMatchObject([
    { status: "paid", amountPaid: 429, creditedTotal: 50, creditTaken: 0, balance: 0 },
    { status: "paid", total: 429, amountPaid: 427.5, writtenOff: 1.5, balance: 0 },
    { status: "paid", total: 858, amountPaid: 858 },
    { status: "credited", total: 429, amountPaid: 399, creditApplied: 30, creditedTotal: 429, balance: 0 },
    { status: "paid", total: 250, amountPaid: 250 },
    { status: "cancelled", total: 429, creditedTotal: 429 },
    { status: "unpaid", total: 142.8 },
    {
      status: "unpaid",
      isOpening: true,
      invoiceNumber: "2025-0817",
      customerName: "Buchhandlung Sommer",
      total: 119,
    },
  ])
  const { data: creditNotes } = await list("/credit-notes?sort=createdAt&order=asc")
  expect(creditNotes).toMatchObject([
    { status: "settled", total: 50, appliedToInvoice: 0, applied: 30, refunded: 20 },
    { status: "settled", total: 429, refunded: 429, restock: true },
    { status: "settled", total: 429, appliedToInvoice: 429, isCancellation: true, reason: "Wrong customer" },
  ])
  const { data: payments } = await list("/payments?sort=createdAt&order=asc")
  expect(payments).toMatchObject([
    { amount: 200, allocated: 200, invoice: invoices[0].id },
    { amount: 229, allocated: 229 },
    { amount: 427.5, allocated: 427.5 },
    { amount: 250, method: "voucher" },
    { amount: 1000, allocations: [{ amount: 858 }, { amount: 142 }], invoice: null },
    {
      amount: 300,
      allocations: [{ amount: 200 }, { amount: 57 }],
      refunds: [{ amount: 13 }],
      unallocated: 30,
    },
  ])
  expect((await list("/customers?name=Café Nordlicht")).data).toMatchObject([
    { outstandingBalance: 142.8, creditBalance: 30, creditAvailable: 4887.2 },
  ])
  expect((await list("/items?itemCode=DESK-120")).data).toMatchObject([
    { currentStock: 8, sellingPrice: 419 },
  ])
  // Rows 2 and 3 were imported with skipInvalid, row 4 with the upsert; the prices were raised by 10 %, and that was undone.
  expect((await list("/items?category=Lighting&sort=itemCode&order=asc")).data).toMatchObject([
    { itemCode: "LAMP-10", itemName: "Floor lamp", sellingPrice: 89.5, currentStock: 4, version: 3 },
    { itemCode: "LAMP-11", itemName: "Table lamp", sellingPrice: 39.9, currentStock: 0, version: 3 },
    { itemCode: "LAMP-12", itemName: "Ceiling lamp", sellingPrice: 120, version: 3 },
  ])
  expect((await list("/items?itemCode=TISCH-160")).data).toMatchObject([
    { itemName: "Konferenztisch groß", sellingPrice: 1234.56, category: "A1" },
  ])
  const { data: listed } = await list("/imports")
  const imports: any[] = []
  for (const { id } of listed) imports.push((await list(`/imports/${id}`)).data)
  expect(imports.toReversed()).toMatchObject([
    {
      dryRun: true,
      status: "finished",
      counts: { rows: 3, valid: 2, invalid: 1, created: 2 },
      faultCount: 1,
    },
    { status: "finished", counts: { created: 2, invalid: 1 } },
    {
      dryRun: true,
      status: "finished",
      format: { headingRow: 3 },
      counts: { rows: 1, created: 1 },
      skippedRows: [{ row: 5 }],
    },
    { kind: "customers", status: "finished", counts: { created: 1 } },
    { kind: "customers", status: "finished", counts: { created: 0 } },
    { mode: "upsert", status: "finished", counts: { created: 1, unchanged: 2 } },
    { mode: "upsert", status: "finished", counts: { created: 0, updated: 0, unchanged: 3 } },
    { status: "finished", format: { encoding: "windows-1252", delimiter: ";", decimal: "," } },
    { mode: "upsert", status: "finished", format: { type: "ndjson" }, counts: { created: 2 } },
    { status: "finished", counts: { created: 1 }, canUndo: false, undoJob: expect.stringMatching(/^job_/) },
    { kind: "stock-counts", status: "finished", counts: { updated: 1, unchanged: 1 } },
    { kind: "customers", status: "finished", counts: { created: 1 } },
    { kind: "opening-invoices", status: "finished", counts: { created: 1 } },
    { mode: "upsert", dryRun: true, status: "finished", counts: { rows: 3, unchanged: 3 } },
  ])
  const [, shown = ""] = /^```json\n(\{\n  "id": "imp_[\s\S]*?)^```$/m.exec(textOf("data")) ?? []
  const example = JSON.parse(shown)
  expect(imports.at(-1)).toContainKeys(Object.keys(example))
  expect(Object.keys(example.format)).toEqual(Object.keys(imports.at(-1).format))
  expect(textOf("data")).toContain("\ncall() {")
  expect(readFileSync(join(kontor.cwd, "faults.csv"), "utf8")).toContain(
    '4,Price,sellingPrice,"""on request"" is',
  )
  expect(readFileSync(join(kontor.cwd, "lamps.csv"), "utf8")).toContain("LAMP-10,Floor lamp,")
  for (const name of ["unpaid.xlsx", "kontor-export.zip"])
    expect(readFileSync(join(kontor.cwd, name)).subarray(0, 2).toString()).toBe("PK")
  expect((await list("/items?itemCode=SHELF-1")).meta).toMatchObject({ total: 1 })
  expect((await list("/api-keys")).data.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    "Price display",
    "Web shop",
  ])
  const titleOf = async (name: string) =>
    (await readPdf(await Bun.file(join(kontor.cwd, name)).bytes())).title
  expect(await titleOf("invoice.pdf")).toStartWith("Invoice INV-")
  expect(await titleOf("credit-note.pdf")).toStartWith("Credit note CN-")
  for (const name of ["kontor-backup.db", "kontor-download.db", "rehearsal.db"])
    expect(existsSync(join(kontor.cwd, name))).toBeTrue()
  expect((await run(["check", "--db", join(kontor.cwd, "kontor-download.db")])).code).toBe(0)
})
