import { isDate, startOfDay, toTimestamp } from "../lib/date"
import { largestPrice, priceDigits, toUnits } from "../shared/decimal"
import type { Detail } from "../lib/refusal"

/** What figures are reckoned by: the currency with its decimals, and what day it is. */
export type Basis = { currency: string; digits: number; today: string }

/** Whether a body makes a record or changes one. */
export type Mode = "create" | "update"

/** Who sets a field: the caller must, the caller may, or only the service does. */
export type Access = "required" | "optional" | "served"

/** What a field's values are, to a column, a filter and a sort. */
export type ValueKind =
  | "text"
  | "prose"
  | "choice"
  | "status"
  | "reference"
  | "decimal"
  | "amount"
  | "integer"
  | "boolean"
  | "date"
  | "timestamp"
  | "json"

/** A JSON Schema, as the API document shows it. Values are judged by `read`, which can say what is wrong with them. */
export type JsonSchema = { readonly type?: string; readonly [keyword: string]: unknown }

/** One field, said once: validation, OpenAPI, the column, filters and sorting all read it. */
export type Field<T = unknown, A extends Access = Access, N extends boolean = boolean> = {
  readonly kind: ValueKind
  /** The JSON Schema of a value that is not null. */
  readonly schema: JsonSchema
  /**
   * The value in the form we keep, or undefined after telling `faults` what is wrong with it. What is in `before`, the
   * stored value, is taken as it is: rules that came later do not refuse what was stored by earlier ones.
   */
  readonly read: (value: unknown, at: string, faults: Detail[], mode: Mode, before?: unknown) => T | undefined
  readonly access: A
  /** True when the field may have no value. */
  readonly nullable: N
  /** What a field that may be left out is then. */
  readonly fallback?: T
  /** Given when the record is made, and never changed afterwards. */
  readonly fixed?: boolean
  /** Kept a second time in lower case under a unique index. */
  readonly unique?: boolean
  /** An SQL expression instead of a column. */
  readonly derived?: (basis: Basis) => string
  /** True for codes and numbers, whose letters need no folding of accents to sort. */
  readonly isAscii?: boolean
  /** True for what has no column here, because it lives in a table of its own. */
  readonly isElsewhere?: boolean
  /** The JSON Schema of a body, where it differs from that of an answer. */
  readonly givenSchema?: object
  /** Words a status filter takes beyond those that are stored, as conditions. */
  readonly virtual?: Record<string, (basis: Basis) => string>
  /** Fields of an object, which merge one by one on update. */
  readonly parts?: Record<string, Field>
}

export type Given<T> = Field<T, "optional", true>
type Reader<T> = Field<T>["read"]

/** A field that the caller may give and that may have no value. */
export const field = <T>(kind: ValueKind, schema: JsonSchema, read: Reader<T>): Given<T> => ({
  kind,
  schema,
  read,
  access: "optional",
  nullable: true,
})

/** The caller must give it. */
export const required = <T>(f: Field<T>): Field<T, "required", false> => ({
  ...f,
  access: "required",
  nullable: false,
})

/** Left out or cleared, it is `value`. */
export const byDefault = <T>(f: Given<T>, value: T): Field<T, "optional", false> => ({
  ...f,
  fallback: value,
  nullable: false,
  schema: { ...f.schema, default: value },
})

/** Left out or cleared, the service finds a value for it. */
export const filled = <T>(f: Given<T>): Field<T, "optional", false> => ({ ...f, nullable: false })

/** Only the service sets it; it always has a value, `initial` at first where a table counts it up. */
export const served = <T>(f: Field<T>, initial?: T): Field<T, "served", false> => ({
  ...f,
  fallback: initial,
  access: "served",
  nullable: false,
  schema: { ...f.schema, readOnly: true },
})

/** Only the service sets it, and it may have no value. */
export const servedOrNull = <T>(f: Field<T>): Field<T, "served", true> => ({ ...served(f), nullable: true })

/** Served, and computed from other columns whenever it is read. */
export const derived = <T, N extends boolean>(
  f: Field<T, "served", N>,
  sql: (basis: Basis) => string,
): Field<T, "served", N> => ({ ...f, derived: sql })

/** No two records may have the same, whatever the case. */
export const unique = <F extends Field>(f: F): F => ({ ...f, unique: true })

/** Set once, when the record is made. */
export const fixed = <F extends Field>(f: F): F => ({ ...f, fixed: true })

/** One of a fixed set of words. */
export function choice<const V extends string>(values: readonly V[]): Given<V> {
  const schema = { type: "string", enum: [...values] }
  return field("choice", schema, (value, at, faults) => {
    if (values.includes(value as V)) return value as V
    faults.push({ field: at, message: `must be one of ${values.join(", ")}` })
  })
}

/** Where a record stands in its life. Filters take the status words of every kind. */
export const status = <const V extends string>(values: readonly V[]): Given<V> => ({
  ...choice(values),
  kind: "status",
})

