import { isDate, startOfDay, toTimestamp } from "../lib/date"
import { largestPrice, priceDigits, toUnits } from "../shared/decimal"
import { Type, type TSchema } from "@sinclair/typebox"
import type { FieldError } from "../lib/refusal"

/** What amounts and dates depend on: the currency with its decimals, and the present day. */
export type MoneyContext = { currency: string; digits: number; today: string }

/** Whether a body makes a record or changes one. */
export type Mode = "create" | "update"

/** Who sets a field: the caller must, the caller may, or only the service does. */
export type Access = "required" | "optional" | "readOnly"

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

/** One field, said once: validation, OpenAPI, the column, filters and sorting all read it. */
export type Field<T = unknown, A extends Access = Access, N extends boolean = boolean> = {
  readonly kind: ValueKind
  /** The JSON Schema of a value that is not null, for the API document. Values are judged by `read`, which says what is wrong. */
  readonly schema: TSchema
  /**
   * The value in the form we keep, or undefined after telling `errors` what is wrong with it. What is in `before`, the
   * stored value, is taken as it is: rules that came later do not refuse what was stored by earlier ones.
   */
  readonly read: (
    value: unknown,
    at: string,
    errors: FieldError[],
    mode: Mode,
    before?: unknown,
  ) => T | undefined
  readonly access: A
  /** True when the field may have no value. */
  readonly nullable: N
  /** What a field that may be left out is then. */
  readonly fallback?: T
  /** Given when the record is made, and never changed afterwards. */
  readonly createOnly?: boolean
  /** Stored a second time in lower case, under a unique index. */
  readonly unique?: boolean
  /** An SQL expression instead of a column. */
  readonly derived?: (moneyContext: MoneyContext) => string
  /** True for codes and numbers, whose letters need no folding of accents to sort. */
  readonly isAscii?: boolean
  /** True for what has no column here, because it lives in a table of its own. */
  readonly isNotStored?: boolean
  /** The JSON Schema of a body, where it differs from that of an answer. */
  readonly givenSchema?: TSchema
  /** Words a status filter takes beyond those that are stored, as conditions. */
  readonly virtual?: Record<string, (moneyContext: MoneyContext) => string>
  /** Fields of an object, which merge one by one on update. */
  readonly parts?: Record<string, Field>
}

export type Given<T> = Field<T, "optional", true>
type Reader<T> = Field<T>["read"]

