import type { Database } from "../../core/engine/engine"
import { cacheOf } from "../../core/write/cache"
import type { Changes, Tx } from "../../core/write/writer"
import { business, clock } from "../../core/lib/clock"
import { assertNoErrors, fieldError, type FieldError } from "../../core/lib/refusal"
import { changesOf } from "../../core/kind/changes"
import { keyOfName, type Numbered, type Resource } from "../../core/kind/define"
import type { MoneyContext } from "../../core/kind/field"
import { type Input, readChange } from "../../core/kind/read"
import { namedIn } from "../../core/store/named"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { digitsOf } from "../../shared/countries"
import { countryOfSeller } from "../../shared/documents/treatment"
import { sellerOf } from "./seller"
import { dateIn } from "../../shared/dates"
import { numberPattern } from "../../shared/number-format"
import { defaultTexts, filledTexts, type Mailed, ownTexts } from "./mail-texts"
import type { Settings, SettingsKind, ShownSettings } from "./model"
import { withMetadata } from "./metadata-field"
import type { PairIndex } from "../../core/store/pairs/pair-index"
import { defaultFormats, filledBy, numberedOf, perKind } from "./number-fields"
import { currentSeries, formatIn, settleNumbers, startsOf } from "./numbers"
import {
  findSecret,
  type GivenSecrets,
  saveSecrets,
  type SecretPath,
  takeSecrets,
  withRemoved,
} from "./secrets"
import { keyOf, secretPathOf, type ShownProvider, shownProviders } from "./sign-in-with"
import { missingOf, type ShownSmtp } from "./smtp-field"
import { hasNumbers, isToCome, nextNumber } from "../../core/store/numbers"

/** What the settings need of the tax codes. */
type TaxCodes = {
  choiceErrors(field: string, id: string): FieldError[]
  markUsed(tx: Tx, ids: Iterable<string>): void
}

type Given = {
  db: Database
  kind: SettingsKind
  kinds: readonly Resource[]
  /** What is sent by mail and is no kind. */
  letters: readonly Mailed[]
  /** The tax codes need the settings too. */
  taxCodes: () => TaxCodes
  /** The index of the keys of metadata. */
  pairs: Pick<PairIndex, "name">
}

type Deps = ReturnType<typeof depsOf>

function depsOf(given: Given) {
  /** The values of the stored fields in a record that was never updated. */
  const defaults: Record<string, unknown> = Object.fromEntries(
    Object.entries(given.kind.fields)
      .filter(([name, field]) => name === "logo" || (field.access !== "readOnly" && name !== "numberStarts"))
      .map(([name, field]) => [name, field.fallback ?? null]),
  )
  return {
    ...given,
    numbered: numberedOf(given.kinds),
    texts: defaultTexts([...given.kinds, ...given.letters]),
    defaults,
  }
}

/** The settings as responses have them: they tell which secrets are missing, and have none of them. */
export type AnsweredSettings = Omit<ShownSettings, "smtp" | "signInWith"> & {
  smtp: ShownSmtp | null
  signInWith: ShownProvider[]
}

const initial = { version: 1, updatedAt: "1970-01-01T00:00:00.000Z" }

