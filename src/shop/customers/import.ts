import { isObject } from "../../core/kind/object"
import type { Input } from "../../core/kind/read"
import { nameKey } from "./duplicates/alike"
import { type Compared, comparedForms } from "./duplicates/query"
import { customerNumberOf, customers } from "./model"
import type { CustomerService } from "./service"
import type { ImportKind, Labels } from "../../office/imports/kind"
import { recordImport } from "../../office/imports/records"
import { countryOf, languageOf } from "../../office/imports/words"
import type { Settings } from "../../office/settings/model"
import { importStandIns } from "../../shared/import-fields"
import { termsIn } from "../../shared/words/payment-terms"

export const customerLabels = {
  customerNumber: [
    "Customer number",
    "Customer no.",
    "Cust. no.",
    "Account number",
    "Kundennummer",
    "Kunden-Nr.",
    "Kundennr",
    "Kd.-Nr.",
    "KdNr",
    "KNr",
    "Debitor",
    "Debitorennummer",
    "Debitoren-Nr.",
    "Deb.-Nr.",
    "Numéro client",
    "N° client",
    "Code client",
    "Número de cliente",
    "N.º cliente",
    "Numero cliente",
    "Codice cliente",
    "Klantnummer",
    "Klantnr.",
  ],
  name: [
    "Name",
    "Customer",
    "Customer name",
    "Company",
    "Company name",
    "Kunde",
    "Firma",
    "Firmenname",
    "Kundenname",
    "Name 1",
    "Client",
    "Nom",
    "Nom du client",
    "Raison sociale",
    "Société",
    "Cliente",
    "Nombre",
    "Razón social",
    "Nome",
    "Ragione sociale",
    "Klant",
    "Klantnaam",
    "Naam",
    "Bedrijf",
  ],
  firstName: ["First name", "Firstname", "Given name", "Forename", "Vorname", "Prénom", "Voornaam"],
  lastName: [
    "Last name",
    "Lastname",
    "Surname",
    "Family name",
    "Nachname",
    "Familienname",
    "Zuname",
    "Nom de famille",
    "Apellido",
    "Apellidos",
    "Cognome",
    "Achternaam",
  ],
  email: [
    "Email",
    "E-mail",
    "E-Mail-Adresse",
    "Email address",
    "Mail",
    "Courriel",
    "Correo",
    "Correo electrónico",
  ],
  phone: [
    "Phone",
    "Phone number",
    "Telephone",
    "Telefon",
    "Tel.",
    "Tel.-Nr.",
    "Telefonnummer",
    "Téléphone",
    "Teléfono",
    "Telefono",
    "Telefoon",
    "Telefoonnummer",
  ],
  type: ["Type", "Customer type", "Art", "Kundenart", "Kundentyp"],
  contactName: [
    "Contact",
    "Contact name",
    "Contact person",
    "Ansprechpartner",
    "Kontakt",
    "Kontaktperson",
    "Interlocuteur",
    "Contacto",
    "Contatto",
    "Contactpersoon",
  ],
  "address.street": [
    "Street",
    "Street address",
    "Address",
    "Address line 1",
    "Straße",
    "Str.",
    "Straße und Hausnummer",
    "Straße, Nr.",
    "Straße/Hausnr.",
    "Adresse",
    "Anschrift",
    "Rue",
    "Calle",
    "Dirección",
    "Via",
    "Indirizzo",
    "Straat",
    "Adres",
  ],
  "address.city": [
    "City",
    "Town",
    "Ort",
    "Stadt",
    "Wohnort",
    "Ville",
    "Ciudad",
    "Población",
    "Città",
    "Comune",
    "Plaats",
    "Woonplaats",
  ],
  "address.state": ["State", "Region", "Bundesland", "Kanton", "Province", "Provincia", "Provincie"],
  "address.zipCode": [
    "ZIP",
    "ZIP code",
    "Postal code",
    "Postcode",
    "PLZ",
    "Postleitzahl",
    "Code postal",
    "CP",
    "Código postal",
    "CAP",
    "Codice postale",
  ],
  "address.country": [
    "Country",
    "Land",
    "Staat",
    "Länderkennzeichen",
    "Ländercode",
    "Pays",
    "País",
    "Paese",
    "Nazione",
  ],
  language: ["Language", "Sprache", "Langue", "Idioma", "Lingua", "Taal"],
  creditLimit: [
    "Credit limit",
    "Kreditlimit",
    "Kreditlinie",
    "Plafond de crédit",
    "Límite de crédito",
    "Fido",
    "Kredietlimiet",
  ],
  paymentTerms: [
    "Payment terms",
    "Terms",
    "Zahlungsbedingungen",
    "Zahlungsbedingung",
    "Zahlungsziel",
    "Conditions de paiement",
    "Condiciones de pago",
    "Condizioni di pagamento",
    "Betalingsvoorwaarden",
  ],
  taxId: [
    "Tax ID",
    "VAT ID",
    "VAT number",
    "VAT no.",
    "USt-IdNr.",
    "USt-ID",
    "Ust.-Id-Nr.",
    "UID",
    "UID-Nummer",
    "Umsatzsteuer-ID",
    "Umsatzsteuer-Identifikationsnummer",
    "N° TVA",
    "Numéro de TVA",
    "TVA intracommunautaire",
    "NIF",
    "CIF",
    "Partita IVA",
    "P. IVA",
    "Btw-nummer",
  ],
  invoiceEmail: [
    "Invoice email",
    "Email for invoices",
    "E-Mail Rechnung",
    "Rechnungs-E-Mail",
    "E-mail facture",
  ],
  taxTreatment: ["Tax treatment", "Besteuerung", "Steuerliche Behandlung"],
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

/**
 * Customers are found by their number, or else by their external id. A new customer keeps the number of its row, if Kontor
 * could not assign it itself, or gets the next one.
 */
export const customerImport = ({ customers: service, settings }: Needs): ImportKind =>
  recordImport({
    resource: customers,
    noun: "customers",
    service,
    keys: ["customerNumber", "externalId"],
    labels: customerLabels,
    more: (["firstName", "lastName"] as const).map((name) => ({ name, type: "text", isRequired: false })),
    standIns: importStandIns.customers,
    titlesBeside: [
      { field: "lastName", titles: ["Name", "Nom", "Naam"], beside: "firstName" },
      { field: "firstName", titles: ["Nombre", "Nome"], beside: "lastName" },
    ],
    resembling: {
      comparedOf: (input) => comparedForms(comparedIn(input)),
      find(input) {
        const [found] = service.findDuplicates(comparedIn(input))
        return found
          ? { id: found.id, name: found.name, number: found.customerNumber, fields: found.matches }
          : null
      },
      findSame(input, before) {
        const { name, email, taxId } = comparedIn(input)
        if (!name) return null
        const found = service
          .findDuplicates({ email, taxId })
          .find((each) => nameKey(each.name) === nameKey(name) && service.get(each.id).createdAt < before)
        return found?.id ?? null
      },
    },
    prepare: (input) =>
      withTerms(
        withLanguage(withCountry(withCountry(withNumber(withPerson(input)), "address"), "shippingAddress")),
        settings,
      ),
    assigned: { field: "customerNumber", isKept: (number) => service.isOwnNumber(number) },
  })

type Needs = { customers: CustomerService; settings: () => Settings }

/** What is compared of a row. */
function comparedIn(input: Input): Compared {
  const { name = null, email = null, phone = null, taxId = null, address } = withPerson(input)
  return {
    name: textOf(name),
    email: textOf(email),
    phone: textOf(phone),
    taxId: textOf(taxId),
    address: isObject(address) ? address : null,
  }
}

/** First and last name are the name of a person, who is the contact of a company that the row names too. */
function withPerson({ firstName, lastName, ...input }: Input): Input {
  const person = [firstName, lastName].flatMap((part) => textOf(part)?.trim() || []).join(" ")
  if (person === "") return input
  if (textOf(input.name) === null) return { ...input, name: person }
  return textOf(input.contactName) === null ? { ...input, contactName: person } : input
}

/** Payment terms that are a number of days are written out in the language of the company. */
function withTerms(input: Input, settings: () => Settings): Input {
  const terms = textOf(input.paymentTerms)?.trim()
  return terms !== undefined && /^\d{1,3}$/.test(terms)
    ? { ...input, paymentTerms: termsIn(settings().defaultLanguage, terms) }
    : input
}

/** Numbers are stored in capital letters. */
const withNumber = (input: Input): Input =>
  typeof input.customerNumber === "string"
    ? { ...input, customerNumber: customerNumberOf(input.customerNumber) }
    : input

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** Replaces the name of a country with its code, because spreadsheets have names. */
function withCountry(input: Input, name: "address" | "shippingAddress"): Input {
  const address = input[name]
  if (!isObject(address) || typeof address.country !== "string") return input
  const code = countryOf(address.country)
  return code === undefined ? input : { ...input, [name]: { ...address, country: code } }
}

/** The same for a language. */
function withLanguage(input: Input): Input {
  const code = typeof input.language === "string" ? languageOf(input.language) : undefined
  return code === undefined ? input : { ...input, language: code }
}
