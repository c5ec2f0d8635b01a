import { afterAll, beforeAll, expect, test } from "bun:test"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { type Api, apiWith, signIn } from "../support/api"
import { download } from "../support/downloads"
import { exportsOf } from "../support/exports"
import { cleanUp, emptyFolder, run, serve } from "../support/kontor"
import { settled } from "../support/mail"
import { until } from "../support/until"

type Shop = Awaited<ReturnType<typeof start>>
/** Two demo shops. To fill one takes seconds. The other one creates backups, and its environment names a file and an admin. */
let shop: Shop
let other: Shop
const [copies, temporary] = [emptyFolder(), emptyFolder()]

beforeAll(async () => {
  shop = await start()
  other = await start(["--backup-dir", copies], {
    KONTOR_DB: "shop.db",
    TMPDIR: temporary,
    KONTOR_ADMIN_EMAIL: "boss@example.com",
    KONTOR_ADMIN_NAME: "The Boss",
    KONTOR_ADMIN_PASSWORD: "long enough to do",
    ZZZ: "last",
  })
})
afterAll(cleanUp)

async function start(args: string[] = [], env: Record<string, string> = {}) {
  const kontor = await serve({ args: ["--demo", ...args], env })
  const [, email = "", shown = ""] =
    /Sign in as (\S+) with the password (\S+)/.exec(kontor.output.stdout) ?? []
  const password = env.KONTOR_ADMIN_PASSWORD ?? shown
  const key = /API key with every scope: (\S+)/.exec(kontor.output.stdout)?.[1] ?? ""
  return { kontor, email, password, key, api: apiWith(kontor, { "x-api-key": key }) }
}

const ordersOf = async ({ api }: Shop) => {
  const fields =
    "fields=id,orderNumber,customerName,total,status,invoiceStatus,orderDate&perPage=100&sort=orderNumber"
  return (await api.get(`/sales-orders?${fields}`)).body.data
}

/** The records of a list, page by page. */
const all = async ({ api }: Shop, path: string) => {
  const rows = []
  for (let page = 1; ; page++) {
    const { data, meta } = (await api.get(`${path}${path.includes("?") ? "&" : "?"}perPage=100&page=${page}`))
      .body
    rows.push(...data)
    if (!meta.hasMore) return rows
  }
}
const cents = (amount: number) => Math.round(amount * 100)

test("serve --demo is a demo shop in memory: the same every time, printed credentials, no files", async () => {
  const count = async (kind: string) => (await shop.api.get(`/${kind}?perPage=1`)).body.meta.total
  expect(await count("items")).toBeGreaterThanOrEqual(200)
  expect(await count("customers")).toBeGreaterThanOrEqual(60)
  expect(await count("sales-orders")).toBeGreaterThanOrEqual(300)
  expect(await count("invoices")).toBeGreaterThanOrEqual(200)
  expect(await count("stock-movements")).toBeGreaterThan(200)
  for (const status of ["unpaid", "partially_paid", "paid", "overdue"])
    expect((await shop.api.get(`/invoices?status=${status}&perPage=1`)).body.meta.total).toBeGreaterThan(0)
  expect(await ordersOf(shop)).toEqual(await ordersOf(other))
  expect(shop.key).not.toBe(other.key)
  expect([shop.email, other.email]).toEqual(["demo@example.com", "boss@example.com"])
  expect(other.kontor.output.stdout).not.toContain(other.password)
  expect((await shop.api.get("/auth/me")).body.data.scopes).toEqual([
    "read",
    "write",
    "delete",
    "admin",
    "webhooks",
  ])
  for (const { kontor, email, password } of [shop, other])
    expect((await (await signIn(kontor, email, password)).get("/users")).status).toBe(200)
  const person = await signIn(shop.kontor, shop.email, shop.password)
  await person.create("/items", { itemCode: "NEW", itemName: "Made by me" })
  expect(readdirSync(shop.kontor.cwd)).toEqual([])
})

