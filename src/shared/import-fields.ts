/** The fields that a file can have for each kind of import. `required` ones must have a column. */
export const importFields = {
  items: {
    required: ["itemCode", "itemName"],
    optional: [
      "barcode",
      "category",
      "itemType",
      "uom",
      "sellingPrice",
      "costPrice",
      "taxCode",
      "taxRate",
      "reorderLevel",
      "reorderQty",
      "description",
      "images",
      "externalId",
      "metadata",
      "isActive",
    ],
  },
  customers: {
    required: ["name"],
    optional: [
      "customerNumber",
      "email",
      "invoiceEmail",
      "phone",
      "type",
      "contactName",
      "firstName",
      "lastName",
      "address.street",
      "address.city",
      "address.state",
      "address.zipCode",
      "address.country",
      "shippingAddress.street",
      "shippingAddress.city",
      "shippingAddress.state",
      "shippingAddress.zipCode",
      "shippingAddress.country",
      "language",
      "creditLimit",
      "paymentTerms",
      "taxId",
      "taxTreatment",
      "taxReason",
      "buyerReference",
      "pricesIncludeTax",
      "remindersPausedUntil",
      "notes",
      "externalId",
      "metadata",
      "isActive",
    ],
  },
  "stock-counts": { required: ["counted"], optional: ["itemCode", "barcode", "externalId"] },
  "opening-invoices": {
    required: ["invoiceNumber", "invoiceDate", "balance"],
    optional: ["customerNumber", "customerExternalId", "customer", "dueDate", "notes", "externalId"],
  },
} as const

/**
 * The fields that find the record of a row: the one that it updates, the item that was counted, or the customer of an
 * invoice. One of them must have a column, unless records are only created.
 */
export const importKeys = {
  items: ["itemCode", "externalId", "barcode"],
  customers: ["customerNumber", "externalId"],
  "stock-counts": ["itemCode", "barcode", "externalId"],
  "opening-invoices": ["customerNumber", "customerExternalId", "customer"],
} as const

/** The fields of which one is enough instead of a required field. */
export const importStandIns = { customers: { name: ["lastName", "firstName"] } } as const

/** What the quantities of a stock count are called. An import of items leaves such a column out. */
export const countedTitles: readonly string[] = [
  "Counted",
  "Count",
  "Counted stock",
  "Quantity",
  "Stock",
  "Stock on hand",
  "On hand",
  "currentStock",
  "Gezählt",
  "Bestand",
  "Lagerbestand",
  "Aktueller Bestand",
  "Menge",
  "Anzahl",
  "Ist",
  "Ist-Bestand",
  "Istbestand",
  "Stück",
  "Qty",
  "Quantité",
  "Cantidad",
  "Quantità",
  "Aantal",
  "Voorraad",
]

const plain = (title: string): string =>
  title
    .replace(/\(.*?\)|\[.*?\]/g, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** True for a column with quantities in stock, also if it names the unit: "Bestand (Stk)". */
export const isCountedTitle = (title: string): boolean =>
  countedTitles.some((each) => plain(each) === plain(title))
