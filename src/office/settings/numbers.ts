import { Type, type Static } from "@sinclair/typebox"
import type { Database } from "../../core/engine/engine"
import { keyOfName, type Numbered } from "../../core/kind/define"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import {
  comingNumber,
  findSeries,
  foreignNumbers,
  isTaken,
  seriesIn,
  startSeries,
} from "../../core/store/numbers"
import { collidingKinds, leadingTextOf, numberPattern } from "../../shared/number-format"
import type { ShownSettings } from "./model"
import { perKind, type NumberedKinds } from "./number-fields"

type NumberSettings = Pick<ShownSettings, "numberFormats" | "numberStarts">

/** The format that the settings have for the numbers of a kind. */
export const formatIn = (formats: Record<string, string>, { name, numbers }: Numbered): string =>
  formats[keyOfName(name)] ?? numbers.format

/** The current series of a kind. */
const seriesNow = (formats: Record<string, string>, kind: Numbered, today: string): string =>
  seriesIn({ kind, format: formatIn(formats, kind), date: today })

/** Returns the first counter of the current series of each kind. */
export const startsOf = (
  db: Database,
  kinds: NumberedKinds,
  formats: Record<string, string>,
  today: string,
): Record<string, number> => perKind(kinds, (kind) => findSeries(db, seriesNow(formats, kind, today)).first)

/** A series in which a format of the kind can give the next number. While it is empty, `next` is `start`. */
export const numberSeries = (kinds: NumberedKinds) =>
  Type.Object(
    {
      kind: Type.Unsafe<string>({ type: "string", enum: Object.keys(kinds) }),
      series: Type.String({ examples: ["INV-2026"] }),
      start: Type.Integer({ description: "The first counter" }),
      next: Type.Integer({ description: "The counter of the next number" }),
    },
    { $id: "NumberSeries" },
  )
export type NumberSeries = Static<ReturnType<typeof numberSeries>>

/** Returns the current series of each kind: that of formats with a year, and that of formats without. */
export const currentSeries = (db: Database, kinds: NumberedKinds, today: string): NumberSeries[] =>
  Object.entries(kinds).flatMap(([key, kind]) =>
    ["{YYYY}", ""].map((format) => {
      const series = seriesIn({ kind, format, date: today })
      const { first, last } = findSeries(db, series)
      return { kind: key, series, start: first, next: last + 1 }
    }),
  )

type Change = { before: NumberSettings; after: NumberSettings; today: string }

/** The kinds whose numbering an update changes. */
const changedKinds = (kinds: NumberedKinds, { before, after }: Change): [string, Numbered][] =>
  Object.entries(kinds).filter(
    ([key]) =>
      before.numberFormats[key] !== after.numberFormats[key] ||
      before.numberStarts[key] !== after.numberStarts[key],
  )

/**
 * Sets the starts of series, and returns the errors of the new numbering. When there are errors, the caller refuses the
 * write, which also undoes the starts.
 */
export function settleNumbers(db: Database, kinds: NumberedKinds, update: Change): FieldError[] {
  const changed = changedKinds(kinds, update)
  if (changed.length === 0) return []
  const { before, after, today } = update
  const formats = after.numberFormats
  const shared = collidingKinds(formats).map(({ kind, other }) => {
    // The error is at the format that the update changes.
    const [at, like] = changed.some(([key]) => key === kind) ? [kind, other] : [other, kind]
    return fieldError(`numberFormats.${at}`, "RULE", `can produce the same number as that of ${like}`, {
      rule: "NUMBER_SHARED",
      other: like,
    })
  })
  const foreign = changed
    .filter(([key]) => before.numberFormats[key] !== formats[key])
    .flatMap(([key, kind]) => foreignErrors(db, key, kind, formatIn(formats, kind)))
  const starts = changed.flatMap(([key, kind]) => start(db, key, kind, update))
  const errors = [...shared, ...foreign, ...starts]
  if (errors.length > 0) return errors
  return changed.flatMap(([key, kind]) => {
    const number = comingNumber(db, { kind, format: formatIn(formats, kind), date: today })
    return isTaken(db, kind, number)
      ? [
          fieldError(`numberFormats.${key}`, "RULE", `would begin with ${number}, which exists already`, {
            rule: "NUMBER_TAKEN",
            value: number,
          }),
        ]
      : []
  })
}

/** Returns an error when a format can produce a number that another system gave to a record of the kind. */
function foreignErrors(db: Database, key: string, kind: Numbered, format: string): FieldError[] {
  const { foreign } = kind.numbers
  if (!foreign) return []
  const [value] = numberPattern(format).exec(foreignNumbers(db, kind, leadingTextOf(format))) ?? []
  if (value === undefined) return []
  const message = `can produce ${value}, the number of ${foreign.noun}`
  return [fieldError(`numberFormats.${key}`, "RULE", message, { rule: "NUMBER_TAKEN", value })]
}

/** Sets the start of the current series of a kind, if the update changes it. */
function start(db: Database, key: string, kind: Numbered, { before, after, today }: Change): FieldError[] {
  const name = seriesNow(after.numberFormats, kind, today)
  const { first, last } = findSeries(db, name)
  const wanted = after.numberStarts[key] ?? first
  // A start that was sent back unchanged belongs to the series of the old format, not to that of the new one.
  if (wanted === first || wanted === before.numberStarts[key]) return []
  if (last >= first)
    return [
      fieldError(`numberStarts.${key}`, "RULE", `cannot be updated, because ${name} has numbers`, {
        rule: "IN_USE",
      }),
    ]
  startSeries(db, name, wanted)
  return []
}
