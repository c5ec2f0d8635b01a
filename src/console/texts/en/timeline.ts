import type { Kind } from "../../api/types"

/** The records that have a timeline, and any other record. */
type Told =
  Extract<Kind, "items" | "tax-codes" | "customers" | "sales-orders" | "invoices" | "credit-notes"> | "record"
type Named = Record<Told, string>

/** What happened to a record. */
export const timeline = {
  title: "Timeline",
  showMoreLabel: "Show more of the timeline",
  /** Who did it. */
  apiKey: "API key {{name}}",
  anApiKey: "An API key",
  anApp: "A connected app",
  somebody: "Somebody",
  created: {
    items: "{{actor}} created the item",
    "tax-codes": "{{actor}} created the tax code",
    customers: "{{actor}} created the customer",
    "sales-orders": "{{actor}} created the order",
    invoices: "{{actor}} created the invoice",
    "credit-notes": "{{actor}} created the credit note",
    record: "{{actor}} created the record",
  } satisfies Named,
  activated: {
    items: "{{actor}} activated the item",
    "tax-codes": "{{actor}} activated the tax code",
    customers: "{{actor}} activated the customer",
    "sales-orders": "{{actor}} activated the order",
    invoices: "{{actor}} activated the invoice",
    "credit-notes": "{{actor}} activated the credit note",
    record: "{{actor}} activated the record",
  } satisfies Named,
  deactivated: {
    items: "{{actor}} deactivated the item",
    "tax-codes": "{{actor}} deactivated the tax code",
    customers: "{{actor}} deactivated the customer",
    "sales-orders": "{{actor}} deactivated the order",
    invoices: "{{actor}} deactivated the invoice",
    "credit-notes": "{{actor}} deactivated the credit note",
    record: "{{actor}} deactivated the record",
  } satisfies Named,
  cancelled: {
    items: "{{actor}} cancelled the item",
    "tax-codes": "{{actor}} cancelled the tax code",
    customers: "{{actor}} cancelled the customer",
    "sales-orders": "{{actor}} cancelled the order",
    invoices: "{{actor}} cancelled the invoice",
    "credit-notes": "{{actor}} cancelled the credit note",
    record: "{{actor}} cancelled the record",
  } satisfies Named,
  /** A sentence with the reason behind it. */
  because: "{{sentence}} (reason: {{reason}})",
  imported: "{{actor}} imported the invoice {{number}}",
  issued: "{{actor}} issued the invoice as {{number}}",
  issuedAboveLimit: "{{actor}} issued the invoice as {{number}} above the credit limit",
  issuedForOrder: "{{actor}} issued the invoice as {{number}} for order {{order}}",
  noteIssued: "{{actor}} issued the credit note as {{number}} for {{invoice}}",
  credited: "{{actor}} credited {{amount}}",
  fullyCredited: "{{actor}} settled the invoice: it is credited in full",
  /** `creditNote` and `invoice` are numbers, or the words below. */
  applied: "{{actor}} applied {{amount}} of {{creditNote}}",
  appliedTo: "{{actor}} applied {{amount}} to {{invoice}}",
  applicationVoided: "{{actor}} voided the application of {{amount}}",
  refunded: "{{actor}} refunded {{amount}}",
  refundVoided: "{{actor}} voided the refund of {{amount}}",
  aCreditNote: "a credit note",
  anInvoice: "an invoice",
  settled: "{{actor}} settled the invoice: it is paid in full",
  reopened: "{{actor}} reopened the order",
  submitted: "{{actor}} submitted the order",
  submittedAboveLimit: "{{actor}} submitted the order above the credit limit",
  completed: "{{actor}} completed the order",
  statusChanged: "{{actor}} changed the status to {{status}}",
  paymentAdded: "{{actor}} added a payment of {{amount}}",
  paymentDeleted: "{{actor}} deleted the payment of {{amount}}",
  paymentRecorded: "{{actor}} recorded the payment of {{amount}}",
  allocated: "{{actor}} allocated {{amount}} to {{number}}",
  allocationVoided: "{{actor}} voided the allocation of {{amount}} to {{number}}",
  pdfCreated: "{{actor}} created the PDF in {{language}}",
  xmlCreated: "{{actor}} created the e-invoice ({{form}})",
  /** An action that the console does not know. */
  other: "{{actor}} {{action}}",
  changed: "{{actor}} changed the {{field}}",
  changedFromTo: "{{actor}} changed the {{field}} from {{from}} to {{to}}",
  set: "{{actor}} set the {{field}} to {{to}}",
  removed: "{{actor}} removed the {{field}} {{from}}",
  moreChanged_one: "{{actor}} changed {{shown}} more field",
  moreChanged_other: "{{actor}} changed {{shown}} more fields",
  /** Fields that have another name in a sentence than in a table. */
  fields: {
    items: "lines",
    itemCode: "code",
    itemName: "name",
    itemType: "type",
    uom: "unit",
    reorderQty: "reorder quantity",
    taxId: "tax ID",
    externalId: "external ID",
  },
} as const