/** A field that the caller may give and that may have no value. */
export const field = <T>(kind: ValueKind, schema: TSchema, read: Reader<T>): Given<T> => ({
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
export const withDefault = <T>(f: Given<T>, value: T): Field<T, "optional", false> => ({
  ...f,
  fallback: value,
  nullable: false,
  schema: { ...f.schema, default: value },
})

/** Left out or cleared, the service finds a value for it. */
export const serverDefault = <T>(f: Given<T>): Field<T, "optional", false> => ({ ...f, nullable: false })

/** Only the service sets it; it always has a value, `initial` at first where a table counts it up. */
export const readOnly = <T>(f: Field<T>, initial?: T): Field<T, "readOnly", false> => ({
  ...f,
  fallback: initial,
  access: "readOnly",
  nullable: false,
  schema: { ...f.schema, readOnly: true },
})

/** Only the service sets it, and it may have no value. */
export const readOnlyNullable = <T>(f: Field<T>): Field<T, "readOnly", true> => ({
  ...readOnly(f),
  nullable: true,
})

/** Read-only, and computed from other columns whenever it is read. */
export const derived = <T, N extends boolean>(
  f: Field<T, "readOnly", N>,
  sql: (moneyContext: MoneyContext) => string,
): Field<T, "readOnly", N> => ({ ...f, derived: sql })

/** No two records may have the same, whatever the case. */
export const unique = <F extends Field>(f: F): F => ({ ...f, unique: true })

/** Set once, when the record is made. */
export const createOnly = <F extends Field>(f: F): F => ({ ...f, createOnly: true })

/** One of a fixed set of words. */
export function choice<const V extends string>(values: readonly V[]): Given<V> {
  const schema = Type.Unsafe<V>({ type: "string", enum: [...values] })
  return field("choice", schema, (value, at, errors) => {
    if (values.includes(value as V)) return value as V
    errors.push({ field: at, message: `must be one of ${values.join(", ")}` })
  })
}

/** Where a record stands in its life. Filters take the status words of every kind. */
export const status = <const V extends string>(values: readonly V[]): Given<V> => ({
  ...choice(values),
  kind: "status",
})

/** Holds nothing of its own here: its rows are in another table. */
export const notStored = <F extends Field>(f: F): F => ({ ...f, isNotStored: true })

/** A number with up to four decimals, kept exactly. */
export function decimal({ min = -largestPrice, max = largestPrice, example = 12.5 } = {}): Given<number> {
  const schema = Type.Number({ minimum: min, maximum: max, examples: [example] })
  return field("decimal", schema, (value, at, errors) => {
    const error = (message: string) => void errors.push({ field: at, message })
    if (typeof value !== "number" || !Number.isFinite(value)) return error("must be a number")
    if (value < min) return error(`must be at least ${min}`)
    if (value > max) return error(`must be at most ${max}`)
    if (toUnits(value, priceDigits) === null) return error("must have at most 4 decimals")
    return value === 0 ? 0 : value
  })
}

/** A quantity that the service adds up: it may come to more than a caller may give at once. */
export const sum = (): Given<number> => ({ ...decimal(), schema: Type.Number({ examples: [12.5] }) })

/** A number above 0. */
export const positive = (f: Given<number>): Given<number> => ({
  ...f,
  schema: { ...f.schema, exclusiveMinimum: 0 },
  read(value, at, errors, mode) {
    const number = f.read(value, at, errors, mode)
    if (number !== 0) return number
    errors.push({ field: at, message: "must be above 0" })
  },
})

/** Money in the currency's minor unit; only the service writes it. */
export const amount = (): Given<number> =>
  field<number>("amount", Type.Number({ examples: [1250.5] }), refuseValue)

/** Money that a caller gives; how many decimals it may have depends on the currency, so the service looks at that. */
export const payable = (): Given<number> => ({
  ...amount(),
  schema: { ...amount().schema, exclusiveMinimum: 0 },
  read: (value, at, errors) => {
    if (typeof value === "number" && Number.isFinite(value) && value > 0) return value
    errors.push({ field: at, message: typeof value === "number" ? "must be above 0" : "must be a number" })
  },
})

export function integer({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Given<number> {
  return field(
    "integer",
    Type.Integer({ minimum: min, ...(max < Number.MAX_SAFE_INTEGER ? { maximum: max } : {}) }),
    (value, at, errors) => {
      if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value)
      errors.push({ field: at, message: `must be a whole number from ${min} to ${max}` })
    },
  )
}

export const timestamp = (): Given<string> =>
  field<string>(
    "timestamp",
    Type.String({ format: "date-time", examples: ["2026-03-01T09:30:00.000Z"] }),
    refuseValue,
  )

/** A moment that the caller names; a date alone is its first moment in UTC. */
export const instant = (): Given<string> => ({
  ...timestamp(),
  read: (value, at, errors) => {
    const given = typeof value === "string" ? value : ""
    const moment = isDate(given) ? startOfDay(given) : toTimestamp(given)
    if (moment !== null) return moment
    errors.push({ field: at, message: "must be a timestamp such as 2026-03-01T09:30:00Z" })
  },
})

/** A structure that only the service writes. */
export const structure = <T>(schema: TSchema): Given<T> => field<T>("json", schema, refuseValue)

/** The id of a record. */
export const reference = (prefix: string): Given<string> =>
  field(
    "reference",
    Type.String({
      pattern: `^${prefix}_[0-9a-z]{26}$`,
      examples: [`${prefix}_01kb2qk3dvb6r8h5m9x4w7z2nc`],
    }),
    (value, at, errors) => {
      if (typeof value === "string") return value
      errors.push({ field: at, message: "must be an id" })
    },
  )

export const boolean = (): Given<boolean> =>
  field("boolean", Type.Boolean(), (value, at, errors) => {
    if (typeof value === "boolean") return value
    errors.push({ field: at, message: "must be true or false" })
  })

export const date = (): Given<string> =>
  field("date", Type.String({ format: "date", examples: ["2026-03-01"] }), (value, at, errors) => {
    if (typeof value === "string" && isDate(value)) return value
    errors.push({ field: at, message: "must be a date that exists, as YYYY-MM-DD" })
  })

/** A list whose entries are read one by one. */
export function list<T>(entry: Field<T>, { min = 0, max }: { min?: number; max: number }): Given<T[]> {
  const schema = Type.Array(entry.schema, { minItems: min, maxItems: max })
  return field("json", schema, (value, at, errors, mode, before) => {
    const error = (message: string) => void errors.push({ field: at, message })
    if (!Array.isArray(value)) return error("must be an array")
    if (value.length < min) return error(`must have at least ${min} ${min === 1 ? "entry" : "entries"}`)
    if (value.length > max) return error(`must have at most ${max} entries`)
    const known = Array.isArray(before) ? (before as unknown[]) : []
    const found = errors.length
    const entries = value.map((each, i) =>
      known.includes(each) ? each : entry.read(each, `${at}[${i}]`, errors, mode),
    )
    return errors.length > found ? undefined : (entries as T[])
  })
}

const refuseValue: Reader<never> = (_, at, errors) => void errors.push({ field: at, message: "is read-only" })
