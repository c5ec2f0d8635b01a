/** Why a file cannot be read, as a sentence for the person who sent it. */
export class SheetError extends Error {}

const longestQuote = 60

/** A value of a file on one line, cut to 60 characters. */
export function cut(value: string): string {
  const text = value
    .slice(0, 10 * longestQuote)
    .trim()
    .replaceAll(/\s+/g, " ")
  return text.length > longestQuote ? `${text.slice(0, longestQuote - 1)}…` : text
}

/** The same in quotation marks. */
export const quoted = (value: string): string => `"${cut(value)}"`

/** A number as text, with a comma between thousands: 100,000. */
export const shown = (count: number): string => count.toLocaleString("en")
