import { isObject } from "../../core/kind/object"
import { fold } from "../../core/lib/text"
import { once } from "../../core/lib/shared-runs"
import type { Input } from "../../core/kind/read"
import { countries } from "../../shared/countries"
import { languages } from "../../shared/languages"
import { comparedOf } from "./duplicates"
import { comparedFields, customers } from "./model"
import type { CustomerService } from "./service"
import type { ImportKind, Labels } from "../../office/imports/kind"
import { recordImport } from "../../office/imports/records"

export const customerLabels = {
  customerNumber: [
    "Customer number",
    "Customer no.",
    "Kundennummer",
    "Kunden-Nr.",
    "Kd.-Nr.",
    "Debitor",
    "Debitorennummer",
    "Debitoren-Nr.",
    "Numéro client",
  ],
  name: ["Name", "Customer", "Customer name", "Company", "Kunde", "Firma", "Kundenname", "Client", "Nom"],
  email: ["Email", "E-mail", "E-Mail-Adresse", "Mail", "Courriel"],
  invoiceEmail: [
    "Invoice email",
    "Email for invoices",
    "E-Mail Rechnung",
    "Rechnungs-E-Mail",
    "E-mail facture",
  ],
  phone: ["Phone", "Telephone", "Telefon", "Tel.", "Telefonnummer", "Téléphone"],
  type: ["Type", "Customer type", "Art", "Kundenart"],
  contactName: ["Contact", "Contact name", "Ansprechpartner", "Kontakt"],
  "address.street": ["Street", "Address", "Address line 1", "Straße", "Adresse", "Anschrift", "Rue"],
  "address.city": ["City", "Town", "Ort", "Stadt", "Ville"],
  "address.state": ["State", "Region", "Bundesland", "Kanton"],
  "address.zipCode": ["ZIP", "ZIP code", "Postal code", "Postcode", "PLZ", "Postleitzahl", "Code postal"],
  "address.country": ["Country", "Land", "Pays"],
  language: ["Language", "Sprache", "Langue"],
  creditLimit: ["Credit limit", "Kreditlimit", "Plafond de crédit"],
  paymentTerms: ["Payment terms", "Terms", "Zahlungsbedingungen", "Zahlungsziel", "Conditions de paiement"],
  taxId: ["Tax ID", "VAT ID", "VAT number", "USt-IdNr.", "UID", "Umsatzsteuer-ID", "N° TVA"],
  taxTreatment: ["Tax treatment", "Steuerliche Behandlung"],
  buyerReference: ["Buyer reference", "Leitweg-ID", "Leitweg ID", "Kundenreferenz", "Référence acheteur"],
  pricesIncludeTax: [
    "Gross prices",
    "Prices incl. tax",
    "Bruttopreise",
    "Preise brutto",
    "Preise inkl. MwSt.",
    "Prix TTC",
  ],
  taxReason: ["Grund der Steuerbefreiung", "Tax reason", "Exemption reason", "Befreiungsgrund"],
} satisfies Labels

/** Customers are found by their number, or else by their external id. A new customer gets the next number. */
export const customerImport = ({ customers: service }: { customers: CustomerService }): ImportKind =>
  recordImport({
    resource: customers,
    noun: "customers",
    service,
    keys: ["customerNumber", "externalId"],
    labels: customerLabels,
    resembling: {
      comparedOf: (input) =>
        comparedFields.flatMap((name) => {
          const value = comparedOf(name, textIn(input, name))
          return value === null ? [] : [[name, value] as const]
        }),
      find(input) {
        const values = Object.fromEntries(comparedFields.map((name) => [name, textIn(input, name)]))
        const [found] = service.findDuplicates(values)
        return found
          ? { id: found.id, name: found.name, number: found.customerNumber, fields: found.matches }
          : null
      },
    },
    prepare: (input) => withCountry(withCountry(input, "address"), "shippingAddress"),
  })

const textIn = (input: Input, name: string): string | null => {
  const value = input[name]
  return typeof value === "string" ? value : null
}

/** Replaces the name of a country with its code, because spreadsheets have names. */
function withCountry(input: Input, name: "address" | "shippingAddress"): Input {
  const address = input[name]
  if (!isObject(address) || typeof address.country !== "string" || address.country.length > 100) return input
  const code = codesByName().get(fold(address.country.trim()))
  return code === undefined ? input : { ...input, [name]: { ...address, country: code } }
}

/** The codes of countries by their names in the languages of the console. */
const codesByName = once(
  () =>
    new Map(
      languages.flatMap((language) => {
        const names = new Intl.DisplayNames([language], { type: "region" })
        return [...countries].map((code) => [fold(names.of(code) ?? code), code] as const)
      }),
    ),
)
