import type { Language } from "../languages"

/** The tax categories of EN 16931 that Kontor knows. */
export const taxCategories = ["S", "Z", "E", "AE", "K", "G", "O"] as const
export type TaxCategory = (typeof taxCategories)[number]

/** How sales to a customer are taxed. A domestic sale is taxed by its items. */
export const taxTreatments = ["domestic", "reverse-charge", "intra-community", "export", "exempt"] as const
export type TaxTreatment = (typeof taxTreatments)[number]

/** The categories that need the tax ID of the customer on an issued invoice. */
export const categoriesWithTaxId: readonly (TaxCategory | null)[] = ["AE", "K"]

/** The categories whose tax codes must have a reason. AE, K and G have a text of their own. */
export const categoriesWithReason: readonly TaxCategory[] = ["E", "O"]

/** Returns the category of a line for a treatment, or null if the line is taxed by its item or tax code. */
export function categoryByTreatment(treatment: TaxTreatment, isService: boolean): TaxCategory | null {
  switch (treatment) {
    case "domestic":
      return null
    case "reverse-charge":
      return "AE"
    case "intra-community":
      return isService ? "AE" : "K"
    case "export":
      return "G"
    case "exempt":
      return "E"
  }
}

/** Returns the category of a rate without a tax code: at 0 % it is not known why there is no tax. */
export const categoryByRate = (taxRate: number): TaxCategory | null => (taxRate > 0 ? "S" : null)

/** The categories whose documents say by law why no tax is charged, and whose tax codes need no text of their own. */
type Category = "AE" | "K" | "G"

/** The texts on a document, in its language: reverse charge, intra-Community supply of goods, export. */
export const taxReasons: Record<Language, Record<Category, string>> = {
  en: {
    AE: "Reverse charge: VAT is payable by the customer",
    K: "VAT-exempt intra-Community supply of goods",
    G: "VAT-exempt export of goods",
  },
  de: {
    AE: "Steuerschuldnerschaft des Leistungsempfängers",
    K: "Steuerfreie innergemeinschaftliche Lieferung",
    G: "Steuerfreie Ausfuhrlieferung",
  },
  fr: {
    AE: "Autoliquidation : la TVA est due par le client",
    K: "Livraison intracommunautaire exonérée de TVA",
    G: "Exportation exonérée de TVA",
  },
}
