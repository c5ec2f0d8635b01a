import { real, steadyMillis } from "../../core/lib/clock"
import { version } from "../../version"
import { failureOf, type NoResponse } from "./failure"
import { postTo, type Network } from "./request"
import { signedHeaders } from "./message"
import type { Target } from "./store"

/** What is sent: the id of the event, which is the same in every attempt, and the body. */
export type Message = { event: string; body: string }

/** What an attempt has led to. `failure` tells why there was no response. */
export type Attempt = {
  /** The headers that were sent. They contain signatures, but no secrets. */
  headers: Record<string, string>
  status: number | null
  text: string | null
  failure: NoResponse | null
  millis: number
}

/** Only a status 2xx is a success. A redirect is not followed, so it is a failure. */
export const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** Sends a message once. Returns null if the server stops meanwhile: then it is not known whether it was received. */
export async function attemptOf(
  network: Network,
  { url, secrets }: Pick<Target, "url" | "secrets">,
  { event, body }: Message,
  signal: AbortSignal,
): Promise<Attempt | null> {
  if (signal.aborted) return null
  const began = steadyMillis()
  const headers = {
    "content-type": "application/json",
    "user-agent": `Kontor/${version}`,
    ...signedHeaders(secrets, { id: event, seconds: real.seconds(), body }),
  }
  const result = await postTo({ url, headers, body }, network, signal).then(
    ({ status, text }) => ({ status, text, failure: null }),
    (error: unknown) => ({ status: null, text: null, failure: failureOf(error) }),
  )
  if (result.status === null && signal.aborted) return null
  return { ...result, headers, millis: Math.round(steadyMillis() - began) }
}
