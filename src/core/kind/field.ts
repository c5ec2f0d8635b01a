import { isDate, startOfDay, toTimestamp } from "../../shared/dates"
import { fromUnits, largestPrice, priceDigits, toUnits } from "../../shared/decimal"
import { Type, type TSchema } from "@sinclair/typebox"
import { fieldError, missingReference, reporter, type FieldError } from "../lib/refusal"

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
  readonly nullable: N
  /** The default of an optional field. */
  readonly fallback?: T
  /** True when the field is set on create and cannot be updated. */
  readonly createOnly?: boolean
  /** True when at most one record has a value. It is also stored in lower case, unless `isExact`. */
  readonly unique?: boolean
  /** True when text is compared and sorted exactly, character by character, such as the id of another system. */
  readonly isExact?: boolean
  /**
   * What of a text, or of an object, is compared to find records that may be the same; empty if nothing is. It is stored, so
   * that they are found by an index.
   */
  readonly alike?: (value: never) => string
  /** An SQL expression that replaces the column. */
  readonly derived?: (moneyContext: MoneyContext) => string
  /** What the expression returns for a new row, by its columns. */
  readonly derivedOfNew?: (column: (name: string) => unknown) => unknown
  /** True for codes and numbers. They are ASCII, so sorting needs no folding of accents. */
  readonly isAscii?: boolean
  /** True for a field without a column, because its rows are in a separate table. */
  readonly isNotStored?: boolean
  /** The JSON Schema in a request, when it differs from that in a response. The kinds are defined when it is called. */
  readonly givenSchema?: (mode: Mode) => TSchema
  /** Additional status values that can be filtered by, each with its condition. */
  readonly virtual?: Record<string, (moneyContext: MoneyContext) => string>
  /** True for a field of an object, as lists know it. */
  readonly isPart?: boolean
  /** The fields of an object. An update merges them one by one. */
  readonly parts?: Record<string, Field>
  /** True for money with up to four decimals. Amounts have the decimals of the currency. */
  readonly isPrice?: boolean
  /** True for an object with any keys. An update merges it key by key, and null removes a key. */
  readonly isMap?: boolean
  /** The prefix of the ids of the kind that a reference refers to. */
  readonly refersTo?: string
  /** The fields of the lines of a document, and how many lines it can have. */
  readonly lines?: { fields: Record<string, Field>; max: number }
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

/**
 * Makes a field read-only and computes it from other columns on every read. `ofNew` is the same for a new row, for kinds of
 * which many are created on PostgreSQL: if all fields of a kind have it, the row need not be read.
 */
export const derived = <T, N extends boolean>(
  f: Field<T, "readOnly", N>,
  sql: (moneyContext: MoneyContext) => string,
  ofNew?: Field["derivedOfNew"],
): Field<T, "readOnly", N> => ({ ...f, derived: sql, ...(ofNew && { derivedOfNew: ofNew }) })

/** Makes a field unique among all records, ignoring case unless the field is exact. */
export const unique = <F extends Field>(f: F): F => ({ ...f, unique: true })

/** Stores what of a value is compared to find records that may be the same. */
export const findsAlike = <T, F extends Field<T>>(f: F & Field<T>, alike: (value: T) => string): F => ({
  ...f,
  alike,
})

/** Makes a field read-only after the record is created. */
export const createOnly = <F extends Field>(f: F): F => ({ ...f, createOnly: true })

/** Leaves a field out of the examples of bodies, because another field of the example gives the same. */
export const withoutExample = <F extends Field>(f: F): F => ({
  ...f,
  schema: { ...f.schema, examples: undefined },
})

/** One of a fixed set of values. */
export function choice<const V extends string>(values: readonly V[]): Given<V> {
  const schema = Type.Unsafe<V>({ type: "string", enum: [...values] })
  return field("choice", schema, (value, at, errors) => {
    if (values.includes(value as V)) return value as V
    const error = reporter(errors, at)
    const message = `must be one of ${values.join(", ")}`
    if (typeof value !== "string") return error("TYPE", message, { type: "string", allowed: values })
    return error("FORMAT", message, { allowed: values })
  })
}

