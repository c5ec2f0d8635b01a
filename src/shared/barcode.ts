/** A GTIN: EAN-8, UPC-A, EAN-13 or ITF-14. Its last digit checks the others. */
const gtin = /^(?:\d{8}|\d{12,14})$/

/** True for a text that has the form of a GTIN, also if its check digit is wrong. */
export const isGtin = (text: string): boolean => gtin.test(text)

/** Returns a barcode as a scanner reads it: people print and type its digits in groups. */
export const plainBarcode = (text: string): string =>
  /^[\d ]+$/.test(text) ? text.replaceAll(" ", "") : text

/** Returns the check digit of the digits before it. */
export function checkDigitOf(digits: string): number {
  const fromLast = [...digits].map(Number).reverse()
  const sum = fromLast.reduce((total, digit, i) => total + digit * (i % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/** Returns the check digit that a GTIN should end with; null if it does, or if the barcode is no GTIN. */
export function missedCheckDigit(barcode: string): number | null {
  if (!isGtin(barcode)) return null
  const right = checkDigitOf(barcode.slice(0, -1))
  return barcode.endsWith(String(right)) ? null : right
}

/** True for a number that a spreadsheet has shortened, such as 4.00638E+12: its last digits are lost. */
export const isShortened = (text: string): boolean => /^\d(?:[.,]\d+)?E\+\d+$/i.test(text)
