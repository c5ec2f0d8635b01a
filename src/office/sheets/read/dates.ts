import { dayAt, isDate, nearestDate, type Near } from "../../../shared/dates"
import { dateOrders, type DateOrder } from "../model"
import { quoted } from "./sheet-error"

/** Three numbers with the same sign between them. */
const parts = /^(\d{1,4})([-./])[ ]?(\d{1,2})\2[ ]?(\d{1,4})$/
/** Day and month without a year. */
const short = /^(\d{1,2})([-./])[ ]?(\d{1,2})\2?$/
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
 * between the numbers, the day is always before the month. A date without a year is the nearest one to `near`, if that is
 * given.
 */
export function parseDate(text: string, order: DateOrder, near?: Near): string | null {
  const digits = compact.exec(text.trim())
  if (digits) return existing(digits[1] ?? "", digits[2] ?? "", digits[3] ?? "")
  const [, one, between, other] = (near && short.exec(text.trim())) || []
  if (near && between !== undefined) {
    const [a, b] = [Number(one), Number(other)]
    return order === "dmy" || between === "." ? nearestDate(b, a, near) : nearestDate(a, b, near)
  }
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

/** True for a date that can be read in several orders, as different days. With points there is only one order. */
export function isAmbiguousDate(text: string): boolean {
  const [, one, between, other] = short.exec(text.trim()) ?? []
  if (between !== undefined)
    return between !== "." && one !== other && Number(one) <= 12 && Number(other) <= 12
  const found = partsOf(text)
  return found !== null && found.sign !== "." && new Set(readingsOf(text).map(({ date }) => date)).size > 1
}

/** The orders in which a text is a date, with the day that it is then. */
const readingsOf = (text: string): { order: DateOrder; date: string }[] =>
  dateOrders.flatMap((order) => {
    const date = parseDate(text, order)
    return date === null ? [] : [{ order, date }]
  })

/** True for a date with points whose month is where the day should be: 02.13.2026. */
export function isMonthFirst(text: string): boolean {
  const found = partsOf(text)
  return found?.sign === "." && existing(found.third, found.first, found.second) !== null
}

/** Why a text is not a date, for the person who has to change it. */
export function dateFault(text: string, order: DateOrder): string {
  if (!partsOf(text)) return `${quoted(text)} is not a date.`
  if (readingsOf(text).length > 0)
    return `${quoted(text)} is not a date: dates of this file are in the order ${orderNames[order]}.`
  return `${quoted(text)} is not a date in the calendar.`
}

/** Counts what the cells of a file tell about the order of its dates. */
export function dateOrderVotes() {
  // Dates that tell their own order tell nothing about the others.
  const own = { ymd: 0, dmy: 0 }
  const told = { ymd: 0, dmy: 0, mdy: 0, unclear: 0 }
  const known = () => {
    const orders = dateOrders.filter((order) => told[order] > 0)
    return orders.length === 1 ? orders[0] : undefined
  }
  return {
    add(cell: string): void {
      const found = partsOf(cell)
      if (!found) return
      if (found.first.length > 2) own.ymd++
      else if (found.sign === ".") own.dmy += parseDate(cell, "dmy") === null ? 0 : 1
      else {
        const order = orderOf(cell)
        if (order) told[order]++
      }
    },
    /** True when dates that can be read in only one order tell it, and none of them tells another one. */
    isTold: (): boolean => known() !== undefined,
    result(): DateOrder {
      const order = known()
      if (order) return order
      if (told.mdy > told.dmy) return "mdy"
      if (told.dmy > 0 || told.unclear > 0 || own.dmy > 0) return "dmy"
      return own.ymd > 0 ? "ymd" : "dmy"
    },
  }
}

function orderOf(cell: string): DateOrder | "unclear" | null {
  const [first, ...others] = readingsOf(cell)
  if (!first) return null
  return others.length === 0 ? first.order : "unclear"
}

/** 9999-12-31 */
const lastSerial = 2_958_465
/** Excel counts 29 February 1900, which did not exist. */
const missingDay = 60

/** Converts the number by which Excel stores a date to YYYY-MM-DD; null when it stores none. */
export function dateOfSerial(serial: number, from1904 = false): string | null {
  const day = Math.floor(serial) + (from1904 ? 1_462 : 0)
  if (!(day >= 1 && day <= lastSerial)) return null
  const since = day >= missingDay ? day - 1 : day
  return dayAt(1899, 12, 31 + since)
}
