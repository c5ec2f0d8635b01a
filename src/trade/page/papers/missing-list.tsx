import { Anchor, List, Text } from "@mantine/core"
import { Link } from "wouter"
import { number } from "../../../console/format"
import { t } from "./e-invoice-texts"

type Props = {
  missing: readonly Missing[]
  lines?: MissingLines
  /** Returns the path of the page where the user can fill in a field; null if there is none. */
  hrefOf?: (missing: Missing) => string | null
  /** Why the user cannot fill in the fields of the company. */
  sellerHint?: string
}

const mostShown = 8

/** What an e-invoice lacks, one sentence each, with a link to where it is filled in. */
export function MissingList({ missing, lines, hrefOf = () => null, sellerHint }: Props) {
  // Several lines can lack the same, such as the code of their unit.
  const sentences = new Map(missing.map((each) => [missingInWords(each, lines), each]))
  const more = sentences.size - mostShown
  return (
    <>
      <List size="sm" spacing={4}>
        {[...sentences].slice(0, mostShown).map(([sentence, each]) => (
          <List.Item key={sentence}>
            <Sentence text={sentence} href={hrefOf(each)} />{" "}
            {sellerHint && each.field.startsWith("seller.") && `${sellerHint} `}
            <Text component="code" size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
              {each.rule}
            </Text>
          </List.Item>
        ))}
      </List>
      {more > 0 && <Text size="sm">{t(($) => $.more, { shown: number(more) })}</Text>}
    </>
  )
}

const Sentence = ({ text, href }: { text: string; href: string | null }) =>
  href === null ? (
    text
  ) : (
    <Anchor component={Link} href={href} inherit>
      {text}
    </Anchor>
  )

/** What an e-invoice lacks: the field, the rule that requires it, and the server's English sentence, if it is known. */
export type Missing = { field: string; rule?: string; message?: string }

/** The lines of the document, for the names of their units. */
type MissingLines = readonly { uom: string }[]

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