const knownStatuses = new Set<string>()

/** Every status of the kinds that are defined by now. A list accepts all of them and returns the records that match. */
export const statusWords = (): string[] => [...knownStatuses].toSorted()
export const isStatus = (word: string): boolean => knownStatuses.has(word)

/** The status of a record. `virtual` are statuses that are computed and not stored, with their conditions. */
export function status<const V extends string>(
  values: readonly V[],
  virtual: NonNullable<Field["virtual"]> = {},
): Given<V> {
  for (const word of [...values, ...Object.keys(virtual)]) knownStatuses.add(word)
  return { ...choice(values), kind: "status", virtual }
}

/** Marks a field that has no column, because its rows are in a separate table. */
export const notStored = <F extends Field>(f: F): F => ({ ...f, isNotStored: true })

/** Says how many decimals a number has. `multipleOf` would be refused by validators that calculate with binary fractions. */
const withDecimals = { "x-decimals": priceDigits }

/** A number with up to four decimals, stored exactly. The error of a binary fraction is removed. */
export function decimal({ min = -largestPrice, max = largestPrice, example = 12.5 } = {}): Given<number> {
  const schema = Type.Number({ minimum: min, maximum: max, examples: [example], ...withDecimals })
  return field("decimal", schema, (value, at, errors) => {
    const error = reporter(errors, at)
    if (typeof value !== "number") return error("TYPE", "must be a number", { type: "number" })
    const units = toUnits(value, priceDigits)
    const number = units === null ? value : fromUnits(units, priceDigits)
    if (number < min) return error("TOO_SMALL", `must be at least ${min}`, { min })
    if (number > max) return error("TOO_LARGE", `must be at most ${max}`, { max })
    if (units === null)
      return error("FORMAT", `must have at most ${priceDigits} decimals`, { decimals: priceDigits })
    return number
  })
}

/** Money with up to four decimals, such as the price of one screw. */
export const price = (example: number): Given<number> => ({ ...decimal({ min: 0, example }), isPrice: true })

/** A quantity that the server adds up. It can be larger than a value that a caller may send. */
export const sum = (): Given<number> => ({
  ...decimal(),
  schema: Type.Number({ examples: [12.5], ...withDecimals }),
})

/** A number greater than 0. */
export const positive = (f: Given<number>): Given<number> => ({
  ...f,
  schema: { ...f.schema, exclusiveMinimum: 0 },
  read(value, at, errors, mode) {
    const number = typeof value === "number" && value <= 0 ? 0 : f.read(value, at, errors, mode)
    return number === 0 ? refuseZero(at, errors) : number
  },
})

const refuseZero = (at: string, errors: FieldError[]) =>
  reporter(errors, at)("TOO_SMALL", "must be greater than 0", { above: 0 })

/** Money in the currency's minor unit. Only the server sets it. */
export const amount = (): Given<number> =>
  field<number>("amount", Type.Number({ examples: [1250.5] }), refuseValue)

/** Money that a caller sends. The service validates the number of decimals, because it depends on the currency. */
export const payable = ({ orZero = false } = {}): Given<number> => ({
  ...amount(),
  schema: { ...amount().schema, ...(orZero ? { minimum: 0 } : { exclusiveMinimum: 0 }) },
  read: (value, at, errors) => {
    const error = reporter(errors, at)
    if (typeof value !== "number" || Number.isNaN(value))
      return error("TYPE", "must be a number", { type: "number" })
    if (value < 0 && orZero) return error("TOO_SMALL", "must be at least 0", { min: 0 })
    if (value <= 0 && !orZero) return refuseZero(at, errors)
    const max = Number.MAX_SAFE_INTEGER
    return value > max ? error("TOO_LARGE", `must be at most ${max}`, { max }) : value
  },
})

