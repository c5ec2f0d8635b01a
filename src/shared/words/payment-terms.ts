import type { Language } from "../languages"

/** What payment terms say: due at once, at the end of the month, or after days, perhaps less an early-payment discount. */
type Terms =
  | { kind: "onReceipt" | "endOfMonth" }
  | { kind: "days"; days: number; discount: { percent: string; days: number } | null }

const days = String.raw`(?<days>\d{1,4})`
const discount = String.raw`(?:(?<percent>\d{1,2}(?:[.,]\d{1,2})?)\s*%?\s*/\s*(?<within>\d{1,3})\s*,?\s*)?`

/** The forms of terms that are sentences of a language. A form that several languages have is one of each of them. */
const forms: Record<Language, Record<Terms["kind"], RegExp>> = {
  en: {
    onReceipt: /^due (?:up)?on receipt$/i,
    endOfMonth: /^(?:eom|end of month)$/i,
    days: new RegExp(
      String.raw`^${discount}(?:net ?${days}(?: days?)?|(?<plain>\d{1,4}) days?(?: net)?)$`,
      "i",
    ),
  },
  de: {
    onReceipt: /^(?:sofort(?: fällig)?|fällig (?:sofort|bei erhalt)|bei erhalt)$/i,
    endOfMonth: /^(?:zum )?monatsende$/i,
    days: new RegExp(String.raw`^(?:netto ?${days}(?: tage?)?|(?<plain>\d{1,4}) tage?(?: netto)?)$`, "i"),
  },
  fr: {
    onReceipt: /^(?:à|a) réception(?: de (?:la )?facture)?$/i,
    endOfMonth: /^fin de mois$/i,
    days: new RegExp(String.raw`^(?:net ?${days} jours?|(?<plain>\d{1,4}) jours?(?: nets?)?)$`, "i"),
  },
}

type Words = {
  onReceipt: string
  endOfMonth: string
  days: (days: number) => string
  discounted: (terms: string, percent: string, days: number) => string
}

const words: Record<Language, Words> = {
  en: {
    onReceipt: "Due on receipt",
    endOfMonth: "End of month",
    days: (count) => `Net ${count}`,
    discounted: (terms, percent, within) => `${terms}, ${percent} % discount within ${within} days`,
  },
  de: {
    onReceipt: "Sofort fällig",
    endOfMonth: "Fällig am Monatsende",
    days: (count) => `${count} ${count === 1 ? "Tag" : "Tage"} netto`,
    discounted: (terms, percent, within) => `${terms}, ${percent} % Skonto innerhalb von ${within} Tagen`,
  },
  fr: {
    onReceipt: "À réception de la facture",
    endOfMonth: "Fin de mois",
    days: (count) => `${count} ${count > 1 ? "jours" : "jour"} net`,
    discounted: (terms, percent, within) => `${terms}, escompte de ${percent} % sous ${within} jours`,
  },
}

/**
 * Writes payment terms in the language of the paper if they are common ones of another language: "Net 30" is "30 Tage
 * netto". Other terms stay as typed.
 */
export function termsIn(language: Language, typed: string): string {
  const text = typed.trim().replace(/\s+/g, " ")
  if (read(language, text)) return typed
  const languages = Object.keys(forms) as Language[]
  const terms = plainDays(text) ?? languages.map((each) => read(each, text)).find((found) => found !== null)
  return terms ? written(terms, words[language]) : typed
}

/** "14" alone is a number of days, in every language. */
const plainDays = (text: string): Terms | null =>
  /^\d{1,3}$/.test(text) ? { kind: "days", days: Number(text), discount: null } : null

/** Reads terms of a language; null if they are none. */
function read(language: Language, text: string): Terms | null {
  const { onReceipt, endOfMonth, days: afterDays } = forms[language]
  if (onReceipt.test(text)) return { kind: "onReceipt" }
  if (endOfMonth.test(text)) return { kind: "endOfMonth" }
  const groups = afterDays.exec(text)?.groups
  if (!groups) return null
  const { percent, within } = groups
  return {
    kind: "days",
    days: Number(groups["days"] ?? groups["plain"]),
    discount: percent === undefined ? null : { percent, days: Number(within) },
  }
}

function written(terms: Terms, { days: afterDays, discounted, ...fixed }: Words): string {
  if (terms.kind !== "days") return fixed[terms.kind]
  const due = terms.days === 0 ? fixed.onReceipt : afterDays(terms.days)
  return terms.discount ? discounted(due, terms.discount.percent, terms.discount.days) : due
}
