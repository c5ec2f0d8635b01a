import { address } from "../../core/kind/address"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import { externalFields } from "../../core/kind/tag"
import {
  amount,
  boolean,
  choice,
  derived,
  price,
  readOnly,
  readOnlyNullable,
  required,
  status,
  sum,
  withDefault,
} from "../../core/kind/field"
import { code, email, text } from "../../core/kind/text-field"
import { languages } from "../../shared/languages"
import { customerTypes } from "../../shared/suggestions"
import { taxTreatments } from "../../shared/documents/tax"
import { rightsOf } from "../../shared/rights"

/** The outstanding balance and the open orders of a customer must match the documents. */
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
    sql: `SELECT customer_number AS name, open_orders_value AS "is", coalesce(sum(CASE WHEN total > invoiced_total THEN total - invoiced_total ELSE 0 END), 0) AS should
      FROM customers LEFT JOIN sales_orders ON customer = customers.id AND status = 'submitted'
      GROUP BY customers.id HAVING open_orders_value <> coalesce(sum(CASE WHEN total > invoiced_total THEN total - invoiced_total ELSE 0 END), 0)`,
  },
]

/** A person or company that buys. */
export const customers = defineResource({
  name: "customers",
  table: "customers",
  idPrefix: "cus",
  noun: "customer",
  title: "Customer",
  about: "The people and companies that buy from the business.",
  menu: { group: "sell", place: 5, path: "/customers", recordPath: "/customers/:id", icon: "users-group" },
  names: {
    en: { title: "Customers", one: "customer", many: "customers", the: "the customer", new: "New customer" },
    de: { title: "Kunden", one: "Kunde", many: "Kunden", the: "den Kunden", new: "Neuer Kunde" },
  },
  rights: rightsOf("customers"),
  numbers: { field: "customerNumber", prefix: "CUST", format: "CUST-{#####}" },
  hasHistory: true,
  search: ["name", "customerNumber"],
  searchMore: ["contactName", "email", "phone", "taxId"],
  fragments: ["email", "phone", "taxId"],
  found: { code: "customerNumber", title: "name" },
  indexed: { sort: ["createdAt", "updatedAt", "name"], unique: ["customerNumber", "externalId"] },
  countsChanges: true,
  isExpanded: true,
  bulky: { fields: ["notes", "metadata"], from: 26 },
  checks: customerChecks,
  fields: {
    customerNumber: readOnly(code("CUST-00001")),
    name: required(text({ examples: ["Nordlicht GmbH"] })),
    email: email(),
    phone: text({ max: 40, examples: ["+49 40 1234567"] }),
    type: withDefault(text({ max: 40, examples: [...customerTypes] }), "Company"),
    contactName: text({ examples: ["Anna Petersen"] }),
    address: address(),
    shippingAddress: address(),
    language: choice(languages),
    creditLimit: price(10_000),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    taxId: text({ max: 64, examples: ["DE136695976"] }),
    taxTreatment: withDefault(choice(taxTreatments), "domestic"),
    taxReason: text({
      max: 500,
      multiline: true,
      description: "Why sales are exempt, for the treatment exempt",
    }),
    notes: text({ max: 10_000, multiline: true, examples: ["Rings twice."] }),
    outstandingBalance: readOnly(amount(), 0),
    openOrdersValue: readOnly(amount(), 0),
    creditBalance: readOnly(amount(), 0),
    creditAvailable: derived(
      readOnlyNullable({ ...sum(), isPrice: true }),
      ({ digits }) =>
        `CASE WHEN credit_limit > 0 THEN credit_limit - (outstanding_balance + open_orders_value - credit_balance) * ${10 ** (4 - digits)} END`,
    ),
    ...externalFields,
    isActive: withDefault(boolean(), true),
    status: derived(
      readOnly(status(["active", "inactive"])),
      () => "CASE is_active WHEN 1 THEN 'active' ELSE 'inactive' END",
    ),
  },
})

export type Customer = RecordOf<typeof customers>
