import type { Area } from "../texts"

export const printPreview: Area<"printPreview"> = {
  print: "Drucken",
  back: "Zurück",
  document: "Vorschau des Dokuments",
}
