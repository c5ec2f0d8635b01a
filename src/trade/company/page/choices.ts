import { language, locales, t } from "../../../console/texts"
import { currencyCodes } from "../../../shared/currencies"

const currencyNames = new Intl.DisplayNames([...locales], { type: "currency" })
const codes = currencyCodes()
const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")]

/** Adds the current value if the list does not contain it. */
const withCurrent = (values: string[], current: string) =>
  values.includes(current) || current === "" ? values : [current, ...values]

export const currencyChoices = (current: string) =>
  withCurrent(codes, current).map((code) => ({
    value: code,
    label: `${code} – ${currencyNames.of(code) ?? code}`,
  }))

export const timeZoneChoices = (current: string) =>
  withCurrent(zones, current).map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))

const inUnit = (unit: string, minutes: number) => ({
  minutes,
  format: new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }),
})
const units = [inUnit("day", 1_440), inUnit("hour", 60), inUnit("minute", 1)]
const listed = new Intl.ListFormat(language, { type: "unit" })

/** 1500 → 1 day, 1 hour. The text ends with the minimum. */
export function durationInWords(minutes: number): string {
  let rest = Math.round(minutes)
  if (!(rest >= 60)) return t(($) => $.company.minimum)
  const parts = units.flatMap(({ minutes: size, format }) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [format.format(count)]
  })
  return t(($) => $.company.durationAndMinimum, { duration: listed.format(parts) })
}
