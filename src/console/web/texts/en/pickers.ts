/** The inputs that find or create a customer or an item. */
export const pickers = {
  options: "Options",
  searching: "Searching",
  create: 'Create "{{typed}}"',
  customerHint: "Name or number",
  noCustomer: "No customer found",
  createNewCustomer: "Create a new customer",
  noCreditLimit: "No credit limit",
  overCreditLimit: "{{amount}} over the credit limit",
  creditAvailable: "{{amount}} credit available",
  exceedsCredit: "This exceeds the available credit",
  itemHint: "Code or name",
  noItem: "No item found",
  createNewItem: "Create a new item",
} as const
