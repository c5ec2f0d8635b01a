/** The ISO 4217 codes to choose from, without the codes for testing (XTS) and for "no currency" (XXX). */
export const currencyCodes = (): string[] =>
  Intl.supportedValuesOf("currency").filter((code) => code !== "XXX" && code !== "XTS")

/** The number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export const digitsOf = (code: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions()
    .maximumFractionDigits ?? 2
