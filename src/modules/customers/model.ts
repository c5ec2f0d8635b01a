import { countries } from "../../shared/countries"
import { defineResource, type Kept } from "../../resource/define"
import {
  amount,
  boolean,
  byDefault,
  decimal,
  derived,
  required,
  served,
  servedOrNull,
  status,
  sum,
} from "../../resource/field"
import { code, email, text } from "../../resource/text-field"
import { object } from "../../resource/object"
import { activeStatuses } from "../../shared/statuses"
import { customerTypes } from "../../shared/suggestions"

const country = text({
  max: 2,
  examples: ["DE"],
  description: "ISO 3166-1 alpha-2",
  check: (value) =>
    /^[a-z]{2}$/i.test(value) && countries.has(value.toUpperCase())
      ? { value: value.toUpperCase() }
      : { fault: "must be a two-letter country code of ISO 3166-1, such as DE" },
})

/** Who buys. */
export const customers = defineResource({
  name: "customers",
  table: "customers",
  idPrefix: "cus",
  noun: "customer",
  title: "Customer",
  search: ["name", "customerNumber"],
  searchMore: ["email", "phone", "taxId"],
  fragments: ["email", "phone", "taxId"],
  indexed: { sort: ["createdAt", "name"], unique: ["customerNumber"] },
  fields: {
    customerNumber: served(code("CUST-00001")),
    name: required(text({ examples: ["Nordlicht GmbH"] })),
    email: email(),
    phone: text({ max: 40, examples: ["+49 40 1234567"] }),
    type: byDefault(text({ max: 40, examples: customerTypes }), "Company"),
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
    outstandingBalance: served(amount(), 0),
    openOrdersValue: served(amount(), 0),
    creditAvailable: derived(
      servedOrNull(sum()),
      ({ digits }) =>
        `CASE WHEN credit_limit > 0 THEN credit_limit - (outstanding_balance + open_orders_value) * ${10 ** (4 - digits)} END`,
    ),
    isActive: byDefault(boolean(), true),
    status: derived(
      served(status(activeStatuses)),
      () => "CASE is_active WHEN 1 THEN 'active' ELSE 'inactive' END",
    ),
  },
})

export type Customer = Kept<typeof customers>
