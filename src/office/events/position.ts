import { invalid, Refusal } from "../../core/lib/refusal"
import { digestOf } from "../../core/lib/secret"

/**
 * A position in the feed: the id of the feed, and the number of the last event that was read. A restored file begins a
 * new feed, because its numbers are used again for other events.
 */
export type Position = { feed: string; seq: number }

/** Returns the id of a feed. The secret that it is made from is in no backup, so that a restored file has a new feed. */
export const feedIdOf = (secret: string): string => digestOf(secret).slice(0, 16)

export const writePosition = ({ feed, seq }: Position): string => `${feed}-${seq}`

/** Reads a position of this feed that a client has stored. */
export function readPosition(text: string, feed: string): number {
  const [, given, digits] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(text) ?? []
  if (!given || !digits)
    throw invalid("after", "FORMAT", "must be a position from meta.next, or latest", { format: "position" })
  if (given !== feed) throw expired("The position belongs to another feed: the database was restored.")
  return Number(digits)
}

/** The refusal of a position whose next events no longer exist. */
export const expired = (message: string): Refusal =>
  new Refusal(
    "EVENTS_EXPIRED",
    `${message} Get the position of latest, then read the records again, and go on with the events after that position.`,
  )
