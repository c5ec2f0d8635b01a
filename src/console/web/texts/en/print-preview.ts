/** The print preview of an order or invoice. */
export const printPreview = {
  print: "Print",
  back: "Back",
  document: "Document preview",
} as const
