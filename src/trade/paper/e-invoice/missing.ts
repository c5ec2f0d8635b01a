import { isListedCountry, lacksOfSeller, usableVatId } from "../../../shared/documents/e-invoice"
import type { Missing, Paper, PaperLine, XmlProfile } from "../model"
import type { TaxCategory } from "../../../shared/documents/tax"
import { deliverToOf, hasCategory, namesOf } from "./content"
import { isUnitCode } from "../../../shared/documents/unit-codes"
import type { Address } from "../../../core/kind/address"
import { xmlTextOf } from "../../../shared/sheet-escape"
import { nearestUnits, roundedTo, toUnits } from "../../../shared/decimal"
import { taxKeyOf } from "../../../shared/money"
import type { TaxRow } from "../../documents/model"
import { allowancesOf } from "./allowances"
import { amountDigits } from "./text"

/**
 * Returns why the e-invoice of a document would not be valid. When the list is empty, `xmlOf` writes a valid one. A draft
 * gets its number at issue: `ignoreNumber` leaves it out.
 */
export function missingIn(
  paper: Paper,
  profile: XmlProfile,
  { ignoreNumber = false }: { ignoreNumber?: boolean } = {},
): Missing[] {
  const categories = paper.lines.map(({ taxCategory }) => taxCategory)
  const isCreditNote = paper.kind === "credit-note"
  return [
    ...(ignoreNumber || paper.number !== null ? [] : [noNumber(paper)]),
    ...lacksOfSeller(paper.seller, { profile, categories, isCreditNote }).map(({ field, rule }) => ({
      field: `seller.${field}`,
      rule,
      message: sellerMessage(field, rule),
    })),
    ...missingOfBuyer(paper, profile),
    ...wrongAmounts(paper),
    ...wrongLines(paper),
  ]
}

const noNumber = ({ mark }: Paper): Missing => ({
  field: "invoiceNumber",
  rule: "BR-02",
  message:
    mark === "cancelled"
      ? "The invoice was cancelled before it had a number."
      : "A draft has no number: issue it.",
})

/** What to do about a seller that lacks something, by rule. */
const byRule: Record<string, string> = {
  "BR-06": "The company has no legal name: enter it in the settings.",
  "BR-09": "The address of the company has no country: enter it in the settings.",
  "BR-CL-14": "The official list of countries does not contain the country of the company.",
  "BR-CO-09":
    "The VAT ID of the company must be the code of a country and a number, such as DE123456789: correct it in the settings.",
  "BR-IC-02": "An intra-Community supply needs the VAT ID of the company: enter it in the settings.",
  "BR-G-02": "An export needs the VAT ID of the company: enter it in the settings.",
  "BR-DE-1": "XRechnung needs the bank account of the company: enter the IBAN in the settings.",
  "BR-DE-3": "XRechnung needs the city of the company: enter it in the settings.",
  "BR-DE-4": "XRechnung needs the zip code of the company: enter it in the settings.",
  "BR-DE-6": "XRechnung needs the phone number of the company: enter it in the settings.",
  "BR-DE-7": "XRechnung needs the email address of the company: enter it in the settings.",
  "BR-DE-27": "The phone number of the company must have at least three digits: correct it in the settings.",
  "BR-DE-28": "The email address of the company must have a domain with a dot: correct it in the settings.",
}

/** Returns what to do about a field that the seller lacks. */
function sellerMessage(field: string, rule: string): string {
  const found = byRule[rule]
  if (found !== undefined) return found
  return field === "registrationId"
    ? "A document that is not subject to tax needs the registration ID or the tax number of the company: enter it in the settings."
    : "The company has neither a VAT ID nor a tax number: enter one in the settings."
}

/** The rules about rates, by category. */
const rateRules: Record<TaxCategory, string> = {
  S: "BR-S-05",
  Z: "BR-Z-05",
  E: "BR-E-05",
  AE: "BR-AE-05",
  K: "BR-IC-05",
  G: "BR-G-05",
  O: "BR-O-05",
}

/** Returns what is wrong with the lines of a document: names, units and tax. */
function wrongLines(paper: Paper): Missing[] {
  const { lines, taxes } = paper
  const isMixed = new Set(lines.map(({ taxCategory }) => taxCategory === "O")).size > 1
  const hasReason = new Map(taxes.map(({ category, reason }) => [category, !isBlank(reason)]))
  return lines.flatMap((line, i) => [
    ...wrongLine(line, `items[${i}]`),
    ...missingIf(
      isMixed && line.taxCategory === "O",
      `items[${i}].taxCode`,
      "BR-O-11",
      "A line that is not subject to tax cannot be in one e-invoice with others: put it into a document of its own.",
    ),
    ...missingIf(
      line.taxCategory === "E" && hasReason.get("E") !== true,
      `items[${i}].taxCode`,
      "BR-E-10",
      "The line is exempt from tax without a reason: enter the reason in the tax code or in the customer.",
    ),
  ])
}

