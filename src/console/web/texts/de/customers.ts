import type { Area } from "../texts"

export const customers: Area<"customers"> = {
  new: "Neuer Kunde",
  create: "Kunden anlegen",
  onlyFor:
    "Nur Vertrieb, Webshop oder Kasse, Buchhaltung, Leitung und Administratoren können Kunden anlegen.",
  intro: "Legen Sie die Kunden an, an die Sie verkaufen. Für sie werden Aufträge und Rechnungen erstellt.",
  paymentTermsHint: "Net 30: fällig in 30 Tagen. EOM: fällig am Monatsende",
  creditLimitHint: "Leer lassen, wenn es kein Limit gibt",
  creditLimitFixed: "Nur Buchhaltung, Leitung und Administratoren können es ändern",
  postalCode: "Postleitzahl",
  state: "Bundesland oder Region",
  noCountry: "Kein Land gefunden",
  activeHint: "Inaktive Kunden können in neuen Aufträgen nicht verwendet werden",
  outstanding: "Offener Betrag",
  openOrders: "Offene Aufträge",
  availableCredit: "Verfügbarer Kredit",
  noLimit: "Kein Limit",
  latestInvoices: "Neueste Rechnungen",
  allInvoices: "Alle ansehen: neueste Rechnungen",
  ofTotal: "von {{total}}",
  notesHint: "Nur für Sie. Wird nicht gedruckt",
  language: "Sprache der Belege",
  companyLanguage: "Wie die Firma",
  tax: "Steuer",
  taxReasonHint: "Steht auf Belegen, zum Beispiel der Paragraf des Gesetzes",
  shipsElsewhere: "Lieferung an eine andere Adresse",
}
