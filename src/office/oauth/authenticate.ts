import type { OAuthClientService } from "./client-service"
import { OAuthFailure, type Params } from "./form"
import type { OAuthClient } from "./model"

/** Authenticates the client again on each call, because its secret may be rotated while a write waits. */
export type Prove = () => OAuthClient

/** Returns the calling client. A confidential client must send its secret; a public client has none. */
export function authenticate(request: Request, params: Params, clients: OAuthClientService): OAuthClient {
  const basic = readBasic(request)
  const secret = params.get("client_secret") ?? null
  if (basic && secret !== null)
    throw new OAuthFailure(
      "invalid_request",
      "Send the client credentials either in the header or in the body.",
    )
  const id = basic?.id ?? params.get("client_id") ?? null
  if (basic && params.has("client_id") && params.get("client_id") !== basic.id)
    throw new OAuthFailure(
      "invalid_request",
      "client_id differs from the client in the Authorization header.",
    )
  const client = id === null ? null : clients.find(id)
  if (!client) throw unknownClient()
  const given = basic?.secret ?? secret
  if (client.type === "public") {
    if (given !== null && given !== "") throw unknownClient()
    return client
  }
  if (given === null || !clients.knows(client, given)) throw unknownClient()
  return client
}

function readBasic(request: Request): { id: string; secret: string } | null {
  const header = request.headers.get("authorization")
  if (header === null) return null
  const [, text] = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header) ?? []
  const [, id, secret] = /^([^:]*):([\s\S]*)$/.exec(text ? Buffer.from(text, "base64").toString() : "") ?? []
  if (id === undefined || secret === undefined) throw unknownClient()
  try {
    // Both are form-encoded before they are joined (RFC 6749, 2.3.1).
    return { id: unescaped(id), secret: unescaped(secret) }
  } catch {
    throw unknownClient()
  }
}

const unescaped = (text: string) => decodeURIComponent(text.replaceAll("+", " "))

const unknownClient = () =>
  new OAuthFailure("invalid_client", "The client is unknown, or its credentials are wrong.")
