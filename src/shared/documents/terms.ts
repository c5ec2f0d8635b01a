import { dayAt, isDate } from "../dates"

/** A discount for early payment does not change the due date. */
type Clause = { kind: "net" | "discount"; days: number }

/** A part of payment terms, and how it is read. The expressions are sticky, and none can take long on a short text. */
type Reader = { kind: Clause["kind"]; form: RegExp }

const days = String.raw`(?<days>\d{1,6})`
const unit = String.raw`(?:(?:kalender)?tage?n?|tg\.?|(?:calendar\s+)?days?|jours?|j\.?)(?![a-z])`
const percent = String.raw`\d{1,2}(?:[.,]\d{1,2})?\s*(?:%|prozent|percent|pour\s*cent|v\.\s*h\.)`
/** What early payment is called: "2 % Skonto", "2 % cash discount", "2 % d'escompte". */
const reduced = String.raw`(?:(?:d['’]\s*|de\s+|cash\s+)?(?:skonto|escompte|discount|rabatt|remise|abzug)(?![a-z]))`
const less = String.raw`(?:(?:mit|mit\s+abzug\s+von|abzüglich|abzgl\.?|unter\s+abzug\s+von|with|less|avec|moins)\s+)`
const paid = String.raw`(?:(?:bei\s+(?:be)?zahlung|if\s+paid|for\s+payment|when\s+paid|si\s+paiement|pour\s+paiement)\s*)`
const within = String.raw`(?:(?:innerhalb|binnen|in|bis|within|by|sous|à|dans(?:\s+les)?|within\s+the\s+first)(?:\s+(?:von|of|de))?\s*)`
/** What begins the net term: "zahlbar", "payment due", "Zahlungsziel:". */
const lead = String.raw`(?:(?:rein|strikt|strictly)\s+)?(?:(?:zahlbar|fällig|zahlung|zahlungsziel|zahlungsbedingung(?:en)?|ziel|payable|payment|due|payment\s+due|payment\s+terms|paiement|payable|règlement)\s*:?\s*)?(?:net(?:to|s)?\s*:?\s*)?`
/** The net amount, after the number of days. */
const net = String.raw`(?:rein\s+)?(?:net(?:to|s)?(?:\s+kasse)?|ziel|ohne\s+(?:jeden\s+)?abzug|sans\s+escompte|without\s+deduction)(?![a-z])`
/** From which day the days count. */
const since = String.raw`(?:nach|ab|from|after|à\s+compter\s+de(?:\s+la)?|date\s+de(?:\s+la)?|après(?:\s+la)?)\s*(?:the\s+)?(?:rechnungs(?:datum|stellung|erhalt|eingang)|erhalt(?:\s+der\s+rechnung)?|invoice(?:\s+date)?|date\s+of\s+(?:the\s+)?invoice|date\s+de(?:\s+la)?\s+facture|facture)(?![a-z])`

const reader = (kind: Reader["kind"], form: string): Reader => ({ kind, form: new RegExp(form, "iy") })

const readers: readonly Reader[] = [
  // "2/10", "2 % / 10 days"
  reader("discount", String.raw`\d{1,2}(?:[.,]\d{1,2})?\s*%?\s*/\s*${days}(?!\d)(?:\s*${unit})?`),
  // "2 % Skonto 7 Tage", "2 % discount if paid within 10 days", "2 % 10"
  reader(
    "discount",
    String.raw`${less}?${percent}\s*${reduced}?\s*${paid}?${within}?${days}(?!\d)(?:\s*${unit})?(?:\s+${since})?`,
  ),
  // "Skonto 2 % 7 Tage", "escompte de 2 % sous 10 jours"
  reader(
    "discount",
    String.raw`${reduced}\s*:?\s*(?:de\s+)?${percent}\s*${paid}?${within}?${days}\s*${unit}`,
  ),
  // "10 Tage 2 %", "bei Zahlung innerhalb von 7 Tagen abzüglich 2 % Skonto"
  reader(
    "discount",
    String.raw`${paid}?${within}?${days}\s*${unit}(?:\s+${since})?\s*[:=–-]?\s*${less}?${percent}\s*${reduced}?`,
  ),
  // "net 30", "n/30"
  reader("net", String.raw`(?:net(?:to|s)?|n\s*/)\s*${within}?${days}(?!\d)(?:\s*${unit})?(?:\s+${since})?`),
  // "14 Tage netto", "zahlbar innerhalb von 14 Tagen ohne Abzug"
  reader("net", String.raw`${lead}${within}?${days}\s*${unit}(?:\s+${since})?(?:\s*,?\s*${net})?`),
]

