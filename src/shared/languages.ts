/** The languages of printed documents. */
export const languages = ["en", "de", "fr"] as const
export type Language = (typeof languages)[number]

/** The languages of the console, each with its own name. */
export const consoleLanguages = { en: "English", de: "Deutsch" } as const
export type ConsoleLanguage = keyof typeof consoleLanguages
