/** Prices and quantities are kept as whole numbers of one ten-thousandth. */
export const priceDigits = 4
export const largestPrice = 999_999_999.9999

/** A JSON number as a whole number of 10^-digits, or null when it has more decimals than that. */
export function toUnits(value: number, digits: number): number | null {
  const factor = 10 ** digits
  const units = Math.round(value * factor)
  return units / factor === value ? units : null
}

/** A number that the engine holds as a whole one where it is one, and so writes out faster. */
export function fromUnits(units: number, digits: number): number {
  const value = units / 10 ** digits
  const whole = value | 0
  return whole === value ? whole : value
}

/** The nearest whole number of 10^-digits, also for a value that has more decimals. */
export const nearestUnits = (value: number, digits: number): number => Math.round(value * 10 ** digits)

/** A value rounded to so many decimals, as after a subtraction: 0.3 − 0.1 is 0.2. */
export const roundedTo = (value: number, digits: number): number =>
  fromUnits(nearestUnits(value, digits), digits)
