import type { Call } from "../../core/http/request/call"
import { withParams, type Refused } from "./ask"

type Answer = Record<string, string | null>

/** Redirects the browser back to the client, with a 303 so that the browser does not send our form to it. */
export const goBack = (issuer: string, uri: string, answer: Answer, cookie: string | null = null): Response =>
  redirect(withParams(uri, { ...answer, iss: issuer }), cookie, { "referrer-policy": "no-referrer" })

/** Reports to the client why it gets no code. */
export const refuse = (
  issuer: string,
  { redirectUri, state, code, message }: Refused,
  cookie: string | null = null,
): Response => goBack(issuer, redirectUri, { error: code, error_description: message, state }, cookie)

/** Redirects the browser to the first page, because the last page is out of date. */
export const startAgain = ({ query }: Call, cookie: string | null = null): Response =>
  redirect(`/oauth/authorize?${query}`, cookie)

const redirect = (location: string, cookie: string | null, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location, ...headers, ...(cookie ? { "set-cookie": cookie } : {}) },
  })
