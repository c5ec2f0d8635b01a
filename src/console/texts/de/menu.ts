import type { Area } from "../texts"

export const menu: Area<"menu"> = {
  groups: {
    sell: "Verkauf",
    stock: "Lager",
    reports: "Berichte",
    developers: "Entwickler",
    settings: "Einstellungen",
  },
  dashboard: "Übersicht",
  limits: "Genutzte Limits",
  backups: "Sicherungen",
  account: "Mein Konto",
  connections: "Verbundene Apps",
  apiDocs: "API-Dokumentation",
  newOrder: "Neuer Auftrag",
  newInvoice: "Neue Rechnung",
  recordPayment: "Zahlung erfassen",
  newCustomer: "Neuer Kunde",
  newItem: "Neuer Artikel",
}
