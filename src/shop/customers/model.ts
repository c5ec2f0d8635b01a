import { address } from "../../core/kind/address"
import { Type, type Static } from "@sinclair/typebox"
import { body, type BodyOf } from "../../core/kind/body"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import { textIn } from "../../core/engine/sql"
import { refusalsOf } from "../../core/lib/refusal"
import { externalFields } from "../../core/kind/tag"
import { fold } from "../../core/lib/text"
import {
  amount,
  boolean,
  choice,
  derived,
  findsAlike,
  price,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  status,
  sum,
  withDefault,
} from "../../core/kind/field"
import { code, email, text } from "../../core/kind/text-field"
import { languages } from "../../shared/languages"
import { customerTypes } from "../../shared/suggestions"
import { taxTreatments } from "../../shared/documents/tax"
import { addressKey } from "./duplicates/alike"
import { pausedUntil } from "../../trade/documents/model"
import { rightsOf } from "../../shared/rights"

/** What of an order is neither invoiced nor asked for with deposits that are still to be deducted. */
const leftOfOrder = "total - invoiced_total - deposit_total + deducted_total"
const openValue = `CASE WHEN ${leftOfOrder} > 0 THEN ${leftOfOrder} ELSE 0 END`

/**
 * The outstanding balance and the open orders of a customer must match the documents. One that was merged has neither;
 * the checks of documents say that it has no documents.
 */
const customerChecks: readonly Check[] = [
  {
    says: ({ name, is, should }) =>
      `The outstanding balance of customer ${name} is ${is}; the open invoices add up to ${should}.`,
    sql: `SELECT customer_number AS name, outstanding_balance AS "is", coalesce(sum(balance), 0) AS should
      FROM customers LEFT JOIN invoices ON customer = customers.id AND invoices.status NOT IN ('draft', 'cancelled')
      GROUP BY customers.id HAVING outstanding_balance <> coalesce(sum(balance), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The credit balance of customer ${name} is ${is}; what is left of credit notes and payments adds up to ${should}.`,
    sql: `SELECT * FROM (SELECT customer_number AS name, credit_balance AS "is",
        (SELECT coalesce(sum(unapplied), 0) FROM credit_notes WHERE customer = customers.id)
          + (SELECT coalesce(sum(unallocated), 0) FROM live_payments WHERE customer = customers.id) AS should
      FROM customers) AS found WHERE "is" <> should`,
  },
  {
    says: ({ name, is, should }) =>
      `Customer ${name} has open orders of ${is}; the orders add up to ${should}.`,
    sql: `SELECT customer_number AS name, open_orders_value AS "is", coalesce(sum(${openValue}), 0) AS should
      FROM customers LEFT JOIN sales_orders ON customer = customers.id AND status = 'submitted'
      GROUP BY customers.id HAVING open_orders_value <> coalesce(sum(${openValue}), 0)`,
  },
  {
    says: ({ name }) => `Customer ${name} was merged into another one, but is active or has a balance.`,
    sql: `SELECT customer_number AS name FROM customers WHERE merged_into IS NOT NULL
      AND (is_active = 1 OR outstanding_balance <> 0 OR open_orders_value <> 0 OR credit_balance <> 0)`,
  },
  {
    says: ({ name }) => `Customer ${name} was merged into one that was merged itself.`,
    sql: `SELECT merged.customer_number AS name FROM customers AS merged
      JOIN customers AS survivor ON survivor.id = merged.merged_into WHERE survivor.merged_into IS NOT NULL`,
  },
]

/** The refusals of the rules of customers. */
export const customerRefusals = refusalsOf({
  MERGE_TOO_LARGE: {
    about:
      "The customer that would be merged has more than 2,000 documents, or payments and customers merged into it",
    de: "Zu dem Kunden gehören mehr als 2.000 Belege und Zahlungen. So viele lassen sich nicht zusammenführen.",
  },
})

/** The number of digits at the end of a phone number that are compared, so that the country code does not matter. */
const comparedDigits = 8
const lastDigits = (phone: string): string => phone.replace(/\D/g, "").slice(-comparedDigits)
const lettersAndDigits = (taxId: string): string => fold(taxId).replace(/[^\p{L}\p{N}]/gu, "")

/** The form in which the number of a customer is stored: in capital letters, so that it is found in any case. */
export const customerNumberOf = (number: string): string => number.trim().toUpperCase()

