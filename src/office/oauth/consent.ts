import type { Database } from "../../core/engine/engine"
import type { Actor, Tx, Writer } from "../../core/write/writer"
import type { Role } from "../../shared/rights"
import { real } from "../../core/lib/clock"
import { newId } from "../../core/lib/id"
import { isRegistered } from "../../core/lib/redirect-uri"
import { Refusal } from "../../core/lib/refusal"
import { digestOf, newSecret } from "../../core/lib/secret"
import type { SessionStore } from "../auth/sessions"
import type { OAuthClientService } from "./client-service"
import type { Ask, Grant } from "./model"
import { scopesWithin } from "./rules"
import { findGrant, findGrantById, findGrantsOf, insertCode, writeGrant } from "./store"

/** The user who is signed in on the consent page, and the session. */
export type Grantor = { id: string; role: Role; session: string }

type Deps = { db: Database; writer: Writer; clients: OAuthClientService; sessions: SessionStore }

/** Creates and withdraws the grants that users give to OAuth clients. */
export function consent(deps: Deps) {
  const { db, writer } = deps
  return {
    isAllowed: (ask: Ask, grantor: Grantor): boolean => isAllowed(deps, ask, grantor),

    /** Returns the code for what the user has just allowed; null when anything has changed since the page was shown. */
    allow: (ask: Ask, grantor: Grantor, by: Actor): Promise<string | null> =>
      writer((tx) => (isUnchanged(deps, ask, grantor) ? allow(db, tx, ask, grantor) : null), by),

    /** Returns the code for what the user has allowed before; null when it is no longer allowed. */
    allowAgain: (ask: Ask, grantor: Grantor, by: Actor): Promise<string | null> =>
      writer((tx) => {
        const isStillAllowed = isUnchanged(deps, ask, grantor) && isAllowed(deps, ask, grantor)
        return isStillAllowed ? allow(db, tx, ask, grantor) : null
      }, by),

    /** Records that a user has denied a request. */
    deny: (ask: Ask, by: Actor): Promise<void> =>
      writer((tx) => tx.audit("oauth.deny", ask.client.id, {}, { kind: "oauth-clients" }), by),

    grantsOf: (user: string) => findGrantsOf(db, user),

    withdraw: (tx: Tx, id: string, user: string): void => withdraw(deps, tx, id, user),
  }
}

/** True when the user has allowed these scopes before. The scope admin needs consent every time. */
function isAllowed({ db }: Deps, ask: Ask, grantor: Grantor): boolean {
  const wanted = scopesWithin(ask.scopes, grantor.role)
  const allowed = findGrant(db, grantor.id, ask.client.id)?.scopes ?? []
  // Only an https redirect proves the identity of the client: any program on the user's machine can receive the others.
  const isProved = ask.redirectUri.startsWith("https:")
  return isProved && !wanted.includes("admin") && wanted.every((scope) => allowed.includes(scope))
}

/** True when the user, the session and the client's registration are unchanged since the page was shown. */
function isUnchanged(
  { clients, sessions }: Deps,
  { client, redirectUri, scopes }: Ask,
  grantor: Grantor,
): boolean {
  const owner = sessions.ownerOf(grantor.session)
  const registered = clients.find(client.id)
  const isSameGrantor = owner?.id === grantor.id && owner.role === grantor.role && owner.client === null
  return (
    isSameGrantor &&
    registered !== null &&
    isRegistered(redirectUri, registered.redirectUris) &&
    scopes.every((scope) => registered.scopes.includes(scope))
  )
}

/** Writes the grant and returns a code for it. Earlier scopes stay in the grant. */
function allow(db: Database, tx: Tx, ask: Ask, grantor: Grantor): string {
  const wanted = scopesWithin(ask.scopes, grantor.role)
  const before = findGrant(db, grantor.id, ask.client.id)
  const scopes = [...new Set([...(before?.scopes ?? []), ...wanted])]
  const grant: Grant = {
    id: before?.id ?? newId("grt", tx.now),
    user: grantor.id,
    client: ask.client.id,
    scopes,
    createdAt: before?.createdAt ?? tx.now,
    updatedAt: tx.now,
  }
  if (!before || scopes.length > before.scopes.length) {
    writeGrant(db, grant)
    const changes = { scopes: { from: before?.scopes ?? null, to: scopes } }
    tx.audit("oauth.grant", ask.client.id, changes, { kind: "oauth-clients" })
  }
  const code = newSecret()
  const { redirectUri, challenge } = ask
  insertCode(db, {
    digest: digestOf(code),
    grant: grant.id,
    redirectUri,
    challenge,
    scopes: wanted,
    createdAt: real.now(),
  })
  return code
}

/** Withdraws a grant of a user. The tokens of the grant stop working immediately. */
function withdraw({ db, sessions }: Deps, tx: Tx, id: string, user: string): void {
  const grant = findGrantById(db, id)
  if (!grant || grant.user !== user)
    throw new Refusal("NOT_FOUND", `There is no grant ${JSON.stringify(id)}.`, {
      params: { kind: "grants", id },
    })
  sessions.endGrant(tx, id)
  tx.audit("oauth.withdraw", grant.client, {}, { kind: "oauth-clients" })
}
