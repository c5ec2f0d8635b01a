import type { Row } from "../rows"

/** A query with its values, as PostgreSQL gets it. */
export type Read = { sql: string; values: readonly unknown[] }

/** A query that was asked in several of the last writes is sent with the lock of the next one. */
const [recentWrites, mostUsual] = [8, 12]

/** More rows than this are not kept, because each is copied. */
const mostRows = 32

/** Views, whose tables are not known, and tables whose deleted rows change those of other tables. */
export type Names = { views: ReadonlySet<string>; cascading: ReadonlySet<string> }

type Asked = Read & { write: number; times: number }

/**
 * The rows that queries of a write have returned, until the write changes one of their tables: those that were sent with its
 * lock, and those that were asked since. Nobody else writes while it has the lock. It also learns which queries writes ask
 * again and again, such as those of caches that the write of another server has cleared.
 */
export class Prefetched {
  /** By the text of the query, and then by its values. */
  readonly #rows = new Map<string, Map<string, Row[]>>()
  readonly #asked = new Map<string, Asked>()
  /** The queries that the write itself has named. They are not learned. */
  #planned = new Set<string>()
  /** What the names of the schema mean here. */
  #names: Names | null = null
  #write = 0

  constructor(readonly findNames: () => Names) {}

  /** Begins a write. Returns the queries that are worth sending with its lock: those that it has named, and the usual ones. */
  begin(planned: readonly Read[]): Read[] {
    this.#write++
    for (const [key, { write }] of this.#asked)
      if (write < this.#write - recentWrites) this.#asked.delete(key)
    const usual = [...this.#asked.values()].filter(({ times }) => times > 1).slice(-mostUsual)
    this.#planned = new Set(planned.map(keyOf))
    const all = [...planned, ...usual.map(({ sql, values }) => ({ sql, values }))]
    return [...new Map(all.map((read) => [keyOf(read), read])).values()]
  }

  /** Returns the queries that the write has named since it began to wait. */
  later(planned: readonly Read[]): Read[] {
    const found = planned.filter((read) => !this.#planned.has(keyOf(read)))
    for (const read of found) this.#planned.add(keyOf(read))
    return found
  }

  /** Copies of the rows, because callers change them; null if they are not known. */
  find(read: Read): Row[] | null {
    const rows = this.#rows.get(read.sql)?.get(valuesOf(read))
    if (!rows) return null
    this.#note(read)
    return rows.map((row) => ({ ...row }))
  }

  /** Keeps the rows of a query that was sent with the lock. */
  keep({ sql, values }: Read, rows: readonly Row[]): void {
    if (rows.length > mostRows) return
    this.#names ??= this.findNames()
    if (!wordsOf(sql).isDisjointFrom(this.#names.views)) return
    const same = this.#rows.get(sql) ?? new Map<string, Row[]>()
    this.#rows.set(
      sql,
      same.set(
        JSON.stringify(values),
        rows.map((row) => ({ ...row })),
      ),
    )
  }

  /** Keeps the rows of a query that was asked. */
  keepAsked(read: Read, rows: readonly Row[]): void {
    this.keep(read, rows)
    this.#note(read)
  }

  /** Forgets what a statement may have changed. */
  forget(written: string): void {
    if (this.#rows.size === 0) return
    const [, verb, table] = /^(INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(written) ?? []
    const isAlone = verb !== "DELETE FROM" || !this.#names?.cascading.has(table ?? "")
    if (table === undefined || !isAlone) return this.clear()
    for (const sql of this.#rows.keys()) if (wordsOf(sql).has(table)) this.#rows.delete(sql)
  }

  clear(): void {
    this.#rows.clear()
  }

  #note(read: Read): void {
    const key = keyOf(read)
    if (this.#planned.has(key)) return
    const before = this.#asked.get(key)
    if (before?.write === this.#write) return
    // Added again at the end, so that the last ones are those of the last writes.
    this.#asked.delete(key)
    this.#asked.set(key, { ...read, write: this.#write, times: (before?.times ?? 0) + 1 })
  }
}

const valuesOf = ({ values }: Read): string => JSON.stringify(values)
const keyOf = (read: Read): string => `${read.sql}\n${valuesOf(read)}`

const words = new Map<string, ReadonlySet<string>>()
const mostTexts = 500

function wordsOf(sql: string): ReadonlySet<string> {
  const known = words.get(sql)
  if (known) return known
  if (words.size >= mostTexts) words.clear()
  const found = new Set(sql.match(/\w+/g))
  words.set(sql, found)
  return found
}
