import { mod97 } from "../iban"

/** The number of a state or of the federation, of a place in it, and of an office: 04011000-12345-03. */
const leitwegId = /^((?:0[1-9]|1[0-6]|99)(?:|\d|\d{3}|\d{6}|\d{7}|\d{10})-[A-Z0-9]{1,30})-(\d{2})$/i

/**
 * Returns the check digits (ISO 7064, mod 97-10) with which a Leitweg-ID should end, if it ends with others; null if they are
 * right, and for what is no Leitweg-ID with an office: a reference may be anything.
 */
export function missedLeitwegDigits(reference: string): string | null {
  const [, rest = "", digits] = leitwegId.exec(reference.trim()) ?? []
  if (digits === undefined) return null
  const expected = String(98 - mod97(`${rest.replace("-", "")}00`)).padStart(2, "0")
  return expected === digits ? null : expected
}
