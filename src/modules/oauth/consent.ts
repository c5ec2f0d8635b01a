import type { Database } from "bun:sqlite"
import type { Actor, Tx, Writer } from "../../db/writer"
import type { Role } from "../../shared/rights"
import { wallClock } from "../../lib/clock"
import { newId } from "../../lib/id"
import { isRegistered } from "../../lib/redirect-uri"
import { Refusal } from "../../lib/refusal"
import { digestOf, newSecret } from "../../lib/secret"
import type { SessionStore } from "../auth/sessions"
import type { OAuthClientService } from "./client-service"
import type { Ask, Grant } from "./model"
import { scopesWithin } from "./rules"
import { findGrant, findGrantById, findGrantsOf, insertCode, writeGrant } from "./store"

/** Who is signed in at the page that asks, and by which session. */
export type Giver = { id: string; role: Role; session: string }

type Deps = { db: Database; writer: Writer; clients: OAuthClientService; sessions: SessionStore }

/** What a user allows an application, and takes back. */
export function consent({ db, writer, clients, sessions }: Deps) {
  /** Whether the user has allowed all of this before. What only an admin can do is asked for every time. */
  const isAllowed = (ask: Ask, giver: Giver): boolean => {
    const wanted = scopesWithin(ask.scopes, giver.role)
    const allowed = findGrant(db, giver.id, ask.client.id)?.scopes ?? []
    // On the user's own machine, or by a scheme of its own, any program could be the one that asks.
    const isProved = ask.redirectUri.startsWith("https:")
    return isProved && !wanted.includes("admin") && wanted.every((scope) => allowed.includes(scope))
  }

  /** Whether all is as it was when the page was shown: the user, their session, and what the application may ask. */
  const stands = ({ client, redirectUri, scopes }: Ask, giver: Giver): boolean => {
    const owner = sessions.ownerOf(giver.session)
    const registered = clients.find(client.id)
    const isSameGiver = owner?.id === giver.id && owner.role === giver.role && owner.client === null
    return (
      isSameGiver &&
      registered !== null &&
      isRegistered(redirectUri, registered.redirectUris) &&
      scopes.every((scope) => registered.scopes.includes(scope))
    )
  }

  /** Notes what the user allows, and gives the code for it. What was allowed before stays allowed. */
  const allow = (tx: Tx, ask: Ask, giver: Giver): string => {
    const wanted = scopesWithin(ask.scopes, giver.role)
    const before = findGrant(db, giver.id, ask.client.id)
    const scopes = [...new Set([...(before?.scopes ?? []), ...wanted])]
    const grant: Grant = {
      id: before?.id ?? newId("grt", tx.now),
      user: giver.id,
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
      createdAt: wallClock(),
    })
    return code
  }

  return {
    isAllowed,

    /** The code for what the user has just agreed to; null when it cannot be agreed to like that any more. */
    allow: (ask: Ask, giver: Giver, by: Actor): Promise<string | null> =>
      writer((tx) => (stands(ask, giver) ? allow(tx, ask, giver) : null), by),

    /** The code for what the user has agreed to before; null when that does not hold any more. */
    allowAgain: (ask: Ask, giver: Giver, by: Actor): Promise<string | null> =>
      writer((tx) => (stands(ask, giver) && isAllowed(ask, giver) ? allow(tx, ask, giver) : null), by),

    /** Notes that a user has said no. */
    deny: (ask: Ask, by: Actor): Promise<void> =>
      writer((tx) => tx.audit("oauth.deny", ask.client.id, {}, { kind: "oauth-clients" }), by),

    grantsOf: (user: string) => findGrantsOf(db, user),

    /** Takes back what a user has allowed an application; its tokens die at once. */
    withdraw(tx: Tx, id: string, user: string): void {
      const grant = findGrantById(db, id)
      if (!grant || grant.user !== user)
        throw new Refusal("NOT_FOUND", `There is no grant ${JSON.stringify(id)}.`)
      sessions.endGrant(tx, id)
      tx.audit("oauth.withdraw", grant.client, {}, { kind: "oauth-clients" })
    },
  }
}