export function settingsService(given: Given) {
  const deps = depsOf(given)
  const { db, numbered } = deps
  const cached = cacheOf(db, () => {
    const settings = read(deps)
    return { settings, digits: digitsOf(settings.currency), formats: formatsOf(db, settings.numberFormats) }
  })
  const now = () => {
    const found = cached.get("")
    if (!found) throw new Error("The settings cannot be read.")
    return found
  }
  /** Returns `after`, and clears the cache when it differs from `before`. */
  const updated = (tx: Tx, before: Settings, after: ShownSettings): AnsweredSettings => {
    if (after.version !== before.version) cached.forget(tx)
    return answered(db, after)
  }

  /** Sets the hash of the logo, or removes it. */
  const setLogo = (tx: Tx, logo: string | null, expected: Expected): AnsweredSettings => {
    const before = read(deps)
    assertVersion(before, expected)
    const changes: Changes = logo === before.logo ? {} : { logo: { from: before.logo, to: logo } }
    return updated(tx, before, shown(deps, store(deps, tx, before, { ...before, logo }, changes), tx.now))
  }

  /** Returns the currency, its decimals and the date, now or at the time of a write. */
  const moneyContext = (at?: string): MoneyContext => {
    const { settings, digits } = now()
    return { currency: settings.currency, digits, today: dateIn(settings.timeZone, at ?? clock.business()) }
  }

  return {
    get: () => now().settings,
    show: () => answered(db, shown(deps, now().settings)),
    /** Returns the series of numbers of today. */
    numberSeries: () => currentSeries(db, numbered, business.today(now().settings.timeZone)),
    /** `found` are errors that were found before the write. */
    update(tx: Tx, input: Input, expected: Expected, found: readonly FieldError[] = []): AnsweredSettings {
      const before = read(deps)
      return updated(tx, before, change(deps, tx, before, { input, found }, expected))
    },
    setLogo,
    secretOf: (path: SecretPath): string | null => findSecret(db, path),
    /** The OpenID providers with which people sign in, with their secrets; null if one is missing. */
    signInProviders: () =>
      now().settings.signInWith.map((provider) => ({
        provider,
        key: keyOf(provider),
        secret: findSecret(db, secretPathOf(provider)),
      })),
    /** Replaces a secret by one that its provider has issued, unless a person has replaced it in the meantime. */
    renewSecret(path: SecretPath, before: string, after: string): void {
      if (findSecret(db, path) === before) saveSecrets(db, { [path]: after })
    },
    moneyContext,
    /** Gives the next number to a new record: of the given date, or else of today. */
    nextNumber: (tx: Tx, kind: Numbered, date?: string) =>
      nextNumber(db, tx, {
        kind,
        format: formatIn(now().settings.numberFormats, kind),
        date: date ?? moneyContext(tx.now).today,
      }),
    /** The kinds with numbers, by their names in the settings. */
    numbered,
    /** Returns the number formats that a kind has and had, the newest first. */
    formatsOf: (kind: Numbered) => now().formats.of(kind),
    /** Returns the number format that a kind has or had and that can produce this number, or null. */
    formatProducing: (kind: Numbered, number: string) => now().formats.producing(kind, number),
    /** Returns the number format, of now or before, whose series can still come to this number, or null. */
    formatToProduce: (kind: Numbered, number: string): string | null =>
      now()
        .formats.of(kind)
        .find((format) => isToCome(db, { kind, format, date: moneyContext().today }, number)) ?? null,
    about: () => about(now()),
    generation: cached.generation,
  }
}

export type SettingsService = ReturnType<typeof settingsService>

/** Returns the settings that every caller may read: amounts cannot be shown and documents not entered without them. */
function about({ settings, digits }: { settings: Settings; digits: number }) {
  const { companyName, currency, timeZone } = settings
  const { pricesIncludeTax, defaultTaxCode, defaultLanguage, defaultPaymentTerms, defaultUnit } = settings
  const { lockedUntil, correctBy, invoiceFrom, publicPages } = settings
  return {
    name: companyName,
    country: settings.address?.country ?? null,
    currency,
    currencyDigits: digits,
    timeZone,
    taxCountry: countryOfSeller(sellerOf(settings)),
    today: business.today(timeZone),
    pricesIncludeTax,
    defaultTaxCode,
    defaultLanguage,
    defaultPaymentTerms,
    defaultUnit,
    lockedUntil,
    correctBy,
    invoiceFrom,
    publicPages,
  }
}

function read({ db, numbered, texts, defaults }: Deps): Settings {
  const row = findSettings(db)
  const { version, updatedAt } = row ?? initial
  const { pastNumberFormats: _, ...given } = row ? (JSON.parse(row.body) as StoredFormats) : {}
  return {
    id: "settings",
    ...defaults,
    ...given,
    // A kind that is newer than the stored settings has its default format.
    numberFormats: filledBy(defaultFormats(numbered), given.numberFormats),
    mailTexts: filledTexts(texts, given.mailTexts),
    version,
    createdAt: initial.updatedAt,
    updatedAt,
  } as Settings
}

const shown = ({ db, numbered }: Deps, settings: Settings, at?: string): ShownSettings => ({
  ...settings,
  numberStarts: startsOf(
    db,
    numbered,
    settings.numberFormats,
    dateIn(settings.timeZone, at ?? clock.business()),
  ),
})

