import { encodeOnce } from "../parameters"
import type { Step } from "../session"
import type { Effect, Translation } from "../translate"

/** Statements of a transaction that are sent with the next one. `lists` are the values of each time that one runs. */
type Waiting = { sql: string; effect: Effect; lists: (readonly unknown[])[] | null; form: Form | null }

/** An insert of one row with a parameter for each column, and the same for many rows in a JSON text. */
type Form = { table: string; names: string[]; together: string }

const isMark = ({ effect }: Waiting): boolean => marks.includes(effect)
const marks: readonly Effect[] = ["begin", "savepoint", "release", "rollbackTo"]

/** A statement that waited with its values, so that it was not known whether it fails. */
export type Sent = Step & { isLate: boolean }

/**
 * The statements of a transaction that are sent with the next one. Rows of a table are sent in one statement, because each
 * statement takes time. A savepoint before which nothing was sent is not sent either.
 */
export class WaitingStatements {
  #all: Waiting[] = []

  get hasBegin(): boolean {
    return this.#all[0]?.effect === "begin"
  }

  /** How many rows wait to be written. */
  get rows(): number {
    return this.#all.reduce((sum, { lists }) => sum + (lists?.length ?? 0), 0)
  }

  /** True if nothing waits that reads or writes. */
  get hasOnlyMarks(): boolean {
    return this.#all.every(isMark)
  }

  /** True if something waits that cannot be sent as a text without values. */
  get hasValues(): boolean {
    return this.#all.some(({ lists }) => lists !== null)
  }

  add({ sql, effect }: Translation): void {
    if (effect === "release" && this.#release(sql)) return
    if (effect === "rollbackTo" && this.#forgetTo(sql)) return
    this.#all.push({ sql, effect, lists: null, form: null })
  }

  /** Adds a statement that writes, with the values of each time. */
  addEach({ sql, effect }: Translation, lists: readonly (readonly unknown[])[]): void {
    if (lists.length === 0) return
    const form = formOf(sql)
    const group = form && this.#groupOf(form, sql)
    if (group) group.push(...lists)
    else this.#all.push({ sql, effect, lists: [...lists], form })
  }

  /** Takes all of them, as they are sent. */
  take(): Sent[] {
    const taken = this.#all.flatMap(stepsOf)
    this.#all = []
    return taken
  }

  clear(): void {
    this.#all = []
  }

  /** The rows of the same insert, unless something comes between that reads or writes the table. */
  #groupOf(form: Form, sql: string): Waiting["lists"] {
    for (const each of this.#all.toReversed()) {
      if (each.sql === sql) return each.lists
      if (each.form === null && (each.effect !== "write" || mentions(each.sql, form.table))) return null
    }
    return null
  }

  /** Forgets a savepoint that was not sent. */
  #release(sql: string): boolean {
    const at = this.#markOf(sql)
    if (at < 0) return false
    const after = this.#all.splice(at).slice(1)
    for (const each of after) {
      if (each.lists) this.addEach({ ...each, paramsCount: 0 }, each.lists)
      else this.#all.push(each)
    }
    return true
  }

  /** Forgets what was to be done after a savepoint that was not sent. */
  #forgetTo(sql: string): boolean {
    const at = this.#markOf(sql)
    if (at >= 0) this.#all.length = at + 1
    return at >= 0
  }

  #markOf(sql: string): number {
    const name = sql.split(" ").at(-1)
    return this.#all.findLastIndex(
      (each) => each.effect === "savepoint" && each.sql.split(" ").at(-1) === name,
    )
  }
}

const mentions = (sql: string, table: string): boolean => new RegExp(`\\b${table}\\b`).test(sql)

function stepsOf({ sql, lists, form }: Waiting): Sent[] {
  if (!lists) return [{ sql, isLate: false }]
  if (!form || lists.length === 1)
    return lists.map((values) => ({ sql, values: encodeOnce(values), isLate: true }))
  return [{ sql: form.together, values: encodeOnce([asJson(form, lists)]), isLate: true }]
}

const forms = new Map<string, Form | null>()

function formOf(sql: string): Form | null {
  let form = forms.get(sql)
  if (form === undefined) forms.set(sql, (form = readForm(sql)))
  return form
}

function readForm(sql: string): Form | null {
  const [, table, columns] = /^INSERT INTO (\w+) \(([^()]*)\) VALUES \((?:\$\d+, )*\$\d+\)$/.exec(sql) ?? []
  if (table === undefined || columns === undefined) return null
  const names = columns.split(", ").map((column) => `${JSON.stringify(column.replaceAll('"', ""))}:`)
  const together = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(CAST(NULL AS ${table}), CAST($1 AS json))`
  return { table, names, together }
}

function asJson({ names }: Form, lists: readonly (readonly unknown[])[]): string {
  const rows = lists.map((values) => `{${values.map((value, i) => `${names[i]}${jsonOf(value)}`).join(",")}}`)
  return `[${rows.join(",")}]`
}

/** A value as the column reads it. A boolean is 0 or 1, as in a parameter. */
function jsonOf(value: unknown): string {
  if (value instanceof Uint8Array) return `"\\\\x${value.toHex()}"`
  if (typeof value === "boolean") return value ? "1" : "0"
  // JSON would have null instead.
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`${value} cannot be a parameter of a statement.`)
  return typeof value === "bigint" ? value.toString() : JSON.stringify(value)
}
