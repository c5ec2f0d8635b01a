import type { Database } from "../../core/engine/engine"
import { cacheOf } from "../../core/write/cache"
import type { Changes, Tx } from "../../core/write/writer"
import { business, clock } from "../../core/lib/clock"
import { assertNoErrors, fieldError, type FieldError, missingReference } from "../../core/lib/refusal"
import { changesOf } from "../../core/kind/changes"
import type { MoneyContext } from "../../core/kind/field"
import { type Input, readChange } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { digitsOf } from "../../shared/currencies"
import { dateIn } from "../../shared/dates"
import {
  defaultNumberFormats,
  type NumberFormats,
  type NumberKind,
  numberKindNames,
  numberPattern,
} from "../../shared/number-format"
import { settings, type Settings, type ShownSettings } from "./model"
import { filledBy } from "./number-fields"
import { currentSeries, settleNumbers, startsOf } from "./numbers"
import { findSettings, findTaxCode, hasAmounts, markTaxCodeUsed, writeSettings } from "./store"
import { hasNumbers } from "../../core/write/numbers"

/** The values of the stored fields in a record that was never updated. */
const defaults = Object.fromEntries(
  Object.entries(settings.fields)
    .filter(([name, field]) => name === "logo" || (field.access !== "readOnly" && name !== "numberStarts"))
    .map(([name, field]) => [name, field.fallback ?? null]),
)
const initial = { version: 1, updatedAt: "1970-01-01T00:00:00.000Z" }

export function settingsService(db: Database) {
  const cached = cacheOf(db, () => {
    const settings = read(db)
    return { settings, digits: digitsOf(settings.currency), formats: formatsIn(db, settings.numberFormats) }
  })
  const now = () => {
    const found = cached.get("")
    if (!found) throw new Error("The settings cannot be read.")
    return found
  }
  /** Returns `after`, and clears the cache when it differs from `before`. */
  const updated = (tx: Tx, before: Settings, after: ShownSettings): ShownSettings => {
    if (after.version !== before.version) cached.forget(tx)
    return after
  }

  /** Sets the hash of the logo, or removes it. */
  const setLogo = (tx: Tx, logo: string | null, expected: Expected): ShownSettings => {
    const before = read(db)
    assertVersion(before, expected)
    const changes: Changes = logo === before.logo ? {} : { logo: { from: before.logo, to: logo } }
    return updated(tx, before, shown(db, store(db, tx, before, { ...before, logo }, changes), tx.now))
  }

  /** Returns the currency, its decimals and the date, now or at the time of a write. */
  const moneyContext = (at?: string): MoneyContext => {
    const { settings, digits } = now()
    return { currency: settings.currency, digits, today: dateIn(settings.timeZone, at ?? clock.business()) }
  }

  return {
    get: () => now().settings,
    /** Returns the settings as responses show them. */
    show: () => shown(db, now().settings),
    /** Returns the series of numbers of today. */
    numberSeries: () => currentSeries(db, business.today(now().settings.timeZone)),
    update(tx: Tx, input: Input, expected: Expected): ShownSettings {
      const before = read(db)
      return updated(tx, before, change(db, tx, before, input, expected))
    },
    setLogo,
    moneyContext,
    /** Returns the number formats that a kind has and had, the newest first. */
    formatsOf: (kind: NumberKind) => now().formats.of(kind),
    /** Returns the number format that invoices have or had and that can produce this number, or null. */
    invoiceFormatOf: (number: string) => now().formats.producing(number),
    about: () => about(now()),
    generation: cached.generation,
  }
}

export type SettingsService = ReturnType<typeof settingsService>

/** Returns the settings that every caller may read: amounts cannot be shown and documents not entered without them. */
function about({ settings, digits }: { settings: Settings; digits: number }) {
  const { companyName, currency, timeZone } = settings
  const { pricesIncludeTax, defaultTaxCode, defaultLanguage, defaultPaymentTerms, lockedUntil, correctBy } =
    settings
  return {
    name: companyName,
    currency,
    currencyDigits: digits,
    timeZone,
    today: business.today(timeZone),
    pricesIncludeTax,
    defaultTaxCode,
    defaultLanguage,
    defaultPaymentTerms,
    lockedUntil,
    correctBy,
  }
}

function read(db: Database): Settings {
  const row = findSettings(db)
  const { version, updatedAt } = row ?? initial
  const { pastNumberFormats: _, ...given } = row ? (JSON.parse(row.body) as StoredFormats) : {}
  return {
    id: "settings",
    ...defaults,
    ...given,
    // A kind that is newer than the stored settings has its default format.
    numberFormats: filledBy(defaultNumberFormats, given.numberFormats),
    version,
    createdAt: initial.updatedAt,
    updatedAt,
  } as Settings
}

