import {
  collidingKinds,
  errorOfFormat,
  formatNumber,
  seriesOf,
  tidyFormat,
} from "../../../shared/number-format"
import type { NumberSeries } from "../../../office/settings/numbers"
import type { Settings } from "../../../console/api/types"
import { numbers } from "../../../console/folders"
import type { Typed } from "../../../console/forms/number"
import { fieldName } from "../../../console/texts/fields"

export type NumberKind = keyof Settings["numberFormats"]
type NumberFormats = Record<NumberKind, string>

export const numberKinds = Object.keys(numbers) as NumberKind[]

/** The name of the numbers of a kind. */
export const numberName = (kind: NumberKind): string => fieldName(numbers[kind].field)

const formatsOf = (of: "format" | "german"): NumberFormats =>
  Object.fromEntries(numberKinds.map((kind) => [kind, numbers[kind][of]])) as NumberFormats

export const defaultFormats = formatsOf("format")

/** The formats that the set-up proposes to German shops. */
export const germanFormats = formatsOf("german")

/** Returns the formats that would be stored. An empty one is the default. */
export const storedFormats = (typed: NumberFormats): NumberFormats =>
  Object.fromEntries(
    numberKinds.map((kind) => [kind, tidyFormat(typed[kind]) || defaultFormats[kind]]),
  ) as NumberFormats

/** Returns another kind whose format can produce the same number as the format of this kind, or null. */
export function sharedWith(kind: NumberKind, formats: NumberFormats): NumberKind | null {
  if (numberKinds.some((each) => errorOfFormat(formats[each]) !== null)) return null
  const pair = collidingKinds(formats).find((each) => each.kind === kind || each.other === kind)
  return pair ? (pair.kind === kind ? pair.other : pair.kind) : null
}

type Numbering = {
  kind: NumberKind
  /** The format that would be stored. */
  format: string
  /** The first counter in the form, and the stored one. They are equal if the user has not changed it. */
  start: Typed
  storedStart: number
  series: readonly NumberSeries[]
  today: string
}

/** What is known about the series of a format: whether it is empty, its first counter, and its next number. */
export type Coming = { isEmpty: boolean; start: Typed; number: string | null }

/** Returns the next number of a kind as the form would set it. The number is null if it is not known. */
export function comingNumber({ kind, format, start, storedStart, series, today }: Numbering): Coming {
  const isValid = errorOfFormat(format) === null
  const found =
    isValid && series.find((each) => each.series === seriesOf(numbers[kind].prefix, format, today))
  if (!found) return { isEmpty: false, start, number: null }
  const isEmpty = found.next === found.start
  // The stored start belongs to the series of the stored format. Another series keeps its own start.
  const shownStart = start === storedStart ? found.start : start
  const counter = isEmpty ? (shownStart === "" ? 1 : shownStart) : found.next
  const isCounter = typeof counter === "number" && Number.isInteger(counter) && counter > 0
  return {
    isEmpty,
    start: shownStart,
    number: isCounter ? formatNumber(format, { date: today, counter }) : null,
  }
}
