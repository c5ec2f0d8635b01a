/** In which order the person's system writes day, month and year. */
export function orderOfParts(locale: readonly string[] | string | undefined): string[] {
  return new Intl.DateTimeFormat(locale as string[], { timeZone: "UTC" })
    .formatToParts(new Date("2026-03-05T00:00:00Z"))
    .map(({ type }) => type)
    .filter((type) => ["day", "month", "year"].includes(type))
}

/** What somebody has typed as YYYY-MM-DD: as such, as their system writes numbers of a date, or with the month's name. */
export function readDay(typed: string, order: readonly string[]): string | null {
  const text = typed.trim()
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return existing(text)
  const figures = /^(\d{1,4})[./\s-]+(\d{1,2})[./\s-]+(\d{1,4})$/.exec(text)?.slice(1)
  if (figures) {
    const part = (name: string) => figures[order.indexOf(name)] ?? ""
    const year = part("year").length === 2 ? `20${part("year")}` : part("year")
    return existing(`${year}-${part("month").padStart(2, "0")}-${part("day").padStart(2, "0")}`)
  }
  if (!/\p{L}{3}/u.test(text) || !/\b\d{4}\b/.test(text)) return null
  const named = new Date(`${text} UTC`)
  return Number.isNaN(named.getTime()) ? null : named.toISOString().slice(0, 10)
}

function existing(day: string): string | null {
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? null : day
}
