import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { download } from "../support/downloads"
import { exportsOf } from "../support/exports"
import { importer, xlsxType } from "../support/imports"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"

/** Texts that a spreadsheet program, a CSV parser or an XLSX file could change. */
const nasty = [
  "=1+1",
  "+49 40 123",
  "-5",
  "@SUM(A1)",
  "'quoted",
  "''twice",
  "'=escaped",
  'a "big" one',
  '"',
  "a;b,c|d",
  "Größe für Bäder €",
  "😀 desk 👩‍👩‍👧",
  "007",
  "1e5",
  "1.234,56",
  "2026-01-02",
  "01/02/03",
  "TRUE",
  "ja",
  "null",
  "#1 of 2",
  "_x0041_ and _x005F_",
  "<b>&amp;</b>",
  "[1]",
  '{"a":1}',
  "a\\b\\n",
  "a\u00a0b",
  "e\u0301",
]
const proses = [...nasty, "first\nsecond", "=1\n+2", "a\n\nb", "a\tb", "\ta", '"a"\n"b"', ";\n;"]

const itemOf = (i: number, taxCode: string) => ({
  itemCode: `${["RT", "=RT", "+RT", "-RT", "@RT", "'RT", "00"][i % 7]}-${i}`,
  itemName: text(nasty, i),
  category: i % 3 === 0 ? null : text(nasty, i + 7),
  itemType: ["Product", "Service", "Consumable"][i % 3],
  uom: ["Nos", "'kg", "-"][i % 3],
  sellingPrice: [0, 10.5, 1.234, 1234.5, 0.0001, 999_999.9999, 1000][i % 7],
  costPrice: [0.1, 3, 1.5][i % 3],
  ...(i % 2 === 0 ? { taxCode } : { taxRate: [0, 7, 19.5][i % 3] }),
  reorderLevel: i % 5,
  description: text(proses, i),
  images: i % 4 === 0 ? [] : [`https://example.com/a,b;${i}.jpg`, "https://example.com/?q=%22x%22"],
  externalId: i % 3 === 1 ? `=ext ${i}` : null,
  metadata: i % 3 === 2 ? { colour: text(nasty, i), "=key;": "" } : {},
  isActive: i % 5 !== 0,
})

const customerOf = (i: number) => ({
  name: text(nasty, i),
  email: i % 2 === 0 ? `a+${i}@example.com` : null,
  phone: ["+49 40 1", "0401", "(040) 1", null][i % 4],
  contactName: text(nasty, i + 3),
  address: i % 3 === 0 ? null : { street: text(nasty, i + 5), zipCode: "01067", city: "Köln", country: "DE" },
  shippingAddress: i % 4 === 1 ? { city: text(nasty, i + 9) } : null,
  language: i % 2 === 0 ? "de" : null,
  creditLimit: [null, 0, 1000, 1.5][i % 4],
  taxId: i % 3 === 0 ? "DE123456789" : null,
  notes: text(proses, i),
  externalId: i % 2 === 1 ? `-${i}` : null,
  metadata: i % 3 === 0 ? { note: text(nasty, i) } : {},
  isActive: i % 6 !== 0,
})

const count = 2 * proses.length
const text = (texts: readonly string[], i: number): string => texts[i % texts.length] ?? ""

const kinds = ["items", "customers"]
let first: Kontor
let api: Api
/** What the first shop exports, by kind. It never changes. */
const exported = { records: new Map<string, Record<string, unknown>[]>(), csv: new Map<string, string>() }
const newShop = async () => {
  const kontor = await serve()
  const admin = await signIn(kontor)
  const code = await admin.create("/tax-codes", { code: "=RT;19", name: "RT", category: "S", rate: 19 })
  return { kontor, api: admin, taxCode: code.id as string }
}
beforeAll(async () => {
  const shop = await newShop()
  ;({ kontor: first, api } = shop)
  for (let i = 0; i < count; i++) {
    await api.create("/items", itemOf(i, shop.taxCode))
    await api.create("/customers", customerOf(i))
  }
  const from = exportsOf(first, api)
  for (const kind of kinds) {
    exported.records.set(kind, await from.records(kind))
    exported.csv.set(kind, await from.csv(kind))
  }
})
afterAll(cleanUp)

/** What only one server knows: ids, times, and references by id. */
const own = new Set(["id", "createdAt", "updatedAt", "createdBy", "updatedBy", "taxCode"])
const contentOf = (records: Record<string, unknown>[]) =>
  records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => !own.has(name))))

const outcomeOf = ({ status, faults, counts, error }: Record<string, unknown>) => ({
  status,
  faults,
  counts,
  error,
})

/**
 * The style of an export, and what the import is told about it. Delimiters are recognized; the decimal sign is
 * told, because some names look like numbers of another one.
 */
const styles: [string, string, string, elsewhere?: string][] = [
  ["CSV with German titles", "format=csv&delimiter=;&decimal=,&titles=de", "&decimal=,"],
  ["XLSX with French titles", "format=xlsx&titles=fr", ""],
  // The ids of tax codes mean nothing in another shop. There, the rate stands for its code.
  ["NDJSON", "format=ndjson", "", "&mapping=taxCode:"],
]
if (isLong)
  styles.push(
    ["CSV with commas and decimal points", "format=csv&delimiter=,&decimal=.", "&decimal=."],
    ["CSV with a byte order mark and tabs", "format=csv&delimiter=tab&decimal=,&bom=true", "&decimal=,"],
    ["CSV with semicolons and decimal commas", "format=csv&delimiter=;&decimal=,", "&decimal=,"],
    ["CSV with English titles", "format=csv&titles=en", "&decimal=."],
    ["XLSX", "format=xlsx", ""],
  )

describe.each(styles)("Items and customers exported as %s", (_, query, told, elsewhere = "") => {
  const format = /format=(\w+)/.exec(query)?.[1]
  const type = { csv: "text/csv", xlsx: xlsxType, ndjson: "application/x-ndjson" }[format ?? ""] ?? ""
  const headers = { "content-type": type }
  const fileOf = async (kontor: Kontor, by: Api, kind: string) => {
    const { status, bytes } = await download(kontor, by, `/${kind}/export?${query}`)
    expect(status).toBe(200)
    return new Uint8Array(bytes)
  }

  test("are the same after an import into a new shop, and its export is the same file", async () => {
    const shop = await newShop()
    const to = exportsOf(shop.kontor, shop.api)
    for (const kind of kinds) {
      const file = await fileOf(first, api, kind)
      const ofKind = kind === "items" ? told + elsewhere : told
      const ended = await importer(shop.api).run(`kind=${kind}${ofKind}`, file, headers)
      expect(outcomeOf(ended)).toMatchObject({ status: "finished", faults: [], counts: { created: count } })
      expect(contentOf(await to.records(kind))).toEqual(contentOf(exported.records.get(kind) ?? []))
      expect(await to.csv(kind)).toBe(exported.csv.get(kind) ?? "")
      if (query.includes("csv")) expect(await fileOf(shop.kontor, shop.api, kind)).toEqual(file)
    }
    await shop.kontor.stop()
  })

  test("are unchanged when they are imported into the same shop again", async () => {
    for (const kind of kinds) {
      const file = await fileOf(first, api, kind)
      const ended = await importer(api).run(`kind=${kind}&mode=upsert${told}`, file, headers)
      expect(outcomeOf(ended)).toMatchObject({
        status: "finished",
        faults: [],
        counts: { created: 0, updated: 0, unchanged: count },
      })
      expect(await exportsOf(first, api).records(kind)).toEqual(exported.records.get(kind) ?? [])
    }
  })
})