test("the demo shop has two years with seasons, customers who pay late and in parts, and items that run low", async () => {
  const orders = await all(shop, "/sales-orders?fields=orderDate")
  const months = Map.groupBy(orders, ({ orderDate }: { orderDate: string }) => orderDate.slice(0, 7))
  const sold = (month: string) => months.get(month)?.length ?? 0
  expect([...months.keys()].toSorted()).toHaveLength(24)
  expect(sold("2025-11") + sold("2026-11")).toBeGreaterThan(1.3 * (sold("2025-07") + sold("2026-07")))
  expect(sold("2026-11")).toBeGreaterThan(sold("2025-11"))
  const late = await all(shop, "/invoices?status=overdue")
  expect(new Set(late.map(({ customer }: { customer: string }) => customer)).size).toBeGreaterThan(2)
  const levels = (await all(shop, "/reminders")).map(({ level }: { level: number }) => level)
  expect([...new Set(levels)].toSorted()).toEqual([1, 2, 3])
  const quotations = await all(shop, "/quotations")
  expect(new Set(quotations.map(({ status }: { status: string }) => status)).size).toBe(5)
  expect(quotations.some(({ salesOrder }: { salesOrder: string | null }) => salesOrder !== null)).toBeTrue()
  const { body } = await shop.api.get("/reports/summary")
  expect(body.data.lowStock.count).toBeGreaterThan(3)
  const rates = (await all(shop, "/invoices")).flatMap(({ taxes }: any) => taxes.map(({ rate }: any) => rate))
  expect([...new Set(rates)].toSorted()).toEqual([0, 19, 7])
})

test("the demo can be exported, in parts and as a whole", async () => {
  const files = exportsOf(shop.kontor, shop.api)
  expect(await files.records("invoices", "status=overdue")).toEqual(
    await all(shop, "/invoices?status=overdue&order=asc"),
  )
  expect(await files.rows("items", "search=desk")).toHaveLength(
    (await all(shop, "/items?search=desk")).length + 1,
  )
  const person = await signIn(shop.kontor, shop.email, shop.password)
  const { status, bytes } = await download(shop.kontor, person, "/export.zip")
  expect([status, Object.keys(unzipSync(bytes)).at(-1)]).toEqual([200, "manifest.json"])
})

test("the demo data is consistent: invoices, orders and outstanding balances agree", async () => {
  const [invoices, creditNotes] = await Promise.all([all(shop, "/invoices"), all(shop, "/credit-notes")])
  const payments = await all(shop, "/payments")
  for (const customer of await all(shop, "/customers")) {
    const owed = invoices
      .filter((invoice) => invoice.customer === customer.id && invoice.status !== "cancelled")
      .reduce((sum, { balance }) => sum + cents(balance), 0)
    expect(cents(customer.outstandingBalance)).toBe(owed)
    const left = [...creditNotes, ...payments]
      .filter((each) => each.customer === customer.id)
      .reduce((sum, { unapplied, unallocated }) => sum + cents(unapplied ?? unallocated), 0)
    expect(cents(customer.creditBalance)).toBe(left)
  }
  for (const invoice of invoices) {
    const { total, balance, depositTotal, creditTaken, amountPaid, creditApplied, writtenOff } = invoice
    const settled = [depositTotal, creditTaken, amountPaid, creditApplied, writtenOff].map(cents)
    expect(cents(balance)).toBe(settled.reduce((left, amount) => left - amount, cents(total)))
    expect(cents(invoice.total)).toBe(cents(invoice.subtotal) + cents(invoice.taxTotal))
    expect(cents(invoice.subtotal)).toBe(
      invoice.items.reduce((sum: number, line: { amount: number }) => sum + cents(line.amount), 0),
    )
  }
  const types = new Set(invoices.map(({ invoiceType }) => invoiceType))
  expect([...types].toSorted()).toEqual(["deposit", "final", "standard"])
})

