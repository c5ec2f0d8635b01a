import type { Database } from "../../core/engine/engine"
import { hasNumbers } from "../../core/write/numbers"
import {
  numberKindNames,
  numberPattern,
  type NumberFormats,
  type NumberKind,
} from "../../shared/number-format"
import { findSettings } from "./store"

/** More formats than any company uses. A search tries all of them. */
const mostFormats = 20

/** The formats that a kind had before. Responses do not show them; the search finds numbers by them. */
type Past = Partial<Record<NumberKind, string[]>>
export type StoredFormats = { numberFormats?: Partial<NumberFormats>; pastNumberFormats?: Past }

function findPast(db: Database): Past {
  const row = findSettings(db)
  return (row && (JSON.parse(row.body) as StoredFormats).pastNumberFormats) ?? {}
}

/** Returns the number formats of now and before. */
export function formatsIn(db: Database, current: NumberFormats) {
  const past = findPast(db)
  const all = (kind: NumberKind): string[] => [current[kind], ...(past[kind] ?? [])]
  const invoices = all("invoices").map((format) => ({ format, pattern: numberPattern(format) }))
  return {
    /** Returns the formats that a kind has and had, the newest first. */
    of: (kind: NumberKind): string[] => all(kind).slice(0, mostFormats),
    /** Returns the format that invoices have or had and that can produce this number, or null. */
    producing: (number: string): string | null =>
      invoices.find(({ pattern }) => pattern.test(number))?.format ?? null,
  }
}

/**
 * Adds the formats that an update replaces, and removes those that it sets. A format that is replaced before its kind
 * was given a number is not kept: a new shop can choose its formats first, and then import the invoices of the system
 * before, which may look like those of the default format.
 */
export function pastAfter(db: Database, before: NumberFormats, after: NumberFormats): Past {
  const past = findPast(db)
  return Object.fromEntries(
    numberKindNames.map((kind) => {
      const all = new Set([...(hasNumbers(db, kind) ? [before[kind]] : []), ...(past[kind] ?? [])])
      all.delete(after[kind])
      return [kind, [...all]]
    }),
  )
}
