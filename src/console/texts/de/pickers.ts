import type { Area } from "../texts"

export const pickers: Area<"pickers"> = {
  options: "Auswahl",
  searching: "Suche läuft",
  create: "„{{typed}}“ anlegen",
  customerHint: "Name oder Nummer",
  noCustomer: "Kein Kunde gefunden",
  createNewCustomer: "Neuen Kunden anlegen",
  noCreditLimit: "Kein Kreditlimit",
  overCreditLimit: "{{amount}} über dem Kreditlimit",
  creditAvailable: "{{amount}} Kredit verfügbar",
  exceedsCredit: "Der verfügbare Kredit reicht nicht aus",
  itemHint: "Artikelnummer oder Name",
  noItem: "Kein Artikel gefunden",
  createNewItem: "Neuen Artikel anlegen",
  taxCodeHint: "Kürzel oder Name",
  noTaxCode: "Kein Steuerschlüssel gefunden",
  newTaxCode: "Neuer Steuerschlüssel",
  createNewTaxCode: "Neuen Steuerschlüssel anlegen",
  createTaxCode: "Steuerschlüssel anlegen",
  rateOfCode: "Der Satz des Steuerschlüssels. Ein anderer Satz entfernt den Schlüssel",
}
