/** The reasons that people can give when they change stock. */
export const givenReasons = ["receipt", "adjustment", "return"] as const
export type GivenReason = (typeof givenReasons)[number]

/** The `sourceType` of an adjustment that a stock count has written. It has no `sourceId`, because a count is no record. */
export const countSource = "stock-count"

/** All reasons for a stock movement: those that people can give, and those that the server sets. */
export const reasons = [...givenReasons, "invoice", "cancellation", "credit"] as const
