import type { Settings } from "../../../console/api/types"
import { germanFormats } from "../../../trade/company/page/numbering"
import { currencyIn, regionOf } from "../../../trade/company/page/proposal"
import { languages as paperLanguages, type Language } from "../../../shared/languages"

/** What the set-up proposes to a shop. An empty text proposes nothing. */
export type Defaults = {
  language: Language
  unit: string
  terms: string
  /** How an issued invoice is cancelled: in Germany with a document that says so. */
  correctBy: Settings["correctBy"]
  /** The number formats that differ from the usual ones. */
  numberFormats: Partial<Settings["numberFormats"]>
}

/** Countries where people expect the language of the country on paper, whatever the browser speaks. */
const languageIn: Partial<Record<string, Language>> = { DE: "de", AT: "de", FR: "fr", MC: "fr" }
const germanInPart = ["CH", "LI"]

/** Returns the defaults of a country for a browser with these languages. */
export function defaultsOf(country: string | null, browser: readonly string[]): Defaults {
  const spoken = browser.map((each) => each.slice(0, 2))
  const own = spoken.map((each) => paperLanguages.find((known) => known === each)).find(Boolean)
  const isSwiss = country !== null && germanInPart.includes(country)
  const swiss: Language = own === "fr" ? "fr" : "de"
  const language = languageIn[country ?? ""] ?? (isSwiss ? swiss : (own ?? "en"))
  const isGerman = language === "de" && (isSwiss || languageIn[country ?? ""] === "de")
  if (!isGerman) return { language, unit: "", terms: "", correctBy: "cancel", numberFormats: {} }
  return {
    language,
    unit: "Stk",
    terms: isSwiss ? "30 Tage netto" : "14 Tage netto",
    correctBy: "credit-note",
    numberFormats: germanFormats,
  }
}

const zones: Partial<Record<string, string>> = {
  DE: "Europe/Berlin",
  AT: "Europe/Vienna",
  CH: "Europe/Zurich",
  LI: "Europe/Vaduz",
}

/** The currency and the time zone of a country; nothing that is not known. */
export function placeOf(country: string | null): Partial<Pick<Settings, "currency" | "timeZone">> {
  const currency = currencyIn(country ?? "")
  const timeZone = zones[country ?? ""]
  return { ...(currency ? { currency } : {}), ...(timeZone ? { timeZone } : {}) }
}

/** The country of the browser; null if it is not known. */
export const countryOf = (browser: readonly string[]): string | null => {
  const region = regionOf(browser)
  return /^[A-Z]{2}$/.test(region) ? region : null
}
