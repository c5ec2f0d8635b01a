import { Type } from "@sinclair/typebox"
import { integer, withDefault, type Field, type Given } from "../../core/kind/field"
import { object } from "../../core/kind/object"
import { text } from "../../core/kind/text-field"
import {
  defaultNumberFormats,
  errorOfFormat,
  largestStart,
  numberKindNames,
  numberKinds,
  tidyFormat,
  type NumberKind,
} from "../../shared/number-format"

export type NumberStarts = Record<NumberKind, number>
export const defaultStarts = ofKinds(() => 1)

function ofKinds<T>(make: (kind: NumberKind) => T): Record<NumberKind, T> {
  return Object.fromEntries(numberKindNames.map((kind) => [kind, make(kind)])) as Record<NumberKind, T>
}

const format = (kind: NumberKind) =>
  text({
    max: 40,
    isCode: true,
    examples: [numberKinds[kind].format],
    check: (value) => {
      const error = errorOfFormat(tidyFormat(value))
      return error === null ? { value: tidyFormat(value) } : { error, format: "number-format" }
    },
  })

/** An object with one value per kind of number. A part that is missing or null has its default. */
function perKind<T>(parts: Record<NumberKind, Given<T>>, defaults: Record<NumberKind, T>, about: string) {
  const given = object(parts)
  const filled: Given<Record<NumberKind, T>> = {
    ...(given as unknown as Given<Record<NumberKind, T>>),
    schema: Type.Unsafe({ ...given.schema, description: about }),
    read(...reading) {
      const values = given.read(...reading)
      return values && filledBy(defaults, values)
    },
  }
  return withDefault(filled, defaults) as Field<Record<NumberKind, T>, "optional", false>
}

/** Replaces missing parts by their defaults. */
export const filledBy = <T>(
  defaults: Record<NumberKind, T>,
  given: Partial<Record<NumberKind, unknown>> = {},
): Record<NumberKind, T> => ofKinds((kind) => (given[kind] ?? defaults[kind]) as T)

/** How the numbers of each kind are written. */
export const numberFormats = perKind(
  ofKinds(format),
  defaultNumberFormats,
  "How numbers are written: text with {YYYY}, {YY}, {MM} and one counter such as {#####}. Null sets the default.",
)

/** The first counter of the current series of each kind. It is stored with the series, not with the settings. */
export const numberStarts = perKind(
  ofKinds(() => integer({ min: 1, max: largestStart })),
  defaultStarts,
  "The first counter of the current series. It can be set before a number of the series is used. Null is 1.",
)
