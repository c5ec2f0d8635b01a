import type { Database, Size, TableSpace } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import { business } from "../../core/lib/clock"
import { kindList, shop } from "../../kinds"
import { later, millisOf } from "../../shared/dates"

/** The days whose growth is shown. */
export const periods = [7, 30] as const

/** What takes space: how much, how many rows it has, and what the rows of the last days take, per day. */
export type Part = {
  name: string
  bytes: number
  rows: number | null
  /** For each of `periods`; null if the tables do not say when a row was written. */
  bytesPerDay: (number | null)[]
}

/** A part, and what it consists of. */
export type Group = Part & { of: Part[] }

export type Space = Size & { groups: Group[] }

/** The tables of a part. The rows of the first one count, and lines are as old as their documents. */
type Tables = { name: string; tables: readonly string[]; of?: Tables[] }

/** The tables of each kind of record. */
const recordTables: Tables[] = [
  ...Object.values(shop).map(({ kind }) => ({
    name: kind.name,
    tables: [kind.table, ...("lines" in kind && kind.lines ? [kind.lines.table] : [])],
  })),
  { name: "settlements", tables: ["settlements", "write_offs", "invoice_deposits"] },
]

const groups: Tables[] = [
  { name: "Records", tables: recordTables.flatMap(({ tables }) => tables), of: recordTables },
  { name: "Audit log", tables: ["audit_logs"] },
  { name: "PDFs and e-invoices", tables: ["papers", "paper_values", "seller_versions", "logos"] },
  {
    name: "Events and webhooks",
    tables: [
      "events",
      ...names("webhook", ["s", "_deliveries", "_positions", "_programs", "_secrets", "_sending"]),
    ],
  },
  { name: "Mail", tables: ["messages", ...names("message_", ["work", "files", "times"])] },
  { name: "Jobs and imports", tables: ["jobs", "uploads", "job_faults", "job_targets"] },
]

function names(start: string, ends: readonly string[]): string[] {
  return ends.map((end) => start + end)
}

/** The search tables of a kind, and those that they consist of. */
const searchTable = /^(.*)_(?:search|words)(?:_[a-z]+)?$/
const otherSearchTables = ["search_waiting", "metadata_keys", "metadata_values"]

const searchedBy = (name: string): string | null => {
  const table = searchTable.exec(name)?.[1]
  return table !== undefined && kindList.some((kind) => kind.table === table) ? table : null
}
const isOfSearch = (name: string): boolean => searchedBy(name) !== null || otherSearchTables.includes(name)

/** Finds what takes the space of a database. The caller opens the transaction. */
export function spaceOf(db: Database): Space {
  const size = db.engine.size()
  const tables = db.engine.space()
  const ages = agesOf(db, tables)
  const own = tables.filter(({ name }) => !isOfSearch(name))
  const search = tables.filter(({ name }) => isOfSearch(name))
  const inTables = ({ tables: named }: Tables) => own.filter(({ name }) => named.includes(name))
  const part = (name: string, found: readonly TableSpace[], rows: number | null, bytesOf: Bytes): Part => ({
    name,
    rows,
    bytes: sum(found.map(bytesOf)),
    bytesPerDay: periods.map((_, at) => growthOf(found, ages, bytesOf, at)),
  })
  const partOf = (group: Tables): Part =>
    part(group.name, inTables(group), ages.rows(group.tables[0] ?? ""), ({ bytes }) => bytes)
  const known: Group[] = [
    ...groups.map((group) => ({
      ...partOf(group),
      ...(group.of ? { rows: sum(group.of.map(({ tables: [first = ""] }) => ages.rows(first) ?? 0)) } : {}),
      of: (group.of ?? []).map(partOf),
    })),
    { ...part("Search", search, null, ({ bytes, indexBytes }) => bytes + indexBytes), of: [] },
    { ...part("Indexes", own, null, ({ indexBytes }) => indexBytes), of: [] },
  ]
  // Users, keys and sessions, and what the engine itself needs.
  const rest = size.bytes - (size.unused ?? 0) - sum(known.map(({ bytes }) => bytes))
  const other = { name: "Other", bytes: rest, rows: null, bytesPerDay: periods.map(() => null), of: [] }
  return { ...size, groups: [...known, other] }
}

type Bytes = (table: TableSpace) => number

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** Returns what the new rows of some tables take per day, assuming that they are as long as the others. */
function growthOf(tables: readonly TableSpace[], ages: Ages, bytesOf: Bytes, period: number): number | null {
  const grown = tables.flatMap((table) => {
    const share = ages.newPerDay(table.name, period)
    return share === null ? [] : [share * bytesOf(table)]
  })
  return grown.length > 0 ? sum(grown) : null
}

const dayMillis = 86_400_000

/** How old the rows of the tables are. */
function agesOf(db: Database, tables: readonly TableSpace[]) {
  const now = business.now()
  const dated = new Set(tables.flatMap(({ name, isDated }) => (isDated ? [name] : [])))
  const oldest = [...dated].flatMap(
    (name) => valueOf<string>(db, `SELECT created_at FROM ${name} ORDER BY seq LIMIT 1`) ?? [],
  )
  const age = (millisOf(now) - Math.min(...oldest.map(millisOf), millisOf(now))) / dayMillis
  const parents = new Map(
    groups.flatMap(({ of = [] }) =>
      of.flatMap(({ tables: [first = "", ...rest] }) => rest.map((each) => [each, first])),
    ),
  )
  const counted = new Map<string, { all: number; since: number[] }>()

  const count = (name: string) => {
    const found = counted.get(name) ?? {
      all: valueOf<number>(db, `SELECT count(*) FROM ${name}`) ?? 0,
      since: periods.map((days) => countSince(db, name, later(now, -days * dayMillis))),
    }
    counted.set(name, found)
    return found
  }
  /** The table whose rows tell how old those of another one are; null if none does. */
  const datedBy = (name: string): string | null => {
    const table = searchedBy(name) ?? name
    if (dated.has(table)) return table
    const parent = parents.get(table)
    return parent !== undefined && dated.has(parent) ? parent : null
  }
  return {
    rows: (name: string): number | null => (dated.has(name) ? count(name).all : null),
    /** The share of the rows that was written in a period, per day. A younger database has fewer days. */
    newPerDay(name: string, period: number): number | null {
      const table = datedBy(name)
      if (table === null) return null
      const { all, since } = count(table)
      const days = Math.max(1, Math.min(periods[period] ?? 1, age))
      return all === 0 ? 0 : (since[period] ?? 0) / all / days
    },
  }
}

type Ages = ReturnType<typeof agesOf>

/**
 * Counts the rows that were written since a time. Rows are numbered in the order in which they were written, so the first
 * of them is found by halving, without an index of the times and without reading the other rows.
 */
function countSince(db: Database, table: string, time: string): number {
  const next = db.query<{ seq: number; at: string }, [number]>(
    `SELECT seq, created_at AS at FROM ${table} WHERE seq >= ? ORDER BY seq LIMIT 1`,
  )
  let low = 0
  let high = (valueOf<number>(db, `SELECT max(seq) FROM ${table}`) ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = next.get(middle)
    if (!row || row.at >= time) high = middle
    else low = row.seq + 1
  }
  return valueOf<number>(db, `SELECT count(*) FROM ${table} WHERE seq >= ?`, low) ?? 0
}
