import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import { boolean, choice, decimal, readOnly, required, unique, withDefault } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import { rightsOf } from "../../shared/rights"
import { taxCategories } from "../../shared/documents/tax"

/** As the check of the lines of documents, for the other records that name a tax code. */
const taxCodeChecks: readonly Check[] = [
  {
    says: ({ name }) => `Tax code ${name} is used by other records, but is not marked as used.`,
    sql: `SELECT code AS name FROM tax_codes WHERE is_used = 0 AND (
        id IN (SELECT tax_code FROM items WHERE tax_code IS NOT NULL)
        OR id = (SELECT body ->> 'defaultTaxCode' FROM settings))`,
  },
]

/** A kind of tax: its category, its rate, and why it is not charged. Items and lines of documents name it. */
export const taxCodes = defineResource({
  name: "tax-codes",
  table: "tax_codes",
  idPrefix: "tax",
  noun: "tax code",
  title: "TaxCode",
  about: "The kinds of tax that items and lines of documents name.",
  menu: {
    group: "settings",
    place: 2,
    path: "/settings/tax-codes",
    recordPath: "/settings/tax-codes/:id",
    icon: "receipt-tax",
  },
  names: {
    en: {
      title: "Tax codes",
      one: "tax code",
      many: "tax codes",
      the: "the tax code",
      fields: { code: "Tax code", category: "Tax category", rate: "Tax rate" },
    },
    de: {
      title: "Steuerschlüssel",
      one: "Steuerschlüssel",
      many: "Steuerschlüssel",
      the: "den Steuerschlüssel",
      fields: { code: "Steuerschlüssel", category: "Steuerkategorie", rate: "Steuersatz" },
    },
    fr: { fields: { code: "Code TVA", category: "Catégorie de TVA", rate: "Taux de TVA" } },
  },
  isListedLast: true,
  rights: rightsOf("items"),
  hasHistory: true,
  search: [],
  scan: ["code", "name"],
  indexed: { unique: ["code"] },
  namedBy: "code",
  countsChanges: true,
  checks: taxCodeChecks,
  fields: {
    code: unique(required(text({ max: 20, isCode: true, examples: ["DE19"] }))),
    name: required(text({ max: 100, examples: ["19 % VAT"] })),
    category: required(choice(taxCategories)),
    rate: withDefault(decimal({ min: 0, max: 100, example: 19 }), 0),
    reason: text({ max: 500, multiline: true, description: "Why no tax is charged. Required for E and O" }),
    isActive: withDefault(boolean(), true),
    isUsed: readOnly(boolean(), false),
  },
})

export type TaxCode = RecordOf<typeof taxCodes>
