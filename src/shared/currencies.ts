/** ISO 4217 codes that can be chosen: without those for testing and for no currency at all. */
export const currencyCodes = (): string[] =>
  Intl.supportedValuesOf("currency").filter((code) => code !== "XXX" && code !== "XTS")

/** How many decimals a currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
export const digitsOf = (code: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions()
    .maximumFractionDigits ?? 2
