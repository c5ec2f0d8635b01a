import { dayAt, isDate } from "../dates"

const days = String.raw`(?<days>\d{1,6})`
const unit = String.raw`(?:days?|tage?|jours?)`
/** A discount for early payment, `2/10` in `2/10 net 30`. It does not change the due date. */
const discount = String.raw`(?:\d{1,2}(?:[.,]\d{1,2})?\s*%?\s*/\s*\d{1,3}\s*,?\s*)?`
const netDays = new RegExp(String.raw`^${discount}net(?:to)?\s*${days}(?:\s*${unit})?$`, "i")
const plainDays = new RegExp(String.raw`^${days}\s*${unit}(?:\s+net(?:to)?)?$`, "i")
const onReceipt =
  /^(?:due\s+(?:up)?on\s+receipt|sofort(?:\s+fällig)?|(?:fällig\s+)?(?:sofort|bei\s+erhalt))$/i
const endOfMonth = /^(?:eom|(?:zum\s+)?monatsende)$/i

/** Years have four digits. */
const latestDate = "9999-12-31"

/** When an invoice is due: a number of days after its date, or at the end of its month. */
type Due = { days: number } | "endOfMonth"

/** Returns what payment terms mean, or null if they are not understood. */
function readTerms(terms: string): Due | null {
  const text = terms.trim()
  if (endOfMonth.test(text)) return "endOfMonth"
  if (onReceipt.test(text)) return { days: 0 }
  const named = (netDays.exec(text) ?? plainDays.exec(text))?.groups?.days
  return named === undefined ? null : { days: Number(named) }
}

/** True when payment terms set a due date. Without terms, an invoice is due immediately, so there is nothing to read. */
export const areTermsUnderstood = (terms: string | null): boolean =>
  terms === null || readTerms(terms) !== null

/**
 * Returns the due date: `Net 30`, `30 days` and `2/10 net 30` are 30 days later, `EOM` is the end of the month. Terms
 * that are not understood are due immediately.
 */
export function dueDateOf(invoiceDate: string, terms: string | null): string {
  if (!isDate(invoiceDate)) return latestDate
  const due = terms === null ? null : readTerms(terms)
  const [year = 0, month = 1, day = 1] = invoiceDate.split("-").map(Number)
  const shown = due === "endOfMonth" ? dayAt(year, month + 1, 0) : dayAt(year, month, day + (due?.days ?? 0))
  return isDate(shown) ? shown : latestDate
}
