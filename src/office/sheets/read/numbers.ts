import type {
  DecimalSign,
  DecimalVotes,
  Delimiter,
  GivenFormat,
  NumberForm,
  SheetColumn,
  SheetFormat,
} from "../model"
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

/** Signs on both sides of three digits, or twice the same: it is certain which one is the decimal sign. */
const certain: readonly [RegExp, DecimalSign][] = [
  [/^\d{1,3}([.'’ \u00a0\u2009\u202f]\d{3})+,\d+$/, ","],
  [/^\d{1,3}([,'’ \u00a0\u2009\u202f]\d{3})+\.\d+$/, "."],
  [/^\d{1,3}(\.\d{3}){2,}$/, ","],
  [/^\d{1,3}(,\d{2,3})+,\d{3}$/, "."],
]
/** One sign. With three digits after it and up to three before, it may be between thousands: that tells nothing. */
const single = /^(\d*)([.,])(\d+)$/
const weightOfCertain = 10
const longestVote = 40

/** Counts what a cell tells about the decimal sign of its column. */
export function addDecimalVote(votes: DecimalVotes, cell: string): void {
  const text = cell.trim().replace(/^[-+−]\s*/, "")
  if (text.length > longestVote || !/^[\d.,]/.test(text)) return
  const sign = certain.find(([pattern]) => pattern.test(text))?.[1]
  if (sign) votes[sign] += weightOfCertain
  else addSingle(votes, text)
}

/** How the numbers of one column are read: as it tells itself, or else as the file does. */
export function formOfColumn(
  column: Pick<SheetColumn, "decimals">,
  { delimiter, decimal, isDecimalGuessed }: Pick<SheetFormat, "delimiter" | "decimal" | "isDecimalGuessed">,
  given: GivenFormat,
): Pick<NumberForm, "decimal" | "isDecimalGuessed"> {
  const own = decimalOf([column], delimiter, given)
  return own.isDecimalGuessed ? { decimal, isDecimalGuessed } : own
}

/** The decimal sign of some columns; if their cells do not tell, the one that is usual with the delimiter. */
export function decimalOf(
  columns: readonly Pick<SheetColumn, "decimals">[],
  delimiter: Delimiter | null,
  given: GivenFormat,
): Pick<SheetFormat, "decimal" | "isDecimalGuessed"> {
  if (given.decimal) return { decimal: given.decimal, isDecimalGuessed: false }
  const votesFor = (sign: DecimalSign) => columns.reduce((sum, { decimals }) => sum + decimals[sign], 0)
  const [points, commas] = [votesFor("."), votesFor(",")]
  if (points !== commas) return { decimal: points > commas ? "." : ",", isDecimalGuessed: false }
  return { decimal: delimiter === ";" ? "," : ".", isDecimalGuessed: true }
}

/** True for a number whose only sign may be that of decimals or that of thousands. */
export const isAmbiguous = (text: string): boolean => /^[-+−]?\s*[1-9]\d{0,2}[.,]\d{3}$/.test(text.trim())

function addSingle(votes: DecimalVotes, text: string): void {
  const [, whole = "", sign, fraction = ""] = single.exec(text) ?? []
  if (sign !== "." && sign !== ",") return
  const mayBeThousands = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  if (!mayBeThousands) votes[sign]++
}
