/** The suggested customer types. Any other text is allowed. */
export const customerTypes = ["Company", "Individual", "Partnership", "Government", "NonProfit"] as const
export type CustomerType = (typeof customerTypes)[number]

/**
 * The methods of payments that the API names. Any other text is allowed: a paid gift voucher is a payment with the method
 * `voucher`, whatever the language of the user.
 */
export const namedMethods = ["voucher"] as const
export type NamedMethod = (typeof namedMethods)[number]

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
