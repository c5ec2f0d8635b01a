import { Type, type Static } from "@sinclair/typebox"
import type { Database } from "../../core/engine/engine"
import { comingNumber, findSeries, isTaken, startSeries } from "../../core/write/numbers"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import {
  collidingKinds,
  leadingTextOf,
  numberKindNames,
  numberPattern,
  seriesOf,
  type NumberFormats,
  type NumberKind,
} from "../../shared/number-format"
import type { ShownSettings } from "./model"
import type { NumberStarts } from "./number-fields"
import { foreignNumbers } from "../../core/write/numbers"

type Numbered = Pick<ShownSettings, "numberFormats" | "numberStarts">

const ofSeries = (formats: NumberFormats, kind: NumberKind, today: string): string =>
  seriesOf(kind, formats[kind], today)

/** Returns the first counter of the current series of each kind. */
export const startsOf = (db: Database, formats: NumberFormats, today: string): NumberStarts =>
  Object.fromEntries(
    numberKindNames.map((kind) => [kind, findSeries(db, ofSeries(formats, kind, today)).first]),
  ) as NumberStarts

/** A series in which a format of the kind can give the next number. While it is empty, `next` is `start`. */
export const NumberSeries = Type.Object(
  {
    kind: Type.Unsafe<NumberKind>({ type: "string", enum: numberKindNames }),
    series: Type.String({ examples: ["INV-2026"] }),
    start: Type.Integer({ description: "The first counter" }),
    next: Type.Integer({ description: "The counter of the next number" }),
  },
  { $id: "NumberSeries" },
)
export type NumberSeries = Static<typeof NumberSeries>

/** Returns the current series of each kind: that of formats with a year, and that of formats without. */
export const currentSeries = (db: Database, today: string): NumberSeries[] =>
  numberKindNames.flatMap((kind) =>
    ["{YYYY}", ""].map((format) => {
      const series = seriesOf(kind, format, today)
      const { first, last } = findSeries(db, series)
      return { kind, series, start: first, next: last + 1 }
    }),
  )

/** The kinds whose numbering an update changes. */
const changedKinds = (before: Numbered, after: Numbered): NumberKind[] =>
  numberKindNames.filter(
    (kind) =>
      before.numberFormats[kind] !== after.numberFormats[kind] ||
      before.numberStarts[kind] !== after.numberStarts[kind],
  )

/**
 * Sets the starts of series, and returns the errors of the new numbering. When there are errors, the caller refuses the
 * write, which also undoes the starts.
 */
export function settleNumbers(db: Database, before: Numbered, after: Numbered, today: string): FieldError[] {
  const changed = changedKinds(before, after)
  if (changed.length === 0) return []
  const formats = after.numberFormats
  const shared = collidingKinds(formats).map(({ kind, other }) => {
    // The error is at the format that the update changes.
    const [at, like] = changed.includes(kind) ? [kind, other] : [other, kind]
    return fieldError(`numberFormats.${at}`, "RULE", `can produce the same number as that of ${like}`, {
      rule: "NUMBER_SHARED",
      other: like,
    })
  })
  const foreign =
    before.numberFormats.invoices === formats.invoices ? [] : foreignErrors(db, formats.invoices)
  const starts = changed.flatMap((kind) => start(db, kind, before, after, today))
  const errors = [...shared, ...foreign, ...starts]
  if (errors.length > 0) return errors
  return changed.flatMap((kind) => {
    const number = comingNumber(db, { kind, format: formats[kind], date: today })
    return isTaken(db, kind, number)
      ? [
          fieldError(`numberFormats.${kind}`, "RULE", `would begin with ${number}, which exists already`, {
            rule: "NUMBER_TAKEN",
            value: number,
          }),
        ]
      : []
  })
}

/** Returns an error when a format can produce the number of an opening invoice, which another system gave it. */
function foreignErrors(db: Database, format: string): FieldError[] {
  const [value] = numberPattern(format).exec(foreignNumbers(db, leadingTextOf(format))) ?? []
  if (value === undefined) return []
  const message = `can produce ${value}, the number of an opening invoice`
  return [fieldError("numberFormats.invoices", "RULE", message, { rule: "NUMBER_TAKEN", value })]
}

/** Sets the start of the current series of a kind, if the update changes it. */
function start(
  db: Database,
  kind: NumberKind,
  before: Numbered,
  after: Numbered,
  today: string,
): FieldError[] {
  const name = ofSeries(after.numberFormats, kind, today)
  const { first, last } = findSeries(db, name)
  const wanted = after.numberStarts[kind]
  // A start that was sent back unchanged belongs to the series of the old format, not to that of the new one.
  if (wanted === first || wanted === before.numberStarts[kind]) return []
  if (last >= first)
    return [
      fieldError(`numberStarts.${kind}`, "RULE", `cannot be updated, because ${name} has numbers`, {
        rule: "IN_USE",
      }),
    ]
  startSeries(db, name, wanted)
  return []
}
