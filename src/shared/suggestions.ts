import type { Language } from "./languages"

/** The suggested customer types. Any other text is allowed. */
export const customerTypes = ["Company", "Individual", "Partnership", "Government", "NonProfit"] as const
export type CustomerType = (typeof customerTypes)[number]

/**
 * The methods of payments that the API names. Any other text is allowed: a paid gift voucher is a payment with the method
 * `voucher`, whatever the language of the user.
 */
export const namedMethods = ["voucher"] as const
export type NamedMethod = (typeof namedMethods)[number]

/**
 * The usual methods of payments, in the languages of documents. What is stored is the text that somebody chose or that came
 * with a file, and people read it in their own language.
 */
export const usualMethods: readonly Readonly<Record<Language, string>>[] = [
  { en: "Bank transfer", de: "Überweisung", fr: "Virement" },
  { en: "Cash", de: "Bar", fr: "Espèces" },
  { en: "Card", de: "Karte", fr: "Carte" },
  { en: "Direct debit", de: "Lastschrift", fr: "Prélèvement" },
  { en: "Cheque", de: "Scheck", fr: "Chèque" },
]

const usualOf = (method: string) => usualMethods.find((usual) => Object.values(usual).includes(method))

/** A usual method in a language; any other text as it is. */
export const methodIn = (language: Language, method: string): string => usualOf(method)?.[language] ?? method

/** A usual method in the other languages. */
export const alsoCalled = (method: string): string[] =>
  Object.values(usualOf(method) ?? {}).filter((each) => each !== method)

/** Only a service has no stock. */
export const itemTypes = ["Product", "Service", "Consumable"] as const

/** The reasons that people can give when they change stock. */
export const givenReasons = ["receipt", "adjustment", "return"] as const
export type GivenReason = (typeof givenReasons)[number]

/** The `sourceType` of an adjustment that a stock count has written. It has no `sourceId`, because a count is no record. */
export const countSource = "stock-count"

/** All reasons for a stock movement: those that people can give, and those that the server sets. */
export const reasons = [...givenReasons, "invoice", "cancellation", "credit", "delivery"] as const

/** The types of actor that an audit log entry can name. */
export const actorTypes = ["user", "apiKey", "oauthClient", "anonymous", "system"] as const
export type ActorType = (typeof actorTypes)[number]

export const outcomes = ["success", "failure", "refused"] as const
export type Outcome = (typeof outcomes)[number]

/** The types of a logo, and its largest size in bytes. */
export const logoTypes = ["image/png", "image/jpeg"] as const
export type LogoType = (typeof logoTypes)[number]
export const mostLogoBytes = 256 * 1024

/** The largest files of an import, in bytes. */
export const mostImportBytes = {
  csv: 32 * 1024 * 1024,
  xlsx: 8 * 1024 * 1024,
  ndjson: 32 * 1024 * 1024,
} as const
