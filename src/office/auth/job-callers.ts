import { hasEnded, type Caller } from "../../core/caller"
import { Refusal } from "../../core/lib/refusal"
import type { KeyHolder } from "../api-keys/model"
import { type JobCaller, jobEnded } from "../jobs/model"
import { keyCaller, sessionCaller, type CallerDeps } from "./callers"
import type { SessionUser } from "./store"

type Deps = CallerDeps & {
  /** An active user by the id; null for a disabled one. */
  user(id: string): SessionUser | null
  session(id: string): SessionUser | null
  key(id: string): KeyHolder | null
}

/**
 * Loads the caller of a job with its current rights, or returns why the job must end. A job of a user goes on after the
 * user has signed out, because that is no reason to interrupt it. A job of an app ends with the session of the app. A job
 * of an API key ends when the key could not be used any more for a request from the address that started the job.
 */
export const jobCallers =
  (deps: Deps) =>
  ({ kind, userId, credentialId, secretTag, scopes, actor }: JobCaller): Caller | Refusal => {
    if (kind === "apiKey") {
      const key = deps.key(credentialId)
      const caller = key && keyCaller(deps, key, () => actor.ip ?? "")
      // A job of an earlier version does not know which secret started it.
      if (!caller || (secretTag !== undefined && secretTag !== caller.secretTag))
        return jobEnded("KEY_REVOKED")
      return caller.blocked ?? (hasEnded(caller) ? jobEnded("KEY_EXPIRED") : caller)
    }
    const user = kind === "user" ? deps.user(userId) : deps.session(credentialId)
    if (!user) return jobEnded(kind === "user" ? "USER_INACTIVE" : "APP_DISCONNECTED")
    return sessionCaller(deps, credentialId, user, { scopes, endsAt: Infinity })
  }