/** A person or company that buys. */
export const customers = defineResource({
  name: "customers",
  table: "customers",
  idPrefix: "cus",
  noun: "customer",
  title: "Customer",
  about: "The people and companies that buy from the business.",
  menu: { group: "sell", place: 6, path: "/customers", recordPath: "/customers/:id", icon: "users-group" },
  names: {
    en: {
      title: "Customers",
      one: "customer",
      many: "customers",
      the: "the customer",
      new: "New customer",
      fields: { invoiceEmail: "Email for invoices", mergedInto: "Merged into" },
      events: { merged: "Merged into another" },
    },
    de: {
      title: "Kunden",
      one: "Kunde",
      many: "Kunden",
      the: "den Kunden",
      new: "Neuer Kunde",
      fields: { invoiceEmail: "E-Mail für Rechnungen", mergedInto: "Zusammengeführt mit" },
      events: { merged: "Zusammengeführt" },
    },
    fr: { fields: { invoiceEmail: "E-mail pour factures", mergedInto: "Fusionné avec" } },
  },
  rights: rightsOf("customers"),
  numbers: { field: "customerNumber", prefix: "CUST", format: "CUST-{#####}", german: "KD-{#####}" },
  hasHistory: true,
  events: { merged: ({ before, after }) => Boolean(after.mergedInto) && !before?.mergedInto },
  refusals: customerRefusals,
  search: ["name", "customerNumber", "address.zipCode", "address.city"],
  searchMore: ["contactName", "email", "phone", "taxId"],
  fragments: ["email", "phone", "taxId", "address.zipCode"],
  found: { code: "customerNumber", title: "name" },
  indexed: { sort: ["createdAt", "updatedAt", "name"], unique: ["customerNumber", "externalId"] },
  counted: ["type", "country"],
  countsChanges: true,
  mergedInto: "mergedInto",
  onCreate: {
    customerNumber: text({
      max: 64,
      isCode: true,
      examples: ["K-10001"],
      description:
        "The number of the customer in another system, given by a manager or admin: one that is free and that Kontor cannot assign itself. By default Kontor assigns the next number",
      check: (value) =>
        /^[ -~]+$/.test(value)
          ? { value: customerNumberOf(value) }
          : { error: "must consist of letters A to Z, digits and signs of ASCII", format: "printable" },
    }),
  },
  bulky: { fields: ["notes", "metadata"], from: 26 },
  checks: customerChecks,
  fields: {
    customerNumber: readOnly(code("CUST-00001")),
    name: required(text({ examples: ["Nordlicht GmbH"] })),
    email: email(),
    invoiceEmail: {
      ...email(),
      schema: {
        ...email().schema,
        description: "For invoices, credit notes, reminders and statements, if it is not `email`",
      },
    },
    phone: findsAlike(text({ max: 40, examples: ["+49 40 1234567"] }), lastDigits),
    type: withDefault(text({ max: 40, examples: [...customerTypes] }), "Company"),
    contactName: text({ examples: ["Anna Petersen"] }),
    address: findsAlike(address(), addressKey),
    country: derived(
      readOnlyNullable({
        ...text({
          max: 2,
          examples: ["DE"],
          description: "The country of `address`, to filter and to count by",
        }),
        isExact: true,
      }),
      () => textIn("address", "country"),
    ),
    shippingAddress: address(),
    language: choice(languages),
    creditLimit: price(10_000),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    taxId: findsAlike(text({ max: 64, examples: ["DE136695976"] }), lettersAndDigits),
    taxTreatment: withDefault(choice(taxTreatments), "domestic"),
    taxReason: text({
      max: 500,
      multiline: true,
      description: "Why sales are exempt, for the treatment exempt",
    }),
    buyerReference: text({
      max: 100,
      examples: ["04011000-12345-03"],
      description: "The reference of new documents, such as the Leitweg-ID of a public customer",
    }),
    pricesIncludeTax: boolean({
      description: "Whether prices of new documents include tax; null for what the settings say",
    }),
    remindersPausedUntil: pausedUntil("No reminder of an invoice of the customer is made until this day"),
    notes: text({ max: 10_000, multiline: true, examples: ["Rings twice."] }),
    outstandingBalance: readOnly(amount(), 0),
    openOrdersValue: readOnly(amount(), 0),
    creditBalance: readOnly(amount(), 0),
    creditAvailable: derived(
      readOnlyNullable({ ...sum(), isPrice: true }),
      ({ digits }) =>
        `CASE WHEN credit_limit > 0 THEN credit_limit - (outstanding_balance + open_orders_value - credit_balance) * ${10 ** (4 - digits)} END`,
    ),
    mergedInto: {
      ...readOnlyNullable(reference("cus")),
      schema: { ...reference("cus").schema, description: "The customer that it was merged into" },
    },
    ...externalFields,
    isActive: withDefault(boolean(), true),
    status: derived(
      readOnly(status(["active", "inactive"])),
      () => "CASE is_active WHEN 1 THEN 'active' ELSE 'inactive' END",
    ),
  },
})

export type Customer = RecordOf<typeof customers>

/** The fields by which customers that may be the same are found. */
export const comparedFields = ["name", "email", "phone", "taxId", "address"] as const
export type ComparedField = (typeof comparedFields)[number]

const orNull = Type.Unsafe<string | null>({ type: ["string", "null"] })

/** A customer that may be the same as another one. */
export const Duplicate = Type.Object(
  {
    id: Type.String(),
    customerNumber: Type.String(),
    name: Type.String(),
    email: orNull,
    phone: orNull,
    taxId: orNull,
    city: orNull,
    isActive: Type.Boolean(),
    matches: Type.Array(Type.Unsafe<ComparedField>({ type: "string", enum: [...comparedFields] }), {
      description: "The fields that are the same, or alike",
    }),
  },
  { $id: "CustomerDuplicate" },
)
export type Duplicate = Static<typeof Duplicate>

/** A body that merges a customer into another one. */
export const mergeBody = body(
  { from: required(reference("cus")) },
  { example: { from: "cus_01kb2qk3dvb6r8h5m9x4w7z2nc" } },
)
export type Merge = BodyOf<typeof mergeBody>