test("the demo shop has credit notes of each kind, payments over several invoices, and a voided one", async () => {
  const count = async (path: string) => (await shop.api.get(`${path}&perPage=1`)).body.meta.total
  const creditNotes = await all(shop, "/credit-notes?sort=creditNoteNumber&order=asc")
  type Note = (typeof creditNotes)[number]
  const has = (isWanted: (note: Note) => boolean) => expect(creditNotes.some(isWanted)).toBeTrue()
  has(({ restock, items }) => restock && !items[0].isAmount)
  has(({ items }) => items[0].isAmount)
  has(({ appliedToInvoice, refunded, total }) => appliedToInvoice === 0 && refunded === total)
  has(({ appliedToInvoice, total }) => appliedToInvoice === total)
  has(({ applications, invoice }) => applications.some((part: Note) => part.invoice !== invoice))
  has(({ status, unapplied }) => status === "open" && unapplied > 0)
  // They are not all of the last days.
  expect(new Set(creditNotes.map(({ creditNoteDate }) => creditNoteDate.slice(0, 7))).size).toBeGreaterThan(4)
  expect(await count("/invoices?status=credited")).toBeGreaterThan(0)
  expect(await count("/invoices?status=paid&writtenOff[gt]=0")).toBeGreaterThan(0)
  expect(await count("/stock-movements?reason=credit")).toBeGreaterThan(0)
  expect(await count("/payments?invoice[null]=true")).toBeGreaterThan(0)
  expect(await count("/payments?unallocated[gt]=0")).toBeGreaterThan(0)
  const [several] = (await shop.api.get("/payments?invoice[null]=true")).body.data
  expect(several.allocations.length).toBeGreaterThan(1)
  const [voided] = (await shop.api.get("/audit-logs?action=payments.delete")).body.data
  expect((await shop.api.get(`/payments/${voided.recordId}`)).status).toBe(404)
  const told = (notes: Note[]) =>
    notes.map(({ creditNoteNumber, invoiceNumber, total, unapplied, creditNoteDate }) =>
      [creditNoteNumber, invoiceNumber, total, unapplied, creditNoteDate].join(" "),
    )
  expect(told(creditNotes)).toEqual(told(await all(other, "/credit-notes?sort=creditNoteNumber&order=asc")))
})

test("the demo shop has mail of each outcome, and keeps what is sent", async () => {
  const admin = await signIn(shop.kontor, shop.email, shop.password)
  const { data } = (await admin.get("/messages?perPage=100")).body
  const statuses = new Set(data.map(({ status }: { status: string }) => status))
  expect([...statuses].toSorted()).toEqual(["failed", "sent", "uncertain"])
  const { body } = await admin.post(`/invoices/${data[0].record}/send`, { to: "anybody@shop.example" })
  expect(await settled(admin, body.data.id)).toMatchObject({
    status: "sent",
    attempts: [{ code: 250, text: "250 2.0.0 The demo keeps the message." }],
  })
})

test("a backup of the demo shop is a valid Kontor database", async () => {
  const { kontor, email, password } = shop
  const api = await signIn(kontor, email, password)
  expect((await api.get("/backups")).body.data).toEqual({ database: null, latestBackup: null, upload: null })
  const { credential } = api
  const answer = await fetch(`${kontor.url}/api/v1/backups`, { method: "POST", headers: credential })
  expect(answer.status).toBe(200)
  const cwd = emptyFolder()
  await Bun.write(`${cwd}/shop.db`, await answer.arrayBuffer())
  const { code, stdout } = await run(["check", "--db", "shop.db"], { cwd })
  expect([code, stdout]).toEqual([0, expect.stringContaining("Head of the audit log")])
})

test("a backup of the demo shop in a folder is created among the temporary files and leaves none there", async () => {
  await until(() => readdirSync(copies).some((name) => name.endsWith(".db")))
  const [name = ""] = readdirSync(copies)
  expect(statSync(join(copies, name)).mode & 0o777).toBe(0o600)
  expect(await run(["check", "--db", join(copies, name)])).toMatchObject({ code: 0 })
})

test("a demo with an owner is the usual shop, handed over: nobody signs in with the usual address or password", async () => {
  const stranger = (email: string, password: string) =>
    apiWith(other.kontor, {}).post("/auth/login", { email, password })
  for (const [email, password] of [
    [shop.email, shop.password],
    [shop.email, other.password],
    [other.email, shop.password],
  ] as const)
    expect((await stranger(email, password)).status).toBe(401)
  expect((await apiWith(other.kontor, { "x-api-key": shop.key }).get("/auth/me")).status).toBe(401)
  const users = (await all(other, "/users")).toSorted((a, b) => a.email.localeCompare(b.email))
  expect(users).toMatchObject([
    { email: "boss@example.com", name: "The Boss", role: "admin", isActive: true },
    { email: shop.email, isActive: false },
  ])
  // Also when the first owner is enabled again.
  const boss = await signIn(other.kontor, other.email, other.password)
  expect((await boss.patch(`/users/${users[1].id}`, { isActive: true })).status).toBe(200)
  expect((await stranger(shop.email, shop.password)).status).toBe(401)
  expect((await apiWith(other.kontor, { "x-api-key": shop.key }).get("/auth/me")).status).toBe(401)
  expect(await handingOver(other)).toEqual(replaced)
  expect(await handingOver(shop)).toEqual([])
})

