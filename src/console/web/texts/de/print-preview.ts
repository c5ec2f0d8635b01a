import type { Area } from "../texts"

export const printPreview: Area<"printPreview"> = {
  back: "Zurück",
  document: "Vorschau des Dokuments",
}
