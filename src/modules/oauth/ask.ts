import { isRegistered } from "../../lib/redirect-uri"
import type { OAuthClientService } from "./client-service"
import { OAuthFailure, type OAuthCode } from "./failure"
import { givenTwice } from "./form"
import type { Ask, OAuthClient } from "./model"
import { isChallenge, readScopes } from "./rules"

/** A fault that is not told to the application, because its identity or its address is not certain. */
export class Untrusted extends Error {}

/** A fault that is told to the application by a redirect, because it and its address are known. */
export type Refused = { redirectUri: string; state: string | null; code: OAuthCode; message: string }

/** Reads a request for authorization. A fault of the client or its address is never told by a redirect. */
export function readAsk(query: string, clients: OAuthClientService): Ask | Refused {
  const params = new URLSearchParams(query)
  const only = (name: string): string | null => {
    const values = params.getAll(name)
    if (values.length > 1) throw givenTwice(name)
    return values[0] || null
  }
  const { client, redirectUri } = readPlace(params, clients)
  const state = params.get("state")
  const refuse = (code: OAuthCode, message: string): Refused => ({ redirectUri, state, code, message })
  try {
    only("state")
    const responseType = only("response_type")
    if (responseType === null) return refuse("invalid_request", "response_type is missing.")
    if (responseType !== "code")
      return refuse("unsupported_response_type", "There is only response_type=code.")
    const challenge = only("code_challenge")
    const method = only("code_challenge_method")
    if (challenge === null) return refuse("invalid_request", "code_challenge is missing: PKCE is required.")
    if (method !== "S256") return refuse("invalid_request", "code_challenge_method must be S256.")
    if (!isChallenge(challenge))
      return refuse("invalid_request", "code_challenge must be a SHA-256 in base64url.")
    const scopes = readScopes(only("scope"), client.scopes)
    if (scopes === null || scopes.length === 0)
      return refuse("invalid_scope", `This client may ask for ${client.scopes.join(", ")}.`)
    for (const name of new Set(params.keys())) only(name)
    return { client, redirectUri, state, challenge, scopes }
  } catch (error) {
    if (error instanceof OAuthFailure) return refuse(error.code, error.message)
    throw error
  }
}

function readPlace(
  params: URLSearchParams,
  clients: OAuthClientService,
): { client: OAuthClient; redirectUri: string } {
  const [ids, addresses] = [params.getAll("client_id"), params.getAll("redirect_uri")]
  const [id, redirectUri] = [ids[0], addresses[0]]
  if (ids.length > 1 || addresses.length > 1)
    throw new Untrusted("The application has asked twice and differently. Nothing was sent to it.")
  const client = id ? clients.find(id) : null
  if (!client) throw new Untrusted("The application that sent you here is not known.")
  if (!redirectUri || !isRegistered(redirectUri, client.redirectUris))
    throw new Untrusted(
      "The application wants to be answered at an address that is not registered for it. Nothing was sent there.",
    )
  return { client, redirectUri }
}

/** An address with more parameters. It keeps those that it has. */
export function withParams(uri: string, more: Record<string, string | null>): string {
  const given = Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`
}