const shown = (db: Database, settings: Settings, at?: string): ShownSettings => ({
  ...settings,
  numberStarts: startsOf(db, settings.numberFormats, dateIn(settings.timeZone, at ?? clock.business())),
})

/** Updates the settings and returns them. */
function change(db: Database, tx: Tx, stored: Settings, input: Input, expected: Expected): ShownSettings {
  assertVersion(stored, expected)
  const before = shown(db, stored, tx.now)
  const errors: FieldError[] = []
  const values = readChange(settings, before, input, errors, tx.warnings)
  // A value with an error is undefined. It stays as it is, so that the rules are checked for the others.
  const valid = Object.entries(values).filter(([, value]) => value !== undefined)
  const wanted = { ...before, ...Object.fromEntries(valid) }
  const today = dateIn(before.timeZone, tx.now)
  errors.push(...ruleErrors(db, before, wanted, today), ...settleNumbers(db, before, wanted, today))
  assertNoErrors(errors, "The settings have invalid values.")
  const after = shown(db, wanted, tx.now)
  return shown(db, store(db, tx, before, after, changesOf(settings, before, after)), tx.now)
}

/** Returns the errors of values that depend on other records or on the date. A value that stays is not checked. */
function ruleErrors(db: Database, before: Settings, after: Settings, today: string): FieldError[] {
  const errors: FieldError[] = []
  const { currency, defaultTaxCode, lockedUntil } = after
  if (currency !== before.currency && hasAmounts(db))
    errors.push(
      fieldError("currency", "RULE", "cannot be updated, because there are orders, invoices or payments", {
        rule: "IN_USE",
      }),
    )
  if (defaultTaxCode !== null && defaultTaxCode !== before.defaultTaxCode)
    errors.push(...taxCodeErrors(db, defaultTaxCode))
  if (lockedUntil !== null && lockedUntil !== before.lockedUntil && lockedUntil > today)
    errors.push(
      fieldError("lockedUntil", "RULE", "must not be in the future", { rule: "NOT_AFTER_TODAY", today }),
    )
  return errors
}

function taxCodeErrors(db: Database, id: string): FieldError[] {
  const found = findTaxCode(db, id)
  if (!found) return [missingReference("defaultTaxCode", id.slice(0, 64))]
  const name = found.code
  return found.isActive === 1
    ? []
    : [fieldError("defaultTaxCode", "RULE", `${name} is inactive`, { rule: "INACTIVE", name })]
}

/** Stores the settings with their changes. Without changes, nothing is stored. */
function store(db: Database, tx: Tx, before: Settings, after: Settings, changes: Changes): Settings {
  if (Object.keys(changes).length === 0) return before
  const names = Object.keys(defaults) as (keyof Settings)[]
  const stored = Object.fromEntries(names.map((name) => [name, after[name]]))
  const pastNumberFormats = pastAfter(db, before.numberFormats, after.numberFormats)
  const body = JSON.stringify({ ...stored, pastNumberFormats })
  const version = before.version + 1
  writeSettings(db, { body, version, updatedAt: tx.now })
  if (after.defaultTaxCode !== null) {
    const used = markTaxCodeUsed(db, after.defaultTaxCode, tx.now)
    if (used) noteFigures(tx, { name: "tax-codes" }, { id: after.defaultTaxCode, ...used }, ["isUsed"])
  }
  tx.audit("settings.update", "settings", changes)
  return { ...after, version, updatedAt: tx.now }
}

/** More formats than any company uses. A search tries all of them. */
const mostFormats = 20

/** The formats that a kind had before. Responses do not show them; the search finds numbers by them. */
type Past = Partial<Record<NumberKind, string[]>>
type StoredFormats = { numberFormats?: Partial<NumberFormats>; pastNumberFormats?: Past }

function findPast(db: Database): Past {
  const row = findSettings(db)
  return (row && (JSON.parse(row.body) as StoredFormats).pastNumberFormats) ?? {}
}

/** Returns the number formats of now and before. */
function formatsIn(db: Database, current: NumberFormats) {
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
function pastAfter(db: Database, before: NumberFormats, after: NumberFormats): Past {
  const past = findPast(db)
  return Object.fromEntries(
    numberKindNames.map((kind) => {
      const all = new Set([...(hasNumbers(db, kind) ? [before[kind]] : []), ...(past[kind] ?? [])])
      all.delete(after[kind])
      return [kind, [...all]]
    }),
  )
}
