import type { Call } from "../../http/call"
import { withParams, type Refused } from "./ask"

type Answer = Record<string, string | null>

/** Sends the browser back to the application, with a 303 so that the browser does not send our form on to it. */
export const goBack = (issuer: string, uri: string, answer: Answer, cookie: string | null = null): Response =>
  redirect(withParams(uri, { ...answer, iss: issuer }), cookie, { "referrer-policy": "no-referrer" })

/** Tells the application why it gets no code. */
export const refuse = (
  issuer: string,
  { redirectUri, state, code, message }: Refused,
  cookie: string | null = null,
): Response => goBack(issuer, redirectUri, { error: code, error_description: message, state }, cookie)

/** Sends the browser to the first page, because what the last page showed does not hold any more. */
export const startAgain = ({ query }: Call, cookie: string | null = null): Response =>
  redirect(`/oauth/authorize?${query}`, cookie)

const redirect = (location: string, cookie: string | null, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location, ...headers, ...(cookie ? { "set-cookie": cookie } : {}) },
  })
