// How a receiver of webhooks finds out that a request is from Kontor. `kontor client` prints what follows the line. The
// type before it is a stand-in for that of the API document.
type ReceivedEvent = { id: string; type: string }
/** Imported as a text, this file is its text. */
export default ""
// ------------------------------------------------------------------------------------------------------------------

/** A request that is not a valid webhook. */
export class WebhookError extends Error {
  override readonly name = "WebhookError"
}

/** The headers of a request: those of fetch, or an object with names in lower case, as Node.js has them. */
type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/** How far the time of a webhook may be from now, in seconds. An older one may be a repetition by somebody else. */
const webhookTolerance = 300

/**
 * Verifies the signature and the time of a webhook, and returns its event. `body` is the body as it was received, before
 * it is parsed. `secret` is the one that Kontor showed when the webhook was created. Throws a WebhookError.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<ReceivedEvent> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value !== "string" || value === "") throw new WebhookError(`The header ${name} is missing.`)
    return value
  }) as [string, string, string]
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > webhookTolerance)
    throw new WebhookError("The timestamp of the webhook is too far from the time of this machine.")
  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  const key = await crypto.subtle.importKey(
    "raw",
    bytesIn(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  // There are several while a secret is rotated. The comparison takes the same time for every signature.
  for (const signature of signatures.split(" ")) {
    const [version, value = ""] = signature.split(",")
    if (version === "v1" && (await crypto.subtle.verify("HMAC", key, bytesIn(value), signed)))
      return JSON.parse(text) as ReceivedEvent
  }
  throw new WebhookError("No signature of the webhook is valid.")
}

/** The bytes of a text in Base64; none if it is not Base64. */
function bytesIn(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
