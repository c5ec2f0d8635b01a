import type { Input } from "../../core/kind/read"
import { plainBarcode } from "../../shared/barcode"
import { items } from "./model"
import type { ItemService } from "./service"
import type { TaxCodeService } from "../tax-codes/service"
import type { ImportKind, Labels } from "../../office/imports/kind"
import { recordImport } from "../../office/imports/records"

type Needs = { items: ItemService; taxCodes: Pick<TaxCodeService, "findId"> }

export const itemLabels = {
  itemCode: [
    "Item code",
    "Code",
    "SKU",
    "Item number",
    "Product code",
    "Article number",
    "Artikelnummer",
    "Artikel-Nr.",
    "Art.-Nr.",
    "Artikelcode",
    "Référence",
    "Code article",
  ],
  itemName: [
    "Item name",
    "Name",
    "Title",
    "Titel",
    "Item",
    "Product",
    "Product name",
    "Artikel",
    "Bezeichnung",
    "Artikelbezeichnung",
    "Artikelname",
    "Désignation",
    "Article",
  ],
  barcode: [
    "Barcode",
    "Bar code",
    "Barcode number",
    "EAN",
    "EAN code",
    "EAN-Code",
    "EAN-Nr.",
    "EAN-Nummer",
    "EAN13",
    "EAN/GTIN",
    "GTIN/EAN",
    "GTIN",
    "UPC",
    "UPC/EAN",
    "ISBN",
    "Strichcode",
    "Barcode (EAN)",
    "Code-barres",
    "Code barre",
    "Código de barras",
    "Codice a barre",
    "Streepjescode",
  ],
  category: ["Category", "Group", "Kategorie", "Warengruppe", "Artikelgruppe", "Catégorie"],
  itemType: ["Type", "Item type", "Art", "Typ", "Artikelart"],
  uom: ["Unit", "Unit of measure", "Einheit", "Mengeneinheit", "ME", "Unité"],
  sellingPrice: [
    "Selling price",
    "Price",
    "Sales price",
    "Unit price",
    "Verkaufspreis",
    "VK",
    "VK-Preis",
    "Preis",
    "Prix de vente",
    "Prix",
  ],
  costPrice: ["Cost price", "Cost", "Purchase price", "Einkaufspreis", "EK", "EK-Preis", "Prix d'achat"],
  taxCode: ["Tax code", "Steuerkennzeichen", "Steuercode", "Steuerschlüssel", "Code TVA"],
  taxRate: ["Tax rate", "VAT", "VAT rate", "Steuersatz", "MwSt", "USt", "MwSt.-Satz", "TVA", "Taux TVA"],
  reorderLevel: ["Reorder level", "Minimum stock", "Meldebestand", "Mindestbestand", "Seuil de commande"],
  reorderQty: ["Reorder quantity", "Bestellmenge", "Quantité de commande"],
  description: ["Description", "Long text", "Beschreibung", "Langtext"],
  images: ["Images", "Image", "Pictures", "Bilder", "Bild"],
} satisfies Labels

/**
 * Items are found by their code, or else by their external id. A row with neither is found by its barcode. A tax code is
 * named by its code.
 */
export const itemImport = ({ items: service, taxCodes }: Needs): ImportKind =>
  recordImport({
    resource: items,
    noun: "items",
    service,
    keys: ["itemCode", "externalId"],
    otherKeys: ["barcode"],
    labels: itemLabels,
    prepare: (input) => withBarcode(withTaxCode(input, taxCodes)),
  })

const withBarcode = (input: Input): Input =>
  typeof input.barcode === "string" ? { ...input, barcode: plainBarcode(input.barcode) } : input

function withTaxCode(input: Input, taxCodes: Pick<TaxCodeService, "findId">): Input {
  const { taxCode } = input
  if (typeof taxCode !== "string") return input
  return { ...input, taxCode: taxCodes.findId("code", taxCode.slice(0, 100)) ?? taxCode }
}
