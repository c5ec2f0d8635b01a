import { Type } from "@sinclair/typebox"
import { address, type Address } from "../../core/kind/address"
import type { Seller } from "../../office/settings/seller"

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
