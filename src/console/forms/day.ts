import { dayAt, isDate, millisOf, nearestDate, type Near } from "../../shared/dates"

type Locale = readonly string[] | string | undefined

/** Returns the order of day, month and year in the user's locale. */
function orderOfParts(locale: Locale): string[] {
  return new Intl.DateTimeFormat(locale as string[], { timeZone: "UTC" })
    .formatToParts(millisOf("2026-03-05"))
    .map(({ type }) => type)
    .filter((type) => ["day", "month", "year"].includes(type))
}

export const isDay = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)

/**
 * Returns a function that parses typed text into YYYY-MM-DD. It accepts YYYY-MM-DD, the numeric format of the user's
 * locale, also without signs between its numbers, those of other locales if they have only one meaning, and month names in
 * the user's language or in English. If `near` is given, day and month alone are a date in the year that is nearest to it,
 * and a day alone is one of its month. It returns null for other text.
 */
export function dayReader(locale: Locale): (typed: string, near?: Near) => string | null {
  const order = orderOfParts(locale)
  const vocabularies = [wordsOfDates(locale), wordsOfDates("en")]
  // Other calendars count years differently, so a numeric date could be parsed as a wrong day.
  const isGregorian = new Intl.DateTimeFormat(locale as string[])
    .resolvedOptions()
    .calendar.startsWith("greg")

  return (typed, near) => {
    const text = typed.trim()
    if (isDay(text)) return existing(text)
    if (!isGregorian) return null
    if (/^(\d{6}|\d{8})$/.test(text)) return fromFigures(cutUp(text, order), order)
    if (near && /^\d{1,2}\.?$/.test(text)) return withoutMonth(Number.parseInt(text, 10), near)
    const figures = text.match(/\d+/g) ?? []
    const spoken = wordsIn(text)
    for (const { months, others } of vocabularies) {
      const monthWords = spoken.filter((word) => !others.has(word))
      if (monthWords.length === 0 && figures.length === 3)
        return fromFigures(figures, order) ?? fromOtherOrder(figures)
      if (monthWords.length === 0 && figures.length === 2 && near) return withoutYear(text, order, near)
      const month = monthWords.length === 1 ? monthByName(monthWords[0] ?? "", months) : null
      if (month && figures.length === 2) return fromNamed(figures, month)
      if (month && near && figures.length === 1 && figures[0]?.length !== 4)
        return nearestDate(month, Number(figures[0]), near)
    }
    return null
  }
}

function fromFigures(figures: string[], order: readonly string[]): string | null {
  const part = (name: string) => figures[order.indexOf(name)] ?? ""
  const year = part("year").length === 2 ? `20${part("year")}` : part("year")
  return existing(`${year}-${part("month").padStart(2, "0")}-${part("day").padStart(2, "0")}`)
}

/** Cuts up a date without signs: 191126 or 19112026 in German. */
function cutUp(text: string, order: readonly string[]): string[] {
  let at = 0
  return order.map((part) => text.slice(at, (at += part === "year" ? text.length - 4 : 2)))
}

/** Returns a day of this month. If that is after the last date that it can be, it is a day of the month before. */
function withoutMonth(day: number, { today, latest = "9999-12-31" }: Near): string | null {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const inMonth = (first: string) => `${first.slice(0, 8)}${String(day).padStart(2, "0")}`
  const [found] = [inMonth(today), inMonth(dayAt(year, month - 1, 1))].filter((date) => date <= latest)
  return found === undefined ? null : existing(found)
}

/** Two numbers with a sign between them. With points the day is always before the month. */
const dayAndMonth = /^(\d{1,2})\s*([-./])\s*(\d{1,2})\s*[-./]?$/

/** Reads day and month in the order of the user's locale, or else in the other one. */
function withoutYear(text: string, order: readonly string[], near: Near): string | null {
  const [, first, sign, second] = dayAndMonth.exec(text) ?? []
  if (sign === undefined) return null
  const [a, b] = [Number(first), Number(second)]
  const isDayFirst = sign === "." || order.indexOf("day") < order.indexOf("month")
  const [dayFirst, monthFirst] = [nearestDate(b, a, near), nearestDate(a, b, near)]
  return isDayFirst ? (dayFirst ?? (sign === "." ? null : monthFirst)) : (monthFirst ?? dayFirst)
}

/** Reads a date in the order of other locales, if it is no date in the user's own: 20.11.2026 in American English. */
function fromOtherOrder(figures: string[]): string | null {
  const yearAt = figures.findIndex(({ length }) => length === 4)
  if (yearAt === 0) return fromFigures(figures, ["year", "month", "day"])
  if (yearAt !== 2) return null
  return fromFigures(figures, ["day", "month", "year"]) ?? fromFigures(figures, ["month", "day", "year"])
}

function fromNamed(figures: string[], month: number): string | null {
  const year = figures.find((each) => each.length === 4)
  const day = figures.find((each) => each.length <= 2)
  return year && day ? existing(`${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`) : null
}

/** Finds a month by its full name, or by a prefix that matches only one month. */
function monthByName(word: string, months: ReadonlyMap<string, number>): number | null {
  const exact = months.get(word)
  if (exact !== undefined || word.length < 3) return exact ?? null
  const matches = new Set([...months].filter(([name]) => name.startsWith(word)).map(([, month]) => month))
  return matches.size === 1 ? ([...matches][0] ?? null) : null
}

/**
 * Returns the words that occur in formatted dates. `months` has the words of one month, in each form in which it is
 * written. `others` has the words that occur with every month, such as the Spanish "de", and that have no meaning here.
 */
function wordsOfDates(locale: Locale) {
  const styles: Intl.DateTimeFormatOptions[] = [
    { dateStyle: "medium" },
    { dateStyle: "long" },
    { month: "long" },
    { month: "short" },
  ]
  const formats = styles.map(
    (style) => new Intl.DateTimeFormat(locale as string[], { ...style, timeZone: "UTC" }),
  )
  const spoken = Array.from({ length: 12 }, (_, month) => {
    const day = millisOf(dayAt(2026, month + 1, 5))
    return new Set(formats.flatMap((format) => wordsIn(format.format(day))))
  })
  const others = new Set([...(spoken[0] ?? [])].filter((word) => spoken.every((words) => words.has(word))))
  const months = new Map(
    spoken.flatMap((words, index) =>
      [...words].filter((word) => !others.has(word)).map((word) => [word, index + 1] as const),
    ),
  )
  return { months, others }
}

/** Returns the words in lower case and without accents, so that "fevr" matches "févr". */
const wordsIn = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []

const existing = (day: string): string | null => (isDate(day) ? day : null)
