import type { Area } from "../texts"

export const paper: Area<"paper"> = {
  pdf: "PDF",
  otherFiles: "Weitere Dateien",
  pdfIn: "PDF auf",
  eInvoices: "E-Rechnung (XML)",
  print: "Drucken",
  glyphsMissing:
    "Der Schrift der PDFs fehlen einige Buchstaben dieses Belegs; sie werden durch ein Zeichen ersetzt.",
  glyphsMissingIn:
    "Der Schrift der PDFs fehlen einige Buchstaben dieser Belege; sie werden durch ein Zeichen ersetzt: {{names}}",
  unsaved: "Die Datei enthält den gespeicherten Entwurf, ohne Ihre ungespeicherten Änderungen.",
  busy: "Es werden gerade zu viele PDFs erstellt. Versuchen Sie es in einigen Sekunden noch einmal.",
  downloadPdfs: "PDFs herunterladen",
  tooMany: "Wählen Sie höchstens {{shown}} Belege für einen Download aus.",
}
