import { readBytes } from "../../core/http/request/body"
import { Refusal } from "../../core/lib/refusal"

const mostBytes = 64 * 1024

/** The parameters of a request to one of the endpoints. Each occurs at most once, and empty parameters are ignored. */
export type Params = ReadonlyMap<string, string>

export function paramsOf(text: string): Params {
  const params = new Map<string, string>()
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) throw givenTwice(name)
    seen.add(name)
    if (value !== "") params.set(name, value)
  }
  return params
}

/** Reads a form in the encoding that the RFCs require. */
export async function readForm(request: Request): Promise<Params> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthFailure("invalid_request", "Send the parameters as application/x-www-form-urlencoded.")
  if (request.headers.has("content-encoding"))
    throw new OAuthFailure("invalid_request", "Send the parameters without Content-Encoding.")
  const bytes = await readBytes(request, mostBytes).catch((error: unknown) => {
    if (error instanceof Refusal)
      throw new OAuthFailure(
        "invalid_request",
        error.code === "PAYLOAD_TOO_LARGE" ? "The request is too long." : error.message,
      )
    throw new OAuthFailure("invalid_request", "The request body is incomplete.")
  })
  return paramsOf(new TextDecoder().decode(bytes))
}

/**
 * Names the parameter only if it is simple: the RFCs allow no quotes, backslashes or non-ASCII characters in an error.
 */
export const givenTwice = (name: string): OAuthFailure =>
  new OAuthFailure(
    "invalid_request",
    `${/^\w{1,40}$/.test(name) ? name : "A parameter"} is given more than once.`,
  )

/** The error codes that the RFCs define. */
export type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"

/** An error whose response the RFCs define. The endpoint responds in that format and not in our envelope. */
export class OAuthFailure extends Error {
  constructor(
    readonly code: OAuthCode,
    message: string,
  ) {
    super(message)
  }
}
