import type { Actor } from "../../core/write/writer"
import { actorOf, type Call } from "../../core/http/request/call"
import { page, type OtherOperation, type RouteCall, type Route } from "../../core/http/route/route"
import { scopes } from "../../shared/rights"
import { authenticate, type Prove } from "./authenticate"
import type { OAuthClientService } from "./client-service"
import { OAuthFailure, type Params, readForm } from "./form"
import { introspectOperation, metadataOperation, revokeOperation, tokenOperation } from "./operations"
import type { OAuthService } from "./service"

type Deps = { oauth: OAuthService; clients: OAuthClientService; issuer: () => string }
type Work = (prove: Prove, params: Params, call: Call) => Promise<object>

/** The endpoints that OAuth clients call: token, revocation and introspection, and the metadata that describes them. */
export const oauthEndpoints = ({ oauth, clients, issuer }: Deps): Route[] => [
  page("GET", "/.well-known/oauth-authorization-server", () => metadata(issuer(), clients.takesDocuments), {
    operation: metadataOperation,
  }),
  endpoint("/oauth/token", tokenOperation, clients, (prove, params, call) =>
    issueTokens(oauth, prove, params, call),
  ),
  endpoint("/oauth/revoke", revokeOperation, clients, async (prove, params, call) => {
    const by = asClient(call, prove())
    await oauth.revoke(prove, needed(params, "token"), by)
    return {}
  }),
  endpoint("/oauth/introspect", introspectOperation, clients, async (prove, params) => {
    const client = prove()
    if (client.type === "public")
      throw new OAuthFailure("invalid_client", "Only a confidential client may introspect tokens.")
    return oauth.introspect(client, needed(params, "token"))
  }),
]

/** An endpoint for authenticated clients. Failures are returned in the form of RFC 6749, 5.2. */
const endpoint = (
  path: string,
  operation: OtherOperation,
  clients: OAuthClientService,
  work: Work,
): Route => {
  const answer = async ({ request, call }: RouteCall): Promise<Response> => {
    try {
      const params = await readForm(request)
      const prove = () => authenticate(request, params, clients)
      return json(200, await work(prove, params, call))
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error
      return json(
        error.code === "invalid_client" ? 401 : 400,
        { error: error.code, error_description: error.message },
        error.code === "invalid_client" ? { "www-authenticate": 'Basic realm="kontor"' } : {},
      )
    }
  }
  return page("POST", path, answer, { operation })
}

async function issueTokens(oauth: OAuthService, prove: Prove, params: Params, call: Call): Promise<object> {
  const by = asClient(call, prove())
  switch (params.get("grant_type")) {
    case "authorization_code":
      return oauth.exchange(
        prove,
        {
          code: needed(params, "code"),
          redirectUri: needed(params, "redirect_uri"),
          verifier: needed(params, "code_verifier"),
          resource: params.get("resource") ?? null,
        },
        by,
      )
    case "refresh_token":
      return oauth.refresh(
        prove,
        {
          refreshToken: needed(params, "refresh_token"),
          scope: params.get("scope") ?? null,
          resource: params.get("resource") ?? null,
        },
        by,
      )
    case "client_credentials":
      return oauth.ownTokens(
        prove,
        { scope: params.get("scope") ?? null, resource: params.get("resource") ?? null },
        by,
      )
    case undefined:
      throw new OAuthFailure("invalid_request", "grant_type is missing.")
    default:
      throw new OAuthFailure(
        "unsupported_grant_type",
        "grant_type must be authorization_code, refresh_token or client_credentials.",
      )
  }
}

const asClient = (call: Call, { id, name }: { id: string; name: string }): Actor => ({
  ...actorOf(call),
  type: "oauthClient",
  id,
  name,
})

function needed(params: Params, name: string): string {
  const value = params.get(name)
  if (value === undefined) throw new OAuthFailure("invalid_request", `${name} is missing.`)
  return value
}

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { pragma: "no-cache", ...headers } })

/** RFC 8414. */
const metadata = (issuer: string, takesDocuments: boolean) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  service_documentation: `${issuer}/docs`,
  scopes_supported: scopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: takesDocuments,
})
