import { steadyMillis, unixSeconds } from "../../lib/clock"
import { version } from "../../version"
import { NoResponse, postTo, type Network } from "./request"
import { signedHeaders } from "./signature"
import type { Target } from "./store"

/** What is sent: the id of the event, which is the same in every attempt, and the body. */
export type Message = { event: string; body: string }

/** What an attempt has led to. `error` is a sentence, if there was no response. */
export type Attempt = {
  status: number | null
  text: string | null
  error: string | null
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
    ...signedHeaders(secrets, { id: event, seconds: unixSeconds(), body }),
  }
  const result = await postTo({ url, headers, body }, network, signal).then(
    ({ status, text }) => ({ status, text, error: null }),
    (error: unknown) => ({
      status: null,
      text: null,
      error:
        error instanceof NoResponse ? error.message : `The request failed: ${String(error).slice(0, 200)}.`,
    }),
  )
  if (result.status === null && signal.aborted) return null
  return { ...result, millis: Math.round(steadyMillis() - began) }
}
