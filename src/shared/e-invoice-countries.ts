/**
 * How e-invoices are exchanged: a PDF with the XML inside, XRechnung, UBL in the Peppol network, or any form of EN 16931.
 * `qr-bill` is a payment slip on paper, and `other` is a national format that Kontor does not write.
 */
export type EInvoiceWay = "factur-x" | "xrechnung" | "peppol-ubl" | "en16931" | "qr-bill" | "other"

/** What the shops of a country need. */
export type EInvoiceHint = {
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
