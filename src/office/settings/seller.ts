import type { Address } from "../../core/kind/address"
import type { Settings } from "./model"

/** The company that issued a document, as it was at issue. */
export type Seller = {
  legalName: string | null
  address: Address | null
  email: string | null
  phone: string | null
  website: string | null
  vatId: string | null
  taxNumber: string | null
  registrationId: string | null
  iban: string | null
  bic: string | null
  bankName: string | null
  documentFooter: string | null
  /** The SHA-256 of the logo. */
  logo: string | null
}

/** Returns the company as documents are issued with it. The older fields are used where the newer ones are empty. */
export function sellerOf(settings: Settings): Seller {
  const { companyName, companyAddress, companyTaxId } = settings
  return {
    legalName: settings.legalName ?? companyName,
    address: settings.address ?? (companyAddress === null ? null : asStreet(companyAddress)),
    email: settings.email,
    phone: settings.phone,
    website: settings.website,
    vatId: settings.vatId ?? companyTaxId,
    taxNumber: settings.taxNumber,
    registrationId: settings.registrationId,
    iban: settings.iban,
    bic: settings.bic,
    bankName: settings.bankName,
    documentFooter: settings.documentFooter,
    logo: settings.logo,
  }
}

/** An address that was typed as one text. It keeps its line breaks. */
const asStreet = (text: string) => ({ street: text, city: null, state: null, zipCode: null, country: null })
