import type { Area } from "../texts"

export const pickers: Area<"pickers"> = {
  options: "Auswahl",
  searching: "Suche läuft",
  create: "„{{typed}}“ anlegen",
  customerHint: "Name oder Nummer",
  noCustomer: "Kein Kunde gefunden",
  newCustomer: "Neuer Kunde",
  createNewCustomer: "Neuen Kunden anlegen",
  createCustomer: "Kunden anlegen",
  noCreditLimit: "Kein Kreditlimit",
  overCreditLimit: "{{amount}} über dem Kreditlimit",
  creditAvailable: "{{amount}} Kredit verfügbar",
  exceedsCredit: "Der verfügbare Kredit reicht nicht aus",
  itemHint: "Artikelnummer oder Name",
  noItem: "Kein Artikel gefunden",
  newItem: "Neuer Artikel",
  createNewItem: "Neuen Artikel anlegen",
  createItem: "Artikel anlegen",
  itemCode: "Artikelnummer",
  unit: "Einheit",
}
