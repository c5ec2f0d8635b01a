import type { Warning } from "../../core/lib/warning"
import { areTermsUnderstood, dueDateOf } from "../../shared/terms"

/** Returns the due date that payment terms set. Adds a warning when they are not understood, and so set none. */
export function dueDateBy(invoiceDate: string, terms: string | null, warnings: Warning[]): string {
  if (!areTermsUnderstood(terms))
    warnings.push({
      code: "TERMS_NOT_UNDERSTOOD",
      field: "paymentTerms",
      message: `The payment terms ${JSON.stringify(terms)} name no due date, so the invoice is due immediately. Use terms such as "Net 30", "30 days" or "EOM", or set dueDate.`,
      params: { terms },
    })
  return dueDateOf(invoiceDate, terms)
}
