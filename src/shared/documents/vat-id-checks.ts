/** The digits of a text. */
const digitsIn = (text: string): number[] => [...text.replace(/\D/g, "")].map(Number)

/** The sum of digits, each times its weight. */
const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * (digits[i] ?? 0), 0)

const at = (digits: readonly number[], index: number): number => digits[index] ?? Number.NaN
const last = (digits: readonly number[]): number => at(digits, digits.length - 1)

/** ISO 7064, MOD 11,10. */
function isMod1110(digits: readonly number[]): boolean {
  let product = 10
  for (const digit of digits.slice(0, -1)) {
    const sum = (digit + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === last(digits)
}

/** The formula of Luhn. */
function isLuhn(digits: readonly number[]): boolean {
  const sum = digits
    .toReversed()
    .reduce((all, digit, i) => all + (i % 2 === 0 ? digit : 2 * digit - (digit > 4 ? 9 : 0)), 0)
  return sum % 10 === 0
}

/** 11 less the rest of the weighted sum. `as` says what 10 and 11 become; a number that has no digit is wrong. */
function isMod11(digits: readonly number[], weights: readonly number[], as: Record<number, number>): boolean {
  const rest = 11 - (weighted(digits, weights) % 11)
  return (as[rest] ?? rest) === at(digits, weights.length)
}

/** The rest of the weighted sum itself. Where it is 10, the second weights count. */
function isRest11(digits: readonly number[], weights: readonly number[], second: readonly number[]): boolean {
  const first = weighted(digits, weights) % 11
  const rest = first === 10 ? (weighted(digits, second) % 11) % 10 : first
  return rest === at(digits, weights.length)
}

/** The rest of a number of any length. */
const restOf = (number: string, divisor: number): number =>
  [...number].reduce((rest, digit) => (rest * 10 + Number(digit)) % divisor, 0)

const dniLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

/** Persons, foreigners and companies have numbers of their own in Spain. Those that begin with K, L or M are not checked. */
function isSpanish(number: string): boolean {
  const first = number.slice(0, 1)
  const end = number.slice(-1)
  if (/^[\dXYZ]/.test(number)) {
    const value = number.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)))
    return dniLetters[Number(value) % 23] === end
  }
  if ("KLM".includes(first)) return true
  const sum = digitsIn(number.slice(1, 8)).reduce(
    (all, digit, i) => all + (i % 2 === 1 ? digit : 2 * digit - (digit > 4 ? 9 : 0)),
    0,
  )
  const control = (10 - (sum % 10)) % 10
  return end === String(control) || end === "JABCDEFGHI"[control]
}

const irishLetters = "WABCDEFGHIJKLMNOPQRSTUV"

/** The older numbers have a letter or a sign in the second place. */
function isIrish(number: string): boolean {
  const older = /^(\d)[A-Z+*](\d{5})([A-W])$/.exec(number)
  const [, digits = "", letter = "", second = ""] = older
    ? ["", `0${older[2]}${older[1]}`, older[3]]
    : (/^(\d{7})([A-W])([A-IW])?$/.exec(number) ?? [])
  const extra = second === "" ? 0 : 9 * irishLetters.indexOf(second)
  return irishLetters[(weighted(digitsIn(digits), [8, 7, 6, 5, 4, 3, 2]) + extra) % 23] === letter
}

/** Those of companies contain the older check digit; those of persons are counted as letters and digits together. */
function isDutch(number: string): boolean {
  const digits = digitsIn(number.slice(0, 9))
  if (digits.length === 9 && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === last(digits)) return true
  const values = [...`NL${number}`].map((sign) =>
    sign === "+" ? "36" : sign === "*" ? "37" : String(Number.parseInt(sign, 36)),
  )
  return restOf(values.join(""), 97) === 1
}

/** Groups of doctors and authorities have three digits, without a check. Branches have three more at the end. */
function isBritish(number: string): boolean {
  if (/^[GH]/.test(number)) return true
  const digits = digitsIn(number)
  const sum = weighted(digits, [8, 7, 6, 5, 4, 3, 2]) + 10 * at(digits, 7) + at(digits, 8)
  return sum % 97 === 0 || (sum + 55) % 97 === 0
}

