import { fold } from "../../core/lib/text"

/** One character can become 18 by folding, and a title has up to 200. */
const longestForm = 200

/**
 * The form in which titles are compared: capital letters, accents, spaces and punctuation make no difference. The titles of a
 * file get theirs once, in the thread that reads the file.
 */
export const titleForm = (title: string): string =>
  fold(title.slice(0, longestForm))
    .slice(0, longestForm)
    .replace(/[^\p{L}\p{N}]/gu, "")

/** Whether the prices of a column include tax. */
export const priceSenses = ["gross", "net"] as const
export type PriceSense = (typeof priceSenses)[number]

/** The words by which a title says that prices include tax, and those by which it says that they do not. */
const senseWords: Readonly<Record<PriceSense, RegExp>> = {
  gross: /^(brutto|gross|ttc|inkl|inkl[a-z]+|incl|incl[a-z]+|including|lordo|lorda|bruto|with)$/,
  net: /^(netto|net|nett|ht|exkl|exkl[a-z]+|excl|excl[a-z]+|excluding|zzgl|zuzüglich|hors|netta|neto|sin|ohne|without|esclusa)$/,
}

/** What may stand beside such a word, and what else a title says about money. */
const besideSense =
  /^(mwst|ust|umsatzsteuer|mehrwertsteuer|steuer|steuern|vat|tax|taxes|taxe|tva|iva|btw|compris|comprise|incluida|inclusa|in|en|eur|euro|euros|chf|usd|gbp|fr|sfr|pro|je|per)$/

const wordsIn = (title: string): string[] =>
  title
    .slice(0, longestForm)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

const compounds: readonly [PriceSense, RegExp][] = [
  ["gross", /brutto/],
  ["net", /netto/],
]

/** Returns whether a title says that prices include tax; null if it does not say it. */
export function senseOf(title: string): PriceSense | null {
  const words = wordsIn(title)
  const found = priceSenses.filter((sense) => words.some((word) => senseWords[sense].test(word)))
  if (found.length === 1) return found[0] ?? null
  if (found.length > 1) return null
  return compounds.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0] ?? null
}

/** The form of a title without what it says about tax and currency: that of `VK` for `VK brutto (EUR)`. */
export function bareForm(title: string): string {
  const words = wordsIn(title)
  const isSense = (word: string) => priceSenses.some((sense) => senseWords[sense].test(word))
  const left = words.filter((word) => !isSense(word) && !besideSense.test(word))
  return titleForm(left.map((word) => word.replace(/brutto|netto/, "")).join(" "))
}
