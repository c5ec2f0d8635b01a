import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { type FieldError, fieldError, invalid, missingReference } from "../../core/lib/refusal"
import { digestOf, newSecret, sameSecret } from "../../core/lib/secret"
import { tableCrud } from "../../core/store/crud"
import { readDraft, type Draft, type Input } from "../../core/kind/read"
import type { TableStore } from "../../core/store/table-store"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { oauthClients, type OAuthClient } from "./model"
import { findClientDigest, setClientDigest } from "./store"

type Deps = {
  db: Database
  store: TableStore<typeof oauthClients>
  onChange?: (tx: Tx) => void
  isActiveUser: (id: string) => boolean
  /** Ends what a client does for a user. */
  endGrant: (tx: Tx, user: string, client: string) => void
}

export function oauthClientService({ db, store, onChange = () => {}, isActiveUser, endGrant }: Deps) {
  const crud = tableCrud(oauthClients, store)

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
    find: (id: string): OAuthClient | null => store.find(id) as OAuthClient | null,

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

/** Parses a body that registers a client. */
export const readClient = (input: Input): Draft => readDraft(oauthClients, unrepeated(input))

/** Removes duplicate scopes and redirect URIs. */
const unrepeated = (input: Input): Input =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)] : value]),
  )
