/** The reasons that people can give when they change stock. */
export const givenReasons = ["receipt", "adjustment", "return"] as const
export type GivenReason = (typeof givenReasons)[number]

/** All reasons for a stock movement: those that people can give, and those that the server sets. */
export const reasons = [...givenReasons, "invoice", "cancellation", "credit"] as const
