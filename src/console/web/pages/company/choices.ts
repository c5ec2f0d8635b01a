import { locales } from "../../texts"
import { currencyCodes } from "../../../../shared/currencies"
import { number } from "../../format"

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

const units = [
  { name: "day", minutes: 1_440 },
  { name: "hour", minutes: 60 },
  { name: "minute", minutes: 1 },
]

/** 1500 → 1 day, 1 hour. The text ends with the minimum. */
export function durationInWords(minutes: number): string {
  let rest = Math.round(minutes)
  if (!(rest >= 60)) return "Minimum 60 minutes"
  const parts = units.flatMap(({ name, minutes: size }) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${number(count)} ${name}${count === 1 ? "" : "s"}`]
  })
  return `${parts.join(", ")}. Minimum 60 minutes`
}
