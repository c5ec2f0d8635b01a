import type { TaxTreatment } from "../../shared/documents/tax"
import type { TreatmentReason } from "../../shared/documents/treatment-reasons"
import type { VatIdProblem } from "../../shared/documents/vat-ids"

/** The codes of warnings, each with the values that its message contains. */
export type WarningParams = {
  /** `expected` is the check digit that the barcode should end with. */
  BARCODE_CHECK_DIGIT: { barcode: string; expected: number }
  /** `missing` are the parts of the address that it lacks. */
  BUYER_ADDRESS_MISSING: { customerName: string; missing: string[] }
  /** `used` is without the document. `total` is the document's, if the warning is about one. */
  CREDIT_LIMIT_EXCEEDED: {
    customerName: string
    limit: number
    used: number
    total?: number
    currency: string
  }
  /** A body names a customer that was merged into the one that it means now. */
  CUSTOMER_MERGED: { customerName: string; customerNumber: string; survivor: string; survivorNumber: string }
  DATE_BEFORE_ORDER: { orderDate: string }
  /** `open` is what is not paid of the deposit invoice with this number. */
  DEPOSIT_OPEN: { number: string | null; open: number; currency: string }
  INSUFFICIENT_STOCK: { itemCode: string; ordered: number; available: number }
  /** `expected` are the check digits with which the Leitweg-ID should end. */
  LEITWEG_CHECK_DIGITS: { buyerReference: string; expected: string }
  PER_PAGE_REDUCED: { perPage: number; max: number }
  READ_ONLY_FIELD: { field: string }
  /** The invoices of so many periods of a recurring invoice are made immediately. */
  RECURRING_CATCHES_UP: { count: number }
  STATUS_NEVER_MATCHES: { status: string; allowed: readonly string[] }
  /** The document is taxed by `taxTreatment`, which its customer had before. */
  TAX_TREATMENT_CHANGED: { customerName: string; taxTreatment: TaxTreatment; current: TaxTreatment }
  TERMS_NOT_UNDERSTOOD: { terms: string | null }
  /** `proposed` fits the customer, who is in `country`; `reason` is why. */
  TREATMENT_UNLIKELY: {
    customerName: string
    taxTreatment: TaxTreatment
    proposed: TaxTreatment
    country: string
    reason: TreatmentReason
  }
  UNUSUAL_DATE: { date: string; today: string }
  VAT_ID_UNLIKELY: VatIdProblem & { taxId: string }
  /** `missing` are the fields of the invoice that are missing or wrong: `seller.phone`. */
  XRECHNUNG_INCOMPLETE: { missing: string[] }
}
export type WarningCode = keyof WarningParams

export const warningCodes = Object.keys({
  BARCODE_CHECK_DIGIT: true,
  BUYER_ADDRESS_MISSING: true,
  CREDIT_LIMIT_EXCEEDED: true,
  CUSTOMER_MERGED: true,
  DATE_BEFORE_ORDER: true,
  DEPOSIT_OPEN: true,
  INSUFFICIENT_STOCK: true,
  LEITWEG_CHECK_DIGITS: true,
  PER_PAGE_REDUCED: true,
  READ_ONLY_FIELD: true,
  RECURRING_CATCHES_UP: true,
  STATUS_NEVER_MATCHES: true,
  TAX_TREATMENT_CHANGED: true,
  TERMS_NOT_UNDERSTOOD: true,
  TREATMENT_UNLIKELY: true,
  UNUSUAL_DATE: true,
  VAT_ID_UNLIKELY: true,
  XRECHNUNG_INCOMPLETE: true,
} satisfies Record<WarningCode, true>) as WarningCode[]

/** What the caller should know about a request that was executed. */
export type Warning = {
  [C in WarningCode]: { code: C; field: string; message: string; params: WarningParams[C] }
}[WarningCode]

/** A field that only the server sets has another value in the body. */
export const readOnlyWarning = (field: string): Warning => ({
  code: "READ_ONLY_FIELD",
  field,
  message: `${field} is read-only and was ignored.`,
  params: { field },
})

/** What admins should know about a server that works. `until` is the latest time in the audit log. */
export type ServerWarning =
  | { code: "CLOCK_SET_BACK"; message: string; params: { until: string } }
  | { code: "CLOCKS_DIFFER"; message: string; params: { seconds: number } }
