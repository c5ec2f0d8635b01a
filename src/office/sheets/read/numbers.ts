import type { DecimalSign } from "../model"
import { quoted } from "./sheet-error"

/** Between thousands, besides the sign that is not the decimal sign: apostrophes and spaces of different widths. */
const groupSigns = "'’ \\u00a0\\u2009\\u202f"
const indian = "\\d{1,2}(?:,\\d{2})+,\\d{3}"

const grouped = (sign: string): string => `\\d{1,3}(?:${sign}\\d{3})+`

/** A number with one kind of sign between its thousands. */
function patternOf(decimal: DecimalSign): RegExp {
  const other = decimal === "." ? "," : "\\."
  const groups = [...groupSigns.matchAll(/\\u\w{4}|./g), [other]].map(([sign]) => grouped(sign ?? ""))
  const whole = ["\\d+", ...groups, ...(decimal === "." ? [indian] : [])].join("|")
  return new RegExp(`^([-+−]?)\\s*(${whole})?(?:\\${decimal}(\\d+))?(?:[eE]([-+]?\\d{1,3}))?$`)
}

const patterns: Readonly<Record<DecimalSign, RegExp>> = { ".": patternOf("."), ",": patternOf(",") }

/** Longer texts are not numbers. */
const longestNumber = 60

/** Converts a text to a number; null when it is none. */
export function parseNumber(text: string, decimal: DecimalSign): number | null {
  const trimmed = text.trim()
  if (trimmed.length > longestNumber) return null
  const match = patterns[decimal].exec(trimmed)
  if (!match) return null
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match
  if (whole === "" && fraction === "") return null
  const value = Number(`${whole.replaceAll(/\D/g, "") || "0"}.${fraction || "0"}e${exponent}`)
  if (!Number.isFinite(value)) return null
  // Without a negative zero, which is written as 0 in JSON.
  return sign === "-" || sign === "−" ? 0 - value : value
}

/** Why a text is not a number, for the person who has to change it. */
export function numberFault(text: string, decimal: DecimalSign): string {
  const trimmed = text.trim()
  if (trimmed.length > longestNumber) return `${quoted(text)} is not a number.`
  const rest =
    /^[-+−]?[\d.,'’\s]*\d[.,]?\s*(\D+)$/.exec(trimmed)?.[1] ?? /^(\D+?)\s*[-+−]?\d/.exec(trimmed)?.[1]
  if (parseNumber(trimmed, decimal === "." ? "," : ".") !== null)
    return `${quoted(text)} is not a number: the decimal sign of this file is "${decimal}".`
  if (rest === "%") return `${quoted(text)} has a percent sign: write the number alone.`
  if (rest !== undefined && /^(\p{Sc}|[A-Z]{3})$/u.test(rest.trim()))
    return `${quoted(text)} has a currency: write the number alone.`
  return `${quoted(text)} is not a number.`
}

/** A number as plain digits: 12345, and not 1.2345e+4. Excel computes with 15 digits, so there are no more. */
export function plainNumber(value: number): string {
  const text = String(value)
  if (!text.includes("e")) return text
  if (Math.abs(value) >= 1) return BigInt(value).toString()
  return value.toFixed(20).replace(/0+$/, "")
}
