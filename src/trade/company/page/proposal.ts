/** The currencies of the regions from which most shops come. Other regions get no proposal. */
const regionsOf: Record<string, string> = {
  EUR: "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK",
  USD: "EC PA PR SV US",
  GBP: "GB GG IM JE",
  CHF: "CH LI",
  AUD: "AU",
  BRL: "BR",
  CAD: "CA",
  CNY: "CN",
  CZK: "CZ",
  DKK: "DK FO GL",
  HKD: "HK",
  HUF: "HU",
  ILS: "IL",
  INR: "IN",
  ISK: "IS",
  JPY: "JP",
  KRW: "KR",
  MXN: "MX",
  NOK: "NO",
  NZD: "NZ",
  PLN: "PL",
  RON: "RO",
  SEK: "SE",
  SGD: "SG",
  TRY: "TR",
  UAH: "UA",
  ZAR: "ZA",
}

/** The region of the browser, or the main region of its language: DE for de. Empty if it has none. */
export function regionOf(languages: readonly string[]): string {
  const locales = languages.map((each) => new Intl.Locale(each))
  return locales.find((locale) => locale.region)?.region ?? locales[0]?.maximize().region ?? ""
}

/** The currency of a region: EUR for DE. Null if it is not known. */
export const currencyIn = (region: string): string | null =>
  Object.keys(regionsOf).find((currency) => regionsOf[currency]?.split(" ").includes(region)) ?? null

/** The currency of the browser's region: EUR for de-DE. Null if it is not known. */
export const currencyOf = (languages: readonly string[]): string | null => currencyIn(regionOf(languages))

/** The currency and the time zone of the browser, for a shop that has not stored its own yet. */
export function proposal(): { currency?: string; timeZone: string } {
  const currency = currencyOf(navigator.languages)
  return {
    ...(currency ? { currency } : {}),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}
