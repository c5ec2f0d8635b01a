/** The languages of printed documents. */
export const languages = ["en", "de", "fr"] as const
export type Language = (typeof languages)[number]
