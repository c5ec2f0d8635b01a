import type { MoneyContext } from "../../core/kind/field"
import type { Input } from "../../core/kind/read"
import { plainBarcode } from "../../shared/barcode"
import { fieldError, Refusal } from "../../core/lib/refusal"
import { fromUnits, largestPrice, nearestUnits, priceDigits, roundedTo } from "../../shared/decimal"
import { withoutTax, withTax } from "../../shared/money"
import { items } from "./model"
import type { ItemService } from "./service"
import type { TaxCodeService } from "../tax-codes/service"
import type { ImportKind, Labels, RowContext } from "../../office/imports/kind"
import { findId, recordImport } from "../../office/imports/records"
import type { Settings } from "../../office/settings/model"
import type { PriceSense } from "../../office/sheets/title-form"

type Needs = {
  items: ItemService
  taxCodes: Pick<TaxCodeService, "findId" | "find" | "ofRate">
  settings: () => Pick<Settings, "pricesIncludeTax" | "defaultTaxCode" | "defaultUnit">
  moneyContext: () => MoneyContext
}

export const itemLabels = {
  itemCode: [
    "Item code",
    "Code",
    "SKU",
    "Item number",
    "Item no.",
    "Product code",
    "Product number",
    "Article number",
    "Article no.",
    "Artikelnummer",
    "Artikel-Nr.",
    "Artikelnr",
    "Art.-Nr.",
    "Artikelcode",
    "Produktnummer",
    "Bestellnummer",
    "Référence",
    "Réf.",
    "Code article",
    "Referencia",
    "Código",
    "Codice articolo",
    "Codice",
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
    "Bezeichnung 1",
    "Artikelbezeichnung",
    "Artikelname",
    "Produkt",
    "Produktname",
    "Désignation",
    "Libellé",
    "Article",
    "Artículo",
    "Producto",
    "Nombre",
    "Denominación",
    "Articolo",
    "Prodotto",
    "Denominazione",
    "Omschrijving",
    "Artikelnaam",
  ],
  category: [
    "Category",
    "Group",
    "Kategorie",
    "Warengruppe",
    "WG",
    "Artikelgruppe",
    "Produktgruppe",
    "Catégorie",
    "Famille",
    "Categoría",
    "Categoria",
    "Categorie",
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
    "EAN 13",
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
  itemType: ["Type", "Item type", "Art", "Typ", "Artikelart"],
  uom: [
    "Unit",
    "Unit of measure",
    "UoM",
    "Einheit",
    "Mengeneinheit",
    "ME",
    "Unité",
    "Unidad",
    "Unità",
    "Eenheid",
  ],
  sellingPrice: [
    "Selling price",
    "Price",
    "Sales price",
    "Unit price",
    "Retail price",
    "List price",
    "RRP",
    "Verkaufspreis",
    "VK",
    "VK-Preis",
    "VKP",
    "Preis",
    "Einzelpreis",
    "Listenpreis",
    "Ladenpreis",
    "Endpreis",
    "UVP",
    "Prix de vente",
    "Prix",
    "PV",
    "Prix unitaire",
    "Precio",
    "Precio de venta",
    "PVP",
    "Prezzo",
    "Prezzo di vendita",
    "Prijs",
    "Verkoopprijs",
  ],
  costPrice: [
    "Cost price",
    "Cost",
    "Purchase price",
    "Buying price",
    "Einkaufspreis",
    "EK",
    "EK-Preis",
    "EKP",
    "Einstandspreis",
    "Prix d'achat",
    "PA",
    "Precio de compra",
    "Coste",
    "Prezzo d'acquisto",
    "Costo",
    "Inkoopprijs",
  ],
  taxCode: ["Tax code", "Steuerkennzeichen", "Steuercode", "Steuerschlüssel", "Code TVA"],
  taxRate: [
    "Tax rate",
    "VAT",
    "VAT rate",
    "VAT %",
    "Steuersatz",
    "MwSt",
    "MwSt in %",
    "USt",
    "USt-Satz",
    "Umsatzsteuer",
    "Mehrwertsteuer",
    "MwSt.-Satz",
    "TVA",
    "Taux TVA",
    "Taux de TVA",
    "IVA",
    "Tipo de IVA",
    "Aliquota IVA",
    "Btw",
    "Btw-tarief",
  ],
  reorderLevel: [
    "Reorder level",
    "Minimum stock",
    "Min. stock",
    "Meldebestand",
    "Mindestbestand",
    "Seuil de commande",
    "Stock minimum",
  ],
  reorderQty: ["Reorder quantity", "Bestellmenge", "Nachbestellmenge", "Quantité de commande"],
  description: [
    "Description",
    "Long text",
    "Beschreibung",
    "Artikelbeschreibung",
    "Langtext",
    "Descripción",
    "Descrizione",
    "Beschrijving",
  ],
  images: ["Images", "Image", "Pictures", "Bilder", "Bild", "Bild-URL", "Image URL"],
} satisfies Labels

/**
 * Items are found by their code, or else by their external id; a row with neither by its barcode. A tax code is named by
 * its code. Prices with tax become those
 * without, and the other way round, as the shop stores them; cost prices are stored without.
 */
export const itemImport = ({ items: service, taxCodes, settings, moneyContext }: Needs): ImportKind => {
  const keys = ["itemCode", "externalId"]
  const otherKeys = ["barcode"]
  const storedSense = (field: string): PriceSense | null => {
    if (field === "costPrice") return "net"
    return field === "sellingPrice" ? (settings().pricesIncludeTax ? "gross" : "net") : null
  }
  const withUsualUnit = (input: Input): Input =>
    input.uom == null && settings().defaultUnit !== null ? { ...input, uom: settings().defaultUnit } : input
  // A rate stands for the tax code that has it, if there is one.
  const usualCode = ({ taxCode, taxRate }: Input): Input => {
    const code = taxCode == null && typeof taxRate === "number" ? taxCodes.ofRate(taxRate) : null
    return code === null ? {} : { taxCode: code }
  }
  const rateOf = (input: Input, { mode }: RowContext): number | null => {
    if (input.taxCode == null && typeof input.taxRate === "number") return input.taxRate
    const id =
      mode === "create" || input.taxCode != null
        ? null
        : findId({ resource: items, service, keys, otherKeys }, input)
    if (id !== null) return service.get(id).taxRate
    const code = input.taxCode ?? settings().defaultTaxCode
    const found = typeof code === "string" ? taxCodes.find(code) : null
    return found ? fromUnits(found.rate, priceDigits) : null
  }
  return recordImport({
    resource: items,
    noun: "items",
    service,
    keys,
    otherKeys,
    labels: itemLabels,
    percents: ["taxRate"],
    complete: (input) => ({ ...withUsualUnit(input), ...usualCode(input) }),
    storedSense,
    prepare(input, context) {
      const named = withBarcode(withTaxCode(input, taxCodes))
      const fields = Object.keys(context.prices).filter((field) => typeof named[field] === "number")
      // A tax code that does not exist is refused later.
      const hasWrongCode = typeof named.taxCode === "string" && taxCodes.find(named.taxCode) === null
      if (fields.length === 0 || hasWrongCode) return named
      const rate = rateOf(named, context)
      if (rate === null) throw noRate(fields[0] ?? "", context.prices)
      const { digits } = moneyContext()
      const converted = fields.map((field) => [
        field,
        convertedPrice(Number(named[field]), rate, context.prices[field], digits),
      ])
      return { ...named, ...Object.fromEntries(converted) }
    },
  })
}

/** A price without tax has up to four decimals, and one with tax those of the currency. A wrong one stays as it is. */
function convertedPrice(price: number, rate: number, given: PriceSense | undefined, digits: number): number {
  if (!(Math.abs(price) <= largestPrice && rate >= 0 && rate <= 100)) return price
  const [units, rateUnits] = [nearestUnits(price, priceDigits), nearestUnits(rate, priceDigits)]
  if (given === "gross") return fromUnits(withoutTax(units, rateUnits), priceDigits)
  return roundedTo(fromUnits(withTax(units, rateUnits), priceDigits), digits)
}

function noRate(field: string, prices: RowContext["prices"]): Refusal {
  const [from, to] = prices[field] === "gross" ? ["gross", "net"] : ["net", "gross"]
  const message = `is needed to convert the ${from} price of ${field} to a ${to} one: add a column with the tax rate, or set a default tax code`
  return new Refusal("VALIDATION_ERROR", "The item has no tax rate.", {
    details: [fieldError("taxRate", "REQUIRED", message, { field })],
  })
}

const withBarcode = (input: Input): Input =>
  typeof input.barcode === "string" ? { ...input, barcode: plainBarcode(input.barcode) } : input

function withTaxCode(input: Input, taxCodes: Pick<TaxCodeService, "findId">): Input {
  const { taxCode } = input
  if (typeof taxCode !== "string") return input
  return { ...input, taxCode: taxCodes.findId("code", taxCode.slice(0, 100)) ?? taxCode }
}
