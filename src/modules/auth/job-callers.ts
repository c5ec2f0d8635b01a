import type { Caller } from "../../http/caller"
import { Refusal } from "../../lib/refusal"
import type { KeyHolder } from "../api-keys/model"
import type { JobCaller } from "../jobs/model"
import { keyCaller, sessionCaller, type CallerDeps } from "./callers"
import type { SessionUser } from "./store"

type Deps = CallerDeps & {
  /** An active user by the id; null for a disabled one. */
  user(id: string): SessionUser | null
  session(id: string): SessionUser | null
  key(id: string): KeyHolder | null
}

/**
 * Loads the caller of a job with its current rights. A job of a user goes on after the user has signed out, because
 * that is no reason to interrupt it. A job of an API key or an app ends when the key or the app is revoked.
 */
export const jobCallers =
  (deps: Deps) =>
  ({ kind, userId, credentialId, scopes, actor }: JobCaller): Caller | Refusal => {
    if (kind === "apiKey") {
      const key = deps.key(credentialId)
      return key ? keyCaller(deps, key, () => actor.ip ?? "") : ended("API key")
    }
    const user = kind === "user" ? deps.user(userId) : deps.session(credentialId)
    return user ? sessionCaller(deps, credentialId, user, { scopes, endsAt: Infinity }) : ended("user")
  }

const ended = (noun: string): Refusal =>
  new Refusal("FORBIDDEN", `The ${noun} that started this job is not active any more.`)
