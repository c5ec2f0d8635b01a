import type { Language } from "../languages"
import type { TaxCategory } from "./tax"

/** A tax code that is offered to a business in a country. */
export type TaxPreset = {
  code: string
  name: string
  category: TaxCategory
  rate: number
  reason: string | null
}

type Country = {
  /** What people in the country call the tax. */
  tax: string
  /** The rates in per cent, the standard rate first. As of November 2026. */
  rates: readonly number[]
  isEu: boolean
  /** Why a sale is exempt, by the law of the country: the scheme for small businesses, where there is one. */
  exempt?: string
}

const eu = (tax: string, rates: readonly number[], exempt?: string): Country => ({
  tax,
  rates,
  isEu: true,
  exempt,
})

const countries: Record<string, Country> = {
  AT: eu("USt", [20, 13, 10], "Umsatzsteuerfrei aufgrund der Kleinunternehmerregelung, § 6 Abs. 1 Z 27 UStG"),
  BE: eu("TVA/BTW", [21, 12, 6], "Régime particulier de franchise des petites entreprises"),
  BG: eu("ДДС", [20, 9]),
  CY: eu("ΦΠΑ", [19, 9, 5]),
  CZ: eu("DPH", [21, 12]),
  DE: eu("USt", [19, 7], "Steuerbefreiung für Kleinunternehmer, § 19 UStG"),
  DK: eu("moms", [25]),
  EE: eu("KM", [24, 13, 9]),
  ES: eu("IVA", [21, 10, 4], "Operación exenta, art. 20 Ley 37/1992"),
  FI: eu("ALV", [25.5, 13.5, 10]),
  FR: eu("TVA", [20, 10, 5.5, 2.1], "TVA non applicable, art. 293 B du CGI"),
  GR: eu("ΦΠΑ", [24, 13, 6]),
  HR: eu("PDV", [25, 13, 5]),
  HU: eu("ÁFA", [27, 18, 5]),
  IE: eu("VAT", [23, 13.5, 9]),
  IT: eu("IVA", [22, 10, 5, 4], "Operazione in franchigia da IVA, art. 1, commi 54-89, L. 190/2014"),
  LT: eu("PVM", [21, 12, 5]),
  LU: eu("TVA", [17, 14, 8, 3], "Franchise de taxe, art. 57 de la loi TVA"),
  LV: eu("PVN", [21, 12, 5]),
  MT: eu("VAT", [18, 12, 7, 5]),
  NL: eu("btw", [21, 9], "Vrijgesteld van btw, artikel 25 Wet OB (kleineondernemersregeling)"),
  PL: eu("VAT", [23, 8, 5], "Zwolnienie z VAT, art. 113 ust. 1 ustawy o VAT"),
  PT: eu("IVA", [23, 13, 6], "IVA - regime de isenção, art. 53.º do CIVA"),
  RO: eu("TVA", [21, 11]),
  SE: eu("moms", [25, 12, 6]),
  SI: eu("DDV", [22, 9.5, 5]),
  SK: eu("DPH", [23, 19, 5]),
  CH: {
    tax: "MWST",
    rates: [8.1, 3.8, 2.6],
    isEu: false,
    exempt: "Von der Steuer ausgenommen, Art. 21 MWSTG",
  },
  GB: { tax: "VAT", rates: [20, 5, 0], isEu: false, exempt: "Exempt supply, VAT Act 1994, Schedule 9" },
  NO: {
    tax: "MVA",
    rates: [25, 15, 12],
    isEu: false,
    exempt: "Unntatt fra merverdiavgift, mval. kapittel 3",
  },
}

/** The countries that have presets, by their code of ISO 3166-1. */
export const presetCountries: readonly string[] = Object.keys(countries).toSorted()

type Words = Record<Exclude<TaxCategory, "S" | "Z">, string> & { smallBusiness: string; outside: string }

const words: Record<Language, Words> = {
  en: {
    E: "Exempt",
    AE: "Reverse charge",
    K: "Intra-Community supply",
    G: "Export",
    O: "Not subject to tax",
    smallBusiness: "VAT-exempt small enterprise, Article 284 of Directive 2006/112/EC",
    outside: "Outside the scope of VAT",
  },
  de: {
    E: "Steuerfrei",
    AE: "Reverse-Charge",
    K: "Innergemeinschaftliche Lieferung",
    G: "Ausfuhr",
    O: "Nicht steuerbar",
    smallBusiness: "Steuerbefreiung für Kleinunternehmen, Artikel 284 der Richtlinie 2006/112/EG",
    outside: "Nicht steuerbarer Umsatz",
  },
  fr: {
    E: "Exonéré",
    AE: "Autoliquidation",
    K: "Livraison intracommunautaire",
    G: "Exportation",
    O: "Hors champ de la TVA",
    smallBusiness: "Franchise des petites entreprises, article 284 de la directive 2006/112/CE",
    outside: "Opération hors du champ d’application de la TVA",
  },
}

/** Returns the tax codes for a country, with names in a language; none for a country without presets. */
export function taxPresetsOf(country: string, language: Language): TaxPreset[] {
  const found = countries[country]
  if (!found) return []
  const { tax, rates, isEu, exempt } = found
  const says = words[language]
  const without = (category: Exclude<TaxCategory, "S" | "Z">, reason: string | null = null): TaxPreset => ({
    code: `${country}-${category}`,
    name: says[category],
    category,
    rate: 0,
    reason,
  })
  return [
    ...rates.map((rate): TaxPreset => {
      const category = rate > 0 ? "S" : "Z"
      return {
        code: `${country}${rate}`,
        name: `${percent(rate, language)} ${tax}`,
        category,
        rate,
        reason: null,
      }
    }),
    without("E", exempt ?? says.smallBusiness),
    ...(isEu || country === "GB" ? [without("AE")] : []),
    ...(isEu ? [without("K")] : []),
    without("G"),
    without("O", says.outside),
  ]
}

const percent = (rate: number, language: Language): string =>
  `${language === "en" ? rate : String(rate).replace(".", ",")} %`
