/** What orders and invoices have in common: their inputs, lines and totals. */
export const documents = {
  lines: "Lines",
  linesError: "Lines: {{error}}",
  line: "Line {{line}}",
  addLine: "Add line",
  addFreeLine: "Add free line",
  /** Of a line without an item. */
  descriptionHint: "What you sell",
  pricesIncludeTax: "Prices include tax",
  pricesAreNet: "Prices are without tax, because of the customer's tax treatment",
  treatmentChanged:
    "The tax treatment of the customer is now “{{treatment}}”. Prices and tax are shown by it. Save the document to keep them.",
  more: "More details",
  buyerReferenceHint:
    "The customer's own order number or reference. For public customers in Germany: the Leitweg-ID",
  /** At a field that can be updated after the document was issued. */
  filesKeepValue: "The PDF and the e-invoice keep the value of the issue.",
  /** Where the usual tax of a line comes from. */
  taxFrom: {
    item: "{{rate}} % · from the item",
    customer: "{{rate}} % · from the customer",
    default: "{{rate}} % · default",
  },
  asAmount: "Enter the discount of line {{line}} as an amount",
  asPercentage: "Enter the discount of line {{line}} as a percentage",
  removeLine: "Remove line {{line}}",
  invoiced: "Invoiced",
  taxRateOf: "Tax rate {{rate}}",
  invoicedQuantity: "{{quantity}} invoiced",
  returned: "Returned",
  returnedQuantity: "{{quantity}} returned",
  credited: "Credited",
  creditedAmount: "{{amount}} credited",
  discounted: "{{line}}, {{discount}} discount",
  /** The inputs of a line. */
  part: {
    item: "Item",
    description: "Description",
    uom: "Unit",
    quantity: "Quantity",
    rate: "Rate",
    discount: "Discount %",
    discountAmount: "Discount amount",
    tax: "Tax",
  },
  partOfLine: {
    item: "Item, line {{line}}",
    description: "Description, line {{line}}",
    uom: "Unit, line {{line}}",
    quantity: "Quantity, line {{line}}",
    rate: "Rate, line {{line}}",
    discount: "Discount %, line {{line}}",
    discountAmount: "Discount amount, line {{line}}",
    tax: "Tax, line {{line}}",
  },
  available: "{{quantity}} {{uom}} available",
  onlyAvailable: "Only {{quantity}} {{uom}} available",
  noneAvailable: "Nothing available",
  lessAvailable: "Nothing available, {{quantity}} {{uom}} short already",
  noTerms: "None: due at once",
  /** The suggested payment terms. The server must understand them. */
  terms: {
    onReceipt: "Due on receipt",
    net7: "Net 7",
    net14: "Net 14",
    net30: "Net 30",
    net60: "Net 60",
    endOfMonth: "EOM",
  },
  /** A line in the comparison of two versions. */
  lineInWords: "{{quantity}} × {{item}} at {{rate}}",
  discountedLineInWords: "{{quantity}} × {{item}} at {{rate}}, {{discount}} % discount",
  amountOffLineInWords: "{{quantity}} × {{item}} at {{rate}}, discount {{discount}}",
  anotherItem: "another item",
  totals: "Totals",
  beforeDiscount: "Before discount",
  tax: "Tax",
  taxOfRate: "Tax {{rate}}",
  taxOnBase: "{{tax}} on {{base}}",
  includedTax: "includes tax {{rate}}: {{tax}} on {{base}}",
  confirmCancel: "Cancel {{number}}?",
  wasCancelled: "{{number}} was cancelled.",
  saveDraft: "Save draft",
  creditExceeded: "Credit limit exceeded",
  /** For users who may not exceed the credit limit. */
  creditRefused: {
    order: "{{message}} The order stays a draft. A manager can submit it anyway.",
    invoice: "{{message}} The invoice stays a draft. A manager can issue it anyway.",
  },
  /** For users who may exceed the credit limit. */
  creditQuestion: {
    order: "{{message}} The order stays a draft unless you submit it anyway.",
    invoice: "{{message}} The invoice stays a draft unless you issue it anyway.",
  },
} as const
