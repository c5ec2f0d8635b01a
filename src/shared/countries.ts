/** ISO 3166-1 alpha-2, the officially assigned codes. */
export const countries: ReadonlySet<string> = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO " +
    "FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE " +
    "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO " +
    "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW " +
    "PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM " +
    "TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
)

/** Countries whose addresses have no postal code. */
const withoutPostalCodes: ReadonlySet<string> = new Set(
  (
    "AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GD GM GQ GY HK JM KI KM KN KP LY ML MO MR " +
    "MW NR NU PA QA RW SB SC SL SR SS ST SX SY TD TF TG TK TL TO TT TV UG UM VU YE ZW"
  ).split(" "),
)

/** The parts of a postal address. */
type AddressParts = {
  street: string | null
  zipCode: string | null
  city: string | null
  country: string | null
}

/** Returns the parts that an address lacks, in the order in which people write them. */
export function missingInAddress(address: AddressParts | null): (keyof AddressParts)[] {
  const needed: (keyof AddressParts)[] = withoutPostalCodes.has(address?.country ?? "")
    ? ["street", "city", "country"]
    : ["street", "zipCode", "city", "country"]
  return needed.filter((part) => (address?.[part] ?? "").trim() === "")
}

/** The ISO 4217 codes to choose from, without the codes for testing (XTS) and for "no currency" (XXX). */
export const currencyCodes = (): string[] =>
  Intl.supportedValuesOf("currency").filter((code) => code !== "XXX" && code !== "XTS")

/** The number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export const digitsOf = (code: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency: code }).resolvedOptions()
    .maximumFractionDigits ?? 2

/**
 * How e-invoices are exchanged: a PDF with the XML inside, XRechnung, UBL in the Peppol network, or any form of EN 16931.
 * `qr-bill` is a payment slip on paper, and `other` is a national format that Kontor does not write.
 */
type EInvoiceWay = "factur-x" | "xrechnung" | "peppol-ubl" | "en16931" | "qr-bill" | "other"

/** What the shops of a country need. */
type EInvoiceHint = {
  /** Between businesses. */
  businesses: EInvoiceWay
  /** For customers of the public sector. */
  publicSector: EInvoiceWay
  /** The day from which all businesses must issue e-invoices to each other; null when there is no such duty. */
  dutyFrom: string | null
}

const anyForm: EInvoiceHint = { businesses: "en16931", publicSector: "en16931", dutyFrom: null }
const peppol: EInvoiceHint = { businesses: "peppol-ubl", publicSector: "peppol-ubl", dutyFrom: null }
const national: EInvoiceHint = { businesses: "other", publicSector: "other", dutyFrom: null }

/** As of November 2026. */
const hints: Readonly<Record<string, EInvoiceHint>> = {
  AT: { ...anyForm, publicSector: "peppol-ubl" },
  BE: { ...peppol, dutyFrom: "2026-01-01" },
  CH: { businesses: "qr-bill", publicSector: "other", dutyFrom: null },
  DE: { businesses: "factur-x", publicSector: "xrechnung", dutyFrom: "2028-01-01" },
  DK: peppol,
  FI: peppol,
  FR: { businesses: "factur-x", publicSector: "factur-x", dutyFrom: "2027-09-01" },
  HU: national,
  IT: { ...national, dutyFrom: "2019-01-01" },
  LI: { businesses: "qr-bill", publicSector: "other", dutyFrom: null },
  LU: { ...anyForm, publicSector: "peppol-ubl" },
  NL: { ...anyForm, publicSector: "peppol-ubl" },
  NO: peppol,
  PL: { ...national, dutyFrom: "2027-01-01" },
  RO: { ...national, dutyFrom: "2024-07-01" },
  SE: peppol,
}

/** Returns what the shops of a country need. Where nothing is known, any form of EN 16931 is a good choice. */
export const eInvoiceHintOf = (country: string | null): EInvoiceHint => hints[country ?? ""] ?? anyForm
