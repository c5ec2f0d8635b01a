import { encode } from "uqr"
import { inGroups } from "../shown"
import type { Piece } from "./flow"
import type { Pen } from "./pen"
import type { Sheet } from "./sheet"
import { ink, left, lineHeight, mm, small, strong, tiny, a4 } from "./style"
import { totalsLeft } from "./totals"
import { isIban } from "../../../shared/iban"
import { dueOf } from "../due"
import type { Paper } from "../model"
import { SwissQRBill } from "swissqrbill/pdf"
import type { Creditor, Data, Debtor } from "swissqrbill/types"
import type { Address } from "../../../core/kind/address"

/** The most that both codes can ask for. */
const mostAmount = 999_999_999.99

const size = 27 * mm
const above = 6 * mm
const textLeft = left + size + 4 * mm
const textWidth = totalsLeft - textLeft - 4 * mm

/** The code that pays an invoice, with what it contains. Null when the invoice cannot be paid by it. */
export function paymentCode(sheet: Sheet): Piece | null {
  const payload = epcPayload(sheet.paper)
  if (payload === null) return null
  const modules = encode([...Buffer.from(payload)], { ecc: "M", border: 0 }).data
  return {
    height: above + size + 1 * mm,
    draw: (pen, y) => {
      drawModules(pen, modules, left, y + above)
      drawCaption(pen, sheet, y + above)
    },
  }
}

/** Draws the dark modules. Those that touch in a row are one rectangle, so that no gaps are visible. */
function drawModules({ document }: Pen, rows: boolean[][], x: number, y: number): void {
  const step = size / rows.length
  rows.forEach((row, r) => {
    for (let start = 0; start < row.length; start++) {
      if (!row[start]) continue
      let end = start
      while (row[end]) end++
      document.rect(x + start * step, y + r * step, (end - start) * step, step)
      start = end
    }
  })
  document.fillColor(ink).fill()
}

function drawCaption(pen: Pen, { paper, texts, ruler }: Sheet, y: number): void {
  const { legalName, iban } = paper.seller
  const caption = { ...strong, size: small.size }
  pen.text(texts.scanToPay, textLeft, y, caption)
  const values = [legalName, iban && inGroups(iban), texts.paymentReference, referenceOf(paper)]
  const lines = values.flatMap((value) => (value ? ruler.lines(value, textWidth, tiny).slice(0, 3) : []))
  lines.forEach((line, i) =>
    pen.text(line, textLeft, y + lineHeight(caption) + 2 + i * lineHeight(tiny), tiny),
  )
}

/** The most characters of the name and of the text of a transfer, and the most bytes of a code (EPC069-12). */
const [mostName, mostText, mostBytes] = [70, 140, 331]
/** The countries of the EEA. A transfer to an account elsewhere needs the BIC. */
const eea = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" "),
)

/** The number by which a document asks for money: that of an issued invoice, also on its reminders. Null if it asks for none. */
export function referenceOf(paper: Paper): string | null {
  const { kind, number, mark, claim } = paper
  if (dueOf(paper) <= 0 || mark !== null) return null
  return claim ? claim.invoice.number : kind === "invoice" ? number : null
}

/**
 * Returns the content of the QR code of a SEPA transfer that pays an invoice (EPC069-12, version 2), or null if the
 * invoice is not in EUR or lacks data.
 */
export function epcPayload(paper: Paper): string | null {
  const { iban, bic, legalName } = paper.seller
  const reference = referenceOf(paper)
  if (reference === null || paper.currency !== "EUR" || dueOf(paper) > mostAmount) return null
  if (!iban || !isIban(iban) || !legalName) return null
  if (!bic && !eea.has(iban.slice(0, 2))) return null
  const payload = [
    "BCD",
    "002",
    "1",
    "SCT",
    bic ?? "",
    firstOf(legalName, mostName),
    iban,
    `EUR${dueOf(paper).toFixed(2)}`,
    "",
    "",
    firstOf(reference, mostText),
  ].join("\n")
  return Buffer.byteLength(payload) <= mostBytes ? payload : null
}

/** The first characters of a text, on one line. */
export const firstOf = (text: string, most: number): string =>
  [...text.replace(/\s+/g, " ")].slice(0, most).join("").trim()

/** The payment part of a Swiss invoice, at the bottom of its last page. */
export type SwissBill = { draw(document: PDFKit.PDFDocument): void }

export const billTop = a4.height - 105 * mm

/** Signs of texts that the standard does not allow, and those that it allows instead. */
const substitutes: [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c-\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/\u2026/g, "..."],
]
const plain = (text: string): string =>
  substitutes.reduce((all, [sign, instead]) => all.replace(sign, instead), text)

/** The letters that the standard allows. */
const allowed = /^[\u0020-\u007e\u00a0-\u017f\u0218-\u021b\u20ac]*$/

/** Returns the Swiss QR bill of an invoice, or null if it is not in CHF or lacks data. */
export function swissBill(paper: Paper): SwissBill | null {
  const data = billData(paper)
  if (data === null) return null
  const bill = new SwissQRBill(data, { language: languages[paper.language] })
  return {
    draw: (document) => {
      document.y = 0
      document.fillColor("black")
      bill.attachTo(document, 0, billTop)
      document.undash()
    },
  }
}

const languages = { en: "EN", de: "DE", fr: "FR" } as const

function billData(paper: Paper): Data | null {
  const { seller, buyer, currency } = paper
  const amount = dueOf(paper)
  const number = referenceOf(paper)
  if (number === null || currency !== "CHF" || amount > mostAmount) return null
  const { iban } = seller
  if (!iban || !/^(CH|LI)\d{7}[A-Z0-9]{12}$/.test(iban) || !isIban(iban)) return null
  const creditor = partyOf(seller.legalName, seller.address)
  if (creditor === null) return null
  // A QR-IBAN needs a reference, which is made of the digits of the number.
  if (isQrIban(iban) && !/\d/.test(number)) return null
  const debtor = partyOf(buyer.name, buyer.address)
  const reference = isQrIban(iban) ? { reference: qrReference(number) } : {}
  const message = firstOf(number, 140)
  return {
    currency: "CHF",
    amount,
    creditor: { ...creditor, account: iban } satisfies Creditor,
    ...(debtor === null ? {} : { debtor }),
    ...reference,
    ...(allowed.test(message) ? { message } : {}),
  }
}

/** A party with a complete address, or null. */
function partyOf(name: string | null, address: Address | null): Debtor | null {
  const { street, city, zipCode, country } = address ?? {}
  if (!name || !street || !city || !zipCode || !country) return null
  const party = {
    name: firstOf(plain(name), 70),
    address: firstOf(plain(street), 70),
    zip: firstOf(plain(zipCode), 16),
    city: firstOf(plain(city), 35),
    country,
  }
  return Object.values(party).every((text) => allowed.test(text)) ? party : null
}

/** True for an IBAN whose payments need a QR reference. */
const isQrIban = (iban: string): boolean => /^3[01]/.test(iban.slice(4))

/** The QR reference of an invoice: the digits of its number, filled with zeros, and a check digit. */
export function qrReference(number: string): string {
  const digits = number.replace(/\D/g, "").slice(-26).padStart(26, "0")
  return digits + checkDigit(digits)
}

/** The check digit of the Swiss banks (modulo 10, recursive). */
function checkDigit(digits: string): string {
  const table = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]
  const carry = [...digits].reduce((sum, digit) => table[(sum + Number(digit)) % 10] ?? 0, 0)
  return String((10 - carry) % 10)
}