/** Holds nothing of its own here: its rows are in another table. */
export const elsewhere = <F extends Field>(f: F): F => ({ ...f, isElsewhere: true })

/** A number with up to four decimals, kept exactly. */
export function decimal({ min = -largestPrice, max = largestPrice, example = 12.5 } = {}): Given<number> {
  const schema = { type: "number", minimum: min, maximum: max, examples: [example] }
  return field("decimal", schema, (value, at, faults) => {
    const fault = (message: string) => void faults.push({ field: at, message })
    if (typeof value !== "number" || !Number.isFinite(value)) return fault("must be a number")
    if (value < min) return fault(`must be at least ${min}`)
    if (value > max) return fault(`must be at most ${max}`)
    if (toUnits(value, priceDigits) === null) return fault("must have at most 4 decimals")
    return value === 0 ? 0 : value
  })
}

/** A quantity that the service adds up: it may come to more than a caller may give at once. */
export const sum = (): Given<number> => ({ ...decimal(), schema: { type: "number", examples: [12.5] } })

/** A number above 0. */
export const positive = (f: Given<number>): Given<number> => ({
  ...f,
  schema: { ...f.schema, exclusiveMinimum: 0 },
  read(value, at, faults, mode) {
    const number = f.read(value, at, faults, mode)
    if (number !== 0) return number
    faults.push({ field: at, message: "must be above 0" })
  },
})

/** Money in the currency's minor unit; only the service writes it. */
export const amount = (): Given<number> =>
  field<number>("amount", { type: "number", examples: [1250.5] }, onlyServed)

/** Money that a caller gives; how many decimals it may have depends on the currency, so the service looks at that. */
export const payable = (): Given<number> => ({
  ...amount(),
  schema: { ...amount().schema, exclusiveMinimum: 0 },
  read: (value, at, faults) => {
    if (typeof value === "number" && Number.isFinite(value) && value > 0) return value
    faults.push({ field: at, message: typeof value === "number" ? "must be above 0" : "must be a number" })
  },
})

export function integer({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Given<number> {
  return field(
    "integer",
    { type: "integer", minimum: min, ...(max < Number.MAX_SAFE_INTEGER ? { maximum: max } : {}) },
    (value, at, faults) => {
      if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value)
      faults.push({ field: at, message: `must be a whole number from ${min} to ${max}` })
    },
  )
}

export const timestamp = (): Given<string> =>
  field<string>(
    "timestamp",
    { type: "string", format: "date-time", examples: ["2026-03-01T09:30:00.000Z"] },
    onlyServed,
  )

/** A moment that the caller names; a date alone is its first moment in UTC. */
export const instant = (): Given<string> => ({
  ...timestamp(),
  read: (value, at, faults) => {
    const given = typeof value === "string" ? value : ""
    const moment = isDate(given) ? startOfDay(given) : toTimestamp(given)
    if (moment !== null) return moment
    faults.push({ field: at, message: "must be a timestamp such as 2026-03-01T09:30:00Z" })
  },
})

/** A structure that only the service writes. */
export const structure = <T>(schema: JsonSchema): Given<T> => field<T>("json", schema, onlyServed)

/** The id of a record. */
export const reference = (prefix: string): Given<string> =>
  field(
    "reference",
    {
      type: "string",
      pattern: `^${prefix}_[0-9a-z]{26}$`,
      examples: [`${prefix}_01kb2qk3dvb6r8h5m9x4w7z2nc`],
    },
    (value, at, faults) => {
      if (typeof value === "string") return value
      faults.push({ field: at, message: "must be an id" })
    },
  )

export const boolean = (): Given<boolean> =>
  field("boolean", { type: "boolean" }, (value, at, faults) => {
    if (typeof value === "boolean") return value
    faults.push({ field: at, message: "must be true or false" })
  })

export const date = (): Given<string> =>
  field("date", { type: "string", format: "date", examples: ["2026-03-01"] }, (value, at, faults) => {
    if (typeof value === "string" && isDate(value)) return value
    faults.push({ field: at, message: "must be a date that exists, as YYYY-MM-DD" })
  })

/** A list whose entries are read one by one. */
export function list<T>(entry: Field<T>, { min = 0, max }: { min?: number; max: number }): Given<T[]> {
  const schema = { type: "array", items: entry.schema, minItems: min, maxItems: max }
  return field("json", schema, (value, at, faults, mode, before) => {
    const fault = (message: string) => void faults.push({ field: at, message })
    if (!Array.isArray(value)) return fault("must be an array")
    if (value.length < min) return fault(`must have at least ${min} ${min === 1 ? "entry" : "entries"}`)
    if (value.length > max) return fault(`must have at most ${max} entries`)
    const known = Array.isArray(before) ? (before as unknown[]) : []
    const found = faults.length
    const entries = value.map((each, i) =>
      known.includes(each) ? each : entry.read(each, `${at}[${i}]`, faults, mode),
    )
    return faults.length > found ? undefined : (entries as T[])
  })
}

const onlyServed: Reader<never> = (_, at, faults) => void faults.push({ field: at, message: "is read-only" })
