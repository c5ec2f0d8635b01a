const prefix = "whsec_"

/** A new secret of 256 bits in the form of Standard Webhooks. */
export const newWebhookSecret = (): string =>
  prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")

/** A secret, and the one before it while it is still used. */
export type Secrets = readonly [secret: string, ...previous: string[]]

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
