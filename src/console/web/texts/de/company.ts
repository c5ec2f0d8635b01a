import type { Area } from "../texts"

export const company: Area<"company"> = {
  viewHistory: "Verlauf ansehen",
  saved: "Die Einstellungen wurden gespeichert.",
  details: "Firmendaten",
  name: "Firmenname",
  address: "Adresse",
  moneyAndTime: "Währung und Zeitzone",
  proposed: "Währung und Zeitzone stammen aus Ihrem Browser. Prüfen Sie sie und speichern Sie.",
  currency: "Währung",
  currencyHint: "Kann nach dem ersten Auftrag oder der ersten Rechnung nicht mehr geändert werden",
  timeZone: "Zeitzone",
  timeZoneHint: "Bestimmt das Datum neuer Belege",
  sales: "Verkauf",
  creditLimits: "Kreditlimits",
  negativeStock: "Negativen Bestand erlauben",
  negativeStockHint:
    "Erlaubt Rechnungen über mehr, als auf Lager ist. Wenn ausgeschaltet, werden solche Rechnungen abgelehnt.",
  access: "Zugriff",
  defaultPlan: "Standardtarif",
  defaultPlanHint: "Erlaubte Anfragen für Benutzer und API-Schlüssel ohne eigenen Tarif",
  sessionTimeout: "Abmeldung nach Inaktivität (Minuten)",
  minimum: "Mindestens 60 Minuten",
  durationAndMinimum: "{{duration}}. Mindestens 60 Minuten",
}
