import type { Database } from "bun:sqlite"
import { cacheOf } from "../../db/cache"
import type { Tx } from "../../db/writer"
import { dateIn } from "../../lib/clock"
import { assertNoErrors, fieldError, type FieldError } from "../../lib/refusal"
import { changesOf } from "../../resource/changes"
import type { MoneyContext } from "../../resource/field"
import { readChange, type Input } from "../../resource/read"
import { assertVersion, type Expected } from "../../resource/tag"
import { digitsOf } from "../../shared/currencies"
import { settings, type Settings } from "./model"
import { findSettings, hasDocuments, writeSettings } from "./store"

const defaults = Object.fromEntries(
  Object.entries(settings.fields)
    .filter(([, field]) => field.access !== "readOnly")
    .map(([name, field]) => [name, field.fallback ?? null]),
)
/** The values of a settings record that was never updated. */
const initial = { version: 1, updatedAt: "1970-01-01T00:00:00.000Z" }

export function settingsService(db: Database) {
  const cached = cacheOf(db, () => {
    const settings = read(db)
    return { settings, digits: digitsOf(settings.currency) }
  })
  const now = () => {
    const found = cached.get("")
    if (!found) throw new Error("The settings cannot be read.")
    return found
  }

  const update = (tx: Tx, input: Input, expected: Expected): Settings => {
    const before = read(db)
    const after = change(db, tx, before, input, expected)
    if (after !== before) cached.forget(tx)
    return after
  }

  /** Returns the currency, its decimals and the date, now or at the time of a write. */
  const moneyContext = (at?: string): MoneyContext => {
    const { settings, digits } = now()
    return { currency: settings.currency, digits, today: dateIn(settings.timeZone, at) }
  }

  /** Returns the settings that every caller may read, because amounts cannot be shown without them. */
  const about = () => {
    const { settings, digits } = now()
    const { companyName, currency, timeZone } = settings
    return { name: companyName, currency, currencyDigits: digits, timeZone, today: dateIn(timeZone) }
  }

  return { get: () => now().settings, update, moneyContext, about, generation: cached.generation }
}

export type SettingsService = ReturnType<typeof settingsService>

function read(db: Database): Settings {
  const row = findSettings(db)
  const { version, updatedAt } = row ?? initial
  const given = row ? (JSON.parse(row.body) as object) : {}
  return {
    id: "settings",
    ...defaults,
    ...given,
    version,
    createdAt: initial.updatedAt,
    updatedAt,
  } as Settings
}

/** Updates the settings and returns them; returns `before` itself when nothing has changed. */
function change(db: Database, tx: Tx, before: Settings, input: Input, expected: Expected): Settings {
  assertVersion(before, expected)
  const errors: FieldError[] = []
  const values = readChange(settings, before, input, errors, tx.warnings)
  if (values.currency !== undefined && values.currency !== before.currency && hasDocuments(db))
    errors.push(
      fieldError("currency", "RULE", "cannot be updated, because there are orders or invoices", {
        rule: "IN_USE",
      }),
    )
  assertNoErrors(errors, "The settings have invalid values.")
  const after = { ...before, ...values }
  const changes = changesOf(settings, before, after)
  if (Object.keys(changes).length === 0) return before
  const body = JSON.stringify(
    Object.fromEntries(Object.keys(defaults).map((name) => [name, after[name as keyof Settings]])),
  )
  writeSettings(db, { body, version: before.version + 1, updatedAt: tx.now })
  tx.audit("settings.update", "settings", changes)
  return { ...after, version: before.version + 1, updatedAt: tx.now }
}
