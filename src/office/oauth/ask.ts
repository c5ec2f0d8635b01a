import { isRegistered } from "../../core/lib/redirect-uri"
import type { OAuthClientService } from "./client-service"
import { OAuthFailure, type OAuthCode } from "./failure"
import { givenTwice } from "./form"
import type { Ask, OAuthClient } from "./model"
import { isChallenge, readScopes } from "./rules"

/** An error that is not reported to the client, because its identity or its redirect URI is not verified. */
export class Untrusted extends Error {}

/** An error that is reported to the client by a redirect, because the client and its redirect URI are known. */
export type Refused = { redirectUri: string; state: string | null; code: OAuthCode; message: string }

/** Parses an authorization request. An invalid client or redirect URI is never reported by a redirect. */
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
    if (responseType !== "code") return refuse("unsupported_response_type", "response_type must be code.")
    const challenge = only("code_challenge")
    const method = only("code_challenge_method")
    if (challenge === null) return refuse("invalid_request", "code_challenge is missing: PKCE is required.")
    if (method !== "S256") return refuse("invalid_request", "code_challenge_method must be S256.")
    if (!isChallenge(challenge))
      return refuse("invalid_request", "code_challenge must be a SHA-256 in base64url.")
    const scopes = readScopes(only("scope"), client.scopes)
    if (scopes === null || scopes.length === 0)
      return refuse("invalid_scope", `This client may request ${client.scopes.join(", ")}.`)
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
    throw new Untrusted(
      "The request of the app contains a parameter more than once. Nothing was sent to the app.",
    )
  const client = id ? clients.find(id) : null
  if (!client) throw new Untrusted("The app that sent you here is not registered.")
  if (!redirectUri || !isRegistered(redirectUri, client.redirectUris))
    throw new Untrusted(
      "The app asked for a redirect to an address that is not registered for it. Nothing was sent there.",
    )
  return { client, redirectUri }
}

/** Adds parameters to a URI. It keeps its existing parameters. */
export function withParams(uri: string, more: Record<string, string | null>): string {
  const given = Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`
}