function wrongLine(line: PaperLine, at: string): Missing[] {
  const { itemName, description, uom, unitCode, isAmount } = line
  return [
    ...missingIf(
      namesOf(itemName, description).name === null,
      `${at}.description`,
      "BR-25",
      "The line has no name: enter a description.",
    ),
    ...missingIf(
      !isAmount && (unitCode === null || !isUnitCode(unitCode)),
      `${at}.uom`,
      "BR-CL-23",
      `The unit "${uom}" has no UN/ECE code: add it to the unit codes in the settings.`,
    ),
    ...wrongTax(line, `${at}.taxCode`),
  ]
}

function wrongTax({ taxCategory, taxRate }: PaperLine, field: string): Missing[] {
  if (taxCategory === null)
    return [
      {
        field,
        rule: "BR-CO-04",
        message: "The line has no tax category, because it has no tax code: choose one.",
      },
    ]
  if (taxCategory === "S")
    return missingIf(taxRate <= 0, field, rateRules.S, "The standard category needs a rate above 0 %.")
  return missingIf(taxRate !== 0, field, rateRules[taxCategory], `The rate of ${taxCategory} must be 0 %.`)
}

/** Returns what the e-invoice of a document lacks of its customer: the buyer and where the goods are delivered. */
const missingOfBuyer = (paper: Paper, profile: XmlProfile): Missing[] => [
  ...missingIf(isBlank(paper.buyer.name), "buyer.name", "BR-07", "The customer has no name: enter it."),
  ...missingCountry(paper.buyer.address, "buyer.address.country", "BR-11", "The address of the customer"),
  ...missingTaxId(paper),
  ...wrongDelivery(paper, profile),
  ...(profile === "xrechnung" ? missingForXrechnung(paper) : []),
]

function missingCountry(address: Address | null, field: string, rule: string, whose: string): Missing[] {
  const country = xmlTextOf(address?.country ?? null)
  if (country === null) return [{ field, rule, message: `${whose} has no country: enter it.` }]
  const message = `The official list of countries does not contain ${country}.`
  return missingIf(!isListedCountry(country), field, "BR-CL-14", message)
}

/** The VAT ID of the buyer is needed in the categories AE and K. In others it is left out if it has no prefix. */
function missingTaxId(paper: Paper): Missing[] {
  const { taxId } = paper.buyer
  const rule = hasCategory(paper, "K") ? "BR-IC-02" : hasCategory(paper, "AE") ? "BR-AE-02" : null
  if (rule === null || hasCategory(paper, "O") || usableVatId(taxId) !== null) return []
  const what = rule === "BR-AE-02" ? "Reverse charge" : "An intra-Community supply"
  return isBlank(taxId)
    ? [{ field: "buyer.taxId", rule, message: `${what} needs the VAT ID of the customer: enter it.` }]
    : [
        {
          field: "buyer.taxId",
          rule: "BR-CO-09",
          message:
            "The VAT ID of the customer must be the code of a country and a number, such as DE123456789: correct it.",
        },
      ]
}

/** The address of delivery. If it is the buyer's, what it lacks is already reported. */
function wrongDelivery(paper: Paper, profile: XmlProfile): Missing[] {
  const address = deliverToOf(paper, profile)
  if (address === null || address === paper.buyer.address) return []
  const needs = (part: string) => `XRechnung needs the ${part} of the shipping address: enter it.`
  const isStrict = profile === "xrechnung"
  return [
    ...missingCountry(address, "shippingAddress.country", "BR-57", "The shipping address"),
    ...missingIf(isStrict && isBlank(address.city), "shippingAddress.city", "BR-DE-10", needs("city")),
    ...missingIf(
      isStrict && isBlank(address.zipCode),
      "shippingAddress.zipCode",
      "BR-DE-11",
      needs("zip code"),
    ),
  ]
}

function missingForXrechnung({ buyer, buyerReference }: Paper): Missing[] {
  const needs = (part: string) => `XRechnung needs the ${part} of the customer: enter it.`
  return [
    ...missingIf(
      isBlank(buyerReference),
      "buyerReference",
      "BR-DE-15",
      "XRechnung needs the buyer reference, which is the Leitweg-ID of a public customer: enter it in the document.",
    ),
    ...missingIf(isBlank(buyer.address?.city), "buyer.address.city", "BR-DE-8", needs("city")),
    ...missingIf(isBlank(buyer.address?.zipCode), "buyer.address.zipCode", "BR-DE-9", needs("zip code")),
    ...missingIf(isBlank(buyer.email), "buyer.email", "PEPPOL-EN16931-R010", needs("email address")),
  ]
}

