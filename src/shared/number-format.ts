/** The number of characters of a format, and the number of digits of its counter. */
const mostCharacters = 40
const mostDigits = 10
/** The largest counter that a series can start with. */
export const largestStart = 10 ** mostDigits - 1

const part = /\{(YYYY|YY|MM|#+)\}|([A-Z0-9./_ -])/g
const whole = /^(?:\{(?:YYYY|YY|MM|#{1,10})\}|[A-Z0-9./_ -])+$/

type Token = "YYYY" | "YY" | "MM"
/** A part of a format: a token of the date, the counter with its least number of digits, or a character. */
type Part = { token: Token } | { digits: number } | { character: string }

const partsOf = (format: string): Part[] =>
  [...format.matchAll(part)].map(([, token, character = ""]) => {
    if (!token) return { character }
    return token.startsWith("#") ? { digits: token.length } : { token: token as Token }
  })

/** The parts of the formats that were used last: almost every number has the format of one before. */
const lastParts = new Map<string, Part[]>()

function knownPartsOf(format: string): Part[] {
  const known = lastParts.get(format)
  if (known) return known
  if (lastParts.size >= 20) lastParts.clear()
  const parts = partsOf(format)
  lastParts.set(format, parts)
  return parts
}

/** Returns the form in which a format is stored: in upper case, so that numbers are found in any case. */
export const tidyFormat = (format: string): string => format.trim().toUpperCase()

/** Returns why a format cannot be used, or null. */
export function errorOfFormat(format: string): string | null {
  if (format.length > mostCharacters) return `must be at most ${mostCharacters} characters long`
  if (!whole.test(format))
    return "must consist of {YYYY}, {YY}, {MM}, {#####}, the letters A to Z, digits, spaces and - / . _"
  const counters = partsOf(format).filter((each) => "digits" in each)
  return counters.length === 1 ? null : "must have exactly one counter, such as {#####}"
}

/** Returns a number: `INV-{YYYY}-{#####}` with the date 2026-03-01 and the counter 42 is INV-2026-00042. */
export function formatNumber(format: string, { date, counter }: { date: string; counter: number }): string {
  const dates = { YYYY: date.slice(0, 4), YY: date.slice(2, 4), MM: date.slice(5, 7) }
  return knownPartsOf(format)
    .map((each) => {
      if ("character" in each) return each.character
      return "token" in each ? dates[each.token] : String(counter).padStart(each.digits, "0")
    })
    .join("")
}

/** True when the counter starts again each year. */
const isYearly = (format: string): boolean => /\{YY(?:YY)?\}/.test(format)

/** Returns the series that a number belongs to: INV-2026 if the format has the year, else INV. */
export const seriesOf = (prefix: string, format: string, date: string): string =>
  isYearly(format) ? `${prefix}-${date.slice(0, 4)}` : prefix

/** Returns the text before the first token: all numbers of a format begin with it. */
export const leadingTextOf = (format: string): string => format.slice(0, format.indexOf("{"))

/** A character that a number can have at a position: a given one, or any digit. The last digit of a counter repeats. */
type Position = { is: string | null; repeats: boolean }

const positionsOf = (format: string): Position[] =>
  partsOf(format).flatMap((each): Position[] => {
    if ("character" in each) return [{ is: each.character, repeats: false }]
    const digits = "token" in each ? each.token.length : each.digits
    const repeated = "digits" in each
    return Array.from({ length: digits }, (_, i) => ({ is: null, repeats: repeated && i === digits - 1 }))
  })

const canMeet = (a: Position, b: Position): boolean => {
  if (a.is !== null && b.is !== null) return a.is === b.is
  return (a.is === null || /\d/.test(a.is)) && (b.is === null || /\d/.test(b.is))
}

/**
 * True when two formats can produce the same number. It follows both formats position by position: `seen` has the pairs
 * of positions that the beginning of one number can reach in both.
 */
export function canCollide(format: string, other: string): boolean {
  const [first, second] = [positionsOf(format), positionsOf(other)]
  const seen = new Set<string>()
  const open: [number, number][] = [[0, 0]]
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [i, j] = pair
    if (i === first.length && j === second.length) return true
    const [a, b] = [first[i], second[j]]
    if (!a || !b || seen.has(pair.join()) || !canMeet(a, b)) continue
    seen.add(pair.join())
    for (const nextI of a.repeats ? [i, i + 1] : [i + 1])
      for (const nextJ of b.repeats ? [j, j + 1] : [j + 1]) open.push([nextI, nextJ])
  }
  return false
}

/** Returns the kinds whose formats can produce the same number as the format of an earlier kind. */
export const collidingKinds = <K extends string>(formats: Record<K, string>): { kind: K; other: K }[] => {
  const kinds = Object.keys(formats) as K[]
  return kinds.flatMap((kind, i) => {
    const other = kinds.slice(0, i).find((each) => canCollide(formats[each], formats[kind]))
    return other === undefined ? [] : [{ kind, other }]
  })
}

/**
 * Returns the year and the counter of a number that a format can produce, in capital letters; null for another text. The
 * year is null if the format does not have it.
 */
export function readNumber(format: string, number: string): { year: string | null; counter: number } | null {
  if (!numberPattern(format).test(number) || number.includes("\n")) return null
  const groups = partsOf(format).map((each) => {
    if ("character" in each) return "."
    if ("digits" in each) return "(?<counter>\\d+)"
    return each.token === "MM" ? "\\d\\d" : `(?<${each.token}>\\d{${each.token.length}})`
  })
  const found = new RegExp(`^${groups.join("")}$`).exec(number)?.groups
  if (!found) return null
  const year = found.YYYY ?? (found.YY === undefined ? null : `20${found.YY}`)
  return { year, counter: Number(found.counter) }
}

/** The digits of the parts of a date. */
const dateDigits: Record<Token, string> = { YYYY: "\\d{4}", YY: "\\d{2}", MM: "(?:0[1-9]|1[0-2])" }

/** A counter is at least 1, and has no zeros in front if it is longer than the format says. */
const counterDigits = (digits: number): string => `(?:(?!0{${digits}})\\d{${digits}}|[1-9]\\d{${digits},})`

/**
 * Returns the pattern of the numbers that a format can produce, for any date and counter. It ignores case, and finds such
 * a number in a text with one number per line.
 */
export const numberPattern = (format: string): RegExp =>
  new RegExp(
    `^${partsOf(format)
      .map((each) => {
        if ("character" in each) return each.character === "." ? "\\." : each.character
        return "token" in each ? dateDigits[each.token] : counterDigits(each.digits)
      })
      .join("")}$`,
    "im",
  )
