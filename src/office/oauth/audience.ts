import { assistantPath, assistantScopes } from "../../core/http/assistants/door"
import type { Audience } from "../../core/caller"
import type { Scope } from "../../shared/rights"

/** The resource that stands for an audience (RFC 8707). */
export const resourceOf = (audience: Audience, issuer: string): string =>
  audience === "mcp" ? `${issuer}${assistantPath}` : `${issuer}/api/v1`

/** What a token with this resource is for: the API if none is named; null for an unknown one. */
export function audienceOf(resource: string | null, issuer: string): Audience | null {
  if (resource === null) return "api"
  const named = plain(resource)
  const isSame = (audience: Audience) => named === plain(resourceOf(audience, issuer))
  return isSame("mcp") ? "mcp" : isSame("api") ? "api" : null
}

/** Capitals in the host and a slash at the end make no difference. */
const plain = (url: string): string | null =>
  URL.canParse(url) && !url.includes("#") ? new URL(url).href.replace(/\/$/, "") : null

/** The scopes that make a difference for an audience: no tool of assistants deletes or administers. */
export const scopesFor = (audience: Audience, scopes: readonly Scope[]): Scope[] =>
  audience === "mcp" ? scopes.filter((scope) => assistantScopes.some((each) => each === scope)) : [...scopes]
