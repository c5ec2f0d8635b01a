import { digitsOf } from "../../shared/currencies"
import { millisOf } from "../../shared/dates"

/** Returns the functions that format the values of a document for a locale and a currency. */
export function formatsOf(locale: string, currency: string) {
  const digits = digitsOf(currency)
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const money = new Intl.NumberFormat(locale, { style: "currency", currency, ...places })
  const amount = new Intl.NumberFormat(locale, places)
  const rate = new Intl.NumberFormat(locale, { ...places, maximumFractionDigits: 4 })
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" })
  const regions = new Intl.DisplayNames(locale, { type: "region" })
  return {
    money: money.format,
    amount: amount.format,
    rate: rate.format,
    quantity: quantity.format,
    percent: (value: number) => percent.format(value / 100),
    date: (value: string) => date.format(millisOf(value)),
    country: (code: string) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code),
  }
}

export type Formats = ReturnType<typeof formatsOf>
