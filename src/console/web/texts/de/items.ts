import type { Area } from "../texts"

export const items: Area<"items"> = {
  new: "Neuer Artikel",
  create: "Artikel anlegen",
  onlyFor: "Nur Leitung und Administratoren können Artikel anlegen.",
  intro: "Legen Sie die Produkte, Verbrauchsmaterialien und Dienstleistungen an, die Sie verkaufen.",
  code: "Artikelnummer",
  unit: "Einheit",
  defaultUnit: "Stk",
  reorderLevelHint: "Bis zu dieser Menge gilt der Bestand als niedrig",
  reorderQuantity: "Bestellmenge",
  reorderQuantityHint: "Empfohlene Menge für eine Nachbestellung",
  imagesHint: "Webadressen der Bilder. Drücken Sie nach jeder die Eingabetaste",
  activeHint: "Inaktive Artikel können in neuen Aufträgen nicht verwendet werden",
  inStock: "Bestand",
  reserved: "Reserviert",
  available: "Verfügbar",
  low: "Niedrig",
  movements: "Lagerbewegungen",
}
