/** Removes the spaces of an IBAN or BIC and puts it into upper case: the form in which it is stored. */
export const tidyBankCode = (code: string): string => code.replace(/\s/g, "").toUpperCase()

/** True when an IBAN in stored form has a valid checksum (ISO 13616). */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  return mod97(iban.slice(4) + iban.slice(0, 4)) === 1
}

/** The rest of letters and digits as one number, with 10 for A to 35 for Z, divided by 97 (ISO 7064). */
export function mod97(text: string): number {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

/** True when a BIC in stored form has 8 or 11 characters in the order of ISO 9362. */
export const isBic = (bic: string): boolean => /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic)

/** Returns what is wrong with an IBAN in stored form, or null. */
export const errorOfIban = (iban: string): string | null =>
  isIban(iban) ? null : "must be an IBAN with a valid checksum"
