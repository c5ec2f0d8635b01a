import type { Area } from "../texts"

export const taxCodes: Area<"taxCodes"> = {
  title: "Steuerschlüssel",
  new: "Neuer Steuerschlüssel",
  create: "Steuerschlüssel anlegen",
  onlyFor: "Nur Leitung und Administratoren können Steuerschlüssel anlegen.",
  intro:
    "Ein Steuerschlüssel sagt, wie ein Verkauf besteuert wird und warum keine Steuer berechnet wird. Artikel und Positionen nennen ihn.",
  code: "Kürzel",
  category: "Kategorie",
  rate: "Steuersatz",
  rateHint: "Nur steuerpflichtige Verkäufe haben einen Satz",
  reason: "Grund",
  reasonHint: "Steht auf Belegen",
  reasonBuiltIn: "Leer lassen für den üblichen Satz in der Sprache des Belegs",
  fixed: "Fest, weil der Schlüssel verwendet wird. Legen Sie für einen anderen Satz einen neuen an",
  activeHint: "Inaktive Schlüssel können nicht mehr gewählt werden",
  used: "Wird verwendet",
  unused: "Noch nicht verwendet",
  addFrom: "Schlüssel eines Landes hinzufügen",
  addOf: "Schlüssel hinzufügen: {{country}}",
  country: "Land",
  noCountry: "Kein Land gefunden",
  presetsHint:
    "Sätze und Regeln ändern sich. Prüfen Sie sie mit Ihrer Steuerberatung, bevor Sie sie verwenden.",
  exists: "Gibt es schon",
  add_one: "{{shown}} Schlüssel hinzufügen",
  add_other: "{{shown}} Schlüssel hinzufügen",
  added_one: "{{shown}} Steuerschlüssel wurde hinzugefügt.",
  added_other: "{{shown}} Steuerschlüssel wurden hinzugefügt.",
  noneSelected: "Wählen Sie mindestens einen Schlüssel.",
}