function answered(db: Database, { smtp, signInWith, ...rest }: ShownSettings): AnsweredSettings {
  const hasSecret = (path: string) => findSecret(db, path as SecretPath) !== null
  return {
    ...rest,
    smtp: smtp && { ...smtp, missing: missingOf(smtp, hasSecret) },
    signInWith: shownProviders(signInWith, hasSecret),
  }
}

/** A body that updates the settings, and what is wrong with it already. */
type Asked = { input: Input; found: readonly FieldError[] }

function change(deps: Deps, tx: Tx, stored: Settings, asked: Asked, expected: Expected): ShownSettings {
  const given = takeSecrets(asked.input)
  const input = namedIn(tx, deps.kind.fields, given.input, () => stored)
  assertVersion(stored, expected)
  const before = shown(deps, stored, tx.now)
  const errors: FieldError[] = [...asked.found, ...given.errors]
  const values = readChange(deps.kind, before, input, errors, tx.warnings)
  // A value with an error is undefined. It stays as it is, so that the rules are checked for the others.
  const valid = Object.entries(values).filter(([, value]) => value !== undefined)
  const wanted = { ...before, ...Object.fromEntries(valid) }
  const today = dateIn(before.timeZone, tx.now)
  errors.push(
    ...ruleErrors(deps, before, wanted, today),
    ...settleNumbers(deps.db, deps.numbered, { before, after: wanted, today }),
  )
  assertNoErrors(errors, "The settings have invalid values.")
  const after = shown(deps, wanted, tx.now)
  const changes = {
    ...changesOf(deps.kind, before, after),
    ...savedSecrets(deps, before, after, given.secrets),
  }
  return shown(deps, store(deps, tx, before, after, changes), tx.now)
}

/** Stores the secrets of a mail server and of providers that exist. */
function savedSecrets({ db }: Deps, before: Settings, after: Settings, secrets: GivenSecrets): Changes {
  const given = Object.entries(secrets).map(([path, value]) => [
    path,
    path.startsWith("smtp.") && after.smtp === null ? null : value,
  ])
  return saveSecrets(db, withRemoved(Object.fromEntries(given), before.signInWith, after.signInWith))
}

/** Returns the errors of values that depend on other records or on the date. A value that stays is not checked. */
function ruleErrors(
  { db, kinds, taxCodes }: Deps,
  before: Settings,
  after: Settings,
  today: string,
): FieldError[] {
  const errors: FieldError[] = []
  const { currency, defaultTaxCode, lockedUntil } = after
  const withAmounts = kinds.filter(({ fixesCurrency }) => fixesCurrency).map(({ table }) => table)
  if (currency !== before.currency && hasRows(db, withAmounts))
    errors.push(
      fieldError("currency", "RULE", "cannot be updated, because there are orders, invoices or payments", {
        rule: "IN_USE",
      }),
    )
  if (defaultTaxCode !== null && defaultTaxCode !== before.defaultTaxCode)
    errors.push(...taxCodes().choiceErrors("defaultTaxCode", defaultTaxCode))
  if (lockedUntil !== null && lockedUntil !== before.lockedUntil && lockedUntil > today)
    errors.push(
      fieldError("lockedUntil", "RULE", "must not be in the future", { rule: "NOT_AFTER_TODAY", today }),
    )
  const { passwordSignInFor: only } = after
  if (only !== null && only !== before.passwordSignInFor) {
    if (!isAdmin(db, only))
      errors.push(fieldError("passwordSignInFor", "RULE", "must be an active admin", { rule: "ROLE" }))
    if (after.signInWith.length === 0)
      errors.push(fieldError("signInWith", "REQUIRED", "is required with passwordSignInFor"))
  }
  return errors
}

const isAdmin = (db: Database, user: string): boolean =>
  db.query("SELECT 1 FROM users WHERE id = ? AND role = 'admin' AND is_active = 1").get(user) !== null