/** Companies begin with 4 to 9; the numbers of persons are not checked. */
function isLatvian(number: string): boolean {
  const digits = digitsIn(number)
  if (at(digits, 0) < 4) return true
  const rest = 3 - (weighted(digits, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6]) % 11)
  return (rest < -1 ? rest + 11 : rest) === last(digits)
}

function isCypriot(number: string): boolean {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
  const sum = digitsIn(number).reduce((all, digit, i) => all + (i % 2 === 0 ? (odd[digit] ?? 0) : digit), 0)
  return String.fromCodePoint(65 + (sum % 26)) === number.slice(-1)
}

/** `Σ weight × digit` modulo 10, as Estonia and Hungary have it. */
const isMod10 = (digits: readonly number[], weights: readonly number[]): boolean =>
  (10 - (weighted(digits, weights) % 10)) % 10 === at(digits, weights.length)

const upTo = (n: number, from = 1): number[] => Array.from({ length: n }, (_, i) => i + from)
const downFrom = (n: number): number[] => Array.from({ length: n - 1 }, (_, i) => n - i)

const lithuanian: Record<number, [number[], number[]]> = {
  9: [upTo(8), [...upTo(7, 3), 1]],
  12: [
    [...upTo(9), 1, 2],
    [...upTo(7, 3), ...upTo(4)],
  ],
}

/** Whether the check digits of a VAT ID are right, by the country. The number has no prefix and the right pattern. */
export const checks: Readonly<Record<string, (number: string) => boolean>> = {
  AT: (number) => {
    const digits = digitsIn(number)
    const sum = digits
      .slice(0, 7)
      .reduce((all, digit, i) => all + (i % 2 === 0 ? digit : 2 * digit - (digit > 4 ? 9 : 0)), 0)
    return (10 - ((sum + 4) % 10)) % 10 === last(digits)
  },
  BE: (number) => 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8)),
  BG: (number) => number.length !== 9 || isRest11(digitsIn(number), upTo(8), upTo(8, 3)),
  CH: (number) => isMod11(digitsIn(number), [5, 4, 3, 2, 7, 6, 5, 4], { 11: 0 }),
  CY: isCypriot,
  CZ: (number) => number.length !== 8 || isMod11(digitsIn(number), downFrom(8), { 10: 0, 11: 1 }),
  DE: (number) => isMod1110(digitsIn(number)),
  DK: (number) => weighted(digitsIn(number), [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: (number) => isMod10(digitsIn(number), [3, 7, 1, 3, 7, 1, 3, 7]),
  ES: isSpanish,
  FI: (number) => isMod11(digitsIn(number), [7, 9, 10, 5, 8, 4, 2], { 11: 0 }),
  FR: (number) =>
    !/^\d\d/.test(number) || (12 + 3 * (Number(number.slice(2)) % 97)) % 97 === Number(number.slice(0, 2)),
  GB: isBritish,
  GR: (number) => {
    const digits = digitsIn(number)
    return (weighted(digits, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === last(digits)
  },
  HR: (number) => isMod1110(digitsIn(number)),
  HU: (number) => isMod10(digitsIn(number), [9, 7, 3, 1, 9, 7, 3]),
  IE: isIrish,
  IT: (number) => isLuhn(digitsIn(number)),
  LT: (number) => {
    const [weights, second] = lithuanian[number.length] ?? [[], []]
    return isRest11(digitsIn(number), weights, second)
  },
  LU: (number) => Number(number.slice(0, 6)) % 89 === Number(number.slice(6)),
  LV: isLatvian,
  MT: (number) => 37 - (weighted(digitsIn(number), [3, 4, 6, 7, 8, 9]) % 37) === Number(number.slice(6)),
  NL: isDutch,
  NO: (number) => isMod11(digitsIn(number), [3, 2, 7, 6, 5, 4, 3, 2], { 11: 0 }),
  PL: (number) => weighted(digitsIn(number), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === last(digitsIn(number)),
  PT: (number) => isMod11(digitsIn(number), downFrom(9), { 10: 0, 11: 0 }),
  RO: (number) => {
    const digits = digitsIn(number.padStart(10, "0"))
    return ((weighted(digits, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === last(digits)
  },
  SE: (number) => isLuhn(digitsIn(number).slice(0, 10)),
  SI: (number) => isMod11(digitsIn(number), downFrom(8), { 10: 0 }),
  SK: (number) => restOf(number, 11) === 0,
  XI: isBritish,
}
