import type { Caller } from "../../core/caller"
import { randomBytes } from "../../core/lib/random/random"
import type { Event } from "../events/model"
import { type EventRecords, withRecords } from "../events/records"
import type { Delivery, Webhook } from "./model"

/** What is stored of an event that was sent. Records are not copied: the last thousands of bodies would take gigabytes. */
export const requestOf = (event: Event): string => JSON.stringify(event)

export const eventOf = ({ request }: Pick<Delivery, "request">): Event => JSON.parse(request) as Event

/**
 * Returns the body for an event: the event as the feed shows it, with its record as it is now if the payload is full.
 * `reader` is the user who must be allowed to see the record.
 */
export async function bodyOf(
  event: Event,
  payload: Webhook["payload"],
  records: EventRecords,
  reader: Caller | null,
): Promise<string> {
  const [shown] =
    payload === "thin"
      ? [event]
      : reader
        ? await withRecords([event], records, null, reader)
        : [{ ...event, record: null }]
  return JSON.stringify(shown)
}

const prefix = "whsec_"

/** A new secret of 256 bits in the form of Standard Webhooks. */
export const newWebhookSecret = (): string =>
  prefix + Buffer.from(randomBytes("secrets", 32)).toString("base64")

/** A secret, and the one before it while it is still used. */
type Secrets = readonly [secret: string, ...previous: string[]]

/** What a receiver verifies, as Standard Webhooks defines it: the id of the event, the time and the signatures. */
export function signedHeaders(
  secrets: Secrets,
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => `v1,${signatureOf(secret, `${id}.${seconds}.${body}`)}`)
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  }
}

const signatureOf = (secret: string, text: string): string =>
  new Bun.CryptoHasher("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
    .update(text)
    .digest("base64")
