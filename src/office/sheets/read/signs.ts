import { once } from "../../../core/lib/shared-runs"

/** What stands before or after a number: the codes of the currencies that it can mean, or percent. */
export type NumberSign = "percent" | ReadonlySet<string>

/** Longer texts are neither numbers nor numbers with a sign. */
const longest = 60

const sign = String.raw`[\p{L}\p{Sc}%]{1,5}\.?`
const before = new RegExp(`^([-+−]?)\\s*(${sign})\\s*(?=[-+−]?[\\d.,])`, "u")
const after = new RegExp(String.raw`(?<=[\d.,–—-])\s*(${sign})$`, "u")

/** `12,–` and `12.-`: prices without cents. */
const withoutCents = /(?<=\d)[.,](?:--?|[–—])$/

/** A number without its sign, as text, and the sign; null if it has none that is known. */
export type Signed = { text: string; sign: string | null; means: NumberSign | null }

/** Takes the sign of a currency or of percent from a number: `1.234,50 €`, `CHF 1'234.50`, `19 %`. */
export function withoutSign(given: string): Signed {
  const text = given.trim()
  const none = { text, sign: null, means: null }
  if (text.length > longest) return none
  const [matched = "", minus = "", first] = before.exec(text) ?? []
  const last = first === undefined ? after.exec(text) : null
  const found = first ?? last?.[1]
  const means = found === undefined ? null : meaningOf(found)
  if (found === undefined || means === null) return none
  const rest = last ? text.slice(0, last.index) : `${minus}${text.slice(matched.length)}`
  return { text: rest.trim().replace(withoutCents, ""), sign: found, means }
}

/** The same for a number that may be written without cents, whether or not it has a sign. */
export const moneyText = (text: string): string => text.replace(withoutCents, "")

function meaningOf(found: string): NumberSign | null {
  if (found === "%") return "percent"
  return currencies().get(found.toUpperCase()) ?? null
}

/** Short forms that no list of the system has. */
const shortForms: Readonly<Record<string, readonly string[]>> = {
  EUR: ["Euro", "Euros"],
  USD: ["US$"],
  CHF: ["Fr", "Fr.", "SFr", "SFr."],
  SEK: ["kr."],
  DKK: ["kr."],
  NOK: ["kr."],
}

/** The currencies by their codes and signs in capital letters. Several have the sign $. */
const currencies = once(() => {
  const found = new Map<string, Set<string>>()
  const add = (name: string, code: string) => {
    const codes = found.get(name.toUpperCase()) ?? new Set()
    found.set(name.toUpperCase(), codes.add(code))
  }
  for (const code of Intl.supportedValuesOf("currency")) {
    add(code, code)
    for (const currencyDisplay of ["symbol", "narrowSymbol"] as const) {
      const format = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay })
      add(format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? code, code)
    }
    for (const name of shortForms[code] ?? []) add(name, code)
  }
  return found
})
