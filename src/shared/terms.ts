/** The suggested payment terms. Any other text is allowed. */
export const paymentTerms = ["Due on receipt", "Net 7", "Net 14", "Net 30", "Net 60", "EOM"]

/** Returns the due date: `Net N` is N days later, `EOM` the end of the month. Any other terms are due immediately. */
export function dueDateOf(invoiceDate: string, terms: string | null): string {
  const [, days] = /^net\s*(\d{1,6})$/i.exec(terms?.trim() ?? "") ?? []
  const date = new Date(`${invoiceDate}T00:00:00Z`)
  if (days) date.setUTCDate(date.getUTCDate() + Number(days))
  else if (/^eom$/i.test(terms?.trim() ?? "")) date.setUTCMonth(date.getUTCMonth() + 1, 0)
  const shown = Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10)
  // Years have four digits, so this is the latest date.
  return /^\d{4}-/.test(shown) ? shown : "9999-12-31"
}
