import type { Database } from "../../core/engine/engine"
import type { Actor, Writer } from "../../core/write/writer"
import { real } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import type { SessionStore } from "../auth/sessions"
import type { AccessTokens } from "../auth/tokens"
import type { UserService } from "../users/service"
import type { Prove } from "./authenticate"
import type { OAuthClientService } from "./client-service"
import { consent } from "./consent"
import { exchange } from "./exchange"
import { introspect, revoke } from "./issued-tokens"
import type { OAuthClient } from "./model"
import { refresh } from "./refresh"
import { deleteCodesBeyond } from "./store"

/** How long codes are stored. A used code must be recognized when it is used again. */
const codeMemory = 24 * 60 * 60_000

type Deps = {
  db: Database
  writer: Writer
  users: UserService
  clients: OAuthClientService
  sessions: SessionStore
  tokens: AccessTokens
  issuer: () => string
}

/** The authorization code flow: a user allows a client, which gets a code and exchanges it for tokens. */
export const oauthService = (deps: Deps) => ({
  ...consent(deps),

  exchange: (
    prove: Prove,
    given: { code: string; redirectUri: string | null; verifier: string },
    by: Actor,
  ) => exchange(deps, prove, given, by),

  refresh: (prove: Prove, wanted: { refreshToken: string; scope: string | null }, by: Actor) =>
    refresh(deps, prove, wanted, by),

  revoke: (prove: Prove, token: string, by: Actor) => revoke(deps, prove, token, by),

  introspect: (client: OAuthClient, token: string) => introspect(deps, client, token),

  /** Maintenance: deletes the codes that no longer need to be recognized. */
  deleteExpired: () =>
    deleteCodesBeyond(deps.db, { earliest: later(real.now(), -codeMemory), latest: real.latest() }),
})

export type OAuthService = ReturnType<typeof oauthService>
