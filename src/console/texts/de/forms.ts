import type { Area } from "../texts"

export const forms: Area<"forms"> = {
  saveAndAdd: "Speichern und weiteren anlegen",
  date: "Geben Sie ein gültiges Datum ein, zum Beispiel {{example}} oder 2026-11-15.",
  clearDate: "Datum leeren",
  tagError: "{{text}}: {{message}}",
  unsaved: "Nicht gespeicherte Änderungen",
  unsavedText: "Ihre Änderungen auf dieser Seite sind noch nicht gespeichert.",
  discard: "Änderungen verwerfen",
  keepEditing: "Weiter bearbeiten",
  changedMeanwhile:
    "Dieser Datensatz wurde inzwischen geändert. Ihre Änderungen sind noch nicht gespeichert.",
  loadAgain: "Neu laden",
  conflict: "Jemand anderes hat diesen Datensatz geändert",
  conflictText:
    "Ihre Änderungen sind noch nicht gespeichert. Vergleichen Sie die beiden Fassungen und wählen Sie eine aus.",
  discardMine: "Meine Änderungen verwerfen",
  saveMine: "Meine Änderungen speichern",
  bothVersions: "Beide Fassungen",
  field: "Feld",
  yourVersion: "Ihre Fassung",
  savedVersion: "Gespeicherte Fassung",
  notChanged: "Nicht geändert",
  asEntered: "Wie von Ihnen eingegeben",
  yes: "Ja",
  no: "Nein",
  postalCode: "Postleitzahl",
  state: "Bundesland oder Region",
  noCountry: "Kein Land gefunden",
}