test("where others can reach it, a demo has secrets of its own, unless a seed was chosen", async () => {
  const open = await start(["--host", "0.0.0.0"])
  const owned = await start(["--host", "0.0.0.0"], {
    KONTOR_ADMIN_EMAIL: "boss@example.com",
    KONTOR_ADMIN_PASSWORD: "long enough to do",
  })
  const person = await signIn(shop.kontor, shop.email, shop.password)
  for (const reached of [open, owned]) {
    expect(reached.key).not.toBe(shop.key)
    expect(reached.password).not.toBe(shop.password)
    await refusesTheUsual(reached, person)
    expect((await signIn(reached.kontor, reached.email, reached.password)).credential).toBeDefined()
    expect((await ordersOf(reached))[0].id).toBe((await ordersOf(shop))[0].id)
    const sending = (await reached.api.get("/messages/status")).body.data
    expect(sending).toMatchObject({ isSending: true, isPaused: false })
  }
  expect(open.key).not.toBe(owned.key)
  expect(await handingOver(open)).toEqual(["users.set-password", "api-keys.rotate"])
  expect(await handingOver(owned)).toEqual(replaced)
  // A reset leads to the shop that was handed over.
  expect((await open.api.post("/sandbox/reset")).status).toBe(200)
  await refusesTheUsual(open, person)
  const chosen = await start(["--host", "0.0.0.0", "--seed", "1"])
  expect([chosen.key, chosen.password]).toEqual([shop.key, shop.password])
  await Promise.all([open, owned, chosen].map(({ kontor }) => kontor.stop()))
})

/** What was changed after the shop was filled, at the time at which the demo starts. */
const handingOver = async ({ api }: Shop) => {
  const { data } = (await api.get("/audit-logs?perPage=100&order=asc&createdAt[gte]=2027-01-04T09:00:00Z"))
    .body
  type Entry = { action: string; actorType: string }
  const isHanding = ({ action, actorType }: Entry) =>
    actorType === "system" && /^(users|api-keys)\./.test(action)
  return data.filter(isHanding).map(({ action }: Entry) => action)
}
const replaced = ["users.create", "users.update", "users.set-password", "api-keys.delete", "api-keys.create"]

/** Expects that a demo refuses the key, the password, the token and what is signed with the secrets of the usual demo. */
async function refusesTheUsual({ kontor, api }: Shop, person: Api): Promise<void> {
  for (const credential of [{ "x-api-key": shop.key }, person.credential])
    expect((await apiWith(kontor, credential).get("/auth/me")).status).toBe(401)
  for (const email of [shop.email, "boss@example.com"])
    expect((await apiWith(kontor, {}).post("/auth/login", { email, password: shop.password })).status).toBe(
      401,
    )
  const firstPage = async (each: Api) => (await each.get("/items?perPage=1")).body.meta.nextCursor
  const nextPage = async (cursor: string) => (await api.get(`/items?perPage=1&cursor=${cursor}`)).status
  expect([await nextPage(await firstPage(api)), await nextPage(await firstPage(shop.api))]).toEqual([
    200, 400,
  ])
  const latest = async (each: Api) => (await each.get("/events?after=latest")).body.meta.next
  const eventsAfter = async (position: string) => (await api.get(`/events?after=${position}`)).status
  expect([await eventsAfter(await latest(api)), await eventsAfter(await latest(shop.api))]).toEqual([
    200, 410,
  ])
}

test("serve --demo refuses --db, because it would not use the file, and ignores KONTOR_DB", async () => {
  const cwd = emptyFolder()
  for (const args of [
    ["serve", "--demo", "--db", "shop.db", "--port", "0"],
    ["serve", "--db=shop.db", "--demo"],
  ])
    expect(await run(args, { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: "--demo serves from memory and uses no database file: remove either --demo or --db.\n",
    })
  expect(readdirSync(cwd)).toEqual([])
})

test.if(process.platform === "linux")(
  "the password of an admin cannot be read from the process of a demo shop, and other variables are unchanged",
  () => {
    const seen = readFileSync(`/proc/${other.kontor.process.pid}/environ`, "latin1")
    expect(seen).not.toContain("long enough")
    expect(seen).toContain("KONTOR_ADMIN_NAME=The Boss\0")
    expect(seen).toContain("ZZZ=last\0")
  },
)

test("a demo shop that is stopped exits 0 and leaves no files", async () => {
  for (const { kontor } of [shop, other]) {
    expect(await kontor.stop()).toBe(0)
    expect(readdirSync(kontor.cwd)).toEqual([])
  }
  expect(readdirSync(temporary).filter((name) => name.includes("unfinished"))).toEqual([])
})
