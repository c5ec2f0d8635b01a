import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { type FieldError, fieldError, invalid, missingReference } from "../../core/lib/refusal"
import { assistantScopes } from "../../core/http/assistants/door"
import type { Scope } from "../../shared/rights"
import { digestOf, newSecret, sameSecret } from "../../core/lib/secret"
import { tableCrud } from "../../core/store/crud"
import { readDraft, type Draft, type Input } from "../../core/kind/read"
import type { TableStore } from "../../core/store/table-store"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { oauthClients, type OAuthClient } from "./model"
import { type ClientDocuments, isDocumentUrl } from "./described/document"
import { findByUrl, findClientDigest, setClientDigest, setUrl } from "./store"

type Deps = {
  db: Database
  store: TableStore<typeof oauthClients>
  onChange?: (tx: Tx) => void
  isActiveUser: (id: string) => boolean
  /** Ends what a client does for a user. */
  endGrant: (tx: Tx, user: string, client: string) => void
  /** The apps that describe themselves; null when the server does not call others. */
  documents?: ClientDocuments | null
}

/** What an app that nobody has registered may ask for. */
const scopesOfDescribed: Scope[] = [...assistantScopes]

export function oauthClientService(deps: Deps) {
  const { db, store, onChange = () => {}, documents = null, isActiveUser, endGrant } = deps
  const crud = tableCrud(oauthClients, store)
  const findDescribed = (url: string) => store.find(findByUrl(db, url) ?? "") as OAuthClient | null

  const newSecretFor = (client: OAuthClient): string | null => {
    if (client.type === "public") return null
    const secret = newSecret()
    setClientDigest(db, client.id, digestOf(secret))
    return secret
  }

  const actorErrors = ({ type, actsAs }: Partial<Record<string, unknown>>): FieldError[] => {
    if (typeof actsAs !== "string") return []
    if (type === "public")
      return [fieldError("actsAs", "RULE", "is only for confidential clients", { rule: "NO_SECRET" })]
    return isActiveUser(actsAs) ? [] : [missingReference("actsAs", actsAs)]
  }

  return {
    list: crud.list,
    get: crud.get,
    findMany: crud.findMany,
    /** By the client ID, which is the address of its document for an app that somebody has allowed. */
    find: (id: string): OAuthClient | null =>
      isDocumentUrl(id) ? findDescribed(id) : (store.find(id) as OAuthClient | null),

    /** True if apps may describe themselves. */
    takesDocuments: documents !== null,

    /** Fetches what an app says about itself, before the app is asked for. */
    prepare: async (id: string): Promise<void> => documents?.prepare(id),

    /** The client that asks for permission: a registered one, or one that describes itself, as it does now. */
    findAsking(id: string): OAuthClient | null {
      if (!isDocumentUrl(id)) return store.find(id) as OAuthClient | null
      const now = documents?.find(id)
      if (!now) return null
      const shared = { ...now, type: "public" as const, scopes: scopesOfDescribed }
      // Until somebody allows it, it has no record.
      return { ...(findDescribed(id) ?? { ...unstored, id, clientId: id }), ...shared }
    },

    /** Stores an app that describes itself when somebody allows it, and returns its id. */
    keep(tx: Tx, { id, name, redirectUris, metadataUrl }: OAuthClient): string {
      if (metadataUrl === null) return id
      const known = findDescribed(metadataUrl)
      if (known) {
        crud.update(tx, known.id, { name, redirectUris }, null)
        return known.id
      }
      const draft = { name, redirectUris, type: "public", scopes: scopesOfDescribed }
      const made = crud.create(tx, readDraft(oauthClients, draft))
      setUrl(db, made.id, metadataUrl)
      return made.id
    },

    /** True when this is the client's secret; a public client has none. */
    knows(client: OAuthClient, secret: string): boolean {
      const digest = findClientDigest(db, client.id)
      return digest !== null && sameSecret(digest, digestOf(secret))
    },

    /** Creates a client and returns it with its secret, which is shown only once. A public client has none. */
    create(tx: Tx, draft: Draft): { record: OAuthClient; secret: string | null } {
      const record = crud.make(tx, { ...draft, errors: [...draft.errors, ...actorErrors(draft.values)] })
      return { record, secret: newSecretFor(record) }
    },

    /** Gives a confidential client a new secret. The old one stops working immediately. */
    rotate(tx: Tx, id: string, expected: Expected = null): { record: OAuthClient; secret: string | null } {
      const record = crud.get(id)
      assertVersion(record, expected)
      if (record.type === "public")
        throw invalid("type", "RULE", "is public; a public client has no secret", { rule: "NO_SECRET" })
      const secret = newSecretFor(record)
      tx.audit("oauth-clients.rotate", id)
      return { record, secret }
    },

    update(tx: Tx, id: string, input: Input, expected: Expected): OAuthClient {
      onChange(tx)
      const before = crud.get(id)
      const changes = unrepeated(input)
      const { actsAs } = changes
      const errors = actsAs === before.actsAs ? [] : actorErrors({ type: before.type, actsAs })
      const after = crud.revise(tx, id, changes, expected, errors)
      if (before.actsAs !== null && after.actsAs !== before.actsAs) endGrant(tx, before.actsAs, id)
      return after
    },

    /** Deletes a client. Its grants and tokens are deleted with it. */
    remove(tx: Tx, id: string, expected: Expected = null): void {
      crud.remove(tx, id, expected)
      onChange(tx)
    },
  }
}

export type OAuthClientService = ReturnType<typeof oauthClientService>

/** What a client has that is not stored. */
const unstored = { actsAs: null, version: 1, createdAt: "", updatedAt: "" }

/** Parses a body that registers a client. */
export const readClient = (input: Input): Draft => readDraft(oauthClients, unrepeated(input))

/** Removes duplicate scopes and redirect URIs. */
const unrepeated = (input: Input): Input =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)] : value]),
  )
