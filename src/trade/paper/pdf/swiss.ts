import { SwissQRBill } from "swissqrbill/pdf"
import type { Creditor, Data, Debtor } from "swissqrbill/types"
import type { Address } from "../../../core/kind/address"
import { isIban } from "../../../shared/iban"
import type { Paper } from "../model"
import { firstOf, isPayable } from "./epc"
import { a4, mm } from "./style"

/** The payment part of a Swiss invoice, at the bottom of its last page. */
export type SwissBill = { draw(document: PDFKit.PDFDocument): void }

export const billTop = a4.height - 105 * mm
const mostAmount = 999_999_999.99
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
  const { seller, buyer, currency, total, number } = paper
  if (!isPayable(paper) || currency !== "CHF" || total > mostAmount || number === null) return null
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
    amount: total,
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
