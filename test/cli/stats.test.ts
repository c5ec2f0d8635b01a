import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmodSync, statSync } from "node:fs"
import { signIn } from "../support/api"
import { openTested } from "../support/engine"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

type Part = { name: string; bytes: number; rows: number | null; bytesPerDay: (number | null)[] }
type Stats = {
  database: string
  bytes: number
  unused: number
  walBytes: number
  groups: (Part & { of: Part[] })[]
}

let kontor: Kontor

beforeAll(async () => {
  kontor = await serve()
  const api = await signIn(kontor)
  const shop = trade(api)
  for (let i = 0; i < 20; i++) await shop.item({ itemName: `A thing with a rather long name ${i}` })
  const invoice = await shop.invoice()
  expect((await api.get(`/invoices/${invoice.id}/pdf`)).status).toBe(200)
})
afterAll(cleanUp)

async function stats(): Promise<Stats> {
  const { code, stdout, stderr } = await run(["stats", "--json"], { cwd: kontor.cwd })
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}
const groupOf = ({ groups }: Stats, name: string) => {
  const found = groups.find((group) => group.name === name)
  if (!found) throw new Error(`There is no part ${name}.`)
  return found
}

test("stats says what takes the space while a server runs, and its parts are the whole", async () => {
  const found = await stats()
  expect(found.groups.map(({ name }) => name)).toEqual([
    "Records",
    "Audit log",
    "PDFs and e-invoices",
    "Events and webhooks",
    "Mail",
    "Jobs and imports",
    "Search",
    "Indexes",
    "Other",
  ])
  const sum = found.groups.reduce((all, { bytes }) => all + bytes, found.unused)
  expect(sum).toBe(found.bytes)
  for (const { name, bytes } of found.groups) expect([name, bytes > 0]).toEqual([name, true])
  const records = groupOf(found, "Records")
  expect(records.of.reduce((all, { bytes }) => all + bytes, 0)).toBe(records.bytes)
  const rows = Object.fromEntries(records.of.map((part) => [part.name, part.rows]))
  expect(rows).toMatchObject({ items: 21, customers: 1, "sales-orders": 1, invoices: 1, payments: 0 })
  expect(groupOf(found, "PDFs and e-invoices").rows).toBe(1)
  expect(found.walBytes).toBe(statSync(`${kontor.file}-wal`).size)
})

test("stats prints the same as a table", async () => {
  const { code, stdout } = await run(["stats"], { cwd: kontor.cwd })
  expect(code).toBe(0)
  const [first, , titles, ...lines] = stdout.trimEnd().split("\n")
  expect(first).toMatch(
    /^\.\/kontor\.db has [\d.]+ [kM]B; [\d.]+ k?B of it is free for new rows; the write-ahead log has/,
  )
  expect(titles).toMatch(/^ +SIZE +SHARE +ROWS +PER DAY, LAST 7 +PER DAY, LAST 30$/)
  expect(lines.find((line) => line.startsWith("  items"))).toMatch(
    /^ {2}items +[\d.]+ kB +\d+ % +21 +[\d.]+ kB +[\d.]+ kB$/,
  )
  expect(lines.at(-1)).toMatch(/^All +[\d.]+ [kM]B +100 %/)
})

test("stats counts as growth what was written in the last 7 and 30 days", async () => {
  const db = openTested(kontor.file)
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const setAge = (first: number, last: number, days: number) =>
    db.query("UPDATE items SET created_at = ? WHERE seq BETWEEN ? AND ?").run(daysAgo(days), first, last)
  setAge(1, 10, 40)
  setAge(11, 14, 20)
  setAge(15, 21, 3)
  db.close()
  const found = await stats()
  const items = groupOf(found, "Records").of.find(({ name }) => name === "items")
  const share = (rows: number, days: number) => ((items?.bytes ?? 0) * rows) / 21 / days
  expect(items?.bytesPerDay[0]).toBeCloseTo(share(7, 7), 6)
  expect(items?.bytesPerDay[1]).toBeCloseTo(share(11, 30), 6)
  // Indexes and search grow with their tables.
  for (const name of ["Search", "Indexes"])
    expect([name, (groupOf(found, name).bytesPerDay[1] ?? 0) > 0]).toEqual([name, true])
})

test("stats of a file without a right to write, and of none", async () => {
  await kontor.stop()
  const before = statSync(kontor.file)
  chmodSync(kontor.file, 0o400)
  const { bytes } = await stats()
  expect(bytes).toBe(before.size)
  expect(statSync(kontor.file).mtimeMs).toBe(before.mtimeMs)
  const missing = await run(["stats", "--db", "none.db"], { cwd: kontor.cwd })
  expect(missing).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("There is no database at none.db"),
  })
})