/** Stores the settings with their changes. Without changes, nothing is stored. */
function store(deps: Deps, tx: Tx, before: Settings, after: Settings, changes: Changes): Settings {
  if (Object.keys(changes).length === 0) return before
  const { db, taxCodes } = deps
  const names = Object.keys(deps.defaults) as (keyof Settings)[]
  const stored = Object.fromEntries(names.map((name) => [name, after[name]]))
  const pastNumberFormats = pastAfter(deps, before.numberFormats, after.numberFormats)
  const mailTexts = ownTexts(deps.texts, after.mailTexts)
  const body = JSON.stringify({ ...stored, mailTexts, pastNumberFormats })
  const version = before.version + 1
  writeSettings(db, { body, version, updatedAt: tx.now })
  for (const { name, table } of withMetadata(deps.kinds))
    deps.pairs.name(tx, table, after.indexedMetadata?.[keyOfName(name)] ?? [])
  if (after.defaultTaxCode !== null) taxCodes().markUsed(tx, [after.defaultTaxCode])
  tx.audit("settings.update", "settings", changes)
  return { ...after, version, updatedAt: tx.now }
}

/** More formats than any company uses. A search tries all of them. */
const mostFormats = 20

/** The formats that a kind had before. Responses do not show them; the search finds numbers by them. */
type Past = Partial<Record<string, string[]>>
type StoredFormats = {
  numberFormats?: Partial<Record<string, string>>
  pastNumberFormats?: Past
  mailTexts?: Parameters<typeof filledTexts>[1]
}

function findPast(db: Database): Past {
  const row = findSettings(db)
  return (row && (JSON.parse(row.body) as StoredFormats).pastNumberFormats) ?? {}
}

/** Returns the number formats of now and before. */
function formatsOf(db: Database, current: Settings["numberFormats"]) {
  const past = findPast(db)
  const all = (kind: Numbered): string[] => [formatIn(current, kind), ...(past[keyOfName(kind.name)] ?? [])]
  const patterns = new Map<string, { format: string; pattern: RegExp }[]>()
  const patternsOf = (kind: Numbered) => {
    const known = patterns.get(kind.name)
    if (known) return known
    const made = all(kind).map((format) => ({ format, pattern: numberPattern(format) }))
    patterns.set(kind.name, made)
    return made
  }
  return {
    /** Returns the formats that a kind has and had, the newest first. */
    of: (kind: Numbered): string[] => all(kind).slice(0, mostFormats),
    /** Returns the format that a kind has or had and that can produce this number, or null. */
    producing: (kind: Numbered, number: string): string | null =>
      patternsOf(kind).find(({ pattern }) => pattern.test(number))?.format ?? null,
  }
}

/**
 * Adds the formats that an update replaces, and removes those that it sets. A format that is replaced before its kind
 * was given a number is not kept: a new shop can choose its formats first, and then import the invoices of the system
 * before, which may look like those of the default format.
 */
function pastAfter(
  { db, numbered }: Deps,
  before: Settings["numberFormats"],
  after: Settings["numberFormats"],
): Past {
  const past = findPast(db)
  return perKind(numbered, (kind, key) => {
    const all = new Set([...(hasNumbers(db, kind) ? [formatIn(before, kind)] : []), ...(past[key] ?? [])])
    all.delete(formatIn(after, kind))
    return [...all]
  })
}

type SettingsRow = { body: string; version: number; updatedAt: string }

function findSettings(db: Database): SettingsRow | null {
  return db.query<SettingsRow, []>("SELECT body, version, updated_at AS updatedAt FROM settings").get()
}

function writeSettings(db: Database, { body, version, updatedAt }: SettingsRow): void {
  db.query(
    `INSERT INTO settings (id, body, version, updated_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body, version = excluded.version, updated_at = excluded.updated_at`,
  ).run(body, version, updatedAt)
}

const hasRows = (db: Database, tables: readonly string[]): boolean =>
  tables.some((table) => db.query(`SELECT 1 FROM ${table} LIMIT 1`).get() !== null)

/** An image, and the SHA-256 of its bytes. */
export type Logo = { hash: string; type: string; bytes: Uint8Array }

export const findLogo = (db: Database, hash: string): Logo | null =>
  db.query<Logo, [string]>("SELECT hash, type, bytes FROM logos WHERE hash = ?").get(hash)

export const allLogos = (db: Database): IterableIterator<Logo> =>
  db.query<Logo, []>("SELECT hash, type, bytes FROM logos ORDER BY hash").iterate()

export function keepLogo(db: Database, { hash, type, bytes }: Logo): void {
  db.query("INSERT INTO logos (hash, type, bytes) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING").run(
    hash,
    type,
    bytes,
  )
}
