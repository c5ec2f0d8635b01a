import { formatNumber, leadingTextOf, seriesOf } from "../../shared/number-format"

/** What a person typed instead of a whole number: the text before it, the year, and the counter. */
type ShortNumber = { leading: string; year: string | null; counter: number }

/** Text of a number in runs of letters and of digits, without what is between them: `inv-2026 42` is INV 2026 42. */
const runsOf = (text: string): string[] => text.toUpperCase().match(/[A-Z]+|\d+/g) ?? []

/** Returns how a typed text can be read as a short number: a run of four digits may be the year or belong to the text. */
function readShort(typed: string): ShortNumber[] {
  if (!/^[#\sA-Z0-9./_-]{1,40}$/i.test(typed)) return []
  const runs = runsOf(typed)
  const last = runs.pop() ?? ""
  if (!/^\d{1,10}$/.test(last)) return []
  const counter = Number(last)
  const year = runs.at(-1) ?? ""
  const whole = { leading: runs.join(" "), year: null, counter }
  return /^\d{4}$/.test(year) ? [whole, { leading: runs.slice(0, -1).join(" "), year, counter }] : [whole]
}

const months = Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, "0"))

/**
 * Returns the numbers that a person may mean: `42`, `#42`, `INV-42` and `inv 2026 42` are INV-2026-00042. `formats` are
 * the formats that the numbers of a kind have or had, `prefix` the beginning of its series, and `seriesNames` returns their
 * names. They are read only if the text can be a number of the kind.
 */
export const numbersOf = (
  typed: string,
  prefix: string,
  formats: readonly string[],
  seriesNames: () => readonly string[],
): string[] => {
  const shorts = readShort(typed)
  if (shorts.length === 0) return []
  const meant = formats.map((format) => {
    const leading = runsOf(leadingTextOf(format)).join(" ")
    return { format, shorts: shorts.filter((short) => short.leading === "" || short.leading === leading) }
  })
  if (meant.every((each) => each.shorts.length === 0)) return []
  const names = seriesNames()
  return meant.flatMap(({ format, shorts: some }) =>
    names.flatMap((name) => some.flatMap((short) => numbersIn(name, prefix, format, short))),
  )
}

/** The numbers of one series with this counter. With a month in the format, it can be any month. */
function numbersIn(name: string, prefix: string, format: string, { year, counter }: ShortNumber): string[] {
  const [ownYear] = /\d{4}$/.exec(name) ?? []
  if (year !== null && year !== ownYear) return []
  const dates = months.map((month) => `${ownYear ?? "0000"}-${month}-01`)
  if (seriesOf(prefix, format, dates[0] ?? "") !== name) return []
  return [...new Set(dates.map((date) => formatNumber(format, { date, counter })))]
}
