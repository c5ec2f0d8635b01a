import { Type } from "@sinclair/typebox"
import { address, type Address } from "../../core/kind/address"
import type { Database } from "../../core/engine/engine"
import { digestOf } from "../../core/lib/secret"
import type { Settings } from "../../office/settings/model"
import { type Seller, sellerOf } from "../../office/settings/seller"
import type { Language } from "../../shared/languages"
import type { DocumentCustomer } from "../needs"

export type { Seller }

/** The customer of an issued document, as it was at issue. */
export type Buyer = {
  customerNumber: string
  name: string
  contactName: string | null
  email: string | null
  phone: string | null
  address: Address | null
  taxId: string | null
}

const textOrNull = Type.Unsafe({ type: ["string", "null"] })
const addressOrNull = Type.Unsafe({ ...address().schema, type: ["object", "null"] })
/** The schemas have one name in all documents, so the field of a kind without drafts allows null too. */
const snapshot = ($id: string, names: readonly string[], description: string) =>
  Type.Unsafe({
    $id,
    type: ["object", "null"],
    description,
    properties: Object.fromEntries(
      names.map((name) => [name, name === "address" ? addressOrNull : textOrNull]),
    ),
  })

const sellerNames = [
  "legalName",
  "address",
  "email",
  "phone",
  "website",
  "vatId",
  "taxNumber",
  "registrationId",
  "iban",
  "bic",
  "bankName",
  "documentFooter",
  "logo",
] as const satisfies readonly (keyof Seller)[]
const buyerNames = [
  "customerNumber",
  "name",
  "contactName",
  "email",
  "phone",
  "address",
  "taxId",
] as const satisfies readonly (keyof Buyer)[]

export const sellerSchema = snapshot(
  "Seller",
  sellerNames,
  "The company as it was at issue; null in a draft.",
)
export const buyerSchema = snapshot("Buyer", buyerNames, "The customer as it was at issue; null in a draft.")

/** Returns the company and the customer as a document keeps them from its issue on, and its language. */
export function partiesNow(
  db: Database,
  settings: Settings,
  customer: DocumentCustomer,
): { language: Language; sellerVersion: string; seller: Seller; buyer: Buyer } {
  const { customerNumber, name, contactName, phone, address, taxId } = customer
  const email = customer.invoiceEmail ?? customer.email
  const seller = sellerOf(settings)
  return {
    language: customer.language ?? settings.defaultLanguage,
    sellerVersion: keepSeller(db, JSON.stringify(seller)),
    seller,
    buyer: { customerNumber, name, contactName, email, phone, address: addressOf(address), taxId },
  }
}

/** Stores the data of the company once, however many documents are issued with it. */
function keepSeller(db: Database, body: string): string {
  const id = `slr_${digestOf(body).slice(0, 26)}`
  db.query("INSERT INTO seller_versions (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING").run(id, body)
  return id
}

/** Reads an address of a customer, which is stored as JSON. */
export const addressOf = (address: string | null): Address | null =>
  address === null ? null : (JSON.parse(address) as Address)
