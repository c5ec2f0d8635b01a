import { t } from "./e-invoice-texts"

/** What an e-invoice lacks: the field, the rule that requires it, and the server's English sentence, if it is known. */
export type Missing = { field: string; rule?: string; message?: string }

/** The lines of the document, for the names of their units. */
export type MissingLines = readonly { uom: string }[]

type Text = keyof typeof t.texts.en.missing

/** The texts by field, or by field and rule. Lines are written without their index. */
const texts: Readonly<Record<string, Text>> = {
  "seller.legalName": "sellerName",
  "seller.address.country": "sellerCountry",
  "seller.address.country BR-CL-14": "sellerCountryUnlisted",
  "seller.vatId": "sellerTaxId",
  "seller.vatId BR-CO-09": "sellerVatIdPrefix",
  "seller.vatId BR-IC-02": "sellerVatIdForSupply",
  "seller.vatId BR-G-02": "sellerVatIdForExport",
  "seller.registrationId": "sellerRegistrationId",
  "seller.address.city": "sellerCity",
  "seller.address.zipCode": "sellerZipCode",
  "seller.phone": "sellerPhone",
  "seller.phone BR-DE-27": "sellerPhoneDigits",
  "seller.email": "sellerEmail",
  "seller.email BR-DE-28": "sellerEmailDomain",
  "seller.iban": "sellerIban",
  "qrBill.legalName": "sellerName",
  "qrBill.address.street": "sellerStreet",
  "qrBill.address.zipCode": "sellerZipCode",
  "qrBill.address.city": "sellerCity",
  "qrBill.iban": "sellerIbanForQrBill",
  "buyer.name": "buyerName",
  "buyer.address.country": "buyerCountry",
  "buyer.address.country BR-CL-14": "buyerCountryUnlisted",
  "buyer.taxId BR-IC-02": "buyerTaxIdForSupply",
  "buyer.taxId BR-AE-02": "buyerTaxIdForReverseCharge",
  "buyer.taxId BR-CO-09": "buyerTaxIdPrefix",
  "buyer.address.city": "buyerCity",
  "buyer.address.zipCode": "buyerZipCode",
  "buyer.email": "buyerEmail",
  "shippingAddress.country": "shippingCountry",
  "shippingAddress.city": "shippingCity",
  "shippingAddress.zipCode": "shippingZipCode",
  buyerReference: "buyerReference",
  currency: "currency",
  subtotal: "amounts",
  taxTotal: "amounts",
  total: "amounts",
  taxes: "amounts",
  taxCodes: "taxCodes",
  "seller.defaultTaxCode": "defaultTaxCode",
  "items[].description": "description",
  "items[].uom": "unitOfLine",
  "items[].taxCode": "taxRate",
  "items[].taxCode BR-CO-04": "taxCode",
  "items[].taxCode BR-O-11": "taxAlone",
  "items[].taxCode BR-E-10": "taxReason",
}

/** Returns the index of the line that a field belongs to; null if it belongs to none. */
export function lineIndexOf(field: string): number | null {
  const found = /^items\[(\d+)\]/.exec(field)?.[1]
  return found === undefined ? null : Number(found)
}

/** Returns what to do about a missing field. One that the console does not know has the server's sentence. */
export function missingInWords({ field, rule, message }: Missing, lines: MissingLines = []): string {
  const plain = field.replace(/\[\d+\]/, "[]")
  const text = texts[`${plain} ${rule}`] ?? texts[plain]
  if (text === undefined) return message ?? field
  const index = lineIndexOf(field) ?? -1
  const unit = lines[index]?.uom ?? ""
  const chosen = text === "unitOfLine" && unit !== "" ? "unit" : text
  return t(($) => $.missing[chosen], { line: index + 1, unit })
}
