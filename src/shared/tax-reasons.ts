import type { Language } from "./languages"

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
