import { countries } from "../../shared/countries"
import { defineResource, type RecordOf } from "../../resource/define"
import { externalFields } from "../../resource/external"
import {
  amount,
  boolean,
  withDefault,
  decimal,
  derived,
  required,
  readOnly,
  readOnlyNullable,
  status,
  sum,
} from "../../resource/field"
import { code, email, text } from "../../resource/text-field"
import { object } from "../../resource/object"
import { activeStatuses } from "../../shared/statuses"
import { customerTypes } from "../../shared/suggestions"
import { rightsOf } from "../../shared/rights"
import { customerChecks } from "./checks"

const country = text({
  max: 2,
  examples: ["DE"],
  description: "ISO 3166-1 alpha-2",
  check: (value) =>
    /^[a-z]{2}$/i.test(value) && countries.has(value.toUpperCase())
      ? { value: value.toUpperCase() }
      : { error: "must be a two-letter country code of ISO 3166-1, such as DE", format: "country" },
})

/** A person or company that buys. */
export const customers = defineResource({
  name: "customers",
  table: "customers",
  idPrefix: "cus",
  noun: "customer",
  title: "Customer",
  about: "The people and companies that buy from the business.",
  rights: rightsOf("customers"),
  hasHistory: true,
  search: ["name", "customerNumber"],
  searchMore: ["email", "phone", "taxId"],
  fragments: ["email", "phone", "taxId"],
  found: { code: "customerNumber", title: "name", series: "CUST" },
  indexed: { sort: ["createdAt", "updatedAt", "name"], unique: ["customerNumber", "externalId"] },
  countsChanges: true,
  bulky: { fields: ["metadata"], from: 26 },
  checks: customerChecks,
  fields: {
    customerNumber: readOnly(code("CUST-00001")),
    name: required(text({ examples: ["Nordlicht GmbH"] })),
    email: email(),
    phone: text({ max: 40, examples: ["+49 40 1234567"] }),
    type: withDefault(text({ max: 40, examples: [...customerTypes] }), "Company"),
    address: object({
      street: text({ examples: ["Hafenstraße 12"] }),
      city: text({ examples: ["Hamburg"] }),
      state: text({ examples: ["Hamburg"] }),
      zipCode: text({ max: 20, examples: ["20457"] }),
      country,
    }),
    creditLimit: decimal({ min: 0, example: 10_000 }),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    taxId: text({ max: 64, examples: ["DE123456789"] }),
    outstandingBalance: readOnly(amount(), 0),
    openOrdersValue: readOnly(amount(), 0),
    creditAvailable: derived(
      readOnlyNullable(sum()),
      ({ digits }) =>
        `CASE WHEN credit_limit > 0 THEN credit_limit - (outstanding_balance + open_orders_value) * ${10 ** (4 - digits)} END`,
    ),
    ...externalFields,
    isActive: withDefault(boolean(), true),
    status: derived(
      readOnly(status(activeStatuses)),
      () => "CASE is_active WHEN 1 THEN 'active' ELSE 'inactive' END",
    ),
  },
})

export type Customer = RecordOf<typeof customers>
