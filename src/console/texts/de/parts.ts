import type { Area } from "../texts"

export const parts: Area<"parts"> = {
  adminOnly: "Diese Seite ist nur für Administratoren.",
  confirmDelete: "{{name}} löschen?",
  deleted: "{{name}} wurde gelöscht.",
  shownOnce: "Wird nur einmal angezeigt",
  copied: "Kopiert.",
  copyByHand: "Drücken Sie zum Kopieren Strg+C (Mac: Cmd+C).",
  notFound: "Seite nicht gefunden",
  notFoundText: "Diese Seite gibt es nicht, oder der Datensatz wurde gelöscht.",
  goToDashboard: "Zur Übersicht",
  pageFailed: "Die Seite konnte nicht geladen werden",
  pageFailedText: "Kontor antwortet nicht oder wurde aktualisiert, seit Sie die Konsole geöffnet haben.",
  reload: "Konsole neu laden",
  loadFailed: "Die Daten konnten nicht geladen werden",
  moreActions: "Weitere Aktionen",
  duplicate: "Duplizieren",
  importLink: "Importieren",
}
