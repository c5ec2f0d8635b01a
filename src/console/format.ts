import { digitsOf as standardDigitsOf } from "../shared/countries"
import { daysBetween, millisOf } from "../shared/dates"
import { clock, localDay } from "./clock"
import { locales } from "./texts"

/** The locale of the user's system, for numbers and dates. */
const locale = [...locales]
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" })
const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })
const times = new Intl.DateTimeFormat(locale, { timeStyle: "short" })
const months = new Intl.DateTimeFormat(locale, { month: "short", year: "2-digit", timeZone: "UTC" })
const currencies = new Map<string, Intl.NumberFormat>()

export function money(amount: number | null | undefined, currency: string): string {
  if (amount === null || amount === undefined) return "–"
  let format = currencies.get(currency)
  if (!format) {
    const digits = digitsOf(currency)
    format = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    currencies.set(currency, format)
  }
  return format.format(amount)
}

/** Formats a price, which may have more decimals than the currency. */
export const price = (amount: number | null | undefined, currency: string): string =>
  amount === null || amount === undefined
    ? "–"
    : new Intl.NumberFormat(locale, {
        style: "currency",
        currency,
        minimumFractionDigits: digitsOf(currency),
        maximumFractionDigits: 4,
      }).format(amount)

/** Formats an amount with the decimals of its currency, but without its symbol: 0.90. */
export const decimal = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, {
    minimumFractionDigits: digitsOf(currency),
    maximumFractionDigits: 4,
  }).format(amount)

/** Returns the symbol of a currency: €. */
export const currencySymbol = (currency: string): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value ?? currency

/** Formats an amount for the axis of a chart: €12K. */
export const compactMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    notation: "compact",
    maximumFractionDigits: 1,
    minimumFractionDigits: 0,
  }).format(amount)

const currencyDigits = new Map<string, number>()

let ofCompany: string | null = null

/** The currency of the company; null as long as nobody is signed in. */
export const companyCurrency = (): string | null => ofCompany

/** Stores the currency of the company, with its decimals, because browsers omit the decimals of some currencies. */
export function storeCurrency(currency: string, digits: number): void {
  ofCompany = currency
  if (currencyDigits.get(currency) === digits) return
  currencyDigits.set(currency, digits)
  currencies.clear()
}

/** Returns the number of decimals of a currency, from the server or else from the browser. */
export const digitsOf = (currency: string): number =>
  currencyDigits.get(currency) ?? standardDigitsOf(currency)

export const number = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : numbers.format(value)

/** Formats a plain date, which must not shift with the time zone. */
export const date = (value: string | null | undefined): string =>
  value ? dates.format(millisOf(value)) : "–"

export const moment = (value: string | null | undefined): string =>
  value ? moments.format(millisOf(value)) : "–"

/** Formats a time in ms: only the time of day if it is today, otherwise with the date. */
export const clockTime = (value: number): string =>
  localDay(value) === localDay(clock.real()) ? times.format(value) : moments.format(value)
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const

/** The size of a file: 3.2 MB. */
export const megabytes = (bytes: number): string =>
  `${number(Math.max(0.1, Math.round(bytes / 100_000) / 10))} MB`

/** How long ago a moment was: 3 hours ago, yesterday. */
export function ago(value: string, now = clock.business()): string {
  const seconds = Math.max(0, (now - millisOf(value)) / 1000)
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ["second", 1]
  // Yesterday is the day before, and not 24 to 48 hours ago.
  if (unit === "day") return relative.format(daysBetween(localDay(now), localDay(value)), "day")
  return relative.format(size === 1 ? 0 : -Math.floor(seconds / size), unit)
}

/** 2026-03 → Mar 26, in the format of the user's locale. */
export const month = (value: string): string => months.format(millisOf(`${value}-01`))

/** partially_paid → Partially paid; isActive → Is active. */
export const words = (value: string): string => {
  const plain = value
    .replaceAll("_", " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

const regions = new Intl.DisplayNames([...locales], { type: "region" })

/** Returns the name of a country in the user's language. */
export const countryName = (code: string | null | undefined): string | null =>
  code ? (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code) : null