export function integer({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Given<number> {
  return field(
    "integer",
    Type.Integer({ minimum: min, ...(max < Number.MAX_SAFE_INTEGER ? { maximum: max } : {}) }),
    (value, at, errors) => {
      const error = reporter(errors, at)
      if (typeof value !== "number") return error("TYPE", "must be a whole number", { type: "integer" })
      if (value < min) return error("TOO_SMALL", `must be at least ${min}`, { min })
      if (value > max) return error("TOO_LARGE", `must be at most ${max}`, { max })
      if (!Number.isInteger(value)) return error("TYPE", "must be a whole number", { type: "integer" })
      return value
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
    const error = reporter(errors, at)
    const message = "must be a timestamp such as 2026-03-01T09:30:00Z"
    if (typeof value !== "string") return error("TYPE", message, { type: "string" })
    const moment = isDate(value) ? startOfDay(value) : toTimestamp(value)
    return moment ?? error("FORMAT", message, { format: "date-time" })
  },
})

/** A JSON value that only the server writes. */
export const structure = <T>(schema: TSchema): Given<T> => field<T>("json", schema, refuseValue)

/** Stands in a reference field of a body when the record that the body names by a key was not found. */
export class UnresolvedReference {
  constructor(readonly errors: readonly FieldError[]) {}
}

/** True for what has the form of an id of a kind. */
export const isId = (prefix: string, value: string): boolean =>
  value.startsWith(`${prefix}_`) && /^[a-z]+_[0-9a-z]{26}$/.test(value)

/** False for what no id can be. PostgreSQL refuses some texts, such as NUL. */
export const isPossibleId = (value: string): boolean => /^[\w-]{1,64}$/.test(value)

export const notAnId = (at: string): FieldError => fieldError(at, "TYPE", "must be an id", { type: "string" })

/** The id of a record. */
export const reference = (prefix: string): Given<string> => ({
  ...field<string>(
    "reference",
    Type.String({
      pattern: `^${prefix}_[0-9a-z]{26}$`,
      examples: [`${prefix}_01kb2qk3dvb6r8h5m9x4w7z2nc`],
    }),
    (value, at, errors) => {
      if (typeof value === "string" && isPossibleId(value)) return value
      if (typeof value === "string") errors.push(missingReference(at, value.toWellFormed()))
      else if (value instanceof UnresolvedReference) errors.push(...value.errors)
      else errors.push(notAnId(at))
    },
  ),
  refersTo: prefix,
})

export const boolean = (about: { description?: string } = {}): Given<boolean> =>
  field("boolean", Type.Boolean(about), (value, at, errors) => {
    if (typeof value === "boolean") return value
    errors.push(fieldError(at, "TYPE", "must be true or false", { type: "boolean" }))
  })

export const date = (): Given<string> =>
  field("date", Type.String({ format: "date", examples: ["2026-03-01"] }), (value, at, errors) => {
    const error = reporter(errors, at)
    const message = "must be a valid date in the format YYYY-MM-DD"
    if (typeof value !== "string") return error("TYPE", message, { type: "string" })
    return isDate(value) ? value : error("FORMAT", message, { format: "date" })
  })

/** A list whose entries are validated one by one. */
export function list<T>(entry: Field<T>, { min = 0, max }: { min?: number; max: number }): Given<T[]> {
  const schema = Type.Array(entry.schema, { minItems: min, maxItems: max })
  return field("json", schema, (value, at, errors, mode, before) => {
    const error = reporter(errors, at)
    if (!Array.isArray(value)) return error("TYPE", "must be an array", { type: "array" })
    if (value.length < min)
      return error("TOO_SHORT", `must have at least ${min} ${min === 1 ? "entry" : "entries"}`, { min })
    if (value.length > max) return error("TOO_LONG", `must have at most ${max} entries`, { max })
    const known = Array.isArray(before) ? (before as unknown[]) : []
    const found = errors.length
    const entries = value.map((each, i) =>
      known.includes(each) ? each : entry.read(each, `${at}[${i}]`, errors, mode),
    )
    return errors.length > found ? undefined : (entries as T[])
  })
}

const refuseValue: Reader<never> = (_, at, errors) =>
  void errors.push(fieldError(at, "READ_ONLY", "is read-only"))
