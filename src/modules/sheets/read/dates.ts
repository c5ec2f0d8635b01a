import { isDate } from "../../../lib/date"
import type { DateOrder } from "../model"
import { quoted } from "./sheet-error"

/** Three numbers with the same sign between them. */
const parts = /^(\d{1,4})([-./])[ ]?(\d{1,2})\2[ ]?(\d{1,4})$/
const compact = /^(\d{4})(\d{2})(\d{2})$/
/** A time after the date, which is left out. */
const time = /[T ]+\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AaPp][Mm])?( ?(Z|[+-]\d{2}:?\d{2}))?$/
const longestDate = 40
/** Years of two digits from here on are in the last century. */
const lastCentury = 69

const orderNames: Readonly<Record<DateOrder, string>> = {
  ymd: "year, month, day",
  dmy: "day, month, year",
  mdy: "month, day, year",
}

type DateParts = { first: string; sign: string; second: string; third: string }

function partsOf(text: string): DateParts | null {
  if (text.length > longestDate) return null
  const [, first, sign, second, third] = parts.exec(text.trim().replace(time, "")) ?? []
  return first && sign && second && third ? { first, sign, second, third } : null
}

/**
 * Converts a text to YYYY-MM-DD; null when it is not a date. A year of four digits shows its place by itself. With points
 * between the numbers, the day is always before the month.
 */
export function parseDate(text: string, order: DateOrder): string | null {
  const digits = compact.exec(text.trim())
  if (digits) return existing(digits[1] ?? "", digits[2] ?? "", digits[3] ?? "")
  const found = partsOf(text)
  if (!found) return null
  const { first, sign, second, third } = found
  if (first.length > 2) return existing(first, second, third)
  if (order === "ymd" && third.length <= 2) return existing(first, second, third)
  if (order === "mdy" && sign !== ".") return existing(third, first, second)
  if (order === "ymd" && sign !== ".") return null
  return existing(third, second, first)
}

function existing(year: string, month: string, day: string): string | null {
  if (year.length === 3 || year.length === 1 || day.length > 2) return null
  const century = year.length === 4 ? "" : Number(year) < lastCentury ? "20" : "19"
  const date = `${century}${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  return isDate(date) ? date : null
}

/** Why a text is not a date, for the person who has to change it. */
export function dateFault(text: string, order: DateOrder): string {
  if (!partsOf(text)) return `${quoted(text)} is not a date.`
  const others = (["ymd", "dmy", "mdy"] as const).filter((other) => other !== order)
  if (others.some((other) => parseDate(text, other) !== null))
    return `${quoted(text)} is not a date: dates of this file are in the order ${orderNames[order]}.`
  return `${quoted(text)} is not a date in the calendar.`
}

/** Counts what the cells of a file tell about the order of its dates. */
export function dateOrderVotes() {
  const votes = { ymd: 0, dmy: 0, mdy: 0, unclear: 0 }
  return {
    add(cell: string): void {
      const order = orderOf(cell)
      if (order) votes[order]++
    },
    result(): DateOrder {
      if (votes.mdy > votes.dmy) return "mdy"
      if (votes.dmy > 0 || votes.unclear > 0) return "dmy"
      return votes.ymd > 0 ? "ymd" : "dmy"
    },
  }
}

function orderOf(cell: string): DateOrder | "unclear" | null {
  const found = partsOf(cell)
  if (!found) return null
  if (found.first.length > 2) return "ymd"
  if (found.third.length !== 2 && found.third.length !== 4) return null
  const [first, second] = [Number(found.first), Number(found.second)]
  if (first > 31) return "ymd"
  if (second > 12) return first <= 12 && second <= 31 ? "mdy" : null
  return first > 12 || found.sign === "." ? "dmy" : "unclear"
}

const millisOfDay = 86_400_000
/** 9999-12-31 */
const lastSerial = 2_958_465
/** Excel counts 29 February 1900, which did not exist. */
const missingDay = 60

/** Converts the number by which Excel stores a date to YYYY-MM-DD; null when it stores none. */
export function dateOfSerial(serial: number, from1904 = false): string | null {
  const day = Math.floor(serial) + (from1904 ? 1_462 : 0)
  if (!(day >= 1 && day <= lastSerial)) return null
  const since = day >= missingDay ? day - 1 : day
  return new Date(Date.UTC(1899, 11, 31) + since * millisOfDay).toISOString().slice(0, 10)
}
