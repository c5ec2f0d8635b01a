/** What is offered; any other text is as good. */
export const customerTypes = ["Company", "Individual", "Partnership", "Government", "NonProfit"]
export const paymentTerms = ["Due on receipt", "Net 7", "Net 14", "Net 30", "Net 60", "EOM"]
