import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { signIn, type Api } from "../support/api"
import { problemsIn, problemsInRows } from "../support/check"
import { inFile } from "../support/file"
import { until } from "../support/until"
import { trade } from "../support/trade"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"

/** A tax code that no record names. */
const taxCode = `INSERT INTO tax_codes (id, code, code_key, code_sort, name, name_sort, category, rate, is_active, is_used,
  version, created_at, updated_at) VALUES ('tax_1', 'T19', 't19', 't19', 'VAT', 'vat', 'S', 190000, 1, 0, 1, '', '')`

let kontor: Kontor
let api: Api
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  const shop = trade(api)
  await shop.invoice()
  for (let i = 0; i < 30; i++) await api.create("/items", { itemCode: `B-${i}`, itemName: `Backup ${i}` })
})
afterAll(cleanUp)

describe("kontor backup", () => {
  test("writes a checked, private backup while a server writes to the database", async () => {
    const folder = emptyFolder()
    const target = join(folder, "copy.db")
    const writing = Promise.all(
      Array.from({ length: 50 }, (_, i) => api.create("/customers", { name: `During ${i}` })),
    )
    const made = await run(["backup", target], { cwd: kontor.cwd })
    await writing
    expect(made).toMatchObject({ code: 0, stderr: "" })
    expect(readdirSync(folder)).toEqual(["copy.db"])
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(await run(["check", "--db", target])).toMatchObject({ code: 0 })
  })

  test("leaves out sessions, refresh tokens and secrets, down to the free pages", async () => {
    const target = join(emptyFolder(), "copy.db")
    const secrets = inFile(kontor, (db) => db.query<{ value: string }, []>("SELECT value FROM secrets").all())
    expect(secrets.length).toBeGreaterThan(1)
    await run(["backup", target], { cwd: kontor.cwd })
    const bytes = readFileSync(target).toString("latin1")
    for (const { value } of secrets) expect(bytes).not.toContain(value)
    for (const table of ["sessions", "refresh_tokens", "secrets", "idempotency_keys"])
      expect(inFile({ file: target }, (db) => db.query(`SELECT count(*) AS n FROM ${table}`).get())).toEqual({
        n: 0,
      })
  })

  test("has no secrets, even after commands have read it or written to it", async () => {
    const target = join(emptyFolder(), "copy.db")
    await run(["backup", target], { cwd: kontor.cwd })
    const commands = [
      ["users", "list"],
      ["keys", "list"],
      ["clients", "list"],
      ["keys", "create", "--name", "Later", "--scopes", "read"],
    ]
    for (const command of commands) expect(await run([...command, "--db", target])).toMatchObject({ code: 0 })
    expect(inFile({ file: target }, (db) => db.query("SELECT name FROM secrets").all())).toEqual([])
  })

  test("can be served: users sign in again, API keys still work", async () => {
    const cwd = emptyFolder()
    const { key } = await api.create("/api-keys", { name: "Stays", scopes: ["read"] })
    await run(["backup", join(cwd, "kontor.db")], { cwd: kontor.cwd })
    const copy = await serve({ cwd, env: {} })
    expect((await fetch(`${copy.url}/api/v1/items`, { headers: api.credential })).status).toBe(401)
    expect((await fetch(`${copy.url}/api/v1/items`, { headers: { "x-api-key": key } })).status).toBe(200)
    expect((await (await signIn(copy)).get("/items?search=backup")).body.meta.total).toBe(30)
  })

  test("replaces an older backup, but never the database itself", async () => {
    const folder = emptyFolder()
    const target = join(folder, "copy.db")
    writeFileSync(target, "old")
    expect(await run(["backup", target], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
    expect(statSync(target).size).toBeGreaterThan(10_000)
    expect(await run(["backup", "kontor.db"], { cwd: kontor.cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is the database itself"),
    })
  })

  test("deletes unfinished files of earlier backups, and nothing else", async () => {
    const folder = emptyFolder()
    const left = (name: string) => `.${name}.${crypto.randomUUID()}.unfinished`
    const [young, old, download, mine] = [
      left("copy.db"),
      left("copy.db"),
      left("download"),
      ".mine.unfinished",
    ]
    const journal = `${old}-journal`
    for (const name of [young, old, journal, download, mine]) writeFileSync(join(folder, name), "left")
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const name of [old, journal, download, mine]) utimesSync(join(folder, name), longAgo, longAgo)
    expect(await run(["backup", join(folder, "copy.db")], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
    expect(readdirSync(folder).toSorted()).toEqual([young, mine, "copy.db"].toSorted())
  })

  test("a target that cannot be written is refused with a message, and no file is left", async () => {
    const refused = await run(["backup", "/no/such/folder/copy.db"], { cwd: kontor.cwd })
    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr).toMatch(/cannot be (written|opened)/)
    expect(await run(["backup"], { cwd: kontor.cwd })).toMatchObject({ code: 2 })
  })
})

test.skipIf(process.platform !== "linux")(
  "a backup that is downloaded, to its end or not, is closed once",
  async () => {
    const download = () =>
      fetch(`${kontor.url}/api/v1/backups`, { method: "POST", headers: { ...api.credential } })
    for (let i = 0; i < 4; i++) {
      await (await download()).arrayBuffer()
      await (await download()).body?.cancel()
    }
    await until(() => deletedFiles(kontor.process.pid).length === 0)
    expect(kontor.output.stderr).not.toContain("EBADF")
  },
)

/** The files that a process has open and that have been deleted. */
const deletedFiles = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).filter((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`).endsWith(".unfinished (deleted)")
    } catch {
      return false
    }
  })

describe("kontor check", () => {
  const backup = join(emptyFolder(), "backup.db")
  beforeAll(() => run(["backup", backup], { cwd: kontor.cwd }))
  const copyWith = (sql: string) => {
    const target = join(emptyFolder(), "copy.db")
    copyFileSync(backup, target)
    inFile({ file: target }, (db) => db.run(sql))
    return target
  }

  test("reports nothing about a valid file and prints the head and length of the audit log", async () => {
    const { code, stdout, stderr } = await run(["check"], { cwd: kontor.cwd })
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/^Head of the audit log: [0-9a-f]{64}\nLength of the audit log: \d+\n$/)
  })

  test("finds no problem while a server writes", async () => {
    const busy = await serve()
    const other = await signIn(busy)
    let isDone = false
    const writing = (async () => {
      for (let i = 0; !isDone; i++)
        await other.create("/items", { itemCode: `C-${i}`, itemName: `Checked ${i}` })
    })()
    for (let i = 0; i < 3; i++) expect(await run(["check"], { cwd: busy.cwd })).toMatchObject({ code: 0 })
    isDone = true
    await writing
  })

  test.each([
    [
      "an outdated search entry",
      "UPDATE items SET item_name = 'Changed behind' WHERE seq = 1",
      "The search index is out of date for the item",
    ],
    [
      "two swapped search entries",
      `UPDATE items SET item_name = (SELECT item_name FROM items AS other WHERE other.seq = 3 - items.seq)
        WHERE seq IN (1, 2)`,
      "The search index is out of date for the item",
    ],
    [
      "an extra word in a search entry",
      "DELETE FROM items_words WHERE rowid = 2; INSERT INTO items_words (rowid, words, more) VALUES (2, 'b 0 backup oak', '')",
      "The search index is out of date for the item",
    ],
    [
      "an outdated phone number in search",
      "UPDATE customers SET phone = '+49 30 1234567'",
      "The search index is out of date for the customer",
    ],
    [
      "a record that is missing in search",
      "DELETE FROM items_search WHERE rowid = 2",
      "The search index is out of date for the item",
    ],
    [
      "a search entry without a record",
      "INSERT INTO items_search (rowid, words, fragments) VALUES (9999, 'ghost', '')",
      "The search index has 32 item rows; the table has 31.",
    ],
    [
      "stock that does not match its ledger",
      "UPDATE items SET current_stock = 5 WHERE item_code = 'B-0'",
      "The stock of item B-0 is",
    ],
    [
      "reserved stock without an order",
      "UPDATE items SET reserved_stock = 5 WHERE item_code = 'B-0'",
      "The reserved stock of item B-0",
    ],
    [
      "a tax rate that is not that of the item's tax code",
      `${taxCode}; UPDATE tax_codes SET is_used = 1; UPDATE items SET tax_code = 'tax_1' WHERE item_code = 'B-0'`,
      "The tax rate of item B-0 is 0; the rate of its tax code is 19.",
    ],
    [
      "a tax code that an item names and that is not marked as used",
      `${taxCode}; UPDATE items SET tax_code = 'tax_1', tax_rate = 190000 WHERE item_code = 'B-0'`,
      "Tax code T19 is used by other records, but is not marked as used.",
    ],
    [
      "an order whose lines do not add up",
      "UPDATE sales_order_lines SET amount = amount + 1",
      "The lines of sales order SO-",
    ],
    [
      "an invoice whose lines do not add up",
      "UPDATE invoice_lines SET amount = amount + 1",
      "The lines of invoice INV-",
    ],
    [
      "taxes that do not add up",
      "UPDATE invoices SET taxes = json_set(taxes, '$[0].tax', 7)",
      "The taxes of invoice INV-",
    ],
    [
      "a tax that its rate does not make",
      `UPDATE sales_orders SET taxes = json_set(taxes, '$[0].tax', tax_total + 1), tax_total = tax_total + 1,
        total = total + 1`,
      "A tax of sales order SO-",
    ],
    [
      "a base of a tax that its lines do not make",
      "UPDATE invoices SET taxes = json_set(taxes, '$[0].base', 1)",
      "The lines of a tax of invoice INV-",
    ],
    [
      "a line with a tax that the document does not have",
      "UPDATE sales_order_lines SET tax_category = 'Z'",
      "has a tax that its taxes do not contain",
    ],
    [
      "a document whose lines do not have the tax that its prices include",
      "UPDATE sales_orders SET prices_include_tax = 1",
      "with tax; its total is",
    ],
    [
      "an issued invoice without its seller",
      "UPDATE invoices SET seller_version = NULL",
      "does not have the data of its company",
    ],
    [
      "an issued invoice without its buyer",
      "UPDATE invoices SET buyer = NULL",
      "does not have the data of its company",
    ],
    [
      "reverse charge without a tax ID",
      "UPDATE invoice_lines SET tax_category = 'AE'",
      "needs the tax ID of its customer",
    ],
    [
      "invoices whose taxes are not those of their order",
      "UPDATE sales_orders SET tax_total = tax_total + 1, subtotal = subtotal - 1",
      "the taxes of its invoices are not its taxes",
    ],
    [
      "a paid amount without a payment",
      "UPDATE invoices SET amount_paid = 1, balance = total - 1",
      "is 1; its payments add up to",
    ],
    [
      "a status that does not match the payments",
      "UPDATE invoices SET status = 'partially_paid'",
      "does not match its payments",
    ],
    [
      "a wrong outstanding balance of a customer",
      "UPDATE customers SET outstanding_balance = 1",
      "The outstanding balance of customer CUST-00001 is 1",
    ],
    [
      "a wrong value of a customer's open orders",
      "UPDATE customers SET open_orders_value = 1",
      "Customer CUST-00001 has open orders of 1",
    ],
    [
      "a wrong invoiced quantity of a line",
      "UPDATE sales_order_lines SET invoiced_quantity = 0",
      "The invoiced quantity of a line of sales order",
    ],
    [
      "a wrong invoiced total of an order",
      "UPDATE sales_orders SET invoiced_total = 1",
      "is 1; its invoices add up to",
    ],
    [
      "a gap in the invoice numbers",
      "UPDATE invoices SET number_counter = 7",
      "have a gap: there are 1, and there should be 7",
    ],
    [
      "a missing number series",
      "DELETE FROM number_series WHERE name GLOB 'INV-*'",
      "is 0; the last invoice has 1",
    ],
    [
      "a number series that is ahead",
      "UPDATE number_series SET last = last + 1 WHERE name GLOB 'INV-*'",
      "is 2; the last invoice has 1",
    ],
    [
      "an invoiced order that is not completed",
      "UPDATE sales_orders SET status = 'submitted', completed_at = NULL",
      "does not match what is invoiced",
    ],
    [
      "a wrong invoice status",
      "UPDATE sales_orders SET invoice_status = 'not_invoiced'",
      "does not match what is invoiced",
    ],
    [
      "discounts that do not add up",
      "UPDATE sales_orders SET discount_total = 5",
      "do not add up to its discount total",
    ],
    [
      "shares in a discount that do not add up",
      "UPDATE sales_order_lines SET document_discount = 1",
      "in its discount add up to",
    ],
    [
      "a discount of an order that its invoices do not have",
      "UPDATE sales_orders SET discount_amount = 7",
      "and nothing is left to invoice",
    ],
    [
      "timestamps that do not match the status",
      "UPDATE invoices SET cancelled_at = created_at",
      "do not match its status",
    ],
    [
      "stock movements without an invoice",
      "UPDATE stock_movements SET source_id = 'inv_other'",
      "do not match its lines",
    ],
    [
      "inconsistent balances in the stock ledger",
      "UPDATE stock_movements SET balance_after = balance_after + 1",
      "are inconsistent",
    ],
    [
      "a different currency",
      "UPDATE invoices SET currency = 'EUR'",
      "is not in the currency of the settings",
    ],
    [
      "a reference to a missing row",
      "PRAGMA foreign_keys = OFF; DELETE FROM users",
      "refers to a row of users",
    ],
  ])("finds %s", (_, sql, line) => {
    expect(problemsInRows(copyWith(sql)).join("\n")).toContain(line)
  })

  test("prints each problem in a line, of the tables too, and ends with 1", async () => {
    const file = copyWith(`UPDATE customers SET outstanding_balance = 1 WHERE customer_number = 'CUST-00001';
      UPDATE items SET item_name = 'Changed behind' WHERE seq = 1; DROP INDEX items_category;
      PRAGMA foreign_keys = OFF; DELETE FROM users`)
    const found = problemsIn(file)
    expect(found).toEqual(["The index items_category on items is missing.", ...problemsInRows(file)])
    for (const words of ["refers to a row of users", "CUST-00001 is 1", "The search index is out of date"])
      expect(found).toContainEqual(expect.stringContaining(words))
    const { code, stdout, stderr } = await run(["check", "--db", file])
    expect([code, stderr]).toEqual([1, `${file} has ${found.length} problems.\n`])
    expect(stdout).toStartWith(`${found.join("\n")}\nHead of the audit log: `)
    const json = await run(["check", "--json", "--db", file])
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { ok: false, faults: found }])
  })
})
