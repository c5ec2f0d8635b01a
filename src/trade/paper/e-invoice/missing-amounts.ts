import { nearestUnits, roundedTo, toUnits } from "../../../shared/decimal"
import { taxKeyOf } from "../../../shared/money"
import type { TaxRow } from "../../documents/model"
import type { Missing, Paper } from "../model"
import { amountDigits } from "./numbers"
import { missingIf } from "./report"

/** Returns what is wrong with the currency and the amounts of a document. */
export const wrongAmounts = (paper: Paper): Missing[] => [
  ...missingIf(
    !isListedCurrency(paper.currency),
    "currency",
    "BR-CL-04",
    `${paper.currency} is not a currency of ISO 4217 that is in use: an e-invoice cannot have it.`,
  ),
  ...wrongDecimals(paper),
  ...wrongSums(paper),
  ...paper.taxes.flatMap(wrongTax),
]

/** Amounts have at most two decimals, also in currencies with three, such as KWD. One rule is enough to say so. */
function wrongDecimals({ lines, taxes, currency, digits }: Paper): Missing[] {
  if (digits <= amountDigits) return []
  const isLong = (amount: number) => toUnits(amount, amountDigits) === null
  const rule =
    (lines.some(({ amount }) => isLong(amount)) && "BR-DEC-23") ||
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
function wrongTax({ rate, base, tax }: TaxRow, i: number): Missing[] {
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