export const isBlank = (text: string | null | undefined): boolean => xmlTextOf(text ?? null) === null

/** Reports a field, if it is missing or wrong. */
const missingIf = (isMissing: boolean, field: string, rule: string, message: string): Missing[] =>
  isMissing ? [{ field, rule, message }] : []

/** Returns what is wrong with the currency and the amounts of a document. */
const wrongAmounts = (paper: Paper): Missing[] => [
  ...missingIf(
    !isListedCurrency(paper.currency),
    "currency",
    "BR-CL-04",
    `${paper.currency} is not a currency of ISO 4217 that is in use: an e-invoice cannot have it.`,
  ),
  ...wrongDecimals(paper),
  ...wrongSums(paper),
  ...paper.taxes.flatMap(wrongTaxRow),
]

/** Amounts have at most two decimals, also in currencies with three, such as KWD. One rule is enough to say so. */
function wrongDecimals(paper: Paper): Missing[] {
  const { lines, taxes, currency, digits } = paper
  if (digits <= amountDigits) return []
  const isLong = (amount: number) => toUnits(amount, amountDigits) === null
  const { lineAmounts, allowances } = allowancesOf(paper)
  const rule =
    (lineAmounts.some(isLong) && "BR-DEC-23") ||
    (allowances.some(({ amount }) => isLong(amount)) && "BR-DEC-01") ||
    (taxes.some(({ tax }) => isLong(tax)) && "BR-DEC-20") ||
    (lines.some(({ discountAmount }) => isLong(discountAmount)) && "BR-DEC-24")
  const message = `Amounts of an e-invoice have at most two decimals, and this document has more in ${currency}.`
  return rule ? [{ field: "currency", rule, message }] : []
}

/** Lines, taxes and totals must add up. Those of every document do; this is the last check before it is sent. */
function wrongSums({ lines, taxes, subtotal, taxTotal, total, digits }: Paper): Missing[] {
  const minor = (amount: number) => nearestUnits(amount, digits)
  const isSum = (sum: number, parts: number[]) =>
    minor(sum) === parts.reduce((all, part) => all + minor(part), 0)
  const amountsOf = (group: Paper["lines"]) => group.map(({ amount }) => amount)
  const groups = Map.groupBy(lines, taxKeyOf)
  const areBasesRight =
    taxes.length === groups.size &&
    taxes.every((tax) => isSum(tax.base, amountsOf(groups.get(keyOfRow(tax)) ?? [])))
  const isTaxTotalRight = isSum(
    taxTotal,
    taxes.map(({ tax }) => tax),
  )
  const message = "The amounts of the document do not add up."
  return [
    ...missingIf(!isSum(subtotal, amountsOf(lines)), "subtotal", "BR-CO-10", message),
    ...missingIf(!isTaxTotalRight, "taxTotal", "BR-CO-14", message),
    ...missingIf(!isSum(total, [subtotal, taxTotal]), "total", "BR-CO-15", message),
    ...missingIf(!areBasesRight, "taxes", "BR-S-08", message),
  ]
}

const keyOfRow = ({ category, rate }: TaxRow): string => taxKeyOf({ taxCategory: category, taxRate: rate })

/** A tax may differ from its base × rate by less than 1. A rate below 0.5 % counts as 0 %, by the letter of the rule. */
function wrongTaxRow({ rate, base, tax }: TaxRow, i: number): Missing[] {
  const isZeroRate = Math.round(rate) === 0
  const expected = isZeroRate ? 0 : roundedTo((base * rate) / 100, amountDigits)
  const isRight = isZeroRate
    ? Math.round(tax) === 0
    : Math.abs(minorCents(tax) - minorCents(expected)) < minorCents(1)
  return missingIf(
    !isRight,
    `taxes[${i}]`,
    "BR-CO-17",
    `The tax of ${rate} % on ${base} is ${tax}, but by the rules it may differ from ${expected} by less than 1 only.`,
  )
}

const minorCents = (amount: number): number => nearestUnits(amount, amountDigits)

/** The currencies of ISO 4217 that are in use. The browser and the runtime know old ones too, such as DEM. */
const currencies: ReadonlySet<string> = new Set(
  (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE " +
    "CHF CHW CLF CLP CNH CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD " +
    "GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP " +
    "LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB " +
    "PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STD SVC SYP SZL THB " +
    "TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC " +
    "XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG"
  ).split(" "),
)

/** True for a currency that an e-invoice accepts. */
const isListedCurrency = (code: string): boolean => currencies.has(code)
