import type { SheetErrorReason } from "../model"

type Options = { params?: Record<string, string | number> | undefined; cause?: unknown }

/** Why a file cannot be read. The message is a sentence for the person who sent it. */
export class SheetError extends Error {
  /** The values that the message contains, for a client that shows it in another language. */
  readonly params: Record<string, string | number>

  constructor(
    readonly reason: SheetErrorReason,
    message: string,
    { params = {}, cause }: Options = {},
  ) {
    super(message, { cause })
    this.params = params
  }
}

/** The error of a file that could not be read because of a bug or because the server stops. */
export const unreadable = (cause?: unknown): SheetError =>
  new SheetError("UNREADABLE", "The file could not be read.", { cause })

/** The error of a file that takes forever to read. */
export const stuck = (): SheetError =>
  new SheetError(
    "STUCK",
    "Reading the file made no progress for minutes, so it was stopped. Save the table as CSV and try again.",
  )

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
