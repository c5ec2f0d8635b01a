/** Why people change stock. */
export const givenReasons = ["receipt", "adjustment", "return"] as const
export type GivenReason = (typeof givenReasons)[number]

/** Why stock changed: what people may give as a reason, and what the service writes itself. */
export const reasons = [...givenReasons, "invoice", "cancellation"] as const
