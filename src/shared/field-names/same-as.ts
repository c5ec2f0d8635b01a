/**
 * The fields that are named like another one, by kind: their own name means something else in other kinds, such as the
 * rate of a line.
 */
export const sameAs: Record<string, Record<string, string>> = {
  "tax-codes": { code: "taxCode", rate: "taxRate", category: "taxCategory" },
  payments: { invoiceNumbers: "invoiceNumber" },
}
