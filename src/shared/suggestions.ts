/** Customer types that are offered; any other text is allowed. */
export const customerTypes = ["Company", "Individual", "Partnership", "Government", "NonProfit"]
