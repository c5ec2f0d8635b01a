/** The print preview of an order or invoice. */
export const printPreview = {
  back: "Back",
  document: "Document preview",
} as const
