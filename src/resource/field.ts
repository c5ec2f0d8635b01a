import { isDate, startOfDay, toTimestamp } from "../lib/date"
import { largestPrice, priceDigits, toUnits } from "../shared/decimal"
import { Type, type TSchema } from "@sinclair/typebox"
import type { FieldError } from "../lib/refusal"

/** The context that amounts and dates depend on: the currency with its decimals, and the current date. */
export type MoneyContext = { currency: string; digits: number; today: string }

/** Whether a body creates a record or updates one. */
export type Mode = "create" | "update"

/** Who sets a field: the caller must, the caller may, or only the server does. */
export type Access = "required" | "optional" | "readOnly"

/** The kind of a field's values. It determines the column, the filters and the sort order. */
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

/** The definition of a field. Validation, OpenAPI, the column, filters and sorting all use it. */
export type Field<T = unknown, A extends Access = Access, N extends boolean = boolean> = {
  readonly kind: ValueKind
  /** The JSON Schema of a value other than null, for the API document. Validation uses `read`, which reports errors. */
  readonly schema: TSchema
  /**
   * Validates a value and returns the form to store, or adds to `errors` and returns undefined. A value that equals
   * `before`, the stored value, is always accepted: a newer rule does not reject a value stored under older rules.
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
  /** The default of an optional field. */
  readonly fallback?: T
  /** True when the field is set on create and cannot be updated. */
  readonly createOnly?: boolean
  /** True when the value is also stored in lower case, with a unique index. */
  readonly unique?: boolean
  /** An SQL expression that replaces the column. */
  readonly derived?: (moneyContext: MoneyContext) => string
  /** True for codes and numbers. They are ASCII, so sorting needs no folding of accents. */
  readonly isAscii?: boolean
  /** True for a field without a column, because its rows are in a separate table. */
  readonly isNotStored?: boolean
  /** The JSON Schema in a request, when it differs from that in a response. */
  readonly givenSchema?: TSchema
  /** The JSON Schema in a request that updates a record, when it differs from that in one that creates it. */
  readonly changeSchema?: TSchema
  /** Additional status values that can be filtered by, each with its condition. */
  readonly virtual?: Record<string, (moneyContext: MoneyContext) => string>
  /** The fields of an object. An update merges them one by one. */
  readonly parts?: Record<string, Field>
}

export type Given<T> = Field<T, "optional", true>
type Reader<T> = Field<T>["read"]

/** Creates an optional field that may have no value. */
export const field = <T>(kind: ValueKind, schema: TSchema, read: Reader<T>): Given<T> => ({
  kind,
  schema,
  read,
  access: "optional",
  nullable: true,
})

/** Makes a field required. */
export const required = <T>(f: Field<T>): Field<T, "required", false> => ({
  ...f,
  access: "required",
  nullable: false,
})

/** Makes `value` the default when the field is left out or null. */
export const withDefault = <T>(f: Given<T>, value: T): Field<T, "optional", false> => ({
  ...f,
  fallback: value,
  nullable: false,
})

/** Lets the server set a value when the field is left out or null. */
export const serverDefault = <T>(f: Given<T>): Field<T, "optional", false> => ({ ...f, nullable: false })

/**
 * Makes a field read-only: only the server sets it. `initial` is the value of a new record, for columns that only SQL
 * statements update.
 */
export const readOnly = <T>(f: Field<T>, initial?: T): Field<T, "readOnly", false> => ({
  ...f,
  fallback: initial,
  access: "readOnly",
  nullable: false,
})

/** Makes a field read-only, and allows it to have no value. */
export const readOnlyNullable = <T>(f: Field<T>): Field<T, "readOnly", true> => ({
  ...readOnly(f),
  nullable: true,
})

/** Makes a field read-only and computes it from other columns on every read. */
export const derived = <T, N extends boolean>(
  f: Field<T, "readOnly", N>,
  sql: (moneyContext: MoneyContext) => string,
): Field<T, "readOnly", N> => ({ ...f, derived: sql })

/** Makes a field unique among all records, ignoring case. */
export const unique = <F extends Field>(f: F): F => ({ ...f, unique: true })

/** Makes a field read-only after the record is created. */
export const createOnly = <F extends Field>(f: F): F => ({ ...f, createOnly: true })

/** One of a fixed set of values. */
export function choice<const V extends string>(values: readonly V[]): Given<V> {
  const schema = Type.Unsafe<V>({ type: "string", enum: [...values] })
  return field("choice", schema, (value, at, errors) => {
    if (values.includes(value as V)) return value as V
    errors.push({ field: at, message: `must be one of ${values.join(", ")}` })
  })
}

/** The status of a record. Filters accept the statuses of all kinds. */
export const status = <const V extends string>(values: readonly V[]): Given<V> => ({
  ...choice(values),
  kind: "status",
})

/** Marks a field that has no column, because its rows are in a separate table. */
export const notStored = <F extends Field>(f: F): F => ({ ...f, isNotStored: true })

/** A number with up to four decimals, stored exactly. */
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

/** A quantity that the server adds up. It can be larger than a value that a caller may send. */
export const sum = (): Given<number> => ({ ...decimal(), schema: Type.Number({ examples: [12.5] }) })

/** A number greater than 0. */
export const positive = (f: Given<number>): Given<number> => ({
  ...f,
  schema: { ...f.schema, exclusiveMinimum: 0 },
  read(value, at, errors, mode) {
    const number = f.read(value, at, errors, mode)
    if (number !== 0) return number
    errors.push({ field: at, message: "must be greater than 0" })
  },
})

/** Money in the currency's minor unit. Only the server sets it. */
export const amount = (): Given<number> =>
  field<number>("amount", Type.Number({ examples: [1250.5] }), refuseValue)

/** Money that a caller sends. The service validates the number of decimals, because it depends on the currency. */
export const payable = (): Given<number> => ({
  ...amount(),
  schema: { ...amount().schema, exclusiveMinimum: 0 },
  read: (value, at, errors) => {
    if (typeof value === "number" && Number.isFinite(value) && value > 0) return value
    errors.push({
      field: at,
      message: typeof value === "number" ? "must be greater than 0" : "must be a number",
    })
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

/** A timestamp that the caller sets. A date without a time means the start of that day in UTC. */
export const instant = (): Given<string> => ({
  ...timestamp(),
  read: (value, at, errors) => {
    const given = typeof value === "string" ? value : ""
    const moment = isDate(given) ? startOfDay(given) : toTimestamp(given)
    if (moment !== null) return moment
    errors.push({ field: at, message: "must be a timestamp such as 2026-03-01T09:30:00Z" })
  },
})

/** A JSON value that only the server writes. */
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
    errors.push({ field: at, message: "must be a valid date in the format YYYY-MM-DD" })
  })

/** A list whose entries are validated one by one. */
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
