/** The files of a document: PDF and e-invoice. */
export const paper = {
  pdf: "PDF",
  /** The button of the menu beside the button PDF. */
  otherFiles: "Other files",
  pdfIn: "PDF in",
  eInvoices: "E-invoice (XML)",
  print: "Print",
  glyphsMissing: "The font of PDFs lacks some letters of this document; they are replaced by a sign.",
  glyphsMissingIn:
    "The font of PDFs lacks some letters of these documents; they are replaced by a sign: {{names}}",
  unsaved: "The file contains the saved draft, without your unsaved changes.",
  busy: "Too many PDFs are being created. Try again in a few seconds.",
  downloadPdfs: "Download PDFs",
  tooMany: "Select at most {{shown}} documents for one download.",
} as const
