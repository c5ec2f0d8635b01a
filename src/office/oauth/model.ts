import { Type, type Static } from "@sinclair/typebox"
import type { Audience } from "../../core/caller"
import { adminRights, scopes, type Scope } from "../../shared/rights"
import { errorOfRedirect } from "./redirect-uri"
import { defineResource, type RecordOf } from "../../core/kind/define"
import {
  withDefault,
  choice,
  derived,
  createOnly,
  type Given,
  list,
  reference,
  required,
  readOnly,
  readOnlyNullable,
} from "../../core/kind/field"
import { text } from "../../core/kind/text-field"

export const clientTypes = ["confidential", "public"] as const

const redirectUri = text({
  max: 2048,
  format: "uri",
  examples: ["https://shop.example/callback"],
  check: (value) => {
    const error = errorOfRedirect(value)
    return error ? { error, format: "redirect-uri" } : { value }
  },
})

function actsAs(): Given<string> {
  const field = reference("usr")
  const description =
    "The user as whom a confidential client acts by itself, with the grant type client_credentials; null if it does not"
  return { ...field, schema: Type.Unsafe<string>({ ...field.schema, description }) }
}

/** An app that can ask users for permission to act for them. Its secret is shown once; only its digest is stored. */
export const oauthClients = defineResource({
  name: "oauth-clients",
  variable: "CLIENT",
  table: "oauth_clients",
  idPrefix: "cli",
  noun: "OAuth client",
  title: "OAuthClient",
  about: "Apps that can ask users for permission to act for them. For admins.",
  menu: {
    group: "developers",
    place: 2,
    path: "/settings/oauth-clients",
    recordPath: "/settings/oauth-clients?id=:id",
    icon: "apps",
  },
  names: {
    en: {
      title: "OAuth clients",
      one: "OAuth client",
      many: "OAuth clients",
      the: "the OAuth client",
      fields: { metadataUrl: "Describes itself at" },
    },
    de: {
      title: "OAuth-Clients",
      one: "OAuth-Client",
      many: "OAuth-Clients",
      the: "den OAuth-Client",
      fields: { metadataUrl: "Beschreibt sich unter" },
    },
  },
  rights: adminRights,
  hasHistory: true,
  search: [],
  scan: ["name"],
  fields: {
    clientId: derived(readOnly(text({ examples: ["cli_01kb2qk3dvb6r8h5m9x4w7z2nc"] })), () => "id"),
    name: required(text({ max: 100, examples: ["Web shop"] })),
    type: createOnly(withDefault(choice(clientTypes), "confidential")),
    redirectUris: required(list(redirectUri, { min: 1, max: 20 })),
    scopes: required(list(choice(scopes), { min: 1, max: scopes.length })),
    actsAs: actsAs(),
    metadataUrl: readOnlyNullable(
      text({
        max: 2_000,
        isCode: true,
        description: "The client ID of an app that nobody has registered: where it says what it is",
      }),
    ),
  },
})

export type OAuthClient = RecordOf<typeof oauthClients>

const moment = Type.String({ format: "date-time" })

/** A grant as its user sees it. */
export const GrantSchema = Type.Object(
  {
    id: Type.String(),
    client: Type.String(),
    clientName: Type.String(),
    scopes: Type.Array(Type.String()),
    mcpScopes: Type.Array(Type.String(), { description: "The scopes for the tools of assistants, at /mcp" }),
    createdAt: moment,
    updatedAt: moment,
    lastUsedAt: Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time" }),
  },
  { $id: "Grant" },
)
export type ListedGrant = Static<typeof GrantSchema>

/** A user's permission for an OAuth client. */
export type Grant = {
  id: string
  user: string
  client: string
  scopes: Scope[]
  /** Those for the tools of assistants. */
  mcpScopes: Scope[]
  createdAt: string
  updatedAt: string
}

/** A valid authorization request. */
export type Ask = {
  client: OAuthClient
  redirectUri: string
  state: string | null
  challenge: string
  /** The requested scopes. The user may be able to grant less. */
  scopes: Scope[]
  /** What the tokens will be for. */
  audience: Audience
}

/** An authorization code, and everything it is bound to. */
export type Code = {
  grant: string
  client: string
  user: string
  redirectUri: string
  challenge: string
  scopes: Scope[]
  audience: Audience
  createdAt: string
  session: string | null
}
