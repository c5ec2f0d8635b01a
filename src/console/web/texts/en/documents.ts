/** What orders and invoices have in common: their inputs, lines and totals. */
export const documents = {
  lines: "Lines",
  linesError: "Lines: {{error}}",
  line: "Line {{line}}",
  addLine: "Add line",
  removeLine: "Remove line {{line}}",
  invoiced: "Invoiced",
  /** The title of a narrow column. */
  taxRate: "Tax rate",
  taxRateOf: "Tax rate {{rate}}",
  taxRateAndInvoiced: "Tax rate {{rate}} · {{quantity}} invoiced",
  discounted: "{{line}}, {{discount}} % discount",
  /** The inputs of a line. */
  part: { item: "Item", quantity: "Quantity", rate: "Rate", discount: "Discount %" },
  partOfLine: {
    item: "Item, line {{line}}",
    quantity: "Quantity, line {{line}}",
    rate: "Rate, line {{line}}",
    discount: "Discount %, line {{line}}",
  },
  available: "{{quantity}} {{uom}} available",
  onlyAvailable: "Only {{quantity}} {{uom}} available",
  noneAvailable: "Nothing available",
  lessAvailable: "Nothing available, {{quantity}} {{uom}} short already",
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
  anotherItem: "another item",
  totals: "Totals",
  beforeDiscount: "Before discount",
  tax: "Tax",
  taxOfRate: "Tax {{rate}} %",
  confirmCancel: "Cancel {{number}}?",
  wasCancelled: "{{number}} was cancelled.",
  saveDraft: "Save draft",
  print: "Print",
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
