import { Type } from "@sinclair/typebox"
import { isNumbered, keyOfName, type Numbered, type Resource } from "../../core/kind/define"
import { integer, withDefault, type Field, type Given } from "../../core/kind/field"
import { object } from "../../core/kind/object"
import { text } from "../../core/kind/text-field"
import { errorOfFormat, largestStart, tidyFormat } from "../../shared/number-format"

/** The kinds with numbers, by their names in the settings: `salesOrders`. */
export type NumberedKinds<K extends string = string> = Readonly<Record<K, Numbered>>

export const numberedOf = (kinds: readonly Resource[]): NumberedKinds =>
  Object.fromEntries(kinds.filter(isNumbered).map((kind) => [keyOfName(kind.name), kind]))

/** Returns a value for each kind, in the order of the kinds. */
export const perKind = <K extends string, T>(
  kinds: NumberedKinds<K>,
  make: (kind: Numbered, key: K) => T,
): Record<K, T> =>
  Object.fromEntries(
    Object.entries<Numbered>(kinds).map(([key, kind]) => [key, make(kind, key as K)]),
  ) as Record<K, T>

const format = ({ numbers }: Numbered) =>
  text({
    max: 40,
    isCode: true,
    examples: [numbers.format],
    check: (value) => {
      const error = errorOfFormat(tidyFormat(value))
      return error === null ? { value: tidyFormat(value) } : { error, format: "number-format" }
    },
  })

/** An object with one value per kind with numbers. A part that is missing or null has its default. */
function objectOf<K extends string, T>(parts: Record<K, Given<T>>, defaults: Record<K, T>, about: string) {
  const given = object(parts)
  const filled: Given<Record<K, T>> = {
    ...(given as unknown as Given<Record<K, T>>),
    schema: Type.Unsafe({ ...given.schema, description: about }),
    read(...reading) {
      const values = given.read(...reading)
      return values && filledBy(defaults, values)
    },
  }
  return withDefault(filled, defaults) as Field<Record<K, T>, "optional", false>
}

/** Replaces missing parts by their defaults. */
export const filledBy = <K extends string, T>(
  defaults: Record<K, T>,
  given: Partial<Record<K, unknown>> = {},
): Record<K, T> =>
  Object.fromEntries(
    (Object.keys(defaults) as K[]).map((kind) => [kind, given[kind] ?? defaults[kind]]),
  ) as Record<K, T>

/** The number format of each kind that the settings were not given. */
export const defaultFormats = <K extends string>(kinds: NumberedKinds<K>): Record<K, string> =>
  perKind(kinds, ({ numbers }) => numbers.format)

/** How the numbers of each kind are written. */
export const numberFormats = <K extends string>(kinds: NumberedKinds<K>) =>
  objectOf(
    perKind(kinds, format),
    defaultFormats(kinds),
    "How numbers are written: text with {YYYY}, {YY}, {MM} and one counter such as {#####}. Null sets the default.",
  )

/** The first counter of the current series of each kind. It is stored with the series, not with the settings. */
export const numberStarts = <K extends string>(kinds: NumberedKinds<K>) =>
  objectOf(
    perKind(kinds, () => integer({ min: 1, max: largestStart })),
    perKind(kinds, () => 1),
    "The first counter of the current series. It can be set before a number of the series is used. Null is 1.",
  )