/** What stands between two parts. */
const between =
  /[\s,;.+&|/–-]*(?:(?:und|oder|bzw\.?|sonst|ansonsten|danach|dann|and|or|otherwise|then|et|ou|sinon)(?![a-zäöü]))?[\s,;.:–-]*/iy

const onReceipt =
  /^(?:due\s+(?:up)?on\s+receipt|(?:due\s+)?immediately|(?:(?:zahlbar|fällig)\s+)?sofort(?:\s+(?:zahlbar|fällig))?(?:\s+(?:rein\s+)?(?:netto|ohne\s+abzug))?|(?:(?:zahlbar|fällig)\s+)?(?:bei|nach)\s+erhalt(?:\s+der\s+rechnung)?|(?:(?:payable|paiement|règlement)\s+)?(?:à|dès)\s+réception(?:\s+de(?:\s+la)?\s+facture)?|(?:paiement\s+)?comptant)$/i
/** "14", as a column of days has it. */
const onlyDays = /^\d{1,3}$/
const endOfMonth = /^(?:eom|(?:zum\s+)?monatsende)$/i

/** Years have four digits. */
const latestDate = "9999-12-31"
/** Payment terms are shorter. */
const longestTerms = 200
const mostClauses = 5

/** When an invoice is due: a number of days after its date, or at the end of its month. */
type Due = { days: number } | "endOfMonth"

/** Returns what payment terms mean, or null if they are not understood. */
function readTerms(terms: string): Due | null {
  const text = terms.trim()
  if (text.length > longestTerms) return null
  if (endOfMonth.test(text)) return "endOfMonth"
  if (onReceipt.test(text)) return { days: 0 }
  if (onlyDays.test(text)) return { days: Number(text) }
  const found = readings(text, 0, [])
  // "14 Tage 2 % Skonto 7 Tage" can be read in two ways: the discount is for those who pay earlier.
  const net = found.find(isEarlier) ?? found[0]
  return net === undefined ? null : { days: netOf(net) }
}

const netOf = (clauses: readonly Clause[]): number => clauses.find(({ kind }) => kind === "net")?.days ?? 0
const isEarlier = (clauses: readonly Clause[]): boolean =>
  clauses.every(({ kind, days }) => kind === "net" || days <= netOf(clauses))

/** Returns all ways to read a text from a position on that have one net term, and discounts before and after it. */
function readings(text: string, from: number, before: readonly Clause[]): Clause[][] {
  if (from === text.length)
    return before.filter(({ kind }) => kind === "net").length === 1 ? [[...before]] : []
  if (before.length === mostClauses) return []
  return readers.flatMap(({ kind, form }) => {
    const found = matchAt(form, text, from)
    if (!found) return []
    const end = from + found[0].length
    const next = end + (matchAt(between, text, end)?.[0].length ?? 0)
    return readings(text, next, [...before, { kind, days: Number(found.groups?.days) }])
  })
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at
  return form.exec(text)
}

/** True when payment terms set a due date. Without terms, an invoice is due immediately, so there is nothing to read. */
export const areTermsUnderstood = (terms: string | null): boolean =>
  terms === null || readTerms(terms) !== null

/**
 * Returns the due date: `Net 30`, `30 days`, `30` and `2/10 net 30` are 30 days later, `EOM` is the end of the month. Terms
 * that are not understood are due immediately.
 */
export function dueDateOf(invoiceDate: string, terms: string | null): string {
  if (!isDate(invoiceDate)) return latestDate
  const due = terms === null ? null : readTerms(terms)
  const [year = 0, month = 1, day = 1] = invoiceDate.split("-").map(Number)
  const shown = due === "endOfMonth" ? dayAt(year, month + 1, 0) : dayAt(year, month, day + (due?.days ?? 0))
  return isDate(shown) ? shown : latestDate
}
