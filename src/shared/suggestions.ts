/** The suggested customer types. Any other text is allowed. */
export const customerTypes = ["Company", "Individual", "Partnership", "Government", "NonProfit"] as const
export type CustomerType = (typeof customerTypes)[number]
